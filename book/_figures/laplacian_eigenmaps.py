"""The drawings of the chapter on Laplacian eigenmaps."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from _figures.lle import SIGNED, scatter_along, seen_obliquely
from _figures.lle import dots as coloured_dots
from _figures.panels import READ_DOWN
from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, ORANGE, Array, plane


def curve_and_maps(X: Array, along: Array, maps: dict[str, Array]) -> Figure:
    """Draw a cloud of the plane or of space, and maps of it, each coordinate scaled to the same size."""
    fig, axes = plt.subplots(1, 1 + len(maps), figsize=(8, 3))
    solid = seen_obliquely(X) if X.shape[1] == 3 else X
    scatter_along(axes[0], solid, along, "the data")
    for ax, (title, Y) in zip(axes[1:], maps.items(), strict=True):
        scatter_along(ax, Y / np.abs(Y).max(axis=0), along, title)
    fig.tight_layout()
    return fig


def lonely_maps(maps: dict[str, Array], lonely: int) -> Figure:
    """Draw maps of one graph under several constraints; one vertex is marked."""
    fig, axes = plt.subplots(1, len(maps), figsize=(8, 2.9))
    for ax, (title, Y) in zip(axes, maps.items(), strict=True):
        ax.plot(*Y.T, "o", color=BLUE, markersize=4, alpha=0.7)
        ax.plot(*Y[lonely], "D", color=ORANGE, markersize=9, label="the loose vertex")
        ax.set(title=title, xticks=[], yticks=[])
        ax.margins(0.12)
    axes[0].legend(loc="best", fontsize=11)
    fig.tight_layout()
    return fig


def modes(shape: tuple[int, int], vectors: Array, eigenvalues: Array) -> Figure:
    """Draw eigenvectors of a grid as colours on it, in the order of their eigenvalues."""
    fig, axes = plt.subplots(3, 2, figsize=(8, 3.6), label=READ_DOWN)
    for number, (ax, y, value) in enumerate(zip(axes.T.ravel(), vectors.T, eigenvalues, strict=True), 1):
        top = np.abs(y).max()
        ax.imshow(y.reshape(shape).T, cmap=SIGNED, vmin=-top, vmax=top, interpolation="nearest")
        plane(ax, rf"$\lambda_{number}={value:.4f}$")
    fig.tight_layout()
    return fig


def aspect_slider(found: Sequence[tuple[Array, Array, str]], first: int) -> HTML:
    """Draw strips of several lengths with their maps below, coloured across the strip."""
    frames = []
    for points, Y, words in found:
        across = points[:, 1]
        length, width = np.ptp(points, axis=0)
        scale = 400 / 2.0  # the longest strip has the length 2
        box = (230 - scale * length / 2, 70 - scale * width / 2, scale * length, scale * width)
        strip = coloured_dots(points, across, box)
        flat = Y / np.abs(Y).max(axis=0) * [1, 0.75]
        frames.append(Frame(strip + coloured_dots(flat, across, (70, 190, 320, 240)), words))
    scene = Scene(
        (0, -35, 460, 485),  # a square strip reaches above zero
        "Points of a strip of the chosen length, and below them their map by Laplacian eigenmaps",
        '<text x="230" y="178" text-anchor="middle">its map</text>',
    )
    return slider(
        frames,
        scene,
        label="Length of the strip, in widths",
        caption="Above, 300 points of a strip of area 1, coloured across its width. Below, their map. At one "
        "width length and width tie, and the map may come out turned. From 1.3 to 1.8 widths the second coordinate is "
        "the width, and the colours stay apart. At two widths it is a mixture of the width and cos 2x; after that the "
        "map closes to a thin arch, and blue comes to lie on orange: the width is gone.",
        first=first,
    )
