"""The drawings of the chapter on covariance: clouds, spokes, ellipses and their shadows."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, SPECIES_MARKS, Array, arrow, plane
from dimred_ref.covariance import EllipsoidAxes, covariance, ellipsoid_axes
from dimred_ref.datasets import Penguins


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
    plane(ax)
    return fig


def ellipse_with_axes(X: Array, C: Array, axes: EllipsoidAxes) -> Figure:
    """Draw a cloud, its covariance ellipse with both semi-axes, and the ellipse of the inverse matrix."""
    fig, ax = plt.subplots(figsize=(6.4, 4.2))
    mean = X.mean(axis=0)
    ax.scatter(*X.T, s=10, color=PALE, linewidths=0)
    ax.plot(*(mean + _outline(axes)).T, color=BLUE)
    ax.plot(*(mean + _outline(ellipsoid_axes(np.linalg.inv(C)))).T, ":", color=ORANGE)
    for j, (r, v) in enumerate(zip(axes.semi_axes, axes.directions.T, strict=True)):
        arrow(ax, mean, mean + r * v)
        _write(ax, mean + 1.25 * r * v + 0.35 * v, rf"$\sqrt{{\lambda_{j + 1}}}\,v_{j + 1}$")
    plane(ax)
    return fig


def bills_by_species(birds: Penguins) -> Figure:
    """Draw length and depth of bills, with the ellipse of each species and that of all penguins, doubled."""
    fig, ax = plt.subplots(figsize=(6.4, 4.4))
    bills = birds.X[:, :2]
    for number, (name, (mark, color)) in enumerate(zip(birds.species_names, SPECIES_MARKS, strict=True)):
        group = bills[birds.species == number]
        ax.scatter(*group.T, s=16, marker=mark, color=color, linewidths=1, alpha=0.75, label=name)
        ax.plot(*(group.mean(axis=0) + 2 * _outline(ellipsoid_axes(covariance(group)))).T, "--", color=color)
    ax.plot(
        *(bills.mean(axis=0) + 2 * _outline(ellipsoid_axes(covariance(bills)))).T, color=GREY, linewidth=2.4
    )
    ax.set(xlabel="bill length (mm)", ylabel="bill depth (mm)")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1, handletextpad=0.1)
    return fig


def arrows_and_ellipses(triples: dict[str, Array]) -> Figure:
    """Draw triples of points with arrows from the origin, and the covariance ellipse of each."""
    fig, panels = plt.subplots(1, len(triples), figsize=(6.2, 3))
    for ax, (title, points) in zip(panels, triples.items(), strict=True):
        ax.axhline(0, color=PALE, linewidth=1)
        ax.axvline(0, color=PALE, linewidth=1)
        for point in points:
            if point.any():
                arrow(ax, np.zeros(2), point, GREY)
        ax.plot(
            *(points.mean(axis=0) + _outline(ellipsoid_axes(covariance(points)))).T, color=BLUE, linewidth=2.5
        )
        ax.scatter(*points.T, s=45, color=INK, zorder=3)
        plane(ax, title.replace(", ", ",\n"))
        ax.margins(0.12)
    fig.tight_layout()
    return fig


def same_ellipse(clouds: dict[str, Array], axes: EllipsoidAxes) -> Figure:
    """Draw clouds that share one covariance, each with the ellipse."""
    fig, panels = plt.subplots(2, 2, figsize=(7, 5))
    for ax, (title, X) in zip(panels.flat, clouds.items(), strict=True):
        ax.scatter(*X.T, s=9, color=GREY, linewidths=0)
        ax.plot(*_outline(axes).T, color=BLUE)
        plane(ax, title)
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
    lengths = np.linalg.norm((X - mean) @ right.directions / right.semi_axes, axis=1)
    for point, is_inside in zip(X, lengths < 1, strict=True):
        text = f"({point[0]:.0f}, {point[1]:.0f})".replace("-", "−")
        is_left = point[0] < mean[0]
        place = {"xytext": (-8, -4) if is_left else (8, -4), "ha": "right" if is_left else "left"}
        if is_inside:  # where other points lie to both sides, and both ellipses pass near
            thin = {"arrowstyle": "-", "color": GREY, "linewidth": 0.8, "shrinkB": 3}
            place = {"xytext": (8, -44), "ha": "center", "arrowprops": thin}
        ax.annotate(text, point, textcoords="offset points", **place)
    ax.plot(*mean, "s", color=INK, markersize=7)
    ax.annotate(r"$\mu$", mean, (12, -4), textcoords="offset points", fontsize=12)
    ax.set_aspect("equal")
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, 1.22))
    return fig


SCALE = 40.0  # of the slider's drawing: units for the length 1
HALF_LINE, HALF_EDGE = 240, 130


def _turned(angle: int, deviation: float, shadow: Array) -> Frame:
    """The line at an angle, the shadow of the ellipse on it, and the shadows of the points as strokes."""
    s = SCALE * deviation
    strokes = "".join(f"M{place:.1f} 7v10" for place in SCALE * shadow)
    drawing = f"""<g transform="rotate({-angle})" fill="none">
<path d="M{-HALF_LINE} 0H{HALF_LINE}" stroke="var(--ink)" stroke-width="1.2"/>
<path d="M{-s:.1f} 0H{s:.1f}" stroke="var(--orange)" stroke-width="6"/>
<path d="M{-s:.1f} {-HALF_EDGE}v{2 * HALF_EDGE}M{s:.1f} {-HALF_EDGE}v{2 * HALF_EDGE}" stroke="var(--orange)"
 stroke-width="1.5" stroke-dasharray="5 4"/>
<path d="{strokes}" stroke="var(--pale)"/></g>"""
    return Frame(drawing, f"Angle {angle}°: standard deviation {deviation:.3f}, variance {deviation**2:.2f}.")


def turning_shadow(X: Array, C: Array) -> HTML:
    """Draw the shadows of a cloud and of its ellipse on a direction, with a slider over its angle."""
    X_c = X - X.mean(axis=0)
    frames = []
    for angle in range(0, 181, 3):
        u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        frames.append(_turned(angle, float(np.sqrt(u @ C @ u)), X_c @ u))
    on_screen = (SCALE, -SCALE)  # the second axis of a screen points down
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2"/>' for x, y in X_c * on_screen)
    ellipse = path(_outline(ellipsoid_axes(C)) * on_screen)
    still = f"""<g fill="var(--pale)">{dots}</g>
<path d="{ellipse}" fill="none" stroke="var(--blue)" stroke-width="2.2"/>"""
    alt = (
        "A cloud with its ellipse, a line that can be turned, two tangents of the ellipse at right angles to it, "
        "and the shadows of the points on the line"
    )
    return slider(
        frames,
        Scene((-250, -200, 500, 400), alt, still),
        label="Angle of the direction",
        caption="The dashed lines, at right angles to the direction, always touch the ellipse: its shadow, "
        "the thick bar, is one standard deviation of the shadows of the points (small strokes) to each side.",
    )
