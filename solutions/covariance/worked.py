"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, matrix, pair_of, row, squares, steps, tex, total


def both_divisors(X: Array) -> Worked:
    """One table of sums, two divisors."""
    mean = X.mean(axis=0)
    deviations = X - mean
    S = deviations.T @ deviations
    whole = float(np.trace(S))
    return steps(
        rf"The mean is ${row(mean)}$, the deviations are ${matrix(deviations)}$.",
        rf"Their sums of squares and products are $S=X_c^\top X_c={matrix(S)}$.",
        rf"With divisor $N=4$: $C={matrix(S / 4)}$.",
        rf"The unbiased estimate of the total variance divides by $N-1=3$: "
        rf"$({total(np.diag(S))})/3={tex(whole)}/3{eq(whole / 3)}$.",
    ), (S / 4, whole / 3)


def all_samples(values: Array) -> Worked:
    """The theorem: divisor N − 1 gives the variance of the source, divisor N half of it."""
    mean = float(values.mean())
    deviations = values - mean
    variance = float((deviations**2).mean())
    return steps(
        rf"The source has the mean $({total(values)})/3={tex(mean)}$ and the variance "
        rf"$({squares(deviations)})/3{eq(variance)}$.",
        rf"With divisor $N-1$ the sample variance is right on average: ${tex(variance)}$.",
        rf"With divisor $N=2$ it is $\tfrac{{N-1}}N=\tfrac12$ of that: ${tex(variance / 2)}$.",
    ), (variance / 2, variance)


def ellipse(C: Array) -> Worked:
    """Directions are eigenvectors, semi-axes roots of eigenvalues."""
    text, large, small, v = pair_of(C)
    lengths = [float(np.sqrt(large)), float(np.sqrt(small))]
    return steps(
        rf"The trace is ${tex(np.trace(C))}$, the determinant ${tex(np.linalg.det(C))}$: {text}.",
        rf"The long axis lies along the eigenvector of $\lambda_1$: the first row of $(C-\lambda_1I)v=0$ is solved by "
        rf"$v={row(v)}$.",
        rf"On the axis of $\lambda_i$ the equation $x^\top C^{{-1}}x=1$ says $t^2/\lambda_i=1$, so the semi-axes are "
        rf"$\sqrt{{{tex(large)}}}{eq(lengths[0])}$ and $\sqrt{{{tex(small)}}}{eq(lengths[1])}$.",
    ), (v, lengths)
