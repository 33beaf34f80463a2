"""A notebook of the public book in a class with other numbers: graded by the class's, and both are told."""

import json

import pytest

from autograder.cli import main
from autograder.grading.choose import load_assignment
from autograder.grading.grade import grade
from autograder.grading.public_variant import PUBLIC_VARIANT_NOTE, public_variant_notes
from autograder.grading.workers import local_grading_pool
from autograder.reports.feedback import write_feedback
from tests.grading.small_class import TOPIC, hand_in


@pytest.fixture
def public(classroom):
    """A class whose course has published the notebook with other numbers; and that notebook."""
    notebook = json.loads(load_assignment(classroom, TOPIC).release)
    notebook["metadata"]["dimred"]["seed"] = "of the book"
    given = next(cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    given["source"] = [*given["source"], "\n\nOther numbers."]
    locked = next(
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("locked") and cell["cell_type"] == "code"
    )
    locked["source"] = [*locked["source"], "\n# other numbers"]
    path = classroom.exercises / TOPIC / f"{TOPIC}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), "utf-8")
    return notebook


def notes(classroom, notebook):
    submitted = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return public_variant_notes(classroom, load_assignment(classroom, TOPIC), submitted)


def test_the_public_notebook_is_recognised_also_without_its_metadata(classroom, public):
    assert notes(classroom, public) == [PUBLIC_VARIANT_NOTE]
    assert notes(classroom, {**public, "metadata": {}}) == [PUBLIC_VARIANT_NOTE]


def test_the_notebook_of_the_class_and_what_cannot_be_read_get_no_note(classroom, public):
    own = json.loads(load_assignment(classroom, TOPIC).release)
    assert notes(classroom, own) == []
    own["cells"].append({"cell_type": "markdown", "metadata": {}, "source": ["Other numbers."], "id": "mine"})
    assert notes(classroom, {**own, "metadata": {}}) == []
    assert notes(classroom, b"no notebook") == []


def test_a_class_with_the_public_numbers_gets_no_note(classroom, public):
    path = classroom.exercises / TOPIC / f"{TOPIC}.ipynb"
    path.write_text(load_assignment(classroom, TOPIC).release, "utf-8")
    assert notes(classroom, public) == []


def test_student_and_instructor_are_told(classroom, public):
    hand_in(classroom, "dora")
    path = classroom.paths.submission("dora", TOPIC)
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"]["dimred"]["seed"] = "of the book"
    path.write_text(json.dumps(notebook), "utf-8")
    with local_grading_pool(1) as examiners:
        (dora,) = grade(classroom, TOPIC, examiners)
    assert dora.notes[0] == PUBLIC_VARIANT_NOTE
    assert PUBLIC_VARIANT_NOTE in dora.instructor_notes
    (page,) = write_feedback(classroom, TOPIC)
    assert "numbers of the public book" in page.read_text("utf-8")


def test_collect_and_grade_name_who_has_the_public_numbers(classroom, public, monkeypatch, capsys):
    monkeypatch.chdir(classroom.root)
    folder = classroom.root / "download" / "dora"
    folder.mkdir(parents=True)
    (folder / f"{TOPIC}.ipynb").write_text(json.dumps(public), "utf-8")
    (classroom.root / "class.csv").write_text("id\ndora\n", "utf-8")
    assert main(["roster", "class.csv"]) == 0
    assert main(["collect", "download", "--yes"]) == 0
    assert "(has the numbers of the public book, not those of the class)" in capsys.readouterr().out
    assert main(["grade"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "numbers of the public book" in line]
    assert "dora" in line
    assert "edited" not in line, "Dora edited nothing: the public notebook has other given cells"
