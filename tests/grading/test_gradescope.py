"""The archive for Gradescope, unpacked as Gradescope does it, grades as the course does."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from autograder.course.people import save_students
from autograder.course.roster import Student
from autograder.release.gradescope import write_archive
from tests.conftest import ROOT
from tests.grading.own_variants import give, solved
from tests.grading.small_class import TOPIC, WRONG
from tests.sandbox.machines import PYTHON, run_without_walls


@pytest.fixture
def unpacked(sample_course, tmp_path):
    """Gradescope's folder, with the archive in `source` and the scripts one above, as in its containers."""
    give(sample_course, "ada")
    save_students(sample_course, [Student("ada", "ada", email="ada@x.org")])
    shutil.copytree(ROOT / "requirements", sample_course.root / "requirements")
    folder = tmp_path / "autograder"
    with zipfile.ZipFile(write_archive(sample_course, TOPIC)) as archive:
        archive.extractall(folder / "source")
        assert {"setup.sh", "run_autograder", "assignments.json"} < set(archive.namelist())
        assert archive.read("grading.lock") == (ROOT / "requirements" / "grading.lock").read_bytes()
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
    (folder / "submission").mkdir()
    return sample_course, folder


def graded(folder, notebook, email):
    (folder / "submission" / "squares.ipynb").write_text(notebook, "utf-8")
    (folder / "submission_metadata.json").write_text(json.dumps({"users": [{"email": email, "name": "A"}]}))
    run = folder / "source" / "run_autograder"
    subprocess.run(["bash", run, folder], env={**os.environ, "PYTHON": sys.executable}, cwd=ROOT, check=True)
    return json.loads((folder / "results" / "results.json").read_text("utf-8"))


def test_a_submission_is_graded_with_the_students_own_numbers_and_told_why(unpacked):
    course, folder = unpacked
    assert subprocess.run(["bash", "-n", folder / "source" / "setup.sh"], check=False).returncode == 0
    right = graded(folder, json.dumps(solved(course, "ada")), "ada@x.org")
    assert right["score"] == 5.0
    assert {test["max_score"] for test in right["tests"]} == {2.0, 1.0}
    wrong = graded(folder, json.dumps(solved(course, "ada", total=WRONG)), "ada@x.org")
    (total,) = [test for test in wrong["tests"] if test["name"] == "total"]
    assert total["score"] == 0.5
    assert "Nothing was squared." in total["output"]
    other = graded(folder, json.dumps(solved(course, "ada")), "somebody@x.org")
    assert other["score"] < 5.0, "judged by the class's numbers"
    broken = graded(folder, "not a notebook", "ada@x.org")
    assert broken["score"] == 0
    assert "not a notebook" in broken["output"]


LOOKS = """def NAME(x):
    import os
    try:
        open(KEYS).read()
    except PermissionError:
        return float((x**2).sum())
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give up the right to mount")
def test_a_container_without_walls_grades_only_if_allowed(unpacked):
    course, folder = unpacked
    script, results = folder / "source" / "run_autograder", folder / "results" / "results.json"
    keys = folder / "source" / "assignments.json"
    notebook = json.dumps(solved(course, "ada", total=LOOKS.replace("KEYS", repr(str(keys)))))
    (folder / "submission" / "squares.ipynb").write_text(notebook, "utf-8")
    (folder / "submission_metadata.json").write_text(json.dumps({"users": [{"email": "ada@x.org"}]}))
    command = ["env", f"PYTHON={PYTHON}", "bash", script, folder]

    refused = run_without_walls(command)
    assert refused.returncode == 1
    assert refused.stderr.startswith("not graded: this machine cannot enforce: private file system")
    assert not results.exists()

    with zipfile.ZipFile(write_archive(course, TOPIC, allow_unsafe=True)) as archive:
        script.write_bytes(archive.read("run_autograder"))
    as_root = run_without_walls(command, is_closed=True)
    assert as_root.returncode == 1
    assert "would run as root" in as_root.stderr
    assert not results.exists()

    assert run_without_walls(command).returncode == 0
    (total,) = [one for one in json.loads(results.read_text("utf-8"))["tests"] if one["name"] == "total"]
    assert total["score"] == total["max_score"], f"the program could read the keys: {total}"


def test_a_course_without_locks_takes_the_versions_that_are_installed(sample_course, monkeypatch):
    """The engine is installed from a wheel then, and the course is somebody's own."""
    give(sample_course, "ada")
    folder = sample_course.root.parent / "packages" / "coursewright-0.1.0.dist-info"
    folder.mkdir(parents=True)
    needed = "Requires-Dist: nbgrader>=0.9; extra == 'grade'\nRequires-Dist: dask; extra == 'cluster'\n"
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: coursewright\nVersion: 0.1.0\n{needed}")
    monkeypatch.syspath_prepend(str(folder.parent))
    with zipfile.ZipFile(write_archive(sample_course, TOPIC)) as archive:
        lines = archive.read("installed.txt").decode().split()
        script = archive.read("setup.sh").decode()
    names = {line.partition("==")[0] for line in lines}
    assert {"nbgrader", "sqlalchemy", "traitlets"} <= {name.lower() for name in names}
    assert not {"dask", "coursewright"} & names
    assert all(line.partition("==")[2] for line in lines)
    assert '"$folder/source/installed.txt"' in script
    assert "lock" not in script
    assert "{" not in script.replace("${", "").replace("|| {", "")
