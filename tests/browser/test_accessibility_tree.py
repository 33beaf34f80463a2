"""What a screen reader gets of a chapter, in two browsers, and what a keyboard reaches of its figures."""

import itertools

import pytest

from tests.browser.accessibility import SLIDERS
from tests.browser.firefox import Firefox, find_firefox

pytestmark = pytest.mark.browser
CHAPTER = "book/pca.html"
TITLE = "3. Principal component analysis"
LANDMARKS = {"main", "navigation"}


@pytest.fixture(scope="module")
def nodes(chromium, book_url):
    """The accessibility tree of a chapter in Chromium: (role, name, properties) of each node that is not ignored."""
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{book_url}/{CHAPTER}", timeout=120_000)
    tree = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    context.close()
    found = []
    for node in tree:
        if not node["ignored"]:
            properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            value = node.get("value", {}).get("value")
            name = node.get("name", {}).get("value", "")
            found.append((node["role"].get("value", ""), name, properties | {"value": value}))
    return found


def of_role(nodes, role):
    return [(name, properties) for found, name, properties in nodes if found == role]


def test_a_chapter_has_its_landmarks_and_one_title(nodes):
    assert {role for role, _, _ in nodes} >= LANDMARKS
    names = [name for name, _ in of_role(nodes, "navigation")]
    assert len(set(names)) == len(names), "landmarks of one kind are told apart by their names"
    titles = [name for name, properties in of_role(nodes, "heading") if properties.get("level") == 1]
    assert [title.rstrip("# ") for title in titles] == [TITLE]


def test_levels_of_headings_do_not_skip(nodes):
    levels = [properties["level"] for _, properties in of_role(nodes, "heading")]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_a_slider_says_what_it_is_and_where_it_stands(nodes):
    sliders = of_role(nodes, "slider")
    assert sliders
    for name, properties in sliders:
        assert name
        assert properties.get("valuetext") or properties.get("value") is not None


def test_whatever_can_be_used_has_a_name(nodes):
    used = ("button", "link", "slider", "textbox", "checkbox", "combobox", "searchbox", "DisclosureTriangle")
    nameless = [role for role, name, _ in nodes if role in used and not name.strip()]
    assert nameless == []


def test_pictures_and_formulas_have_words(nodes):
    pictures = of_role(nodes, "image")
    assert pictures
    assert all(name.strip() for name, _ in pictures)
    assert len([role for role, _, _ in nodes if role in ("math", "MathMLMath")]) > 50


def test_a_slider_is_moved_by_keyboard_alone(visit, book_url):
    page = visit(f"{book_url}/{CHAPTER}", mathematics=False).page
    slider = page.locator(SLIDERS).first
    slider.focus()
    before = slider.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") != before
    page.keyboard.press("Home")
    assert slider.evaluate("slider => slider.value === slider.min")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") != "range", "the focus can leave"


@pytest.fixture(scope="module")
def firefox(request, tmp_path_factory):
    """The same chapter in Firefox."""
    program = find_firefox()
    if program is None:
        pytest.skip("Firefox is not installed: apt-get install firefox-esr")
    address = request.getfixturevalue("book_url")
    firefox = Firefox(program, tmp_path_factory.mktemp("profile"))
    firefox.open(f"{address}/{CHAPTER}")
    yield firefox
    firefox.close()


def located(firefox, **which):
    """How many nodes of Firefox's accessibility tree have a role and a name."""
    locator = {"type": "accessibility", "value": which}
    return len(firefox.ask("browsingContext.locateNodes", context=firefox.page, locator=locator)["nodes"])


def test_firefox_computes_the_same_tree(firefox, nodes):
    assert located(firefox, role="main") == 1
    assert (
        located(firefox, role="heading", name=f"{TITLE}#") + located(firefox, role="heading", name=TITLE) == 1
    )
    for name, _ in of_role(nodes, "slider"):
        assert located(firefox, role="slider", name=name) == 1
    for name, _ in of_role(nodes, "navigation"):
        if name:
            assert located(firefox, role="navigation", name=name) == 1, name
