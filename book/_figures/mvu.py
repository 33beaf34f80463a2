"""The drawings of the pages on maximum variance unfolding, in the style of `figures`."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from _figures.classical_mds import NUDGED
from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SHADES, Array, plane
from dimred_ref.mvu import MVU
from dimred_ref.procrustes import rigid_alignment

TENSE = 1e-4  # multipliers below this share of the largest are drawn as slack


def _net(ax: Axes, points: Array, edges: Array, color: str = PALE, width: float = 0.6) -> None:
    ax.add_collection(LineCollection(list(points[edges]), colors=color, linewidths=width, zorder=1))


def unfolding(X: Array, result: MVU, truth: Array) -> Figure:
    """Draw a rolled sheet from its end, its unfolding with the edges, and the true sheet."""
    fig = plt.figure(figsize=(8, 3.5))
    grid = fig.add_gridspec(2, 2, width_ratios=(1, 2.1), hspace=0.45)
    rolled, unfolded, flat = (
        fig.add_subplot(grid[:, 0]),
        fig.add_subplot(grid[0, 1]),
        fig.add_subplot(grid[1, 1]),
    )
    colors = {"c": truth[:, 0], "cmap": SHADES, "s": 7, "linewidths": 0, "zorder": 2}
    moved = rigid_alignment(result.embedding, truth).embedding
    for ax, points, title in (
        (rolled, X[:, [0, 2]], "the data, seen along the axis of the roll"),
        (unfolded, moved, "unfolded: no edge longer, variance as large as can be"),
        (flat, truth, "the sheet that was rolled up"),
    ):
        ax.scatter(*points.T, **colors)
        plane(ax, title)
    _net(rolled, X[:, [0, 2]], result.edges)
    _net(unfolded, moved, result.edges)
    for ax in (unfolded, flat):
        ax.set(xlim=(truth[:, 0].min() - 4, truth[:, 0].max() + 4))
        ax.set(ylim=(truth[:, 1].min() - 2, truth[:, 1].max() + 2))
    rolled.title.set_wrap(True)
    rolled.set_title("the data, seen along\nthe axis of the roll")
    return fig


def chain(bent: Array, straight: Array, tensions: Array) -> Figure:
    """Draw a bent chain and beside it the straight one, with the pull of its points and the forces in its links."""
    fig, (top, bottom) = plt.subplots(1, 2, figsize=(8, 2.7), width_ratios=(1, 1.6))
    top.plot(*bent.T, "-o", color=INK, markersize=6)
    for number, point in enumerate(bent, 1):
        left = number in (1, len(bent))  # where no link goes
        top.annotate(f"{number}", point, (-12 if left else 7, 5), textcoords="offset points")
    plane(top, "given: three links")
    top.margins(0.15)
    bottom.plot(straight, np.zeros_like(straight), "-o", color=INK, markersize=6)
    for y in straight:
        start = {"xytext": (y, -0.55), "xy": (1.35 * y, -0.55)}
        bottom.annotate("", **start, arrowprops={"arrowstyle": "-|>", "color": BLUE, "linewidth": 1.6})
        bottom.text(1.2 * y, -1.25, f"{y:g}".replace("-", "−"), ha="center", color=BLUE)
    for left, right, tension in zip(straight[:-1], straight[1:], tensions, strict=True):
        bottom.text((left + right) / 2, 0.35, f"{tension:g}", ha="center", color=ORANGE, weight="bold")
    bottom.text(straight.min(), 1.0, "force in each link", color=ORANGE)
    bottom.text(straight.min(), -1.95, "position $y_i$ = outward pull", color=BLUE)
    bottom.set(ylim=(-2.2, 1.6), xlim=(-3.6, 5))
    plane(bottom, "unfolded")
    bottom.set_aspect("auto")
    return fig


def rhombi(half_diagonals: list[tuple[float, float]]) -> Figure:
    """Draw rhombi of side 1 with the squares of their diagonals."""
    fig, panels = plt.subplots(1, len(half_diagonals), figsize=(8, 2.9))
    for ax, (a, b) in zip(panels, half_diagonals, strict=True):
        corners = np.array([[-a, 0], [0, b], [a, 0], [0, -b], [-a, 0]])
        ax.plot(*corners.T, "-o", color=BLUE, markersize=5)
        ax.plot([-a, a], [0, 0], ":", color=GREY, linewidth=1.2)
        ax.plot([0, 0], [-b, b], ":", color=GREY, linewidth=1.2)
        plane(ax, f"diagonals² {4 * a * a:.2g} + {4 * b * b:.2g}\ntr K = {2 * a * a + 2 * b * b:.2g}")
        ax.set(xlim=(-1.15, 1.15), ylim=(-0.95, 0.95))
    fig.tight_layout()
    return fig


def three_arms(shapes: dict[str, tuple[Array, Array]], edges: Array) -> Figure:
    """Draw unfoldings of a star with a chord; each edge carries its multiplier, slack ones are dotted."""
    fig, panels = plt.subplots(1, len(shapes), figsize=(8, 3.4))
    for ax, (title, (points, multipliers)) in zip(panels, shapes.items(), strict=True):
        for (i, j), w in zip(edges, multipliers, strict=True):
            kind = (
                {"color": PALE, "linestyle": ":"} if abs(w) < 1e-6 else {"color": BLUE if w > 0 else ORANGE}
            )
            kind |= {"linewidth": 2.4 if w < -1e-6 else 1.8}
            ax.plot(*points[[i, j]].T, **kind, zorder=1)
            middle = points[[i, j]].mean(axis=0)
            text = f"{w:.3g}".replace("-", "−") if abs(w) > 1e-6 else "0"
            ax.annotate(
                text,
                middle,
                ha="center",
                va="center",
                bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"},
            )
        ax.scatter(*points.T, s=42, color=INK, zorder=3)
        for name, point in zip("OABC", points, strict=True):
            beside = (7, -12) if name == "O" else (7, 6)  # above it the centre's name would lie on an arm
            ax.annotate(name, point, beside, textcoords="offset points", weight="bold")
        plane(ax, title)
        ax.margins(0.2)
    fig.tight_layout()
    return fig


def tensions(result: MVU, lengths: Array) -> Figure:
    """Draw an unfolding whose edges are as thick as the force they carry; slack edges are dotted."""
    fig, ax = plt.subplots(figsize=(8, 3.7))
    pull = result.multipliers * lengths
    tense = pull > 1e-3 * pull.max()
    ends = result.embedding[result.edges]
    slack = LineCollection(list(ends[~tense]), colors=PALE, linewidths=0.5, linestyles=":", zorder=1)
    tight = LineCollection(
        list(ends[tense]), colors=BLUE, linewidths=0.4 + 4 * pull[tense] / pull.max(), zorder=2
    )
    ax.add_collection(slack)
    ax.add_collection(tight)
    ax.scatter(*result.embedding.T, s=7, color=INK, zorder=3, linewidths=0)
    plane(ax)
    return fig


def spectra(shares: dict[str, Array]) -> Figure:
    """Draw the leading eigenvalues of several Gram matrices as shares of their traces."""
    fig, panels = plt.subplots(1, len(shares), figsize=(8, 2.3), sharey=True)
    for ax, (title, values) in zip(panels, shares.items(), strict=True):
        places = np.arange(1, len(values) + 1)
        ax.bar(places, values, color=BLUE)
        for place, value in zip(places, values, strict=True):
            ax.text(place, value + 0.02, f"{value:.0%}" if value > 0.005 else "0", ha="center")
        ax.set(title=title, xticks=places, xlabel="eigenvalue", yticks=[], ylim=(0, 1.12))
        ax.spines["left"].set_visible(False)
    panels[0].set_ylabel("share of tr K")
    fig.tight_layout()
    return fig


def map_of_places(points: Array, names: tuple[str, ...], result: MVU) -> Figure:
    """Draw named places with the edges that were known; slack ones are dotted."""
    fig, ax = plt.subplots(figsize=(8, 4.6))
    tense = result.multipliers > TENSE * result.multipliers.max()
    ends = points[result.edges]
    ax.add_collection(LineCollection(list(ends[~tense]), colors=PALE, linewidths=0.8, linestyles=":"))
    ax.add_collection(LineCollection(list(ends[tense]), colors=BLUE, linewidths=1.1))
    ax.scatter(*points.T, s=18, color=INK, zorder=3)
    nudged = NUDGED | {"HNL": (-11, -14)}  # beside the point its name would lie on the edges
    for name, point in zip(names, points, strict=True):
        label = ax.annotate(name, point, nudged.get(name, (6, 2)), textcoords="offset points", fontsize=9)
        label.set_path_effects([withStroke(linewidth=2.5, foreground="white")])  # where edges cross a name
    plane(ax)
    ax.margins(0.06)
    return fig


def narrowing(runs: dict[int, MVU], truth: Array) -> HTML:
    """Draw the unfoldings for several numbers of neighbours over the outline of the true sheet."""
    low, high = truth.min(axis=0), truth.max(axis=0)
    unit, top = 560 / (high[0] - low[0]) / 1.25, 12

    def placed(points: Array) -> Array:
        centred = points - (low + high) / 2
        return np.array([300.0, 150.0]) + unit * centred * [1, -1]

    left, upper = placed(np.array([low[0], high[1]]))
    width, height = unit * (high - low)
    frames = []
    for k, result in runs.items():
        alignment = rigid_alignment(result.embedding, truth)
        places = placed(alignment.embedding)
        tense = result.multipliers > TENSE * result.multipliers.max()
        lines = "".join(path(places[edge]) for edge in result.edges[tense])
        dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)
        drawing = (
            f'<path d="{lines}" fill="none" stroke="var(--blue)" stroke-width="0.8"/>'
            f'<path d="{dots}" stroke="var(--ink)" stroke-width="4" stroke-linecap="round"/>'
        )
        widths = result.embedding.std(axis=0) / truth.std(axis=0)
        words = (
            f"k = {k}: {widths[0]:.0%} of the true length, {widths[1]:.0%} of the true width, "
            f"Procrustes error {alignment.error:.3f}."
        )
        frames.append(Frame(drawing, words))
    still = (
        f'<rect x="{left:.1f}" y="{upper:.1f}" width="{width:.1f}" height="{height:.1f}" fill="none" '
        'stroke="var(--orange)" stroke-dasharray="6 5" stroke-width="1.5"/>'
        f'<text x="20" y="{top + 8}">dashed: the true sheet</text>'
    )
    return slider(
        frames,
        Scene((0, 0, 600, 290), "Unfolded points and tense edges over the outline of the true sheet", still),
        label="Number of neighbours k",
        caption="With few neighbours the net of edges has wide meshes. They are drawn out lengthwise and the sheet "
        "becomes long and narrow; with ten or more it nearly fills its true outline. Only tense edges are drawn.",
    )
