"""Tasks on quadratic forms."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from dimred_ref import toolkit
from dimred_ref.toolkit import eigenpairs
from solutions.steps import Worked, matrix, steps, tex
from solutions.toolkit.numbers import Array, are_apart, one_of, orthogonal_columns, ways_are_apart

LONG = ((1.2, 2.0, -2.5, 0.7), (2.0, 3.1, 1.0, -1.6), (-1.4, 3.0, 2.2, 0.9), (3.0, -1.0, 1.3, 1.7))
PLANE = ((2.0, -1.5), (-1.2, 3.0), (2.5, 1.7))
SHORT = ((0.2, -0.3, 0.4), (-0.5, 0.2, 0.3), (0.1, 0.6, -0.3))


@task.code(points=1, minutes=5, see="eq-toolkit-rayleigh")
def rayleigh_quotient(A: Array, v: Array) -> float:
    """vᵀAv / vᵀv (eq-toolkit-rayleigh)."""
    return toolkit.rayleigh_quotient(A, v)


@rayleigh_quotient.draw
def draw_rayleigh_quotient(rng: np.random.Generator) -> task.Cases:
    """A unit vector, a longer one, one shorter than 1, and a matrix without symmetry, in several sizes."""
    return {
        "a unit vector": _pair(rng, orthogonal_columns(rng, [1.0])[:, 0], is_symmetric=True),
        "a longer vector": _pair(rng, np.array(one_of(rng, LONG)), is_symmetric=True),
        "a matrix that is not symmetric": _pair(rng, np.array(one_of(rng, PLANE)), is_symmetric=False),
        "a short vector, everything in a tiny unit": _pair(
            rng, np.array(one_of(rng, SHORT)), is_symmetric=False, unit=1e-7
        ),
    }


def _pair(rng: np.random.Generator, v: Array, *, is_symmetric: bool, unit: float = 1.0) -> dict[str, Array]:
    # for a unit vector two of the mistakes are none, and agree
    ways = (rayleigh_quotient, compared_lengths, kept_the_squares_only) if abs(v @ v - 1) < 1e-6 else WAYS
    while True:
        A = np.round(rng.uniform(-6, 6, size=(len(v), len(v))), 1)
        A = np.round(A + A.T, 1) if is_symmetric else A
        if abs(rayleigh_quotient(A, v)) > 0.5 and ways_are_apart(ways, (A, v), 0.05):
            return {"A": np.round(unit * A, 9), "v": np.round(v * unit, 9)}


@rayleigh_quotient.hard
def hard_rayleigh_quotient(rng: np.random.Generator) -> task.Cases:
    """One entry, five, whole numbers, large and tiny units, a zero in v."""
    A, v = np.round(rng.uniform(-6, 6, size=(5, 5)), 1), np.array([0.3, -1.2, 0.0, 2.1, -0.4])
    return {
        "one entry": {"A": A[:1, :1], "v": v[3:4]},
        "five entries": {"A": A, "v": v},
        "whole numbers": {"A": rng.integers(-9, 10, size=(3, 3)), "v": np.array([2, -1, 3])},
        "a large unit": {"A": 1e6 * A, "v": 1e6 * v},
        "a tiny vector": {"A": A, "v": 1e-6 * v},
    }


@rayleigh_quotient.wrong(
    "Right for unit vectors. For 2v your number is four times as large, but the quotient belongs to a direction."
)
def forgot_to_divide(A: Array, v: Array) -> float:
    """vᵀAv."""
    return float(v @ A @ v)


@rayleigh_quotient.wrong(
    "Right for unit vectors. How often does v occur above the line, and how often in your divisor?"
)
def divided_by_the_length(A: Array, v: Array) -> float:
    """vᵀAv / ‖v‖."""
    return float(v @ A @ v / np.sqrt(v @ v))


@rayleigh_quotient.wrong(
    "That is how much v is stretched, whatever direction it ends up in. The quotient asks for the part along v.",
    see="thm-toolkit-rayleigh",
)
def compared_lengths(A: Array, v: Array) -> float:
    """‖Av‖ / ‖v‖."""
    return float(np.linalg.norm(A @ v) / np.linalg.norm(v))


@rayleigh_quotient.wrong(
    "The entries off the diagonal of A are missing: they multiply mixed products of entries of v.",
    see="eq-toolkit-quadratic-form",
)
def kept_the_squares_only(A: Array, v: Array) -> float:
    """Σ aᵢᵢ vᵢ² / Σ vᵢ²."""
    return float(np.diag(A) @ v**2 / (v @ v))


@rayleigh_quotient.wrong("This is the largest value of the quotient, whatever v is. It was asked for at v.")
def gave_the_largest_value(A: Array, v: Array) -> float:
    """The largest eigenvalue of the symmetric part."""
    return float(np.linalg.eigvalsh((A + A.T) / 2)[-1])


WAYS = (rayleigh_quotient, forgot_to_divide, divided_by_the_length, compared_lengths, kept_the_squares_only)


@rayleigh_quotient.also
def of_the_unit_vector(A: Array, v: Array) -> float:
    """Normalise first, then take the form of the symmetric part."""
    u = v / np.linalg.norm(v)
    return float(u @ (A + A.T) @ u / 2)


@rayleigh_quotient.also
def entry_by_entry(A: Array, v: Array) -> float:
    """The double sum."""
    total = sum(A[i, j] * v[i] * v[j] for i in range(len(v)) for j in range(len(v)))
    return float(total / sum(v**2))


rayleigh_quotient.announces("may have any length", "a longer vector", lambda A, v: v @ v > 1.5)
rayleigh_quotient.announces(
    "may have any length", "a short vector, everything in a tiny unit", lambda A, v: v @ v < 0.5
)
rayleigh_quotient.announces(
    "need not be symmetric", "a matrix that is not symmetric", lambda A, v: not np.allclose(A, A.T)
)


DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))


@cache
def _choices() -> list[tuple[int, int, int]]:
    """Every such form with small coefficients on which no two ways agree."""
    choices = []
    for (x, y), b, t in product(DIRECTIONS, range(-6, 9), range(1, 5)):
        form = (b + t * x * x, 2 * t * x * y, b + t * y * y)
        is_plain = (
            max(map(abs, form)) <= 40
            and b != 0
            and 0 not in (*form, form[0] + form[2], b + t * (x * x + y * y))
        )
        if is_plain and are_apart([way(*form) for way in WAYS_TO_EXTREMES], 0.04):
            choices.append(form)
    return choices


def _values(matrix: list[list[float]]) -> Array:
    return eigenpairs(matrix)[0]


@task.hand(
    points=2, minutes=10, see="thm-toolkit-rayleigh", parts=("the largest value", "the smallest value")
)
def extremes_of_a_form(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q/2], [q/2, r]] (thm-toolkit-rayleigh)."""
    return _values([[p, q / 2], [q / 2, r]])


@extremes_of_a_form.draw
def draw_extremes_of_a_form(rng: np.random.Generator) -> task.Cases:
    """f(x, y) = p x² + q xy + r y², from a matrix b I + t uuᵀ with whole eigenvalues."""
    p, q, r = one_of(rng, _choices())
    return {"the numbers of the text": {"p": p, "q": q, "r": r}}


@extremes_of_a_form.wrong(
    "Multiply out vᵀAv for your symmetric matrix: the mixed product xy appears twice.",
    see="eq-toolkit-symmetric-part",
)
def put_the_whole_coefficient_twice(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q], [q, r]]."""
    return _values([[p, q], [q, r]])


@extremes_of_a_form.wrong(
    "The mixed term has no say in your answer. If your matrix has the right form but is not symmetric, its "
    "eigenvalues do not bound the form.",
)
def put_the_coefficient_on_one_side(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q], [0, r]], which are p and r."""
    return np.array([max(p, r), min(p, r)], dtype=float)


@extremes_of_a_form.wrong("Both numbers are right; the largest was asked for first.", credit=0.75)
def gave_the_smallest_first(p: float, q: float, r: float) -> Array:
    """Smallest, then largest."""
    return extremes_of_a_form(p, q, r)[::-1]


@extremes_of_a_form.wrong(
    "These are values of f on the circle, but there are larger and smaller ones at other angles."
)
def tried_the_diagonals(p: float, q: float, r: float) -> Array:
    """The values at (1, 1)/√2 and (1, −1)/√2."""
    return np.array([p + r + abs(q), p + r - abs(q)]) / 2


@extremes_of_a_form.wrong("You took f at vectors that are longer than 1.", see="eq-toolkit-rayleigh")
def left_the_circle(p: float, q: float, r: float) -> Array:
    """The values at (1, 1) and (1, −1), which are not of length 1."""
    return np.array([p + r + abs(q), p + r - abs(q)], dtype=float)


WAYS_TO_EXTREMES = (
    extremes_of_a_form,
    put_the_whole_coefficient_twice,
    put_the_coefficient_on_one_side,
    gave_the_smallest_first,
    tried_the_diagonals,
    left_the_circle,
)


@extremes_of_a_form.also
def by_the_angle(p: float, q: float, r: float) -> Array:
    """f(cos t, sin t) = (p + r)/2 + (p − r)/2 cos 2t + q/2 sin 2t."""
    middle, swing = (p + r) / 2, float(np.hypot((p - r) / 2, q / 2))
    return np.array([middle + swing, middle - swing])


@extremes_of_a_form.worked
def worked_extremes_of_a_form(p: int, q: int, r: int) -> Worked:
    """The eigenvalues of the symmetric matrix with q/2 beside the diagonal."""
    middle, swing = (p + r) / 2, float(np.hypot((p - r) / 2, q / 2))
    return steps(
        rf"$f=v^\top Av$ with the symmetric matrix $A={matrix([[p, q / 2], [q / 2, r]])}$: the coefficient of $xy$ is "
        r"shared by two entries.",
        rf"On the circle $f$ lies between the eigenvalues of $A$, which are $\tfrac12(p+r)\pm"
        rf"\sqrt{{\tfrac14(p-r)^2+\tfrac14q^2}}={tex(middle)}\pm"
        rf"\sqrt{{{tex((p - r) ** 2 / 4)}+{tex(q * q / 4)}}}$.",
        rf"The largest is ${tex(middle)}+{tex(swing)}={tex(middle + swing)}$, the smallest "
        rf"${tex(middle)}-{tex(swing)}={tex(middle - swing)}$.",
    ), [middle + swing, middle - swing]
