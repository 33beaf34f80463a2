"""Points stand in one place, the task: changing them changes headings, totals, key and gradebook."""

import copy

import nbformat
import pytest

from autograder.authoring.points import with_points
from autograder.release.variant import make_variant
from tests.conftest import ROOT
from tests.release.test_handed_out import edit_task
from tests.release.test_variant import edit

NOTEBOOKS = sorted((ROOT / "exercises").glob("*/*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_points_in_every_text_are_those_of_its_tasks(path):
    notebook = nbformat.read(path, as_version=4)
    before = [cell.source for cell in copy.deepcopy(notebook).cells]
    assert "There are" in before[0]
    assert [cell.source for cell in with_points(notebook).cells] == before


def test_changing_a_tasks_points_changes_text_and_totals(sample_course):
    edit(
        sample_course.root / "solutions" / "squares" / "notebook.md",
        "Write `total`, the sum of the squares.",
        "There are 8 points.\n\n### Total (2 points, about 5 minutes)\n\nWrite `total`.",
    )
    edit(
        sample_course.root / "solutions" / "squares" / "notebook.md",
        "The sum of the squares of $u",
        "### By hand (1 point, about 3 minutes)\n\nThe sum of the squares of $u",
    )
    edit_task(sample_course, "@task.code(points=2, ", "@task.code(points=4, ")
    variant = make_variant(sample_course, "squares", "one", "a secret word")
    text = "\n".join(cell.source for cell in variant.release.cells)
    assert "There are 10 points." in text
    assert "### Total (5 points, about 5 minutes)" in text, "its own four and those of the task below"
    assert "### By hand (5 points, about 3 minutes)" in text
    assert variant.public.tasks["total"].points == 4
    assert sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in variant.release.cells) == 10
