"""The drawings of the chapter on choosing neighbours and dimensions."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from _figures.style import BLUE, GREY, INK, ORANGE, Array
from dimred_ref.choose_neighbors import NeighborChoice
from dimred_ref.rank_curves import RankCurves

LINES = ((INK, "-"), (GREY, "--"), (ORANGE, "-."), (BLUE, "-"))


def scan(choice: NeighborChoice, errors: Array) -> Figure:
    """Draw what each candidate does to path lengths, and to the error of a map."""
    fig, axes = plt.subplots(1, 2, figsize=(8, 2.8))
    words = ("shortening of paths", "error of Isomap")
    for ax, values, word in zip(axes, (choice.shrinkage, errors), words, strict=True):
        ax.plot(choice.candidates, values, "o-", color=BLUE, markersize=5, linewidth=1)
        ax.axvline(choice.n_neighbors, color=ORANGE, linestyle="--", linewidth=1.2)
        ax.set(xlabel="neighbours $k$ (dashed: chosen)", ylabel=word, ylim=(0, None))
    fig.tight_layout()
    return fig


def rank_bands(curves: Mapping[str, Sequence[RankCurves]]) -> Figure:
    """Draw bands of R_NX over the logarithm of k, with the areas in the legend."""
    fig, ax = plt.subplots(figsize=(8, 3.8))
    for (name, row), (color, style) in zip(curves.items(), LINES, strict=True):
        gained = np.array([curve.gained for curve in row])
        area = np.mean([curve.area for curve in row])
        k = np.arange(1, gained.shape[1] + 1)
        ax.fill_between(k, gained.min(axis=0), gained.max(axis=0), color=color, alpha=0.25, linewidth=0)
        ax.plot(k, np.median(gained, axis=0), color=color, linestyle=style, label=f"{name}, area {area:.2f}")
    ax.set(xscale="log", xlabel="neighbours $k$", ylabel="$R_{NX}(k)$")
    ax.legend()
    fig.tight_layout()
    return fig
