"""What a student installs: the wheel beside the book, with the packages it asks for and nothing else."""

import importlib.metadata as metadata
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder.authoring.first_lines import with_first_lines
from autograder.book.wheel import publish_wheel
from autograder.course.course import Course
from autograder.course.package import engine_package, install_command, published_site
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of the engine, published in the site of a course."""
    root = tmp_path_factory.mktemp("package")
    built = publish_wheel(root)
    first = built.stat().st_mtime_ns
    assert publish_wheel(root).stat().st_mtime_ns == first, "what did not change is not built again"
    return built


def not_installed():
    """The packages that the locks leave out because nothing here imports them."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]["exclude-dependencies"]


def needed(wheel):
    """The distributions that the wheel asks for with the extra `check`, and those that these ask for."""
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith("METADATA"))
        asked = Parser().parsestr(packed.read(name).decode()).get_all("Requires-Dist")
    waiting = [(text, "check") for text in asked]
    found = set()
    while waiting:
        text, extra = waiting.pop()
        one = Requirement(text)
        if one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        name = one.name.lower().replace("_", "-")
        if name not in {*found, *not_installed()}:
            found.add(name)
            waiting += [(other, "") for other in metadata.requires(name) or []]
    return found


@pytest.fixture(scope="module")
def student(wheel, tmp_path_factory):
    """A Python that has the wheel and what it asks for, out of the packages that are here."""
    folder = tmp_path_factory.mktemp("student") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages = next((folder / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(packages)
    for name in needed(wheel):
        for path in {file.parts[0] for file in metadata.files(name) or () if ".." not in file.parts}:
            there = Path(metadata.distribution(name).locate_file(path))
            if there.exists() and not (packages / path).exists():
                (packages / path).symlink_to(there)
    return folder / "bin" / "python"


def run(python, *command, at):
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [python, *map(str, command)], cwd=at, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_has_the_name_that_the_notebooks_say(wheel):
    assert wheel.name == engine_package().wheel
    command = published_site(Course(ROOT)).command
    assert f"/install/{wheel.name}" in command
    assert "[check] @ http" in command
    assert "http" not in install_command(), "exercises hold no address before they are handed out"


def test_a_student_has_no_grader_and_no_book(student, tmp_path):
    for name in ("nbgrader", "jupytext", "jupyter_book", "sklearn"):
        assert run(student, "-c", f"import {name}", at=tmp_path).returncode == 1, name


def test_check_on_the_command_line_needs_only_what_a_student_installs(student, classroom, tmp_path):
    shutil.copytree(classroom.paths.release("squares"), tmp_path / "mine")
    done = run(student, "-m", "autograder.cli", "check", "squares.ipynb", at=tmp_path / "mine")
    assert done.returncode == 0, done.stderr
    assert "0 of 5 points that a check can give" in done.stdout


def test_a_notebook_checks_with_what_a_student_installs(student, tmp_path):
    shutil.copytree(ROOT / "exercises" / "pca", tmp_path / "pca")
    code = 'from autograder import check; print(check("pca.variance_along", None))'
    done = run(student, "-c", code, at=tmp_path / "pca")
    assert "0.0" in done.stdout, done.stderr


def first_cells(command):
    import nbformat

    cells = [
        nbformat.v4.new_markdown_cell("# Squares\n\nWhat you will do."),
        nbformat.v4.new_code_cell("import sys\n\nfrom autograder import check"),
    ]
    return with_first_lines(nbformat.v4.new_notebook(cells=cells), command).cells


def test_the_first_lines_say_what_to_install():
    command = install_command()
    title, code = first_cells(command)
    assert title.source.splitlines()[2].startswith(f"**Before you start**, once, in a terminal: `{command}`")
    compile(code.source, "cell", "exec")
    assert first_cells(None)[1].source == "import sys\n\nfrom autograder import check"


@pytest.mark.parametrize("other", [None, "def grade(): ...\n"])
def test_a_wrong_package_of_our_name_is_recognised_and_said(tmp_path, other):
    """PyPI's autograder is another project: it can be imported and has no `check`."""
    if other is not None:
        (tmp_path / "autograder").mkdir()
        (tmp_path / "autograder" / "__init__.py").write_text(other)
    command = install_command()
    (tmp_path / "cell.py").write_text(first_cells(command)[1].source, "utf-8")
    done = run(sys.executable, "-S", "cell.py", at=tmp_path)
    assert done.returncode == 1
    assert "python -m pip uninstall autograder" in done.stderr
    assert "what the first cell of this notebook says under 'Before you start'" in done.stderr


def test_a_locked_cell_holds_neither_address_nor_version():
    """Mending book_url after the release accused 175 students of an edited cell."""
    title, code = first_cells(install_command())
    assert "pip install" in title.source  # the address comes in at the hand-out
    assert "http" not in title.source + code.source
    assert engine_package().version not in code.source


def test_the_committed_notebooks_say_it_too():
    for path in sorted((ROOT / "exercises").glob("*/*.ipynb")):
        text = "".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"])
        assert "**Before you start**" in text, f"{path.name} is stale: make exercises"
