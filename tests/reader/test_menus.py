"""Parts of the sidebar that are not for readers are folded."""

import pytest

from autograder.book.sphinx.menus import fold_part

NAV = """<p aria-level="2" class="caption" role="heading"><span class="caption-text">Chapters</span></p>
<ul class="nav"><li class="toctree-l1 current active"><a href="#">One</a></li></ul>
<p aria-level="2" class="caption" role="heading"><span class="caption-text">Q &amp; A</span></p>
<ul class="nav"><li class="toctree-l1"><a href="two.html">Two</a><ul><li>Three</li></ul></li></ul>
</div>"""


def test_a_part_is_folded_with_the_lists_inside_it_and_the_rest_stays():
    folded = fold_part(NAV, "Q & A")
    assert folded.startswith(NAV[: NAV.index("<p", 3)])
    assert folded.endswith("<ul><li>Three</li></ul></li></ul></details>\n</div>")
    assert '<details class="folded-part"><summary' in folded


def test_the_part_of_the_page_itself_is_open():
    assert '<details class="folded-part" open>' in fold_part(NAV, "Chapters")


@pytest.mark.parametrize("text", ["", "<p>Chapters</p>"])
def test_a_page_without_the_part_stays(text):
    assert fold_part(text, "Chapters") == text
