"""How every drawing of the book looks: ink, colours, common strokes.

Every figure has a transparent background and dark ink; in the dark theme the style sheet inverts it.
Nothing is told by colour alone: marks, dashes and words repeat it, for grey print and colour-blind eyes.
"""

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib_inline.backend_inline import set_matplotlib_formats
from numpy.typing import NDArray

from _figures.panels import name_panels

Array = NDArray[np.float64]

INK, GREY, PALE = "#222222", "#6b6b6b", "#999999"
BLUE, ORANGE, SKY = "#0a5c96", "#c14e00", "#7db9dd"
# A mark and a colour for each species of the penguins, the same on every page: Adelie, Chinstrap, Gentoo.
SPECIES_MARKS = (("o", BLUE), ("^", ORANGE), ("x", INK))

# From dark to light, without the palest fifth, which is hardly seen on white and, inverted, on black.
SHADES = ListedColormap(mpl.colormaps["viridis"](np.linspace(0, 0.8, 256)), "shades")

set_matplotlib_formats("svg")
name_panels()
mpl.rcParams.update(
    {
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "font.size": 12,  # 16 pixels where a figure has its natural size: the size of the text
        "axes.titlesize": 12,
        "legend.fontsize": 12,
        "xtick.labelsize": 11,
        "ytick.labelsize": 11,
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


def arrow(ax: Axes, start: Array, end: Array, color: str = INK, style: str = "-") -> None:
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 2, "linestyle": style}
    )


def plane(ax: Axes, title: str = "") -> None:
    """Equal units on both axes, and no frame: the picture is the plane."""
    ax.set_aspect("equal")
    ax.set_title(title)
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_visible(False)
