"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, matrix, pair_of, row, steps, tex


def correlation_pair(C: Array) -> Worked:
    """The correlation matrix has 1 ± ρ along the diagonals."""
    below = float(np.sqrt(C[0, 0] * C[1, 1]))
    rho = float(C[0, 1] / below)
    return steps(
        rf"The correlation is $\rho={tex(C[0, 1])}/\sqrt{{{tex(C[0, 0])}\cdot{tex(C[1, 1])}}}"
        rf"={tex(C[0, 1])}/{tex(below)}"
        rf"{eq(rho)}$.",
        rf"Standardised features have the covariance matrix ${matrix([[1, rho], [rho, 1]])}$, with the eigenvalues "
        rf"$1+\rho{eq(1 + rho)}$ along $(1,1)$ and $1-\rho{eq(1 - rho)}$ along $(1,-1)$.",
        rf"$\rho$ is {'negative' if rho < 0 else 'positive'}, so the larger variance is ${tex(1 + abs(rho))}$, along "
        rf"${'(1,-1)' if rho < 0 else '(1,1)'}$.",
    ), (1 + abs(rho), [1.0, float(np.sign(rho))])


def strange_sample(C: Array, mean: Array, x: Array) -> Worked:
    """Squared scores divided by variances."""
    text, large, small, v = pair_of(C)
    across = np.array([-v[1], v[0]])
    difference = x - mean
    first = float((v @ difference) ** 2 / (v @ v) / large)
    second = float((across @ difference) ** 2 / (across @ across) / small)
    return steps(
        rf"{text}. The axes lie along $v={row(v)}$ and, orthogonal to it, $w={row(across)}$; both have the squared "
        rf"length ${tex(v @ v)}$.",
        rf"$x-\mu={row(difference)}$, so $v^\top(x-\mu)={tex(v @ difference)}$ and "
        rf"$w^\top(x-\mu)={tex(across @ difference)}$.",
        rf"With one component: "
        rf"$t^2=\dfrac{{{bracketed(v @ difference)}^2}}{{{tex(v @ v)}\cdot{tex(large)}}}{eq(first)}$.",
        rf"The second adds "
        rf"$\dfrac{{{bracketed(across @ difference)}^2}}{{{tex(v @ v)}\cdot{tex(small)}}}{eq(second)}$, "
        rf"together ${tex(first + second)}$.",
    ), (first, first + second)
