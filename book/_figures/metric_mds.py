"""The drawings of the chapter on metric scaling."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist, squareform

from _figures.style import BLUE, GREY, INK, ORANGE, PALE, Array


def descent(stresses: Sequence[Array], table: Array, first: Array, last: Array) -> Figure:
    """Draw the stress at each step of several descents, and distances before and after the first of them."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4))
    for path in stresses[1:]:
        left.plot(path, color=PALE, linewidth=1)
    left.plot(stresses[0], color=INK)
    left.set(xscale="symlog", yscale="log", xlabel="step", ylabel="stress")
    wanted = squareform(table, checks=False)[::20]
    marks = ((first, ORANGE, "x", "classical scaling"), (last, BLUE, "o", "SMACOF"))
    for Y, color, mark, name in marks:
        right.scatter(wanted, pdist(Y)[::20], s=10, color=color, marker=mark, linewidths=0.8, label=name)
    right.axline((0, 0), slope=1, color=GREY, linewidth=1)
    right.set(xlabel="distance in the table", ylabel="distance on the map")
    right.legend()
    fig.tight_layout()
    return fig
