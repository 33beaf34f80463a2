"""Cells of a chapter turned live: change a number, run, see what the book shows change. One page, one Python."""

import re

import pytest

from tests.browser.accessibility import AXE, VIOLATIONS
from tests.browser.live import PATIENCE, LivePage
from tests.browser.live_book import CELLS

pytestmark = pytest.mark.browser


class Door:
    """The place of a cell's button, and what stands there once it is live."""

    def __init__(self, page, number):
        self.page = page
        self.place = page.locator(f'.live-door[data-cell="{number}"]')
        self.shown = page.locator(".cell", has=self.place).locator(".cell_output")

    def run(self, change=lambda text: text):
        if self.place.locator(".live-editor").count() == 0:
            self.place.get_by_role("button", name=re.compile("Edit and run")).press("Enter")
            self.place.locator(".cm-content").wait_for()
        editor = self.place.locator(".cm-content")
        text = "\n".join(self.place.locator(".cm-line").all_inner_texts())
        editor.press("Control+a")
        self.page.keyboard.insert_text(change(text))
        self.page.keyboard.press("Shift+Enter")
        self.place.locator("[role=status]", has_text=re.compile("Done|not run|Stopped")).wait_for()
        return self.shown.locator(".live-said").inner_text()


@pytest.fixture(scope="module")
def live(chromium, site):
    context = chromium.new_context(viewport={"width": 390, "height": 900}, service_workers="block")
    context.set_default_timeout(PATIENCE)
    live = LivePage(context.new_page())
    live.listen()
    live.go(f"{site}/book/cells.html")
    yield live
    context.close()


def test_cells_that_print_or_draw_have_a_button_and_nothing_is_fetched_before_it_is_pressed(live, site):
    doors = live.page.locator(".live-door")
    assert [door.get_attribute("data-cell") for door in doors.all()] == ["1", "2"]
    assert CELLS.count("{code-cell}") == 4
    assert [url for url in live.requests if "/_static/live/" in url and "/page-" not in url] == []


def test_a_page_that_imports_what_a_browser_does_not_have_offers_nothing(chromium, site):
    page = chromium.new_page()
    page.goto(f"{site}/book/elsewhere.html")
    assert page.locator(".cell").count() == 1
    assert page.locator(".live-door").count() == 0
    page.close()


def test_an_unchanged_cell_gives_what_the_book_prints(live):
    door = Door(live.page, 1)
    printed = door.shown.locator(".output").inner_text()
    assert door.run().strip() == printed.strip() == "the area is 9.0"


def test_a_changed_number_changes_what_is_printed_and_reset_brings_the_book_back(live):
    door = Door(live.page, 1)
    assert door.run(lambda text: text.replace("side()", "side() + 1")).strip() == "the area is 16.0"
    assert not door.shown.locator(".output").is_visible()
    door.place.get_by_role("button", name="Reset cell 2").click()
    door.place.locator("[role=status]", has_text="Reset").wait_for()
    assert door.shown.locator(".output").is_visible()
    assert door.shown.locator(".live-said").inner_text() == ""


def test_a_figure_changes_in_its_place_and_leans_on_a_cell_above_as_it_was_left(live):
    Door(live.page, 1).run(lambda text: "shift = 7")
    live.page.locator("details", has=live.page.locator('.live-door[data-cell="2"]')).locator(
        "summary"
    ).click()
    door = Door(live.page, 2)
    assert door.run(lambda text: text + "\nprint(shift)").strip() == "7"
    images = door.shown.locator("img").all()
    assert [image.is_visible() for image in images] == [True, False]
    assert images[0].get_attribute("alt") == "The figure that the code of cell 3 drew"
    assert images[0].evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    assert door.shown.locator("figcaption").is_visible()


def test_it_fits_a_phone_breaks_no_rule_and_leaves_paper_as_it_was(live, site):
    page = live.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.add_script_tag(path=str(AXE))
    assert page.evaluate(VIOLATIONS.replace("axe.run(context", 'axe.run(".live-door"')) == []
    page.emulate_media(media="print")
    assert [door.is_visible() for door in page.locator(".live-door").all()] == [False, False]
    assert page.locator(".cell_output .output").first.is_visible()
    page.emulate_media(media="screen")
    assert live.foreign(site.rpartition("/")[0]) == []
    assert live.errors == []


def test_without_javascript_the_chapter_is_as_it_was(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/book/cells.html")
    assert [door.is_visible() for door in page.locator(".live-door").all()] == [False, False]
    assert "the area is 9.0" in page.locator(".cell_output").first.inner_text()
    context.close()
