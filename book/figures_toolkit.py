"""The drawings of the chapter on linear algebra: stretched circles, unit balls, shadows and waves."""

import json

import matplotlib.pyplot as plt
import numpy as np
from figures import BLUE, GREY, INK, ORANGE, Array, _plane
from matplotlib.figure import Figure

ANGLES = np.linspace(0, 2 * np.pi, 361)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)])


def stretched_circles(matrices: dict[str, Array]) -> Figure:
    """Draw the unit circle and its image under each matrix, with the vector that is stretched most."""
    fig, axes = plt.subplots(1, len(matrices), figsize=(8, 3.5))
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
        _plane(ax, title)
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
    _plane(ax)
    return fig


def forms_around_the_circle(matrices: dict[str, Array]) -> Figure:
    """Draw vᵀAv against the angle of v, with the real eigenvalues as lines and the eigenvectors as dots."""
    fig, axes = plt.subplots(1, len(matrices), figsize=(8, 2.9))
    for ax, (title, A) in zip(axes, matrices.items(), strict=True):
        ax.plot(np.degrees(ANGLES), np.einsum("ik,ij,jk->k", CIRCLE, A, CIRCLE), color=BLUE)
        values, vectors = np.linalg.eig(A)
        for value, vector in zip(values, vectors.T, strict=True):
            ax.axhline(value, color=GREY, linewidth=1.2, linestyle=":")
            angle = np.degrees(np.arctan2(vector[1], vector[0])) % 180
            ax.plot([angle, angle + 180], [value, value], "o", color=ORANGE, markersize=6, clip_on=False)
        ax.set(title=title, xlim=(0, 360), xticks=range(0, 361, 90), xlabel="angle of $v$ (degrees)")
    axes[0].set_ylabel("$v^\\top Av$")
    fig.tight_layout()
    return fig


def _ball(p: float) -> str:
    """The border of the unit ball as the data of an SVG path, 100 units to the length 1, y downwards."""
    if p < 2:  # many points near the tips, which are sharp
        x, y = 100 * np.sign(CIRCLE) * np.abs(CIRCLE) ** (2 / p)
    else:  # many points near the corners
        x, y = 100 * CIRCLE / np.linalg.norm(CIRCLE, p, axis=0)
    points = [f"{a:.1f} {-b:.1f}" for a, b in zip(x[:-1:3], y[:-1:3], strict=True)]
    return "M" + "L".join(points) + "Z"


def ball_slider(orders: list[float], first: float) -> str:
    """Make the unit balls in the plane as a drawing with a slider over p; without scripts it shows one."""
    frames = []
    for p in orders:
        name = "∞" if np.isinf(p) else f"{p:g}"
        kind = "a norm: the ball is convex" if p >= 1 else "not a norm: the ball is dented"
        frames.append({"d": _ball(p), "text": f"p = {name}, {kind}"})
    start = orders.index(first)
    return _SLIDER % {
        "path": frames[start]["d"],
        "text": frames[start]["text"],
        "last": len(frames) - 1,
        "start": start,
        "frames": json.dumps(frames, ensure_ascii=False),
    }


_SLIDER = """
<style>
html[data-theme="dark"] .bd-content .cell_output .text_html:has(#toolkit-balls) {
  background-color: transparent !important;
  color: var(--pst-color-text-base) !important;
}
</style>
<figure id="toolkit-balls" style="max-width: 22rem; margin: 1rem auto; text-align: center">
<svg viewBox="-125 -125 250 250" role="img" aria-labelledby="toolkit-balls-text" style="width: 100%%; max-width: 18rem">
<g stroke="currentColor" stroke-opacity="0.45" stroke-width="1"><path d="M-120 0H120M0-120V120"/></g>
<g fill="none" stroke="currentColor" stroke-dasharray="4 4" stroke-opacity="0.7"><circle r="100"/></g>
<path class="ball" d="%(path)s" fill="#3d8fc4" fill-opacity="0.35" stroke="#3d8fc4" stroke-width="3"/>
<g fill="currentColor" font-size="13"><text x="104" y="-5">1</text><text x="5" y="-104">1</text></g>
</svg>
<div><label>smaller p <input type="range" min="0" max="%(last)d" value="%(start)d" step="1"
 aria-label="the order p of the norm" style="width: 10rem; vertical-align: middle"> larger p</label></div>
<figcaption><span id="toolkit-balls-text" aria-live="polite">%(text)s</span>.
The dashed circle is the Euclidean ball.</figcaption>
<script>
(() => {
  const frames = %(frames)s;
  const figure = document.getElementById("toolkit-balls");
  const slider = figure.querySelector("input");
  const show = () => {
    const frame = frames[slider.value];
    figure.querySelector(".ball").setAttribute("d", frame.d);
    document.getElementById("toolkit-balls-text").textContent = frame.text;
    slider.setAttribute("aria-valuetext", frame.text);
  };
  slider.addEventListener("input", show);
  show();
})();
</script>
</figure>
"""
