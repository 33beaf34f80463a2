"""Task `shortest_solution`: the minimum-norm least-squares solution, whatever the rank."""

import numpy as np

from autograder.authoring.task import Cases, Follows, Misconception, Task
from dimred_ref.least_squares import min_norm_solution, pinv, ridge
from dimred_ref.svd import numerical_rank, thin_svd
from solutions.least_squares.numbers import basic_solution, dependent_leaders, design, response
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
    """One solution; infinitely many that fit exactly; infinitely many that do not."""
    shapes = {
        "independent columns": ((6, 3), 3),
        "more features than samples": ((3, 5), 3),
        "dependent columns": ((6, 4), 2),
    }
    cases = {}
    for name, (shape, rank) in shapes.items():
        X = design(rng, shape, rank)
        cases[name] = {"X": X, "y": response(rng, X)}
    return cases


def answer(X: Array, y: Array) -> Array:
    """a⁺ (eq-least-squares-minimum-norm)."""
    return min_norm_solution(X, y)


def set_free_coefficients_to_zero(X: Array, y: Array) -> Array:
    """Fit with the first independent columns only."""
    return basic_solution(X, y)


def added_an_identity(X: Array, y: Array) -> Array:
    """(XᵀX + I)⁻¹Xᵀy: invertible, but another problem."""
    return ridge(X, y, 1.0)


def left_out_the_inverse(X: Array, y: Array) -> Array:
    """Xᵀy."""
    return X.T @ y


def centred_the_data(X: Array, y: Array) -> Array:
    """Subtract the means first, as for a line with an intercept."""
    return min_norm_solution(X - X.mean(axis=0), y - y.mean())


def divided_by_squares(X: Array, y: Array) -> Array:
    """Σ (uᵀy/σ²) v."""
    rank, parts = numerical_rank(X), thin_svd(X)
    return parts.V[:, :rank] @ (parts.U[:, :rank].T @ y / parts.singular_values[:rank] ** 2)


def by_pseudo_inverse(X: Array, y: Array) -> Array:
    """X⁺ y."""
    return pinv(X) @ y


def by_library(X: Array, y: Array) -> Array:
    """The library's least squares."""
    return np.linalg.lstsq(X, y, rcond=1e-10)[0]


def by_removing_the_null_space(X: Array, y: Array) -> Array:
    """Any solution, and then its part in the row space."""
    any_ = basic_solution(X, y)
    rows = thin_svd(X).V[:, : numerical_rank(X)]
    return rows @ (rows.T @ any_)


shortest_solution = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-least-squares-minimum-norm",
    follows=(Follows("pseudo_inverse", pinv, lambda X, y: {"A": X}),),
    misconceptions=(
        Misconception(
            set_free_coefficients_to_zero,
            hint="Your coefficients fit as well as any. But when columns depend on each other there are "
            "shorter ones: zeros in some coefficients are not what makes a vector short.",
            see="thm-least-squares-minimum-norm",
        ),
        Misconception(
            added_an_identity,
            hint="Your coefficients are shorter than they should be, and the residual is not orthogonal to "
            "the columns. Which penalty did you add?",
            see="thm-least-squares-ridge",
        ),
        Misconception(
            left_out_the_inverse,
            hint="This is the right-hand side of the normal equations; they still have to be solved.",
            see="eq-least-squares-normal-equations",
        ),
        Misconception(
            centred_the_data,
            hint="You subtracted means, which amounts to an intercept. The task has none.",
            see="thm-least-squares-intercept",
        ),
        Misconception(
            divided_by_squares,
            hint="Right directions, wrong sizes: in the coordinatewise equations one factor σ cancels.",
            see="eq-least-squares-coordinatewise",
        ),
    ),
    alternatives=(by_pseudo_inverse, by_library, by_removing_the_null_space),
    ill_posed=dependent_leaders,
)
