"""The drawings of the chapter on linear algebra: stretched circles, unit balls, shadows and waves."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, arrow, plane

ANGLES = np.linspace(0, 2 * np.pi, 361)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)])
UNIT = 120  # of the slider's drawing, for the length 1


LETTER = np.array(
    [[0.1, 0.1], [0.1, 0.9], [0.7, 0.9], [0.1, 0.9], [0.1, 0.5], [0.5, 0.5]]
).T  # an F: no symmetry


def moved_grids(matrices: dict[str, Array]) -> Figure:
    """Draw what each matrix does to a square grid with a letter on it; arrows along real eigenvectors."""
    fig, axes = plt.subplots(2, 2, figsize=(6.2, 6))
    ends, ticks = np.array([-1.0, 1.0]), np.linspace(-1, 1, 9)
    for ax, (title, A) in zip(axes.flat, matrices.items(), strict=True):
        for tick in ticks:
            ax.plot(*(A @ [ends, [tick, tick]]), color=SKY, linewidth=1.3)
            ax.plot(*(A @ [[tick, tick], ends]), color=PALE, linewidth=1.3)
        ax.plot(*(A @ LETTER), color=INK, linewidth=2.4)
        values, vectors = np.linalg.eig(A)
        for value, vector in zip(values, vectors.T, strict=True):
            if abs(value.imag) < 1e-12:
                arrow(ax, np.zeros(2), (value * vector * np.sign(vector.sum() or 1)).real, ORANGE)
        plane(ax, title)
        ax.set(xlim=(-2.1, 2.1), ylim=(-2.1, 2.1))
    fig.tight_layout()
    return fig


def stretched_circles(matrices: dict[str, Array]) -> Figure:
    """Draw the unit circle and its image under each matrix, with the vector that is stretched most."""
    fig, axes = plt.subplots(1, len(matrices), figsize=(6.2, 3.4))
    reach = 1.1 * max(np.abs(A @ CIRCLE).max() for A in matrices.values())
    for ax, (title, A) in zip(axes, matrices.items(), strict=True):
        ax.plot(*CIRCLE, "--", color=GREY, linewidth=1.2)
        ax.plot(*(A @ CIRCLE), color=BLUE)
        most = np.linalg.svd(A)[2][0]
        most = most * np.sign(most.sum())
        ax.plot(*np.transpose([np.zeros(2), A @ most]), color=ORANGE, linewidth=3)
        ax.plot(*(A @ most), "o", color=ORANGE, markersize=6)
        ax.plot(*np.transpose([np.zeros(2), most]), color=INK, linewidth=1.3)
        ax.plot(*most, "s", color=INK, markersize=4)
        ax.annotate("$v$", most, (-12, 6), textcoords="offset points", fontsize=12)
        ax.annotate("$Av$", A @ most, (8, 2), textcoords="offset points", fontsize=12, color=ORANGE)
        plane(ax, title.replace(", ", ",\n"))
        ax.set(xlim=(-reach, 1.15 * reach), ylim=(-reach, reach))
    fig.tight_layout()
    return fig


def nearest_point(x: Array, direction: Array) -> Figure:
    """Draw a point, its shadow on a line through the origin, a slanted shadow, and a rival on the line."""
    fig, ax = plt.subplots(figsize=(6.2, 3.4))
    foot = (x @ direction) * direction
    rival, slanted = foot + 2.4 * direction, foot - 1.5 * direction
    ax.plot(*np.outer(direction, [-0.6, 7.2]), color=BLUE)
    ax.plot(*np.transpose([x, foot]), color=ORANGE, linewidth=2.4)
    ax.plot(*np.transpose([x, rival]), "--", color=INK, linewidth=1.4)
    ax.plot(*np.transpose([x, slanted]), ":", color=GREY)
    ax.plot(*np.transpose([foot, rival]), color=INK, linewidth=2.6)
    across = (x - foot) / np.linalg.norm(x - foot)
    corner = [foot + 0.28 * direction, foot + 0.28 * (direction + across), foot + 0.28 * across]
    ax.plot(*np.transpose(corner), color=INK, linewidth=1)
    ax.plot(0, 0, "s", color=INK, markersize=5)
    for place, shift, text in (
        (x, (-14, 4), "$x$"),
        (foot, (-2, -19), "$Px$"),
        (rival, (-2, -18), "$w$"),
        (np.zeros(2), (-2, -17), "0"),
        (7.2 * direction, (5, -3), "$W$"),
    ):
        ax.annotate(text, place, shift, textcoords="offset points", fontsize=13)
    ax.plot(*np.transpose([x, foot, rival]), "o", color=INK, markersize=6, linestyle="none")
    plane(ax)
    return fig


def forms_around_the_circle(matrices: dict[str, Array]) -> Figure:
    """Draw vᵀAv against the angle of v, with the real eigenvalues as lines and the eigenvectors as dots."""
    fig, axes = plt.subplots(1, len(matrices), figsize=(5.2, 3.1))
    for ax, (title, A) in zip(axes, matrices.items(), strict=True):
        ax.plot(np.degrees(ANGLES), np.einsum("ik,ij,jk->k", CIRCLE, A, CIRCLE), color=BLUE)
        values, vectors = (one.real for one in np.linalg.eig(A))  # complex from numpy 2.5 on, whatever A is
        for value, vector in zip(values, vectors.T, strict=True):
            ax.axhline(value, color=GREY, linewidth=1.2, linestyle=":")
            angle = np.degrees(np.arctan2(vector[1], vector[0])) % 180
            ax.plot([angle, angle + 180], [value, value], "o", color=ORANGE, markersize=6, clip_on=False)
        ax.set(
            title=title.replace(", ", ",\n"),
            xlim=(0, 360),
            xticks=range(0, 361, 90),
            xlabel="angle of $v$ (°)",
        )
    axes[0].set_ylabel("$v^\\top Av$")
    fig.tight_layout()
    return fig


def _ball(p: float) -> str:
    """The border of the unit ball as the data of an SVG path, y downwards."""
    if p < 2:  # many points near the tips, which are sharp
        border = np.sign(CIRCLE) * np.abs(CIRCLE) ** (2 / p)
    else:  # many points near the corners
        border = CIRCLE / np.linalg.norm(CIRCLE, p, axis=0)
    return path(UNIT * border[:, :-1:3].T * (1, -1)) + "Z"


def _ball_frame(p: float) -> Frame:
    look = 'fill="var(--blue)" fill-opacity="0.25" stroke="var(--blue)" stroke-width="3"'
    name = "∞" if np.isinf(p) else f"{p:g}"
    kind = "a norm: the ball is convex" if p >= 1 else "not a norm: the ball is dented"
    return Frame(f'<path d="{_ball(p)}" {look}/>', f"p = {name}, {kind}.")


def ball_slider(orders: list[float], first: float) -> HTML:
    """Draw the unit balls in the plane, with a slider over p."""
    reach = UNIT + 25
    still = f"""<path d="M{-reach} 0H{reach}M0 {-reach}V{reach}" stroke="var(--pale)"/>
<circle r="{UNIT}" fill="none" stroke="var(--ink)" stroke-dasharray="4 4"/>
<text x="{UNIT + 6}" y="-6">1</text><text x="6" y="{-UNIT - 7}">1</text>
<text x="{reach - 16}" y="18">x₁</text><text x="-24" y="{-reach + 14}">x₂</text>"""
    alt = "The unit ball of a p-norm in the plane, with two axes and a dashed unit circle"
    return slider(
        [_ball_frame(p) for p in orders],
        Scene((-reach, -reach, 2 * reach, 2 * reach), alt, still),
        label="The order p of the norm",
        caption="Below p = 1 the sides are hollow; from 1 on the ball is convex, and it grows "
        "towards the square. The dashed circle is the Euclidean ball.",
        first=orders.index(first),
    )
