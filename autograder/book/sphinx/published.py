"""Write the metadata of published pages and the files at the root of the site.

The address is the setting `book_url`. A book on this machine has no canonical address, no sitemap and no pictures; its
pages are the same otherwise. All pages are written again when the address changes.
"""

import multiprocessing
import re
import sys
import tomllib
from html import escape, unescape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from autograder.book import site_files
from autograder.book.assignments import ASSIGNMENTS_FOLDER as ASSIGNMENTS
from autograder.book.assignments import assignments
from autograder.book.labels import labels
from autograder.book.notebook_links import publish_notebooks
from autograder.book.page_cards import CARDS_FOLDER as CARDS
from autograder.book.page_cards import card_name, write_card
from autograder.book.page_markdown import page_text
from autograder.book.site_files import SitePage
from autograder.book.sphinx.described import description_of, title_of
from autograder.book.sphinx.finishing import unfinished_pages
from autograder.course.course import Course
from autograder.course.files import write_changed_texts
from autograder.course.package import published_site
from autograder.course.settings import is_local

DESCRIPTION = re.compile(
    r'<meta (?:name="description" content="(?P<first>[^"]*)"|content="(?P<last>[^"]*)" name="description")'
)
VIEWPORT = re.compile(r'\s*<meta name="viewport"[^>]*>')


def name_the_project(app: Sphinx, config: Config) -> None:
    """Give the inventory its name and version, and the site its address."""
    root = Path(app.srcdir)
    config.project = config.html_title or config.project
    config.version = config.release = _version(root)
    address = str(Course(root).settings["book_url"]).rstrip("/")
    config.site_address = "" if is_local(address) else address
    config.html_baseurl = f"{config.site_address}/" if config.site_address else ""


def _version(root: Path) -> str:
    """Return the version in the `pyproject.toml` of a course; empty if it has none."""
    try:
        return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    except (OSError, LookupError, tomllib.TOMLDecodeError):
        return ""


def describe_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add description, pictures and terms to the head of a page."""
    if doctree is None:
        return
    described = SitePage(f"{page}.html", title_of(app.env, page), description_of(doctree))
    declared = context.get("metatags", "")  # by the page itself: they stand
    context["metatags"] = declared + _tags(app.config, described, declared)


def _tags(config: Config, page: SitePage, declared: str = "") -> str:
    """Return the tags of a page's head, but those that it declares."""
    title, description = page.title, page.description
    tags = {"name": {"description": description}, "property": {}}
    if config.site_address:
        card = card_name(config.html_title, title, description)
        picture = f"{config.site_address}/{CARDS}/{card}"
        tags["property"] = {
            "og:title": title,
            "og:description": description,
            "og:type": "article",
            "og:site_name": config.html_title,
            "og:url": f"{config.site_address}/{page.path}",
            "og:image": picture,
            "og:image:width": "1200",
            "og:image:height": "630",
            "og:image:alt": f"{title}: {description}",
        }
        tags["name"]["twitter:card"] = "summary_large_image"
    if page.path.startswith(f"book/{ASSIGNMENTS}/"):
        up = "../" * page.path.count("/")
        tags["name"] |= {"tdm-reservation": "1", "tdm-policy": f"{up}{site_files.TERMS}"}
    return "".join(
        f'<meta {kind}="{name}" content="{escape(text)}" />\n'
        for kind, named in tags.items()
        for name, text in named.items()
        if text and f'{kind}="{name}"' not in declared
    )


def keep_one_viewport(app: Sphinx, error: Exception | None) -> None:
    """Leave the first of the three equal tags that the theme and docutils write."""
    if error is not None or app.builder.format != "html":
        return
    for path in unfinished_pages(app):
        text = path.read_text("utf-8")
        first = VIEWPORT.search(text)
        if first:
            rest = VIEWPORT.sub("", text[first.end() :])
            path.write_text(text[: first.end()] + rest, "utf-8")


def publish_files(app: Sphinx, error: Exception | None) -> None:
    """Write the files at the root of the finished site."""
    if error is not None or app.builder.name != "html":
        return
    site, address, title = Path(app.outdir), app.config.site_address, app.config.html_title
    course = Course(Path(app.srcdir))
    pages = _described(app, _in_order(app))
    files = {
        "llms.txt": site_files.llms(title, address, _grouped(pages)),
        "404.html": site_files.not_found(title, address, pages),
    }
    if app.config.root_doc != "index":
        files["index.html"] = site_files.home(pages[0], address, _tags(app.config, pages[0]))
    if address:
        files |= {"sitemap.xml": site_files.sitemap(address, pages), "robots.txt": site_files.robots(address)}
        for page in pages:
            write_card(site / CARDS, title, page.title, page.description)
    write_changed_texts(site, files)
    site_files.write_permanent_addresses(site, address, labels(course.book))
    found = {assignment.topic: (assignment.handed_out, assignment.key) for assignment in assignments(course)}
    publish_notebooks(course, site, found, published_site(course))


def _described(app: Sphinx, names: list[str]) -> list[SitePage]:
    """Return what pages say of themselves: all of them, since a build writes only those that have changed.

    The head of a built page has its description with references resolved; a stored document has not.
    """
    heads = {
        name: Path(app.outdir, f"{name}.html").read_text("utf-8").partition("</head>")[0] for name in names
    }
    return [
        SitePage(f"{name}.html", title_of(app.env, name), _description_in(head))
        for name, head in heads.items()
    ]


def _description_in(head: str) -> str:
    match = DESCRIPTION.search(head)
    return unescape(match["first"] or match["last"]) if match else ""


def write_markdown(app: Sphinx, error: Exception | None) -> None:
    """Write each page that was built now as Markdown, beside it; formulas must not be typeset yet."""
    if error is not None or app.builder.name != "html":
        return
    waiting = [path for path in unfinished_pages(app) if path.parent != Path(app.outdir)]
    texts = [(path, path.read_text("utf-8")) for path in waiting]
    if sys.platform != "linux":
        _write_markdown(texts)
        return
    process = multiprocessing.get_context("fork").Process(target=_write_markdown, args=(texts,))
    process.start()
    app.markdown_writer = process  # type: ignore[attr-defined]


def _write_markdown(texts: list[tuple[Path, str]]) -> None:
    for path, text in texts:
        write_changed_texts(path.parent, {f"{path.stem}.md": page_text(text)})


def await_markdown(app: Sphinx, error: Exception | None) -> None:
    """Wait for the Markdown of the pages, which is written beside the typesetting of formulas."""
    process = getattr(app, "markdown_writer", None)
    if process is not None:
        process.join()
        if process.exitcode:
            raise ExtensionError("the pages could not be written as Markdown: see above")


def _in_order(app: Sphinx) -> list[str]:
    """Return the names of all pages, in the order of the contents."""
    listed = app.env.toctree_includes
    found: list[str] = []

    def visit(name: str) -> None:
        if name not in found:
            found.append(name)
            for below in listed.get(name, []):
                visit(below)

    visit(app.config.root_doc)
    return [*found, *sorted(app.env.found_docs - set(found))]


def _grouped(pages: list[SitePage]) -> dict[str, list[SitePage]]:
    """Return the pages of the book, then the assignments."""
    tasks = [page for page in pages if f"/{ASSIGNMENTS}/" in page.path]
    groups = {"Pages": [page for page in pages if page not in tasks], "Assignments": tasks}
    return {name: group for name, group in groups.items() if group}


def setup(app: Sphinx) -> None:
    """Connect to Sphinx; pages are written again when the site moves."""
    app.add_config_value("site_address", "", "html")
    app.connect("config-inited", name_the_project, priority=600)
    app.connect("html-page-context", describe_page)
    app.connect("build-finished", keep_one_viewport)
    app.connect("build-finished", write_markdown, priority=830)
    app.connect("build-finished", await_markdown, priority=935)
    app.connect("build-finished", publish_files, priority=940)
