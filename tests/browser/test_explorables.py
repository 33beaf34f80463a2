"""Explorables in the browser: moved by mouse and keys, they show the numbers of the reference; a still for others."""

import functools
import importlib
import shutil
import sys

import numpy as np
import pytest

from dimred_ref.pca import pca
from dimred_ref.svd import thin_svd
from tests.browser.accessibility import violations
from tests.browser.conftest import opened
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

SCRIPTS = ROOT / "book/_static/explore"
PICTURES = sorted(path.stem for path in SCRIPTS.glob("*.mjs") if path.stem != "load")
PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{name}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="{scripts}/explore.css"><main><h1>{name}</h1>{figure}</main>
<script type="module" src="{scripts}/load.mjs"></script></html>"""
# What takes arrow keys and does not say so to a screen reader, which would keep them for itself.
KEEPS_ARROW_KEYS = """[...document.querySelectorAll(".live svg[tabindex], .live .point")]
  .filter(element => !element.closest("[role=application]")).map(element => element.outerHTML.slice(0, 80))"""
LIVE = "document.querySelector('figure.is-live')?.explorable !== undefined"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a page for each picture and theme, and one whose scripts are broken."""
    root = tmp_path_factory.mktemp("explorables")
    shutil.copytree(SCRIPTS, root / "explore")
    shutil.copytree(SCRIPTS, root / "broken")
    (root / "broken/lib/stage.mjs").write_text("throw new Error('broken on purpose');", "utf-8")
    sys.path.insert(0, str(ROOT / "book"))
    try:
        pictures = importlib.import_module("_figures.explorable_pictures")
        for name in PICTURES:
            page = functools.partial(PAGE.format, name=name, figure=getattr(pictures, name)().data)
            for theme in ("light", "dark"):
                (root / f"{name}-{theme}.html").write_text(page(theme=theme, scripts="explore"), "utf-8")
            (root / f"{name}-broken.html").write_text(page(theme="light", scripts="broken"), "utf-8")
    finally:
        sys.path.remove(str(ROOT / "book"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "_figures"]:
            del sys.modules[name]
    return root


@pytest.fixture
def look(chromium, serve, folder):
    """Open a picture and wait until it is live: `look("cloud", theme="dark")` returns a Visit."""
    address, visits = serve(folder), []

    def open_picture(name, theme="light", *, is_live=True, width=900):
        visit = opened(chromium, f"{address}/{name}-{theme}.html", width=width)
        visits.append(visit)
        if is_live:
            visit.page.wait_for_function(LIVE)
        return visit

    yield open_picture
    for visit in visits:
        visit.page.context.close()


def state_of(page):
    return page.evaluate("document.querySelector('figure').explorable")


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_live_picture_breaks_no_rule_of_access(look, name, theme):
    visit = look(name, theme)
    assert violations(visit.page) == []
    assert visit.errors == []
    assert not visit.page.locator(".still").is_visible()
    assert len(visit.page.locator(".live .words").inner_text()) > 30
    assert visit.page.evaluate(KEEPS_ARROW_KEYS) == []


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_fits_a_phone(look, name):
    page = look(name, width=390).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", PICTURES)
def test_the_still_stays_when_a_script_fails(look, name):
    page = look(name, "broken", is_live=False).page
    page.wait_for_timeout(500)
    assert page.locator(".still").is_visible()
    assert page.locator(".live").count() == 0


@pytest.mark.parametrize("name", PICTURES)
def test_paper_shows_the_still(look, name):
    page = look(name).page
    page.emulate_media(media="print")
    assert page.locator(".still").is_visible()
    assert not page.locator(".live").is_visible()


@pytest.mark.parametrize("name", PICTURES)
def test_the_wrong_thing_happens_and_can_be_undone(look, name):
    page = look(name).page
    page.wait_for_timeout(200)
    before = page.locator(".words").inner_text()
    button = page.locator("button.wrong")
    button.press("Enter")
    page.wait_for_function("words => document.querySelector('.words').textContent !== words", arg=before)
    assert button.get_attribute("aria-pressed") == "true"
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    wrong = page.locator(".words").inner_text()
    page.wait_for_timeout(800)
    assert page.locator(".only-heard").inner_text() == page.locator(".words").inner_text()
    assert wrong


@pytest.mark.parametrize("name", PICTURES)
def test_start_again_undoes_the_mistake_and_lets_its_button_go(look, name):
    page = look(name).page
    page.wait_for_timeout(200)
    before = page.locator(".words").inner_text()
    button = page.locator("button.wrong")
    button.press("Enter")
    page.wait_for_function("words => document.querySelector('.words').textContent !== words", arg=before)
    page.get_by_role("button", name="Start again").press("Enter")
    page.wait_for_function("words => document.querySelector('.words').textContent === words", arg=before)
    assert button.get_attribute("aria-pressed") == "false"
    button.press("Enter")
    page.wait_for_function("words => document.querySelector('.words').textContent !== words", arg=before)


def test_a_plucked_graph_swings_unless_motion_is_unwanted(look):
    page = look("modes").page
    page.locator(".drawings svg").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('figure').explorable.state.time > 0.2")
    page.get_by_role("button", name="Hold still").press("Enter")
    held = state_of(page)["state"]["time"]
    page.wait_for_timeout(200)
    assert state_of(page)["state"]["time"] == held
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_function(LIVE)
    page.locator(".drawings svg").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert state_of(page)["state"]["time"] == 0
    assert not page.get_by_role("button", name="Let it swing").is_visible()


def test_a_finger_brushes_by_a_tap(look):
    page = look("linked").page
    before = state_of(page)["state"]["point"]
    box = page.locator(".drawings svg").nth(1).bounding_box()
    place = {"clientX": box["x"] + 0.2 * box["width"], "clientY": box["y"] + 0.6 * box["height"]}
    page.locator(".drawings svg").nth(1).dispatch_event(
        "pointerdown", {**place, "pointerType": "touch", "isPrimary": True, "bubbles": True}
    )
    page.wait_for_function(
        "point => document.querySelector('figure').explorable.state.point !== point", arg=before
    )
    assert state_of(page)["state"]["source"] == 1


def test_a_point_moves_by_keys_and_the_shown_numbers_are_those_of_pca(look):
    page = look("cloud").page
    before = state_of(page)["state"]["points"]
    point = page.locator(".point[tabindex='0']")
    point.focus()
    for key in ("ArrowRight", "Shift+ArrowUp", "PageDown", "ArrowLeft"):
        page.keyboard.press(key)
    after = state_of(page)
    moved = np.reshape(np.array(after["state"]["points"]) - before, (-1, 2))
    assert moved[0][0] > 0
    assert moved[0][1] > 3 * moved[0][0]
    assert moved[1][0] < 0
    assert not moved[2:].any()
    fit = pca(np.reshape(after["state"]["points"], (-1, 2)), 2)
    np.testing.assert_allclose(after["shown"]["variances"], fit.variances, rtol=1e-8)
    share = fit.variances[0] / fit.total_variance
    assert f"{100 * share:.1f} %" in page.locator(".words").inner_text()


def test_the_mouse_moves_the_point_that_it_took(look):
    page = look("cloud").page
    before = np.reshape(state_of(page)["state"]["points"], (-1, 2))
    mark = page.locator(".live .point").nth(4).bounding_box()
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 30, steps=3)
    page.wait_for_timeout(100)
    page.mouse.up()
    moved = np.reshape(state_of(page)["state"]["points"], (-1, 2)) - before
    assert np.count_nonzero(moved.any(axis=1)) == 1
    [step] = moved[moved.any(axis=1)]
    assert step == pytest.approx((60 / 42, 30 / 42), abs=0.25)


def test_a_bar_is_changed_by_keys_as_a_slider_is(look):
    page = look("spectrum").page
    page.locator("[role=slider]").nth(1).focus()
    page.keyboard.press("Home")
    after = state_of(page)
    assert after["state"]["values"][1] == 0
    page.keyboard.press("End")
    assert state_of(page)["shown"]["error"] == pytest.approx(0, abs=1e-9)
    sigma = page.evaluate(
        "JSON.parse(document.querySelector('script[type=\"application/json\"]').textContent).digit"
    )
    assert after["shown"]["error"] == pytest.approx(
        thin_svd(np.reshape(sigma, (8, 8))).singular_values[1], rel=1e-8
    )


def test_turning_by_keys_changes_the_shown_share(look):
    page = look("view").page
    before = state_of(page)["shown"]["shown"]
    page.locator(".drawings svg").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)
    after = state_of(page)
    assert after["shown"]["shown"] != before
    X, axes = np.reshape(after["state"]["points"], (-1, 3)), np.array(after["state"]["axes"])
    assert after["shown"]["shown"] == pytest.approx(
        np.var(X @ axes.T, axis=0).sum() / np.var(X, axis=0).sum(), rel=1e-8
    )
