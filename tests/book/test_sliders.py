"""The one way in which the book draws pictures with a slider; how they behave is asked in tests/browser."""

import base64
import importlib
import io
import re
import sys

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image
from sklearn import decomposition

from dimred_ref.datasets import digits
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def _book_folder():
    sys.path.insert(0, str(ROOT / "book"))  # pages import their modules from their own folder
    yield
    sys.path.remove(str(ROOT / "book"))


@pytest.fixture(scope="module")
def sliders(_book_folder):
    return importlib.import_module("_figures.sliders")


def inks(element):
    """The pixels of an SVG image, from 0 (paper) to 1."""
    data = base64.b64decode(element["href"].partition("base64,")[2])
    return 1 - np.asarray(Image.open(io.BytesIO(data)).convert("L")) / 255


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
    svg = sliders.pixels(np.array([[0.0, 1.0, 7.0], [-2.0, 0.5, 0.0]]), (0, 0, 30, 20))
    ink = inks(BeautifulSoup(svg, "html.parser").image)
    assert ink == pytest.approx(np.array([[0, 1, 1], [0, 0.5, 0]]), abs=0.01)


@pytest.mark.usefixtures("_book_folder")
def test_digits_are_rebuilt_as_scikit_learn_rebuilds_them():
    X, counts = digits().X, [0, 1, 7, 64]
    made = importlib.import_module("_figures.pca").rebuilt_digits(X, np.array([3, 11]), counts, first=7)
    page = BeautifulSoup(made.data, "html.parser")
    for d, frame in zip(counts, page.select("g.frame"), strict=True):
        if d == 0:
            rebuilt, share = np.tile(X.mean(axis=0), (2, 1)), 0.0
        else:
            fit = decomposition.PCA(d, svd_solver="full").fit(X)
            rebuilt = fit.inverse_transform(fit.transform(X[[3, 11]]))
            share = fit.explained_variance_ratio_.sum()
        left, right = (np.clip(row.reshape(8, 8) / 16, 0, 1) for row in rebuilt)
        ink = inks(frame.image)
        assert ink[:, :8] == pytest.approx(left, abs=0.01)
        assert ink[:, 9:] == pytest.approx(right, abs=0.01)
        assert frame["data-words"] == f"{d} of 64 components keep {share:.1%} of the variance."
