"""Sanitise students' Markdown in formgrader and generate_feedback.

nbgrader renders students' Markdown with all its HTML, in a page that can change grades (cross-site scripting).
`nbgrader_config` replaces nbconvert's filter by this one. It keeps only listed tags and attributes of that HTML.
The submitted text is not changed.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from typing import Any

from jinja2 import DictLoader, pass_context
from nbconvert.preprocessors import Preprocessor

from autograder.course.mathjax import mathjax_folder
from autograder.sandbox.pictures import is_picture

SAFE_TAGS = frozenset(
    "a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre s samp small "
    "span strong sub summary sup table tbody td tfoot th thead tr u ul var".split()
)
PROTOCOLS = frozenset(("http", "https", "mailto", "data"))
PAGES = PROTOCOLS - {"data"}  # protocols allowed in links
CONTROLS = re.compile(r"[\x00-\x20\x7f-\x9f]")
SCHEME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9+.-]*):")
DATA_PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,(?P<data>[A-Za-z0-9+/=\s]*)")
# The part of MathJax 2 that formgrade.js calls.
MATHJAX_2_SIGNAL = """MathJax.Hub = {
  Startup: { signal: { Interest: call => MathJax.startup.promise.then(() => call("End")) } },
};"""
PICTURE_WITHOUT_SOURCE = re.compile(r"<img(?![^>]* src=)[^>]*>")
PICTURE_WITHOUT_ALT = re.compile(r"<img(?![^>]* alt=)")
MAX_RENDERED_CHARACTERS = 20_000  # some texts take quadratic time to render
SAFE_ATTRIBUTES = {"alt", "title", "colspan", "rowspan", "start"}


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """Render the Markdown of a cell as sanitised HTML (a Jinja filter)."""
    return harmless_markdown(source, context.get("cell", {}).get("attachments", {}))


def harmless_markdown(source: str, attachments: Mapping[str, object] | None = None) -> str:
    """Render a student's Markdown as sanitised HTML.

    `attachments` holds the pictures of the cell. A text above MAX_RENDERED_CHARACTERS is shown unrendered.
    """
    if len(source) > MAX_RENDERED_CHARACTERS:
        return f"<pre>{escape(source)}</pre>"
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    attachments = dict(attachments or {})
    renderer = IPythonRenderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    return harmless(MarkdownWithMath(renderer=renderer).render(source))


def harmless(html: str) -> str:
    """Remove scripts, styles, frames, forms and external pictures from HTML.

    A tag that is not in SAFE_TAGS becomes text.
    """
    import bleach

    clean = str(bleach.clean(html, tags=SAFE_TAGS, attributes=_is_harmless, protocols=PROTOCOLS))
    return PICTURE_WITHOUT_ALT.sub('<img alt="picture"', PICTURE_WITHOUT_SOURCE.sub("", clean))


class LocalMathJax(Preprocessor):  # type: ignore[misc]
    """Embed the book's MathJax, because nbconvert's template loads it from another host."""

    def __init__(self, **options: object) -> None:
        """Register the template, which takes precedence over nbconvert's."""
        super().__init__(**options)
        self.parent.extra_loaders = [DictLoader({"mathjax.html.j2": _mathjax_template()})]

    def preprocess(self, notebook: object, resources: object) -> tuple[object, object]:
        """Return the notebook unchanged."""
        return notebook, resources


@cache
def _mathjax_template() -> str:
    """Return a template with MathJax as inline scripts, with its Safe extension.

    The file holds all TeX packages and renders SVG, so the page loads nothing from a server. formgrader asks MathJax 2
    when formulas are typeset, and stops in the middle of its start if nobody answers: without scrolling and keys.
    """
    folder = mathjax_folder()
    guard, program = ((folder / name).read_text("utf-8") for name in ("ui/safe.js", "tex-svg-full.js"))
    tex = {"inlineMath": [["$", "$"], ["\\(", "\\)"]], "processEscapes": True, "tags": "ams"}
    ready = f"() => {{ {guard}; MathJax.startup.defaultReady(); }}"
    settings = f"window.MathJax = {{ tex: {json.dumps(tex)}, startup: {{ ready: {ready} }} }};"
    scripts = f"<script>{settings}</script>\n<script>{program}</script>\n<script>{MATHJAX_2_SIGNAL}</script>"
    return f"{{% macro mathjax(url='') %}}{{% raw %}}{scripts}{{% endraw %}}{{% endmacro %}}"


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and _leads_to_a_page(value)
    if name == "src":  # an external picture would reveal when the submission is read
        picture = DATA_PICTURE.fullmatch(value)
        return tag == "img" and picture is not None and is_picture(picture["data"])
    return name in SAFE_ATTRIBUTES


def _leads_to_a_page(address: str) -> bool:
    """Tell whether a link is relative or its scheme is in PAGES.

    Parse it as browsers do: resolve character references, which bleach keeps, and drop control characters and spaces.
    """
    scheme = SCHEME.match(CONTROLS.sub("", unescape(address)))
    return scheme is None or scheme["name"].lower() in PAGES
