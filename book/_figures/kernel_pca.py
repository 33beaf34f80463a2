"""The drawings of the chapter on kernel PCA and the unified view."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure
from numpy.typing import NDArray

from _figures.sliders import Frame, Scene, slider
from _figures.style import BLUE, GREY, INK, ORANGE, PALE, SHADES, Array, plane
from dimred_ref.kernel_pca import centred_kernel, kernel_pca, rbf_kernel
from dimred_ref.procrustes import rigid_alignment

Labels = NDArray[np.bool_]
MAP, BARS = 300, 240  # width of the slider's two drawings
SHOWN = 10  # eigenvalues that have a bar


def lift(X: Array, is_outer: Labels) -> Figure:
    """Draw two groups in the plane, and again with the squared distance from the origin as height."""
    fig, (flat, raised) = plt.subplots(1, 2, figsize=(8, 3.3))
    height = (X**2).sum(axis=1)
    for group, color, mark in ((~is_outer, BLUE, "o"), (is_outer, ORANGE, "^")):
        flat.scatter(*X[group].T, s=18, color=color, marker=mark)
        raised.scatter(X[group, 0], height[group], s=18, color=color, marker=mark)
    raised.axhline((height[~is_outer].max() + height[is_outer].min()) / 2, color=INK, linestyle="--")
    plane(flat, "the plane $(x_1,x_2)$")
    raised.set(xlabel="$x_1$", ylabel="$x_1^2+x_2^2$", title="seen from the side, one feature added")
    fig.tight_layout()
    return fig


def feature_distance(gammas: Sequence[float]) -> Figure:
    """Draw the distance of two features of the RBF kernel against the distance of the points."""
    fig, ax = plt.subplots(figsize=(5.2, 3.0))
    r = np.linspace(0, 4, 200)
    for gamma, color, dash in zip(gammas, (BLUE, ORANGE, INK), ("-", "--", ":"), strict=False):
        ax.plot(r, np.sqrt(2 - 2 * np.exp(-gamma * r**2)), dash, color=color, label=rf"$\gamma={gamma:g}$")
        near = r[np.sqrt(2 * gamma) * r <= 1.6]
        ax.plot(near, np.sqrt(2 * gamma) * near, color=PALE, linewidth=1)
    ax.axhline(np.sqrt(2), color=GREY, linewidth=1, linestyle=":")
    ax.text(4.02, np.sqrt(2), r"$\sqrt{2}$", va="center")
    ax.set(xlabel="distance $r$ of the points", ylabel="distance of their features", ylim=(0, 1.7))
    ax.legend(loc="lower right")
    return fig


def limits(gammas: Array, shares: Array, of_pca: Array) -> Figure:
    """Draw the shares of the leading eigenvalues against γ, with those of PCA and of a simplex."""
    fig, ax = plt.subplots(figsize=(5.4, 3.1))
    for place, (values, dash) in enumerate(zip(shares.T, ("-", "--", "-.", ":"), strict=False), start=1):
        ax.plot(gammas, values, dash, color=BLUE, label=rf"$\lambda_{place}$")
    for value in of_pca:
        ax.plot(gammas[[0, len(gammas) // 3]], [value, value], color=ORANGE, linewidth=1)
    ax.text(gammas[0], of_pca[0] + 0.03, "PCA", color=ORANGE)
    ax.set(xscale="log", xlabel=r"$\gamma$", ylabel="share of the sum", ylim=(0, 0.68))
    ax.set_xlim(gammas[0], gammas[-1])
    ax.text(gammas[-1], 0.03, "simplex", color=INK, ha="right")
    ax.legend(loc="upper right")
    return fig


def maps(embeddings: dict[str, Array], shade: Array) -> Figure:
    """Draw one data set as several methods see it, all in one size."""
    rows = -(-len(embeddings) // 4)
    fig, axes = plt.subplots(rows, 4, figsize=(8.4, 2.2 * rows))
    for ax in axes.flat[len(embeddings) :]:
        ax.set_visible(False)
    for ax, (name, Y) in zip(axes.flat, embeddings.items(), strict=False):
        ax.scatter(*(Y / np.abs(Y).max()).T, c=shade, cmap=SHADES, s=8, linewidths=0)
        plane(ax, name)
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
    fig.tight_layout()
    return fig


# A picture with a slider over γ.


def widths(X: Array, is_outer: Labels, gammas: Sequence[float], first: float) -> HTML:
    """Draw kernel PCA of two groups with the RBF kernel and its leading eigenvalues, with a slider over γ."""
    frames, last = [], X
    for gamma in gammas:
        Y = kernel_pca(rbf_kernel(X, X, gamma=gamma), 2).embedding
        last = rigid_alignment(Y / np.abs(Y).max(), last / np.abs(last).max()).embedding
        spectrum = np.linalg.eigvalsh(centred_kernel(rbf_kernel(X, X, gamma=gamma)))[::-1]
        shares = spectrum[:SHOWN] / spectrum.sum()
        words = (
            f"γ = {gamma:g}: two of {len(X) - 1} coordinates carry {shares[:2].sum():.0%} of the variance."
        )
        frames.append(Frame(_points(last, is_outer) + _bars(shares), words))
    still = f"""<text x="{MAP / 2}" y="16" text-anchor="middle">two coordinates</text>
<text x="{MAP + 20 + BARS / 2}" y="16" text-anchor="middle">shares of the variance</text>
<path d="M{MAP + 20} 300h{BARS}" stroke="var(--pale)"/>
<text x="{MAP + 20 + BARS / 2}" y="320" text-anchor="middle">first {SHOWN} eigenvalues</text>"""
    return slider(
        frames,
        Scene(
            (0, 0, MAP + BARS + 40, 330),
            "Kernel PCA of a disc of points inside a ring, and bars for its leading eigenvalues",
            still,
        ),
        label="γ, from wide to narrow",
        caption="At the left end the kernel is so wide that this is PCA: the data as they are, two large eigenvalues. "
        "Between 0.5 and 4 the ring (triangles) and the disc (dots) come apart along one coordinate. Then the ring "
        "shrinks to a spot, most of the disc follows, a few points fly off, and the bars become level: in all "
        "coordinates together every point is far from every other.",
        first=list(gammas).index(first),
    )


def _points(Y: Array, is_outer: Labels) -> str:
    places = Y / np.abs(Y).max() * (MAP / 2 - 15) * (1, -1) + (MAP / 2, 165)
    dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places[~is_outer])
    triangles = "".join(f"M{x:.0f} {y - 4:.0f}l4 7h-8z" for x, y in places[is_outer])
    return (
        f'<path d="{dots}" stroke="var(--blue)" stroke-width="6" stroke-linecap="round"/>'
        f'<path d="{triangles}" fill="none" stroke="var(--orange)" stroke-width="1.3"/>'
    )


def _bars(shares: Array) -> str:
    width = BARS / len(shares)
    return "".join(
        f'<rect x="{MAP + 22 + place * width:.0f}" y="{300 - 480 * share:.1f}" width="{width - 4:.0f}" '
        f'height="{480 * share:.1f}" fill="var(--blue)"/>'
        for place, share in enumerate(shares)
    )
