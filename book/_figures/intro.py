"""Pictures of the introduction: one cloud seen from three sides, and the map of the course."""

import html
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from _figures.style import BLUE, ORANGE, Array, plane


def spiral_galaxy() -> Array:
    """Two spiral arms in a thin disc that is tilted in space: 400 points in three dimensions."""
    rng = np.random.default_rng(1)
    turn = np.sqrt(rng.uniform(0.02, 1, 400)) * 2.3 * np.pi
    arm = np.where(np.arange(400) % 2, np.pi, 0.0)
    disc = np.column_stack([turn * np.cos(turn + arm), 0.75 * turn * np.sin(turn + arm), np.zeros(400)])
    disc += rng.normal(scale=0.28, size=disc.shape)
    # The normal of the disc is nearly at right angles to the first axis: from there it looks thin.
    normal_first = np.array([[0.18, 1.0, 0.0], [0.7, 0.0, 1.0], [0.7, 0.3, 0.0]])
    tilt = np.linalg.qr(normal_first)[0][:, [1, 2, 0]]
    return disc @ tilt.T + np.array([4.0, -2.0, 6.0])


def three_views(views: dict[str, Array]) -> Figure:
    """Draw three flat views of one cloud, all on one scale: two above, and the third below them."""
    fig = plt.figure(figsize=(4.4, 4.6))  # narrow enough for a phone to show all three
    grid = fig.add_gridspec(2, 4)
    axes = [fig.add_subplot(grid[row, left : left + 2]) for row, left in ((0, 0), (0, 2), (1, 1))]
    reach = 1.05 * max(np.abs(view).max() for view in views.values())
    for ax, (title, view) in zip(axes, views.items(), strict=True):
        odd = np.arange(len(view)) % 2 == 1
        ax.scatter(*view[odd].T, s=9, color=ORANGE, marker="o", linewidths=0)
        ax.scatter(*view[~odd].T, s=13, color=BLUE, marker="x", linewidths=0.9)
        plane(ax, title)
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
    fig.tight_layout()
    return fig


@dataclass(frozen=True)
class Chapter:
    """A chapter on the map: where it stands there, what it is called, what it rests on."""

    place: tuple[float, int]  # column and row of the map
    lines: tuple[str, ...]  # its name, broken for a small box
    needs: tuple[str, ...] = ()


CHAPTERS = {
    "geometry": Chapter((0, 0), ("Why reduce", "dimension?")),
    "toolkit": Chapter((1, 0), ("Linear-algebra", "toolkit")),
    "covariance": Chapter((0, 1), ("Covariance",), ("toolkit",)),
    "pca": Chapter((0, 2), ("Principal", "components"), ("covariance",)),
    "svd": Chapter((2, 1), ("Singular value", "decomposition"), ("toolkit",)),
    "svd_stability": Chapter((1, 2), ("Stability", "and speed"), ("svd",)),
    "pca_error": Chapter((0, 3), ("PCA: error,", "algorithm"), ("pca",)),
    "least_squares": Chapter((2, 3), ("Least squares,", "ridge"), ("svd",)),
    "practice": Chapter((0, 4), ("PCA", "in practice"), ("pca_error",)),
    "practice_model": Chapter((1, 3), ("PCA as", "a model"), ("pca_error",)),
    "duality": Chapter((1, 4), ("Duality",), ("pca_error", "svd")),
    "lle": Chapter((2, 4), ("Locally linear", "embedding"), ("least_squares",)),
    "kernel_pca": Chapter((0, 5), ("Kernel PCA",), ("duality",)),
    "classical_mds": Chapter((1, 5), ("Classical", "scaling"), ("duality",)),
    "classical_mds_stress": Chapter((2, 6), ("Tables without", "a map; stress"), ("classical_mds",)),
    "laplacian_eigenmaps": Chapter((2, 5), ("Laplacian", "eigenmaps")),
    "kernel_pca_unified": Chapter((0, 6), ("The unified", "view"), ("kernel_pca",)),
    "isomap": Chapter((1, 6), ("Isomap",), ("classical_mds",)),
    "isomap_limits": Chapter((0, 7), ("Isomap: is the", "map right?"), ("isomap",)),
    "mvu": Chapter((1, 7), ("Variance", "unfolding"), ("isomap",)),
    "mvu_dual": Chapter((1, 8), ("Unfolding:", "tensions"), ("mvu",)),
    "conformal_eigenmaps": Chapter((2, 7), ("Conformal", "eigenmaps"), ("laplacian_eigenmaps", "mvu")),
    "gallery": Chapter((2, 8), ("Gallery",), ("mvu", "conformal_eigenmaps")),
}
BOX_WIDTH, BOX_HEIGHT, STEP_X, STEP_Y = 112, 46, 122, 74
MAP_STYLE = """<style>
.course-map { --ink: #222222; --pale: #767676; --ground: #eef4f9; margin: 1rem auto; text-align: center; }
.course-map svg { display: block; width: 100%; max-width: 560px; height: auto; margin: 0 auto 0.5rem; }
.course-map text { fill: var(--ink); font-size: 14px; text-anchor: middle; }
.course-map rect { fill: var(--ground); stroke: var(--pale); }
.course-map .is-read rect { stroke: #2e8b57; stroke-width: 3; }
.course-map [data-page] { cursor: pointer; }
.course-map path { fill: none; stroke: var(--pale); stroke-width: 1.6; }
.course-map marker path { fill: var(--pale); stroke: none; }
html[data-theme="dark"] .course-map { --ink: #e6e6e6; --pale: #9a9a9a; --ground: #22303c; }
.bd-content div.cell_output .text_html:has(.course-map) {
  background: none !important; color: inherit !important; padding: 0;
}
</style>"""


def course_map(chapters: dict[str, Chapter]) -> HTML:
    """Draw the chapters as boxes with an arrow from each to those that rest on it: narrow, for a phone."""
    boxes, arrows = [], []
    for page, chapter in chapters.items():
        left, top = _corner(chapter)
        middle = top + BOX_HEIGHT / 2 + 5 - 9 * (len(chapter.lines) - 1)
        lines = [
            f'<text x="{left + BOX_WIDTH / 2}" y="{middle + 18 * row}">{html.escape(line)}</text>'
            for row, line in enumerate(chapter.lines)
        ]
        box = f'<rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        boxes.append(f'<g data-page="{page}">{box}{"".join(lines)}</g>')  # scripts mark what was read
        arrows += [_arrow(_corner(chapters[need]), (left, top)) for need in chapter.needs]
    rows = 1 + max(chapter.place[1] for chapter in chapters.values())
    width, height = 2 * STEP_X + BOX_WIDTH + 4, (rows - 1) * STEP_Y + BOX_HEIGHT + 4
    return HTML(f"""<figure class="course-map">
{MAP_STYLE}
<svg viewBox="-2 -2 {width} {height}" role="img" aria-label="{html.escape(_in_words(chapters))}">
<defs><marker id="course-map-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0L8 4L0 8z"/></marker></defs>
{"".join(arrows)}{"".join(boxes)}</svg>
<figcaption>What rests on what, in the main lines: an arrow leads from a chapter to one that builds on it. The cards
below say what each chapter is about, and name all that it needs.</figcaption>
</figure>""")


def _corner(chapter: Chapter) -> tuple[float, float]:
    column, row = chapter.place
    return STEP_X * column, STEP_Y * row


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """From the lower edge of a box to the upper edge of another, or sideways within a row."""
    x, y = start[0] + BOX_WIDTH / 2, start[1] + BOX_HEIGHT
    to_x, to_y = end[0] + BOX_WIDTH / 2, end[1]
    if to_y < y:  # the same row: from side to side
        sign = 1 if end[0] > start[0] else -1
        x, to_x = x + sign * BOX_WIDTH / 2, to_x - sign * BOX_WIDTH / 2
        return f'<path d="M{x} {y - BOX_HEIGHT / 2}H{to_x}" marker-end="url(#course-map-tip)"/>'
    high = to_y - 9  # above the tip the line is upright, so that it meets the tip in the middle
    bend = (high - y) / 2
    curve = f"M{x} {y}C{x} {y + bend} {to_x} {high - bend} {to_x} {high}V{to_y}"
    return f'<path d="{curve}" marker-end="url(#course-map-tip)"/>'


def _in_words(chapters: dict[str, Chapter]) -> str:
    names = {stem: " ".join(chapter.lines).replace(",", "") for stem, chapter in chapters.items()}
    parts = [
        f"{names[stem]} rests on {' and '.join(names[need] for need in chapter.needs)}"
        for stem, chapter in chapters.items()
        if chapter.needs
    ]
    return "A map of the chapters. " + ". ".join(parts) + "."
