"""The drawings of the chapter on diffusion maps."""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from _figures.style import SHADES, Array, plane


def clouds(maps: dict[str, Array], along: Array) -> Figure:
    """Draw a cloud and maps of it side by side, in shades along one coordinate."""
    fig, axes = plt.subplots(1, len(maps), figsize=(8, 2.6))
    for ax, (title, Y) in zip(axes, maps.items(), strict=True):
        ax.scatter(*Y.T, s=8, c=along, cmap=SHADES, linewidths=0)
        plane(ax, title)
        ax.set_aspect("equal", adjustable="datalim")
    fig.tight_layout()
    return fig
