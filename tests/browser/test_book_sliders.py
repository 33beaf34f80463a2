"""Pictures with a slider, in the browser: what is shown, said and printed; in both themes and without scripts."""

import pytest

from tests.book.shown import parsed
from tests.browser.conftest import with_formulas_as_text
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

PAGES = [
    *("toolkit", "geometry", "covariance", "svd", "least_squares", "pca", "pca_error", "practice", "duality"),
    *(
        "classical_mds_stress",
        "isomap_limits",
        "lle",
        "laplacian_eigenmaps",
        "mvu",
        "conformal_eigenmaps",
        "kernel_pca",
        "gallery",
    ),
]
SHOWN = """figure => [...figure.querySelectorAll(".frame")].map((frame, place) => [frame, place])
  .filter(([frame]) => getComputedStyle(frame).display !== "none")
  .map(([frame, place]) => [place, frame.dataset.words])"""


def test_these_are_all_the_pages_that_have_one(built_book):
    found = {
        page.stem
        for page in (built_book / "book").glob("*.html")
        if "slider-figure" in page.read_text("utf-8")
    }
    assert found == set(PAGES)
    assert {page.stem for page in (ROOT / "book").glob("*.md")} >= found


def test_two_on_one_page_move_by_themselves(chromium, built_book):
    pages = [parsed(built_book / "book" / f"{topic}.html") for topic in ("toolkit", "svd")]
    figures = [str(page.select_one(".slider-figure")) for page in pages]
    page = chromium.new_page()
    page.set_content("".join(figures))
    one, other = page.locator(".slider-figure").all()
    before = one.evaluate(SHOWN)
    other.locator("input").press("End")
    assert one.evaluate(SHOWN) == before
    [[place, words]] = other.evaluate(SHOWN)
    assert (str(place), words) == (
        other.locator("input").get_attribute("max"),
        other.locator(".words").inner_text(),
    )
    page.close()


@pytest.mark.parametrize("topic", PAGES)
def test_without_scripts_a_frame_stands_there(chromium, book_url, topic):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.route("**/*.html*", with_formulas_as_text)
    page.goto(f"{book_url}/book/{topic}.html")
    for title in page.locator("article details.depth > summary").all():
        title.click()
    for figure in page.locator(".slider-figure").all():
        [shown] = [frame for frame in figure.locator(".frame").all() if frame.is_visible()]
        assert shown.get_attribute("data-words") == figure.locator(".words").inner_text()
    context.close()


def test_on_paper_the_drawing_stays_and_the_slider_goes(visit, book_url):
    page = visit(f"{book_url}/book/toolkit.html", mathematics=False).page
    page.emulate_media(media="print")
    assert page.locator(".slider-figure svg").is_visible()
    assert page.locator(".slider-figure .words").is_visible()
    assert not page.locator(".slider-figure input").is_visible()


def test_ink_is_light_on_a_dark_page(visit, book_url):
    page = visit(f"{book_url}/book/least_squares.html", theme="dark", mathematics=False).page
    text = page.locator(".slider-figure svg text").first
    assert text.evaluate("element => getComputedStyle(element).fill") == "rgb(221, 221, 221)"
    ground = page.locator(".text_html:has(.slider-figure)")
    assert ground.evaluate("element => getComputedStyle(element).backgroundColor") == "rgba(0, 0, 0, 0)"
