"""Task `careful_fit`: least squares where columns nearly agree and normal equations fail."""

import numpy as np
import scipy.linalg

from autograder.authoring import task
from dimred_ref.least_squares import min_norm_solution, ridge
from dimred_ref.svd import numerical_rank
from solutions.least_squares.numbers import design, response
from solutions.numbers import Array

VISIBLE = 1e-13  # of the largest eigenvalue: what is smaller in a product is noise


@task.code(points=2, minutes=10, see="thm-svd-squaring-loses-digits", tolerance=1e-4)
def careful_fit(X: Array, y: Array) -> Array:
    """Through the decomposition of X itself (eq-least-squares-minimum-norm)."""
    return min_norm_solution(X, y)


def _nearly_equal(rng: np.random.Generator, n_columns: int) -> dict[str, Array]:
    """Columns that agree but for a few billionths, and an answer that they fit exactly."""
    tiny = np.round(rng.uniform(3, 9), 1) * 1e-9
    X = np.vstack([np.ones(n_columns), tiny * np.eye(n_columns)])
    true = rng.permutation([-3.0, -1.0, 2.0, 4.0, 5.0])[:n_columns]
    return {"X": X, "y": X @ true}


def _long_and_nearly_equal(rng: np.random.Generator) -> dict[str, Array]:
    """A long table whose columns differ by what single precision cannot hold."""
    column = rng.integers(1, 6, size=8) * rng.choice([-1.0, 1.0], size=8)
    apart = rng.permutation([3.0, -2.0, 1.0, 4.0, -5.0, 2.0, -1.0, 6.0])
    X = np.column_stack([column, column + 1e-8 * apart])
    return {"X": X, "y": X @ rng.permutation([-3.0, 2.0, 5.0])[:2]}


def _is_long(X: Array, y: Array) -> str | None:
    """Say why a product XᵀX tells nothing definite of a long table."""
    return "what rounding leaves of the product is noise" if len(X) > 2 * X.shape[1] + 1 else None


@careful_fit.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """An ordinary design, and three of which only the ninth digit tells the columns apart."""
    X = design(rng, (6, 3), 3)
    return {
        "an ordinary design": {"X": X, "y": response(rng, X)},
        "two columns that nearly agree": _nearly_equal(rng, 2),
        "three columns that nearly agree": _nearly_equal(rng, 3),
        "a long table whose columns nearly agree": _long_and_nearly_equal(rng),
    }


@careful_fit.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, a square design, whole numbers, large units."""
    designs = {
        "one feature": np.array([[-2.0], [0.25], [1.0]]),
        "a square design": design(rng, (4, 4), 4),
        "whole numbers": design(rng, (5, 3), 3).astype(int),
        "large units": 1e7 * design(rng, (6, 2), 2),
    }
    return {name: {"X": X, "y": response(rng, X)} for name, X in designs.items()}


@careful_fit.wrong(
    "Right where y lies in the range of X. Elsewhere you fitted another model: it has an intercept, the task has "
    "none.",
    see="eq-least-squares-problem",
)
def added_an_intercept(X: Array, y: Array) -> Array:
    """A column of ones before X, and its coefficient dropped."""
    return np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y, rcond=None)[0][1:]


@careful_fit.wrong(
    "Right for an ordinary design. Where columns nearly agree, the computer met a singular matrix, although the "
    "columns are independent: which step made it singular?",
    indefinite=_is_long,
)
def solved_the_normal_equations(X: Array, y: Array) -> Array:
    """(XᵀX)⁻¹Xᵀy, which is singular to the computer."""
    if np.linalg.cond(X.T @ X) > 1 / VISIBLE:
        raise np.linalg.LinAlgError("Singular matrix")
    return np.linalg.solve(X.T @ X, X.T @ y)


@careful_fit.wrong(
    "Where columns nearly agree, all your coefficients are the same. The difference between the columns was lost in a "
    "product, or under a tolerance that is too coarse.",
    see="thm-least-squares-pinv-rules",
    indefinite=_is_long,
)
def took_the_pseudo_inverse_of_the_product(X: Array, y: Array) -> Array:
    """(XᵀX)⁺Xᵀy: no complaint, and equal coefficients."""
    return np.linalg.pinv(X.T @ X, rcond=VISIBLE) @ X.T @ y


@careful_fit.wrong(
    "You took columns that nearly agree for the same column. They differ by more than rounding, and y tells them "
    "apart.",
    see="eq-svd-rank",
)
def dropped_a_column(X: Array, y: Array) -> Array:
    """Columns that look the same are taken for one: the others get the coefficient zero."""
    rank = numerical_rank(X, rtol=1e-6)
    coefficients = np.zeros(X.shape[1])
    coefficients[:rank] = np.linalg.lstsq(X[:, :rank], y, rcond=None)[0]
    return coefficients


@careful_fit.wrong(
    "A penalty that looks small is huge beside a singular value of size 1e-9: compare ε with σ².",
    see="eq-least-squares-shrinkage",
)
def added_a_small_penalty(X: Array, y: Array) -> Array:
    """ε = 0.01, to be on the safe side."""
    return ridge(X, y, 0.01)


@careful_fit.wrong(
    "You multiplied by the transpose and stopped: nothing has been solved yet.",
    see="eq-least-squares-normal-equations",
)
def left_out_the_inverse(X: Array, y: Array) -> Array:
    """Xᵀy."""
    return X.T @ y


@careful_fit.also
def by_library(X: Array, y: Array) -> Array:
    """The library, with its default tolerance."""
    return np.linalg.lstsq(X, y, rcond=None)[0]


@careful_fit.also
def by_triangle(X: Array, y: Array) -> Array:
    """QR decomposition and back substitution."""
    Q, R = np.linalg.qr(X)
    return scipy.linalg.solve_triangular(R, Q.T @ y)


@careful_fit.must_fail
def worked_in_single_precision(X: Array, y: Array) -> Array:
    """Seven digits of X and y."""
    return np.linalg.lstsq(np.float32(X), np.float32(y), rcond=None)[0]
