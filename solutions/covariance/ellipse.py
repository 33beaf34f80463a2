"""Task `ellipse`: long axis and both semi-axes of a covariance ellipse, by hand."""

from functools import cache
from itertools import product
from math import isqrt

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.covariance import ellipsoid_axes
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, pair_of, row, steps, tex

Answer = tuple[Array, Array]
# not (1, 1): on the diagonal of C no number would be the larger one
DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (3, 4), (4, 3), (3, -4), (4, -3))


@cache
def _choices() -> list[Array]:
    choices = []
    for q in DIRECTIONS:
        length = q[0] ** 2 + q[1] ** 2
        for short in range(2, 8):
            for step in range(1, 13):
                long_squared = short**2 + step * length
                is_square = isqrt(long_squared) ** 2 == long_squared
                # 2 doubled is 2 squared, which hides a mistake
                if (
                    is_square
                    and step * q[0] * q[1] != 2
                    and 1.5 * short**2 <= long_squared <= 150
                    and long_squared != short**4
                ):
                    choices.append(short**2 * np.eye(2) + step * np.outer(q, q).astype(float))
    return choices


@task.hand(
    points=2,
    minutes=10,
    see="thm-covariance-ellipsoid",
    same=(up_to_direction, exactly),
    parts=("the direction", "the semi-axes"),
)
def ellipse(C: Array) -> Answer:
    """The eigenvector for λ₁, and √λ₁, √λ₂ (thm-covariance-ellipsoid)."""
    lengths = ellipsoid_axes(C).semi_axes
    return np.array([C[0, 1], lengths[0] ** 2 - C[0, 0]]), lengths  # the first row of (C − λ₁I)v = 0


@ellipse.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """C = bI + t qqᵀ whose eigenvalues b and b + t‖q‖² are squares."""
    return {"the numbers of the text": {"C": one_of(rng, _choices())}}


@cache
def _ellipses() -> list[Array]:
    more = ((2, 3), (3, 2), (2, -3), (3, -2), (1, 4), (4, 1), (1, -4), (4, -1))
    found = []
    for q, short, step in product((*DIRECTIONS, *more), range(2, 10), range(1, 25)):
        long_squared = short**2 + step * (q[0] ** 2 + q[1] ** 2)
        if isqrt(long_squared) ** 2 == long_squared and 1.5 * short**2 <= long_squared <= 400:
            found.append(short**2 * np.eye(2) + step * np.outer(q, q).astype(float))
    return found


@ellipse.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """More directions and longer axes; eigenvalues are squares as before."""
    return {"the numbers of the text": {"C": one_of(rng, _ellipses())}}


@ellipse.wrong(
    "The direction is right. Your lengths carry the square of the unit of the data.",
    see="eq-covariance-semi-axes",
    credit=0.5,
)
def gave_the_eigenvalues(C: Array) -> Answer:
    """λ instead of √λ."""
    direction, lengths = ellipse(C)
    return direction, lengths**2


@ellipse.wrong(
    "This is the ellipse of another equation: it is long where the data vary little. Look at which matrix stands "
    "between the two x.",
    see="eq-covariance-ellipsoid",
)
def used_the_matrix_for_its_inverse(C: Array) -> Answer:
    """The ellipse xᵀCx = 1: long where the cloud is short."""
    axes = ellipsoid_axes(C)
    return axes.directions[:, 1], 1 / axes.semi_axes[::-1]


@ellipse.wrong(
    "The direction is right. A semi-axis is the standard deviation along it: does it grow or shrink with the "
    "eigenvalue?",
    see="eq-covariance-semi-axes",
    credit=0.5,
)
def inverted_only_the_lengths(C: Array) -> Answer:
    """1/√λ along the right axis."""
    direction, lengths = ellipse(C)
    return direction, 1 / lengths


@ellipse.wrong(
    "The lengths are right. Multiply your direction by C: by which factor is it stretched?", credit=0.5
)
def gave_the_short_axis(C: Array) -> Answer:
    """The other eigenvector."""
    axes = ellipsoid_axes(C)
    return axes.directions[:, 1], axes.semi_axes


@ellipse.wrong(
    "Right direction, right lengths, in the other order: the long one comes first.",
    see="eq-covariance-eigenpairs",
    credit=0.75,
)
def swapped_the_lengths(C: Array) -> Answer:
    """Shortest first."""
    direction, lengths = ellipse(C)
    return direction, lengths[::-1]


@ellipse.wrong(
    "You measured right across. A semi-axis starts at the centre.", see="eq-covariance-semi-axes", credit=0.75
)
def doubled_the_semi_axes(C: Array) -> Answer:
    """Full widths."""
    direction, lengths = ellipse(C)
    return direction, 2 * lengths


@ellipse.wrong("You ignored the entry off the diagonal. It tilts the ellipse.")
def read_the_diagonal(C: Array) -> Answer:
    """The standard deviations of the features, and the axis of the larger."""
    lengths = np.sqrt(np.diag(C))
    return np.array([1.0, 0.0]) if C[0, 0] >= C[1, 1] else np.array([0.0, 1.0]), np.sort(lengths)[::-1]


@ellipse.also
def by_the_quadratic(C: Array) -> Answer:
    """λ from trace and determinant, the vector from the second row of C − λI."""
    half, det = np.trace(C) / 2, C[0, 0] * C[1, 1] - C[0, 1] ** 2
    larger = half + np.sqrt(half**2 - det)
    return np.array([larger - C[1, 1], C[0, 1]]), np.sqrt(np.array([larger, 2 * half - larger]))


@ellipse.worked
def worked(C: Array) -> Worked:
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
