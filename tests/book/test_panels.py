"""Pictures that are cut into panels for narrow screens: where a figure may be cut, and what the page gets."""

import io
import re
import sys

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from autograder.book.sphinx.panels import with_panels
from tests.conftest import ROOT

SVG = '<svg data-panels="{panels}" width="600pt" height="200pt" viewBox="0 0 600 200"></svg>'
TWO = "10,20,250,160 300,0,200,200"


@pytest.fixture
def page(tmp_path):
    """A page with one picture in two panels: `page(caption)` returns its text with the panels."""
    (tmp_path / "a.svg").write_text(SVG.format(panels=TWO), "utf-8")

    def written(caption="Two clouds.", attributes='alt="Two &lt;clouds&gt;." '):
        text = f'<figure><img {attributes}src="a.svg" /><figcaption>{caption}</figcaption></figure>'
        return with_panels(text, tmp_path)

    return written


def test_each_panel_is_a_window_on_the_picture(page):
    text = page()
    assert text.count('<img src="a.svg" alt="" loading="lazy"') == 2
    assert "width: 333px; aspect-ratio: 250 / 160" in text  # natural size: 4/3 pixels for a point
    assert "width: 240.00%; left: -4.00%; top: -12.50%" in text  # 600/250, 10/250, 20/160
    assert 'role="img" aria-label="Two &lt;clouds&gt;."' in text


def test_a_page_is_cut_once(page, tmp_path):
    assert with_panels(page(), tmp_path) == page()


def test_classes_of_a_picture_are_those_of_its_panels(page):
    text = page(attributes='class="on-paper" ')
    assert '<img class="in-panels on-paper" src="a.svg" />' in text
    assert '<span class="panels on-paper">' in text


@pytest.mark.parametrize(
    ("caption", "is_told"), [("Left, a cloud.", True), ("Two clouds.", False), ("A right angle.", False)]
)
def test_a_caption_that_says_left_is_told_apart(page, caption, is_told):
    assert ("left comes first" in page(caption)) == is_told


@pytest.mark.parametrize("name", ["none.svg", "plain.svg", "a.png"])
def test_other_pictures_stay_as_they_are(tmp_path, name):
    (tmp_path / "plain.svg").write_text('<svg viewBox="0 0 600 200"></svg>', "utf-8")
    text = f'<img alt="A cloud." src="{name}" />'
    assert with_panels(text, tmp_path) == text


@pytest.fixture
def panels(monkeypatch):
    """The module of the book that finds panels, without the pages' settings of matplotlib."""
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    with mpl.rc_context():
        from _figures import panels

        yield panels
    sys.modules.pop("_figures.panels", None)


def boxes_of(panels, svg):
    said = svg.partition('data-panels="')[2].partition('"')[0]
    return [tuple(map(float, box.split(","))) for box in said.split()]


def drawn(panels, rows, columns, figsize, words="a cloud", **options):
    fig = Figure(figsize=figsize, **options)
    for ax in fig.subplots(rows, columns, squeeze=False).ravel():
        ax.plot([1, 2, 3])
        ax.set_title(words)
        if not words:
            ax.set_axis_off()
    fig.tight_layout()
    return panels.drawn(fig)


def test_panels_side_by_side_are_cut_apart_from_left_to_right(panels):
    found = boxes_of(panels, drawn(panels, 1, 3, (8, 3)))
    assert len(found) == 3
    assert [left for left, *_ in found] == sorted(left for left, *_ in found)
    ends = [left + width for left, _, width, _ in found]
    assert all(end < start + 8 for end, (start, *_) in zip(ends, found[1:], strict=False))


def test_a_grid_is_read_row_by_row_or_down_its_columns(panels):
    across = boxes_of(panels, drawn(panels, 2, 2, (8, 6)))
    assert across[0][1] == pytest.approx(across[1][1], abs=3)  # the first two stand side by side
    assert across[2][1] > across[1][1] + 100
    down = boxes_of(panels, drawn(panels, 2, 2, (8, 6), label=panels.READ_DOWN))
    assert len(down) == 2  # a column is narrow enough
    assert down[0][0] < down[1][0]


@pytest.mark.parametrize(("rows", "columns", "figsize"), [(1, 1, (8, 3)), (3, 1, (8, 6)), (1, 2, (4, 2))])
def test_what_would_not_become_narrower_is_left_whole(panels, rows, columns, figsize):
    assert boxes_of(panels, drawn(panels, rows, columns, figsize)) == []


def test_without_words_a_picture_may_shrink(panels):
    assert len(boxes_of(panels, drawn(panels, 1, 1, (8, 3), words=""))) == 1


def test_a_legend_below_is_a_panel_of_its_own(panels):
    fig = Figure(figsize=(8, 3))
    for ax in fig.subplots(1, 2):
        (line,) = ax.plot([1, 2, 3])
    fig.legend([line], ["a line"], loc="upper center", bbox_to_anchor=(0.5, 0))
    left, right, legend = boxes_of(panels, panels.drawn(fig))
    assert legend[1] > max(left[1] + left[3], right[1] + right[3]) - 8


def test_a_picture_is_drawn_once_and_cut_as_matplotlib_would(panels, monkeypatch):
    fig = Figure(figsize=(8, 3))
    axes = fig.subplots(1, 2)
    axes[0].set_title("a title above")
    axes[1].legend([axes[1].plot([1, 3, 2])[0]], ["a line"], loc="lower left", bbox_to_anchor=(1, 0))
    file = io.StringIO()
    fig.savefig(file, format="svg", bbox_inches="tight")
    size = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
    expected = [float(number) for number in size.search(file.getvalue()).groups()]
    drawings = []
    draw = Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda fig, renderer: drawings.append(draw(fig, renderer)))
    found = [float(number) for number in size.search(panels.drawn(fig)).groups()]
    assert len(drawings) == 1
    assert found == pytest.approx(expected, abs=0.01)
