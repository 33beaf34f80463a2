"""The drawings of the chapter on high-dimensional geometry, in the style of `figures`."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist

from _figures.sliders import Frame, Scene, path, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, plane
from dimred_ref.covariance import covariance
from dimred_ref.datasets import Images
from dimred_ref.geometry import distance_law, normalised_squared_distances

N_PAIRS = 5000
Z_MAX = 6.0
WIDTH, MARGIN, AXIS = 480, 16, 230  # of the slider's picture


def _normal_density(z: Array, mean: float, variance: float) -> Array:
    density: Array = np.exp(-((z - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    return density


def distance_histograms(dimensions: tuple[int, ...]) -> Figure:
    """Draw squared distances per dimension of random pairs, with their law and its normal limit."""
    fig, panels = plt.subplots(2, len(dimensions) // 2, figsize=(5.2, 4.2), sharex=True)
    z = np.linspace(0.002, Z_MAX, 1500)
    for ax, D in zip(panels.flat, dimensions, strict=True):
        rng = np.random.default_rng(D)
        # In ten portions: 5000 pairs in 1000 dimensions at once would need 80 MB.
        sample = np.concatenate(
            [normalised_squared_distances(*rng.normal(size=(2, 500, D))) for _ in range(N_PAIRS // 500)]
        )
        law = distance_law(D)
        ax.hist(sample, bins=np.linspace(0, Z_MAX, 121), density=True, color=SKY)
        ax.plot(z, law.density(z), color=BLUE, linewidth=1.5)
        ax.plot(z, _normal_density(z, law.mean, law.variance), "--", color=ORANGE, linewidth=1.3)
        ax.set(title=f"$D={D}$", xticks=[0, 2, 4, 6], yticks=[])
        ax.spines["left"].set_visible(False)
    for ax in panels[-1]:
        ax.set_xlabel("$R_D$")
    fig.tight_layout()
    return fig


def images_and_spectra(smooth: Images, noise: Images) -> Figure:
    """Draw three images of each kind, and how much variance the first directions of each kind hold."""
    fig = plt.figure(figsize=(6.4, 3))
    grid = fig.add_gridspec(2, 5, width_ratios=(1, 1, 1, 0.35, 2.4), wspace=0.12, hspace=0.12)
    spectrum = fig.add_subplot(grid[:, 4])
    for row, (name, images, color, dash) in enumerate(
        (("smooth", smooth, BLUE, "-"), ("noise", noise, ORANGE, "--"))
    ):
        for column in range(3):
            ax = fig.add_subplot(grid[row, column])
            ax.imshow(images.X[column].reshape(images.side, images.side), cmap="gray")
            plane(ax)
        eigenvalues = np.linalg.eigvalsh(covariance(images.X))[::-1]
        held = np.append(0, np.cumsum(eigenvalues[:40])) / eigenvalues.sum()
        spectrum.plot(np.arange(41), held, dash, color=color, marker="o" if row == 0 else "", markersize=3)
        spectrum.text(40, held[-1] - 0.12, name, color=color, ha="right", va="top", weight="bold")
    spectrum.set(xlabel="number of directions", ylim=(0, 1.03), yticks=[0, 0.5, 1], title="share of variance")
    return fig


def table_and_plane(X: Array, Z: Array) -> Figure:
    """Draw the first columns of a table as numbers, and its rows as points of a plane."""
    fig, (table, plane) = plt.subplots(2, 1, figsize=(5, 5.8), height_ratios=(1.2, 1.1))
    for row, sample in enumerate(X):
        table.text(-1.0, -row, str(row), ha="right", va="center", weight="bold")
        for column, number in enumerate(sample[:6]):
            text = f"{number:.2f}".replace("-", "−")
            table.text(column, -row, text, ha="right", va="center")
        table.text(5.3, -row, "…", ha="left", va="center")
    table.set(xlim=(-1.4, 6), ylim=(0.4 - len(X), 0.7))
    table.set_axis_off()
    plane.scatter(*Z.T, s=26, color=BLUE)
    for number, point in enumerate(Z):
        plane.annotate(str(number), point, (4, 3), textcoords="offset points")
    plane.axhline(0, color=PALE, linewidth=0.8, zorder=0)
    plane.axvline(0, color=PALE, linewidth=0.8, zorder=0)
    plane.set_aspect("equal", adjustable="datalim")
    plane.set(xlabel="first direction", ylabel="second", xticks=[], yticks=[])
    fig.tight_layout()
    return fig


def dimension_by_scale(X: Array, effective: float) -> Figure:
    """Draw a plane cloud, and the growth rate of its number of close pairs against the radius."""
    fig, (cloud, rate) = plt.subplots(1, 2, figsize=(6.2, 3), width_ratios=(1, 1.6))
    cloud.scatter(*X.T, s=2, color=INK, linewidths=0)
    plane(cloud)
    distances = np.sort(pdist(X))
    radii = np.geomspace(0.01, 35, 60)
    counts = np.searchsorted(distances, radii)
    slopes = np.gradient(np.log(counts), np.log(radii))
    # A moving average over five radii: counts of close pairs are small numbers, and jump.
    slopes = np.convolve(slopes, np.ones(5) / 5, mode="valid")
    rate.semilogx(radii[2:-2], slopes, color=BLUE)
    rate.axhline(effective, color=ORANGE, linestyle=":", linewidth=1.6)
    rate.text(0.011, effective - 0.14, "effective dimension", color=ORANGE, va="top")
    for whole in (1, 2):
        rate.axhline(whole, color=GREY, linewidth=0.8, zorder=0)
    rate.set(xlabel="radius", title="dimension at this radius", ylim=(0, 3.4), yticks=[0, 1, 2, 3])
    fig.tight_layout()
    return fig


def _curve(z: Array, f: Array, highest: float) -> str:
    """A curve as the data of an SVG path in the coordinates of the slider's picture."""
    up = AXIS - np.minimum(f, highest) / highest * (AXIS - 30)
    return path(np.column_stack([_across(z), up]))


def _across(z: Array) -> Array:
    place: Array = MARGIN + np.asarray(z) / Z_MAX * (WIDTH - 2 * MARGIN)
    return place


def _distance_frame(D: int) -> Frame:
    law, sd = distance_law(D), np.sqrt(8 / D)
    near = np.clip(law.mean + sd * np.linspace(-6, 6, 121), 0, Z_MAX)
    z = np.unique(np.concatenate([[1e-3], np.linspace(0.05, Z_MAX, 60), near[near > 0]]))
    # Every frame has its own height, or all but the last would be flat.
    highest = 1.35 / np.sqrt(2 * np.pi * law.variance) if D > 2 else 0.55
    normal = _curve(z, _normal_density(z, law.mean, law.variance), highest)
    drawing = f"""<g fill="none" stroke-width="2.5">
<path d="{normal}" stroke="var(--orange)" stroke-dasharray="6 4"/>
<path d="{_curve(z, law.density(z), highest)}" stroke="var(--blue)"/></g>"""
    inside = law.distribution(2.2) - law.distribution(1.8)
    return Frame(
        drawing, f"D = {D}: standard deviation {sd:.2f}; within 10% of the mean: {inside:.0%} of all pairs."
    )


def distance_slider(dimensions: list[int], first: int) -> HTML:
    """Draw the law of the distances and its normal limit, with a slider over the dimension."""
    ticks = "".join(
        f'<text x="{_across(z):.0f}" y="{AXIS + 20}" text-anchor="middle">{z}</text>' for z in range(7)
    )
    still = f"""<path d="M{MARGIN} {AXIS}H{WIDTH - MARGIN}" stroke="var(--ink)"/>{ticks}
<text x="{WIDTH / 2:.0f}" y="{AXIS + 42}" text-anchor="middle">squared distance per dimension, R</text>
<text x="{WIDTH - MARGIN}" y="18" text-anchor="end">solid: law of R, dashed: normal curve</text>"""
    alt = "A density over an axis from 0 to 6 as a solid curve, and the normal curve of the same mean and variance"
    return slider(
        [_distance_frame(D) for D in dimensions],
        Scene((0, 0, WIDTH, AXIS + 50), alt, still),
        label="Number of dimensions D",
        caption="Squared distances per dimension of pairs of random points. The curve gathers about 2 as D grows, and "
        "comes to lie on the normal one. The height is scaled anew for every D.",
        first=dimensions.index(first),
    )
