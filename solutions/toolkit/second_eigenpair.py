"""Task `second_eigenpair`: the other eigenpair of a matrix that is not symmetric, by hand."""

from functools import cache
from itertools import permutations, product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_direction
from solutions.toolkit.numbers import Array, are_apart, one_of

Answer = tuple[float, Array]
FIRST = ((2, 3), (3, 2), (2, -3), (3, -2), (-2, 5), (5, 2), (3, 4), (-3, 4), (4, -3), (5, 3), (-3, 5))


def draw(rng: np.random.Generator) -> Cases:
    """A = P diag(λ₁, λ₂) P⁻¹ with whole P, and A whole too; the first column of P is given."""
    A, v = one_of(rng, _choices())
    return {"the numbers of the text": {"A": A, "v": v}}


@cache
def _choices() -> list[tuple[Array, Array]]:
    """Every such matrix with small entries, directions well apart, and eigenvalues that betray mistakes."""
    choices = []
    for (p, q), (r, s), values in product(
        FIRST, permutations(range(-4, 5), 2), permutations(range(-7, 8), 2)
    ):
        det = p * s - q * r
        # a multiple of the determinant between the eigenvalues makes A whole
        if det == 0 or (values[0] - values[1]) % det or 0 in (r, s, *values) or abs(r) == abs(s):
            continue
        P = np.array([[p, r], [q, s]], dtype=float)
        A = np.round(P @ np.diag(np.array(values, dtype=float)) @ np.linalg.inv(P))
        if np.abs(A).max() <= 30 and 0 not in A and _betrays(A, P, values[0]):
            choices.append((A, P[:, 0]))
    return choices


def _betrays(A: Array, P: Array, first: int) -> bool:
    values = [first, *(way(A, P[:, 0])[0] for way in VALUE_WAYS)]
    return _is_telling(A, P) and are_apart(values, 0.05)


def _is_telling(A: Array, P: Array) -> bool:
    """Not symmetric, and no two of the directions that a student might give nearly agree."""
    given, other = (P / np.linalg.norm(P, axis=0)).T
    directions = (other, np.array([-given[1], given[0]]), other * [1.0, -1.0], given)
    overlaps = [abs(u @ v) for i, u in enumerate(directions) for v in directions[:i]]
    return abs(A[0, 1] - A[1, 0]) > 0.5 and max(overlaps) < 0.985


def _given_value(A: Array, v: Array) -> float:
    return float(v @ A @ v / (v @ v))


def answer(A: Array, v: Array) -> Answer:
    """λ₂ = tr A − λ₁ and a solution of (A − λ₂I)w = 0 (eq-toolkit-eigen-example)."""
    first = _given_value(A, v)
    # every column of A − λ₁I is an eigenvector for λ₂, by Cayley and Hamilton
    columns = A - first * np.eye(2)
    return float(np.trace(A)) - first, columns[:, np.abs(columns).sum(axis=0).argmax()]


def assumed_orthogonal_eigenvectors(A: Array, v: Array) -> Answer:
    """The right eigenvalue, and the vector orthogonal to the given one."""
    return answer(A, v)[0], np.array([-v[1], v[0]])


def gave_the_given_pair(A: Array, v: Array) -> Answer:
    """λ₁ and v."""
    return _given_value(A, v), v


def flipped_the_sign(A: Array, v: Array) -> Answer:
    """λ₁ − tr A."""
    value, vector = answer(A, v)
    return -value, vector


def took_the_trace_for_a_product(A: Array, v: Array) -> Answer:
    """tr A / λ₁."""
    return float(np.trace(A)) / _given_value(A, v), answer(A, v)[1]


def lost_a_sign(A: Array, v: Array) -> Answer:
    """The right eigenvalue, and (w₁, −w₂)."""
    value, vector = answer(A, v)
    return value, vector * [1.0, -1.0]


VALUE_WAYS = (answer, flipped_the_sign, took_the_trace_for_a_product)


def by_null_space(A: Array, v: Array) -> Answer:
    """λ₂ from the trace, and what A − λ₂I sends to zero: its last right singular vector."""
    value = float(np.trace(A)) - _given_value(A, v)
    return value, 5 * np.linalg.svd(A - value * np.eye(2))[2][-1]


def by_determinant(A: Array, v: Array) -> Answer:
    """λ₂ = det A / λ₁ and a row of A − λ₂I turned by a right angle."""
    value = float(np.linalg.det(A)) / _given_value(A, v)
    rows = A - value * np.eye(2)
    row = rows[np.abs(rows).sum(axis=1).argmax()]
    return value, np.array([-row[1], row[0]])


def exchanged_the_entries(A: Array, v: Array) -> Answer:
    """(w₂, w₁)."""
    value, vector = answer(A, v)
    return value, vector[::-1]


def forgot_to_divide_by_the_entry(A: Array, v: Array) -> Answer:
    """(Av)₁ for λ₁."""
    value = float(np.trace(A) - A[0] @ v)
    return value, np.array([-A[0, 1], A[0, 0] - value])


second_eigenpair = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-toolkit-eigen-example",
    same=(exactly, up_to_direction),
    parts=("the eigenvalue", "the eigenvector"),
    must_fail=(exchanged_the_entries, forgot_to_divide_by_the_entry),
    misconceptions=(
        Misconception(
            assumed_orthogonal_eigenvectors,
            hint="The eigenvalue is right. Your vector is orthogonal to the given one; multiply it by A and "
            "look. Which property of A would have made it an eigenvector?",
            see="thm-toolkit-spectral",
            credit=0.5,
        ),
        Misconception(
            gave_the_given_pair,
            hint="This is the pair of the given vector. The other one was asked for.",
            see="def-toolkit-eigenpair",
        ),
        Misconception(
            flipped_the_sign,
            hint="The vector is right. Multiply it by A: does it keep its sense or turn round?",
            see="def-toolkit-eigenpair",
            credit=0.5,
        ),
        Misconception(
            took_the_trace_for_a_product,
            hint="The vector is right. Which of trace and determinant is the sum of the eigenvalues?",
            see="eq-toolkit-eigen-example",
            credit=0.5,
        ),
        Misconception(
            lost_a_sign,
            hint="The eigenvalue is right. In the vector one of the two entries has the wrong sign.",
            see="eq-toolkit-eigen-example",
            credit=0.5,
        ),
    ),
    alternatives=(by_null_space, by_determinant),
)
