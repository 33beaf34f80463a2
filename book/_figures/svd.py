"""The drawings of the chapter on the singular value decomposition; colours and habits are those of figures."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from _figures.sliders import Frame, Scene, pixels, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SKY, Array, arrow, plane

PRINTED_RANKS = (1, 3, 8)


def circle_to_ellipse(A: Array, U: Array, sigma: Array, V: Array) -> Figure:
    """Draw the unit circle with v₁, v₂, and beside it what A makes of them."""
    fig, (before, after) = plt.subplots(1, 2, figsize=(6.4, 3.6), width_ratios=(1, 1.6))
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    before.plot(*circle, color=PALE)
    after.plot(*(A @ circle), color=PALE)
    names = (("$v_1$", r"$Av_1=\sigma_1u_1$", BLUE, "-"), ("$v_2$", r"$Av_2=\sigma_2u_2$", ORANGE, "--"))
    for j, (left, right, color, dash) in enumerate(names):
        arrow(before, np.zeros(2), V[:, j], color, dash)
        before.text(*(1.18 * V[:, j]), left, color=color, ha="center", va="center", fontsize=13)
        tip = sigma[j] * U[:, j]
        arrow(after, np.zeros(2), tip, color, dash)
        after.annotate(right, tip, (7, 7), textcoords="offset points", color=color, fontsize=13)
    plane(before, "the unit circle")
    plane(after, "its image under $A$")
    before.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35))
    after.margins(0.12)
    fig.tight_layout()
    return fig


def grid_in_steps(A: Array) -> Figure:
    """Draw a square grid, and what becomes of it when Vᵀ, then S, then U act on it."""
    U, sigma, Vt = np.linalg.svd(A)
    if np.linalg.det(Vt) < 0:  # a turn rather than a reflection, where both can be had
        U, Vt = U * [1, -1], Vt * [[1], [-1]]
    steps = [np.eye(2), Vt, np.diag(sigma) @ Vt, A]
    titles = ("a grid", r"turned by $V^\top$", "stretched by $S$", "turned by $U$: $A$")
    fig, axes = plt.subplots(2, 2, figsize=(6.2, 6))
    ticks, fine = np.linspace(-1, 1, 9), np.array([-1.0, 1.0])
    for ax, M, title in zip(axes.flat, steps, titles, strict=True):
        for tick in ticks:
            ax.plot(*(M @ [fine, [tick, tick]]), color=SKY, linewidth=1.3)
            ax.plot(*(M @ [[tick, tick], fine]), color=PALE, linewidth=1.3)
        for v, (color, dash) in zip(Vt, ((BLUE, "-"), (ORANGE, "--")), strict=True):
            arrow(ax, np.zeros(2), M @ v, color, dash)
        plane(ax, title)
        ax.set(xlim=(-2.35, 2.35), ylim=(-1.6, 1.6))
    fig.tight_layout()
    return fig


def shapes(m: int, n: int, r: int) -> Figure:
    """Draw the factors of a tall m × n matrix of rank r as blocks: full, thin, and down to the rank."""
    rows = (
        ("full", m, n, ("$U$", "$S$", r"$V^\top$")),
        ("thin", n, n, ("$U$", "", r"$V^\top$")),
        ("rank", r, r, ("$U_r$", "", r"$V_r^\top$")),
    )
    fig, axes = plt.subplots(3, 1, figsize=(5.2, 6.4))
    for ax, (name, left, right, words) in zip(axes, rows, strict=True):
        _factors(ax, (m, n, r), (left, right), words)
        ax.set_title(f"{name} form", loc="left")
    fig.tight_layout()
    return fig


def _factors(ax: Axes, size: tuple[int, int, int], inner: tuple[int, int], words: Sequence[str]) -> None:
    """Draw A = (m × left)(left × right)(right × n), the columns that carry A in colour."""
    (m, n, r), (left, right) = size, inner
    starts = np.cumsum([0, n + 2, left + 1, right + 1])
    blocks = ((m, n, n, "$A$"), (m, left, r, words[0]), (left, right, 0, words[1]), (right, n, 0, words[2]))
    for start, (height, width, carried, word) in zip(starts, blocks, strict=True):
        top = m / 2 + height / 2
        ax.add_patch(plt.Rectangle((start, top - height), width, height, facecolor="none", edgecolor=INK))
        if word != "$A$" and carried:
            ax.add_patch(plt.Rectangle((start, top - height), carried, height, color=SKY, alpha=0.6, lw=0))
        place = (start + width / 2, top - height - 0.55)
        label = word or ("$\\Sigma$" if right == n else "$\\Sigma_r$")
        ax.text(*place, f"{label}   {height}×{width}", ha="center", va="center")
    for i in range(r):
        ax.add_patch(
            plt.Rectangle((starts[2] + i, m / 2 + left / 2 - i - 1), 1, 1, color=ORANGE, alpha=0.8, lw=0)
        )
    ax.add_patch(
        plt.Rectangle((starts[3], m / 2 + right / 2 - r), n, r, color=SKY, alpha=0.6, lw=0, zorder=0)
    )
    ax.text(n + 1, m / 2, "=", ha="center", va="center", fontsize=14)
    plane(ax)
    ax.set(xlim=(-0.5, 4 * m - 1.5), ylim=(-1.3, m + 0.3))


def house() -> Array:
    """A picture as a matrix: ink between 0 (paper) and 1, 60 rows of 80 points."""
    y, x = np.mgrid[0:60, 0:80] + 0.5
    picture = 0.06 + 0.2 * (y > 50)
    picture = np.where((abs(x - 30) < 20) & (y > 28) & (y < 52), 0.45, picture)
    picture = np.where((y > 10) & (y <= 28) & (abs(x - 30) < 1.3 * (y - 10)), 0.85, picture)
    for left, top, width, height, ink in ((15, 33, 9, 8, 0.1), (36, 33, 9, 8, 0.1), (27, 38, 7, 14, 0.95)):
        picture = np.where((x > left) & (x < left + width) & (y > top) & (y < top + height), ink, picture)
    sun = (x - 66) ** 2 + (y - 13) ** 2 < 49
    return np.where(sun, 0.65, picture)


def _best(picture: Array, k: int) -> Array:
    U, sigma, Vt = np.linalg.svd(picture, full_matrices=False)
    product: Array = U[:, :k] * sigma[:k] @ Vt[:k]
    return product


def truncated_pictures(picture: Array) -> Figure:
    """Draw best approximations of a picture of a few ranks, and the picture itself."""
    fig, axes = plt.subplots(2, (len(PRINTED_RANKS) + 2) // 2, figsize=(6.4, 5.6))
    m, n = picture.shape
    for ax, k in zip(axes.flat, (*PRINTED_RANKS, min(m, n)), strict=True):
        ax.imshow(_best(picture, k), cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
        plane(ax, f"$k={k}$: {k * (m + n + 1)} numbers" if k < min(m, n) else f"all: {m * n} numbers")
    fig.tight_layout()
    return fig


def rank_slider(picture: Array, ranks: list[int]) -> HTML:
    """Draw best approximations of a picture, with a slider over the rank."""
    sigma = np.linalg.svd(picture, compute_uv=False)
    m, n = picture.shape
    frames = []
    for k in ranks:
        lost = np.sqrt(np.sum(sigma[k:] ** 2) / np.sum(sigma**2))
        words = f"Rank {k}: {k * (m + n + 1)} of {m * n} numbers, relative error {lost:.1%}."
        drawing = pixels(_best(picture, k), (0, 0, 5 * n, 5 * m))
        frames.append(Frame(f'<g class="on-paper">{drawing}</g>', words))
    return slider(
        frames,
        Scene(
            (0, 0, 5 * n, 5 * m), "The picture of a house, approximated by a matrix of the chosen rank", ""
        ),
        label="Rank kept",
        caption="Every rank adds a pattern of rows times columns. Walls, windows and door, "
        "with edges along rows and columns, are sharp early; the slanted roof and the round sun need many ranks.",
    )


def lost_digits(tiny: Array, by_svd: Array, by_product: Array) -> Figure:
    """Draw the smallest singular value of Läuchli's matrix as two programs find it, against the true one."""
    fig, ax = plt.subplots(figsize=(5.8, 3.6))
    ax.axvspan(tiny.min(), 2**-26.5, color=PALE, alpha=0.18, lw=0)
    ax.loglog(tiny, tiny, color=PALE, linewidth=1, label="the truth")
    ax.loglog(tiny, by_svd, "o", color=BLUE, markersize=7, fillstyle="none", label=r"from $A$")
    visible = by_product > 0
    ax.loglog(tiny[visible], by_product[visible], "x", color=ORANGE, markersize=5, label=r"from $A^\top A$")
    floor = tiny.min() / 3
    ax.loglog(
        tiny[~visible],
        np.full(np.count_nonzero(~visible), floor),
        "v",
        color=ORANGE,
        markersize=6,
        label=r"from $A^\top A$: exactly 0",
    )
    ax.set(xlabel=r"$\varepsilon$", ylabel=r"computed $\sigma_2$", xlim=(tiny.min() / 1.5, tiny.max() * 1.5))
    ax.text(tiny.min() * 1.3, tiny.max(), r"$\varepsilon^2$ below rounding", color=GREY, va="top")
    ax.legend(loc="lower right")
    return fig


def turned_axes(gaps: Array, turns: Array, bounds: Array) -> Figure:
    """Draw by how much the first axis turns under many perturbations of one size, for each gap, and the bound."""
    fig, ax = plt.subplots(figsize=(5.8, 3.4))
    for gap, turned in zip(gaps, turns, strict=True):
        ax.plot(np.full(len(turned), gap), turned, ".", color=SKY, markersize=3)
    ax.plot(gaps, turns.max(axis=1), color=BLUE, label="largest of 200 perturbations")
    ax.plot(gaps, np.minimum(bounds, 1), "--", color=ORANGE, label="bound, at most 1")
    ax.set(xscale="log", xlabel=r"gap $\lambda_1-\lambda_2$", ylabel=r"$\sin\theta$")
    ax.legend(frameon=False)
    fig.tight_layout()
    return fig


def sampled_errors(counts: Sequence[int], best: Array, errors: dict[str, Array], bounds: Array) -> Figure:
    """Draw the errors of random samples of a range over their size, the best possible error, and the bound."""
    fig, ax = plt.subplots(figsize=(5.8, 3.6))
    for (name, values), (color, mark) in zip(errors.items(), ((BLUE, "o"), (GREY, "s")), strict=True):
        ax.fill_between(counts, values.min(axis=0), values.max(axis=0), color=color, alpha=0.2, linewidth=0)
        ax.plot(counts, values.mean(axis=0), color=color, marker=mark, markersize=4, label=name)
    ax.plot(counts, best, color=INK, label="best possible")
    ax.plot(counts, bounds, "--", color=ORANGE, label="bound of the theorem")
    ax.set(xlabel="rank $k$", ylabel="relative error", yscale="log")
    ax.legend(frameon=False)
    fig.tight_layout()
    return fig
