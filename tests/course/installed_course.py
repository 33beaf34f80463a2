"""A course as a wheel leaves it in an environment: its folder, its metadata, its entry point."""

import shutil
import zipfile

from autograder.course.files import write_text
from tests.conftest import ROOT

NAME = "squares-course"
HEADINGS = {"Write `total`": "## Sum", "The sum of the squares of $u": "## By hand", "Expand $": "## Formula"}


def install(site, version="0.1.0"):
    """Lay the tiny course into a folder of packages, with a heading above each of three tasks."""
    for old in site.glob("squares_course*"):
        shutil.rmtree(old)
    folder = site / "squares_course"
    shutil.copytree(ROOT / "tests" / "sample_course", folder, ignore=shutil.ignore_patterns("__pycache__"))
    notebook = folder / "solutions" / "squares" / "notebook.md"
    text = notebook.read_text("utf-8")
    for words, heading in HEADINGS.items():
        text = text.replace(words, f"{heading} (1 point)\n\n{words}")
    write_text(notebook, text)
    information = site / f"squares_course-{version}.dist-info"
    write_text(information / "METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n")
    write_text(information / "entry_points.txt", "[coursewright.courses]\nsquares-course = squares_course\n")
    return folder


def overlay(home, version="0.1.0", **files):
    """Write the folder of an overlay on it, with further files by their places."""
    write_text(home / "course.toml", f'base = "{NAME}=={version}"\npublic_seed = "mine"\n')
    for place, text in files.items():
        write_text(home / place, text)
    return home


def pack(site, folder):
    """Write what is installed as a wheel; return its path."""
    (information,) = site.glob("squares_course-*.dist-info")
    write_text(information / "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    files = sorted(path for path in site.rglob("*") if path.is_file())
    names = [path.relative_to(site).as_posix() for path in files]
    record = f"{information.name}/RECORD"
    folder.mkdir(exist_ok=True)
    wheel = folder / f"{information.name.removesuffix('.dist-info')}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for path, name in zip(files, names, strict=True):
            packed.write(path, name)
        packed.writestr(record, "".join(f"{name},,\n" for name in [*names, record]))
    return wheel
