"""Tasks on pseudo-inverses of small matrices."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from dimred_ref.least_squares import filter_factors, pinv, shrinkage_factors
from solutions.numbers import Array, in_both_orders, is_short, one_of, sample_points
from solutions.steps import Worked, row, steps


def _square(a: Array, b: Array, c: Array) -> Array:
    return a**2 + b**2 + c**2


@task.sym(
    points=1,
    minutes=5,
    see="thm-least-squares-pinv-rules",
    parts=("the first entry", "the second entry", "the third entry"),
)
def column_inverse(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖² (eq-least-squares-rank-one with q = 1)."""
    return np.column_stack([a, b, c]) / _square(a, b, c)[:, None]


@column_inverse.draw
def draw_column_inverse(rng: np.random.Generator) -> task.Cases:
    """Three entries."""
    points = sample_points(rng, a=(0.5, 2.0), b=(2.2, 3.5), c=(0.6, 3.0))
    return {"at sample points": in_both_orders(points, *"abc")}


@column_inverse.wrong("Your row times the column is 3. What should it be when the columns are independent?")
def inverted_the_entries(a: Array, b: Array, c: Array) -> Array:
    """1/a, 1/b, 1/c."""
    return 1 / np.column_stack([a, b, c])


@column_inverse.wrong(
    "The direction is right. Double the column: its pseudo-inverse should become half as large, and yours does not "
    "change.",
    see="eq-least-squares-pinv",
)
def divided_by_the_length(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖."""
    return np.column_stack([a, b, c]) / np.sqrt(_square(a, b, c))[:, None]


@column_inverse.wrong(
    "The shape is right. The transpose undoes the column only if its length is one.",
    see="eq-least-squares-sigma-plus",
)
def gave_the_transpose(a: Array, b: Array, c: Array) -> Array:
    """xᵀ."""
    return np.column_stack([a, b, c])


@column_inverse.wrong(
    "The direction is right, but you divided by the square of the length once too often: test the first equation of "
    "Penrose.",
    see="eq-least-squares-penrose",
)
def divided_twice(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖⁴."""
    return np.column_stack([a, b, c]) / _square(a, b, c)[:, None] ** 2


@column_inverse.wrong(
    "Your row times the column is 1, as it should be. But the column times your row must be symmetric as well.",
    see="eq-least-squares-penrose",
)
def shared_out_the_inverses(a: Array, b: Array, c: Array) -> Array:
    """A third of each inverse: also a left inverse of the column, but no pseudo-inverse."""
    return inverted_the_entries(a, b, c) / 3


@column_inverse.also
def by_library(a: Array, b: Array, c: Array) -> Array:
    """The pseudo-inverse at each point."""
    return np.array([pinv(column[:, None])[0] for column in np.column_stack([a, b, c])])


Answer = tuple[Array, Array]
# (penalty, larger, smaller): all factors are short decimals
CHOICES = (
    (16, 8, 3),
    (16, 12, 2),
    (9, 4, 1),
    (36, 8, 2),
    (4, 6, 1),
    (64, 6, 4),
    (64, 16, 6),
    (25, 10, 5),
    (100, 10, 5),
)


@task.hand(points=2, minutes=8, see="eq-least-squares-filter", parts=("the filter factors", "the shares"))
def factors_by_hand(singular_values: Array, penalty: float) -> Answer:
    """σ/(σ² + ε) and σ²/(σ² + ε) (eq-least-squares-filter, eq-least-squares-shrinkage)."""
    return filter_factors(singular_values, penalty), shrinkage_factors(singular_values, penalty)


@factors_by_hand.draw
def draw_factors_by_hand(rng: np.random.Generator) -> task.Cases:
    """Two stretches and a zero."""
    penalty, larger, smaller = one_of(rng, CHOICES)
    values = np.array([larger, smaller, 0.0])
    return {"the numbers of the text": {"singular_values": values, "penalty": penalty}}


@cache
def _choices() -> list[tuple[int, int, int]]:
    found = []
    for penalty in range(2, 101):
        stretches = [
            s
            for s in range(1, 31)
            if is_short(s * s / (s * s + penalty)) and is_short(s / (s * s + penalty), 4)
        ]
        found += [(penalty, large, small) for large, small in product(stretches, stretches) if large > small]
    return found


@factors_by_hand.practice_draw
def practice_draw_factors_by_hand(rng: np.random.Generator) -> task.Cases:
    """Two stretches and a zero, with short shares."""
    penalty, larger, smaller = one_of(rng, _choices())
    values = np.array([larger, smaller, 0.0])
    return {"the numbers of the text": {"singular_values": values, "penalty": penalty}}


@factors_by_hand.wrong(
    "Put a large σ into your formulas and double it: the penalty should then count a quarter as much; in yours it "
    "counts half as much.",
    see="eq-least-squares-ridge-matrix",
)
def forgot_to_square(singular_values: Array, penalty: float) -> Answer:
    """1/(σ + ε) and σ/(σ + ε)."""
    return 1 / (singular_values + penalty), singular_values / (singular_values + penalty)


@factors_by_hand.wrong(
    "All six numbers are right. Which list has no unit, and cannot exceed one?",
    see="eq-least-squares-shrinkage",
    credit=0.5,
)
def swapped_the_lists(singular_values: Array, penalty: float) -> Answer:
    """Shares first."""
    return factors_by_hand(singular_values, penalty)[::-1]


@factors_by_hand.wrong(
    "You treat the given numbers as eigenvalues of XᵀX. They are singular values of X.",
    see="eq-svd-thin-products",
)
def took_them_for_eigenvalues(singular_values: Array, penalty: float) -> Answer:
    """√σ/(σ + ε) and σ/(σ + ε)."""
    sum_ = singular_values + penalty
    return np.sqrt(singular_values) / sum_, singular_values / sum_


@factors_by_hand.wrong(
    "The filter factors are right. In the second list, what happens to a strong direction when the penalty is tiny?",
    see="eq-least-squares-shrinkage",
    credit=0.5,
)
def gave_the_share_taken_away(singular_values: Array, penalty: float) -> Answer:
    """ε/(σ² + ε)."""
    factors, shares = factors_by_hand(singular_values, penalty)
    return factors, 1 - shares


@factors_by_hand.wrong("This is what least squares does. Ridge does something else with the same numbers.")
def forgot_the_penalty(singular_values: Array, penalty: float) -> Answer:
    """1/σ and 1, with zeros for the zero."""
    return filter_factors(singular_values, 0), shrinkage_factors(singular_values, 0)


@factors_by_hand.wrong(
    "All right but one number in the first list. The numerator of the filter factor is not 1.",
    see="eq-least-squares-limit",
    credit=0.5,
)
def divided_the_zero_by_nothing(singular_values: Array, penalty: float) -> Answer:
    """1/ε for the singular value zero."""
    factors, shares = factors_by_hand(singular_values, penalty)
    return np.where(singular_values > 0, factors, 1 / penalty), shares


@factors_by_hand.also
def by_a_diagonal_design(singular_values: Array, penalty: float) -> Answer:
    """Ridge of a diagonal matrix and a vector of ones."""
    S = np.diag(singular_values)
    factors = np.linalg.solve(S.T @ S + penalty * np.eye(3), S.T @ np.ones(3))
    return factors, S @ factors


@factors_by_hand.worked
def worked_factors_by_hand(singular_values: Array, penalty: float) -> Worked:
    """σ/(σ² + ε), and σ times that."""
    below = singular_values**2 + penalty
    return steps(
        rf"$\sigma_i^2+\varepsilon$ is ${row(below)}$.",
        rf"The filter factors are $f_i=\dfrac{{\sigma_i}}{{\sigma_i^2+\varepsilon}}$: "
        rf"${row(singular_values / below)}$.",
        rf"The shares are $\sigma_if_i=\dfrac{{\sigma_i^2}}{{\sigma_i^2+\varepsilon}}$: "
        rf"${row(singular_values**2 / below)}$.",
        "A direction whose singular value is zero gets nothing from ridge, and nothing from the shortest solution.",
    ), (singular_values / below, singular_values**2 / below)
