"""A site of the first chapters is there early, with the numbers of the whole book, and runs nothing twice."""

import threading

import pytest

from autograder.book.build import build_book
from autograder.book.first import ANNOUNCEMENT, build_first_pages, first_pages
from autograder.errors import BookError
from tests.book.tiny import HEADER
from tests.conftest import ROOT

NAMES = ("one", "two", "three", "four")
CONTENTS = """\
format: jb-book
root: book/start
parts:
  - caption: Chapters
    numbered: true
    chapters: [{file: book/one}, {file: book/two}, {file: book/three}, {file: book/four}]
  - caption: Reference
    chapters: [{file: book/works}]
  - caption: Later
    chapters: [{file: book/later}]
"""
PAGE = """\
# Page {name}

See {{cite:t}}`euclid` and {{eq}}`eq-four-square`, and [the fourth](four.md).

$$
a = b
$$ (eq-{name}-square)

```{{code-cell}} python
print("this is {name}")
```
"""


@pytest.fixture
def numbered(tiny):
    tiny.write_pages(start="# Start\n", works="# Works\n\n```{bibliography}\n```\n", later="# Later\n")
    for name in NAMES:
        tiny.write(f"book/{name}.md", HEADER + PAGE.format(name=name))
    tiny.write("_toc.yml", CONTENTS)
    tiny.write(
        "book/references.bib", "@book{euclid, author={Euclid}, title={Elements}, publisher={P}, year={1900}}"
    )
    return tiny


def test_first_site_has_first_chapters_and_leaves_the_book_alone(numbered):
    site = build_first_pages(numbered.root)
    assert site == numbered.root / "_build/first/html"
    names = {path.stem for path in (site / "book").glob("*.html")}
    assert names == {"start", "one", "two", "three", "works"}
    assert not (numbered.root / "_build/html").exists()
    page = (site / "book/three.html").read_text("utf-8")
    assert ANNOUNCEMENT in page
    assert "(3.1)" in page
    assert "this is three" in page
    assert "four.html" not in page

    numbered.build()
    assert numbered.ran == ["running book/four.md"]
    whole = numbered.html("three")
    assert ANNOUNCEMENT not in whole
    assert "(4.1)" in whole
    assert "four.html" in whole
    assert "this is three" in (numbered.root / "_build/html/_sources/book/three.ipynb").read_text("utf-8")


def test_whole_build_announces_the_first_site(numbered):
    ready = []
    built = build_book(
        numbered.root, first_ready=lambda site: ready.append((site, threading.current_thread().name))
    )
    ((site, thread),) = ready
    assert (site / "index.html").is_file()
    assert thread != threading.main_thread().name
    assert built.is_file()


def test_page_that_fails_leaves_no_first_site(numbered):
    numbered.write("book/two.md", HEADER + PAGE.format(name="two").replace("print(", "oops("))
    with pytest.raises(BookError, match=r"book/two\.md: a cell failed: NameError.* in `oops"):
        build_first_pages(numbered.root)
    assert not (numbered.root / "_build/first/html").exists()


def test_first_pages_of_the_real_book():
    assert [page.stem for page in first_pages(ROOT)] == [
        *("intro", "path", "session", "katas", "notation"),
        *("geometry", "covariance", "pca", "bibliography"),
    ]
