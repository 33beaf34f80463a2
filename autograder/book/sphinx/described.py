"""Title and description of a page, as search engines and link previews show them."""

from docutils import nodes
from sphinx.environment import BuildEnvironment

from autograder.book.tex import readable

MIN_DESCRIPTION_CHARACTERS, MAX_DESCRIPTION_CHARACTERS = 60, 160  # what search engines show


def description_of(doctree: nodes.document) -> str:
    """Return the description that a page declares (`html_meta`), else its first sentences, as many as fit."""
    declared = (node for node in doctree.findall(nodes.meta) if node.get("name") == "description")
    for node in declared:
        return str(node["content"])
    text = ""
    for block in doctree.findall(lambda node: isinstance(node, nodes.paragraph | nodes.math_block)):
        if (
            isinstance(block.parent, nodes.section | nodes.document)
            and len(text) < MIN_DESCRIPTION_CHARACTERS
        ):
            text = " ".join(f"{text} {_words(block)}".split())
    return _cut(text)


def _words(block: nodes.Element) -> str:
    """Return the text of a paragraph or a formula in plain characters."""
    if isinstance(block, nodes.math_block):
        return readable(block.astext())
    texts = (node for node in block.findall(nodes.Text))
    return "".join(
        readable(str(text)) if isinstance(text.parent, nodes.math) else str(text) for text in texts
    )


def _cut(text: str) -> str:
    """Return whole sentences of a text where some fit, else whole words."""
    if len(text) <= MAX_DESCRIPTION_CHARACTERS:
        return text
    start = text[:MAX_DESCRIPTION_CHARACTERS]
    sentences = start.rpartition(". ")[0]
    if len(sentences) >= MIN_DESCRIPTION_CHARACTERS:
        return f"{sentences}."
    return start.rpartition(" ")[0] + " …"


def title_of(env: BuildEnvironment, page: str) -> str:
    """Return the number and the title of a page, without markup."""
    number = ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))
    title = _words(env.titles[page]).strip()
    return f"{number}. {title}" if number else title
