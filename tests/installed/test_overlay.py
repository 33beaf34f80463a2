"""A version of this course of one's own: the guide's page is run as it stands, from the packages.

The environment and the overlay lie in folders with spaces and a letter beyond ASCII in their names.
"""

import json
import re
import subprocess
import zipfile

import pytest

from autograder.book.distributions import build_distribution
from tests.conftest import ROOT
from tests.installed.environment import clean_environment, make_environment

PAGE = ROOT / "book" / "instructor_overlay.md"
PACKAGE = "dimred_course"
INSTALL = "pip install dimred-course==0.1.0\n"
# What the next version has that this one has not.
EDITS = {
    "solutions/covariance/after_a_map.py": ("@task.code(points=2,", "@task.code(points=4,"),
    "solutions/covariance/merged.py": ("@task.code(points=3,", "@task.code(points=4,"),  # the overlay says 5
    "book/covariance.md": ("\n## ", "\nA new sentence.\n\n## "),
}


def next_version(wheel, folder):
    """Write the wheel of version 0.2.0 into a folder."""
    with zipfile.ZipFile(wheel) as packed:
        files = {entry: packed.read(entry) for entry in packed.namelist()}
    for place, (old, new) in EDITS.items():
        text = files[f"{PACKAGE}/{place}"].decode()
        assert old in text
        files[f"{PACKAGE}/{place}"] = text.replace(old, new, 1).encode()
    renamed = {name.replace("-0.1.0.dist-info", "-0.2.0.dist-info"): data for name, data in files.items()}
    metadata = f"{PACKAGE}-0.2.0.dist-info/METADATA"
    renamed[metadata] = renamed[metadata].replace(b"\nVersion: 0.1.0\n", b"\nVersion: 0.2.0\n")
    record = f"{PACKAGE}-0.2.0.dist-info/RECORD"
    renamed[record] = "".join(f"{name},,\n" for name in renamed).encode()
    folder.mkdir()
    with zipfile.ZipFile(folder / f"{PACKAGE}-0.2.0-py3-none-any.whl", "w") as packed:
        for name, data in renamed.items():
            packed.writestr(name, data)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("overlay") / "my courses (ä)"


@pytest.fixture(scope="module")
def said(place, tmp_path_factory):
    """Output of the page's commands after the first block, which installs."""
    dist = tmp_path_factory.mktemp("dist")
    parts = ("engine", "reference", "course")
    wheels = [build_distribution(ROOT / "packaging" / part / "pyproject.toml", dist)[0] for part in parts]
    place.mkdir()
    next_version(wheels[-1], place / "wheels")
    programs = make_environment(place / ".venv", *wheels)
    install, *rest = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert install.endswith(INSTALL)
    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": (place / "wheels").as_uri()}
    done = subprocess.run(
        ["bash", "-ec", "".join(rest)],
        cwd=place,
        env=clean_environment(programs) | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def home(place, said):
    return place / "spring"


def test_the_exercises_have_points_mistakes_and_tasks_of_both(said, home):
    assert re.search(r"covariance: certified for seed any-word: 12 tasks", said)
    release = home / "classroom" / "release" / "covariance"
    tasks = json.loads((release / "covariance.key.json").read_text("utf-8"))["tasks"]
    assert tasks["merged"]["points"] == 5
    assert tasks["our_first"]["points"] == 2
    certificate = json.loads((home / "classroom/keys/covariance.certificate.json").read_text("utf-8"))
    recognised = certificate["tasks"]["covariance_matrix"]["misconceptions recognised"]
    assert "divided_by_twice_the_number" in recognised
    assert "We meet these matrices again" in (home / "_course/book/covariance.md").read_text("utf-8")


def test_an_upgrade_says_what_changes_for_whom(said):
    lines = [line.strip() for line in said.partition("dimred-course==0.1.0 →")[2].splitlines()]
    assert lines[0] == "dimred-course==0.2.0"
    assert lines[1].startswith("covariance: released for the class and not handed out")
    assert "after_a_map: 2 points become 4" in lines
    assert not any(line.startswith("merged: 3 points") for line in lines)
    assert "after_a_map: its program differs, its numbers do not" in lines
    assert "pages that differ: book/covariance.md" in lines
    assert lines[-1] == "nothing was written: `dimred upgrade 0.2.0` does it"


def test_the_folder_keeps_differences_only(home):
    subprocess.run(["git", "init", "--quiet"], cwd=home, check=True)
    listed = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=home, capture_output=True, text=True, check=True
    ).stdout
    assert {line[3:].strip('"') for line in listed.splitlines()} == {
        ".github/workflows/course.yml",
        ".gitignore",
        "README.md",
        "book/covariance.changes.md",
        "course.toml",
        "solutions/covariance/notebook.changes.md",
        "solutions/covariance/our_first.py",
        "solutions/covariance/our_mistakes.py",
    }
