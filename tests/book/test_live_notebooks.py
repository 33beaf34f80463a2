"""Assignments as notebooks in the browser: what is put into the site. That they run there, tests/browser sees."""

import json

import pytest

from autograder.book.assignments import AssignmentPage
from autograder.book.live import notebooks
from autograder.book.live.notebooks import (
    LITE_SETTINGS,
    NOTHING_TO_INSTALL,
    app_folder,
    in_the_browser,
    put_notebooks,
)
from autograder.errors import LiveError
from tests.conftest import ROOT

TOPICS = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/*.ipynb"))


@pytest.mark.parametrize("topic", TOPICS)
def test_nothing_is_to_be_installed_and_what_is_graded_stays(topic):
    before = AssignmentPage(topic, ROOT / "exercises" / topic).notebook
    after = in_the_browser(before)
    texts = ["".join(cell["source"]) for cell in after["cells"] if cell["cell_type"] == "markdown"]
    assert sum(NOTHING_TO_INSTALL in text for text in texts) == 1
    assert "pip install" not in "\n".join(texts)
    for old, new in zip(before["cells"], after["cells"], strict=True):
        assert new["metadata"].get("nbgrader") == old["metadata"].get("nbgrader")
        assert new["cell_type"] == "markdown" or new["source"] == old["source"]
    assert after["metadata"]["dimred"] == before["metadata"]["dimred"]


def test_every_notebook_is_listed_with_its_key_and_python_lies_on_the_site(tmp_path):
    kept = (app_folder() / LITE_SETTINGS).read_bytes()
    pca = AssignmentPage("pca", ROOT / "exercises" / "pca")
    put_notebooks(tmp_path / "lite", [pca], tmp_path / "python-1", tmp_path / "notebook-1")
    lists = tmp_path / "lite" / "api" / "contents"
    assert [one["path"] for one in json.loads((lists / "all.json").read_text("utf-8"))["content"]] == ["pca"]
    files = [one["path"] for one in json.loads((lists / "pca" / "all.json").read_text("utf-8"))["content"]]
    assert files == ["pca/pca.ipynb", "pca/pca.key.json"]
    assert all((tmp_path / "lite" / "files" / path).is_file() for path in files)
    settings = (tmp_path / "lite" / LITE_SETTINGS).read_text("utf-8")
    assert "./../_static/live/python-1/pyodide.mjs" in settings
    assert "../_static/live/notebook-1/pyodide-lock.json" in settings
    assert (
        app_folder() / LITE_SETTINGS
    ).read_bytes() == kept  # files of the site may be second names of those


def test_without_jupyterlite_the_reason_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr(notebooks, "LITE", ("a-package-that-nobody-has",))
    with pytest.raises(LiveError, match=r"a-package-that-nobody-has is not installed: pip install"):
        app_folder()
