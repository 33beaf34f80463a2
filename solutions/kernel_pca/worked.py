"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, matrix, row, steps, tex


def feature_geometry(X: Array) -> Worked:
    """Everything from kernel values."""
    K = (X @ X.T) ** 2
    distance = float(K[0, 0] + K[1, 1] - 2 * K[0, 1])
    from_mean = float(K[0, 0] - 2 * K[0].mean() + K.mean())
    return steps(
        rf"The products $x_i^\top x_j$ are ${matrix(X @ X.T)}$; squared, $K={matrix(K)}$.",
        rf"$\kappa(x_1,x_2)={tex(K[0, 1])}$.",
        rf"$\lVert\varphi(x_1)-\varphi(x_2)\rVert^2=K_{{11}}-2K_{{12}}+K_{{22}}={tex(K[0, 0])}-2\cdot{tex(K[0, 1])}"
        rf"+{tex(K[1, 1])}={tex(distance)}$.",
        rf"The mean of the first row of $K$ is ${tex(K[0].mean())}$, of all entries ${tex(K.mean())}$: "
        rf"$\lVert\varphi(x_1)-\bar\varphi\rVert^2={tex(K[0, 0])}-2\cdot{tex(K[0].mean())}"
        rf"+{tex(K.mean())}{eq(from_mean)}$.",
    ), (float(K[0, 1]), distance, from_mean)


def three_points(K: Array) -> Worked:
    """An odd and an even vector, both orthogonal to the constant."""
    odd, even = np.array([1.0, -1.0, 0.0]), np.array([1.0, 1.0, -2.0])
    one, other = float(odd @ K @ odd), float(even @ K @ even)
    values = sorted([one / 2, other / 6], reverse=True)
    return steps(
        rf"Exchanging the first two points changes nothing, so the eigenvectors orthogonal to $\mathbf 1$ are "
        rf"$o={row(odd)}$ and $e={row(even)}$. Both add up to zero, so $JKJ$ may be replaced by $K$ between them.",
        rf"$Ko={row(K @ odd)}$, $o^\top Ko={tex(one)}$, $o^\top o=2$: the eigenvalue is ${tex(one / 2)}$.",
        rf"$Ke={row(K @ even)}$, $e^\top Ke={tex(other)}$, $e^\top e=6$: the eigenvalue is ${tex(other / 6)}$.",
        rf"The share of the first is ${tex(values[0])}/{tex(sum(values))}{eq(values[0] / sum(values))}$.",
    ), (values[0], values[1], values[0] / sum(values))
