"""What students wrote, on nbgrader's pages and in its table of grades: shown, and never run.

The page itself is looked at in tests/browser/test_jupyter_in_browser.py.
"""

import csv
import subprocess
import sys
import time

import pytest
from nbconvert.exporters import HTMLExporter

from autograder.course.tables import safe_cell
from autograder.grading.formgrader import harmless, markdown2html
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.nbgrader_settings import nbgrader_config
from tests.conftest import ROOT
from tests.grading.small_class import hand_in


@pytest.fixture
def exporter(sample_course):
    """nbconvert as formgrader uses it in this course."""
    return HTMLExporter(config=nbgrader_config(sample_course), template_name="classic")


def shown(exporter, markdown):
    from nbformat.v4 import new_markdown_cell, new_notebook

    page, _ = exporter.from_notebook_node(new_notebook(cells=[new_markdown_cell(markdown)]))
    return page.partition("<body")[2]


def test_the_courses_settings_reach_the_exporter(exporter):
    assert "onerror" not in shown(exporter, "<img src=x onerror=alert(1)>").replace("&lt;img", "")
    assert "onerror=" in shown(HTMLExporter(template_name="classic"), "<img src=x onerror=alert(1)>")


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**bold** and `code`", "<strong>bold</strong>"),
        ("$a < b$ and $\\lambda_1 > 0$", "$a &lt; b$ and $\\lambda_1 &gt; 0$"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<td>1</td>"),
        ("[notes](https://example.org/a?b=1)", 'href="https://example.org/a?b=1"'),
        (f"![x](data:image/png;base64,{PIXEL})", f'src="data:image/png;base64,{PIXEL}"'),
        ("x<sub>1</sub>", "<sub>1</sub>"),
        ("1. one\n2. two", "<li>two</li>"),
    ],
)
def test_an_honest_answer_looks_as_before(exporter, markdown, html):
    assert html in shown(exporter, markdown)


@pytest.mark.parametrize(
    "html",
    [
        "<img src='http://evil.example/seen.png'>",
        "<img src='//evil.example/seen.png'>",
        "<img src='data:image/svg+xml;base64,AAAA'>",
        "<a href=' data:text/html,x'>x</a>",
        "<a href='\x01data:text/html,x'>x</a>",
        "<a href='&#1;data:text/html,x'>x</a>",
        "<a href='&#x64;ata:text/html,x'>x</a>",
        "<a href='da\tta:text/html,x'>x</a>",
        "<a href='\x1f\x00 vbscript:x'>x</a>",
        "<a href='JaVaScRiPt:alert(1)'>x</a>",
        "<p style='position:fixed'>x</p>",
        "<div class='score' id='grade'>x</div>",
        "<meta http-equiv=refresh content='0;url=http://evil.example'>",
        "<base href='http://evil.example'>",
        "<link rel=stylesheet href='http://evil.example'>",
    ],
)
def test_what_would_run_load_or_disguise_is_left_out(html):
    kept = harmless(html)
    for word in ("src=", "href=", "style=", "class=", "id=", "<meta", "<base", "<link"):
        assert word not in kept.replace("&lt;base href=", "").replace("&lt;link rel=stylesheet href=", "")


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-x", "@SUM(A1)", "\t=1", "＝1", " =1", "\n=1", "\ufeff=1", "\tx"]
)
def test_a_cell_is_no_formula(text):
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("sign", [";", ",", "|", "\t", "\n"])
def test_nor_is_what_another_program_takes_for_a_cell(sign):
    assert safe_cell(f"ada{sign} =1+1") == f"ada{sign}' =1+1"


def test_numbers_and_ordinary_names_stay():
    kept = [-1.5, "ada", "a=b", None, "Lovelace, Ada", "a-b@x.org"]
    assert [safe_cell(one) for one in kept] == kept


def test_a_text_that_would_take_minutes_to_render_is_shown_as_it_was_typed():
    render = getattr(markdown2html, "__wrapped__", markdown2html)
    begun = time.process_time()
    assert render({}, "\\begin{a}<div>&" * 100_000).startswith("<pre>\\begin{a}&lt;div&gt;&amp;")
    assert time.process_time() - begun < 5


def test_nbgraders_export_writes_names_as_text(classroom):
    hostile = '=HYPERLINK("http://evil.example","5, 6")'
    hand_in(classroom, "ada")
    with open_gradebook(classroom) as book:
        book.add_student("ada", first_name=hostile, last_name="@x", email="-1")
    (classroom.root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    command = [sys.executable, "-m", "nbgrader", "export", "--to", "grades.csv"]
    subprocess.run(command, cwd=classroom.root, check=True, capture_output=True)
    with (classroom.root / "grades.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert row["first_name"] == "'" + hostile
    assert (row["last_name"], row["email"], row["student_id"]) == ("'@x", "'-1", "ada")
    assert row["max_score"] == "8.0"
    assert (classroom.root / "grades.csv").stat().st_mode & 0o077 == 0
