"""Task `cycle_spectrum`: the Gram eigenvalues of a four-cycle with two edge lengths, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import N_POINTS, Array

WAVES = np.array([[1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1]]) / 2


def draw(rng: np.random.Generator) -> Cases:
    """Two lengths of edges, with three decimals: products with fewer often end in a five."""
    short, long = rng.uniform(0.3, 1.8, size=N_POINTS), rng.uniform(2.2, 5.0, size=N_POINTS)
    return {"at sample points": {"a": np.round(short, 3), "b": np.round(long, 3)}}


def _multipliers(a: Array, b: Array, across: Array) -> Array:
    """zᵀGz of the three waves, from squared sides and diagonals."""
    return np.column_stack([b + across - a, a + across - b, a + b - across]) / 2


def answer(a: Array, b: Array) -> Array:
    """b(a + b), a(a + b) and −ab (thm-isomap-quadrilateral)."""
    return np.column_stack([b * (a + b), a * (a + b), -a * b])


def took_straight_diagonals(a: Array, b: Array) -> Array:
    """The diagonals of a rectangle."""
    return _multipliers(a**2, b**2, a**2 + b**2)


def left_the_table_unsquared(a: Array, b: Array) -> Array:
    """Centre Δ itself."""
    return _multipliers(a, b, a + b)


def forgot_the_half(a: Array, b: Array) -> Array:
    """−J Δ⁽²⁾ J."""
    return 2 * answer(a, b)


def lost_the_minus(a: Array, b: Array) -> Array:
    """½ J Δ⁽²⁾ J."""
    return -answer(a, b)


def made_it_positive(a: Array, b: Array) -> Array:
    """|λ|."""
    return np.abs(answer(a, b))


def by_matrices(a: Array, b: Array) -> Array:
    """Build the table at each sample point and apply it to the vectors."""
    J = np.eye(4) - 1 / 4
    rows = []
    for p, q in zip(a, b, strict=True):
        table = np.array([[0, p, p + q, q], [p, 0, q, p + q], [p + q, q, 0, p], [q, p + q, p, 0]])
        G = -J @ table**2 @ J / 2
        rows.append([z @ G @ z for z in WAVES])
    return np.array(rows)


def by_squares(a: Array, b: Array) -> Array:
    """From the sums over one row of the table."""
    return _multipliers(a**2, b**2, (a + b) ** 2)


cycle_spectrum = Task(
    kind="sym",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("eigenvalue of z₁", "eigenvalue of z₂", "eigenvalue of z₃"),
    see="thm-isomap-quadrilateral",
    misconceptions=(
        Misconception(
            took_straight_diagonals,
            hint="With these diagonals nothing negative is left: they are those of a rectangle. In the graph the way "
            "to the opposite corner runs along two edges.",
            see="eq-isomap-geodesic",
        ),
        Misconception(
            left_the_table_unsquared,
            hint="An eigenvalue of the Gram matrix is a squared length; yours are lengths. Which table is centred?",
            see="eq-isomap-embedding",
        ),
        Misconception(
            forgot_the_half,
            hint="All three are twice as large as they should be. Squared distances hold every product of two "
            "points twice.",
            see="eq-isomap-embedding",
        ),
        Misconception(
            lost_the_minus,
            hint="All three have the wrong sign: far points have large squared distances but small products.",
            see="eq-isomap-embedding",
        ),
        Misconception(
            made_it_positive,
            hint="The first two are right. Path lengths need not be distances of points of a Euclidean space, and the "
            "third eigenvalue says so.",
            see="thm-isomap-quadrilateral",
            credit=0.5,
        ),
    ),
    alternatives=(by_matrices, by_squares, "[b**2 + a*b, a**2 + a*b, -(a*b)]"),
)
