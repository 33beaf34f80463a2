"""Typeset formulas when the book is built, not at every visit.

Sphinx writes TeX, which the reader's browser would typeset. Here MathJax does that once, under node, and a page gets
the result and its style sheet instead of the script. The TeX stays in `data-tex`, for programs that need a formula as
text. Without node a page stays as Sphinx wrote it and looks the same after the browser has typeset it.
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

TYPESET_SCRIPT = Path(__file__).with_name("typeset.cjs")
FONTS = "output/chtml/fonts/woff-v2"  # as seen from the style sheet
STYLE = "formulas.css"
CACHE = "formulas.json"  # in the build folder
MAX_REMEMBERED = 50_000  # formulas; the book has fewer than 10,000, others are from older versions

Formula = tuple[str, bool]  # TeX, whether it is displayed

_TAG = r'(?P<open><(?P<tag>span|div) class="(?:[^"]* )?math(?: [^"]*)?"(?: id="[^"]*")?)'
_NUMBER = r'(?P<number>\s*(?:<span class="eqno">.*?</span>)?)'
_TEX_FORMULA = re.compile(rf"{_TAG}>{_NUMBER}\s*(?P<tex>\\\(.*?\\\)|\\\[.*?\\\])\s*</(?P=tag)>", re.DOTALL)
_TYPESET_FORMULA = re.compile(  # MathJax never nests containers
    rf'{_TAG} data-tex="(?P<tex>[^"]*)">{_NUMBER}(?P<made><mjx-container\b.*?</mjx-container>)</(?P=tag)>',
    re.DOTALL,
)
_SETTINGS = re.compile(r"window\.MathJax = (\{.*\})</script>")
_SCRIPT = re.compile(r'<script [^>]*src="([^"]*)mathjax/tex-mml-chtml\.js[^"]*"></script>')


def settings_of(page: str) -> dict[str, Any]:
    """Return a page's settings for MathJax; empty if it has no formulas."""
    match = _SETTINGS.search(page)
    return dict(json.loads(match[1])) if match else {}


def typeset_pages(pages: Iterable[Path], folder: Path, cache: Path | None = None) -> None:
    """Typeset the formulas of built pages in place.

    `folder` holds the site's MathJax and gets the style sheet. A formula with a TeX error raises BookError. Pages
    without untypeset formulas are not changed. The file `cache` holds formulas of earlier builds.
    """
    if node_program() is None:
        return
    waiting = {page: text for page in pages if _SCRIPT.search(text := page.read_text("utf-8"))}
    if not waiting:
        return
    places = {
        _formula(match): page for page, text in waiting.items() for match in _TEX_FORMULA.finditer(text)
    }
    settings = next(filter(None, map(settings_of, waiting.values())), {})
    style, typeset = _typeset_with_cache(list(places), settings, cache)
    for formula, page in places.items():
        if match := re.search(r'<mjx-merror [^>]*data-mjx-error="([^"]*)"', typeset[formula]):
            raise BookError(f"{page.stem}: {html.unescape(match[1])}: {formula[0]}")
    folder.joinpath(STYLE).write_text(style, "utf-8")
    for page, text in waiting.items():
        write_text(page, _SCRIPT.sub(_style_link, with_typeset(text, typeset)))


def _typeset_with_cache(
    formulas: list[Formula], settings: dict[str, object], cache: Path | None
) -> tuple[str, dict[Formula, str]]:
    """Return MathJax's style sheet and the typeset formulas.

    Only formulas that the cache lacks are typeset now.
    """
    source = json.dumps([settings, str(mathjax_folder()), TYPESET_SCRIPT.read_text("utf-8")])
    stored = _read_cache(cache.resolve(), source) if cache else None
    style, typeset = stored or ("", {})
    missing = [formula for formula in formulas if formula not in typeset]
    if not missing and style:
        return style, typeset
    style, added = run_mathjax(missing, settings)
    if cache:
        remembered = {**typeset, **added} if len(typeset) < MAX_REMEMBERED else added
        _write_cache(cache.resolve(), source, style, remembered)
    return style, {**typeset, **added}


def _write_cache(cache: Path, source: str, style: str, typeset: dict[Formula, str]) -> None:
    rows = [[*formula, markup] for formula, markup in typeset.items()]
    content = json.dumps({"source": source, "style": style, "typeset": rows}, ensure_ascii=False)
    write_text(cache, content)


def _read_cache(path: Path, source: str) -> tuple[str, dict[Formula, str]] | None:
    """Return the cached style sheet and formulas, or None if outdated."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if content["source"] != source:
        return None
    return content["style"], {(tex, is_displayed): markup for tex, is_displayed, markup in content["typeset"]}


def node_program() -> str | None:
    """Return the path of node, or None."""
    return shutil.which("node")


def _formula(match: re.Match[str]) -> Formula:
    return html.unescape(match["tex"][2:-2]).strip(), match["tex"].startswith(r"\[")


def typeset_text(page: str) -> tuple[str, str]:
    """Typeset the formulas of a page; return MathJax's style sheet and the page.

    Links to fonts in the style sheet begin with `FONTS`. Raise BookError without node.
    """
    if node_program() is None:
        raise BookError("node is missing, which typesets formulas: apt-get install nodejs")
    formulas = list(dict.fromkeys(_formula(match) for match in _TEX_FORMULA.finditer(page)))
    style, typeset = run_mathjax(formulas, {})
    return style, with_typeset(page, typeset)


def run_mathjax(formulas: list[Formula], settings: dict[str, object]) -> tuple[str, dict[Formula, str]]:
    """Run MathJax; return its style sheet and the typeset formulas."""
    order = {"mathjax": str(mathjax_folder()), "fonts": FONTS, "settings": settings, "formulas": formulas}
    command = [str(node_program()), str(TYPESET_SCRIPT)]
    done = subprocess.run(command, input=json.dumps(order), capture_output=True, encoding="utf-8")
    if done.returncode:
        raise BookError(f"MathJax could not typeset the formulas: {' '.join(done.stderr.split())[-300:]}")
    answer = json.loads(done.stdout)
    return answer["style"], dict(zip(formulas, answer["typeset"], strict=True))


def _style_link(script: re.Match[str]) -> str:
    return f'<link rel="stylesheet" type="text/css" href="{script[1]}mathjax/{STYLE}">'


def with_typeset(page: str, typeset: Mapping[Formula, str]) -> str:
    """Insert typeset formulas into a page that Sphinx wrote."""

    def put(match: re.Match[str]) -> str:
        formula = _formula(match)
        tex = html.escape(formula[0])
        return f'{match["open"]} data-tex="{tex}">{match["number"]}{typeset[formula]}</{match["tag"]}>'

    return _TEX_FORMULA.sub(put, page)


def typeset_in(page: str) -> dict[Formula, str]:
    """Return the typeset formulas of a page."""
    return {
        (html.unescape(match["tex"]), _is_displayed(match)): match["made"]
        for match in _TYPESET_FORMULA.finditer(page)
    }


def as_written(page: str) -> str:
    """Restore the TeX formulas of a typeset page.

    Programs that read pages need them.
    """

    def put(match: re.Match[str]) -> str:
        start, end = (r"\[", r"\]") if _is_displayed(match) else (r"\(", r"\)")
        return f"{match['open']}>{match['number']}{start}{match['tex']}{end}</{match['tag']}>"

    return _TYPESET_FORMULA.sub(put, page)


def _is_displayed(match: re.Match[str]) -> bool:
    return 'display="true"' in match["made"].partition(">")[0]
