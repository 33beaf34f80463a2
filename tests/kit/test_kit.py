"""A kit has a plan of fifty minutes, five proved questions, slides from the built page, and a solutions manual."""

import re

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from autograder.authoring.topic import load_tasks
from autograder.book.pdf import chromium
from autograder.cli import main
from autograder.kit.lecture_questions import LECTURE_QUESTIONS, lecture_questions
from autograder.kit.outline import LECTURE_MINUTES, lecture_plan, objectives, prerequisites
from autograder.kit.slides import build_slides
from autograder.kit.solutions import solution_parts

PAGE = """<!DOCTYPE html><html><head>
<link rel="stylesheet" href="../_static/course.css"><link rel="next" href="b.html">
<script type="module" src="../_static/explore/load.mjs?v=1"></script>
<script type="module" src="../_static/live/page-1/offline.js"></script>
<script type="module" src="../_static/live/page-1/chapter.js"></script></head><body>
<article class="bd-article"><section id="squares"><h1>Squares<a class="headerlink" href="#squares">#</a></h1>
<p>How large is a square?</p><figure id="fig-a"><img src="../_images/a.svg"><figcaption>One.</figcaption></figure>
<section id="sums"><h2>Sums</h2><p>Read <a href="other.html#thm-b">this</a>, <a href="#sums">that</a>,
<a href="https://example.org/">more</a>.</p><div class="math">\\[s\\]</div>
<div class="proof theorem admonition" id="thm-a"><p>Theorem 1</p><p>It adds up.</p></div>
<div class="proof admonition"><p>Because.</p></div>
<details class="depth"><summary>In depth</summary><div class="warning admonition"><p>Deep.</p></div></details>
<div class="warning admonition"><p>Careful.</p></div></section>
<section id="both"><h2>In <span class="math">\\(d\\)</span> dimensions</h2><p>Look.</p>
<div class="warning admonition"><p>Twice.</p></div></section>
<section id="quick"><h2>Quick questions</h2><div></div></section>
<section id="practice"><h2>Practice</h2><p>Try.</p></section></section></article></body></html>
"""


@pytest.fixture
def site(sample_course):
    """A built page of the tiny course."""
    folder = sample_course.root / "_build" / "html"
    (folder / "book").mkdir(parents=True)
    (folder / "book" / "squares.html").write_text(PAGE, "utf-8")
    return folder


def test_slides_hold_what_the_page_says_and_link_to_it(sample_course, site):
    target, sections = build_slides(sample_course, "squares", site)
    text = target.read_text("utf-8")
    slides = BeautifulSoup(text, "html.parser").select("section.slide")
    words = [" ".join(slide.get_text(" ").split()) for slide in slides]
    assert words[0] == "Squares How large is a square?"
    assert words[1] == "One."
    assert words[2].startswith("Sums Read this , that")
    assert words[3] == "Sums Theorem 1 It adds up."
    assert words[4] == "Sums Careful."
    assert sections == [("Sums", 3), ("In \\(d\\) dimensions", 2)]
    assert 'class="math"' in str(slides[6].select_one(".slide-section")), "a formula stays one"
    assert not any("Because" in word or "Deep" in word or "Try." in word for word in words)
    links = [link["href"] for link in slides[2].select("a")]
    assert links == ["../book/other.html#thm-b", "../book/squares.html#sums", "https://example.org/"]
    assert 'id="' not in text.partition("<body")[2]


def test_slides_load_the_files_of_the_page_and_no_others(sample_course, site):
    text = build_slides(sample_course, "squares", site)[0].read_text("utf-8")
    loaded = re.findall(r'<(?:link[^>]* href|script[^>]* src|img[^>]* src)="([^"]*)"', text)
    assert loaded == [
        "../_static/course.css",
        "../_static/explore/load.mjs?v=1",
        "../_static/live/page-1/live.js",
        "../_images/a.svg",
    ]


def test_a_page_that_was_not_built_is_named_and_nothing_is_left(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    assert main(["kit", "squares"]) == 1
    assert "squares.html is missing: build the book first" in capsys.readouterr().err
    assert not (sample_course.root / "classroom" / "kits").exists()
    for wrong in (["kit"], ["kit", "squares", "--all"], ["kit", "circles"]):
        assert main(wrong) == 1


@pytest.mark.parametrize(
    ("weights", "n_questions"), [([3, 1, 1], 5), ([1], 2), ([5, 5, 5, 5, 5, 5, 5, 5], 5), ([], 0)]
)
def test_a_plan_fills_the_lecture(weights, n_questions):
    steps = lecture_plan([(f"Section {place}", weight) for place, weight in enumerate(weights)], n_questions)
    ends = [step.start + step.minutes for step in steps]
    assert [step.start for step in steps] == [0, *ends[:-1]]
    assert ends[-1] == (LECTURE_MINUTES if weights else 10)
    assert sum("Question" in step.what for step in steps) == (n_questions if weights else 0)


def test_objectives_and_prerequisites_come_from_the_chapter(course):
    assert all(all(rows) for topic in ("pca", "practice") for rows in objectives(course, topic).values())
    aims = objectives(course, "isomap")
    assert any(row.startswith("Definition 13.") for row in aims["State and use"])
    assert any("`joining_k`" in row for row in aims["Write as a program"])
    assert any(
        row.startswith("Classical multidimensional scaling (") for row in prerequisites(course, "isomap")
    )


def test_a_lecture_has_five_proved_questions(course):
    asked = lecture_questions(course, "pca")
    assert len(asked) == LECTURE_QUESTIONS
    for question in asked:
        texts = [option.text + option.picture for option in question.options]
        assert len(set(texts)) == len(texts) >= 3
        assert sum(option.is_right for option in question.options) == 1 or question.several
        assert all(bool(option.feedback) != option.is_right for option in question.options)
    from_tasks = [question for question in asked if question.task in load_tasks(course, "pca")]
    assert from_tasks  # the topic has fewer questions of its own


def test_solutions_have_the_numbers_of_the_class(classroom, sample_course):
    whose, parts = solution_parts(classroom, "squares")
    assert whose == "the numbers of the class"
    assert any("def total" in part and "BEGIN SOLUTION" not in part for part in parts)
    whose, public = solution_parts(sample_course, "squares")
    assert whose == "the public numbers"
    assert len(public) == len(parts)
    assert public != parts


@pytest.mark.skipif(chromium() is None, reason="Chromium prints the manual")
def test_the_command_keeps_solutions_out_of_the_site(sample_course, site, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    assert main(["kit", "squares"]) == 0
    printed = capsys.readouterr().out
    assert "squares: slides in _build/html/slides/squares.html" in printed
    assert (
        "solutions with the public numbers in classroom/kits/squares/squares-solutions.pdf (for you only)"
        in printed
    )
    manual = PdfReader(sample_course.root / "classroom/kits/squares/squares-solutions.pdf")
    assert "def total" in "".join(page.extract_text() for page in manual.pages)
    assert "Fifty minutes" in (sample_course.root / "classroom/kits/squares/squares-lecture.html").read_text(
        "utf-8"
    )
    assert not any("def total(" in path.read_text("utf-8") for path in site.rglob("*.html"))
