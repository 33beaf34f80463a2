"""Task `shortest_solution`: the minimum-norm least-squares solution, whatever the rank."""

import numpy as np

from autograder.authoring import task
from dimred_ref.least_squares import min_norm_solution, ridge
from dimred_ref.svd import numerical_rank, thin_svd
from solutions.announced import has_huge_numbers, has_lower_rank, has_tiny_numbers, is_tall, is_wide
from solutions.least_squares.numbers import (
    basic_solution,
    dependent_leaders,
    design,
    near_the_tolerance,
    response,
)
from solutions.least_squares.pseudo_inverse import pseudo_inverse
from solutions.numbers import Array, one_of
from solutions.svd.numbers import ZERO, close_to


@task.code(points=2, minutes=10, see="thm-least-squares-minimum-norm")
def shortest_solution(X: Array, y: Array) -> Array:
    """a⁺ (eq-least-squares-minimum-norm)."""
    return min_norm_solution(X, y, rtol=ZERO)


@shortest_solution.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """One solution; infinitely many that fit exactly, or do not; and both sides of the tolerance."""
    shapes = {
        "independent columns": (one_of(rng, ((6, 3), (5, 3), (4, 3))), 3, 0.25),
        "more features than samples, in small units": (one_of(rng, ((3, 5), (3, 4), (3, 6))), 3, 1e-13),
        "dependent columns, in large units": (one_of(rng, ((6, 4), (5, 4), (4, 4))), 2, 1e7),
    }
    cases = {}
    for name, (shape, rank, unit) in shapes.items():
        X = unit * design(rng, shape, rank)
        cases[name] = {"X": X, "y": response(rng, X) * (1e-9 if unit < 1e-9 else 1)}
    cases["singular values near zero"] = near_the_tolerance(rng, one_of(rng, ((5, 4), (6, 4), (6, 5))))
    return cases


@shortest_solution.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One sample, one feature, rank one, a square design, integers."""
    designs = {
        "one sample": np.array([[2.0, -1.0, 0.5]]),
        "one feature": np.array([[-2.0], [0.25], [1.0]]),
        "rank one": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0]),
        "a square design": design(rng, (4, 4), 4),
        "integers": design(rng, (5, 3), 2).astype(int),
    }
    return {name: {"X": X, "y": response(rng, X)} for name, X in designs.items()}


shortest_solution.ill_posed(close_to(ZERO))


@shortest_solution.follows(pseudo_inverse)
def inputs_of_pseudo_inverse(X: Array, y: Array) -> task.Inputs:
    """Return the inputs of `pseudo_inverse`."""
    return {"A": X, "rtol": ZERO}


@shortest_solution.wrong(
    "Your coefficients fit as well as any. But when columns depend on each other there are shorter ones: zeros in "
    "some coefficients are not what makes a vector short.",
    indefinite=dependent_leaders,
)
def set_free_coefficients_to_zero(X: Array, y: Array) -> Array:
    """Fit with the first independent columns only."""
    return basic_solution(X, y)


@shortest_solution.wrong(
    "Your coefficients are shorter than they should be, and the residual is not orthogonal to the columns. Which "
    "penalty did you add?",
    see="thm-least-squares-ridge",
)
def added_an_identity(X: Array, y: Array) -> Array:
    """(XᵀX + I)⁻¹Xᵀy: invertible, but another problem."""
    return ridge(X, y, 1.0)


@shortest_solution.wrong(
    "This is the right-hand side of the normal equations; they still have to be solved.",
    see="eq-least-squares-normal-equations",
)
def left_out_the_inverse(X: Array, y: Array) -> Array:
    """Xᵀy."""
    return X.T @ y


@shortest_solution.wrong(
    "You subtracted means, which amounts to an intercept. The task has none.",
    see="thm-least-squares-intercept",
)
def centred_the_data(X: Array, y: Array) -> Array:
    """Subtract the means first, as for a line with an intercept."""
    return min_norm_solution(X - X.mean(axis=0), y - y.mean(), rtol=ZERO)


@shortest_solution.wrong(
    "The coefficients along the right singular vectors have the wrong sizes: in the coordinatewise equations one "
    "factor σ cancels.",
    see="eq-least-squares-coordinatewise",
)
def divided_by_squares(X: Array, y: Array) -> Array:
    """Σ (uᵀy/σ²) v."""
    rank, parts = numerical_rank(X, rtol=ZERO), thin_svd(X)
    return parts.V[:, :rank] @ (parts.U[:, :rank].T @ y / parts.singular_values[:rank] ** 2)


@shortest_solution.wrong(
    "What counts as zero here is not what the task says: at most 10⁻¹⁰ of the largest singular value. An absolute "
    "tolerance does not know the unit of X, and the default of a library is finer.",
    see="eq-svd-rank",
)
def took_an_absolute_tolerance(X: Array, y: Array) -> Array:
    """σ > 1e-10, whatever the unit."""
    return np.linalg.pinv(X, rcond=1e-10 / np.linalg.norm(X, 2)) @ y


@shortest_solution.wrong(
    "Right for ordinary designs. A direction that X shrinks strongly, but does not forget, is missing: it was lost in "
    "a product, or under a tolerance that is too coarse.",
    see="thm-svd-squaring-loses-digits",
)
def squared_the_design(X: Array, y: Array) -> Array:
    """(XᵀX)⁺Xᵀy with the tolerance for eigenvalues: σ below 1e-5 counts as zero."""
    return min_norm_solution(X, y, rtol=np.sqrt(ZERO))


@shortest_solution.wrong(
    "A column of ones was added and its coefficient dropped, as for a line with an intercept. Here there is none.",
)
def added_an_intercept(X: Array, y: Array) -> Array:
    """The coefficients beside an intercept."""
    return min_norm_solution(np.column_stack([np.ones(len(X)), X]), y, rtol=ZERO)[1:]


@shortest_solution.also
def by_pseudo_inverse(X: Array, y: Array) -> Array:
    """X⁺ y."""
    return np.linalg.pinv(X, rcond=1e-10) @ y


@shortest_solution.also
def by_library(X: Array, y: Array) -> Array:
    """The library's least squares."""
    return np.linalg.lstsq(X, y, rcond=1e-10)[0]


@shortest_solution.also
def term_by_term(X: Array, y: Array) -> Array:
    """Add up the terms of the sum whose singular value counts."""
    U, sigma, Vt = np.linalg.svd(X, full_matrices=False)
    solution = np.zeros(X.shape[1])
    for u, stretch, v in zip(U.T, sigma, Vt, strict=True):
        if stretch > 1e-10 * sigma[0]:
            solution = solution + (u @ y) / stretch * v
    return solution


@shortest_solution.must_fail
def compared_with_rounding(X: Array, y: Array) -> Array:
    """Only what vanishes but for rounding counts as zero: the libraries' default."""
    return min_norm_solution(X, y)


@shortest_solution.must_fail
def took_a_coarse_absolute_tolerance(X: Array, y: Array) -> Array:
    """σ > 0.01, whatever the unit."""
    return np.linalg.pinv(X, rcond=1e-2 / np.linalg.norm(X, 2)) @ y


WIDE = "more features than samples, in small units"
SHAPE = "may have any shape and any rank"
UNIT = "in whatever unit"

shortest_solution.announces(SHAPE, "independent columns", is_tall)
shortest_solution.announces(SHAPE, WIDE, is_wide)
shortest_solution.announces(SHAPE, "dependent columns, in large units", has_lower_rank)
shortest_solution.announces(UNIT, WIDE, has_tiny_numbers)
shortest_solution.announces(UNIT, "dependent columns, in large units", has_huge_numbers)
