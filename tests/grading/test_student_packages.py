"""Decide which packages students may import: those of exercises, not those that hold answers."""

import subprocess
import sys

import pytest

from autograder.grading.student_packages import packages_to_hide
from autograder.sandbox.visible import installed_paths
from tests.conftest import ROOT

TASK_IMPORTS = "import shapes_reference\nimport table_tools\nimport numpy as np\nimport json\n"
PACKAGES = {  # distribution: its top-level packages, what it requires
    "shapes": (("shapes_reference", "shapes_data"), ""),
    "table-tools": (("table_tools",), ""),
    "drawing": (("drawing",), "Requires-Dist: table-tools>=1\n"),
}


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with installed packages: a reference, a tool, and a library that needs the tool."""
    folder = tmp_path / "site packages"
    for name, (tops, requires) in PACKAGES.items():
        information = folder / f"{name.replace('-', '_')}-1.dist-info"
        information.mkdir(parents=True)
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{requires}")
        (information / "top_level.txt").write_text("".join(f"{top}\n" for top in tops))
        for top in tops:
            (folder / top).mkdir()
            (folder / top / "__init__.py").write_text("ANSWER = 42\n")
    monkeypatch.syspath_prepend(str(folder))
    return folder


def with_imports(course, tasks, notebook=""):
    (course.source("squares") / "more.py").write_text(tasks, "utf-8")
    text = course.source("squares") / "notebook.md"
    text.write_text(
        text.read_text("utf-8").replace("import numpy as np\n", f"import numpy as np\n{notebook}")
    )
    return course


def test_the_reference_is_hidden_with_what_is_installed_beside_it(sample_course, site):
    hidden = packages_to_hide(with_imports(sample_course, TASK_IMPORTS))
    assert hidden == ["shapes_data", "shapes_reference", "table_tools"]
    assert installed_paths(hidden) == [str(site / name) for name in hidden]


@pytest.mark.usefixtures("site")
def test_what_an_exercise_imports_is_shown_with_all_that_it_needs(sample_course):
    assert packages_to_hide(with_imports(sample_course, TASK_IMPORTS, "import drawing\n")) == [
        "shapes_data",
        "shapes_reference",
    ]


@pytest.mark.usefixtures("site")
def test_a_course_hides_more_by_its_settings(sample_course):
    settings = sample_course.root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + 'hidden = ["drawing"]\n', "utf-8")
    assert packages_to_hide(sample_course) == ["drawing"]


SHOWN = """
from pathlib import Path
import sys
from autograder.sandbox.fork_server_client import ForkServerClient, hide_packages
from autograder.sandbox.limits import Limits
hide_packages(["sphinx_proof"])
with ForkServerClient(allow_unsafe=True) as server, server.start({}, Limits(memory_bytes=2**29)) as process:
    print(server.protections.missing, process.run("from sphinx_proof import domain"))
"""


def test_a_hidden_package_cannot_be_imported_by_a_student(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SHOWN],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if not done.stdout.startswith("()"):
        pytest.skip(done.stdout)
    assert "ImportError" in done.stdout
