"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, matrix, row, shortened, squares, steps, tex


def sizes(n_samples: int, n_dimensions: int) -> Worked:
    """Rank N − 1, entries D² against N², products D²N against N²D."""
    N, D = n_samples, n_dimensions
    return steps(
        rf"Centred samples add up to zero, so the rank is $N-1={N - 1}$, and ${D}-{N - 1}={D - N + 1}$ of the $D$ "
        r"eigenvalues of $S$ are zero.",
        rf"$S$ has $D^2$ entries and $G$ has $N^2$: the ratio is $({D}/{N})^2{eq((D / N) ** 2)}$.",
        rf"An entry of $S$ takes $N$ products, an entry of $G$ takes $D$: "
        rf"$\dfrac{{D^2N}}{{N^2D}}=\dfrac DN{eq(D / N)}$.",
    ), (D - N + 1, (D / N) ** 2, D / N)


def three_patterns(X: Array) -> Worked:
    """The small Gram matrix, guessed eigenvectors, one lift."""
    centred = X - X.mean(axis=0)
    G = centred @ centred.T
    values, vectors = np.linalg.eigh(G)
    first, second = shortened(vectors[:, 2]), shortened(vectors[:, 1])
    return steps(
        rf"The mean is ${row(X.mean(axis=0))}$, the centred patterns are $X_c={matrix(centred)}$.",
        rf"$G=X_cX_c^\top={matrix(G)}$.",
        rf"$G{row(first)}^\top={row(G @ first)}^\top$ and $G{row(second)}^\top={row(G @ second)}^\top$: the "
        rf"eigenvalues "
        rf"are ${tex(values[2])}$ and ${tex(values[1])}$.",
        rf"The direction in space is $X_c^\top u$ with $u={row(first)}$: ${row(centred.T @ first)}$, up to its length.",
    ), ([values[2], values[1]], centred.T @ first)


def three_lengths(w: Array, square: float) -> Worked:
    """Length one, length σ, length 1/σ."""
    length, sigma = float(np.sqrt(w @ w)), float(np.sqrt(square))
    first = float(w[0]) / length
    return steps(
        rf"$\lVert w\rVert=\sqrt{{{squares(w)}}}{eq(length)}$, so the first entry of $u_1$ is "
        rf"${tex(w[0])}/{tex(length)}{eq(first)}$; and $\sigma_1=\sqrt{{{tex(square)}}}{eq(sigma)}$.",
        rf"Scores have the length $\sigma_1$: ${tex(sigma)}\cdot({tex(first)}){eq(sigma * first)}$.",
        rf"The weights have the length $1/\sigma_1$: $({tex(first)})/{tex(sigma)}{eq(first / sigma)}$.",
        rf"$\lambda_1=\sigma_1^2/N={tex(square)}/{len(w)}{eq(square / len(w))}$.",
    ), (sigma * first, first / sigma, square / len(w))
