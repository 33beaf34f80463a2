"""Render a verdict as plain text and as HTML.

Everything from a student's code is escaped in HTML.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from autograder.answers.values import Expression
from autograder.judging.key import Page
from autograder.judging.picture import picture
from autograder.judging.structures.differences import wrong_lines
from autograder.judging.structures.kinds import kind_named
from autograder.judging.structures.shown import format_structure
from autograder.judging.verdict import FailingCase, Verdict

LABEL_STYLE = "text-align:left;vertical-align:top;padding-right:1em;width:1%;white-space:nowrap"

MAX_VALUE_CHARACTERS = 600
MARK_TOLERANCE = 1e-6  # of numbers in a table that is shown
DISPLAY_ZERO_RATIO = 1e-12  # of the largest number of an answer
MAX_SHOWN_ENTRIES = 48  # of an array that is shown whole
MIN_FIXED, MAX_FIXED = 1e-2, 1e6  # largest numbers between these need no power of ten
COLOURS = {True: ("#0b6b3a", "✔"), False: ("#9a3412", "✘")}


def headline(verdict: Verdict) -> str:
    """Return the first line: the outcome, the task and the points, if it is worth any."""
    if verdict.points == 0:
        return f"{'PASSED' if verdict.passed else 'TRY AGAIN'}  {verdict.task}"
    if verdict.passed:
        return f"PASSED  {verdict.task}  ({verdict.earned:g} of {verdict.points:g} points)"
    word = "PARTLY" if verdict.earned > 0 else "TRY AGAIN"
    return f"{word}  {verdict.task}  ({verdict.earned:g} of {verdict.points:g} points)"


def text(verdict: Verdict, pages: Mapping[str, Page]) -> str:
    """Render a verdict for a terminal."""
    lines = [headline(verdict), _message(verdict)]
    lines += [f"Reread: {_page_text(page)}" for page in _pages_to_reread(verdict, pages)]
    if verdict.failing and not verdict.passed:
        for label, shown in _facts(verdict.failing, verdict):
            indented = shown.replace("\n", "\n" + " " * (len(label) + 4))
            lines.append(f"  {label}: {indented}")
    return "\n".join(lines)


def html(verdict: Verdict, pages: Mapping[str, Page]) -> str:
    """Render a verdict for a notebook, as one bordered block.

    It needs no style sheet and is readable on light and dark backgrounds.
    """
    colour, mark = COLOURS[verdict.passed]
    body = [
        f'<strong style="color:{colour};filter:brightness(1.15)">{mark} {escape(headline(verdict))}</strong>'
    ]
    body.append(f"<div>{escape(_message(verdict))}</div>")
    for page in _pages_to_reread(verdict, pages):
        name = page.name or page.address.rpartition("/")[2]
        link = f'<a href="{escape(page.address)}">{escape(name)}</a>' if page.is_absolute else escape(name)
        body.append(f"<div>Reread: {link}</div>")
    if verdict.failing and not verdict.passed:
        body.append(_details(verdict))
    style = f"border-left:4px solid {colour};padding:.4em .8em;margin:.3em 0;line-height:1.5"
    return f'<div class="dimred-verdict" style="{style}">{"".join(body)}</div>'


def _message(verdict: Verdict) -> str:
    message = verdict.message
    if verdict.hint_charge:
        message = (
            f"{message} The hints that this notebook asks for cost {verdict.hint_charge:.0%} of the points."
        )
    if verdict.passed or not verdict.survived:
        return message
    names = ", ".join(f"“{name}”" for name in verdict.survived)
    return f"{message} Right already on {names}."


def _pages_to_reread(verdict: Verdict, pages: Mapping[str, Page]) -> list[Page]:
    return [pages[verdict.see]] if verdict.see and verdict.see in pages and not verdict.passed else []


def _page_text(page: Page) -> str:
    """Return the name of a page, and a full address.

    A page without a name shows its address.
    """
    return ", ".join(filter(None, [page.name, page.address if page.is_absolute or not page.name else ""]))


def _details(verdict: Verdict) -> str:
    assert verdict.failing is not None
    rows = "".join(
        f'<tr><th style="{LABEL_STYLE}">{escape(label)}</th>'
        f'<td style="text-align:left"><pre style="margin:0">{escape(shown)}</pre></td></tr>'
        for label, shown in _facts(verdict.failing, verdict)
    )
    image_and_text = _try_to_draw(verdict)
    image = (
        f'<img src="{image_and_text[0]}" alt="{escape(image_and_text[1])}" style="max-width:100%">'
        if image_and_text
        else ""
    )
    if not rows and not image:
        return ""
    return f"<details open><summary>The failing case</summary><table>{rows}</table>{image}</details>"


def _try_to_draw(verdict: Verdict) -> tuple[str, str] | None:
    """Return the picture, or None if drawing fails."""
    try:
        return picture(verdict)
    except Exception:
        return None


def _facts(failing: FailingCase, verdict: Verdict) -> list[tuple[str, str]]:
    """Return the rows (label, value) about the failing case.

    Sealed and secret cases show nothing but the answer.
    """
    if failing.expected is None:
        return [] if failing.answer is None else [("your answer", format_value(failing.answer))]
    facts = [("case", failing.name)]
    facts += [("to try it", call_of(verdict.task, failing))] if failing.number else []
    facts += [(name, format_value(value)) for name, value in failing.inputs.items()]
    if not verdict.problem:
        answer = without_rounding_errors(failing.answer, failing.expected)
        facts += _answer_and_expected(answer, failing.expected, verdict.same)
    return facts


def _answer_and_expected(answer: object, expected: object, same: Sequence[str]) -> list[tuple[str, str]]:
    """Return both answers; wrong rows and keys of a single answer with structure are marked."""
    kind = kind_named(same[0]) if len(same) == 1 else None
    wrong = wrong_lines(kind, answer, expected, MARK_TOLERANCE) if kind else set()
    return [
        (label, (format_structure(value, _format, kind, lines) if kind else None) or format_value(value))
        for label, value, lines in (("your answer", answer, wrong), ("expected", expected, set[str]()))
    ]


def without_rounding_errors(answer: object, expected: object) -> object:
    """Replace an answer by zeros if it is only rounding error."""
    if isinstance(answer, tuple) and isinstance(expected, tuple) and len(answer) == len(expected):
        return tuple(map(without_rounding_errors, answer, expected))
    if not isinstance(answer, float | np.ndarray) or not isinstance(expected, float | np.ndarray):
        return answer
    numbers, largest = np.asarray(answer), np.abs(expected).max(initial=0.0)
    if numbers.dtype.kind != "f" or not np.all(np.abs(numbers) <= DISPLAY_ZERO_RATIO * largest):
        return answer
    return 0.0 if isinstance(answer, float) else np.zeros_like(numbers)


def call_of(task: str, failing: FailingCase) -> str:
    """Return the line of code that loads the inputs of a case."""
    names = ", ".join(failing.inputs)
    return f'from autograder import case; {names} = case("{task}", {failing.number})'


def format_value(value: object) -> str:
    """Format a value in a few lines."""
    try:
        return _format(value)
    except Exception as error:  # Python refuses to print an integer of 5000 digits
        return f"a value that cannot be shown ({type(error).__name__})"


def _zero_rounding_errors(parts: tuple[Any, ...]) -> list[object]:
    """Replace numbers that are rounding errors beside the largest by zero.

    Such numbers differ between machines.
    """
    sizes = [np.abs(part).max(initial=0.0) for part in parts if np.asarray(part).dtype.kind in "iuf"]
    noise = DISPLAY_ZERO_RATIO * max(sizes, default=0.0)
    return [0.0 if isinstance(part, float) and abs(part) <= noise else part for part in parts]


def format_array(array: object) -> str:
    """Format an array, with a common power of ten if needed.

    Fixed decimals would show very small numbers as zeros, and too many digits of large ones.
    """
    numbers = np.asarray(array)
    if numbers.dtype.kind != "f":
        return _array_text(numbers)
    finite = np.abs(numbers[np.isfinite(numbers)])
    largest = float(finite.max(initial=0.0))
    if largest == 0 or MIN_FIXED <= largest < MAX_FIXED:
        return _array_text(np.where(np.abs(numbers) <= DISPLAY_ZERO_RATIO * largest, 0.0, numbers))
    power = int(np.floor(np.log10(largest)))
    # in two steps, because ten to the power itself may overflow
    scaled = numbers / 10.0 ** (power // 2) / 10.0 ** (power - power // 2)
    return f"1e{power} * {_array_text(scaled, indent=len(f'1e{power} * '))}"


def _array_text(numbers: Any, indent: int = 0) -> str:
    threshold, edges = (MAX_SHOWN_ENTRIES, 3) if numbers.size <= MAX_SHOWN_ENTRIES else (20, 2)
    text = np.array2string(numbers, precision=4, suppress_small=True, threshold=threshold, edgeitems=edges)
    return text.replace("\n", "\n" + " " * indent).replace("-0. ", " 0. ").replace("-0.]", " 0.]")


def _format(value: object) -> str:
    if isinstance(value, Expression):
        return value.text[:MAX_VALUE_CHARACTERS]
    if isinstance(value, list) and any(isinstance(item, Expression) for item in value):
        return "[" + ", ".join(map(format_value, value))[:MAX_VALUE_CHARACTERS] + "]"
    structure = format_structure(value, _format)
    if structure is not None:
        return structure
    if isinstance(value, np.ndarray):
        shown = format_array(value)
    elif isinstance(value, tuple):
        shown = ",\n".join(map(format_value, _zero_rounding_errors(value)))
    elif isinstance(value, float):
        shown = f"{value:.6g}"
    else:
        shown = repr(value)
    return shown if len(shown) <= MAX_VALUE_CHARACTERS else shown[:MAX_VALUE_CHARACTERS] + " …"
