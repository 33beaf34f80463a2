"""The drawings of the chapter on duality."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, GREY, ORANGE, PALE, SKY, Array, arrow, plane
from dimred_ref.datasets import Labelled
from dimred_ref.duality import DualPCA, dual_pca, lift


def two_products(n_samples: int, n_features: int) -> Figure:
    """Draw a wide table and both products with its transpose, to scale."""
    fig, ax = plt.subplots(figsize=(4.8, 2.6))
    n, p = n_samples, n_features
    blocks = (
        (0, p, n, SKY, f"$X_c$: {n} × {p}"),
        (p + 5, n, n, ORANGE, f"$G=X_cX_c^\\top$\n{n} × {n}"),
        (p + n + 14, p, p, PALE, f"$S=X_c^\\top X_c$: {p} × {p}"),
    )
    for left, width, height, color, words in blocks:
        ax.add_patch(plt.Rectangle((left, -height / 2), width, height, color=color, alpha=0.55, lw=0))
        ax.text(left + width / 2, -height / 2 - 1, words, ha="center", va="top", fontsize=11)
    plane(ax)
    ax.set(xlim=(-1, 2 * p + n + 15), ylim=(-p / 2 - 4, p / 2 + 1))
    fig.tight_layout()
    return fig


def two_spaces() -> Figure:
    """Draw eigenvectors in the space of samples and in the space of features, and the maps between them."""
    fig, ax = plt.subplots(figsize=(4.8, 4))
    for left, words in (
        (0, "space of samples,\n$\\mathbb{R}^N$"),
        (7, "space of features,\n$\\mathbb{R}^D$"),
    ):
        ax.add_patch(plt.Rectangle((left, 0), 3, 3.7, facecolor="none", edgecolor=GREY))
        ax.text(left + 1.5, 3.9, words, ha="center", fontsize=11)
    for height, index in ((3.0, 1), (1.75, 2)):
        ax.text(1.5, height, f"$u_{index}$", ha="center", va="center", fontsize=14, color=BLUE)
        ax.text(8.5, height, f"$v_{index}$", ha="center", va="center", fontsize=14, color=BLUE)
        arrow(ax, np.array([2.1, height + 0.12]), np.array([7.9, height + 0.12]), BLUE)
        arrow(ax, np.array([7.9, height - 0.12]), np.array([2.1, height - 0.12]), ORANGE, "--")
        ax.text(5, height + 0.22, f"$X_c^\\top/\\sigma_{index}$", ha="center", va="bottom", fontsize=11)
        ax.text(5, height - 0.22, f"$X_c/\\sigma_{index}$", ha="center", va="top", fontsize=11)
    ax.text(1.5, 0.55, "$\\mathbf{1}$ and all\nwith $Gu=0$", ha="center", va="center", fontsize=11)
    ax.text(8.5, 0.55, "all with\n$Cv=0$", ha="center", va="center", fontsize=11)
    ax.text(5, 0.55, "0", ha="center", va="center", fontsize=13)
    arrow(ax, np.array([3.05, 0.55]), np.array([4.8, 0.55]), GREY)
    arrow(ax, np.array([6.95, 0.55]), np.array([5.2, 0.55]), GREY, "--")
    ax.set(xlim=(-0.2, 10.2), ylim=(-0.1, 4.5))
    ax.axis("off")
    fig.tight_layout()
    return fig


def two_patterns(X: Array) -> Figure:
    """Draw two points in space, their mean and the line that they span."""
    fig = plt.figure(figsize=(4.6, 4.2))
    ax = fig.add_subplot(projection="3d")
    mean = X.mean(axis=0)
    direction = (X[1] - X[0]) / np.linalg.norm(X[1] - X[0])
    line = mean + np.outer([-6, 6], direction)
    ax.plot(*line.T, color=SKY, linestyle="--")
    ax.scatter(*X.T, color=BLUE, s=40)
    ax.scatter(*mean, color=ORANGE, marker="s", s=36)
    for place, words in ((X[0], "$x_1$"), (X[1], "$x_2$"), (mean, r"$\mu$")):
        ax.text(*(place + np.array([0.3, 0.3, 0.5])), words, fontsize=13)
    for point in X:
        ax.plot(*np.array([point, [point[0], point[1], 0]]).T, color=PALE, linewidth=0.8, linestyle=":")
    ax.set(xlim=(0, 10), ylim=(0, 10), zlim=(0, 12), xlabel="$a$", ylabel="$b$", zlabel="$c$")
    ax.set_box_aspect(None, zoom=0.9)
    return fig


def weighted_samples(data: Labelled, fit: DualPCA) -> Figure:
    """Draw two axes and their recipes: how much of each centred sample is in them."""
    X_c = data.X - data.X.mean(axis=0)
    fig = plt.figure(figsize=(6.4, 4.6))
    grid = fig.add_gridspec(2, 2, width_ratios=(1, 2.6), hspace=0.5)
    for j, (color, name) in enumerate(((BLUE, "first"), (ORANGE, "second"))):
        axis = X_c.T @ fit.coefficients[:, j]
        _picture(fig.add_subplot(grid[j, 0]), axis, f"$v_{j + 1}$")
        bars = fig.add_subplot(grid[j, 1])
        bars.bar(np.arange(len(X_c)), fit.coefficients[:, j] * 1e3, color=color, width=0.7)
        bars.axhline(0, color=GREY, linewidth=0.8)
        bars.set_title(f"recipe of the {name} axis: $1000\\,\\alpha_{{i{j + 1}}}$", loc="left")
        bars.set(xlabel="sample $i$" if j else "", xticks=range(0, len(X_c), 5))
    return fig


def _picture(ax: Axes, pixels: Array, title: str) -> None:
    side = round(np.sqrt(len(pixels)))
    top = np.abs(pixels).max()
    ax.imshow(pixels.reshape(side, side), cmap="PuOr_r", vmin=-top, vmax=top, interpolation="nearest")
    plane(ax, title)
    ax.title.set_fontsize(13)


def noise_slider(groups: Array, gap: float, counts: list[int], *, seed: int) -> HTML:
    """Draw scores and spectrum of two groups that differ in one feature, with a slider over useless features."""
    noise = np.random.default_rng(seed).normal(size=(len(groups), max(counts)))
    frames = []
    for count in counts:
        X = noise[:, :count].copy()
        X[:, 0] += gap * groups
        fit = dual_pca(X, min(len(X) - 1, count))
        cosine = abs(lift(fit.embedding[:, 0], X)[0])
        words = f"{count} features: the first axis makes an angle of {np.degrees(np.arccos(cosine)):.0f}° with the "
        words += (
            f"one that matters, and holds {fit.variances[0] / fit.total_variance:.0%} of the total variance."
        )
        frames.append(Frame(_scores_and_bars(fit, groups), words))
    alt = "Left, the points by their first two scores, circles and crosses; right, bars for the eigenvalues"
    titles = '<text x="150" y="18" text-anchor="middle">first two scores</text>'
    titles += '<text x="470" y="18" text-anchor="middle">eigenvalues, largest = 1</text>'
    titles += '<path d="M340 290H620" stroke="var(--pale)"/>'
    return slider(
        frames,
        Scene((0, 0, 640, 310), alt, titles),
        label="Number of features",
        caption="Two groups of 20 points (circles and crosses) differ in one feature; all others are noise. With "
        "few features the groups stand apart and one bar towers over the others. Once there are many, each further "
        "noise feature raises all eigenvalues by about the same amount, so the other bars catch up with the first; "
        "in the end the groups overlap and no bar stands out.",
    )


def _scores_and_bars(fit: DualPCA, groups: Array) -> str:
    scores = fit.embedding[:, :2]
    places = np.array([150, 155]) + 120 * scores / np.abs(scores).max()
    marks = []
    for (x, y), group in zip(places, groups, strict=True):
        if group > 0:
            marks.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="none" stroke="var(--blue)" stroke-width="2"/>'
            )
        else:
            marks.append(
                f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="var(--orange)" stroke-width="2"/>'
            )
    for j, share in enumerate(fit.variances / fit.variances[0]):
        height = 250 * share
        marks.append(
            f'<rect x="{340 + 7.1 * j:.1f}" y="{290 - height:.1f}" width="5" height="{height:.1f}" fill="var(--ink)"/>'
        )
    return "".join(marks)
