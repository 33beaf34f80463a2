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

from autograder.course.files import write_text
from autograder.course.mathjax import mathjax_folder
from autograder.errors import BookError

PROGRAM = Path(__file__).with_name("typeset.cjs")
FONTS = "output/chtml/fonts/woff-v2"  # as seen from the style sheet
STYLE = "formulas.css"
CACHE = "formulas.json"  # in the build folder
MAX_REMEMBERED = 50_000  # formulas; the book has fewer than ten thousand, the rest are of older versions

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


def typeset_pages(pages: Iterable[Path], folder: Path, cache: Path | None = None) -> None:
    """Typeset the formulas of built pages in their places; `folder` holds the site's MathJax and gets the style sheet.

    A formula that TeX does not understand raises BookError. A page without formulas that wait stays as it is. With
    `cache`, a file, formulas that an earlier build typeset are taken from there.
    """
    if node() is None:
        return
    waiting = {page: text for page in pages if _SCRIPT.search(text := page.read_text("utf-8"))}
    if not waiting:
        return
    places = {_formula(found): page for page, text in waiting.items() for found in _WRITTEN.finditer(text)}
    settings = next(filter(None, map(settings_of, waiting.values())), {})
    style, typeset = _remembered(list(places), settings, cache)
    for formula, page in places.items():
        if found := re.search(r'<mjx-merror [^>]*data-mjx-error="([^"]*)"', typeset[formula]):
            raise BookError(f"{page.stem}: {html.unescape(found[1])}: {formula[0]}")
    folder.joinpath(STYLE).write_text(style, "utf-8")
    for page, text in waiting.items():
        write_text(page, _SCRIPT.sub(_style_link, with_typeset(text, typeset)))


def _remembered(
    formulas: list[Formula], settings: dict[str, Any], cache: Path | None
) -> tuple[str, dict[Formula, str]]:
    """Return MathJax's style sheet and typeset formulas; only those that the cache lacks are typeset now."""
    source = json.dumps([settings, str(mathjax_folder()), PROGRAM.read_text("utf-8")])
    stored = _read_cache(cache.resolve(), source) if cache else None
    style, typeset = stored or ("", {})
    missing = [formula for formula in formulas if formula not in typeset]
    if missing or not style:
        style, added = _typeset(missing, settings)
        typeset = {**typeset, **added} if len(typeset) < MAX_REMEMBERED else added
        if cache:
            rows = [[*formula, made] for formula, made in typeset.items()]
            content = json.dumps({"source": source, "style": style, "typeset": rows}, ensure_ascii=False)
            write_text(cache.resolve(), content)
        typeset = {**(stored[1] if stored else {}), **added}
    return style, typeset


def _read_cache(path: Path, source: str) -> tuple[str, dict[Formula, str]] | None:
    """Return the style sheet and the formulas that were typeset by the same program with the same settings."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if content["source"] != source:
        return None
    return content["style"], {(tex, is_displayed): made for tex, is_displayed, made in content["typeset"]}


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
