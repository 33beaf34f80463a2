"""The drawings of the book: pages say what to see, this module says how it looks.

Every figure has a transparent background and dark ink; in the dark theme the style sheet inverts it.
Nothing is told by colour alone: marks, dashes and words repeat it, for grey print and colour-blind eyes.
"""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib_inline.backend_inline import set_matplotlib_formats
from numpy.typing import NDArray

Array = NDArray[np.float64]

INK, GREY, PALE = "#222222", "#6b6b6b", "#999999"
BLUE, ORANGE, SKY = "#0a5c96", "#c14e00", "#7db9dd"

set_matplotlib_formats("svg", bbox_inches="tight", metadata={"Date": None})
mpl.rcParams.update(
    {
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "font.size": 10,
        "axes.titlesize": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": GREY,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": GREY,
        "ytick.color": GREY,
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "svg.hashsalt": "the same bytes at every build",
    }
)


def _arrow(ax: Axes, start: Array, end: Array, color: str = INK, style: str = "-") -> None:
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 2, "linestyle": style}
    )


def _plane(ax: Axes, title: str = "") -> None:
    """Equal units on both axes, and no frame: the picture is the plane."""
    ax.set_aspect("equal")
    ax.set_title(title)
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_visible(False)


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
    """Draw several flat views of one cloud, all on one scale."""
    fig, axes = plt.subplots(1, len(views), figsize=(8, 3.1))
    reach = 1.05 * max(np.abs(view).max() for view in views.values())
    for ax, (title, view) in zip(axes, views.items(), strict=True):
        odd = np.arange(len(view)) % 2 == 1
        ax.scatter(*view[odd].T, s=9, color=ORANGE, marker="o", linewidths=0)
        ax.scatter(*view[~odd].T, s=13, color=BLUE, marker="x", linewidths=0.9)
        _plane(ax, title)
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
    fig.tight_layout()
    return fig
