"""Task `cycle_spectrum`: the Gram eigenvalues of a four-cycle with two edge lengths, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import N_POINTS, Array, in_both_orders

WAVES = np.array([[1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1]]) / 2


def _multipliers(a: Array, b: Array, across: Array) -> Array:
    """zᵀGz of the three waves, from squared sides and diagonals."""
    return np.column_stack([b + across - a, a + across - b, a + b - across]) / 2


@task.sym(
    points=3,
    minutes=12,
    see="thm-isomap-quadrilateral",
    parts=("eigenvalue of z₁", "eigenvalue of z₂", "eigenvalue of z₃"),
)
def cycle_spectrum(a: Array, b: Array) -> Array:
    """b(a + b), a(a + b) and −ab (thm-isomap-quadrilateral)."""
    return np.column_stack([b * (a + b), a * (a + b), -a * b])


@cycle_spectrum.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Two lengths of edges, with three decimals: products with fewer often end in a five."""
    short, long = rng.uniform(0.3, 1.8, size=N_POINTS), rng.uniform(2.2, 5.0, size=N_POINTS)
    return {"at sample points": in_both_orders({"a": np.round(short, 3), "b": np.round(long, 3)}, "a", "b")}


@cycle_spectrum.wrong(
    "With these diagonals nothing negative is left: they are those of a rectangle. In the graph the way to the "
    "opposite corner runs along two edges.",
    see="eq-isomap-geodesic",
)
def took_straight_diagonals(a: Array, b: Array) -> Array:
    """The diagonals of a rectangle."""
    return _multipliers(a**2, b**2, a**2 + b**2)


@cycle_spectrum.wrong(
    "An eigenvalue of the Gram matrix is a squared length; yours are lengths. Which table is centred?",
    see="eq-isomap-embedding",
)
def left_the_table_unsquared(a: Array, b: Array) -> Array:
    """Centre Δ itself."""
    return _multipliers(a, b, a + b)


@cycle_spectrum.wrong(
    "All three are twice as large as they should be. Squared distances hold every product of two points twice.",
    see="eq-isomap-embedding",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(a: Array, b: Array) -> Array:
    """−J Δ⁽²⁾ J."""
    return 2 * cycle_spectrum(a, b)


@cycle_spectrum.wrong(
    "All three have the wrong sign: far points have large squared distances but small products.",
    see="eq-isomap-embedding",
)
def lost_the_minus(a: Array, b: Array) -> Array:
    """½ J Δ⁽²⁾ J."""
    return -cycle_spectrum(a, b)


@cycle_spectrum.wrong(
    "The first two are right. Path lengths need not be distances of points of a Euclidean space, and the third "
    "eigenvalue says so.",
    credit=0.5,
)
def made_it_positive(a: Array, b: Array) -> Array:
    """|λ|."""
    return np.abs(cycle_spectrum(a, b))


@cycle_spectrum.also
def by_matrices(a: Array, b: Array) -> Array:
    """Build the table at each sample point and apply it to the vectors."""
    J = np.eye(4) - 1 / 4
    rows = []
    for p, q in zip(a, b, strict=True):
        table = np.array([[0, p, p + q, q], [p, 0, q, p + q], [p + q, q, 0, p], [q, p + q, p, 0]])
        G = -J @ table**2 @ J / 2
        rows.append([z @ G @ z for z in WAVES])
    return np.array(rows)


@cycle_spectrum.also
def by_squares(a: Array, b: Array) -> Array:
    """From the sums over one row of the table."""
    return _multipliers(a**2, b**2, (a + b) ** 2)


cycle_spectrum.also("[b**2 + a*b, a**2 + a*b, -(a*b)]")
