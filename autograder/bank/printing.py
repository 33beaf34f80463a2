"""Print sheets and marking keys as PDF: MathJax typesets the formulas, Chromium the pages.

Each sheet begins on a new page. The foot of a page has the code of its sheet, and the number of the page in the sheet.
"""

import html
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pypdf import PageObject, PdfReader, PdfWriter

from autograder.bank.marking import MarkedQuestion
from autograder.bank.media import paper_lines
from autograder.bank.quick import quick_key_html, quick_question_html
from autograder.bank.sheets import PrintedQuestion, Sheet
from autograder.book.formulas import FONTS, typeset_text
from autograder.book.pdf import NO_CHROMIUM, PrintError, chromium, run_chromium
from autograder.course.composition import Composition
from autograder.course.mathjax import mathjax_folder
from autograder.release.prose import prose_html, prose_inline

STYLE_SHEET = Path(__file__).with_name("exam.css")
PART_SEPARATOR = "<!-- next sheet -->"
SHEETS_PER_RUN = 12  # Chromium's time grows faster than the number of pages
LINE_HEIGHT = 2.1  # of a line to write on, relative to the size of the print
NORMAL_MARGIN, LARGE_MARGIN = "18mm", "14mm"
NORMAL_FOOT, LARGE_FOOT = "9pt", "14pt"


def print_sheets(
    composition: Composition, sheets: Sequence[Sheet], target: Path, *, large: bool = False
) -> int:
    """Print the sheets as one PDF; return the number of its pages."""
    parts = [sheet_html(composition, sheet) for sheet in sheets]
    return print_parts(composition.title, parts, [sheet.code for sheet in sheets], target, large=large)


def print_keys(
    composition: Composition, keys: Sequence[tuple[Sheet, Sequence[MarkedQuestion]]], target: Path
) -> int:
    """Print the marking keys of all sheets as one PDF; return the number of its pages."""
    parts = [key_html(composition, sheet, questions) for sheet, questions in keys]
    return print_parts(f"{composition.title}: marking key", parts, [sheet.code for sheet, _ in keys], target)


def sheet_html(composition: Composition, sheet: Sheet) -> str:
    """Return the pages of one sheet."""
    questions = "\n".join(
        _question_html(number, question) for number, question in enumerate(sheet.questions, 1)
    )
    number_box = "" if sheet.name else '<div><span class="label">Student number</span></div>'
    numbers = "".join(f"<th>{number}</th>" for number in range(1, len(sheet.questions) + 1))
    points = "".join(f"<td>/ {question.points:g}</td>" for question in sheet.questions)
    return (
        f"<h1>{html.escape(composition.title)}</h1>"
        f'<div class="who"><div><span class="label">Name</span>{html.escape(sheet.name)}</div>{number_box}'
        f'<div><span class="label">Code</span><span class="code">{sheet.code}</span></div></div>'
        f"{prose_html(composition.text)}"
        f'<div class="rules">{prose_html(_paper_rules())}</div>'
        f'<div class="conventions">{prose_html(sheet.conventions)}</div>'
        f'<table class="scores"><tr>{numbers}<th>Sum</th></tr><tr>{points}<td>/ {sheet.points:g}</td></tr></table>'
        f"{questions}"
    )


def _paper_rules() -> str:
    from autograder.authoring.assignment import PAPER_RULES

    return PAPER_RULES


def _question_html(number: int, question: PrintedQuestion) -> str:
    heading = question_heading(number, question.title, question.points)
    if question.quick:
        return f'<div class="question">{heading}{quick_question_html(question.quick, question.text)}</div>'
    form = f"Your answer: {question.form}" if question.form else "Your answer"
    height = paper_lines(question.kind) * LINE_HEIGHT
    return (
        f'<div class="question">{heading}{prose_html(question.text)}'
        f'<div class="answer"><span class="label">{html.escape(form)}</span>'
        f'<span class="room" style="height: {height:g}em"></span></div></div>'
    )


def question_heading(number: int, title: str, points: float) -> str:
    """Return the heading of a question with its points."""
    return f'<h2><span class="points">{_points(points)}</span>{number}. {prose_inline(title)}</h2>'


def _points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def key_html(composition: Composition, sheet: Sheet, questions: Iterable[MarkedQuestion]) -> str:
    """Return the marking key of one sheet."""
    who = f" {html.escape(sheet.name)}" if sheet.name else ""
    parts = [f"<h1>{html.escape(composition.title)}: marking key {sheet.code}{who}</h1>"]
    for number, marked in enumerate(questions, 1):
        question = marked.question
        body = quick_key_html(question.quick, question.points) if question.quick else _foreseen_html(marked)
        parts.append(question_heading(number, question.title, question.points) + body)
    return "\n".join(parts)


def _foreseen_html(marked: MarkedQuestion) -> str:
    """Return the right answer and the table of the foreseen ones."""
    rows = "".join(
        f"<tr><td><code>{html.escape(answer.text)}</code></td>"
        f'<td class="number">{answer.points:g}</td><td>{prose_inline(answer.reason)}</td></tr>'
        for answer in marked.wrong
    )
    return (
        f"<p>Right: <strong><code>{html.escape(marked.right)}</code></strong>"
        f"{f' ({html.escape(marked.question.form)})' if marked.question.form else ''}</p>"
        f"<table><tr><th>Foreseen answer</th><th>Points</th><th>Reason</th></tr>{rows}</table>"
    )


def print_parts(
    title: str, parts: Sequence[str], codes: Sequence[str], target: Path, *, large: bool = False
) -> int:
    """Print parts that each begin on a new page, with their codes and page numbers at the foot."""
    program = chromium()
    if program is None:
        raise PrintError(NO_CHROMIUM)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="print-") as name:
        folder = Path(name)
        shutil.copytree(mathjax_folder() / FONTS, folder / FONTS)
        style, typeset = typeset_text(PART_SEPARATOR.join(parts))
        folder.joinpath("formulas.css").write_text(style, "utf-8")
        ready = list(zip(typeset.split(PART_SEPARATOR), codes, strict=True))
        batches = [ready[start : start + SHEETS_PER_RUN] for start in range(0, len(ready), SHEETS_PER_RUN)]
        printed = []
        for number, batch in enumerate(batches, 1):
            source = folder / f"{number}.html"
            source.write_text(_document(title, *zip(*batch, strict=True), large=large), "utf-8")
            run_chromium(program, source, source.with_suffix(".pdf"))
            printed.append(PdfReader(source.with_suffix(".pdf")))
        pages = [(page, _owner(page.extract_text(), codes)) for file in printed for page in file.pages]
        writer = _numbered(program, folder, pages, LARGE_FOOT if large else NORMAL_FOOT)
        writer.write(target)
        return len(pages)


def _document(title: str, parts: Sequence[str], codes: Sequence[str], *, large: bool) -> str:
    """Return the HTML of all parts. A named page for each code puts the code at its foot."""
    margin = LARGE_MARGIN if large else NORMAL_MARGIN
    size = LARGE_FOOT if large else NORMAL_FOOT
    pages = "\n".join(
        f'@page sheet-{code} {{ @bottom-left {{ content: "{code}"; font: {size} monospace; letter-spacing: 1px }} }}'
        for code in codes
    )
    body = "\n".join(
        f'<section class="sheet" style="page: sheet-{code}">{part}</section>'
        for code, part in zip(codes, parts, strict=True)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"{" class=large" if large else ""}><head><meta charset="utf-8">'
        f'<title>{html.escape(title)}</title><link rel="stylesheet" href="formulas.css">'
        f"<style>@page {{ size: A4; margin: {margin} {margin} 20mm }}\n{pages}\n"
        f"{STYLE_SHEET.read_text('utf-8')}</style></head><body>\n{body}\n</body></html>\n"
    )


def _numbered(program: str, folder: Path, pages: Sequence[tuple[PageObject, str]], size: str) -> PdfWriter:
    """Stamp "page 2 of 3" on the pages of each sheet; a page comes with the code of its sheet."""
    counts, seen = Counter(owner for _, owner in pages), Counter[str]()
    labels = []
    for _, owner in pages:
        seen[owner] += 1
        labels.append(f"page {seen[owner]} of {counts[owner]}")
    distinct = sorted(set(labels))
    stamps = dict(zip(distinct, _stamps(program, folder, distinct, size).pages, strict=True))
    writer = PdfWriter()
    for (page, _), label in zip(pages, labels, strict=True):
        stamped = writer.add_page(page)
        stamped.merge_page(stamps[label])
        stamped.compress_content_streams()  # merging has unpacked them
    return writer


def _owner(text: str, codes: Sequence[str]) -> str:
    """Return the code that stands on a page."""
    lines = set(text.split())
    return next((code for code in codes if code in lines), "")


def _stamps(program: str, folder: Path, labels: Sequence[str], size: str) -> PdfReader:
    """Print a page for each label, which holds nothing else."""
    pages = "\n".join(f"<p>{label}</p>" for label in labels)
    folder.joinpath("stamps.html").write_text(
        "<style>@page { size: A4; margin: 0 } body { margin: 0 } p { box-sizing: border-box; height: 296mm; margin: 0;"
        f" padding: 283mm 18mm 0; text-align: right; font: {size} sans-serif; break-after: page }}</style>"
        + pages,
        "utf-8",
    )
    run_chromium(program, folder / "stamps.html", folder / "stamps.pdf")
    return PdfReader(folder / "stamps.pdf")
