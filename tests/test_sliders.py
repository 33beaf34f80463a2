"""The one way in which the book draws pictures with a slider; how they behave is asked in tests/browser."""

import base64
import io
import re
import sys

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def sliders():
    sys.path.insert(0, str(ROOT / "book"))  # pages import their modules from their own folder
    try:
        import sliders
    finally:
        sys.path.remove(str(ROOT / "book"))
    return sliders


@pytest.fixture
def draw(sliders):
    def draw(words, **options):
        frames = [sliders.Frame(f'<circle r="{place}"/>', sentence) for place, sentence in enumerate(words)]
        scene = sliders.Scene((0, 0, 40, 30), 'circles & a "line"', '<path d="M0 0H9"/>')
        made = sliders.slider(frames, scene, label="how many", caption="<b>See.</b>", **options)
        return BeautifulSoup(made.data, "html.parser")

    return draw


def test_without_a_script_the_first_frame_is_seen_and_said(draw):
    page = draw(["none", "one", "two"], first=1)
    shown = [frame for frame in page.select("svg g.frame") if frame["display"] != "none"]
    assert [frame.circle["r"] for frame in shown] == ["1"]
    assert page.select_one("p.words").text == page.input["aria-valuetext"] == "one"
    assert (page.input["min"], page.input["max"], page.input["value"]) == ("0", "2", "1")


def test_everything_has_a_name(draw):
    page = draw(["none", "one"])
    assert page.figure.figcaption.b.text == "See."
    assert page.input.find_parent("label").text.strip() == "how many"
    assert page.svg["role"] == "img"
    assert page.svg["aria-label"] == 'circles & a "line"'


def test_words_are_words_and_not_html(draw):
    words = 'x <b> "y" &lt; z'
    page = draw([words, "one"])
    assert page.select_one("p.words").text == page.input["aria-valuetext"] == words
    assert page.select_one("g.frame")["data-words"] == words


def test_two_on_a_page_share_no_id_and_ask_no_other_host(draw):
    assert not re.search(r"\bid=|https?:|url\(|src=", str(draw(["none"])))


@pytest.mark.parametrize("first", [-1, 2])
def test_a_first_frame_that_is_not_there_is_refused(draw, first):
    with pytest.raises(ValueError, match=f"first must be between 0 and 1, got {first}"):
        draw(["none", "one"], first=first)


def test_a_path_goes_through_its_points(sliders):
    assert sliders.path(np.array([[0, 1], [2.26, -3]])) == "M0.0 1.0L2.3 -3.0"


def test_pixels_are_the_matrix_with_dark_ink_and_nothing_out_of_range(sliders):
    element = sliders.pixels(np.array([[0.0, 1.0, 7.0], [-2.0, 0.5, 0.0]]), (0, 0, 30, 20))
    data = base64.b64decode(re.search(r'base64,([^"]+)"', element)[1])
    grey = np.asarray(Image.open(io.BytesIO(data)).convert("L"))
    assert grey.shape == (2, 3)
    assert (grey[[0, 1, 1], [0, 0, 2]] == 255).all()
    assert (grey[0, 1:] == 0).all()
    assert 100 < grey[1, 1] < 180
