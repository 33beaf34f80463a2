"""Exercises, hints and tables speak the numbers that the book shows: each is compared with the built page."""

import pytest

from autograder.book.labels import labels
from tests.book.shown import shown_numbers
from tests.conftest import ROOT

LABELS = labels(ROOT / "book")


@pytest.mark.parametrize("page", sorted({place.page for place in LABELS.values()}))
def test_every_label_of_a_page_has_the_number_that_the_page_shows(built_book, page):
    here = {label: place for label, place in LABELS.items() if place.page == page}
    shown = shown_numbers(built_book / "book" / f"{page}.html", [place.anchor for place in here.values()])
    assert {label: place.number for label, place in here.items()} == dict(zip(here, shown, strict=True))
