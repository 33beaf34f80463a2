"""`check` as a student meets it: in Jupyter, in a terminal, and as nbgrader reads it."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

from autograder import check
from autograder.errors import BadKeyError
from autograder.release import variant as generate


@pytest.fixture
def folder(released_course, tmp_path, monkeypatch):
    """A student's folder: the key, and we are in it."""
    given = released_course.classroom / "release" / "squares" / "squares.key.json"
    (tmp_path / "squares.key.json").write_bytes(given.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_cell(folder, source):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("import numpy as np\nfrom autograder import check\n" + source)]
    )
    NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook.cells[0]


def test_in_a_terminal_it_prints_and_returns_the_points(folder, capsys):
    assert check("squares.total", lambda x: (x**2).sum()) == 2.0
    assert capsys.readouterr().out.startswith("PASSED  squares.total  (2 of 2 points)")


def test_a_function_that_changes_its_argument_is_told_so_beside_full_marks(folder, capsys):
    def in_place(x):
        x *= x
        return x.sum()

    assert check("squares.total", in_place) == 2.0
    told = capsys.readouterr().out
    assert "Correct. One remark: your function changes its argument `x`. The caller still" in told
    assert check("squares.total", lambda x: (x**2).sum()) == 2.0
    assert "remark" not in capsys.readouterr().out


def test_in_jupyter_it_shows_html_and_no_number_below(folder):
    (shown,) = run_cell(folder, "check('squares.total', lambda x: x.sum())").outputs
    assert shown.output_type == "display_data"
    assert "Nothing was squared." in shown.data["text/html"]
    assert "Nothing was squared." in shown.data["text/plain"]


def test_it_gives_nbgrader_partial_credit(folder, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    cell = run_cell(folder, "check('squares.total', lambda x: x.sum())")
    _, result = cell.outputs
    assert result.data["text/plain"] == "0.5"
    cell.metadata["nbgrader"] = {"grade": True, "points": 2, "solution": False}
    assert determine_grade(cell) == (0.5, 2.0)


def test_a_right_answer_earns_full_marks_from_nbgrader(folder, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    cell = run_cell(folder, "check('squares.total', lambda x: (x**2).sum())")
    cell.metadata["nbgrader"] = {"grade": True, "points": 2, "solution": False}
    assert determine_grade(cell) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("squares.nothing", "its tasks are squares.total"),
        ("circles.total", "circles.key.json is missing: it belongs beside the notebook"),
        ("../squares.total", "does not name a topic"),
        ("", "does not name a topic"),
    ],
)
def test_a_task_that_is_not_there_is_one_clear_line(folder, task, said):
    with pytest.raises(BadKeyError, match=said):
        check(task, 3)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 2}', "null"])
def test_a_damaged_key_says_what_to_do(folder, damage):
    (folder / "squares.key.json").write_text(damage)
    with pytest.raises(BadKeyError, match=r"squares\.key\.json is damaged"):
        check("squares.total", 3)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "no longer read"),
        (99, "install the version that made it"),
        ('"x"', "is no key"),
        (-1, "is no key"),
    ],
)
def test_a_key_of_another_time_says_so(folder, number, words):
    (folder / "squares.key.json").write_text(f'{{"format": {number}}}')
    with pytest.raises(BadKeyError, match=words):
        check("squares.total", 3)


def test_the_public_key_of_the_course_is_the_released_one(released_course):
    variant = generate.make_variant(released_course, "squares", "one", "a secret word")
    released = released_course.classroom / "release" / "squares"
    for name, text in generate.addressed_texts(released_course, variant.student_files()).items():
        assert (released / name).read_text("utf-8") == text
