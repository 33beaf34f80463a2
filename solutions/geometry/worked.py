"""Worked solutions of the tasks that are solved with a pencil."""

from math import ceil

from solutions.numbers import Array
from solutions.steps import Worked, eq, squares, steps, tex, total


def image_counts(width: int, height: int, channels: int) -> Worked:
    """Coordinates, the upper triangle, a division rounded up."""
    p = width * height * channels
    different = p * (p + 1) // 2
    return steps(
        rf"Every pixel has {channels} numbers: $p={width}\cdot{height}\cdot{channels}={p}$.",
        rf"The diagonal has $p={p}$ entries, and of the ${p}\cdot{p - 1}$ others each comes twice: "
        rf"$\tfrac12p(p+1)=\tfrac12\cdot{p}\cdot{p + 1}={different}$.",
        rf"An icon brings ${p}$ numbers, and ${different}/{p}={tex(different / p)}$, so at least "
        rf"${ceil(different / p)}$ icons are needed.",
    ), (p, different, ceil(different / p))


def smallest_dimension(n_dimensions: int, parts: int) -> Worked:
    """Mean 2, variance 8/D."""
    return steps(
        r"$(x_i-y_i)$ is normal with variance $2$, so its square has mean $2$ and variance $2\cdot2^2=8$.",
        rf"The average of $D$ such squares has the mean $2$ and the variance $8/D$: here "
        rf"$8/{n_dimensions}{eq(8 / n_dimensions)}$.",
        rf"The relative spread is $\sqrt{{8/D}}/2=\sqrt{{2/D}}$. It is at most $1/{parts}$ when "
        rf"$D\ge2\cdot{parts}^2={2 * parts**2}$.",
    ), (8 / n_dimensions, 2 * parts**2)


def directions_that_count(eigenvalues: Array) -> Worked:
    """Twice the trace; the square of the sum over the sum of squares."""
    whole, square = float(eigenvalues.sum()), float((eigenvalues**2).sum())
    return steps(
        rf"Along each axis $x-y$ has twice the variance: $\mathbb E\lVert x-y\rVert^2=2\sum\lambda_i="
        rf"2\,({total(eigenvalues)})={tex(2 * whole)}$.",
        rf"The sum of the squares is $\sum\lambda_i^2={squares(eigenvalues)}={tex(square)}$.",
        rf"The effective dimension is $\dfrac{{(\sum\lambda_i)^2}}{{\sum\lambda_i^2}}="
        rf"\dfrac{{{tex(whole)}^2}}{{{tex(square)}}}{eq(whole**2 / square)}$.",
    ), (2 * whole, whole**2 / square)
