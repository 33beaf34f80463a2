"""Slides from the built page of a chapter: its pictures, statements and explorables, its live tasks, and questions.

The slides lie in the site, in a folder beside that of the pages, so that pictures, style sheets and scripts of the page
serve them, too; nothing is loaded from elsewhere. Formulas are those that were typeset for the page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from autograder.book.assignments import AssignmentPage
from autograder.book.formulas import as_written, typeset_in, with_typeset
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.question import describe_picture
from autograder.kit.lecture_questions import lecture_questions
from autograder.program import program_name
from autograder.quiz.choice import ChoiceQuestion, Option
from autograder.quiz.choice_xml import question_texts
from autograder.quiz.qti21 import Formulas, formulas_as_mathml
from autograder.quiz.texts import replace_formulas

SLIDES_FOLDER = "slides"  # in the site, beside the folder of the pages
VIEWER = Path(__file__).with_name("page")
LIVE_TASKS = 2  # at the end of a lecture
SKIPPED_SECTIONS = re.compile(
    r"practice|exercise|further|references|problem|to read next|quick questions", re.IGNORECASE
)
STATEMENTS = ("theorem", "definition", "proposition", "lemma", "corollary", "algorithm")
PAGE_LINK = re.compile(r"(?P<page>[\w.-]+\.html)?(?P<place>#.*)?")


@dataclass(frozen=True)
class Slide:
    """A slide: its section and its HTML."""

    section: str
    html: str


def build_slides(course: Course, topic: str, site: Path) -> tuple[Path, list[tuple[str, int]]]:
    """Write the slides of a topic into the site; return the file, and each section with its number of slides."""
    page = site / course.book.name / f"{topic}.html"
    if not page.is_file():
        raise CourseError(
            f"{course.short(page)} is missing: "
            f"build the book first with `{program_name()} book` (or `{program_name()} book --live`)"
        )
    text = page.read_text("utf-8")
    slides = [*_page_slides(text, page), *_question_slides(course, topic), *_live_slides(course, topic)]
    target = site / SLIDES_FOLDER / f"{topic}.html"
    target.parent.mkdir(exist_ok=True)
    target.write_text(_document(course.title(topic), text, slides), "utf-8")
    sections: dict[str, int] = {}
    for slide in slides:
        if slide.section:
            sections[slide.section] = sections.get(slide.section, 0) + 1
    return target, list(sections.items())


def _page_slides(text: str, page: Path) -> list[Slide]:
    from bs4 import BeautifulSoup

    typeset = typeset_in(text)
    article = BeautifulSoup(as_written(text), "html.parser").select_one("article.bd-article")
    if article is None:
        raise CourseError(f"{page.name} has no article: was it built with another theme?")
    _prepare(article, page)
    slides = list(_slides_of(article.find("section")))
    return [
        Slide(slide.section, with_typeset(slide.html, typeset) if typeset else slide.html) for slide in slides
    ]


def _prepare(article: Any, page: Path) -> None:
    """Remove what slides do not show, and let links lead to the pages."""
    for mark in article.select(
        "a.headerlink, script, details.depth, details.hide, details.checked, .practice"
    ):
        mark.decompose()
    for tag in article.find_all(True):
        tag.attrs.pop("id", None)
    for link in article.select("a[href]"):
        match = PAGE_LINK.fullmatch(link["href"])
        if match:
            link["href"] = f"../{page.parent.name}/{match['page'] or page.name}{match['place'] or ''}"


def _slides_of(top: Any) -> Iterator[Slide]:
    """Yield the title, then the slides of each section of the page."""
    title, first = top.find("h1", recursive=False), top.find("p", recursive=False)
    yield Slide("", f"<div class='title-slide'>{title}{first or ''}</div>")
    for figure in top.select("figure"):
        if figure.find_parent("section") is top:
            yield Slide("", str(figure))
    for section in top.find_all("section", recursive=False):
        heading = section.find("h2", recursive=False)
        if heading is not None and not SKIPPED_SECTIONS.search(heading.get_text()):
            yield from _section_slides(section, " ".join(heading.get_text().split()), heading)


def _section_slides(section: Any, title: str, heading: Any) -> Iterator[Slide]:
    """Yield the section's beginning, then its statements, pictures and warnings."""
    yield Slide(title, str(heading) + "".join(map(str, _beginning(section))))
    for block in section.find_all(["div", "figure"]):
        classes = set(block.get("class") or [])
        is_statement = "proof" in classes and classes & set(STATEMENTS)
        is_box = block.name == "figure" or is_statement or {"warning", "admonition"} <= classes
        if is_box and not block.find_parent("figure") and not block.find_parent("div", class_="admonition"):
            yield Slide(title, f"<p class='slide-section'>{heading.decode_contents()}</p>{block}")


def _beginning(section: Any) -> Iterator[object]:
    """Yield the first paragraph or list of a section, and the first formula behind it."""
    children = [child for child in section.find_all(recursive=False) if child.name != "h2"]
    words = next((child for child in children if child.name in ("p", "ul", "ol")), None)
    if words is not None:
        yield words
        formula = next((child for child in children if "math" in (child.get("class") or [])), None)
        if formula is not None:
            yield formula


def _question_slides(course: Course, topic: str) -> Iterator[Slide]:
    """Yield each question, then the question with its answer."""
    asked = lecture_questions(course, topic)
    mathml = formulas_as_mathml([question_texts(question) for question in asked])
    for number, question in enumerate(asked, start=1):
        for is_answer in (False, True):
            yield Slide("", question_html(question, number, mathml, is_answer=is_answer))


def _image(picture: str, name: str) -> str:
    return f'<img src="{picture}" alt="{name}: {describe_picture(picture)}">'


def _option_html(option: Option, *, is_answer: bool) -> str:
    shown = _image(option.picture, f"Picture {option.letter}") if option.picture else option.text
    hint = f"<div class='option-hint'>{option.feedback}</div>" if is_answer and option.feedback else ""
    right = " class='option-right'" if is_answer and option.is_right else ""
    return f"<li{right}>{shown}{hint}</li>"


def question_html(question: ChoiceQuestion, number: int, mathml: Formulas, *, is_answer: bool = False) -> str:
    """Return a question, with its answer and the hints of wrong options if wanted."""
    heading = f"<h2>Question {number}: {escape(question.title)}</h2>"
    several = "<p><em>More than one may be right.</em></p>" if question.several else ""
    figure = _image(question.figure, "The data") if question.figure else ""
    items = [_option_html(option, is_answer=is_answer) for option in question.options]
    explanation = question.worked if is_answer else ""
    kind = "options pictures" if any(option.picture for option in question.options) else "options"
    text = f"{heading}{question.text}{figure}{several}<ol class='{kind}'>{''.join(items)}</ol>{explanation}"
    return replace_formulas(text, lambda tex, displayed: mathml[tex, displayed])


def _live_slides(course: Course, topic: str) -> Iterator[Slide]:
    """Yield the first tasks that are programs, as cells that run where the site is live."""
    assignment = AssignmentPage(topic, course.exercises / topic)
    if not (assignment.folder / f"{topic}.ipynb").is_file():
        return
    programs = [cell for cell in assignment.cells if cell.is_answer and cell.source.startswith("def ")]
    for cell in programs[:LIVE_TASKS]:
        task = f"{topic}.{cell.name}"
        listing = f'<div class="highlight-python"><div class="highlight"><pre>{escape(cell.source)}</pre></div></div>'
        block = f'<div class="live" data-task="{escape(task)}">{listing}</div>'
        yield Slide("", f"<h2>Live: {escape(task)}</h2>{block}")


def _document(title: str, text: str, slides: Sequence[Slide]) -> str:
    """Return the page of slides; style sheets and scripts are those of the chapter's page."""
    head = text.partition("</head>")[0]
    links = re.findall(r'<link [^>]*rel="stylesheet"[^>]*>', head)
    scripts = re.findall(
        r'<script type="module" src="[^"]*(?:explore/load\.mjs|live/[^"]*)[^"]*"></script>', head
    )
    live = [script.replace("/chapter.js", "/live.js") for script in scripts if "offline.js" not in script]
    style, viewer = ((VIEWER / name).read_text("utf-8") for name in ("slides.css", "slides.js"))
    body = "\n".join(
        f'<section class="slide" aria-label="Slide {number} of {len(slides)}">{slide.html}</section>'
        for number, slide in enumerate(slides, start=1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}: slides</title>\n'
        f"{''.join(links)}\n<style>\n{style}</style>{''.join(dict.fromkeys(live))}</head>\n"
        f'<body class="slides"><main class="bd-content"><article class="bd-article">\n{body}\n</article></main>\n'
        f'<nav aria-label="Slides"><button type="button" data-step="-1">Back</button>'
        f'<output></output><button type="button" data-step="1">Next</button></nav>\n'
        f"<script>\n{viewer}</script></body></html>\n"
    )
