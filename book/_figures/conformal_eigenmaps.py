"""The drawings of the chapter on conformal eigenmaps, in the style of `figures`."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, INK, ORANGE, PALE, SHADES, Array, plane
from dimred_ref.conformal_eigenmaps import ConformalEigenmaps
from dimred_ref.procrustes import similarity_alignment

Map = Callable[[Array, Array], Array]


def grids(maps: dict[str, Map]) -> Figure:
    """Draw what maps of the plane do to a grid and to small circles."""
    fig, panels = plt.subplots(1, len(maps), figsize=(8, 3.0))
    ticks, fine = np.linspace(0, 1, 7), np.linspace(0, 1, 60)
    angles = np.linspace(0, 2 * np.pi, 50)
    for ax, (title, image) in zip(panels, maps.items(), strict=True):
        for tick in ticks:
            ax.plot(*image(0.4 + np.full(60, tick), fine).T, color=PALE, linewidth=0.9)
            ax.plot(*image(0.4 + fine, np.full(60, tick)).T, color=PALE, linewidth=0.9)
        for u in (0.65, 1.15):
            for v in (0.25, 0.75):
                circle = image(u + 0.12 * np.cos(angles), v + 0.12 * np.sin(angles))
                ax.fill(*circle.T, facecolor="none", edgecolor=BLUE, linewidth=1.8)
        plane(ax, title)
    fig.tight_layout()
    return fig


def fits(neighbourhoods: dict[str, tuple[Array, Array, float]]) -> Figure:
    """Draw squared lengths after a map against those before it, with the best line through the origin."""
    fig, panels = plt.subplots(1, len(neighbourhoods), figsize=(8, 3.0))
    for ax, (title, (after, before, scale)) in zip(panels, neighbourhoods.items(), strict=True):
        reach = 1.08 * before.max()
        ax.plot([0, reach], [0, scale * reach], color=BLUE)
        for a, b in zip(after, before, strict=True):
            ax.plot([b, b], [a, scale * b], color=ORANGE, linewidth=1)
        ax.scatter(before, after, s=16, color=INK, zorder=3)
        ax.set(title=title, xlabel=r"before, $\|x_j-x_k\|^2$", xlim=(0, reach), ylim=(0, None))
    panels[0].set_ylabel(r"after, $\|z_j-z_k\|^2$")
    fig.tight_layout()
    return fig


def _cloud(ax: Axes, points: Array, color: Array, title: str) -> None:
    ax.scatter(*points.T, c=color, cmap=SHADES, s=8, linewidths=0)
    plane(ax, title)
    ax.margins(0.06)


def before_after(panels: dict[str, Array], color: Array) -> Figure:
    """Draw maps of the same points below each other, coloured by the first true coordinate."""
    fig, axes = plt.subplots(len(panels), 1, figsize=(5.6, 1.6 * len(panels)))
    for ax, (title, points) in zip(axes, panels.items(), strict=True):
        _cloud(ax, points, color, title)
    fig.tight_layout()
    return fig


def convergence(costs: Array, gaps: Array, optimum: float) -> Figure:
    """Draw the true error and the proved bound on it against the number of Frank–Wolfe steps."""
    fig, ax = plt.subplots(figsize=(5.4, 3.0))
    steps = np.arange(1, len(costs) + 1)
    ax.loglog(steps, gaps, "--", color=ORANGE, linewidth=1.2)
    ax.loglog(steps, np.maximum(costs - optimum, 1e-16), color=BLUE)
    ax.text(40, 3 * gaps[39], "proved: gap", color=ORANGE)
    ax.text(12, 0.3 * (costs[11] - optimum), "true error", color=BLUE, ha="right", va="top")
    ax.set(xlabel="steps of Frank and Wolfe", ylabel="cost above the least one")
    return fig


def cap_map(points: Array, height: Array, scales: Array, predicted: Array) -> Figure:
    """Draw the map of a cap of a sphere, and its scales against those of stereographic projection."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.3))
    _cloud(left, points, height, "the cap, mapped (colour: height)")
    right.scatter(predicted, scales, s=10, color=INK, linewidths=0)
    ends = np.array([predicted.min(), predicted.max()])
    factor = (predicted @ scales) / (predicted @ predicted)
    right.plot(ends, factor * ends, color=BLUE)
    right.set(xlabel="scale of stereographic projection, $1/(1+h)^2$", ylabel="scale $s_i$ found")
    right.set(xlim=(0, None), ylim=(0, None))
    fig.tight_layout()
    return fig


def eigenvector_slider(runs: dict[int, ConformalEigenmaps], truth: Array, words: dict[int, str]) -> HTML:
    """Draw the maps made from more and more eigenvectors over the outline of the true sheet."""
    low, high = truth.min(axis=0), truth.max(axis=0)
    unit = 540 / (high[0] - low[0])

    def placed(points: Array) -> Array:
        return np.array([300.0, 105.0]) + unit * (points - (low + high) / 2) * [1, -1]

    bands = np.digitize(truth[:, 0], np.quantile(truth[:, 0], [0.25, 0.5, 0.75]))
    colors = ("var(--blue)", "var(--orange)", "var(--blue)", "var(--orange)")
    frames = []
    for m, run in runs.items():
        places = placed(similarity_alignment(run.embedding, truth).embedding)
        drawing = ""
        for band, color in enumerate(colors):
            dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places[bands == band])
            drawing += f'<path d="{dots}" stroke="{color}" stroke-width="4" stroke-linecap="round"/>'
        frames.append(Frame(drawing, words[m]))
    left, upper = placed(np.array([low[0], high[1]]))
    width, height = unit * (high - low)
    still = (
        f'<rect x="{left:.1f}" y="{upper:.1f}" width="{width:.1f}" height="{height:.1f}" fill="none" '
        'stroke="var(--pale)" stroke-dasharray="6 5" stroke-width="1.5"/>'
        '<text x="20" y="18">dashed: the true sheet</text>'
    )
    return slider(
        frames,
        Scene((0, 0, 600, 210), "Mapped points over the outline of the true sheet", still),
        label="Number of eigenvectors m",
        caption="Two eigenvectors cannot make a sheet: the best map is a line. With five the sheet has its shape but "
        "not yet its straight edges; with ten or more it fills the outline. The colours mark quarters of the length.",
    )
