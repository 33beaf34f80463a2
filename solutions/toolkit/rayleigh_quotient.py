"""Task `rayleigh_quotient`: the quadratic form of a direction."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref import toolkit
from solutions.toolkit.numbers import Array, one_of, orthogonal_columns, ways_are_apart

LONG = ((1.2, 2.0, -2.5, 0.7), (2.0, 3.1, 1.0, -1.6), (-1.4, 3.0, 2.2, 0.9), (3.0, -1.0, 1.3, 1.7))
PLANE = ((2.0, -1.5), (-1.2, 3.0), (2.5, 1.7))
SHORT = ((0.2, -0.3, 0.4), (-0.5, 0.2, 0.3), (0.1, 0.6, -0.3))


def draw(rng: np.random.Generator) -> Cases:
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
    ways = (answer, compared_lengths, kept_the_squares_only) if abs(v @ v - 1) < 1e-6 else WAYS
    while True:
        A = np.round(rng.uniform(-6, 6, size=(len(v), len(v))), 1)
        A = np.round(A + A.T, 1) if is_symmetric else A
        if abs(answer(A, v)) > 0.5 and ways_are_apart(ways, (A, v), 0.05):
            return {"A": np.round(unit * A, 9), "v": np.round(v * unit, 9)}


def hard(rng: np.random.Generator) -> Cases:
    """One entry, five, whole numbers, large and tiny units, a zero in v."""
    A, v = np.round(rng.uniform(-6, 6, size=(5, 5)), 1), np.array([0.3, -1.2, 0.0, 2.1, -0.4])
    return {
        "one entry": {"A": A[:1, :1], "v": v[3:4]},
        "five entries": {"A": A, "v": v},
        "whole numbers": {"A": rng.integers(-9, 10, size=(3, 3)), "v": np.array([2, -1, 3])},
        "a large unit": {"A": 1e6 * A, "v": 1e6 * v},
        "a tiny vector": {"A": A, "v": 1e-6 * v},
    }


def answer(A: Array, v: Array) -> float:
    """vᵀAv / vᵀv (eq-toolkit-rayleigh)."""
    return toolkit.rayleigh_quotient(A, v)


def forgot_to_divide(A: Array, v: Array) -> float:
    """vᵀAv."""
    return float(v @ A @ v)


def divided_by_the_length(A: Array, v: Array) -> float:
    """vᵀAv / ‖v‖."""
    return float(v @ A @ v / np.sqrt(v @ v))


def compared_lengths(A: Array, v: Array) -> float:
    """‖Av‖ / ‖v‖."""
    return float(np.linalg.norm(A @ v) / np.linalg.norm(v))


def kept_the_squares_only(A: Array, v: Array) -> float:
    """Σ aᵢᵢ vᵢ² / Σ vᵢ²."""
    return float(np.diag(A) @ v**2 / (v @ v))


WAYS = (answer, forgot_to_divide, divided_by_the_length, compared_lengths, kept_the_squares_only)


def of_the_unit_vector(A: Array, v: Array) -> float:
    """Normalise first, then take the form of the symmetric part."""
    u = v / np.linalg.norm(v)
    return float(u @ (A + A.T) @ u / 2)


def entry_by_entry(A: Array, v: Array) -> float:
    """The double sum."""
    total = sum(A[i, j] * v[i] * v[j] for i in range(len(v)) for j in range(len(v)))
    return float(total / sum(v**2))


rayleigh_quotient = Task(
    kind="code",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    see="eq-toolkit-rayleigh",
    misconceptions=(
        Misconception(
            forgot_to_divide,
            hint="Right for unit vectors. For 2v your number is four times as large, but the quotient belongs "
            "to a direction.",
            see="eq-toolkit-rayleigh",
        ),
        Misconception(
            divided_by_the_length,
            hint="Right for unit vectors. How often does v occur above the line, and how often in your divisor?",
            see="eq-toolkit-rayleigh",
        ),
        Misconception(
            compared_lengths,
            hint="That is how much v is stretched, whatever direction it ends up in. The quotient asks for the "
            "part along v.",
            see="thm-toolkit-rayleigh",
        ),
        Misconception(
            kept_the_squares_only,
            hint="The entries off the diagonal of A are missing: they multiply mixed products of entries of v.",
            see="eq-toolkit-quadratic-form",
        ),
    ),
    alternatives=(of_the_unit_vector, entry_by_entry),
    hard=hard,
)
