"""A chapter taken out of `_toc.yml` leaves words where links to it were, and the book builds."""

import pytest

from autograder.book.dropped import dropped_places, without_dropped
from tests.book.tiny import HEADER

PLACES = {"cubes": "cubes", "eq-cubes-volume": "Volumes"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("see {eq}`eq-cubes-volume`.", "see Volumes."),
        ("see {ref}`the volume <eq-cubes-volume>`.", "see the volume."),
        ("see {doc}`cubes` and {doc}`Cubes </book/cubes>`.", "see cubes and Cubes."),
        ("see [cubes](cubes.md), [more](cubes.md#x).", "see cubes, more."),
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
