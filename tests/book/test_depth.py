"""In-depth parts of a page are folded, named, found, printed and taken along in notebooks."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.book.notebooks import notebook_path
from autograder.book.pdf import joined
from autograder.errors import BookError

PAGE = """\
# Areas

Core.

```{prf:theorem} Squares
:label: thm-areas-square

Nine.
```

```{prf:proof}
:class: depth

Three times three.
```

## More

```{depth} two variants, $n=2$
```

(sec-areas-variant)=
Variant one.

```{code-cell} python
# eq-areas
print("inside")
```

```{depth-end}
```

After the fold.

## Last

```{depth} to the end of the section
```

Hidden words.

### A subsection

Hidden, too.

## Over

```{moved} start
```

Seen.
"""
START = "# Start\n\n(sec-start-old)=\n## Old place\n\n[there](#sec-areas-variant)\n"


@pytest.fixture(scope="module")
def course(module_tiny):
    module_tiny.write_pages(start=START, areas=PAGE)
    module_tiny.build()
    return module_tiny


@pytest.fixture
def folds(course):
    return BeautifulSoup(course.html("areas"), "html.parser").select("details.depth")


def test_each_fold_is_closed_and_says_what_is_inside(folds):
    titles = [" ".join(fold.summary.get_text().split()) for fold in folds]
    assert titles[0] == "In depth: Proof of Theorem 1"
    assert titles[1].startswith("In depth: two variants")
    assert titles[2] == "In depth: to the end of the section"
    assert not any(fold.has_attr("open") for fold in folds)


def test_a_fold_ends_at_its_mark_or_with_its_section(folds):
    assert "Three times three" in folds[0].get_text()
    assert "Variant one" in folds[1].get_text()
    assert "inside" in folds[1].get_text()
    assert "After the fold" not in folds[1].get_text()
    assert "Hidden, too" in folds[2].get_text()
    assert "Seen" not in folds[2].get_text()


def test_a_moved_label_leads_to_its_new_page(course):
    page = BeautifulSoup(course.html("areas"), "html.parser")
    (anchor,) = page.select(".moved#sec-start-old")
    assert anchor["data-href"] == "start.html#sec-start-old"


def test_on_paper_every_fold_is_open(course):
    pages = [Path(course.root, "_build/html/book", f"{name}.html") for name in ("start", "areas")]
    body = BeautifulSoup(joined(pages, "Areas")[0], "html.parser").body
    assert len(body.select("details.depth")) == 3
    assert all(fold.has_attr("open") for fold in body.select("details.depth"))


def test_the_notebook_has_the_folded_parts(course):
    text = notebook_path(Path(course.root, "_build/html/book/areas.html")).read_text("utf-8")
    assert "In depth: two variants" in text
    assert "Hidden, too" in text
    assert 'print(\\"inside\\")' in text


def test_the_search_finds_folded_words(course):
    index = Path(course.root, "_build/html/searchindex.js").read_text("utf-8")
    assert "variant" in index


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```{depth-end}\n```\n", "no depth before it"),
        ("```{depth} one\n```\n\nA.\n\n```{depth} two\n```\n\nB.\n", "inside another"),
        ("```{depth} nothing\n```\n", "is empty"),
        ("```{prf:proof}\n:class: depth\n\nOf what?\n```\n", "no statement before it"),
    ],
)
def test_a_fold_that_makes_no_sense_stops_the_build(tiny, text, words):
    tiny.write_pages(start=f"# Start\n\nWords.\n\n{text}")
    with pytest.raises(BookError):
        tiny.build()
    assert words in Path(tiny.root, "_build/book.log").read_text("utf-8")
