"""The drawings of the chapter on least squares; colours and habits are those of figures."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, arrow, plane
from dimred_ref.least_squares import filter_factors, min_norm_solution, ridge_path, shrinkage_factors
from dimred_ref.svd import numerical_rank, thin_svd

SLANT = np.array([[1.0, -0.12], [0.38, 0.64], [0.0, 1.0]])  # where the three axes of space go on paper
MARKS = (("-", BLUE), ("--", ORANGE), (":", INK), ("-.", GREY))


def projection(X: Array, y: Array, rival: Array) -> Figure:
    """Draw the plane that two columns span in space, a point above it, its foot, and another point."""
    fig, ax = plt.subplots(figsize=(5.2, 3.2))
    fit = X @ min_norm_solution(X, y)
    other = X @ rival
    corners = np.array([[-0.6, -0.6, 0], [4.3, -0.6, 0], [4.3, 2.7, 0], [-0.6, 2.7, 0]]) @ SLANT
    ax.fill(*corners.T, color=SKY, alpha=0.3, lw=0)
    ax.text(*(corners[2] + [-0.1, -0.3]), r"range $X$", ha="right", color=BLUE)
    origin = np.zeros(2)
    for j, column in enumerate(X.T):
        arrow(ax, origin, column @ SLANT, BLUE)
        ax.annotate(f"$Xe_{j + 1}$", column @ SLANT, (5, -12), textcoords="offset points", fontsize=12)
    foot, tip, away = fit @ SLANT, y @ SLANT, other @ SLANT
    ax.plot(*np.transpose([foot, tip]), color=ORANGE, linewidth=3)
    ax.plot(*np.transpose([away, tip]), "--", color=INK, linewidth=1.3)
    ax.plot(*np.transpose([foot, away]), color=GREY, linewidth=1.3)
    towards = 0.25 * (away - foot) / np.linalg.norm(away - foot)
    up = np.array([0, 0.22])
    corner = [foot + towards, foot + towards + up, foot + up]
    ax.plot(*np.transpose(corner), color=INK, linewidth=1)
    for place, shift, text in (
        (tip, (7, -2), "$y$"),
        (foot, (-30, -6), r"$X\hat a$"),
        (away, (4, -14), "$Xa$"),
        ((foot + tip) / 2, (-54, 0), r"$y-X\hat a$"),
        (origin, (-12, -10), "0"),
    ):
        ax.annotate(text, place, shift, textcoords="offset points", fontsize=12)
    ax.plot(*np.transpose([tip, foot, away]), "o", color=INK, markersize=6, linestyle="none")
    plane(ax)
    return fig


def solution_line(X: Array, y: Array, shrunk: Array) -> Figure:
    """Draw the line of all solutions of a problem of rank one in the plane, and its point nearest to 0."""
    fig, ax = plt.subplots(figsize=(5.6, 4.6))
    nearest = min_norm_solution(X, y)
    length = float(np.linalg.norm(nearest))
    along = np.array([nearest[1], -nearest[0]]) / length
    for share in (0.35, 0.7, 1.0, 1.45, 1.9):
        is_best = share == 1.0
        ends = np.transpose([share * nearest - 9 * along, share * nearest + 9 * along])
        ax.plot(*ends, "-" if is_best else ":", color=BLUE if is_best else GREY, lw=2.4 if is_best else 1.2)
    turn = np.linspace(0, 2 * np.pi, 181)
    ax.plot(length * np.cos(turn), length * np.sin(turn), "--", color=PALE, linewidth=1.2)
    ax.plot(*np.transpose([np.zeros(2), nearest]), color=ORANGE, linewidth=2)
    inward, step = -0.35 * nearest / length, 0.35 * along
    ax.plot(*np.transpose([nearest + step, nearest + step + inward, nearest + inward]), color=INK, lw=1)
    others = [(nearest @ nearest / nearest[0], 0.0), (0.0, nearest @ nearest / nearest[1])]
    ax.plot(*np.transpose(others), "s", color=INK, markersize=6)
    ax.plot(*nearest, "o", color=INK, markersize=8)
    ax.plot(*shrunk, "D", color=INK, markersize=6)
    for place, shift, text in (
        (nearest, (9, 6), "$a^+=(3,4)$"),
        (shrunk, (9, -8), r"$\hat a_\varepsilon$"),
        (others[0], (6, 8), "free cake"),
        (others[1], (8, 4), "free coffee"),
    ):
        ax.annotate(text, place, shift, textcoords="offset points")
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set(aspect="equal", xlim=(-2.4, 10.4), ylim=(-2.4, 8.4))
    ax.set(xlabel="$a_1$, price of a coffee", ylabel="$a_2$, price of a cake")
    return fig


def ridge_curves(X: Array, y: Array) -> Figure:
    """Draw every ridge coefficient against the penalty, with the limits on the left."""
    fig, ax = plt.subplots(figsize=(5.2, 3.3))
    penalties = np.logspace(-4, 5, 181)
    limits = min_norm_solution(X, y)
    for j, (curve, (dash, color)) in enumerate(zip(ridge_path(X, y, penalties).T, MARKS, strict=True)):
        ax.semilogx(penalties, curve, dash, color=color)
        ax.plot(penalties[0], limits[j], "o", color=color, markersize=7, clip_on=False, zorder=3)
        ax.annotate(
            f"$a_{j + 1}$", (penalties[0], limits[j]), (-22, -4), textcoords="offset points", color=color
        )
    for i, sigma in enumerate(thin_svd(X).singular_values[: numerical_rank(X)], start=1):
        ax.axvline(sigma**2, color=PALE, linewidth=1.2, linestyle=(0, (1, 2)))
        ax.text(
            sigma**2, 1.02, rf"$\sigma_{i}^2$", ha="center", va="bottom", transform=ax.get_xaxis_transform()
        )
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.set(xlabel=r"penalty $\varepsilon$", xlim=(penalties[0], penalties[-1]))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", pad=22)
    return fig


def filters(penalties: list[float]) -> Figure:
    """Draw the filter factors as functions of the singular value, beside 1/σ."""
    fig, ax = plt.subplots(figsize=(5.2, 3.2))
    sigma = np.linspace(0, 3, 601)
    ax.plot(sigma[25:], 1 / sigma[25:], color=PALE, linewidth=3, label=r"$1/\sigma$: pseudo-inverse")
    for penalty, (dash, color) in zip(penalties, MARKS, strict=False):
        ax.plot(
            sigma,
            filter_factors(sigma, penalty),
            dash,
            color=color,
            label=rf"ridge, $\varepsilon={penalty:g}$",
        )
        ax.plot(np.sqrt(penalty), 1 / (2 * np.sqrt(penalty)), "o", color=color, markersize=6)
    ax.set(xlabel=r"singular value $\sigma$", ylabel="factor", xlim=(0, 3), ylim=(0, 6))
    ax.legend()
    return fig


# The plane of the slider: a design with two columns, given by what its decomposition says.
DIRECTIONS = np.array([[0.8, -0.6], [0.6, 0.8]])
STRETCHES = np.array([10.0, 2.0])
GOAL = np.array([1.0, 4.0])
UNIT = 42  # of the drawing, for a coefficient of size 1


BOX = (-150, -262, 350, 330)  # of the plane; the bars stand to the right of it
# An inner drawing cuts off what leaves it.
PLANE = '<svg x="{0}" y="{1}" width="{2}" height="{3}" viewBox="{0} {1} {2} {3}" fill="none">'.format(*BOX)
FULL = 180  # the height of a bar


def _on_paper(points: Array) -> Array:
    place: Array = UNIT * points * (1, -1)
    return place


def _ridge_frame(penalty: float) -> Frame:
    """The estimate, the circle and the ellipse through it, and the shares as bars."""
    shares = shrinkage_factors(STRETCHES, penalty)
    coordinates = DIRECTIONS.T @ GOAL
    point = DIRECTIONS @ (shares * coordinates)
    misfit, length = np.linalg.norm(STRETCHES * (1 - shares) * coordinates), np.linalg.norm(point)
    (x, y), (goal_x, goal_y) = _on_paper(point), _on_paper(GOAL)
    rx, ry = UNIT * misfit / STRETCHES
    tilt = -np.degrees(np.arctan2(DIRECTIONS[1, 0], DIRECTIONS[0, 0]))
    drawing = f"""{PLANE}
<circle r="{UNIT * length:.1f}" stroke="var(--orange)" stroke-width="2" stroke-dasharray="7 4"/>
<ellipse rx="{rx:.1f}" ry="{ry:.1f}" transform="translate({goal_x} {goal_y}) rotate({tilt:.2f})"
 stroke="var(--blue)" stroke-width="2.5"/></svg>
<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="var(--ink)"/>
<g transform="translate(0 10) scale(1 -1)" fill="var(--blue)">
<rect x="222" width="34" height="{FULL * shares[0]:.1f}"/>
<rect x="279" width="34" height="{FULL * shares[1]:.1f}"/></g>"""
    return Frame(
        drawing,
        f"ε = {penalty:g}: shares {shares[0]:.1%} and {shares[1]:.1%}, length {length:.2f}, "
        f"distance from the best fit {misfit:.2f}.",
    )


def ridge_slider(penalties: list[float], first: float) -> HTML:
    """Draw the ridge path in the plane of two coefficients, with a slider over ε."""
    shares = np.array([np.zeros(2), *(shrinkage_factors(STRETCHES, e) for e in np.logspace(4, -3, 60))])
    curve = path(_on_paper(shares * (DIRECTIONS.T @ GOAL) @ DIRECTIONS.T))
    x, y = _on_paper(GOAL)
    still = f"""{PLANE}
<path d="M-150 0H200M0-262V68" stroke="var(--pale)"/>
<path d="{curve}" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="2 4"/></svg>
<circle cx="{x}" cy="{y}" r="4" fill="var(--ink)"/><text x="{x + 10}" y="{y - 2}">a⁺</text>
<text x="4" y="16">0</text><text x="178" y="-6">a₁</text><text x="-24" y="-248">a₂</text>
<text x="228" y="-184">share kept</text><text x="229" y="30">v₁</text><text x="286" y="30">v₂</text>
<path d="M222 10v{-FULL}h34v{FULL}zM279 10v{-FULL}h34v{FULL}z" fill="none" stroke="var(--pale)"/>"""
    alt = "A circle about 0 and an ellipse about the best fit that touch in a point of a curve, and two bars"
    return slider(
        [_ridge_frame(penalty) for penalty in penalties],
        Scene((-150, -262, 490, 330), alt, still),
        label="Penalty ε, from large to small",
        caption="Solid: all coefficients that fit as well as the large dot. Dashed: all that are as long. Dotted: the "
        "path from a⁺ to 0. The two shapes touch and never cross; less is kept along v₂.",
        first=penalties.index(first),
    )
