"""A chapter taken out of `_toc.yml` leaves words where links to it were, and the book builds."""

import json
import re
from html import escape
from pathlib import Path

import pytest

from autograder.book.dropped import dropped_places, with_cards, without_dropped
from autograder.book.labels import labels
from autograder.book.references import with_places
from autograder.book.sphinx.practice import practice_html
from autograder.book.sphinx.questions import questions_html
from autograder.course import contents
from autograder.errors import BookError
from tests.book.tiny import HEADER
from tests.conftest import ROOT

PLACES = {"cubes": "cubes", "eq-cubes-volume": "Volumes"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("see {eq}`eq-cubes-volume`.", "see Volumes."),
        ("see {ref}`the volume <eq-cubes-volume>`.", "see the volume."),
        ("see {doc}`cubes` and {doc}`Cubes </book/cubes>`.", "see cubes and Cubes."),
        ("see [cubes](cubes.md), [more](cubes.md#x).", "see cubes, more."),
        ("see [volumes](#eq-cubes-volume).", "see volumes."),
        ("see [elsewhere](https://example.org/cubes).", "see [elsewhere](https://example.org/cubes)."),
        (
            "see {eq}`eq-areas-square` and [areas](areas.md).",
            "see {eq}`eq-areas-square` and [areas](areas.md).",
        ),
    ],
)
def test_links_to_a_dropped_page_become_their_words(text, said):
    assert without_dropped(text, PLACES) == said


def test_the_book_builds_without_a_chapter_that_others_cite(tiny):
    areas = "# Areas\n\nSee {eq}`eq-cubes-volume`, and {doc}`cubes`.\n"
    cubes = "# Cubes\n\n$$\nV = a^3\n$$ (eq-cubes-volume)\n"
    tiny.write_pages(areas=areas, cubes=cubes)
    tiny.write_pages(areas=areas)  # the same without the chapter in the table of contents
    tiny.write("book/cubes.md", HEADER + cubes)
    assert set(dropped_places(tiny.root)) == {"cubes", "eq-cubes-volume"}
    tiny.build()
    assert "See Cubes, and cubes." in tiny.html("areas")
    assert not (tiny.root / "_build/html/book/cubes.html").exists()


CHAPTERS = [Path(entry.name).name for entry in contents.outline(ROOT) if entry.numbered and entry.depth == 1]
CITED = re.compile(
    r"\{(?:\w+:)?\w+\}`[^`]*?(?P<role>[\w-]+)>?`|\]\((?P<link>[^)\s]+)\)|^:link: *(?P<card>\S+)", re.MULTILINE
)


def cited_places(text):
    """Every word that could be the target of a reference: of a role, a link, a card."""
    for found in CITED.finditer(text):
        address = found["role"] or found["link"] or found["card"]
        if "://" not in address:
            yield from (Path(part).name.removesuffix(".md") for part in address.split("#") if part)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_page_cites_a_chapter_that_was_dropped_alone(tmp_path, chapter):
    """Every source of the course with one chapter out; what cells print is covered by the builds below."""
    toc = (ROOT / contents.CONTENTS_FILE).read_text("utf-8")
    shorter = re.sub(rf"^ *- file: book/{chapter}\n", "", toc, flags=re.MULTILINE)
    assert shorter != toc
    (tmp_path / contents.CONTENTS_FILE).write_text(shorter, "utf-8")
    (tmp_path / "_config.yml").symlink_to(ROOT / "_config.yml")
    (tmp_path / "book").symlink_to(ROOT / "book")
    places = dropped_places(tmp_path)
    assert chapter in places
    for page in contents.pages(tmp_path):
        source = page.read_text("utf-8")
        left = without_dropped(with_cards(source, places, {}), places)
        assert not set(cited_places(left)) & set(places), page.name


OUTPUT = """# Areas

```{code-cell} python
---
mystnb:
  markdown_format: myst
---
from IPython.display import Markdown
name = "cubes"
Markdown(f"| a |\\n|---|\\n| [volumes](#eq-{name}-volume) |\\n| [pages]({name}.md) |\\n| {{ref}}`eq-{name}-volume` |")
```
"""


def test_links_that_a_cell_prints_become_words_too(tiny):
    cubes = "# Cubes\n\n(eq-cubes-volume)=\n## Volumes\n\nLarge.\n"
    tiny.write_pages(areas=OUTPUT)
    tiny.write("book/cubes.md", HEADER + cubes)
    tiny.build()
    page = tiny.html("areas")
    assert "volumes" in page
    assert "cubes.html" not in page
    assert "eq-cubes-volume" not in page.partition("<article")[2].replace("eq-{name}", "")


def test_failed_build_still_has_what_students_install(tiny, monkeypatch):
    published = []
    monkeypatch.setattr("autograder.book.build.publish_wheel", lambda root: published.append(root))
    tiny.write_pages(areas="# Areas\n\nSee {ref}`nowhere`.\n")
    with pytest.raises(BookError):
        tiny.build()
    assert published == [tiny.root]


@pytest.fixture(scope="module")
def without_isomap(tmp_path_factory):
    """The folder of the pages, below a table of contents that lacks the chapter on Isomap."""
    root = tmp_path_factory.mktemp("without")
    lines = (ROOT / "_toc.yml").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.rstrip().endswith("book/isomap")]
    assert len(kept) == len(lines) - 1
    (root / "_toc.yml").write_text("".join(kept), "utf-8")
    (root / "book").symlink_to(ROOT / "book")
    return root / "book"


def test_practice_problems_and_questions_have_no_link_to_a_dropped_chapter(without_isomap):
    problems = sorted(path.stem for path in (ROOT / "book/_static/practice/data").glob("*.json"))
    html = practice_html(without_isomap, problems, "_static")
    for path in sorted((ROOT / "book/_static/questions").glob("*.json")):
        questions = json.loads(path.read_text("utf-8"))
        html += questions_html(questions, labels(without_isomap), "_static")
    assert "mvu.html#" in html
    assert "isomap.html#" not in html


def test_a_dropped_label_is_named_without_a_link(without_isomap):
    places = labels(without_isomap)
    assert "<a" in places["thm-mvu-isomap"].link
    assert places["thm-isomap-isometry"].link == escape(places["thm-isomap-isometry"].title)
    assert with_places("by `thm-mvu-isomap`", places, lambda name, place: place.href).startswith(
        "by mvu.html#"
    )
    assert ".html" not in with_places("by `thm-isomap-isometry`", places, lambda name, place: place.href)
