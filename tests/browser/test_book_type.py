"""How pages are set where that takes more than a look: what scrolls on a phone, words in the search."""

import html
import itertools
import json
import re

import pytest

from autograder.book.formulas import node_program
from tests.browser.conftest import opened
from tests.browser.test_book_in_browser import MASKS

pytestmark = pytest.mark.browser


def test_at_its_end_a_scrolled_formula_fades_on_the_other_side(visit, book_url):
    page = visit(f"{book_url}/book/isomap.html", width=390).page
    page.wait_for_selector("mjx-container[display=true].more-right")
    wide = page.locator("mjx-container[display=true].more-right").first.element_handle()
    wide.evaluate("formula => formula.scrollTo(formula.scrollWidth, 0)")
    page.wait_for_timeout(300)
    assert wide.get_attribute("class").split()[-1:] == ["more-left"]
    wide.evaluate("formula => formula.scrollTo((formula.scrollWidth - formula.clientWidth) / 2, 0)")
    page.wait_for_timeout(300)
    assert {"more-left", "more-right"} <= set(wide.get_attribute("class").split())


def test_panels_side_by_side_stand_one_below_the_other_on_a_phone(visit, book_url):
    page = visit(f"{book_url}/book/pca_error.html", width=390, mathematics=False).page
    figure = page.locator("#fig-pca-failures")
    assert not figure.locator("img.in-panels").is_visible()
    windows = [window.bounding_box() for window in figure.locator(".panels > span").all()]
    assert len(windows) == 3
    for above, below in itertools.pairwise(windows):
        assert below["y"] > above["y"] + above["height"] - 1
    assert figure.locator(".panels-order").is_visible()  # the caption says left and right
    page.set_viewport_size({"width": 1280, "height": 900})
    assert figure.locator("img.in-panels").is_visible()
    assert not figure.locator(".panels, .panels-order").first.is_visible()


def test_a_wide_picture_without_panels_keeps_its_size_on_a_phone_and_scrolls(visit, book_url):
    page = visit(f"{book_url}/book/classical_mds.html", width=390, mathematics=False).page
    frame = page.locator("#fig-classical-mds-airports .panorama.more-right")
    frame.wait_for()
    assert frame.locator("img").bounding_box()["width"] > 600
    assert frame.get_attribute("tabindex") == "0"
    line = page.locator("#fig-classical-mds-airports .goes-on")
    assert line.is_visible()  # an edge without ink cannot fade
    frame.evaluate("frame => frame.scrollTo(frame.scrollWidth, 0)")
    page.wait_for_timeout(300)
    assert not line.is_visible()
    wide = visit(f"{book_url}/book/classical_mds.html", mathematics=False).page
    assert wide.locator(".panorama.more-right").count() == 0


@pytest.mark.parametrize("name", ["intro", "pca", "least_squares"])
def test_a_single_picture_is_seen_whole_on_a_phone(visit, book_url, name):
    page = visit(f"{book_url}/book/{name}.html", width=390, mathematics=False).page
    page.wait_for_timeout(300)
    assert page.locator("article figure img").count() > 0
    assert page.locator(".panorama").count() == 0


def test_what_fits_does_not_fade(visit, book_url):
    page = visit(f"{book_url}/book/pca.html").page
    page.wait_for_timeout(200)
    fading = page.locator("article mjx-container:is(.more-left, .more-right)").count()
    assert fading == len(page.evaluate(MASKS))


FADED = """() => [...document.querySelectorAll("article mjx-container.more-right")].map(formula => [
  formula.scrollWidth - formula.clientWidth,
  parseFloat(getComputedStyle(formula).maskImage.match(/([\\d.]+)px\\)$/)[1]),
])"""


def test_of_a_formula_that_hardly_goes_on_hardly_anything_fades(visit, book_url):
    page = visit(f"{book_url}/book/isomap_limits.html", width=390).page
    page.wait_for_timeout(300)
    faded = page.evaluate(FADED)
    assert min(hidden for hidden, _ in faded) < 20
    assert max(hidden for hidden, _ in faded) > 28  # and there no more than 56 pixels fade
    assert [pair for pair in faded if pair[1] > 2 * pair[0] or pair[1] > 56] == []


def test_paper_is_white_and_the_screen_is_dark_again(visit, book_url):
    page = visit(f"{book_url}/book/notation.html", theme="dark", mathematics=False).page
    page.evaluate(
        "addEventListener('beforeprint', () => window.printedIn = document.documentElement.dataset.theme)"
    )
    page.pdf()
    assert page.evaluate("[window.printedIn, document.documentElement.dataset.theme]") == ["light", "dark"]


def test_code_on_paper_goes_on_in_the_next_line(visit, book_url):
    page = visit(f"{book_url}/book/lle.html", width=680, mathematics=False).page
    cut = "() => [...document.querySelectorAll('article pre')].filter(p => p.scrollWidth > p.clientWidth + 1).length"
    assert page.evaluate(cut) > 0
    page.emulate_media(media="print")
    assert page.evaluate(cut) == 0


def test_code_that_is_wide_beside_the_sidebar_fades_after_a_phone_was_turned(visit, book_url):
    page = visit(f"{book_url}/book/instructor_start.html", width=390).page
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_timeout(800)
    wide = (
        "() => [...document.querySelectorAll('article pre')].filter(p => p.scrollWidth > p.clientWidth + 3)"
    )
    classes = page.evaluate(f"() => ({wide})().map(part => part.className)")
    assert classes
    assert [name for name in classes if "more-right" not in name] == []


def test_the_search_shows_words(visit, book_url):
    page = visit(f"{book_url}/search.html?q=eigenvector").page
    page.wait_for_selector("#search-results p.context")
    page.wait_for_timeout(1500)
    shown = page.locator("#search-results").inner_text()
    assert "eigenvector" in shown
    assert re.findall(r"\\[a-zA-Z(\[]|\$", shown) == []


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\frac{m-1}m", "(m-1)/m"),
        (r"2(s+\frac t2)^2+\frac{t^2}2", "2(s+t/2)²+t²/2"),
        (r"\frac1{2\sigma^2}", "1/(2σ²)"),
        (r"\frac1NX_c^\top X_c", "1/N XcᵀXc"),
        (r"\ell=\norm{u_i-u_j}>0", "ℓ=‖ui-uj‖>0"),
        (r"\bar h-\tilde\lambda_1", "h̄-λ̃₁"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "1 2 3 4"),
        (r"C\binom34=\binom{300}{400}", "C(3 4)=(300 400)"),
        (r"B\not\succeq0", "B⪰\u03380"),
    ],
)
def test_under_a_search_result_a_formula_is_still_true(search_page, tex, words):
    assert search_page.evaluate("tex => readable(tex)", tex) == words


# What only arranges what stands around it, or is read before commands are.
ARRANGES = set(
    "mathbf mathcal mathbb mathrm mathsf rm text operatorname begin end big bigl bigr binom frac tfrac norm bar hat "
    "tilde not".split()
)


@pytest.mark.skipif(node_program() is None, reason="without node a page holds no data-tex")
def test_no_sign_of_a_formula_is_lost_under_a_search_result(search_page, built_book):
    known = set(search_page.evaluate("Object.keys(SIGNS)")) | ARRANGES
    pages = [page.read_text("utf-8") for page in (built_book / "book").glob("*.html")]
    in_lines = re.compile(r'<span class="math[^>]* data-tex="([^"]*)"')  # others are told by three dots
    formulas = {html.unescape(tex) for page in pages for tex in in_lines.findall(page)}
    assert len(formulas) > 1000
    used = {name for tex in formulas for name in re.findall(r"\\([A-Za-z]+)", tex.replace(r"\\", " "))}
    words = set(search_page.evaluate("names => names.filter(name => FUNCTIONS.test(name))", sorted(used)))
    assert used - known - words == set()


@pytest.fixture(scope="module")
def search_page(chromium, book_url):
    page = opened(chromium, f"{book_url}/search.html").page
    yield page
    page.context.close()


def test_the_index_of_the_search_holds_no_tex(built_book):
    text = (built_book / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    used = {term for term, pages in index["terms"].items() if pages != []}  # Sphinx keeps words that are gone
    assert {"mathbb", "frac", "lambda_1", "mathbf"} & used == set()
    titles = [*index["titles"], *index["alltitles"]]
    assert [title for title in titles if "\\" in title] == []
    assert any("ν=0" in title for title in titles)
