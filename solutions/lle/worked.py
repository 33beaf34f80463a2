"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, matrix, row, steps, tex


def two_neighbors(x: Array, neighbors: Array) -> Worked:
    """The foot of the perpendicular on the line through both neighbours."""
    towards = neighbors[1] - neighbors[0]
    share = float((x - neighbors[0]) @ towards / (towards @ towards))
    mixture = neighbors[0] + share * towards
    rest = x - mixture
    return steps(
        r"With $w_1=1-w_2$ the mixture is $x_1+w_2(x_2-x_1)$, a point of the line through both neighbours: the best is "
        "the foot of the perpendicular.",
        rf"$x_2-x_1={row(towards)}$ and $x-x_1={row(x - neighbors[0])}$, so "
        rf"$w_2=\dfrac{{(x-x_1)^\top(x_2-x_1)}}{{\lVert x_2-x_1\rVert^2}}="
        rf"\dfrac{{{tex((x - neighbors[0]) @ towards)}}}{{{tex(towards @ towards)}}}{eq(share)}$ and "
        rf"$w_1{eq(1 - share)}$.",
        rf"The mixture is ${row(mixture)}$, and $x$ differs from it by ${row(rest)}$: the squared distance is "
        rf"${tex(rest @ rest)}$.",
    ), ([1 - share, share], float(rest @ rest))


def three_neighbors(x: Array, neighbors: Array) -> Worked:
    """Two equations seen from the first neighbour."""
    A = (neighbors[1:] - neighbors[0]).T
    b = x - neighbors[0]
    determinant = float(np.linalg.det(A))
    second = float((b[0] * A[1, 1] - A[0, 1] * b[1]) / determinant)
    third = float((A[0, 0] * b[1] - b[0] * A[1, 0]) / determinant)
    return steps(
        r"Since the weights add up to one, $x-x_1=w_2(x_2-x_1)+w_3(x_3-x_1)$: two equations, "
        rf"${matrix(A)}\begin{{pmatrix}}w_2\\w_3\end{{pmatrix}}={matrix(b)}$.",
        rf"The determinant is ${tex(determinant)}$, so $w_2=\dfrac{{{tex(second * determinant)}}}{{{tex(determinant)}}}"
        rf"{eq(second)}$ and $w_3=\dfrac{{{tex(third * determinant)}}}{{{tex(determinant)}}}{eq(third)}$.",
        rf"$w_1=1-{bracketed(second)}-{bracketed(third)}{eq(1 - second - third)}$. A negative weight is no mistake: "
        "$x$ lies outside the triangle.",
    ), [1 - second - third, second, third]


def line_map(x: Array) -> Worked:
    """A recipe on the line, and a straight map of variance one."""
    near, next_ = np.argsort(np.abs(x - x[0]), kind="stable")[1:3]
    weight = float((x[next_] - x[0]) / (x[next_] - x[near]))
    recipe = np.zeros(len(x))
    recipe[near], recipe[next_] = weight, 1 - weight
    deviations = x - x.mean()
    variance = float((deviations**2).mean())
    return steps(
        rf"The two neighbours of $x_1={tex(x[0])}$ are ${tex(x[near])}$ and ${tex(x[next_])}$, the points "
        rf"${near + 1}$ and ${next_ + 1}$.",
        rf"$w\cdot{bracketed(x[near])}+(1-w)\cdot{bracketed(x[next_])}={tex(x[0])}$ gives $w{eq(weight)}$, so "
        rf"the first "
        rf"row of $W$ is ${row(recipe)}$.",
        r"Every point is a perfect mixture, so $y=x$ costs nothing, and so does every straight map $y=\alpha x+\beta$. "
        "The constraints ask for mean $0$ and mean square $1$.",
        rf"The mean is ${tex(x.mean())}$, the deviations ${row(deviations)}$, the variance ${tex(variance)}$.",
        rf"The squares $(x_i-\bar x)^2/{tex(variance)}$ are ${row(deviations**2 / variance)}$.",
    ), (recipe, deviations**2 / variance)
