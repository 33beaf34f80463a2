"""Explorables of the linear chapters: data of the reference, a still of them, question and caption."""

import numpy as np
from IPython.display import HTML

from _figures.explorables import Plane, circles, dots, explorable, rounded
from _figures.intro import spiral_galaxy
from _figures.sliders import Scene, path
from dimred_ref.covariance import centred
from dimred_ref.datasets import digits, gaussian_cloud
from dimred_ref.least_squares import min_norm_solution
from dimred_ref.pca import pca
from dimred_ref.svd import thin_svd

DIGIT = 0  # row of the digits


def cloud() -> HTML:
    """Draw twenty points that the page lets go, with their ellipse and principal axes."""
    points = gaussian_cloud(20, [0, 0], [[1.0, 0.4], [0.4, 0.6]], seed=3).X.round(4)
    fit = pca(points, 2)
    view = Plane(0, 600, 5, 420)
    turn = np.linspace(0, 2 * np.pi, 61)
    half_axes = 2 * np.sqrt(fit.variances) * fit.axes
    outline = fit.mean + np.column_stack([np.cos(turn), np.sin(turn)]) @ half_axes.T
    axes = [path(view(fit.mean + np.outer([-1, 1], axis))) for axis in half_axes.T]
    still = (
        f'<path class="ellipse" d="{path(view(outline))}"/><path class="axis" d="{axes[0]}"/>'
        f'<path class="axis thin" d="{axes[1]}"/>{circles(view(points), "point")}'
    )
    alt = "Twenty points in a tilted cloud, their covariance ellipse and the two principal axes."
    return explorable(
        "cloud",
        {"points": rounded(points)},
        Scene((0, 0, 600, 420), alt, still),
        question="How many points does it take to turn the first principal axis?",
        caption="Twenty points, the ellipse of two standard deviations and the principal axes. One point, far enough "
        "away, turns the first axis: squares weigh it by its distance.",
    )


def spectrum() -> HTML:
    """Draw a digit and its singular values as bars."""
    digit = digits().X[DIGIT].reshape(8, 8)
    sigma = thin_svd(digit).singular_values
    pixels = "".join(
        f'<rect class="ink" x="{37.5 * j}" y="{37.5 * i}" width="38" height="38" '
        f'fill-opacity="{digit[i, j] / 16:.3f}"/>'
        for i, j in np.argwhere(digit > 0)
    )
    heights = 260 * sigma / (1.1 * sigma[0])
    bars = "".join(
        f'<rect class="bar" x="{326 + 35 * a}" y="{276 - height:.1f}" width="27" height="{max(height, 1):.1f}"/>'
        for a, height in enumerate(heights)
    )
    alt = "A handwritten zero of 8 by 8 pixels, and its eight singular values as bars that fall quickly."
    return explorable(
        "spectrum",
        {"digit": rounded(digit)},
        Scene((0, 0, 612, 300), alt, pixels + bars),
        question="Which bars can go, and which one carries the digit?",
        caption="A digit of 8 × 8 pixels is a matrix, and the bars are its singular values. Each bar is one layer "
        "<i>σuv</i>ᵀ of the picture; what is missing has the squared norm of the bars that are missing.",
    )


def fit() -> HTML:
    """Draw eight points and the line of least squares."""
    t = np.linspace(-0.95, 0.95, 8).round(4)
    noise = np.random.default_rng(5).standard_normal(8)
    y = (0.8 * t + 0.35 * noise).round(4)
    slope = min_norm_solution((t - t.mean())[:, None], y - y.mean())[0]
    line = y.mean() + slope * (np.array([-1.1, 1.1]) - t.mean())
    across, up = (t + 1.1) * 600 / 2.2, 180 - y * 90
    errors = "".join(
        f"M{x:.1f} {height:.1f}V{180 - 90 * (y.mean() + slope * (at - t.mean())):.1f}"
        for x, height, at in zip(across, up, t, strict=True)
    )
    still = (
        f'<path class="short-cuts thin" d="{errors}"/>'
        f'<path class="axis" d="M0 {180 - 90 * line[0]:.1f}L600 {180 - 90 * line[1]:.1f}"/>'
        f"{circles(np.column_stack([across, up]), 'point')}"
    )
    alt = "Eight points, the straight line of least squares through them, and their vertical errors, dashed."
    return explorable(
        "fit",
        {"t": rounded(t), "y": rounded(y)},
        Scene((0, 0, 600, 360), alt, still),
        question="What does a small penalty on the coefficients cost, and what does it save?",
        caption="Least squares and ridge through eight points. With the highest power 7 the curve meets every point "
        "and swings between them; a penalty of 0.001 on the squared length of the coefficients calms it.",
    )


def matrix() -> HTML:
    """Draw the grid that a 2 × 2 matrix makes of squares, and the ellipse of the unit circle."""
    A = np.array([[1.4, 0.8], [0.2, 1.1]])
    view = Plane(0, 420, 3.4)
    lines = [
        np.array([[c, -3], [c, 3]]) if is_upright else np.array([[-3, c], [3, c]])
        for c in range(-3, 4)
        for is_upright in (True, False)
    ]
    grid = "".join(path(view(line @ A.T)) for line in lines)
    turn = np.linspace(0, 2 * np.pi, 61)
    circle = view(np.column_stack([np.cos(turn), np.sin(turn)]) @ A.T)
    parts = thin_svd(A)
    arrows = [path(view(np.array([[0, 0], A @ v]))) for v in parts.V.T]
    still = (
        f'<path class="edges" d="{grid}"/><path class="ellipse" d="{path(circle)}"/>'
        f'<path class="axis" d="{arrows[0]}"/><path class="axis dashed" d="{arrows[1]}"/>'
        f"{circles(view(A.T), 'point')}"
    )
    alt = "The grid of unit squares moved by a matrix, the ellipse of its unit circle, and the half axes."
    return explorable(
        "matrix",
        {"matrix": rounded(A)},
        Scene((0, 0, 420, 420), alt, still),
        question="Which two directions, at right angles before, are still at right angles after?",
        caption="A 2 × 2 matrix turns, stretches along the axes, and turns again. The two points are its columns; the "
        "thick arrows are the directions that stay orthogonal, with the singular values as lengths.",
    )


def view() -> HTML:
    """Draw the spiral galaxy of the first page in the view of most variance."""
    points = centred(spiral_galaxy()).round(4)
    arms = np.where(np.arange(len(points)) % 2, 6, 1)  # their shades
    places = Plane(0, 480, 1.02 * np.linalg.norm(points, axis=1).max(), 380)
    still = dots(places(pca(points, 2).embedding), arms)
    data = {
        "points": rounded(points),
        "shades": arms.tolist(),
        "names": ("x", "y", "z"),
        "units": (1, 10, 1),
    }
    alt = "Two spiral arms, clearly separate: a cloud in space, in the plane of its largest variance."
    return explorable(
        "view",
        data,
        Scene((0, 0, 480, 380), alt, still),
        question="From which side does this cloud show most of itself?",
        caption="The cloud of the figure below. Principal component analysis computes the view that shows most "
        "variance; count one coordinate in a smaller unit, and it computes another.",
    )
