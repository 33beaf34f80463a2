"""The drawings of the chapter on PCA in practice, in the style of `style`."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, SPECIES_MARKS, Array, arrow, plane
from dimred_ref.pca import pca
from dimred_ref.practice import Biplot

METHOD_MARKS = ((BLUE, "o"), (ORANGE, "^"), (GREY, "s"))
CLOUD, BARS = (360, 250), 300  # the slider's picture of the scores, and how far down its bars begin


def _grouped(ax: Axes, points: Array, labels: Array, names: Sequence[str], size: float = 12) -> None:
    for group, (name, (mark, color)) in enumerate(zip(names, SPECIES_MARKS, strict=False)):
        width = 0.9 if mark == "x" else 0
        ax.scatter(*points[labels == group].T, s=size, color=color, marker=mark, linewidths=width, label=name)


def _legend_below(fig: Figure, ax: Axes, count: int) -> None:
    handles, names = ax.get_legend_handles_labels()
    fig.legend(
        handles,
        names,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.02),
        ncols=count,
        markerscale=1.8,
        fontsize=11,
    )


def two_views(views: dict[str, Array], labels: Array, names: Sequence[str]) -> Figure:
    """Draw several planes of scores side by side, a mark per group."""
    fig, axes = plt.subplots(1, len(views), figsize=(8, 3.4))
    for ax, (title, points) in zip(axes, views.items(), strict=True):
        _grouped(ax, points, labels, names)
        ax.set_title(title, fontsize=12)
        ax.set_xlabel("first score", fontsize=11)
        ax.set_ylabel("second score", fontsize=11)
    fig.tight_layout()
    _legend_below(fig, axes[0], len(names))
    return fig


def units_slider(
    X: Array, labels: Array, units: dict[str, Array], features: Sequence[str], first: int
) -> HTML:
    """Draw the first two scores for several choices of unit, and what the first direction is made of."""
    frames = []
    for words, scales in units.items():
        fit = pca(X * scales, 2)
        shares = fit.axes[:, 0] ** 2
        main = ", ".join(features[a] for a in np.argsort(-shares) if shares[a] > 0.2)
        share = fit.explained_variance_ratio[0]
        sentence = f"{words}: the first direction, {share:.1%} of the variance, is mainly {main}."
        frames.append(Frame(_cloud(fit.embedding * _facing(fit.axes), labels) + _bars(shares), sentence))
    still = "".join(
        f'<text x="0" y="{BARS + 26 * a + 13}">{name}</text>'
        f'<rect x="130" y="{BARS + 26 * a}" width="230" height="16" fill="none" stroke="var(--pale)"/>'
        for a, name in enumerate(features)
    )
    still += f'<text x="0" y="{BARS - 12}">share of each feature in the first direction</text>'
    alt = "A cloud of three groups of penguins in their first two scores, and four bars, one for each feature"
    return slider(
        frames,
        Scene((-2, 0, CLOUD[0] + 4, BARS + 26 * len(features)), alt, still),
        label="Unit of body mass",
        caption="Each mark is a penguin: dots are Adelie, triangles Chinstrap, crosses Gentoo. From kilogram to gram "
        "nothing about the birds changes, yet the first direction goes from flipper length to body mass, and the cloud "
        "is pressed into a line. The bars are the squares of the entries of v₁, which sum to 1.",
        first=first,
    )


def _facing(axes: Array) -> Array:
    """Signs that make the largest entry of each direction positive: a frame must not flip."""
    return np.sign(axes[np.argmax(np.abs(axes), axis=0), [0, 1]])


def _cloud(points: Array, labels: Array) -> str:
    reach = np.abs(points).max()  # one unit for both axes, as PCA has it
    places = np.array(CLOUD) / 2 + points * (1, -1) * (CLOUD[0] / 2 - 6) / reach
    drawn = []
    for group, color in enumerate(("blue", "orange", "ink")):
        marks = "".join(_mark(group, x, y) for x, y in places[labels == group])
        drawn.append(
            f'<path d="{marks}" fill="none" stroke="var(--{color})" stroke-width="{(5, 1.5, 1)[group]}"'
        )
        drawn.append(' stroke-linecap="round"/>')
    return "".join(drawn)


def _mark(group: int, x: float, y: float) -> str:
    shapes = (
        "M{:.0f} {:.0f}h0",
        "M{:.0f} {:.0f}m-3 2l3 -5l3 5z",
        "M{:.0f} {:.0f}m-2.5 -2.5l5 5m0 -5l-5 5",
    )
    return shapes[group].format(x, y)


def _bars(shares: Array) -> str:
    return "".join(
        f'<rect x="130" y="{BARS + 26 * a}" width="{230 * share:.1f}" height="16" fill="var(--blue)"/>'
        for a, share in enumerate(shares)
    )


def biplot(drawing: Biplot, labels: Array, names: Sequence[str], features: Sequence[str]) -> Figure:
    """Draw samples as points and features as arrows in one plane; arrows three times as long, within their circle."""
    fig, ax = plt.subplots(figsize=(4.2, 3.6))
    _grouped(ax, drawing.points, labels, names, size=11)
    around = np.linspace(0, 2 * np.pi, 200)
    stretch = 3.0
    ax.plot(stretch * np.cos(around), stretch * np.sin(around), color=PALE, linewidth=1, linestyle=":")
    for tip, name in zip(drawing.arrows * stretch, features, strict=True):
        arrow(ax, np.zeros(2), tip)
        place = tip * 1.1 + (0, 0.16 if name == "body mass" else 0)
        ax.text(*place, name, weight="bold", fontsize=11, ha="left" if tip[0] > 0 else "right", va="center")
    plane(ax)
    ax.set(xlim=(-3.6, 4.4), ylim=(-3.1, 3.1))
    fig.subplots_adjust(left=0, right=1, bottom=0.06, top=1)
    _legend_below(fig, ax, len(names))
    return fig


def scree(spectra: dict[str, tuple[Array, Array, Array]]) -> Figure:
    """Draw spectra as shares, each with its broken stick and the reach of shuffled tables."""
    fig, axes = plt.subplots(1, len(spectra), figsize=(8, 3.3))
    for ax, (title, (shares, stick, shuffled)) in zip(axes, spectra.items(), strict=True):
        places = np.arange(1, len(shares) + 1)
        ax.bar(places, shares, color=SKY, edgecolor=BLUE, linewidth=1, label="share of the variance")
        ax.plot(places, stick, "--", color=ORANGE, marker="v", markersize=5, label="broken stick")
        ax.plot(places, shuffled, "-", color=INK, marker="o", markersize=4, label="shuffled, 95 %")
        ax.set_title(title, fontsize=12)
        ax.set_xlabel("component", fontsize=11)
        if len(shares) < 6:
            ax.set_xticks(places)
    fig.tight_layout()
    handles, names = axes[0].get_legend_handles_labels()
    fig.legend(
        handles,
        names,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.02),
        ncols=3,
        fontsize=11,
        columnspacing=1.2,
        handlelength=1.3,
    )
    return fig


def weighted_list(digit: Array, mean: Array, axes: Array, coefficients: Array) -> Figure:
    """Draw a digit as its mean plus a weighted list of eigen-images, the weights above them."""
    count = len(coefficients)
    fig, panels = plt.subplots(1, count + 2, figsize=(8, 1.5))
    reach = np.abs(axes).max()
    for ax, image, title in ((panels[0], digit, "digit"), (panels[1], mean, "= mean")):
        ax.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set_title(title, fontsize=11)
    for ax, image, weight in zip(panels[2:], axes.T, coefficients, strict=True):
        ax.imshow(image.reshape(8, 8), cmap="gray_r", vmin=-reach, vmax=reach)
        ax.set_title(f"{weight:+.1f} ×".replace("-", "−"), fontsize=11)
    for ax in panels:
        ax.set(xticks=[], yticks=[])
    fig.tight_layout(pad=0.3)
    return fig


def growing(images: dict[str, Array]) -> Figure:
    """Draw a row of images of 8 × 8 pixels, each with its title."""
    fig, panels = plt.subplots(1, len(images), figsize=(8, 1.5))
    for ax, (title, image) in zip(panels, images.items(), strict=True):
        ax.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set_title(title, fontsize=11)
        ax.set(xticks=[], yticks=[])
    fig.tight_layout(pad=0.3)
    return fig


def whitenings(clouds: dict[str, Array], chosen: Sequence[int]) -> Figure:
    """Draw a plane cloud and its white versions, with a few samples marked to follow them."""
    fig, axes = plt.subplots(1, len(clouds), figsize=(8, 3))
    for ax, (title, points) in zip(axes, clouds.items(), strict=True):
        points = points - points.mean(axis=0)
        ax.scatter(*points.T, s=7, color=PALE, linewidths=0)
        for row, (color, mark) in zip(chosen, ((BLUE, "o"), (ORANGE, "^"), (INK, "s")), strict=False):
            ax.plot(*points[row], mark, color=color, markersize=9)
        plane(ax)
        ax.set(xlim=(-3.4, 3.4), ylim=(-3.4, 3.4))
        ax.set_title(title, fontsize=12)
    fig.tight_layout()
    return fig


def outlier_planes(panels: dict[str, Array], chosen: int, word: str) -> Figure:
    """Draw whitened scores of pairs of components, with circles at two and four deviations, and name one sample."""
    fig, axes = plt.subplots(1, len(panels), figsize=(8, 3.8))
    around = np.linspace(0, 2 * np.pi, 200)
    for ax, (title, points) in zip(axes, panels.items(), strict=True):
        ax.scatter(*points.T, s=9, color=PALE, linewidths=0)
        for radius in (2, 4):
            ax.plot(radius * np.cos(around), radius * np.sin(around), color=GREY, linewidth=1, linestyle=":")
        ax.plot(*points[chosen], "^", color=ORANGE, markersize=10)
        ax.annotate(
            word,
            points[chosen],
            (0, 12),
            textcoords="offset points",
            ha="center",
            weight="bold",
            fontsize=11,
            bbox={
                "facecolor": "white",
                "edgecolor": "none",
                "pad": 1,
                "alpha": 0.8,
            },  # no dot runs through it
        )
        ax.set(
            xlim=(-5.2, 5.2),
            ylim=(-5.2, 5.2),
            aspect="equal",
            xticks=[-4, -2, 0, 2, 4],
            yticks=[-4, -2, 0, 2, 4],
        )
        ax.set_title(title, fontsize=12)
    fig.tight_layout()
    return fig


def nuisance(
    panels: dict[str, Array], labels: Array, names: Sequence[str], axis_words: Sequence[str]
) -> Figure:
    """Draw two features by group, before and after a nuisance is removed, with the direction of the whole cloud."""
    fig, axes = plt.subplots(1, len(panels), figsize=(8, 3.6))
    for ax, (title, points) in zip(axes, panels.items(), strict=True):
        _grouped(ax, points, labels, names)
        mean, first = points.mean(axis=0), pca(points, 1)
        v = first.axes[:, 0] * 2.4 * np.sqrt(first.variances[0])
        ax.plot(*np.transpose([mean - v, mean + v]), color=INK, linewidth=2.2)
        ax.set_title(title, fontsize=12)
        ax.set_xlabel(axis_words[0], fontsize=11)
        ax.set_aspect("equal")
    axes[0].set_ylabel(axis_words[1], fontsize=11)
    fig.tight_layout()
    _legend_below(fig, axes[0], len(names))
    return fig


def accuracy(counts: Sequence[int], curves: dict[str, Array]) -> Figure:
    """Draw the accuracy of a model against the number of components it was given."""
    fig, ax = plt.subplots(figsize=(5, 3.1))
    for (name, values), (color, mark) in zip(curves.items(), METHOD_MARKS, strict=False):
        ax.plot(counts, values, color=color, marker=mark, markersize=5)
        ax.annotate(
            name, (counts[-1], values[-1]), (6, 0), textcoords="offset points", va="center", color=color
        )
    ax.set_xlabel("components $d$", fontsize=11)
    ax.set_ylabel("share of digits read correctly", fontsize=11)
    ax.set_ylim(0.85, 1.0)
    return fig


def held_out_curves(counts: Sequence[int], curves: dict[str, Array], chosen: int) -> Figure:
    """Draw errors over the number of components: a line for each curve, its range over draws as a band."""
    fig, axes = plt.subplots(1, len(curves), figsize=(7, 3.3))
    for ax, (name, values) in zip(axes, curves.items(), strict=True):
        ax.fill_between(counts, values.min(axis=0), values.max(axis=0), color=BLUE, alpha=0.2, linewidth=0)
        ax.plot(counts, values.mean(axis=0), color=BLUE, marker="o", markersize=4)
        ax.axvline(chosen, color=GREY, linestyle=":")
        ax.set(title=name, xlabel="components $d$", ylabel="mean squared error", xticks=list(counts))
    fig.tight_layout()
    return fig


def resampled_loadings(draws: Array, axes: Array, features: Sequence[str]) -> Figure:
    """Draw the loadings of each component with the middle 95 % of their resampled values."""
    fig, grid = plt.subplots(2, axes.shape[1] // 2, figsize=(7, 5), squeeze=False)
    panels = grid.flat
    low, high = np.percentile(draws, [2.5, 97.5], axis=0)
    places = np.arange(len(features))[::-1]
    for j, ax in enumerate(panels):
        ax.hlines(places, low[:, j], high[:, j], color=SKY, linewidth=6)
        ax.plot(axes[:, j], places, "o", color=INK, markersize=4)
        ax.axvline(0, color=GREY, linewidth=0.8)
        ax.set(
            title=f"component {j + 1}", xlim=(-1.05, 1.05), yticks=places, ylim=(-0.6, len(features) - 0.4)
        )
        ax.set_yticklabels(features)
    fig.tight_layout()
    return fig
