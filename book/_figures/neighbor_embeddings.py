"""The drawings of the chapter on neighbour embeddings."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from _figures.style import BLUE, GREY, INK, ORANGE, SHADES, SKY, Array, plane

GROUPS = ((BLUE, "o"), (ORANGE, "^"), (GREY, "s"), (SKY, "D"), (INK, "x"))  # colour and mark of each label


def groups(maps: dict[str, Array], labels: Array, columns: int = 3) -> Figure:
    """Draw maps side by side, with a colour and a mark for each label."""
    rows = -(-len(maps) // columns)
    fig, axes = plt.subplots(rows, columns, figsize=(8, 2.9 * rows))
    for ax, (title, Y) in zip(np.ravel(axes), maps.items(), strict=True):
        for label, (color, mark) in enumerate(GROUPS):
            members = Y[labels == label].T
            ax.scatter(*members, s=9, color=color, marker=mark, linewidths=0.8 if mark == "x" else 0)
        plane(ax, title)
    fig.tight_layout()
    return fig


def clouds(maps: dict[str, Array], along: Array) -> Figure:
    """Draw maps side by side, in shades along a coordinate."""
    fig, axes = plt.subplots(1, len(maps), figsize=(8, 2.4))
    for ax, (title, Y) in zip(axes, maps.items(), strict=True):
        ax.scatter(*Y.T, s=8, c=along, cmap=SHADES, linewidths=0)
        plane(ax, title)
    fig.tight_layout()
    return fig
