"""Measure how tall the pages of the built book are, with in-depth parts folded and open.

`python -m benchmarks.pages [--blocks PAGE]` after `dimred book`; a screen is 900 pixels at a width of 1280.
"""

import argparse
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from autograder.book.pdf import chromium
from autograder.course import contents

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT = 1280, 900
FOLDS = "details.depth"
OPEN_ALL = f"for (const fold of document.querySelectorAll('{FOLDS}')) fold.open = true"
# The part of a page that can be read without opening anything, in pixels.
PAGE_HEIGHT = "document.querySelector('article.bd-article').getBoundingClientRect().height"
FIRST_PICTURE = """() => {
  const pictures = [...document.querySelectorAll('article figure img, article .slider-figure svg')];
  const shown = pictures.filter(picture => picture.getClientRects().length);
  const tops = shown.map(picture => picture.getBoundingClientRect().top + scrollY);
  return tops.length ? Math.min(...tops) : null;
}"""
BLOCKS = """() => {
  const rows = [];
  const walk = node => {
    for (const child of node.children) {
      if (child.tagName === 'SECTION') { walk(child); continue; }
      const box = child.getBoundingClientRect();
      if (box.height < 1) continue;
      const label = (child.id || child.querySelector('[id]')?.id || child.className).slice(0, 44);
      const words = [...child.innerText.replace(/\\s+/g, ' ')].slice(0, 70).join('');
      rows.push([Math.round(box.height), child.tagName, label, words]);
    }
  };
  walk(document.querySelector('article.bd-article'));
  return rows;
}"""


def measure(browser_page: Page, file: Path) -> dict[str, Any]:
    """Return the heights of one page in pixels, folded and open, and where its first picture begins."""
    browser_page.goto(file.as_uri())
    browser_page.wait_for_load_state("load")
    folded = browser_page.evaluate(PAGE_HEIGHT)
    picture = browser_page.evaluate(FIRST_PICTURE)
    n_folds = browser_page.locator(FOLDS).count()
    browser_page.evaluate(OPEN_ALL)
    return {
        "folded": folded,
        "open": browser_page.evaluate(PAGE_HEIGHT),
        "picture": picture,
        "n_folds": n_folds,
    }


def chapters() -> list[str]:
    """Return the names of the numbered pages of the book, in their order."""
    return [Path(entry.name).name for entry in contents.outline(ROOT) if entry.numbered]


def main() -> None:
    """Print a row for each page, or for each block of one page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", metavar="PAGE", help="list the blocks of this page instead")
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "html")
    options = parser.parse_args()
    options.site = options.site.resolve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        if options.blocks:
            page.goto((options.site / "book" / f"{options.blocks}.html").as_uri())
            for height, tag, label, words in page.evaluate(BLOCKS):
                print(f"{height:6} {tag:8} {label:44} {words}")
            return
        print(
            f"{'page':22}{'folded':>8}{'screens':>9}{'open':>8}{'screens':>9}{'folds':>7}{'picture at':>12}"
        )
        total = [0.0, 0.0]
        for name in chapters():
            sizes = measure(page, options.site / "book" / f"{name}.html")
            total = [total[0] + sizes["folded"], total[1] + sizes["open"]]
            print(
                f"{name:22}{sizes['folded']:8.0f}{sizes['folded'] / HEIGHT:9.1f}{sizes['open']:8.0f}"
                f"{sizes['open'] / HEIGHT:9.1f}{sizes['n_folds']:7}{sizes['picture'] or -1:12.0f}"
            )
        print(f"{'all':22}{total[0]:8.0f}{total[0] / HEIGHT:9.1f}{total[1]:8.0f}{total[1] / HEIGHT:9.1f}")


if __name__ == "__main__":
    main()
