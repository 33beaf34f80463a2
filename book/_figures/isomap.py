"""The drawings of the two pages on Isomap."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SHADES, SKY, Array, arrow, plane
from dimred_ref.graph import knn_graph, largest_component
from dimred_ref.isomap import isomap

Indices = NDArray[np.intp]
SPACE, CHART = 340, 300  # width of the slider's two drawings
LEGIBLE = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.7}
SHORT_CUT = 2.0  # an edge whose ends are this many times farther apart along the curve is a short-cut


def hops(X: Array, first: int, last: int) -> Figure:
    """Draw numbered points of a curve, the hops from one to another, and the chord between them."""
    fig, ax = plt.subplots(figsize=(5.6, 3.2))
    ax.plot(*X.T, color=PALE, linewidth=1)
    ax.plot(*X[first : last + 1].T, color=BLUE, linewidth=2.6)
    ax.plot(*X[[first, last]].T, "--", color=ORANGE)
    ax.scatter(*X.T, s=40, color=INK, zorder=3)
    for number, point in enumerate(X, start=1):
        ax.text(*(1.12 * point), str(number), ha="center", va="center")
    ax.text(0, 0.62, "chord", color=ORANGE, ha="center", va="top")
    ax.text(-0.62, 1.0, "hops", color=BLUE, ha="center", va="bottom")
    plane(ax)
    return fig


def roll_and_chart(X: Array, chart: Array, route: Indices) -> Figure:
    """Draw a roll from the side and its chart, with the way between two points: through the air, and along it."""
    fig, (space, flat) = plt.subplots(1, 2, figsize=(8.4, 3.4), width_ratios=(1, 1.9))
    seen = X @ np.array([[1, 0], [0.1, 0.14], [0, 1]])  # from the side and a little from above
    shade = {"c": chart[:, 0], "cmap": SHADES, "linewidths": 0, "s": 9}
    ends = route[[0, -1]]
    for ax, points in ((space, seen), (flat, chart)):
        ax.scatter(*points[::2].T, **{**shade, "c": chart[::2, 0]})
        ax.plot(*points[route].T, color=INK, linewidth=1.8)
        ax.plot(*points[ends].T, "o", color=INK, markersize=8)
        for name, point in zip("AB", points[ends], strict=True):
            ax.annotate(
                name,
                point,
                (7, 7),
                textcoords="offset points",
                weight="bold",
                fontsize=12,
                bbox=LEGIBLE,
            )
    space.plot(*seen[ends].T, "--", color=ORANGE, linewidth=2.4)
    flat.plot(*chart[ends].T, "--", color=BLUE, linewidth=2.4)
    plane(space, "in space")
    plane(flat, "the same points on the chart")
    fig.tight_layout()
    return fig


def _edges(graph: csr_array) -> Indices:
    rows, columns = graph.nonzero()
    once = rows < columns
    return np.column_stack([rows[once], columns[once]])


def draw_graph(ax: Axes, X: Array, graph: csr_array) -> None:
    """Draw the points and the edges of a graph in the plane."""
    ax.add_collection(LineCollection(X[_edges(graph)], colors=PALE, linewidths=1.2))
    ax.scatter(*X.T, s=28, color=INK, zorder=3)


def three_steps(X: Array, neighbors: Indices, graph: csr_array, route: Indices) -> Figure:
    """Draw who points at whom, the graph that forgets the direction, and a shortest path in it."""
    fig, (directed, joined, walked) = plt.subplots(1, 3, figsize=(8.4, 2.4))
    for start, ends in enumerate(neighbors):
        for end in ends:
            tip = X[start] + 0.88 * (X[end] - X[start])
            arrow(directed, X[start], tip, PALE if start in neighbors[end] else ORANGE)
    directed.scatter(*X.T, s=28, color=INK, zorder=3)
    for ax in (joined, walked):
        draw_graph(ax, X, graph)
    walked.plot(*X[list(route)].T, color=BLUE, linewidth=3)
    for name, place in zip("AB", (route[0], route[-1]), strict=True):
        walked.annotate(name, X[place], (6, 6), textcoords="offset points", weight="bold", color=BLUE)
    plane(directed, "the 2 nearest of each")
    plane(joined, "the graph: either is enough")
    plane(walked, "a shortest path from A to B")
    fig.tight_layout()
    return fig


def stepping_stones(start: Array, end: Array, delta: float, stones: Array) -> Figure:
    """Draw the proof of the sandwich: points on a segment, a ball about each, and a sample in every ball."""
    fig, ax = plt.subplots(figsize=(6.8, 2.2))
    places = np.linspace(start, end, len(stones))
    ax.plot(*np.transpose([start, end]), "--", color=BLUE)
    for place in places[1:-1]:
        ax.add_patch(plt.Circle(place, delta, facecolor=SKY, alpha=0.25, edgecolor=BLUE, linewidth=0.8))
    ax.plot(*places.T, "|", color=BLUE, markersize=9)
    ax.plot(*stones.T, color=ORANGE, linewidth=2)
    ax.scatter(*stones.T, s=34, color=INK, zorder=3)
    ax.text(*(places[2] - (0, 1.35 * delta)), "$p_2$", color=BLUE, ha="center", va="center")
    ax.text(*(stones[2] + (0.0, 0.4 * delta)), "$q_2$", ha="center", va="center")
    for name, point, side in (("$u_i$", start, -1), ("$u_j$", end, 1)):
        ax.text(
            point[0] + 0.35 * delta * side, point[1], name, ha="right" if side < 0 else "left", va="center"
        )
    ax.annotate("", places[3] + (0, delta), places[3], arrowprops={"arrowstyle": "<->", "color": INK})
    ax.text(*(places[3] + (0.12 * delta, 0.5 * delta)), r"$\delta$", va="center")
    plane(ax)
    return fig


def bound_and_truth(radii: Array, bounds: Array, worst: Array, mean: Array) -> Figure:
    """Draw how much longer graph paths may be, and are, against the radius of the neighbourhoods."""
    fig, ax = plt.subplots(figsize=(5.4, 3.0))
    ax.plot(radii, 100 * (bounds - 1), "--", color=ORANGE, label="the theorem allows")
    ax.plot(radii, 100 * (worst - 1), "o-", color=BLUE, markersize=4, label="the worst pair")
    ax.plot(radii, 100 * (mean - 1), "s:", color=INK, markersize=4, label="mean of the pairs")
    ax.set(xlabel=r"radius $\varepsilon$, in units of $\delta$", ylabel="excess of the path, %", yscale="log")
    ax.set_ylim(1e-6, 3e3)  # room for the legend below the curves
    ax.legend(loc="lower left")
    return fig


def step_norms(patterns: dict[str, Array]) -> Figure:
    """Draw how far a walk of length 1 gets, for several sets of steps, beside the circle."""
    fig, axes = plt.subplots(1, len(patterns), figsize=(8, 2.8))
    turn = np.linspace(0, 2 * np.pi, 181)
    for ax, (name, steps) in zip(axes, patterns.items(), strict=True):
        units = steps / np.linalg.norm(steps, axis=1, keepdims=True)
        units = units[np.argsort(np.arctan2(units[:, 1], units[:, 0]))]
        ax.plot(np.cos(turn), np.sin(turn), "--", color=PALE)
        ax.fill(*units.T, facecolor=SKY, alpha=0.3, edgecolor=BLUE, linewidth=2)
        for unit in units:
            ax.plot(*np.transpose([np.zeros(2), unit]), color=INK, linewidth=0.8)
        plane(ax, name)
    fig.tight_layout()
    return fig


def fixed_and_growing(sizes: Sequence[int], excess: dict[str, Array]) -> Figure:
    """Draw the mean excess of graph distances against the number of samples, for two rules for k."""
    fig, ax = plt.subplots(figsize=(5.2, 2.9))
    for (name, values), (color, mark) in zip(excess.items(), ((ORANGE, "s"), (BLUE, "o")), strict=True):
        percent = 100 * np.asarray(values)  # one row for each size, one column for each sample
        ax.plot(sizes, percent.mean(axis=1), "-", color=color, label=name)
        ax.plot(sizes, percent, mark, color=color, markersize=5)
    ax.set(xlabel="number of samples $N$", ylabel="mean excess, %", xscale="log", ylim=(0, None))
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    ax.legend()
    return fig


def side_by_side(panels: dict[str, Array], shades: Sequence[Array]) -> Figure:
    """Draw point sets in the plane beside each other, each with its shades."""
    widths = [np.ptp(points[:, 0]) / np.ptp(points[:, 1]) for points in panels.values()]
    fig, axes = plt.subplots(1, len(panels), figsize=(2.9 * sum(widths), 2.7), width_ratios=widths)
    for ax, (name, points), shade in zip(axes, panels.items(), shades, strict=True):
        ax.scatter(*points.T, c=shade, cmap=SHADES, s=10, linewidths=0)
        plane(ax, name)
    fig.tight_layout()
    return fig


def one_above_the_other(panels: dict[str, Array], shade: Array) -> Figure:
    """Draw long point sets in the plane above each other, on one scale."""
    heights = [np.ptp(points[:, 1]) for points in panels.values()]
    width = max(np.ptp(points[:, 0]) for points in panels.values())
    size = (5.0, 5.0 * sum(heights) / width + 0.5 * len(panels))
    fig, axes = plt.subplots(len(panels), 1, figsize=size, height_ratios=heights, sharex=True)
    for ax, (name, points) in zip(axes, panels.items(), strict=True):
        ax.scatter(*points.T, c=shade, cmap=SHADES, s=7, linewidths=0)
        plane(ax, name)
    fig.tight_layout()
    return fig


def around_the_hole(chart: Array, mapped: Array, ways: Sequence[Indices]) -> Figure:
    """Draw a sheet with a hole as it is and as a map has it, with the ways from one side of the hole to the other."""
    fig, axes = plt.subplots(1, 2, figsize=(8.4, 2.6))
    for ax, points, title in zip(axes, (chart, mapped), ("the chart", "Isomap's map"), strict=True):
        ax.scatter(*points.T, c=chart[:, 0], cmap=SHADES, s=10, linewidths=0)
        for way in ways:
            ax.plot(*points[way].T, color=INK, linewidth=2)
        ends = points[ways[0][[0, -1]]]
        ax.plot(*ends.T, "--", color=ORANGE, linewidth=2.2)
        ax.plot(*ends.T, "o", color=INK, markersize=7)
        for name, point, shift in zip("AB", ends, (-14, 7), strict=True):
            ax.annotate(name, point, (shift, 5), textcoords="offset points", weight="bold", bbox=LEGIBLE)
        plane(ax, title)
    fig.tight_layout()
    return fig


def spectra(spectra_by_name: dict[str, Array], count: int) -> Figure:
    """Draw the largest and the most negative eigenvalues of Gram matrices, in units of the largest."""
    fig, axes = plt.subplots(1, len(spectra_by_name), figsize=(8.4, 2.6), sharey=True)
    for ax, (name, spectrum) in zip(axes, spectra_by_name.items(), strict=True):
        share = spectrum / spectrum[0]
        shown = np.concatenate([share[:count], share[-count:]])
        places = np.concatenate([np.arange(count), np.arange(count) + count + 1])
        ax.bar(places, shown, color=[BLUE if value > 0 else ORANGE for value in shown])
        ax.axhline(0, color=GREY, linewidth=0.8)
        ax.text(count, 0.06, "…", ha="center")
        ax.set(title=name, xticks=[], ylim=(-0.35, 1.05))
        ax.tick_params(labelleft=True)  # on a phone each stands alone
    axes[0].set_ylabel(r"$\lambda_j/\lambda_1$")
    fig.tight_layout()
    return fig


def dimension(eigenvalues: dict[str, Array], residuals: dict[str, Array]) -> Figure:
    """Draw eigenvalues and residual variances against the number of coordinates."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8, 2.8))
    marks = ((BLUE, "o-"), (ORANGE, "s--"), (INK, "^:"))
    for (name, values), (color, mark) in zip(eigenvalues.items(), marks, strict=False):
        left.plot(range(1, len(values) + 1), values / values[0], mark, color=color, label=name, markersize=5)
    for (name, values), (color, mark) in zip(residuals.items(), marks, strict=False):
        right.plot(range(1, len(values) + 1), values, mark, color=color, label=name, markersize=5)
    left.set(yscale="log", xlabel="coordinate $j$", ylabel=r"$\lambda_j/\lambda_1$")
    right.set(yscale="log", xlabel="coordinates kept", ylabel="residual variance")
    right.set_ylim(top=40)  # room for the legend above the curves
    right.legend()
    fig.tight_layout()
    return fig


def newcomers(Y: Array, placed: Array, truth: Array, landmarks: Indices) -> Figure:
    """Draw an embedding, new points placed into it, where they belong, and landmarks."""
    fig, ax = plt.subplots(figsize=(7.4, 2.8))
    ax.scatter(*Y.T, s=7, color=PALE, linewidths=0)
    ax.plot(*np.stack([placed, truth], axis=2).transpose(1, 2, 0), color=ORANGE, linewidth=1.4)
    ax.scatter(*truth.T, s=46, facecolors="none", edgecolors=INK)
    ax.scatter(*placed.T, s=20, color=ORANGE, zorder=3)
    ax.scatter(*Y[landmarks].T, s=26, marker="s", color=BLUE, zorder=2)
    plane(ax)
    return fig


def picture_rows(rows: dict[str, Array]) -> Figure:
    """Draw rows of small square pictures with their names."""
    count = len(next(iter(rows.values())))
    fig, axes = plt.subplots(len(rows), count, figsize=(5.8, 1.15 * len(rows)))
    for line, (name, pictures) in zip(axes, rows.items(), strict=True):
        side = round(pictures.shape[1] ** 0.5)
        for ax, picture in zip(line, pictures, strict=True):
            ax.imshow(picture.reshape(side, side), cmap="gray", vmin=0, vmax=1)
            ax.set(xticks=[], yticks=[])
        line[0].set_title(name, loc="left")
    fig.subplots_adjust(wspace=0.08, hspace=0.45)
    return fig


def worked_example(X: Array) -> Figure:
    """Draw four points with their hops, and the line that Isomap makes of them."""
    fig, (space, line) = plt.subplots(1, 2, figsize=(8, 2.2), width_ratios=(1, 1.5))
    space.plot(*X.T, color=BLUE)
    space.scatter(*X.T, s=40, color=INK, zorder=3)
    middles = (X[1:] + X[:-1]) / 2
    for middle, text, shift in zip(middles, "123", ((0, 0.3), (0.3, 0), (0, -0.35)), strict=True):
        space.text(*(middle + shift), text, color=BLUE, ha="center", va="center")
    places = np.array([-2.5, -1.5, 0.5, 3.5])
    line.plot(places, 0 * places, color=BLUE)
    line.scatter(places, 0 * places, s=40, color=INK, zorder=3)
    for place in places:
        line.text(place, 0.25, f"{place:g}".replace("-", "−"), ha="center")
    line.plot(0, 0, "|", color=ORANGE, markersize=14)
    line.text(0, -0.5, "mean", color=ORANGE, ha="center")
    line.set_ylim(-1, 1)
    plane(space, "the points and their graph, $k=1$")
    plane(line, "on a line")
    fig.tight_layout()
    return fig


# A picture with a slider over the number of neighbours.


def neighborhoods(X: Array, arc: Array, counts: Sequence[int], first: int) -> HTML:
    """Draw a spiral with its graph, and Isomap's coordinate against the true one, with a slider over k."""
    frames = [_neighborhood_frame(X, arc, k) for k in counts]
    still = f"""{_dots(_in_space(X), "var(--ink)")}
<text x="{SPACE / 2}" y="16" text-anchor="middle">graph in space</text>
<text x="{SPACE + 20 + CHART / 2}" y="16" text-anchor="middle">Isomap against the truth</text>
<path d="M{SPACE + 30} 30V330H{SPACE + 20 + CHART}" fill="none" stroke="var(--pale)"/>
<text x="{SPACE + 20 + CHART / 2}" y="352" text-anchor="middle">arc length</text>"""
    return slider(
        frames,
        Scene(
            (0, 0, SPACE + CHART + 30, 360),
            "A spiral with the edges of its neighbourhood graph, and beside it Isomap's coordinate against arc length",
            still,
        ),
        label="Neighbours k",
        caption="With few neighbours the graph falls apart, and only the largest piece has coordinates. From 5 to 9 "
        "the dots on the right lie on a straight line: the spiral is unrolled. At 10 one edge (orange) jumps to the "
        "next turn. It is one of 836, and it is enough: paths leave the curve, and the line breaks.",
        first=list(counts).index(first),
    )


def _in_space(X: Array) -> Array:
    low, high = X.min(axis=0), X.max(axis=0)
    return (X - low) / (high - low).max() * (SPACE - 40) + (15, 30)


def _dots(points: Array, color: str) -> str:
    """Strokes of no length with round ends: an eighth of the bytes of circles."""
    marks = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in points)
    return f'<path d="{marks}" stroke="{color}" stroke-width="5" stroke-linecap="round"/>'


def _neighborhood_frame(X: Array, arc: Array, k: int) -> Frame:
    graph = knn_graph(X, k)
    edges = _edges(graph)
    lengths = np.linalg.norm(X[edges[:, 0]] - X[edges[:, 1]], axis=1)
    jumps = np.abs(arc[edges[:, 0]] - arc[edges[:, 1]]) > SHORT_CUT * lengths
    points = _in_space(X)
    drawing = f'<path d="{_lines(points[edges[~jumps]])}" fill="none" stroke="var(--pale)"/>'
    if jumps.any():
        lines = _lines(points[edges[jumps]])
        drawing += f'<path d="{lines}" fill="none" stroke="var(--orange)" stroke-width="2"/>'
    pieces = connected_components(graph, directed=False)[0]
    kept = largest_component(graph)
    coordinate = isomap(X[kept], 1, n_neighbors=k).embedding[:, 0]
    coordinate *= np.sign(np.corrcoef(coordinate, arc[kept])[0, 1])
    drawing += _dots(_on_chart(arc, kept, coordinate), "var(--blue)")
    return Frame(drawing, _verdict(k, pieces, len(kept), int(jumps.sum())))


def _lines(segments: Array) -> str:
    starts, steps = segments[:, 0].round(), np.diff(segments.round(), axis=1)[:, 0]
    return "".join(f"M{x:.0f} {y:.0f}l{a:.0f} {b:.0f}" for (x, y), (a, b) in zip(starts, steps, strict=True))


def _on_chart(arc: Array, kept: Indices, coordinate: Array) -> Array:
    reach = arc.max() - arc.min()
    across = SPACE + 40 + (arc[kept] - arc.min()) / reach * (CHART - 30)
    return np.column_stack([across, 180 - coordinate / reach * 270])


def _verdict(k: int, pieces: int, size: int, jumps: int) -> str:
    if pieces > 1:
        return f"k = {k}: {pieces} pieces, the largest has {size} points."
    if jumps:
        return f"k = {k}: connected, with {jumps} short-cut{'s' if jumps > 1 else ''}."
    return f"k = {k}: connected, no short-cut."
