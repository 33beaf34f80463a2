"""Task `rank_one_by_hand`: the shortest solution and a ridge estimate of a problem of rank one."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import min_norm_solution, ridge
from solutions.numbers import PYTHAGOREAN, Array, one_of
from solutions.svd.numbers import THIRDS, signed_columns

Answer = tuple[Array, Array]

SQUARE = 225.0  # σ² of every draw: lengths 3 and 5
PENALTIES = (25.0, 75.0, 150.0, 675.0, 900.0)  # shares 9/10, 3/4, 3/5, 1/4, 1/5; never a half


def draw(rng: np.random.Generator) -> Cases:
    """X = pqᵀ with lengths 3 and 5; y has a part that no column reaches."""
    thirds = signed_columns(rng, THIRDS)
    p, q = thirds[:, 0], np.array(one_of(rng, PYTHAGOREAN), dtype=float)
    y = one_of(rng, (10.0, 15.0, 20.0)) * p + one_of(rng, (2.0, 4.0, 5.0)) * thirds[:, 1]
    return {"the numbers of the text": {"X": np.outer(p, q), "y": y, "penalty": one_of(rng, PENALTIES)}}


def answer(X: Array, y: Array, penalty: float) -> Answer:
    """a⁺ and â_ε (eq-least-squares-minimum-norm, eq-least-squares-ridge-svd)."""
    return min_norm_solution(X, y), ridge(X, y, penalty)


def gave_another_solution(X: Array, y: Array, penalty: float) -> Answer:
    """The solution whose second coefficient is zero."""
    shortest, shrunk = answer(X, y, penalty)
    return np.array([X[0] @ shortest / X[0, 0], 0.0]), shrunk


def forgot_to_square_the_stretch(X: Array, y: Array, penalty: float) -> Answer:
    """σ where σ² belongs."""
    moment = X.T @ y
    return moment / np.sqrt(SQUARE), moment / (np.sqrt(SQUARE) + penalty)


def squared_the_penalty(X: Array, y: Array, penalty: float) -> Answer:
    """ε² in the place of ε."""
    return min_norm_solution(X, y), ridge(X, y, penalty**2)


def divided_by_one_plus_the_penalty(X: Array, y: Array, penalty: float) -> Answer:
    """a⁺/(1 + ε)."""
    shortest, _ = answer(X, y, penalty)
    return shortest, shortest / (1 + penalty)


def kept_the_other_share(X: Array, y: Array, penalty: float) -> Answer:
    """ε/(σ² + ε) of a⁺: what is taken away."""
    shortest, shrunk = answer(X, y, penalty)
    return shortest, shortest - shrunk


def by_linear_equations(X: Array, y: Array, penalty: float) -> Answer:
    """The library's least squares, and the shifted normal equations."""
    shortest = np.linalg.lstsq(X, y, rcond=1e-10)[0]
    return shortest, np.linalg.solve(X.T @ X + penalty * np.eye(2), X.T @ y)


rank_one_by_hand = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-least-squares-minimum-norm",
    same=(exactly, exactly),
    parts=("the shortest solution", "the ridge estimate"),
    misconceptions=(
        Misconception(
            gave_another_solution,
            hint="The second vector is right, and the first solves the normal equations. It is not the "
            "shortest that does: in which direction does the shortest one point?",
            see="thm-least-squares-minimum-norm",
            credit=0.5,
        ),
        Misconception(
            forgot_to_square_the_stretch,
            hint="Both vectors point the right way, but have the wrong length. How often do the normal equations "
            "contain the stretch σ?",
            see="eq-least-squares-coordinatewise",
        ),
        Misconception(
            squared_the_penalty,
            hint="The first vector is right. In the second the penalty is too strong: compare the powers of "
            "σ and ε in the denominator.",
            see="eq-least-squares-filter",
            credit=0.5,
        ),
        Misconception(
            divided_by_one_plus_the_penalty,
            hint="The first vector is right. The second would be, too, if X stretched by the factor 1.",
            see="eq-least-squares-shrinkage",
            credit=0.5,
        ),
        Misconception(
            kept_the_other_share,
            hint="The first vector is right. The second should come close to it when the penalty is small; "
            "yours comes close to zero.",
            see="thm-least-squares-ridge-limit",
            credit=0.5,
        ),
    ),
    alternatives=(by_linear_equations,),
)
