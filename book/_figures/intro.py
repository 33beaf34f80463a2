"""Pictures of the introduction: one cloud seen from three sides."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from _figures.style import BLUE, ORANGE, Array, plane


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
        plane(ax, title)
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
    fig.tight_layout()
    return fig
