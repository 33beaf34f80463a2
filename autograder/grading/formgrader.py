"""What nbgrader's own pages (formgrader, generate_feedback) show of a student's text: Markdown, and nothing that runs.

nbgrader renders the Markdown of students with all the HTML that is in it, inside a page that may change grades.
`nbgrader_config` puts this filter in the place of nbconvert's: the same rendering, of which a list of harmless tags
is kept. The text itself stays as it was handed in.
"""

import re
from typing import Any

from jinja2 import pass_context

TAGS = frozenset(
    "a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre s samp small "
    "span strong sub summary sup table tbody td tfoot th thead tr u ul var".split()
)
PROTOCOLS = frozenset(("http", "https", "mailto", "data"))
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
PLAIN = {"alt", "title", "colspan", "rowspan", "start"}


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """The Markdown of a cell as HTML that does nothing."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    attachments = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    return harmless(MarkdownWithMath(renderer=renderer).render(source))


def harmless(html: str) -> str:
    """HTML without scripts, handlers, styles, frames, forms, and pictures from elsewhere; other tags become text."""
    import bleach

    return str(bleach.clean(html, tags=TAGS, attributes=_is_harmless, protocols=PROTOCOLS))


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and not value.lstrip().lower().startswith("data:")
    if name == "src":  # from elsewhere it would tell that somebody reads this, and when
        return tag == "img" and PICTURE.fullmatch(value) is not None
    return name in PLAIN
