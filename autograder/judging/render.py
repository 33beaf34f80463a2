"""A verdict as plain text and as HTML. Everything from a student's code is escaped."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from autograder.answers.values import Expression
from autograder.judging.key import Page
from autograder.judging.picture import picture
from autograder.judging.verdict import FailingCase, Verdict

LABEL = "text-align:left;vertical-align:top;padding-right:1em;width:1%;white-space:nowrap"

MAX_SHOWN = 600
NOISE = 1e-12  # of the largest number of an answer
COLOURS = {True: ("#0b6b3a", "✔"), False: ("#9a3412", "✘")}


def headline(verdict: Verdict) -> str:
    """The first line: passed, partly, or try again, with the points."""
    if verdict.passed:
        return f"PASSED  {verdict.task}  ({verdict.points:g} of {verdict.points:g} points)"
    word = "PARTLY" if verdict.earned > 0 else "TRY AGAIN"
    return f"{word}  {verdict.task}  ({verdict.earned:g} of {verdict.points:g} points)"


def text(verdict: Verdict, pages: Mapping[str, Page]) -> str:
    """The verdict for a terminal."""
    lines = [headline(verdict), _message(verdict)]
    lines += [f"Reread: {_called(page)}{page.address}" for page in _page(verdict, pages)]
    if verdict.failing and not verdict.passed:
        for label, shown in _facts(verdict.failing, verdict):
            indented = shown.replace("\n", "\n" + " " * (len(label) + 4))
            lines.append(f"  {label}: {indented}")
    return "\n".join(lines)


def html(verdict: Verdict, pages: Mapping[str, Page]) -> str:
    """The verdict for a notebook: one bordered block that needs no style sheet and suits light and dark."""
    colour, mark = COLOURS[verdict.passed]
    body = [
        f'<strong style="color:{colour};filter:brightness(1.15)">{mark} {escape(headline(verdict))}</strong>'
    ]
    body.append(f"<div>{escape(_message(verdict))}</div>")
    for page in _page(verdict, pages):
        name = page.name or page.address.rpartition("/")[2]
        body.append(f'<div>Reread: <a href="{escape(page.address)}">{escape(name)}</a></div>')
    if verdict.failing and not verdict.passed:
        body.append(_details(verdict))
    style = f"border-left:4px solid {colour};padding:.4em .8em;margin:.3em 0;line-height:1.5"
    return f'<div class="dimred-verdict" style="{style}">{"".join(body)}</div>'


def _message(verdict: Verdict) -> str:
    if verdict.passed or not verdict.survived:
        return verdict.message
    names = ", ".join(f"“{name}”" for name in verdict.survived)
    return f"{verdict.message} Right already on {names}."


def _page(verdict: Verdict, pages: Mapping[str, Page]) -> list[Page]:
    return [pages[verdict.see]] if verdict.see and verdict.see in pages and not verdict.passed else []


def _called(page: Page) -> str:
    return f"{page.name}, " if page.name else ""


def _details(verdict: Verdict) -> str:
    assert verdict.failing is not None
    rows = "".join(
        f'<tr><th style="{LABEL}">{escape(label)}</th>'
        f'<td style="text-align:left"><pre style="margin:0">{escape(shown)}</pre></td></tr>'
        for label, shown in _facts(verdict.failing, verdict)
    )
    drawn = _drawn(verdict)
    image = f'<img src="{drawn[0]}" alt="{escape(drawn[1])}" style="max-width:100%">' if drawn else ""
    if not rows and not image:
        return ""
    return f"<details open><summary>The failing case</summary><table>{rows}</table>{image}</details>"


def _drawn(verdict: Verdict) -> tuple[str, str] | None:
    """The picture; a verdict without one is better than none at all."""
    try:
        return picture(verdict)
    except Exception:
        return None


def _facts(failing: FailingCase, verdict: Verdict) -> list[tuple[str, str]]:
    """What is known of the failing case, as (label, value) rows; nothing about sealed or secret cases."""
    if failing.expected is None:
        return [] if failing.answer is None else [("your answer", show(failing.answer))]
    facts = [("case", failing.name)]
    facts += [(name, show(value)) for name, value in failing.inputs.items()]
    if not verdict.problem:
        facts += [("your answer", show(failing.answer)), ("expected", show(failing.expected))]
    return facts


def show(value: Any) -> str:
    """A value as a person would write it, cut to a few lines."""
    try:
        return _shown(value)
    except Exception as error:  # Python itself refuses to write a whole number of 5000 digits
        return f"a value that cannot be shown ({type(error).__name__})"


def _without_noise(parts: tuple[Any, ...]) -> list[Any]:
    """The parts, with zero for what can only be a rounding error beside the largest: no two machines make the same."""
    sizes = [np.abs(part).max(initial=0.0) for part in parts if np.asarray(part).dtype.kind in "iuf"]
    noise = NOISE * max(sizes, default=0.0)
    return [0.0 if isinstance(part, float) and abs(part) <= noise else part for part in parts]


def _shown(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text[:MAX_SHOWN]
    if isinstance(value, list) and any(isinstance(item, Expression) for item in value):
        return "[" + ", ".join(map(show, value))[:MAX_SHOWN] + "]"
    if isinstance(value, np.ndarray):
        shown = np.array2string(value, precision=4, suppress_small=True, threshold=20, edgeitems=2)
    elif isinstance(value, tuple):
        shown = ",\n".join(map(show, _without_noise(value)))
    elif isinstance(value, float):
        shown = f"{value:.6g}"
    else:
        shown = repr(value)
    return shown if len(shown) <= MAX_SHOWN else shown[:MAX_SHOWN] + " …"
