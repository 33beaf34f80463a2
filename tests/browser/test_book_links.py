"""Every link of the built book leads somewhere; what lies on other hosts is only named, never loaded."""

import re
import urllib.parse

import pytest

from tests.book.shown import parsed
from tests.browser.site import PAGES

BUILT = [*PAGES, "index.html", "search.html"]  # Sphinx writes these two beside the pages


@pytest.fixture(scope="module")
def documents(built_book):
    return {path: parsed(built_book / path) for path in BUILT}


@pytest.fixture(scope="module")
def anchors(documents):
    return {path: {tag["id"] for tag in document.select("[id]")} for path, document in documents.items()}


def addresses(document):
    """Every address in a document, those that it only names (links) apart from those that it loads."""
    named = [tag["href"] for tag in document.select("a[href]")]
    loaded = [tag["src"] for tag in document.select("[src]")] + [
        tag["href"] for tag in document.select("link[href]:not([rel=canonical])")
    ]
    return named, loaded


@pytest.mark.parametrize("path", BUILT)
def test_every_link_inside_the_book_leads_to_a_page_and_a_place(built_book, documents, anchors, path):
    broken = []
    named, loaded = addresses(documents[path])
    for address in (*named, *loaded):
        parts = urllib.parse.urlsplit(address)
        if parts.scheme:
            continue
        target = (
            (built_book / path).parent / urllib.parse.unquote(parts.path) if parts.path else built_book / path
        )
        place = target.resolve().relative_to(built_book.resolve()).as_posix()
        is_place = not parts.fragment or urllib.parse.unquote(parts.fragment) in anchors.get(place, set())
        if not target.is_file() or not is_place:
            broken.append(address)
    assert broken == []


@pytest.mark.parametrize("path", BUILT)
def test_other_hosts_are_named_by_https_and_nothing_is_loaded_from_them(documents, path):
    named, loaded = addresses(documents[path])
    assert [address for address in loaded if urllib.parse.urlsplit(address).scheme not in ("", "data")] == []
    for address in named:
        if urllib.parse.urlsplit(address).scheme:
            assert re.fullmatch(r"https://[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[^\s<>\"]*)?", address), address


def test_no_page_of_the_site_is_left_out(built_book):
    written = {path.relative_to(built_book).as_posix() for path in built_book.rglob("*.html")}
    others = {
        path for path in written if path.startswith(("_static/", "lite/", "go/"))
    }  # of the theme, of JupyterLite, permanent addresses
    assert written - others == {*BUILT, "404.html", "book/assignments/bank.html"}


def test_every_permanent_address_leads_to_its_place(built_book, anchors):
    broken = []
    for page in (built_book / "go").glob("*/index.html"):
        target = re.search(r'url=\.\./\.\./([^#"]+)#([^"]+)"', page.read_text("utf-8"))
        if target[2] not in anchors.get(target[1], set()):
            broken.append(page.parent.name)
    assert broken == []
