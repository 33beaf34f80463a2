"""The drawings of the chapter on covariance: clouds, spokes, ellipses and their shadows."""

import json

import matplotlib.pyplot as plt
import numpy as np
from figures import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, _arrow, _plane
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dimred_ref.covariance import EllipsoidAxes, covariance, ellipsoid_axes


def _outline(axes: EllipsoidAxes, n_points: int = 181) -> Array:
    """Points of the ellipse about the origin, one per row, closed."""
    angle = np.linspace(0, 2 * np.pi, n_points)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return circle * axes.semi_axes @ axes.directions.T


def _write(ax: Axes, place: Array, text: str) -> None:
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # the points must not run through it
    ax.text(*place, text, ha="center", va="center", fontsize=12, bbox=ground)


def spokes(X: Array, C: Array) -> Figure:
    """Draw a cloud with the standard deviation along each of many directions as a spoke about its mean."""
    fig, ax = plt.subplots(figsize=(6, 3.8))
    mean = X.mean(axis=0)
    ax.scatter(*X.T, s=10, color=PALE, linewidths=0)
    angle = np.linspace(0, 2 * np.pi, 481)
    u = np.column_stack([np.cos(angle), np.sin(angle)])
    tips = mean + u * np.sqrt(np.einsum("ni,ij,nj->n", u, C, u))[:, None]
    for tip in tips[:-1:10]:
        ax.plot(*np.transpose([mean, tip]), color=SKY, linewidth=1.2)
    ax.plot(*tips.T, color=BLUE)
    ax.plot(*mean, "s", color=INK, markersize=5)
    _plane(ax)
    return fig


def ellipse_with_axes(X: Array, C: Array, axes: EllipsoidAxes) -> Figure:
    """Draw a cloud, its covariance ellipse with both semi-axes, and the ellipse of the inverse matrix."""
    fig, ax = plt.subplots(figsize=(6.4, 4.2))
    mean = X.mean(axis=0)
    ax.scatter(*X.T, s=10, color=PALE, linewidths=0)
    ax.plot(*(mean + _outline(axes)).T, color=BLUE)
    ax.plot(*(mean + _outline(ellipsoid_axes(np.linalg.inv(C)))).T, ":", color=ORANGE)
    for j, (r, v) in enumerate(zip(axes.semi_axes, axes.directions.T, strict=True)):
        _arrow(ax, mean, mean + r * v)
        _write(ax, mean + 1.25 * r * v + 0.35 * v, rf"$\sqrt{{\lambda_{j + 1}}}\,v_{j + 1}$")
    _plane(ax)
    return fig


def arrows_and_ellipses(triples: dict[str, Array]) -> Figure:
    """Draw triples of points with arrows from the origin, and the covariance ellipse of each."""
    fig, panels = plt.subplots(1, len(triples), figsize=(8, 2.9))
    for ax, (title, points) in zip(panels, triples.items(), strict=True):
        ax.axhline(0, color=PALE, linewidth=1)
        ax.axvline(0, color=PALE, linewidth=1)
        for point in points:
            if point.any():
                _arrow(ax, np.zeros(2), point, GREY)
        ax.plot(
            *(points.mean(axis=0) + _outline(ellipsoid_axes(covariance(points)))).T, color=BLUE, linewidth=2.5
        )
        ax.scatter(*points.T, s=45, color=INK, zorder=3)
        _plane(ax, title)
        ax.margins(0.12)
    fig.tight_layout()
    return fig


def same_ellipse(clouds: dict[str, Array], axes: EllipsoidAxes) -> Figure:
    """Draw clouds that share one covariance, each with the ellipse."""
    fig, panels = plt.subplots(2, 2, figsize=(7, 5))
    for ax, (title, X) in zip(panels.flat, clouds.items(), strict=True):
        ax.scatter(*X.T, s=9, color=GREY, linewidths=0)
        ax.plot(*_outline(axes).T, color=BLUE)
        _plane(ax, title)
        ax.set(xlim=(-6.8, 6.8), ylim=(-4.7, 4.7))
    fig.tight_layout()
    return fig


def centred_and_raw(X: Array, right: EllipsoidAxes, wrong: EllipsoidAxes) -> Figure:
    """Draw points with their covariance ellipse, and the ellipse of their moments about the origin."""
    fig, ax = plt.subplots(figsize=(6.4, 4.4))
    mean = X.mean(axis=0)
    ax.axhline(0, color=PALE, linewidth=1)
    ax.axvline(0, color=PALE, linewidth=1)
    ax.plot(*(mean + _outline(right)).T, color=BLUE, label="about the mean: $C$")
    ax.plot(*_outline(wrong).T, "--", color=ORANGE, label="about the origin: not centred")
    ax.scatter(*X.T, s=45, color=INK, zorder=3)
    for point in X:
        text = f"({point[0]:.0f}, {point[1]:.0f})".replace("-", "−")
        is_left = point[0] < mean[0]
        place = {"xytext": (-8, -14) if is_left else (8, -4), "ha": "right" if is_left else "left"}
        ax.annotate(text, point, textcoords="offset points", **place)
    ax.plot(*mean, "s", color=INK, markersize=7)
    ax.annotate(r"$\mu$", mean, (7, 5), textcoords="offset points", fontsize=12)
    ax.set_aspect("equal")
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, 1.22))
    return fig


STEP = 3  # degrees between two frames
SCALE = 40.0  # pixels per unit


def turning_shadow(X: Array, C: Array) -> str:
    """A picture with a slider, as HTML: the shadows of a cloud and of its ellipse on a turning direction.

    Every frame is computed here; the script only moves what stands in the page. Without the script the
    first frame remains.
    """
    points = (X - X.mean(axis=0)) * SCALE * (1.0, -1.0)  # the second axis of a screen points down
    axes = ellipsoid_axes(C)
    tilt = -np.degrees(np.arctan2(axes.directions[1, 0], axes.directions[0, 0]))
    degrees = np.arange(0, 181, STEP)
    u = np.column_stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    deviations = np.sqrt(np.einsum("ni,ij,nj->n", u, C, u))
    shadows = np.round((X - X.mean(axis=0)) @ u.T * SCALE, 1).T
    frames = [
        {"angle": int(angle), "s": round(float(s), 3), "ticks": _ticks(row)}
        for angle, s, row in zip(degrees, deviations, shadows, strict=True)
    ]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2"/>' for x, y in points)
    first, (long, short) = frames[0], axes.semi_axes * SCALE
    return TURNING_SHADOW.format(
        dots=dots,
        long=f"{long:.1f}",
        short=f"{short:.1f}",
        tilt=f"{tilt:.2f}",
        half=f"{first['s'] * SCALE:.1f}",
        s=first["s"],
        variance=first["s"] ** 2,
        ticks=first["ticks"],
        last=len(frames) - 1,
        step=STEP,
        scale=SCALE,
        frames=json.dumps(frames, separators=(",", ":")),
    )


def _ticks(places: Array) -> str:
    """An SVG path of short strokes at these places of a ruler."""
    return "".join(f"M{place:g} 7V17" for place in places)


TURNING_SHADOW = """
<figure class="turning-shadow" aria-label="The shadow of a cloud and of its ellipse on a turning direction">
<style>
.bd-content div.cell_output .text_html:has(.turning-shadow)
  {{ background: none !important; color: inherit !important; padding: 0; }}
.turning-shadow {{ margin: 1em 0; --ink: #222; --pale: #999; --blue: #0a5c96; --orange: #c14e00; }}
html[data-theme="dark"] .turning-shadow
  {{ --ink: #ddd; --pale: #8a8a8a; --blue: #6db7ee; --orange: #ff9b57; }}
.turning-shadow svg {{ width: 100%; max-width: 560px; height: auto; display: block; margin: 0 auto; }}
.turning-shadow .dots {{ fill: var(--pale); }}
.turning-shadow .ellipse {{ fill: none; stroke: var(--blue); stroke-width: 2.2; }}
.turning-shadow .line {{ stroke: var(--ink); stroke-width: 1.2; }}
.turning-shadow .edge {{ stroke: var(--orange); stroke-width: 1.4; stroke-dasharray: 5 4; }}
.turning-shadow .bar {{ stroke: var(--orange); stroke-width: 6; }}
.turning-shadow .ticks {{ stroke: var(--pale); stroke-width: 1; fill: none; }}
.turning-shadow .reading {{ text-align: center; margin: 0.2em 0; font-variant-numeric: tabular-nums; }}
.turning-shadow label {{ display: flex; gap: 0.8em; align-items: center; justify-content: center; flex-wrap: wrap; }}
.turning-shadow input {{ width: min(22em, 60%); accent-color: var(--blue); }}
@media print {{ .turning-shadow label {{ display: none; }} }}
</style>
<svg viewBox="-280 -205 560 410" role="img" aria-label="A cloud with its ellipse, a line that can be turned,
two tangents of the ellipse at right angles to the line, and the shadows of the points on a ruler beside the cloud">
<g class="dots">{dots}</g>
<ellipse class="ellipse" rx="{long}" ry="{short}" transform="rotate({tilt})"/>
<g class="turned">
<line class="line" x1="-270" x2="270" y1="0" y2="0"/>
<line class="bar" x1="-{half}" x2="{half}" y1="0" y2="0"/>
<line class="edge left" x1="-{half}" x2="-{half}" y1="-130" y2="130"/>
<line class="edge right" x1="{half}" x2="{half}" y1="-130" y2="130"/>
<path class="ticks" d="{ticks}"/>
</g>
</svg>
<p class="reading">angle <span class="angle">0</span>°: standard deviation <span class="s">{s:.3f}</span>,
variance <span class="variance">{variance:.2f}</span></p>
<label>direction <input type="range" min="0" max="{last}" value="0"
aria-label="angle of the direction, in steps of {step} degrees"></label>
<figcaption><p><span class="caption-text">Turn the line with the slider (or focus it and use the arrow keys).
<strong>See:</strong> the dashed lines, at right angles to the direction, always touch the ellipse: its shadow, the
thick bar, is one standard deviation of the points' shadows (small strokes) to each side.</span></p></figcaption>
<script>
(() => {{
  const figure = document.currentScript.closest("figure"), frames = {frames};
  const find = (name) => figure.querySelector(name), slider = find("input");
  const show = () => {{
    const {{angle, s, ticks}} = frames[slider.value], half = s * {scale};
    find(".turned").setAttribute("transform", `rotate(${{-angle}})`);
    for (const [name, x1, x2] of [[".bar", -half, half], [".left", -half, -half], [".right", half, half]]) {{
      find(name).setAttribute("x1", x1); find(name).setAttribute("x2", x2);
    }}
    find(".ticks").setAttribute("d", ticks);
    find(".angle").textContent = angle;
    find(".s").textContent = s.toFixed(3);
    find(".variance").textContent = (s * s).toFixed(2);
    slider.setAttribute("aria-valuetext", `${{angle}} degrees, standard deviation ${{s.toFixed(2)}}`);
  }};
  slider.addEventListener("input", show);
  show();
}})();
</script>
</figure>
"""
