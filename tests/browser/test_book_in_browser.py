"""The built book, page by page, as a reader meets it: offline, on a phone, in the dark, well set, and searchable.

All that is asked of every page with its formulas is asked here, so that each is opened once: first as wide as a
screen on a desk, then as a phone.
"""

import itertools

import pytest

from autograder.book.formulas import node_program
from benchmarks.live_pages import MAX_KILOBYTES, compressed_kilobytes
from tests.browser.accessibility import LETTERS_FOR_FORMULAS, OUTLINE, SLIDERS, UNNAMED, violations
from tests.browser.site import CHAPTERS, PAGES
from tests.browser.test_book_sliders import SHOWN

pytestmark = pytest.mark.browser

KILOBYTES = {"book/session.html": 520}  # it draws a problem at once, and typesets it

# Every text of the article with its colour and the first opaque background behind it, as the eye meets them.
TEXT_OF_LOW_CONTRAST = """() => {
  const channels = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const luminance = rgb => rgb.slice(0, 3).reduce((sum, value, i) => {
    const c = value / 255;
    return sum + [0.2126, 0.7152, 0.0722][i] * (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  }, 0);
  const opacity = rgba => rgba[3] ?? 1;
  const over = (top, below) => below.map((b, i) => top[i] * opacity(top) + b * (1 - opacity(top)));
  const background = element => {
    if (!element) return [255, 255, 255];
    const own = channels(getComputedStyle(element).backgroundColor);
    return opacity(own) === 1 ? own.slice(0, 3) : over(own, background(element.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const isUnseen = element.closest("mjx-assistive-mml, script, .headerlink") || !element.checkVisibility();
    if (isUnseen || !node.data.trim()) continue;
    const style = getComputedStyle(element);
    const behind = background(element);
    const [a, b] = [luminance(over(channels(style.color), behind)), luminance(behind)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    const contrast = (a + 0.05) / (b + 0.05);
    const text = node.data.trim().slice(0, 40);
    if (contrast < (isLarge ? 3 : 4.5)) found.push(`${contrast.toFixed(2)}: ${text}`);
  }
  return found;
}"""

FORMULAS = """() => ({
  written: document.querySelectorAll(".math").length,
  typeset: document.querySelectorAll(".math mjx-container").length,
  faulty: document.querySelectorAll("mjx-merror").length,
})"""

# Panels, which a phone shows, are windows on the picture before them, and have a text together.
IMAGES = """() => [...document.querySelectorAll("article img")].filter(image => !image.closest(".panels")).map(
  image => ({src: image.src, alt: image.alt, isLoaded: image.naturalWidth > 0}))"""
PANELS = """() => [...document.querySelectorAll("article .panels")].map(
  panels => [panels.ariaLabel, panels.previousElementSibling.alt])"""

# Tables and displayed formulas scroll by themselves; what stands in a line of text cannot.
STICKING_OUT = """() => [...document.querySelectorAll("article :is(p, li, span.math mjx-container)")]
  .filter(element => element.checkVisibility() && !element.closest("table"))
  .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
  .map(element => element.textContent.slice(0, 60))"""

WIDE = """() => [...document.querySelectorAll('article mjx-container[display="true"]')]
  .filter(formula => formula.scrollWidth > formula.clientWidth + 3)"""
FADING_THOUGH_IT_FITS = """() => [...document.querySelectorAll("article span.math mjx-container.more-right")]
  .filter(formula => formula.firstElementChild.getBoundingClientRect().width <= formula.clientWidth + 1)
  .map(formula => formula.textContent)"""
MASKS = f"() => ({WIDE})().map(formula => getComputedStyle(formula).maskImage)"

# What stands directly before or after a formula and could be torn off by the end of a line.
TORN = """() => [...document.querySelectorAll("article span.math")].filter(formula => !formula.closest(".glued"))
  .map(formula => [formula.previousSibling?.data ?? "", formula.nextSibling?.data ?? ""])
  .filter(([before, after]) => /[(\\[“]$/.test(before) || /^[.,;:!?)\\]”]/.test(after))"""
BROKEN = """() => [...document.querySelectorAll("article .glued")]
  .filter(piece => piece.checkVisibility() && piece.getClientRects().length > 1
    && new Set([...piece.getClientRects()].map(box => Math.round(box.bottom / 12))).size > 1)
  .map(piece => piece.textContent.slice(0, 60))"""
ENDS = """() => [...document.querySelectorAll('article div[class="proof admonition"]')].map(proof => {
  const last = proof.lastElementChild;
  const holder = last.tagName === "P" ? last : proof;
  return getComputedStyle(holder, "::after").content;
})"""

# How much smaller than they were drawn pictures and their panels are, by figure; without words a picture may shrink.
SHRUNK = """() => [...document.querySelectorAll("article figure")].flatMap(figure => {
  const windows = [...figure.querySelectorAll(".panels > span")];
  const scale = (part, natural) => [figure.id, part.getBoundingClientRect().width / natural];
  if (windows.length > 1) return windows.map(part => scale(part, parseFloat(part.style.width)));
  const pictures = [...figure.querySelectorAll(":scope > img:not(.in-panels)")];
  return pictures.map(picture => scale(picture, picture.naturalWidth));
})"""


# Some pictures wait until they come near.
ALL_PICTURES = """() => Promise.all([...document.images].map(picture => {
  picture.loading = "eager";
  return picture.complete || new Promise(done => picture.onload = picture.onerror = done);
}))"""


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_page_is_complete_without_the_internet(look, book_url, path):
    visited = look(path)
    assert [url for url in visited.requests if not url.startswith((book_url, "data:", "blob:"))] == []
    assert visited.errors == []
    visited.page.wait_for_function(
        f"(({FORMULAS})()).typeset >= (({FORMULAS})()).written"
    )  # of problems, later
    formulas = visited.page.evaluate(FORMULAS)
    assert formulas["faulty"] == 0
    for image in visited.page.evaluate(IMAGES):
        assert image["isLoaded"], image["src"]
        assert len(image["alt"]) > 20, f"{image['src']} needs a text that says what it shows"
    assert all(label == alt for label, alt in visited.page.evaluate(PANELS))


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_first_visit_asks_for_little_beyond_pictures(look, book_url, built_book, path):
    asked = {url.removeprefix(f"{book_url}/").partition("?")[0] for url in look(path).requests}
    assert compressed_kilobytes({built_book / name for name in asked}) <= KILOBYTES.get(path, MAX_KILOBYTES)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES, scope="module")
def test_text_stands_out_from_its_background(look, path, theme):
    page = look(path).page
    page.emulate_media(color_scheme=theme)  # as when the evening comes
    page.wait_for_selector(f"html[data-theme={theme}]")
    assert page.evaluate(TEXT_OF_LOW_CONTRAST) == []


@pytest.mark.parametrize("path", CHAPTERS, scope="module")
def test_every_proof_has_its_end(look, path):
    ends = look(path).page.evaluate(ENDS)
    assert [end for end in ends if not end.startswith('"∎"')] == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", CHAPTERS, scope="module")
def test_punctuation_stays_with_its_formula(look, path, width):
    page = look(path, width=width).page
    assert page.evaluate(TORN) == []
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_page_can_be_read_on_a_phone(look, path):
    page = look(path, width=390).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(STICKING_OUT) == []


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_formula_that_goes_on_beyond_the_edge_fades_there(look, path):
    page = look(path, width=390).page
    page.wait_for_timeout(200)
    assert [mask for mask in page.evaluate(MASKS) if "gradient(to left" not in mask] == []
    assert page.evaluate(FADING_THOUGH_IT_FITS) == []


@pytest.mark.parametrize("path", CHAPTERS, scope="module")
def test_on_a_phone_the_words_of_pictures_can_be_read(look, path):
    """Words are drawn as large as the text; six tenths of that are ten pixels."""
    page = look(path, width=390).page
    page.evaluate(ALL_PICTURES)
    assert [(figure, scale) for figure, scale in page.evaluate(SHRUNK) if scale < 0.6] == []


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_one_frame_of_a_slider_is_shown_and_its_words_are_said_and_written(look, path):
    visited = look(path)
    for figure in visited.page.locator(".slider-figure").all():
        slider = figure.locator("input")
        slider.focus()
        for key, move in (("Home", 0), ("ArrowRight", 1), ("End", int(slider.get_attribute("max")))):
            visited.page.keyboard.press(key)
            [[place, words]] = figure.evaluate(SHOWN)
            assert place == move
            assert words == slider.get_attribute("aria-valuetext") == figure.locator(".words").inner_text()
        assert figure.evaluate("figure => figure.outerHTML.length") < 200_000
    assert visited.errors == []


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_slider_is_moved_by_the_arrow_keys_and_says_where_it_is(look, path):
    page = look(path).page
    for slider in page.locator(SLIDERS).all():
        slider.focus()
        said = []
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End"):
            page.keyboard.press(key)
            said.append((slider.input_value(), slider.get_attribute("aria-valuetext")))
        values, words = zip(*said, strict=True)
        assert values[0] == slider.get_attribute("min")
        assert values[1] == values[3] != values[2]
        assert values[4] == slider.get_attribute("max")
        assert words[1] == words[3]
        assert len(set(words)) == 4
        assert all(word and len(word) > 3 for word in words)


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_headings_are_an_outline(look, path):
    levels = look(path).page.evaluate(OUTLINE)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_page_breaks_no_rule_of_accessibility(look, path):
    """The last question to a page: letters stand for its formulas afterwards."""
    page = look(path).page
    page.evaluate(LETTERS_FOR_FORMULAS)
    page.wait_for_timeout(600)  # until the sidebar has come, and what is wide is marked anew
    assert violations(page) == []
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate(UNNAMED) == []
    assert page.locator("main").count() == 1
    assert page.locator("nav[aria-label=Main]").count() == 1


def test_the_first_address_leads_to_the_introduction(visit, book_url):
    page = visit(f"{book_url}/index.html").page
    page.wait_for_url("**/book/intro.html")
    assert "course you can run" in page.inner_text("h1")


def test_search_finds_variance_and_leads_to_the_page(visit, book_url):
    page = visit(f"{book_url}/search.html?q=variance").page
    result = page.locator("#search-results a", has_text="Principal component analysis").first
    result.click()
    page.wait_for_url("**/book/pca.html*")


def test_formulas_are_there_from_the_start_of_the_chapters(visit, book_url):
    page = visit(f"{book_url}/book/pca.html").page
    assert page.evaluate(FORMULAS)["typeset"] > 300
    assert page.locator("#equation-eq-pca-covariance mjx-container").count() == 1
    # Readers of a screen get the formula as MathML.
    assert page.locator("#equation-eq-pca-covariance mjx-assistive-mml math").count() == 1


@pytest.mark.skipif(node_program() is None, reason="without node a page typesets its formulas itself")
def test_formulas_need_no_script(chromium, book_url):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{book_url}/book/lecture_notes.html")
    formulas = page.locator("article mjx-container").all()
    assert len(formulas) > 100
    for box in (formula.bounding_box() for formula in formulas[:20]):
        assert min(box["width"], box["height"]) > 3
    context.close()
