"""The second course, of another subject: it certifies, a made-up class is graded, and its answers are no arrays."""

import json
import shutil

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.formats import KEY
from autograder.judging.check import verdict_on
from autograder.judging.key import read_key
from tests import command
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "probability"
MADE = (".gitignore", "_build", "classroom", "demo", "exercises", "__pycache__")
STRUCTURED = {"frequencies", "summary", "shape", "at_least", "joint", "decide", "compare", "expected"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course with its exercises made and a made-up class graded, by the commands of its README."""
    root = tmp_path_factory.mktemp("examples") / "a course of mine"
    shutil.copytree(FOLDER, root, ignore=shutil.ignore_patterns(*MADE))
    for arguments in (["regenerate"], ["demo"]):
        code, _, error = command.dimred(root, *arguments)
        assert code == 0, error
    return Course(root)


def test_every_task_is_certified_and_half_of_the_answers_are_no_arrays(course):
    certificates = [
        json.loads((course.exercises / topic / f"{topic}.certificate.json").read_text("utf-8"))
        for topic in course.topics()
    ]
    assert [len(certificate["tasks"]) for certificate in certificates] == [4, 4, 4]
    for certificate in certificates:
        for name, task in load_tasks(course, certificate["topic"]).items():
            recognised = certificate["tasks"][name]["misconceptions recognised"]
            assert recognised == [mistake.name for mistake in task.misconceptions]
            assert len(recognised) >= 3
    versions = {
        path.name: json.loads(path.read_text("utf-8"))["format"]
        for path in course.exercises.glob("*/*.key.json")
    }
    assert versions == {f"{topic}.key.json": KEY.version for topic in course.topics()}


def test_what_the_made_up_class_does_wrong_is_recognised_in_every_kind_of_answer(course):
    seen = {}
    for path in (course.root / "demo" / "verdicts").glob("*/*.json"):
        for name, verdict in json.loads(path.read_text("utf-8"))["verdicts"].items():
            outcome = (
                "passed" if verdict["passed"] else verdict["misconception"] or verdict["problem"] or "wrong"
            )
            seen.setdefault(name, set()).add(outcome)
            assert not verdict["fault"]
    assert all("passed" in outcomes and "wrong" not in outcomes for outcomes in seen.values())
    known = {
        mistake.name
        for topic in course.topics()
        for name, task in load_tasks(course, topic).items()
        for mistake in task.misconceptions
        if name in STRUCTURED
    }
    assert len({outcome for name in STRUCTURED for outcome in seen[name]} & known) >= 5
    assert (course.root / "demo" / "report" / "index.html").is_file()


def test_its_own_sameness_forgives_whole_days_and_no_more(course):
    key = read_key(course.exercises / "samples" / "samples.key.json").tasks["mean_time"]
    right = load_tasks(course, "samples")["mean_time"].answer
    assert verdict_on("samples.mean_time", key, lambda hours: right(hours) + 48).passed
    assert not verdict_on("samples.mean_time", key, lambda hours: right(hours) + 12).passed


def test_a_table_in_a_text_is_a_table(course):
    notebook = json.loads((course.exercises / "decisions" / "decisions.ipynb").read_text("utf-8"))
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    assert any(
        "| course | passed | failed |\n| --- | --- | --- |\n| in the morning | " in text for text in texts
    )


def test_a_key_of_another_version_of_the_engine_is_one_line(course):
    path = course.exercises / "chance" / "chance.key.json"
    before = path.read_text("utf-8")
    tree = json.loads(before)
    tree["tasks"]["joint"]["same"] = ["mapping(any spelling)"]
    write_text(path, json.dumps(tree))
    code, _, error = command.dimred(course.root, "check", "exercises/chance/chance.ipynb")
    write_text(path, before)
    assert code
    assert "the key names the sameness 'mapping(any spelling)'" in error
    assert "Traceback" not in error
