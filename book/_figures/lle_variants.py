"""The drawings of the chapter on the relatives of locally linear embedding."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from _figures.style import SHADES, Array, plane


def grid_of_maps(rows: dict[str, dict[str, tuple[Array, Array]]]) -> Figure:
    """Draw a row of maps for each cloud, in shades along the sheet; columns keep their own scales."""
    columns = len(next(iter(rows.values())))
    fig, axes = plt.subplots(len(rows), columns, figsize=(8, 2.1 * len(rows)))
    for panels, (cloud, maps) in zip(np.atleast_2d(axes), rows.items(), strict=True):
        for ax, (title, (Y, along)) in zip(panels, maps.items(), strict=True):
            ax.scatter(*Y.T, s=6, c=along, cmap=SHADES, linewidths=0)
            plane(ax, f"{title}\n{cloud}")
    fig.tight_layout()
    return fig
