"""Stand-ins for Jupyter, where it is not."""

import subprocess
import sys

from autograder.book.live import chapters
from autograder.live.notebook import REPLACEMENT_MODULES
from tests.conftest import ROOT

HIDING = f"""
import importlib.util, sys
real = importlib.util.find_spec
hidden = {sorted({name.partition(".")[0] for name in REPLACEMENT_MODULES})!r}
importlib.util.find_spec = lambda name, package=None: None if name in hidden else real(name, package)
sys.path.insert(0, {str(ROOT)!r})
from autograder.live.notebook import install_replacements
install_replacements()
from IPython.display import HTML, Markdown
from matplotlib_inline.backend_inline import set_matplotlib_formats
from myst_nb import glue
assert set_matplotlib_formats("svg") is None and glue("a", 1, display=False) is None
assert repr(Markdown("*one*")) == "*one*" and "<b>" not in repr(HTML("<b>"))
"""


def test_pages_import_what_they_name_of_jupyter_where_jupyter_is_not():
    subprocess.run([sys.executable, "-c", HIDING], check=True)


def test_where_jupyter_is_it_stays():
    import IPython.display

    from autograder.live.notebook import HTML, install_replacements

    install_replacements()
    assert IPython.display.HTML is not HTML


def test_the_book_counts_on_these_stand_ins():
    assert set(chapters.NOTEBOOK_PACKAGES) == {name.partition(".")[0] for name in REPLACEMENT_MODULES}
