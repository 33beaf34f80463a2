"""What nbgrader's own pages (formgrader, generate_feedback) show of a student's text: Markdown, and nothing that runs.

nbgrader renders the Markdown of students with all the HTML that is in it, inside a page that may change grades.
`nbgrader_config` puts this filter in the place of nbconvert's: the same rendering, of which a list of harmless tags
is kept. The text itself stays as it was handed in.
"""

import json
import re
from functools import cache
from html import escape, unescape
from typing import Any

from jinja2 import DictLoader, pass_context
from nbconvert.preprocessors import Preprocessor

from autograder.course.mathjax import mathjax_folder

TAGS = frozenset(
    "a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre s samp small "
    "span strong sub summary sup table tbody td tfoot th thead tr u ul var".split()
)
PROTOCOLS = frozenset(("http", "https", "mailto", "data"))
PAGES = PROTOCOLS - {"data"}  # what a link may lead to
CONTROLS = re.compile(r"[\x00-\x20\x7f-\x9f]")
SCHEME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9+.-]*):")
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
LONGEST = 20_000  # characters that are rendered: some texts take the square of their length
PLAIN = {"alt", "title", "colspan", "rowspan", "start"}


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """The Markdown of a cell as HTML that does nothing; what is far longer than an answer is shown as it was typed."""
    if len(source) > LONGEST:
        return f"<pre>{escape(source)}</pre>"
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    attachments = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    return harmless(MarkdownWithMath(renderer=renderer).render(source))


def harmless(html: str) -> str:
    """HTML without scripts, handlers, styles, frames, forms, and pictures from elsewhere; other tags become text."""
    import bleach

    return str(bleach.clean(html, tags=TAGS, attributes=_is_harmless, protocols=PROTOCOLS))


class LocalMathJax(Preprocessor):  # type: ignore[misc]
    """Formulas are typeset by the book's MathJax, in the page; nbconvert's template asks another host, always."""

    def __init__(self, **options: Any) -> None:
        """Let the export find our template before its own of the same name."""
        super().__init__(**options)
        self.parent.extra_loaders = [DictLoader({"mathjax.html.j2": _template()})]

    def preprocess(self, notebook: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook stays as it is."""
        return notebook, resources


@cache
def _template() -> str:
    """MathJax as scripts of the page itself, with its guard against what formulas may do (links, styles).

    All of TeX's packages are in the one file, and formulas are drawn as SVG: nothing is fetched later.
    """
    folder = mathjax_folder()
    guard, program = ((folder / name).read_text("utf-8") for name in ("ui/safe.js", "tex-svg-full.js"))
    tex = {"inlineMath": [["$", "$"], ["\\(", "\\)"]], "processEscapes": True, "tags": "ams"}
    ready = f"() => {{ {guard}; MathJax.startup.defaultReady(); }}"
    settings = f"window.MathJax = {{ tex: {json.dumps(tex)}, startup: {{ ready: {ready} }} }};"
    scripts = f"<script>{settings}</script>\n<script>{program}</script>"
    return f"{{% macro mathjax(url='') %}}{{% raw %}}{scripts}{{% endraw %}}{{% endmacro %}}"


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and _leads_to_a_page(value)
    if name == "src":  # from elsewhere it would tell that somebody reads this, and when
        return tag == "img" and PICTURE.fullmatch(value) is not None
    return name in PLAIN


def _leads_to_a_page(address: str) -> bool:
    """Return whether a link is relative or has a scheme of PAGES, read as browsers do.

    They resolve character references, which the filter keeps as they are, drop control characters and spaces in
    front, and tabs and line ends anywhere.
    """
    scheme = SCHEME.match(CONTROLS.sub("", unescape(address)))
    return scheme is None or scheme["name"].lower() in PAGES
