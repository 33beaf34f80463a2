"""Task `extremes_of_a_form`: the largest and smallest value of a polynomial on the unit circle, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.toolkit import eigenpairs
from solutions.toolkit.numbers import Array, are_apart, one_of

DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))


def draw(rng: np.random.Generator) -> Cases:
    """f(x, y) = p x² + q xy + r y², from a matrix b I + t uuᵀ with whole eigenvalues."""
    p, q, r = one_of(rng, _choices())
    return {"the numbers of the text": {"p": p, "q": q, "r": r}}


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
        if is_plain and are_apart([way(*form) for way in WAYS], 0.04):
            choices.append(form)
    return choices


def _values(matrix: list[list[float]]) -> Array:
    return eigenpairs(matrix)[0]


def answer(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q/2], [q/2, r]] (thm-toolkit-rayleigh)."""
    return _values([[p, q / 2], [q / 2, r]])


def put_the_whole_coefficient_twice(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q], [q, r]]."""
    return _values([[p, q], [q, r]])


def put_the_coefficient_on_one_side(p: float, q: float, r: float) -> Array:
    """The eigenvalues of [[p, q], [0, r]], which are p and r."""
    return np.array([max(p, r), min(p, r)], dtype=float)


def gave_the_smallest_first(p: float, q: float, r: float) -> Array:
    """Smallest, then largest."""
    return answer(p, q, r)[::-1]


def tried_the_diagonals(p: float, q: float, r: float) -> Array:
    """The values at (1, 1)/√2 and (1, −1)/√2."""
    return np.array([p + r + abs(q), p + r - abs(q)]) / 2


def left_the_circle(p: float, q: float, r: float) -> Array:
    """The values at (1, 1) and (1, −1), which are not of length 1."""
    return np.array([p + r + abs(q), p + r - abs(q)], dtype=float)


WAYS = (
    answer,
    put_the_whole_coefficient_twice,
    put_the_coefficient_on_one_side,
    gave_the_smallest_first,
    tried_the_diagonals,
    left_the_circle,
)


def by_the_angle(p: float, q: float, r: float) -> Array:
    """f(cos t, sin t) = (p + r)/2 + (p − r)/2 cos 2t + q/2 sin 2t."""
    middle, swing = (p + r) / 2, float(np.hypot((p - r) / 2, q / 2))
    return np.array([middle + swing, middle - swing])


extremes_of_a_form = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the largest value", "the smallest value"),
    see="thm-toolkit-rayleigh",
    misconceptions=(
        Misconception(
            put_the_whole_coefficient_twice,
            hint="Multiply out vᵀAv for your symmetric matrix: the mixed product xy appears twice.",
            see="eq-toolkit-symmetric-part",
        ),
        Misconception(
            put_the_coefficient_on_one_side,
            hint="The mixed term has no say in your answer. If your matrix has the right form but is not "
            "symmetric, its eigenvalues do not bound the form.",
            see="thm-toolkit-rayleigh",
        ),
        Misconception(
            gave_the_smallest_first,
            hint="Both numbers are right; the largest was asked for first.",
            see="thm-toolkit-rayleigh",
            credit=0.75,
        ),
        Misconception(
            tried_the_diagonals,
            hint="These are values of f on the circle, but there are larger and smaller ones at other angles.",
            see="thm-toolkit-rayleigh",
        ),
        Misconception(
            left_the_circle,
            hint="You took f at vectors that are longer than 1.",
            see="eq-toolkit-rayleigh",
        ),
    ),
    alternatives=(by_the_angle,),
)
