"""The drawings of the chapter on classical multidimensional scaling."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial.distance import cdist

from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SHADES, Array, arrow, plane
from dimred_ref.classical_mds import classical_mds, gram_spectrum
from dimred_ref.procrustes import similarity_alignment

NUDGED = {  # where a name would meet another point or name: offsets in points
    "ORD": (-8, 6),
    "DTW": (-2, 7),
    "IAD": (6, -4),
    "JFK": (6, -4),
    "BOS": (6, 2),
    "LAX": (-27, -2),
    "SAN": (-8, -14),
    "BNA": (6, -5),
    "STL": (3, 5),
    "MCI": (-12, 6),
    "PHX": (-6, -13),
    "SFO": (-27, -2),
    "DFW": (5, 4),
    "IAH": (-10, -14),
    "MSY": (5, -8),
    "MSP": (-12, 6),
    "ATL": (6, -5),
    "DEN": (-10, 6),
    "SLC": (-12, 6),
    "ABQ": (6, -4),
}


def laid_out(embedding: Array, positions: Array) -> Array:
    """Turn a map so that north is up and east is right, as readers expect of a map; lengths stay."""
    latitude, longitude = np.radians(positions).T
    flat = np.column_stack([longitude * np.cos(latitude.mean()), latitude])
    turned: Array = (embedding - embedding.mean(axis=0)) @ similarity_alignment(embedding, flat).rotation
    return turned


def table_and_map(distances: Array, embedding: Array, codes: Sequence[str]) -> Figure:
    """Draw a map, and in its empty corner the table of distances that it was made from, as shades of grey."""
    fig, ax = plt.subplots(figsize=(7.2, 4.3))
    _named_points(ax, embedding, codes)
    plane(ax)
    _scale_bar(ax, embedding, 1000.0)
    corner = ax.inset_axes((0.0, 0.47, 0.27, 0.53))
    corner.imshow(distances, cmap="gray_r", interpolation="nearest")
    corner.set_xticks([])
    corner.set_yticks(
        [codes.index(code) for code in ("ANC", "HNL", "SJU")], ("ANC", "HNL", "SJU"), fontsize=9
    )
    fig.tight_layout()
    return fig


def _named_points(ax: Axes, points: Array, codes: Sequence[str]) -> None:
    ax.plot(*points.T, "o", color=BLUE, markersize=4)
    for place, code in zip(points, codes, strict=True):
        ax.annotate(code, place, NUDGED.get(code, (6, 2)), textcoords="offset points", fontsize=9)
    ax.margins(0.09)


def _scale_bar(ax: Axes, points: Array, length: float) -> None:
    left, low = points.min(axis=0) - [0, 500]
    ax.plot([left, left + length], [low, low], color=INK, linewidth=2.5, solid_capstyle="butt")
    ax.text(left + length / 2, low + 120, f"{length:.0f} km", ha="center", fontsize=9)


def law_of_cosines() -> Figure:
    """Draw points about their centroid, with one triangle of centroid and two points."""
    points = np.array([[2.2, 1.3], [-1.9, 1.5], [-1.2, -1.4], [0.9, -1.4]])
    fig, ax = plt.subplots(figsize=(5, 3.5))
    first, second = points[:2]
    ax.plot(*np.array([first, second]).T, color=ORANGE, linestyle="--", linewidth=2)
    for point in points[:2]:
        arrow(ax, np.zeros(2), point, BLUE)
    ax.plot(*points.T, "o", color=INK, markersize=6)
    ax.plot(0, 0, "s", color=ORANGE, markersize=7)
    words = (
        ((2.32, 1.4), "$x_i$", INK),
        ((-2.2, 1.6), "$x_j$", INK),
        ((0.15, 1.62), r"$\Delta_{ij}$", ORANGE),
        ((1.3, 0.45), r"$\|x_i\|$", BLUE),
        ((-1.75, 0.55), r"$\|x_j\|$", BLUE),
        ((-0.15, -0.42), "mean", INK),
    )
    for place, text, color in words:
        ax.text(*place, text, color=color, fontsize=12)
    plane(ax)
    ax.margins(0.12)
    return fig


def spectra(named: dict[str, Array]) -> Figure:
    """Draw eigenvalues as shares of the largest, the negative ones hatched and below the line."""
    fig, axes = plt.subplots(1, len(named), figsize=(8, 2.9))
    for ax, (name, values) in zip(np.atleast_1d(axes), named.items(), strict=True):
        shares = values / values[0]
        colors = np.where(shares >= 0, BLUE, ORANGE)
        bars = ax.bar(np.arange(1, len(shares) + 1), shares, color=colors, width=0.8)
        for bar, share in zip(bars, shares, strict=True):
            if share < 0:
                bar.set_hatch("////")
        ax.axhline(0, color=GREY, linewidth=0.8)
        ax.set_title(name)
        ax.set_yscale("symlog", linthresh=0.003, linscale=0.4)
        ax.set(xlabel=r"number $\alpha$", ylim=(-0.5, 1.3))
        ax.set_yticks([-0.1, -0.01, 0, 0.01, 0.1, 1], ["−0.1", "−0.01", "0", "0.01", "0.1", "1"])
        ax.minorticks_off()
    np.atleast_1d(axes)[0].set_ylabel(r"$\lambda_\alpha/\lambda_1$")
    fig.tight_layout()
    return fig


def four_cycle(by_strain: Array, by_stress: Array) -> Figure:
    """Draw two squares: the maps of four stations on a ring by strain and by stress."""
    fig, axes = plt.subplots(1, 2, figsize=(7.4, 3.3), sharex=True, sharey=True)
    for ax, Y, name, color in zip(
        axes, (by_strain, by_stress), ("strain", "stress"), (BLUE, ORANGE), strict=True
    ):
        ring = np.vstack([Y, Y[:1]])
        ax.plot(*ring.T, "-o", color=color)
        ax.plot(*Y[[0, 2]].T, "--", color=PALE, linewidth=1)
        ax.plot(*Y[[1, 3]].T, "--", color=PALE, linewidth=1)
        side, diagonal = np.linalg.norm(Y[0] - Y[1]), np.linalg.norm(Y[0] - Y[2])
        plane(ax, f"least {name}\nsides {side:.2f} for 1, diagonals {diagonal:.2f} for 2")
    fig.tight_layout()
    return fig


def newcomers(embedding: Array, placed: Array, truth: Array, codes: Sequence[str]) -> Figure:
    """Draw a map, the points placed on it afterwards, and where a map of all would have put them."""
    fig, ax = plt.subplots(figsize=(7, 3.8))
    ax.plot(*embedding.T, "o", color=PALE, markersize=4, label="in the table")
    ax.plot(*truth.T, "o", color=BLUE, markersize=9, fillstyle="none", label="map made of all")
    ax.plot(*placed.T, "x", color=ORANGE, markersize=7, markeredgewidth=2, label="placed afterwards")
    beside = {"LAX": (-34, -3), "PHX": (-10, -18)}  # to the right of these stands another point
    for place, code in zip(placed, codes, strict=True):
        ax.annotate(code, place, beside.get(code, (8, 4)), textcoords="offset points", fontsize=10)
    plane(ax)
    _scale_bar(ax, np.vstack([embedding, placed]), 1000.0)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return fig


def arches(maps: dict[str, Array]) -> Figure:
    """Draw maps of points on a line, in the order of the line, from dark to light."""
    fig, axes = plt.subplots(1, len(maps), figsize=(8, 2.7))
    for ax, (name, Y) in zip(axes, maps.items(), strict=True):
        ax.plot(*Y.T, color=PALE, linewidth=1)
        ax.scatter(*Y.T, c=np.arange(len(Y)), cmap=SHADES, s=22, zorder=3)
        plane(ax, name)
        ax.margins(0.1)
        low, high = ax.get_ylim()
        if high - low < 0.2 * np.ptp(Y):  # a straight line needs some height to be seen
            ax.set_ylim(-0.3 * np.ptp(Y), 0.3 * np.ptp(Y))
    fig.tight_layout()
    return fig


def arc_slider(angles: list[int], *, n_points: int) -> HTML:
    """Draw points of an arc, their map and their spectrum, with a slider over the angle of the arc."""
    frames = []
    for angle in angles:
        arc = np.radians(angle) * (np.arange(n_points) + 0.5) / n_points
        gaps = np.abs(arc[:, None] - arc[None, :])
        distances = np.minimum(gaps, 2 * np.pi - gaps)
        values = gram_spectrum(distances)
        negative = np.abs(values[values < 0]).sum() / np.abs(values).sum()
        words = f"Arc of {angle}°: " + (
            "Euclidean, a straight line keeps every distance."
            if negative < 1e-9
            else f"not Euclidean, {negative:.0%} of the absolute eigenvalues are negative."
        )
        frames.append(Frame(_arc_frame(arc, distances, values), words))
    titles = "".join(
        f'<text x="{x}" y="18" text-anchor="middle">{words}</text>'
        for x, words in ((105, "on the arc"), (320, "its map"), (535, "eigenvalues"))
    )
    alt = "Left, points on an arc of a circle; middle, their map; right, bars for the eigenvalues, some below zero"
    return slider(
        frames,
        Scene((0, 0, 640, 260), alt, titles + '<path d="M440 170H630" stroke="var(--pale)"/>'),
        label="Angle of the arc",
        caption="Distances are measured along the circle, the shorter way round. Up to 180° that is along the arc, "
        "so the points could as well lie on a straight line, and the map is that line. Beyond, the ends come nearer "
        "to each other by the other way. No straight line can do that: the map bends, and negative eigenvalues appear.",
    )


def _arc_frame(arc: Array, distances: Array, values: Array) -> str:
    circle = np.column_stack([105 + 80 * np.cos(arc), 140 - 80 * np.sin(arc)])
    full = np.linspace(0, 2 * np.pi, 91)
    outline = np.column_stack([105 + 80 * np.cos(full), 140 - 80 * np.sin(full)])
    Y = _plane_map(distances, int((values > 1e-9 * values[0]).sum()))
    Y = np.array([320, 140]) + 48 * similarity_free(Y, circle)
    marks = [
        f'<path d="{path(outline)}" fill="none" stroke="var(--pale)"/>',
        _dots(circle, "blue"),
        _dots(Y, "blue"),
    ]
    for j, share in enumerate(values / values[0]):
        height = 125 * abs(share)
        top, color = (170 - height, "ink") if share > 0 else (170, "orange")
        x = 442 + 188 * j / len(values)
        marks.append(
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{130 / len(values):.1f}" height="{height:.1f}" '
            f'fill="var(--{color})"/>'
        )
    return "".join(marks)


def _plane_map(distances: Array, n_positive: int) -> Array:
    embedding = classical_mds(distances, min(2, n_positive)).embedding
    padded: Array = np.pad(embedding, ((0, 0), (0, 2 - embedding.shape[1])))
    return padded


def similarity_free(Y: Array, target: Array) -> Array:
    """Turn and mirror a map towards a target, at its own size."""
    turned: Array = Y @ similarity_alignment(Y, target).rotation
    return turned


def _dots(points: Array, color: str) -> str:
    return "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--{color})"/>' for x, y in points)


def distance_errors(distances: Array, embeddings: dict[str, Array]) -> Figure:
    """Draw errors of mapped distances against the distances, for several maps."""
    fig, axes = plt.subplots(1, len(embeddings), figsize=(8, 2.8), sharey=True)
    upper = np.triu_indices(len(distances), 1)
    for ax, (name, Y), color in zip(axes, embeddings.items(), (BLUE, ORANGE), strict=True):
        ax.axhline(0, color=GREY, linewidth=0.8)
        ax.plot(distances[upper], (cdist(Y, Y) - distances)[upper], ".", color=color, markersize=4)
        ax.set_title(name)
        ax.set_xlabel("distance in the table, km")
        ax.tick_params(labelleft=True)  # on a phone each stands alone
    axes[0].set_ylabel("error of the map, km")
    fig.tight_layout()
    return fig
