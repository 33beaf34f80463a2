"""What a student's notebook does not say: no number below a verdict, no Ellipsis below an empty cell."""

import json
import shutil

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.grading.choose import load_assignment


@pytest.fixture
def run(classroom, tmp_path, monkeypatch):
    """Run the released notebook in a real kernel; returns its cells."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    shutil.copytree(classroom.paths.release("squares"), tmp_path / "mine")
    notebook = nbformat.reads(load_assignment(classroom, "squares").release, as_version=4)
    resources = {"metadata": {"path": str(tmp_path / "mine")}}
    return lambda: NotebookClient(notebook, timeout=300, resources=resources).execute().cells


def results(cells):
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.data["text/plain"] for output in outputs if output.output_type == "execute_result"]


def test_an_untouched_notebook_prints_verdicts_and_nothing_else(run):
    cells = run()
    assert results(cells) == []
    assert json.dumps(cells).count("Not written yet") >= 4


def test_nbgrader_still_reads_the_points(run, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert [float(text) for text in results(run())] == [0.0] * 4
