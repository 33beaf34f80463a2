"""Build a kit: slides into the site, plan and questions as a page, the solutions manual as a PDF."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from autograder.book.pdf import NO_CHROMIUM, PrintError, chromium, run_chromium
from autograder.course.course import Course
from autograder.course.files import make_folder, write_text
from autograder.errors import CourseError
from autograder.kit.lecture_questions import lecture_questions
from autograder.kit.outline import lecture_plan, objectives, prerequisites
from autograder.kit.slides import build_slides, question_html
from autograder.kit.solutions import manual_name, solution_parts
from autograder.quiz.choice_xml import question_texts
from autograder.quiz.qti21 import formulas_as_mathml
from autograder.quiz.texts import finished_text, replace_formulas
from autograder.release.prose import prose_html

KIT_STYLE = (
    "body{font:11pt/1.5 serif;max-width:46em;margin:2em auto;padding:0 1em}h1,h2,h3,h4{line-height:1.2}"
    "pre{background:#f4f4f4;padding:.6em;white-space:pre-wrap;font-size:9pt}td,th{padding:.1em .8em .1em 0;"
    "text-align:left;vertical-align:top}.options{list-style:upper-alpha}.option-right{font-weight:600}"
    ".option-hint{color:#9a3412;font-weight:400}img{max-width:100%}@page{margin:2cm}h4{break-after:avoid}"
)


@dataclass(frozen=True)
class Kit:
    """The files of a kit, and whose numbers the solutions have."""

    slides: Path
    page: Path
    solutions: Path
    numbers: str


def build_kit(course: Course, topic: str) -> Kit:
    """Build the kit of a topic; the book must have been built."""
    program = chromium()
    if program is None:
        raise CourseError(NO_CHROMIUM)
    slides, sections = build_slides(course, topic, course.root / "_build" / "html")
    folder = make_folder(course.classroom / "kits" / topic)
    page = folder / f"{topic}-lecture.html"
    write_text(page, _lecture_page(course, topic, sections))
    numbers, parts = solution_parts(course, topic)
    solutions = folder / manual_name(topic)
    document = _manual(course.title(topic), numbers, parts)
    _print_manual(program, document, solutions)
    return Kit(slides, page, solutions, numbers)


def _lecture_page(course: Course, topic: str, sections: list[tuple[str, int]]) -> str:
    questions = lecture_questions(course, topic)
    mathml = formulas_as_mathml([question_texts(question) for question in questions])
    aims = "".join(
        f"<h3>{kind}</h3>{_list(course, rows)}" for kind, rows in objectives(course, topic).items()
    )
    plan = [(step, escape(step.what)) for step in lecture_plan(sections, len(questions))]
    of_plan = formulas_as_mathml([[what for _, what in plan]])
    steps = "".join(
        f"<tr><td>{step.start}</td><td>{step.minutes} min</td>"
        f"<td>{replace_formulas(what, lambda tex, shown: of_plan[tex, shown])}</td></tr>"
        for step, what in plan
    )
    answers = "".join(
        question_html(question, number, mathml, is_answer=True)
        for number, question in enumerate(questions, start=1)
    )
    return _document(
        f"{course.title(topic)}: lecture",
        f"<h2>Objectives</h2>{aims}<h2>Before this lecture</h2>{_list(course, prerequisites(course, topic))}"
        f"<h2>Fifty minutes</h2><table><tr><th>at</th><th>for</th><th>what</th></tr>{steps}</table>"
        f"<h2>Questions for the lecture, with answers</h2>{answers}",
    )


def _list(course: Course, rows: Sequence[str]) -> str:
    texts = [finished_text(course, prose_html(row)) for row in rows]
    mathml = formulas_as_mathml([texts])
    items = (replace_formulas(text, lambda tex, shown: mathml[tex, shown]) for text in texts)
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if rows else "<p>nothing else</p>"


def _document(title: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{KIT_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def _manual(title: str, numbers: str, parts: Sequence[str]) -> str:
    mathml = formulas_as_mathml([parts])
    body = "".join(replace_formulas(part, lambda tex, shown: mathml[tex, shown]) for part in parts)
    note = f"<p>For the teacher, with {numbers}. Not to be published.</p>"
    return _document(f"{title}: solutions", note + body)


def _print_manual(program: str, document: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="print-") as folder:
        source = Path(folder, "solutions.html")
        source.write_text(document, "utf-8")
        try:
            run_chromium(program, source, target)
        except PrintError as error:
            raise CourseError(str(error)) from None
