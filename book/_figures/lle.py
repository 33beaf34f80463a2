"""The drawings of the chapter on locally linear embedding."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SHADES, SKY, Array, plane

SIGNED = LinearSegmentedColormap.from_list("from minus to plus", [BLUE, SKY, "#bbbbbb", "#eda35f", ORANGE])
BANDS = 7  # colours along the sheet on the sliders, mixed from the two of the theme


def seen_obliquely(X: Array) -> Array:
    """Return the plane coordinates under which a solid of (x, height, z) is seen from the front and above."""
    x, height, z = (X - X.mean(axis=0)).T
    return np.column_stack([x + 0.35 * height, z + 0.28 * height])


def scatter_along(ax: Axes, points: Array, along: Array, title: str = "") -> None:
    """Draw points in shades along a coordinate of the sheet."""
    ax.scatter(*points.T, c=along, cmap=SHADES, s=11, linewidths=0)
    plane(ax, title)


def solid_and_map(X: Array, along: Array, maps: dict[str, Array]) -> Figure:
    """Draw a rolled sheet as seen from above, and beside it flat maps of it."""
    fig, axes = plt.subplots(1, 1 + len(maps), figsize=(8, 3.2))
    scatter_along(axes[0], seen_obliquely(X), along, "the data, in space")
    for ax, (title, Y) in zip(axes[1:], maps.items(), strict=True):
        scatter_along(ax, Y, along, title)
    fig.tight_layout()
    return fig


def maps(panels: dict[str, tuple[Array, Array]], height: float = 2.9) -> Figure:
    """Draw several maps side by side: title, then points and the coordinate that colours them."""
    fig, axes = plt.subplots(1, len(panels), figsize=(8, height))
    for ax, (title, (Y, along)) in zip(axes, panels.items(), strict=True):
        scatter_along(ax, Y, along, title)
    fig.tight_layout()
    return fig


def mixtures(panels: dict[str, tuple[Array, Array, Array]]) -> Figure:
    """Draw points with their neighbours, the weights written beside them, and the mixture as a cross."""
    fig, axes = plt.subplots(1, len(panels), figsize=(8, 3.1))
    for ax, (title, (point, neighbors, weights)) in zip(axes, panels.items(), strict=True):
        around = neighbors if len(neighbors) == 2 else np.vstack([neighbors, neighbors[:1]])
        ax.plot(*around.T, color=PALE, linewidth=1)
        for neighbor, weight in zip(neighbors, weights, strict=True):
            ax.plot(*np.stack([point, neighbor]).T, ":", color=GREY, linewidth=1)
            ax.annotate(_fraction(weight), neighbor, (6, 6), textcoords="offset points", fontsize=12)
        ax.plot(*neighbors.T, "o", color=INK, markersize=7)
        ax.plot(*point, "o", color=BLUE, markersize=10)
        ax.plot(*(weights @ neighbors), "x", color=ORANGE, markersize=10, markeredgewidth=2.5)
        plane(ax, title)
        ax.margins(0.22)
    fig.tight_layout()
    return fig


def _fraction(weight: float) -> str:
    for bottom in range(1, 10):
        if np.isclose(weight * bottom, round(weight * bottom)):
            top = round(weight * bottom)
            return str(top) if bottom == 1 else f"{'−' if top < 0 else ''}{abs(top)}/{bottom}"
    return f"{weight:.2f}"


def weight_slider(point: Array, neighbors: Array, ridges: Sequence[float], weights: Sequence[Array]) -> HTML:
    """Draw one point among its neighbours, with a slider over the regularisation: discs grow with |w|."""
    centre, unit = np.array([190.0, 150.0]), 95.0

    def placed(points: Array) -> Array:
        return centre + unit * (points - point) * [1, -1]

    lines = "".join(
        f'<line x1="{centre[0]}" y1="{centre[1]}" x2="{x:.1f}" y2="{y:.1f}" stroke="var(--pale)"/>'
        for x, y in placed(neighbors)
    )
    frames = []
    for ridge, w in zip(ridges, weights, strict=True):
        discs = "".join(_disc(place, weight) for place, weight in zip(placed(neighbors), w, strict=True))
        x, y = placed((w @ neighbors)[None])[0]
        cross = (
            f'<path d="M{x - 7:.1f} {y - 7:.1f}l14 14m0 -14l-14 14" stroke="var(--ink)" stroke-width="2"/>'
        )
        missed = np.linalg.norm(point - w @ neighbors)
        words = (
            f"Ridge {_plain(ridge)} of the trace: weights from {w.min():.2f} to {w.max():.2f}, length "
            f"{np.linalg.norm(w):.3f}, the mixture misses the point by {_plain(float(f'{missed:.2g}'))}."
        ).replace("-0.00", "0.00")
        frames.append(Frame(discs + cross, words.replace(" -", " −")))
    scene = Scene(
        (0, 0, 380, 300),
        "A point in the middle of its neighbours; each neighbour is a disc that grows with its weight",
        lines + f'<circle cx="{centre[0]}" cy="{centre[1]}" r="5" fill="var(--ink)"/>',
    )
    return slider(
        frames,
        scene,
        label="Regularisation ε",
        caption="Seven neighbours in the plane. A disc grows with the size of its weight: blue positive, orange "
        "and hollow negative. The cross is the mixture. From left to right the weights go from the shortest perfect "
        "recipe to the even one, and the cross leaves the point.",
    )


def _plain(number: float) -> str:
    """A number in words that need no exponent: 0.000001, not 1e-06."""
    return f"{number:.7f}".rstrip("0").rstrip(".")


def _disc(place: Array, weight: float) -> str:
    radius = 2 + 34 * np.sqrt(abs(weight))
    paint = (
        'fill="var(--blue)" fill-opacity="0.75"'
        if weight > 0
        else 'fill="none" stroke="var(--orange)" stroke-width="3"'
    )
    return f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}" {paint}/>'


def dots(points: Array, along: Array, box: tuple[float, float, float, float]) -> str:
    """SVG of points scaled into a box (left, top, width, height), in bands of colour along the sheet."""
    left, top, width, height = box
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    middle = np.array([left + width / 2, top + height / 2])
    placed = middle + scale * (points - (low + high) / 2) * [1, -1]
    band = np.clip(BANDS * (along - along.min()) / np.ptp(along), 0, BANDS - 1).astype(int)
    drawn = []
    for number in range(BANDS):
        share = round(100 * (1 - number / (BANDS - 1)))
        data = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in placed[band == number])
        paint = f"color-mix(in srgb, var(--blue) {share}%, var(--orange))"
        drawn.append(
            f'<path d="{data}" style="stroke: {paint}" stroke-width="5" stroke-linecap="round" fill="none"/>'
        )
    return "".join(drawn)


def ridge_slider(along: Array, found: Sequence[tuple[float, Array, str]], first: int) -> HTML:
    """Draw maps of the roll with a slider over the regularisation."""
    frames = [Frame(dots(Y, along, (10, 10, 440, 300)), words) for _, Y, words in found]
    scene = Scene((0, 0, 460, 320), "The map of the rolled sheet for the chosen regularisation", "")
    return slider(
        frames,
        scene,
        label="Regularisation ε",
        caption="The roll with ten neighbours. On the left of the slider the map is a plain view of the roll from "
        "its side, layers on top of each other; then come twisted maps, at 0.001 this sheet is unrolled, and from "
        "0.01 on it is a thin arch. The colour runs along the sheet.",
        first=first,
    )


def digit_map(Y: Array, labels: Array) -> Figure:
    """Draw a map of digits: each kind has its colour and its mark."""
    fig, ax = plt.subplots(figsize=(4.8, 3.6))
    for digit, (color, mark) in enumerate(((BLUE, "o"), (ORANGE, "^"), (GREY, "s"), (SKY, "D"))):
        members = labels == digit
        ax.scatter(*Y[members].T, s=20, color=color, marker=mark, linewidths=0, label=str(digit))
    ax.legend(title="digit", loc="upper right")
    ax.set(xticks=[], yticks=[])
    return fig
