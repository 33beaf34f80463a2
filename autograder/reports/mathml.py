"""Convert the formulas of Markdown texts to MathML, which needs no script.

MathJax converts them under node when a page is written. Without node, or if MathJax rejects a formula, the TeX source
remains. Students' formulas are untrusted: only listed elements and attributes of the MathML are kept. Each page has a
CPU limit of its own, so a student's formulas cannot use up the time of another page.
"""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from autograder.course.mathjax import mathjax_folder
from autograder.grading import formgrader

MATHML_SCRIPT = Path(__file__).with_name("mathml.cjs")
RUN_SECONDS = 120.0  # wall-clock limit of a run; thousands of formulas take a few seconds
PAGE_CPU_SECONDS = 2.0  # an honest page takes a tenth of a second
MAX_RUNS_WITHOUT_PAGE = 3  # consecutive runs without a page: node or MathJax does not work
MAX_TEX_CHARACTERS = (
    1000  # MathJax takes quadratic time for nested braces; the longest formula of the exercises has 306
)
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ELEMENTS = frozenset(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover "
    "munderover mmultiscripts mprescripts none mtable mtr mtd mlabeledtr menclose".split()
)
ATTRIBUTES = frozenset(
    "display displaystyle scriptlevel mathvariant stretchy fence separator accent accentunder movablelimits largeop "
    "form lspace rspace minsize maxsize linethickness columnalign rowalign columnspan rowspan width height "
    "depth".split()
)
# What holds no formulas: code, and each tag with its attributes, where MathML would end the quotes.
NO_FORMULAS = re.compile(r"""(<pre.*?</pre>|<code.*?</code>|<(?:[^<>"']|"[^"]*"|'[^']*')*>)""", re.DOTALL)
MATH = re.compile(
    r"\$\$(?P<display>[^$]+?)\$\$"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$]*?[^\s$\\])?)\$(?!\d)"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]"
    r"|(?P<bare>\\begin\{(?P<name>equation|align|gather|aligned|cases)\*?\}.*?\\end\{(?P=name)\*?\})",
    re.DOTALL,
)

MAX_CACHED_QUESTIONS = 2000  # the questions are the same for the whole class
cached_markdown = lru_cache(MAX_CACHED_QUESTIONS)(formgrader.harmless_markdown)

TexFormula = tuple[str, bool]  # TeX source, and whether it is a displayed formula


def formulas_in(texts: Iterable[str]) -> list[TexFormula]:
    """Return the distinct formulas of Markdown texts."""
    formulas: dict[TexFormula, None] = {}
    for text in texts:
        for part in NO_FORMULAS.split(cached_markdown(text))[::2]:
            formulas |= {_formula(match): None for match in MATH.finditer(part)}
    return list(formulas)


def to_mathml(pages: Sequence[list[TexFormula]]) -> dict[TexFormula, str]:
    """Map the formulas of pages to MathML.

    Formulas that cannot be converted are left out. Without node the result is empty.
    """
    node, mathml = shutil.which("node"), dict[TexFormula, str]()
    if node is None:
        return mathml
    short = [[formula for formula in page if len(formula[0]) <= MAX_TEX_CHARACTERS] for page in pages]
    for page, texts in _convert_pages(node, list(filter(None, short))):
        for formula, text in zip(page, texts, strict=True):
            if text and (clean := harmless_mathml(text)):
                mathml[formula] = clean
    return mathml


def _convert_pages(
    node: str, pages: list[list[TexFormula]]
) -> Iterator[tuple[list[TexFormula], list[str | None]]]:
    """Yield pages with the output of the program, which starts again behind a page at which it ended."""
    n_failures = 0
    while pages and n_failures < MAX_RUNS_WITHOUT_PAGE:
        converted = _run(node, pages)
        n_failures = 0 if converted else n_failures + 1
        yield from zip(pages, converted, strict=False)
        pages = pages[max(len(converted), 1) :]


def _run(node: str, pages: list[list[TexFormula]]) -> list[list[str | None]]:
    """Convert pages in a process; return the finished ones."""
    order = {"mathjax": str(mathjax_folder()), "seconds": PAGE_CPU_SECONDS, "pages": pages}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answers:
        try:
            subprocess.run(
                [node, str(MATHML_SCRIPT)],
                input=json.dumps(order),
                stdout=answers,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                timeout=RUN_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            pass  # the lines written before the timeout are complete
        answers.seek(0)
        return [json.loads(line) for line in answers if line.endswith("\n")]


def harmless_mathml(text: str) -> str:
    """Return MathML with listed attributes only.

    The result is empty if an element is not listed.
    """
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return ""
    for element in root.iter():
        element.tag = str(element.tag).removeprefix(NAMESPACE)
        if element.tag not in ELEMENTS:
            return ""
        for name in set(element.attrib) - ATTRIBUTES:
            del element.attrib[name]
        element.tail = None
        if len(element):
            element.text = None
    return ElementTree.tostring(root, encoding="unicode")


def markdown_with_formulas(text: str, mathml: Mapping[TexFormula, str]) -> str:
    """Render Markdown as sanitised HTML, with MathML for the converted formulas."""

    def put(match: re.Match[str]) -> str:
        return mathml.get(_formula(match), match[0])

    parts = NO_FORMULAS.split(cached_markdown(text))
    parts[::2] = [MATH.sub(put, part) for part in parts[::2]]
    return "".join(parts)


def _formula(match: re.Match[str]) -> TexFormula:
    displayed = match["display"] or match["square"] or match["bare"]
    tex = displayed or match["inline"] or match["round"]
    return html.unescape(tex).strip(), bool(displayed)
