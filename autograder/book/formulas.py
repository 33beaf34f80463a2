"""Formulas are typeset when the book is built, not at every visit: a chapter has hundreds of them.

A page as Sphinx writes it holds TeX, and asks the reader's browser to typeset it. Here MathJax does that once, under
node, and a page gets the result and its style sheet instead of the program. The TeX stays beside it as `data-tex`, for
whatever wants to say a formula in characters. Without node a page stays as Sphinx wrote it, and looks the same when the
browser has done the work.
"""

import html
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autograder.course.mathjax import mathjax_folder
from autograder.errors import BookError

PROGRAM = Path(__file__).with_name("typeset.cjs")
FONTS = "output/chtml/fonts/woff-v2"  # as seen from the style sheet
STYLE = "formulas.css"

Formula = tuple[str, bool]  # its TeX; is it displayed?

_TAG = r'(?P<open><(?P<tag>span|div) class="(?:[^"]* )?math(?: [^"]*)?"(?: id="[^"]*")?)'
_NUMBER = r'(?P<number>\s*(?:<span class="eqno">.*?</span>)?)'
_WRITTEN = re.compile(rf"{_TAG}>{_NUMBER}\s*(?P<tex>\\\(.*?\\\)|\\\[.*?\\\])\s*</(?P=tag)>", re.DOTALL)
_TYPESET = re.compile(  # no container is ever inside another
    rf'{_TAG} data-tex="(?P<tex>[^"]*)">{_NUMBER}(?P<made><mjx-container\b.*?</mjx-container>)</(?P=tag)>',
    re.DOTALL,
)
_SETTINGS = re.compile(r"window\.MathJax = (\{.*\})</script>")
_SCRIPT = re.compile(r'<script [^>]*src="([^"]*)mathjax/tex-mml-chtml\.js[^"]*"></script>')


def settings_of(page: str) -> dict[str, Any]:
    """Return what a page tells MathJax; nothing if it has no formulas."""
    found = _SETTINGS.search(page)
    return dict(json.loads(found[1])) if found else {}


def typeset_pages(pages: Iterable[Path], folder: Path) -> None:
    """Typeset the formulas of built pages in their places; `folder` holds the site's MathJax and gets the style sheet.

    A formula that TeX does not understand raises BookError. A page without formulas that wait stays as it is.
    """
    if node() is None:
        return
    waiting = {page: text for page in pages if _SCRIPT.search(text := page.read_text("utf-8"))}
    if not waiting:
        return
    places = {_formula(found): page for page, text in waiting.items() for found in _WRITTEN.finditer(text)}
    settings = next(filter(None, map(settings_of, waiting.values())), {})
    style, typeset = _typeset(list(places), settings)
    for formula, made in typeset.items():
        if found := re.search(r'<mjx-merror [^>]*data-mjx-error="([^"]*)"', made):
            raise BookError(f"{places[formula].stem}: {html.unescape(found[1])}: {formula[0]}")
    folder.joinpath(STYLE).write_text(style, "utf-8")
    for page, text in waiting.items():
        page.write_text(_SCRIPT.sub(_style_link, with_typeset(text, typeset)), "utf-8")


def node() -> str | None:
    """Return the program that runs MathJax, if it is installed."""
    return shutil.which("node")


def _formula(found: re.Match[str]) -> Formula:
    return html.unescape(found["tex"][2:-2]).strip(), found["tex"].startswith(r"\[")


def _typeset(formulas: list[Formula], settings: dict[str, Any]) -> tuple[str, dict[Formula, str]]:
    """Return MathJax's style sheet, and the formulas typeset."""
    order = {"mathjax": str(mathjax_folder()), "fonts": FONTS, "settings": settings, "formulas": formulas}
    command = [str(node()), str(PROGRAM)]
    done = subprocess.run(command, input=json.dumps(order), capture_output=True, encoding="utf-8")
    if done.returncode:
        raise BookError(f"MathJax could not typeset the formulas: {' '.join(done.stderr.split())[-300:]}")
    answer = json.loads(done.stdout)
    return answer["style"], dict(zip(formulas, answer["typeset"], strict=True))


def _style_link(script: re.Match[str]) -> str:
    return f'<link rel="stylesheet" type="text/css" href="{script[1]}mathjax/{STYLE}">'


def with_typeset(page: str, typeset: Mapping[Formula, str]) -> str:
    """Return a page as Sphinx wrote it with typeset formulas put in."""

    def put(found: re.Match[str]) -> str:
        formula = _formula(found)
        tex = html.escape(formula[0])
        return f'{found["open"]} data-tex="{tex}">{found["number"]}{typeset[formula]}</{found["tag"]}>'

    return _WRITTEN.sub(put, page)


def typeset_in(page: str) -> dict[Formula, str]:
    """Return the typeset formulas of a page."""
    return {
        (html.unescape(found["tex"]), _is_displayed(found)): found["made"]
        for found in _TYPESET.finditer(page)
    }


def as_written(page: str) -> str:
    """Return a page as Sphinx wrote it, its formulas in TeX: for whoever reads pages with a program."""

    def put(found: re.Match[str]) -> str:
        start, end = (r"\[", r"\]") if _is_displayed(found) else (r"\(", r"\)")
        return f"{found['open']}>{found['number']}{start}{found['tex']}{end}</{found['tag']}>"

    return _TYPESET.sub(put, page)


def _is_displayed(found: re.Match[str]) -> bool:
    return 'display="true"' in found["made"].partition(">")[0]
