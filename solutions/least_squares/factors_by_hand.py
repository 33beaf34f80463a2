"""Task `factors_by_hand`: filter factors and shares kept, for three singular values of which one is zero."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import filter_factors, shrinkage_factors
from solutions.numbers import Array, one_of

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


def draw(rng: np.random.Generator) -> Cases:
    """Two stretches and a zero."""
    penalty, larger, smaller = one_of(rng, CHOICES)
    values = np.array([larger, smaller, 0.0])
    return {"the numbers of the text": {"singular_values": values, "penalty": penalty}}


def answer(singular_values: Array, penalty: float) -> Answer:
    """σ/(σ² + ε) and σ²/(σ² + ε) (eq-least-squares-filter, eq-least-squares-shrinkage)."""
    return filter_factors(singular_values, penalty), shrinkage_factors(singular_values, penalty)


def forgot_to_square(singular_values: Array, penalty: float) -> Answer:
    """1/(σ + ε) and σ/(σ + ε)."""
    return 1 / (singular_values + penalty), singular_values / (singular_values + penalty)


def swapped_the_lists(singular_values: Array, penalty: float) -> Answer:
    """Shares first."""
    return answer(singular_values, penalty)[::-1]


def took_them_for_eigenvalues(singular_values: Array, penalty: float) -> Answer:
    """√σ/(σ + ε) and σ/(σ + ε)."""
    sum_ = singular_values + penalty
    return np.sqrt(singular_values) / sum_, singular_values / sum_


def gave_the_share_taken_away(singular_values: Array, penalty: float) -> Answer:
    """ε/(σ² + ε)."""
    factors, shares = answer(singular_values, penalty)
    return factors, 1 - shares


def forgot_the_penalty(singular_values: Array, penalty: float) -> Answer:
    """1/σ and 1, with zeros for the zero."""
    return filter_factors(singular_values, 0), shrinkage_factors(singular_values, 0)


def divided_the_zero_by_nothing(singular_values: Array, penalty: float) -> Answer:
    """1/ε for the singular value zero."""
    factors, shares = answer(singular_values, penalty)
    return np.where(singular_values > 0, factors, 1 / penalty), shares


def by_a_diagonal_design(singular_values: Array, penalty: float) -> Answer:
    """Ridge of a diagonal matrix and a vector of ones."""
    S = np.diag(singular_values)
    factors = np.linalg.solve(S.T @ S + penalty * np.eye(3), S.T @ np.ones(3))
    return factors, S @ factors


factors_by_hand = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="eq-least-squares-filter",
    same=(exactly, exactly),
    parts=("the filter factors", "the shares"),
    misconceptions=(
        Misconception(
            forgot_to_square,
            hint="Put a large σ into your formulas and double it: the penalty should then count a quarter "
            "as much; in yours it counts half as much.",
            see="eq-least-squares-ridge-matrix",
        ),
        Misconception(
            swapped_the_lists,
            hint="All six numbers are right. Which list has no unit, and cannot exceed one?",
            see="eq-least-squares-shrinkage",
            credit=0.5,
        ),
        Misconception(
            took_them_for_eigenvalues,
            hint="You treat the given numbers as eigenvalues of XᵀX. They are singular values of X.",
            see="eq-svd-thin-products",
        ),
        Misconception(
            gave_the_share_taken_away,
            hint="The filter factors are right. In the second list, what happens to a strong direction "
            "when the penalty is tiny?",
            see="eq-least-squares-shrinkage",
            credit=0.5,
        ),
        Misconception(
            forgot_the_penalty,
            hint="This is what least squares does. Ridge does something else with the same numbers.",
            see="eq-least-squares-filter",
        ),
        Misconception(
            divided_the_zero_by_nothing,
            hint="All right but one number in the first list. The numerator of the filter factor is not 1.",
            see="eq-least-squares-limit",
            credit=0.5,
        ),
    ),
    alternatives=(by_a_diagonal_design,),
)
