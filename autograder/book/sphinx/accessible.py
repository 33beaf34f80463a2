"""Mend what the theme and its helpers write that a screen reader stumbles over, or a browser that keeps nothing.

The tests of tests/browser hold the result.

The mistakes are in templates and in extensions that the book does not own, so the finished pages
are corrected: few words each, the same at every build.
"""

import re

from sphinx.application import Sphinx

from autograder.book.sphinx.finishing import unfinished_pages

# Where a browser refuses storage, the theme's scripts would end at their first line.
STORAGE = """<script>
    try { localStorage.length; } catch {
      const kept = new Map();
      const value = {
        isBrief: true,
        getItem: name => kept.get(name) ?? null,
        setItem: (name, text) => { kept.set(name, String(text)); },
        removeItem: name => { kept.delete(name); },
      };
      for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value });
    }
  </script>
  <script>"""
MENDED = (
    (r'<script data-cfasync="false">(?=\s*document\.documentElement\.dataset\.mode)', STORAGE),
    # Colours are those of a theme, which a script chooses: without scripts there would be none.
    (r'(<html [^>]*data-theme=)"auto"', r'\1"light"'),
    # A name that hides the words on the screen: who says "click show the code" would not be understood.
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    (r'(<button class="btn search-button-field[^>]*) aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*) title="[^"]*"', r"\1"),
    # The name of the book stands beside the navigation, outside every landmark.
    (r'(<div id="pst-primary-sidebar" class="[^"]*")>', r'\1 role="navigation" aria-label="Book">'),
    # Every proof of a page would have the same id.
    (r' id="proof(?:-content)?"', ""),
    (r' role="doc-biblioentry"', ' role="listitem"'),
    # The theme draws each icon by a font and, with half a megabyte of script, once more: the font is enough.
    (r"<script[^>]*scripts/fontawesome\.js[^>]*></script>\s*", ""),
    (r"<link[^>]*scripts/fontawesome\.js[^>]*>\s*", ""),
    (r'<i (?=class="[^"]*\bfa)(?![^>]*aria-hidden)', '<i aria-hidden="true" '),
)


def mend_pages(app: Sphinx, error: Exception | None) -> None:
    """Correct the finished pages; a page that needs nothing keeps its date."""
    if error is not None or app.builder.format != "html":
        return
    for path in unfinished_pages(app):
        before = after = path.read_text("utf-8")
        for pattern, replacement in MENDED:
            after = re.sub(pattern, replacement, after)
        if after != before:
            path.write_text(after, "utf-8")


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", mend_pages)
