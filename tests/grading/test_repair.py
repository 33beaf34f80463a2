"""Nothing in a submission is trusted but the text of its answers."""

import copy
import json

import nbformat
import pytest

from autograder.errors import UnreadableError
from autograder.grading.choose import load_assignment
from autograder.grading.repair import MAX_NOTEBOOK, parse_notebook, read_notebook, repair


@pytest.fixture(scope="module")
def release(released_course):
    return nbformat.reads(load_assignment(released_course, "squares").release, as_version=4)


@pytest.fixture
def submitted(release):
    return json.loads(nbformat.writes(release))


def named(notebook, name):
    cells = notebook["cells"] if isinstance(notebook, dict) else notebook.cells
    return next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == name)


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def test_an_honest_notebook_needs_no_repair(submitted, release):
    repaired = repair(submitted, release)
    assert repaired.repairs == ()
    assert sources(repaired.notebook) == sources(release)


def test_answers_are_kept_and_locked_cells_are_restored(submitted, release):
    named(submitted, "total")["source"] = "def total(x): return 7"
    named(submitted, "check-total")["source"] = "2.0"
    repaired = repair(submitted, release)
    assert named(repaired.notebook, "total").source == "def total(x): return 7"
    assert named(repaired.notebook, "check-total").source == 'check("squares.total", total)'
    assert repaired.repairs == ("cell check-total is locked but was edited: the original was run",)


def test_points_tags_and_types_come_from_the_release(submitted, release):
    cell = named(submitted, "check-total")
    cell["metadata"]["nbgrader"]["points"] = 100
    cell["metadata"]["tags"] = ["skip-execution"]
    cell["cell_type"] = "raw"
    repaired = repair(submitted, release)
    restored = named(repaired.notebook, "check-total")
    assert restored.metadata == named(release, "check-total").metadata
    assert restored.cell_type == "code"
    assert "type" in repaired.repairs[0]


@pytest.mark.parametrize("name", ["given-1", "total", "check-total", "check-binomial", "why"])
def test_a_deleted_cell_is_put_back_in_its_place(submitted, release, name):
    submitted["cells"].remove(named(submitted, name))
    repaired = repair(submitted, release)
    assert [
        n.metadata.get("nbgrader", {}).get("grade_id") for n in repaired.notebook.cells if n.metadata
    ] == [n.metadata.get("nbgrader", {}).get("grade_id") for n in release.cells if n.metadata]
    assert repaired.repairs == (f"cell {name} was missing: it was put back",)


def test_of_two_copies_the_last_one_counts(submitted, release):
    cell = named(submitted, "total")
    again = copy.deepcopy(cell)
    again["source"] = "def total(x): return 2"
    submitted["cells"].insert(submitted["cells"].index(cell) + 1, again)
    repaired = repair(submitted, release)
    assert named(repaired.notebook, "total").source == "def total(x): return 2"
    assert repaired.repairs == ("cell total was copied: the last copy counts",)
    nbformat.validate(repaired.notebook)


def test_a_students_own_cells_stay_where_they_stand(submitted, release):
    submitted["cells"].insert(3, {"cell_type": "code", "source": ["a = 1\n", "b = 2"], "metadata": {"x": 1}})
    repaired = repair(submitted, release)
    assert repaired.notebook.cells[3].source == "a = 1\nb = 2"
    assert repaired.notebook.cells[3].metadata == {}
    nbformat.validate(repaired.notebook)


@pytest.mark.parametrize(
    "metadata",
    [None, 3, {"nbgrader": 3}, {"nbgrader": {"grade_id": 7}}, {"nbgrader": {"grade_id": "unknown"}}],
)
def test_nonsense_metadata_make_an_ordinary_cell(submitted, release, metadata):
    submitted["cells"].append({"cell_type": "code", "source": "1", "metadata": metadata})
    assert repair(submitted, release).notebook.cells[-1].source == "1"


def test_an_empty_notebook_becomes_the_untouched_one(release):
    repaired = repair({"cells": []}, release)
    assert len(repaired.repairs) == sum("nbgrader" in cell.metadata for cell in release.cells)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no cells"),
        (b'{"cells": 3}', "no cells"),
        (b'{"cells": [3]}', "no cells"),
    ],
)
def test_what_is_not_a_notebook_is_refused_in_one_line(tmp_path, content, said):
    path = tmp_path / "squares.ipynb"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=said):
        read_notebook(path)


def test_a_link_or_nothing_is_no_submission(tmp_path):
    (tmp_path / "real.ipynb").write_text("{}")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "real.ipynb")
    for name in ("link.ipynb", "missing.ipynb"):
        with pytest.raises(UnreadableError, match="is not a file"):
            read_notebook(tmp_path / name)


@pytest.mark.parametrize("piece", ["{},", "[],", '"ab",'])
def test_no_notebook_becomes_a_gigabyte_of_small_objects(piece):
    data = b'{"cells": [], "metadata": [' + piece.encode() * (MAX_NOTEBOOK // len(piece) - 20) + b"0]}"
    with pytest.raises(UnreadableError, match="clear its outputs and hand in again"):
        parse_notebook(data, "squares.ipynb")
