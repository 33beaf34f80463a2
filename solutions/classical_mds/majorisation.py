"""Tasks `guttman_by_hand`, `repaired_table` and `smacof`: steps of majorisation, and the additive constant."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.metric_mds import guttman_transform
from solutions.announced import has_equal_rows
from solutions.classical_mds.numbers import table_of
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, matrix, row, steps, tex

Repair = tuple[float, Array, float]
SAME = (exactly, exactly, exactly)
TRIANGLE = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])


def _lengths(Z: Array) -> Array:
    return np.asarray(np.linalg.norm(Z[:, None] - Z, axis=2))


def _ratios(distances: Array, Z: Array) -> Array:
    lengths = _lengths(Z)
    return np.divide(distances, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def _moved(ratios: Array, Z: Array) -> Array:
    """Return (diag(row sums) − ratios) Z."""
    return np.asarray(ratios.sum(axis=1)[:, None] * Z - ratios @ Z)


@task.hand(points=2, minutes=12, see="eq-metric-mds-guttman")
def guttman_by_hand(distances: Array, Z: Array) -> Array:
    """Return B(Z) Z / N (eq-metric-mds-guttman)."""
    return guttman_transform(np.asarray(distances, dtype=float), np.asarray(Z, dtype=float))


@cache
def _tables() -> list[Array]:
    """List the tables for the triangle with sides 3, 4, 5 whose step is short and on which all ways differ."""
    tables = []
    for a, b, c in product(range(1, 7), repeat=3):
        distances = np.array([[0, 3 * a, 4 * b], [3 * a, 0, 5 * c], [4 * b, 5 * c, 0]], dtype=float)
        after = guttman_by_hand(distances, TRIANGLE)
        if np.all(np.abs(after * 1000 - np.round(after * 1000)) < 1e-9) and len({a, b, c}) > 1:
            if told_apart(STEPS, (distances, TRIANGLE)):
                tables.append(distances)
    return tables


@guttman_by_hand.draw
def draw_step(rng: np.random.Generator) -> task.Cases:
    """Draw a table, the order of the corners, and a mirror image of the triangle."""
    while True:
        distances, order = one_of(rng, _tables()), rng.permutation(3)
        Z = (TRIANGLE * rng.choice([-1.0, 1.0], size=2))[order]
        inputs = distances[np.ix_(order, order)], Z
        if told_apart(STEPS, inputs):
            return {"the numbers of the text": {"distances": inputs[0], "Z": Z}}


@guttman_by_hand.wrong("Divide by the number of points.", see="eq-metric-mds-guttman")
def forgot_the_divisor(distances: Array, Z: Array) -> Array:
    """Return B(Z) Z."""
    return _moved(_ratios(distances, Z), Z)


@guttman_by_hand.wrong(
    "Your entries are distances of the map divided by those of the table. It is the other way round.",
    see="eq-metric-mds-guttman",
)
def inverted_the_ratios(distances: Array, Z: Array) -> Array:
    """Divide d by δ."""
    inverted = np.divide(_lengths(Z), distances, out=np.zeros((len(Z), len(Z))), where=distances > 0)
    return _moved(inverted, Z) / len(Z)


@guttman_by_hand.wrong(
    "The diagonal of your B is zero. It makes the rows of B sum to zero.", see="eq-metric-mds-guttman"
)
def left_the_diagonal_empty(distances: Array, Z: Array) -> Array:
    """Use the off-diagonal entries alone."""
    return np.asarray(-_ratios(distances, Z) @ Z / len(Z))


@guttman_by_hand.wrong("The entries hold distances, not their squares.", see="eq-metric-mds-guttman")
def squared_the_distances(distances: Array, Z: Array) -> Array:
    """Use δ²/d²."""
    return _moved(_ratios(distances, Z) ** 2, Z) / len(Z)


@guttman_by_hand.wrong("Your matrix is −B: its diagonal is negative.", see="eq-metric-mds-guttman")
def changed_the_sign(distances: Array, Z: Array) -> Array:
    """Return −B(Z) Z / N."""
    return -guttman_by_hand(distances, Z)


STEPS = (
    guttman_by_hand,
    forgot_the_divisor,
    inverted_the_ratios,
    left_the_diagonal_empty,
    squared_the_distances,
    changed_the_sign,
)


@guttman_by_hand.also
def pair_by_pair(distances: Array, Z: Array) -> Array:
    """Add δ times the unit vector from each other point."""
    after = np.zeros((len(Z), 2))
    for i, j in product(range(len(Z)), repeat=2):
        if i != j:
            after[i] += distances[i, j] * (Z[i] - Z[j]) / np.linalg.norm(Z[i] - Z[j]) / len(Z)
    return after


@guttman_by_hand.worked
def worked_step(distances: Array, Z: Array) -> Worked:
    """Write B down, multiply, divide by three."""
    lengths, ratios = _lengths(Z), _ratios(distances, Z)
    B = np.diag(ratios.sum(axis=1)) - ratios
    pairs = ((0, 1), (0, 2), (1, 2))
    written = ", ".join(
        rf"$b_{{{i + 1}{j + 1}}}=-{tex(distances[i, j])}/{tex(lengths[i, j])}={tex(B[i, j])}$"
        for i, j in pairs
    )
    return steps(
        rf"On the map the points are {', '.join(tex(lengths[i, j]) for i, j in pairs)} apart, so {written}.",
        rf"The diagonal makes the rows sum to zero: $B={matrix(B)}$.",
        rf"$\tfrac13BZ=\tfrac13{matrix(B @ Z)}={matrix(B @ Z / 3)}$.",
    ), B @ Z / 3


@task.hand(
    points=2,
    minutes=6,
    see="thm-classical-mds-additive",
    same=SAME,
    parts=("the constant", "the spectrum", "the squared distance"),
)
def repaired_table(spectrum: Array, squared: float) -> Repair:
    """Return the least c, the spectrum after the repair, and one squared distance (thm-classical-mds-additive)."""
    c = -float(np.min(spectrum))
    values = np.asarray(spectrum, dtype=float) + c
    values[_place_of_ones(spectrum)] = 0.0
    return c, np.sort(values)[::-1], float(squared + 2 * c)


def _place_of_ones(spectrum: Array) -> int:
    """Return the place of the eigenvalue zero of the vector of ones."""
    return int(np.argmin(np.abs(spectrum)))


@repaired_table.draw
def draw_repair(rng: np.random.Generator) -> task.Cases:
    """Draw five eigenvalues, one of them zero and one or two negative, and a squared distance."""
    while True:
        positive = np.sort(rng.choice(np.arange(3, 30), size=3, replace=False))[::-1]
        if rng.random() < 0.5:
            spectrum = np.array(
                [*positive[:2], 0, *np.sort(-rng.choice(np.arange(1, 9), 2, replace=False))[::-1]]
            )
        else:
            spectrum = np.array([*positive, 0, -rng.integers(1, 9)])
        inputs = spectrum.astype(float), int(rng.integers(2, 30))
        if told_apart(REPAIRS, inputs, SAME):
            return {"the numbers of the text": {"spectrum": inputs[0], "squared": inputs[1]}}


def _repair(spectrum: Array, squared: float, c: float, added: float, distance: float) -> Repair:
    values = np.asarray(spectrum, dtype=float) + added
    values[_place_of_ones(spectrum)] = 0.0
    return float(c), np.sort(values)[::-1], float(squared + distance)


@repaired_table.wrong(
    "The zero of the vector of ones stays zero: only eigenvectors of sum zero are shifted.",
    see="eq-classical-mds-additive",
)
def shifted_the_zero_of_ones(spectrum: Array, squared: float) -> Repair:
    """Add c to all eigenvalues."""
    c, _, distance = repaired_table(spectrum, squared)
    return c, np.asarray(spectrum + c), distance


@repaired_table.wrong(
    "Constant and spectrum are right. The squared distances grow by twice the constant.",
    see="thm-classical-mds-additive",
)
def added_the_constant_once(spectrum: Array, squared: float) -> Repair:
    """Add c in the place of 2c."""
    c = -float(np.min(spectrum))
    return _repair(spectrum, squared, c, c, c)


@repaired_table.wrong(
    "Your eigenvalues grow by twice the constant. Squared distances do; the factor one half before the double centring "
    "halves it.",
    see="eq-classical-mds-additive",
)
def shifted_the_spectrum_twice(spectrum: Array, squared: float) -> Repair:
    """Add 2c to the eigenvalues."""
    c = -float(np.min(spectrum))
    return _repair(spectrum, squared, c, 2 * c, 2 * c)


@repaired_table.wrong(
    "You set negative eigenvalues to zero and left the others. That is the nearest Euclidean Gram matrix, not what a "
    "constant does.",
    see="eq-classical-mds-additive",
)
def clipped_the_spectrum(spectrum: Array, squared: float) -> Repair:
    """Replace negative eigenvalues by zero."""
    c, _, distance = repaired_table(spectrum, squared)
    return c, np.maximum(spectrum, 0), distance


@repaired_table.wrong(
    "Your constant is half of the least that suffices: the smallest eigenvalue stays negative.",
    see="thm-classical-mds-additive",
)
def took_half_the_constant(spectrum: Array, squared: float) -> Repair:
    """Take −λ_N / 2."""
    c = -float(np.min(spectrum)) / 2
    return _repair(spectrum, squared, c, c, 2 * c)


REPAIRS = (
    repaired_table,
    shifted_the_zero_of_ones,
    added_the_constant_once,
    shifted_the_spectrum_twice,
    clipped_the_spectrum,
    took_half_the_constant,
)


@repaired_table.also
def by_removing_the_zero(spectrum: Array, squared: float) -> Repair:
    """Shift the other eigenvalues, and put the zero back."""
    others = [value for value in spectrum if value != 0]
    c = -min(others)
    return (
        float(c),
        np.array(sorted([value + c for value in others] + [0.0], reverse=True)),
        float(squared + 2 * c),
    )


@repaired_table.worked
def worked_repair(spectrum: Array, squared: float) -> Worked:
    """Read the constant off the smallest eigenvalue."""
    c, values, distance = repaired_table(spectrum, squared)
    return steps(
        rf"The smallest eigenvalue is ${tex(-c)}$, so the least constant is $c={tex(c)}$.",
        rf"The zero of the vector of ones stays; the others grow by ${tex(c)}$. In order: ${row(values)}$.",
        rf"Squared distances grow by $2c={tex(2 * c)}$: ${tex(squared)}+{tex(2 * c)}{eq(distance)}$.",
    ), (c, values, distance)


@task.code(points=3, minutes=15, see="thm-metric-mds-descent")
def smacof(distances: Array, start: Array, n_steps: int) -> Array:
    """Return the map after some Guttman transforms (eq-metric-mds-guttman)."""
    Y = np.asarray(start, dtype=float)
    for _ in range(n_steps):
        Y = guttman_transform(np.asarray(distances, dtype=float), Y)
    return Y


def _start(rng: np.random.Generator, n_points: int, d: int) -> Array:
    return np.round(rng.normal(size=(n_points, d)) + 0.7, 2)


@smacof.draw
def draw_descent(rng: np.random.Generator) -> task.Cases:
    """Draw starts in one, two and three dimensions; two points of one start coincide."""
    coinciding = _start(rng, 5, 2)
    coinciding[3] = coinciding[1]
    return {
        "one step in the plane": {
            "distances": table_of(rng.normal(size=(6, 4)) * 2),
            "start": _start(rng, 6, 2),
            "n_steps": 1,
        },
        "three steps in space": {
            "distances": table_of(rng.normal(size=(7, 5))),
            "start": _start(rng, 7, 3),
            "n_steps": 3,
        },
        "two points start in one place": {
            "distances": table_of(rng.normal(size=(5, 3)) * 3),
            "start": coinciding,
            "n_steps": 2,
        },
    }


@smacof.hard
def hard_descent(rng: np.random.Generator) -> task.Cases:
    """Draw other units, and more steps."""
    table, start = table_of(rng.normal(size=(6, 3))), _start(rng, 6, 2)
    return {
        "large unit": {"distances": 1e5 * table, "start": 1e5 * start, "n_steps": 2},
        "small unit": {"distances": 1e-5 * table, "start": start, "n_steps": 2},
        "ten steps": {"distances": table, "start": start, "n_steps": 10},
        "a line": {"distances": table, "start": start[:, :1], "n_steps": 1},
    }


def _descended(distances: Array, start: Array, n_steps: int, kind: str) -> Array:
    """Descend with one fault."""
    Y = np.asarray(start, dtype=float)
    for _ in range(n_steps):
        ratios = _ratios(np.asarray(distances, dtype=float), Y)
        if kind == "squares":
            ratios = ratios**2
        if kind == "no diagonal":
            Y = -ratios @ Y / len(Y)
        else:
            Y = _moved(ratios, Y) / (len(Y) if kind != "no divisor" else 1)
    return np.asarray(Y)


@smacof.wrong("Divide by the number of points in every step.", see="eq-metric-mds-guttman")
def never_divided(distances: Array, start: Array, n_steps: int) -> Array:
    """Leave 1/N out."""
    return _descended(distances, start, n_steps, "no divisor")


@smacof.wrong("Your B has no diagonal; its rows should sum to zero.", see="eq-metric-mds-guttman")
def descended_without_diagonal(distances: Array, start: Array, n_steps: int) -> Array:
    """Use off-diagonal entries alone."""
    return _descended(distances, start, n_steps, "no diagonal")


@smacof.wrong("The ratios are those of distances, not of their squares.", see="eq-metric-mds-guttman")
def descended_with_squares(distances: Array, start: Array, n_steps: int) -> Array:
    """Use δ²/d²."""
    return _descended(distances, start, n_steps, "squares")


@smacof.wrong("This is the map after one step.", credit=0.5)
def stepped_once(distances: Array, start: Array, n_steps: int) -> Array:
    """Ignore the number of steps."""
    return smacof(distances, start, 1)


@smacof.wrong("Your ratios are those of the first map in every step. B changes with the map.", credit=0.5)
def kept_the_first_matrix(distances: Array, start: Array, n_steps: int) -> Array:
    """Compute B once."""
    Y = np.asarray(start, dtype=float)
    ratios = _ratios(np.asarray(distances, dtype=float), Y)
    for _ in range(n_steps):
        Y = _moved(ratios, Y) / len(Y)
    return Y


@smacof.also
def by_the_matrix(distances: Array, start: Array, n_steps: int) -> Array:
    """Write B as a matrix."""
    Y = np.asarray(start, dtype=float)
    for _ in range(n_steps):
        lengths = _lengths(Y)
        B = -np.asarray(distances) / np.where(lengths > 0, lengths, np.inf)
        B -= np.diag(B.sum(axis=1))
        Y = B @ Y / len(Y)
    return Y


@smacof.also
def by_loops(distances: Array, start: Array, n_steps: int) -> Array:
    """Add unit vectors, pair by pair."""
    Y = np.array(start, dtype=float)
    for _ in range(n_steps):
        after = np.zeros_like(Y)
        for i, j in product(range(len(Y)), repeat=2):
            away = np.sqrt(np.sum((Y[i] - Y[j]) ** 2))
            if away > 0:
                after[i] += distances[i, j] * (Y[i] - Y[j]) / away / len(Y)
        Y = after
    return Y


smacof.announces(
    "Two points of the start may lie in one place",
    "two points start in one place",
    lambda distances, start, n_steps: has_equal_rows(start),
)
