"""The drawings of the chapter on least squares; colours and habits are those of figures."""

import json

import matplotlib.pyplot as plt
import numpy as np
from figures import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, _arrow, _plane
from matplotlib.figure import Figure

from dimred_ref.least_squares import filter_factors, min_norm_solution, ridge_path, shrinkage_factors
from dimred_ref.svd import numerical_rank, thin_svd

SLANT = np.array([[1.0, -0.12], [0.62, 0.5], [0.0, 1.0]])  # where the three axes of space go on paper
MARKS = (("-", BLUE), ("--", ORANGE), (":", INK), ("-.", GREY))


def projection(X: Array, y: Array, rival: Array) -> Figure:
    """Draw the plane that two columns span in space, a point above it, its foot, and another point."""
    fig, ax = plt.subplots(figsize=(6.4, 3.7))
    fit = X @ min_norm_solution(X, y)
    other = X @ rival
    corners = np.array([[-0.6, -0.6, 0], [5, -0.6, 0], [5, 2.9, 0], [-0.6, 2.9, 0]]) @ SLANT
    ax.fill(*corners.T, color=SKY, alpha=0.3, lw=0)
    ax.text(*(corners[1] + [-0.1, 0.16]), r"range $X$", ha="right", color=BLUE)
    origin = np.zeros(2)
    for j, column in enumerate(X.T):
        _arrow(ax, origin, column @ SLANT, BLUE)
        ax.annotate(f"$x_{j + 1}$", column @ SLANT, (5, -12), textcoords="offset points", fontsize=12)
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
    _plane(ax)
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
        ax.annotate(text, place, shift, textcoords="offset points", fontsize=10)
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set(aspect="equal", xlim=(-2.4, 10.4), ylim=(-2.4, 8.4))
    ax.set(xlabel="$a_1$, price of a coffee", ylabel="$a_2$, price of a cake")
    return fig


def ridge_curves(X: Array, y: Array) -> Figure:
    """Draw every ridge coefficient against the penalty, with the limits on the left."""
    fig, ax = plt.subplots(figsize=(6.8, 3.5))
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
    fig, ax = plt.subplots(figsize=(6.6, 3.4))
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


def _frame(penalty: float) -> dict[str, str | float | list[float]]:
    """What changes with the penalty: the point, its circle, its ellipse, two bars, a line of words."""
    shares = shrinkage_factors(STRETCHES, penalty)
    coordinates = DIRECTIONS.T @ GOAL
    point = DIRECTIONS @ (shares * coordinates)
    misfit = float(np.linalg.norm(STRETCHES * (1 - shares) * coordinates))
    length = float(np.linalg.norm(point))
    return {
        "x": round(UNIT * point[0], 1),
        "y": round(-UNIT * point[1], 1),
        "circle": round(UNIT * length, 1),
        "ellipse": [round(UNIT * misfit / stretch, 1) for stretch in STRETCHES],
        "bars": [round(180 * share, 1) for share in shares],
        "text": f"ε = {penalty:g}: shares {shares[0]:.1%} and {shares[1]:.1%}, length {length:.2f}, "
        f"distance from the best fit {misfit:.2f}",
    }


def _path() -> str:
    """The curve of all ridge estimates as the data of an SVG path."""
    shares = np.array([shrinkage_factors(STRETCHES, penalty) for penalty in np.logspace(4, -3, 60)])
    points = UNIT * (shares * (DIRECTIONS.T @ GOAL)) @ DIRECTIONS.T
    return "M0 0L" + "L".join(f"{x:.1f} {-y:.1f}" for x, y in points)


def ridge_slider(penalties: list[float], first: float) -> str:
    """Make the ridge path in a plane as a drawing with a slider over ε; without scripts it shows one ε."""
    frames = [_frame(penalty) for penalty in penalties]
    start = penalties.index(first)
    shown = frames[start]
    return _SLIDER % {
        **shown,
        "rx": shown["ellipse"][0],
        "ry": shown["ellipse"][1],
        "bar1": shown["bars"][0],
        "bar2": shown["bars"][1],
        "path": _path(),
        "goal_x": UNIT * GOAL[0],
        "goal_y": -UNIT * GOAL[1],
        "angle": -np.degrees(np.arctan2(DIRECTIONS[1, 0], DIRECTIONS[0, 0])),
        "last": len(frames) - 1,
        "start": start,
        "frames": json.dumps(frames, ensure_ascii=False),
    }


_SLIDER = """
<style>
html[data-theme="dark"] .bd-content .cell_output .text_html:has(#ridge-path) {
  background-color: transparent !important;
  color: var(--pst-color-text-base) !important;
}
@media print { #ridge-path label { display: none !important; } }
</style>
<figure id="ridge-path" style="max-width: 34rem; margin: 1rem auto; text-align: center">
<svg viewBox="-150 -262 490 330" role="img" aria-labelledby="ridge-path-text" style="width: 100%%">
<clipPath id="ridge-path-frame"><rect x="-150" y="-262" width="350" height="330"/></clipPath>
<g clip-path="url(#ridge-path-frame)" fill="none">
<path d="M-150 0H200M0-262V68" stroke="currentColor" stroke-opacity="0.4"/>
<path d="%(path)s" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2 4"/>
<circle class="length" r="%(circle)s" stroke="#d9702e" stroke-width="2" stroke-dasharray="7 4"/>
<g transform="translate(%(goal_x)s %(goal_y)s) rotate(%(angle).2f)">
<ellipse class="misfit" rx="%(rx)s" ry="%(ry)s" stroke="#3d8fc4" stroke-width="2.5"/></g>
</g>
<g fill="currentColor" font-size="15">
<circle cx="%(goal_x)s" cy="%(goal_y)s" r="4"/><text x="%(goal_x)s" y="%(goal_y)s" dx="-25" dy="6">a⁺</text>
<circle class="estimate" cx="%(x)s" cy="%(y)s" r="6"/>
<text x="4" y="16">0</text><text x="178" y="-6">a₁</text><text x="-24" y="-248">a₂</text>
<text x="228" y="-184">share kept</text>
<text x="229" y="30">v₁</text><text x="286" y="30">v₂</text>
</g>
<g fill="none" stroke="currentColor" stroke-opacity="0.6">
<rect x="222" y="-170" width="34" height="180"/><rect x="279" y="-170" width="34" height="180"/></g>
<g transform="translate(0 10) scale(1 -1)" fill="#3d8fc4">
<rect class="bar" x="222" width="34" height="%(bar1)s"/>
<rect class="bar" x="279" width="34" height="%(bar2)s"/></g>
</svg>
<div><label>larger ε <input type="range" min="0" max="%(last)d" value="%(start)d" step="1"
 aria-label="the penalty, from large to small" style="width: 10rem; vertical-align: middle"> smaller ε</label></div>
<figcaption><span id="ridge-path-text" aria-live="polite">%(text)s</span>. Solid: all coefficients that fit
as well as the large dot. Dashed: all that are as long. Dotted: the path from a⁺ to 0.</figcaption>
<script>
(() => {
  const frames = %(frames)s;
  const figure = document.getElementById("ridge-path");
  const slider = figure.querySelector("input");
  const set = (element, values) =>
    Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
  const show = () => {
    const frame = frames[slider.value];
    set(figure.querySelector(".estimate"), {cx: frame.x, cy: frame.y});
    set(figure.querySelector(".length"), {r: frame.circle});
    set(figure.querySelector(".misfit"), {rx: frame.ellipse[0], ry: frame.ellipse[1]});
    figure.querySelectorAll(".bar").forEach((bar, i) => set(bar, {height: frame.bars[i]}));
    document.getElementById("ridge-path-text").textContent = frame.text;
    slider.setAttribute("aria-valuetext", frame.text);
  };
  slider.addEventListener("input", show);
  show();
})();
</script>
</figure>
"""
