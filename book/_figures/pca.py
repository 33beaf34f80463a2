"""The drawings of the chapter on principal component analysis, in the style of `figures`."""

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, pixels, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, SPECIES_MARKS, Array, arrow, plane
from dimred_ref.datasets import Labels, Penguins
from dimred_ref.pca import pca

SIDE, PIXEL, PER_ROW = (
    8,
    9,
    5,
)  # pixels along a side of a digit, their size on the slider's drawing, digits per row
WORDS = 24  # room above a row for its name
PAIR = PIXEL * SIDE + WORDS  # from a row of originals down to the row of their rebuilt likes


def shadows(X: Array, directions: dict[str, Array]) -> Figure:
    """Draw a cloud with several directions, and beside it the histogram of its shadow on each."""
    fig = plt.figure(figsize=(5.2, 3.3))
    grid = fig.add_gridspec(len(directions), 2, width_ratios=(1.1, 1), wspace=0.3, hspace=0.25)
    cloud = fig.add_subplot(grid[:, 0])
    cloud.scatter(*X.T, s=10, color=PALE, linewidths=0)
    reach = np.abs(X).max()
    bins = np.linspace(-reach, reach, 41)
    styles = [(BLUE, "-"), (GREY, "--"), (ORANGE, ":")]
    for row, ((name, v), (color, dash)) in enumerate(zip(directions.items(), styles, strict=False)):
        cloud.plot(*np.outer(v, [-0.95 * reach, 0.95 * reach]), dash, color=color)
        cloud.text(*(1.06 * reach * v), name, ha="center", va="center", color=color, weight="bold")
        ax = fig.add_subplot(grid[row, 1])
        ax.hist(X @ v, bins=bins, color=color, alpha=0.85)
        ax.set(yticks=[], xlim=(-reach, reach), ylim=(0, len(X) / 4))
        ax.spines["left"].set_visible(False)
        ax.text(-reach, len(X) / 4.4, f"{name}: variance {np.var(X @ v):.2f}", color=color, va="top")
        if row < len(directions) - 1:
            ax.set_xticklabels([])
    plane(cloud)
    return fig


def variance_by_angle(C: Array, top_angle: float) -> Figure:
    """Draw the variance of a plane cloud as a function of the direction."""
    degrees = np.linspace(-90, 270, 361)
    v = np.stack([np.cos(np.radians(degrees) + top_angle), np.sin(np.radians(degrees) + top_angle)])
    variances = np.einsum("ik,ij,jk->k", v, C, v)
    fig, ax = plt.subplots(figsize=(5.2, 3))
    ax.plot(degrees, variances, color=BLUE)
    for value, name in ((variances.max(), r"$\lambda_1$"), (variances.min(), r"$\lambda_2$")):
        ax.axhline(value, color=GREY, linewidth=1, linestyle=":")
        ax.text(275, value, name, va="center")
    ax.set(xlabel="angle from the first principal direction (degrees)", ylabel="projected variance")
    ax.set(xticks=range(-90, 271, 90), ylim=(0, None), xlim=(-90, 270))
    return fig


def variance_on_sphere(C: Array, points: dict[str, Array]) -> Figure:
    """Draw a map of the unit sphere with lines of equal variance, and mark directions on it."""
    longitude, height = np.meshgrid(np.linspace(-120, 120, 181), np.linspace(-0.999, 0.999, 121))
    around = np.radians(longitude)
    v = np.stack([np.sqrt(1 - height**2) * np.cos(around), np.sqrt(1 - height**2) * np.sin(around), height])
    fig, ax = plt.subplots(figsize=(5.2, 3.4))
    variances = np.einsum("iab,ij,jab->ab", v, C, v)
    levels = [1.2, 1.4, 1.6, 1.8, 2.2, 2.4, 2.6, 2.8]
    # One colour: a colour map that runs to yellow would vanish on white, and its dark end in the dark theme.
    lines = ax.contour(longitude, height, variances, levels, colors=BLUE, linewidths=1.2)
    ax.contour(longitude, height, variances, [2.0], colors=ORANGE, linewidths=2)  # the level of the pass
    ax.clabel(lines, [1.4, 1.8, 2.4], fmt="%.1f", fontsize=11, colors=INK)
    for (name, point), mark in zip(points.items(), "^DsDs", strict=False):
        place = (np.degrees(np.arctan2(point[1], point[0])), 0.97 * point[2])
        ax.plot(*place, mark, color=INK, markersize=8)
        ground = {
            "facecolor": "white",
            "edgecolor": "none",
            "pad": 1,
            "alpha": 0.8,
        }  # no line runs through a word
        aside = (-5 * np.sign(place[0]), 12)  # towards the middle: a word at the rim would lie on the axis
        ax.annotate(name, place, aside, textcoords="offset points", weight="bold", ha="center", bbox=ground)
    ax.set(xlabel="longitude (degrees)", ylabel="height", xticks=range(-120, 121, 60), ylim=(-1.05, 1.25))
    return fig


def exchange_history(steps: list[Array], values: list[float]) -> Figure:
    """Draw the shares of the eigenvalues as bars, one panel for each exchange."""
    fig, axes = plt.subplots(2, (len(steps) + 1) // 2, figsize=(4.6, 3.9), sharex=True, sharey=True)
    for number, (ax, shares, value) in enumerate(zip(axes.flat, steps, values, strict=True)):
        places = np.arange(1, len(shares) + 1)
        ax.bar(places, 1.0, color="none", edgecolor=PALE, linewidth=1)
        ax.bar(places, shares, color=SKY, edgecolor=BLUE, linewidth=1)
        ax.set(title=f"step {number}: {value:.3g}", xticks=places, yticks=[0, 1])
    for ax in axes[-1]:
        ax.set_xlabel("$k$")
    for ax in axes[:, 0]:
        ax.set_ylabel("share $a_k$")
    fig.tight_layout()
    return fig


def drop_lines(X: Array, mean: Array, v: Array, chosen: int) -> Figure:
    """Draw points, the line through the mean along v, each point's drop to it, and one right triangle."""
    fig, ax = plt.subplots(figsize=(5.6, 4.2))
    feet = mean + np.outer((X - mean) @ v, v)
    for point, foot in zip(X, feet, strict=True):
        ax.plot(*np.transpose([point, foot]), color=PALE, linewidth=1)
    reach = 1.15 * np.abs((X - mean) @ v).max()
    ax.plot(*np.transpose([mean - reach * v, mean + reach * v]), color=BLUE)
    ax.scatter(*X.T, s=18, color=INK, zorder=3)
    ax.scatter(*feet.T, s=16, facecolors="white", edgecolors=BLUE, zorder=3)
    x, foot = X[chosen], feet[chosen]
    ax.plot(*np.transpose([mean, x, foot]), color=ORANGE, linewidth=2.2, zorder=2)
    ax.plot(*np.transpose([mean, foot]), color=ORANGE, linewidth=3.2, zorder=2)
    normal = np.array([-v[1], v[0]]) * np.sign((x - foot) @ np.array([-v[1], v[0]]))
    for place, shift, text in (
        (mean, -0.55 * normal, r"$\mu$"),
        (x, 0.4 * normal, r"$x_i$"),
        (foot, -0.45 * normal, r"$\hat x_i$"),
    ):
        ax.text(*(place + shift), text, ha="center", va="center", fontsize=13)
    ax.plot(*mean, "s", color=INK, markersize=7)
    plane(ax)
    return fig


def two_frames(X: Array, mean: Array, V: Array, chosen: int) -> Figure:
    """Draw a cloud in its old axes and again in the frame of its principal directions."""
    fig, (old, new) = plt.subplots(1, 2, figsize=(6.6, 3.4))
    Z = (X - mean) @ V
    old.scatter(*X.T, s=12, color=PALE)
    new.scatter(*Z.T, s=12, color=PALE)
    for j, (color, name) in enumerate(((BLUE, "$v_1$"), (ORANGE, "$v_2$"))):
        length = 2.2 * np.std(Z[:, j])
        arrow(old, mean, mean + length * V[:, j], color, "-" if j == 0 else "--")
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.8}
        place = mean + (length + 0.75) * V[:, j]
        old.text(*place, name, color=color, ha=("center", "right")[j], va="center", fontsize=12, bbox=ground)
        tip = np.eye(2)[j] * length
        arrow(new, np.zeros(2), tip, color, "-" if j == 0 else "--")
    for ax, origin, point in ((old, np.zeros(2), X[chosen]), (new, np.zeros(2), Z[chosen])):
        ax.axhline(origin[1], color=GREY, linewidth=0.8)
        ax.axvline(origin[0], color=GREY, linewidth=0.8)
        ax.plot([point[0], point[0], 0], [0, point[1], point[1]], color=INK, linewidth=1, linestyle=":")
        ax.plot(*point, "o", color=INK, markersize=7)
        text = f"({point[0]:.1f}, {point[1]:.1f})"
        ax.annotate(text, point, (6, 6), textcoords="offset points", weight="bold")
        ax.set_aspect("equal")
    limits = np.abs(Z).max() * np.array([-1.12, 1.12])
    new.set(xlim=limits, ylim=limits)
    old.set_title("old frame:\ncoordinates $x_{ia}$")
    new.set_title("new frame:\nscores $z_{ij}$")
    fig.tight_layout(w_pad=2.5)
    return fig


def failures(clouds: dict[str, Array], axes_of: dict[str, list[Array]]) -> Figure:
    """Draw clouds on which PCA misleads, each with the directions it returns (solid, then dashed)."""
    fig, panels = plt.subplots(1, len(clouds), figsize=(6.2, 2.5))
    for ax, (title, X) in zip(panels, clouds.items(), strict=True):
        ax.scatter(*X.T, s=9, color=PALE)
        mean, reach = X.mean(axis=0), 2 * np.sqrt(np.trace(np.cov(X.T)))
        for v, (color, dash) in zip(axes_of[title], ((BLUE, "-"), (ORANGE, "--")), strict=False):
            ends = np.transpose([mean - 0.7 * reach * v, mean + 0.7 * reach * v])
            ax.plot(*ends, dash, color=color, linewidth=2.2)
        plane(ax, title)
    fig.tight_layout()
    return fig


def worked_example(X: Array, right: Array, wrong: Array) -> Figure:
    """Draw the four points of the example, the direction PCA finds, and the one that uncentred data give."""
    fig, ax = plt.subplots(figsize=(5.4, 4.2))
    mean = X.mean(axis=0)
    for v, base, color, dash, name in (
        (right, mean, BLUE, "-", "centred: $v_1$"),
        (wrong, np.zeros(2), ORANGE, "--", "not centred"),
    ):
        ax.plot(*np.transpose([base - 16 * v, base + 16 * v]), dash, color=color, label=name)
    ax.scatter(*X.T, s=45, color=INK, zorder=3)
    for point in X:
        is_left = (point - mean) @ (-right[1], right[0]) > 0
        text = f"({point[0]:.0f}, {point[1]:.0f})".replace("-", "−")
        place = {"xytext": (-8 if is_left else 8, -4), "ha": "right" if is_left else "left"}
        ax.annotate(text, point, textcoords="offset points", **place)
    ax.plot(*mean, "s", color=INK, markersize=7)
    ax.annotate(r"$\mu$", mean, (10, -3), textcoords="offset points")
    ax.axhline(0, color=PALE, linewidth=1)
    ax.axvline(0, color=PALE, linewidth=1)
    ax.set(aspect="equal", xlim=(-28, 14))
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    return fig


SCALE, HALF_LINE, ACROSS = 40.0, 235, 150  # of the drawing with a direction that turns


def _turned(angle: int, shadow: Array, kept: float) -> Frame:
    """A line at an angle, the shadows of the points on it, and the share of the variance that it captures."""
    strokes = "".join(f"M{place:.1f} -6v12" for place in SCALE * shadow)
    drawing = f"""<g transform="rotate({-angle})" fill="none">
<path d="M{-HALF_LINE} 0H{HALF_LINE}" stroke="var(--ink)" stroke-width="1.2"/>
<path d="{strokes}" stroke="var(--orange)" stroke-opacity="0.55" stroke-width="1.6"/></g>
<rect x="-200" y="{ACROSS + 26}" width="{400 * kept:.1f}" height="14" fill="var(--blue)"/>"""
    return Frame(drawing, f"Angle {angle}°: variance {np.var(shadow):.2f}, {kept:.0%} of the total.")


def turning_direction(X: Array) -> HTML:
    """Draw the shadows of a plane cloud on a direction that the reader turns, and how much variance they hold."""
    X_c = X - X.mean(axis=0)
    total = X_c.var(axis=0).sum()
    frames = []
    for angle in range(0, 181, 3):
        shadow = X_c @ [np.cos(np.radians(angle)), np.sin(np.radians(angle))]
        frames.append(_turned(angle, shadow, float(np.var(shadow) / total)))
    best = pca(X, 1).explained_variance_ratio[0]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2"/>' for x, y in X_c * (SCALE, -SCALE))
    still = f"""<g fill="var(--pale)">{dots}</g>
<text x="-200" y="{ACROSS + 19}">share of the variance</text>
<rect x="-200" y="{ACROSS + 26}" width="400" height="14" fill="none" stroke="var(--pale)"/>
<path d="M{-200 + 400 * best:.1f} {ACROSS + 20}v26" stroke="var(--ink)" stroke-width="2"/>"""
    alt = "A cloud with a line that can be turned, the shadows of its points on the line, and a bar for their variance"
    return slider(
        frames,
        Scene((-240, -190, 480, 390), alt, still),
        label="Angle of the direction",
        caption="The shadows of the points (strokes on the line) spread most when the line follows the cloud. The mark "
        "on the bar is the share of the first principal direction: no angle gets beyond it.",
    )


def scores_and_loadings(birds: Penguins, scores: Array, loadings: Array) -> Figure:
    """Draw penguins by two scores, with a mark for each species, and below them the loadings as bars."""
    fig, (dots, bars) = plt.subplots(2, 1, figsize=(5.2, 6.8), height_ratios=(1.6, 1))
    for number, (name, (mark, color)) in enumerate(zip(birds.species_names, SPECIES_MARKS, strict=True)):
        here = birds.species == number
        dots.scatter(*scores[here].T, s=18, marker=mark, color=color, linewidths=1, label=name)
    dots.set(xlabel="first score", ylabel="second score", aspect="equal")
    dots.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=0.8, handletextpad=0.1)
    places = np.arange(len(birds.features))
    for j, (name, color, hatch) in enumerate((("first direction", BLUE, ""), ("second", ORANGE, "//"))):
        where = places + 0.36 * j - 0.18
        bars.barh(where, loadings[:, j], 0.34, color=color, hatch=hatch, edgecolor="white", label=name)
    bars.axvline(0, color=GREY, linewidth=1)
    bars.set(
        yticks=places,
        yticklabels=birds.features,
        xlabel="loading",
        xlim=(-0.6, 0.95),
        xticks=(-0.5, 0, 0.5),
    )
    bars.invert_yaxis()
    bars.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, columnspacing=1)
    fig.tight_layout()
    return fig


def labelled_scatter(points: Array, labels: Labels) -> Figure:
    """Draw each point as the digit that it shows, in one of ten colours."""
    fig, ax = plt.subplots(figsize=(6.4, 5.2))
    # Ten hues of similar darkness: the digit itself says which, the colour only helps the eye.
    hues = plt.get_cmap("tab10").colors
    for point, label in zip(points, labels, strict=True):
        shade = [0.75 * part for part in hues[label]]
        ax.text(*point, str(label), color=shade, ha="center", va="center", fontsize=10, weight="bold")
    reach = 1.05 * np.abs(points).max(axis=0)
    ax.set(
        xlim=(-reach[0], reach[0]), ylim=(-reach[1], reach[1]), xlabel="first score", ylabel="second score"
    )
    return fig


def _side_by_side(digits: Array) -> Array:
    """Join digits, one per row, into one strip of ink with a blank column between two."""
    squares = digits.reshape(-1, SIDE, SIDE) / 16
    return np.hstack([np.pad(square, ((0, 0), (0, 1))) for square in squares])[:, :-1]


def _strips(digits: Array, top: float) -> str:
    """Draw digits in rows of five, with room for as many rows of their rebuilt likes in between."""
    rows = [digits[start : start + PER_ROW] for start in range(0, len(digits), PER_ROW)]
    strips = []
    for number, row in enumerate(rows):
        ink = _side_by_side(row)
        strips.append(pixels(ink, (0, top + 2 * PAIR * number, PIXEL * ink.shape[1], PIXEL * SIDE)))
    return "".join(strips)


def rebuilt_digits(X: Array, chosen: Array, counts: list[int], first: int) -> HTML:
    """Draw chosen digits rebuilt from their first principal components, with a slider over how many."""
    fit = pca(X, X.shape[1])
    kept = np.append(0, np.cumsum(fit.explained_variance_ratio))
    width = PIXEL * ((SIDE + 1) * PER_ROW - 1)
    bar = 2 * PAIR * -(-len(chosen) // PER_ROW) + WORDS
    frames = []
    for d in counts:
        rebuilt = fit.mean + fit.embedding[chosen, :d] @ fit.axes[:, :d].T
        share = f'<rect y="{bar}" width="{width * kept[d]:.1f}" height="14" fill="var(--blue)"/>'
        words = f"{d} of {X.shape[1]} components keep {kept[d]:.1%} of the variance."
        frames.append(Frame(_strips(rebuilt, WORDS + PAIR) + share, words))
    names = "".join(
        f'<text y="{WORDS + PAIR * row - 7}">{"rebuilt" if row % 2 else "original"}</text>'
        for row in range(2 * -(-len(chosen) // PER_ROW))
    )
    still = f"""{names}{_strips(X[chosen], WORDS)}<text y="{bar - 7}">share of the variance kept</text>
<rect y="{bar}" width="{width}" height="14" fill="none" stroke="var(--pale)"/>"""
    alt = (
        "Rows of handwritten digits, under each row the same digits rebuilt, and a bar for the variance kept"
    )
    return slider(
        frames,
        Scene((-1, 0, width + 2, bar + 16), alt, still),
        label="Number of components d",
        caption="Without components every digit is the mean of all; the first tells 3 from 4, the second brings out "
        "the hole of 0; with 20 of them the digits come close to the originals.",
        first=counts.index(first),
    )
