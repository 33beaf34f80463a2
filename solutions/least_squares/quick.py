"""Quick questions on least squares."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.least_squares.lines_by_hand import (
    added_instead_of_subtracting,
    exchanged_x_and_y,
    gave_the_mean_as_intercept,
    line_by_hand,
    swapped_the_two,
)
from solutions.numbers import Array


def _system(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """A wide design of full row rank, its data, and the shortest solution."""
    X, y = rng.normal(size=(3, 5)), rng.normal(size=3)
    return X, y, np.linalg.pinv(X) @ y


solutions_of_a_wide_system = question.claims(
    "More unknowns than equations",
    "$X$ is a $3\\times5$ matrix of rank 3, and $X^+y$ is the solution of least length of $Xw=y$. Which "
    "statements are always true?",
    see="thm-least-squares-minimum-norm",
    explanation="Solutions differ by vectors of the null space, and the shortest has no part in it.",
)
solutions_of_a_wide_system.holds(
    "solves",
    "$X^+y$ solves all three equations.",
    lambda rng: (lambda X, y, w: np.allclose(X @ w, y))(*_system(rng)),
)
solutions_of_a_wide_system.holds(
    "in_the_row_space",
    "$X^+y$ is a combination of the rows of $X$.",
    lambda rng: (lambda X, y, w: np.allclose(np.linalg.pinv(X) @ X @ w, w))(*_system(rng)),
)
solutions_of_a_wide_system.fails(
    "inverted_the_wrong_product",
    r"$X^+=(X^\top X)^{-1}X^\top$.",
    r"$X^\top X$ is $5\times5$ of rank 3 and has no inverse. Which product has one?",
    lambda rng: (lambda X, y, w: np.linalg.matrix_rank(X.T @ X) == 5)(*_system(rng)),
)
solutions_of_a_wide_system.fails(
    "thought_the_product_is_the_identity",
    "$X^+X=I$.",
    "A product through three dimensions cannot keep five. What does it do to a vector of the null space?",
    lambda rng: (lambda X, y, w: np.allclose(np.linalg.pinv(X) @ X, np.eye(5)))(*_system(rng)),
)
solutions_of_a_wide_system.fails(
    "thought_the_solution_is_unique",
    "Every solution has the length of $X^+y$.",
    "Add a vector of the null space. It is orthogonal to the shortest solution: what does Pythagoras say?",
    lambda rng: (lambda X, y, w: np.isclose(np.linalg.norm(w + np.linalg.svd(X)[2][-1]), np.linalg.norm(w)))(
        *_system(rng)
    ),
)

intercept = question.predict(
    "Intercept and slope",
    "The least-squares line $y=w_0+w_1x$ is fitted to the points with $x={{ x }}$ and $y={{ y }}$. Which pair "
    "$(w_0,w_1)$ is right? (No long calculation is needed: the line passes through the mean.)",
    of=line_by_hand,
    among=(gave_the_mean_as_intercept, added_instead_of_subtracting, swapped_the_two, exchanged_x_and_y),
    see="thm-least-squares-intercept",
)

normal_equations = question.proof(
    "Why the normal equations",
    r"Put the steps in order that prove: if $X^\top(y-Xw)=0$, then no other $v$ has a smaller $\|y-Xv\|$.",
    see="thm-least-squares-normal-equations",
)


def _fit(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    X, y, v = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=2)
    return X, y, np.linalg.lstsq(X, y, rcond=None)[0], v


normal_equations.step(
    "split",
    r"For any $v$, write $y-Xv=(y-Xw)+X(w-v)$.",
    true=lambda rng: (lambda X, y, w, v: np.allclose(y - X @ v, (y - X @ w) + X @ (w - v)))(*_fit(rng)),
)
normal_equations.step(
    "orthogonal",
    r"The two parts are orthogonal: $(w-v)^\top X^\top(y-Xw)=0$ by assumption.",
    after=("split",),
    true=lambda rng: (lambda X, y, w, v: np.isclose((w - v) @ X.T @ (y - X @ w), 0))(*_fit(rng)),
)
normal_equations.step(
    "pythagoras",
    r"By Pythagoras, $\|y-Xv\|^2=\|y-Xw\|^2+\|X(w-v)\|^2$.",
    after=("orthogonal",),
    true=lambda rng: (
        lambda X, y, w, v: np.isclose(
            np.sum((y - X @ v) ** 2), np.sum((y - X @ w) ** 2) + np.sum((X @ (w - v)) ** 2)
        )
    )(*_fit(rng)),
)
normal_equations.step(
    "drop", r"The last term is not negative, so $\|y-Xv\|\ge\|y-Xw\|$.", after=("pythagoras",)
)
normal_equations.wrong_step(
    r"By the triangle inequality, $\|y-Xv\|=\|y-Xw\|+\|X(w-v)\|$.",
    "The triangle inequality is an inequality. For orthogonal parts the *squares* add up.",
    false=lambda rng: (
        lambda X, y, w, v: np.isclose(
            np.linalg.norm(y - X @ v), np.linalg.norm(y - X @ w) + np.linalg.norm(X @ (w - v))
        )
    )(*_fit(rng)),
    name="added_lengths",
)
normal_equations.wrong_step(
    r"The residual $y-Xw$ is zero, so the first part vanishes.",
    "The assumption says that it is orthogonal to the columns. With more rows than columns it is rarely zero.",
    false=lambda rng: (lambda X, y, w, v: np.allclose(y, X @ w))(*_fit(rng)),
    name="took_the_residual_for_zero",
)


@question.order(
    "Ridge by factors",
    "A function `lengths(X, y, penalty)` shall return the norm of the ridge estimate without inverting a matrix. "
    "Choose four lines of its body and order them.",
    see="eq-least-squares-ridge-svd",
)
def lengths(X: Array, y: Array, penalty: float) -> float:
    """‖diag(σ/(σ² + λ)) Uᵀy‖."""
    U, sigma, _ = np.linalg.svd(X, full_matrices=False)
    parts = U.T @ y
    factors = sigma / (sigma**2 + penalty)
    return np.linalg.norm(factors * parts)


@lengths.draw
def draw_lengths(rng: np.random.Generator) -> Cases:
    """A tall and a wide design."""
    return {
        "tall": {"X": rng.normal(size=(6, 3)), "y": rng.normal(size=6), "penalty": 0.7},
        "wide": {"X": rng.normal(size=(3, 5)), "y": rng.normal(size=3), "penalty": 2.0},
    }


lengths.wrong_line(
    "factors = sigma / (sigma + penalty)",
    "The penalty is added to the *squares* of the singular values.",
    name="forgot_to_square",
)
lengths.wrong_line(
    "factors = sigma**2 / (sigma**2 + penalty)",
    "By these factors fitted values shrink. Coefficients are also divided by the singular value.",
    name="took_the_shares",
)
lengths.wrong_line(
    "parts = U @ y", "Coordinates in the columns of U are inner products with them.", name="lost_a_transpose"
)


@question.fault(
    "The slope of a line",
    "The function shall return the slope of the least-squares line with an intercept through the points "
    "`(x[i], y[i])`.",
    see="thm-least-squares-intercept",
)
def slope(x, y):
    """Σ(x − x̄)(y − ȳ)/Σ(x − x̄)²."""
    d = x - np.mean(x)
    return np.sum(d * y) / np.sum(d**2)


@slope.shown(
    "In each test the mean of `x` is zero, or all points lie on a line through the origin. What if neither holds?"
)
def left_out_the_intercept(x, y):
    """The slope of a line through the origin."""
    d = x
    return np.sum(d * y) / np.sum(d**2)


@slope.valid
def has_a_slope(x, y):
    """Two different x."""
    if len(x) != len(y):
        return "both lists must be equally long"
    return None if np.ptp(x) > 1e-9 else "x needs two different numbers"


slope.passes(
    {"x": np.array([-1.0, 0, 1]), "y": np.array([1.0, 5, 2])},
    {"x": np.array([1.0, 2, 4]), "y": np.array([3.0, 6, 12])},
    {"x": np.array([-3.0, 3]), "y": np.array([0.0, 1])},
)
slope.hides(
    {"x": np.array([2.0, 5]), "y": np.array([4.0, 10])}, {"x": np.array([-2.0, 2]), "y": np.array([7.0, 7])}
)
slope.reveals(
    {"x": np.array([1.0, 2]), "y": np.array([5.0, 5])}, {"x": np.array([0.0, 1]), "y": np.array([1.0, 3])}
)


@question.fault(
    "The shortest solution of one equation",
    "The function shall return the solution `w` of least length of the single equation `a @ w == b`.",
    see="thm-least-squares-minimum-norm",
)
def shortest(a, b):
    """b·a/‖a‖²."""
    square = np.sum(a**2)
    return b * a / square


@shortest.shown("By which power of the length is divided, and how long is `a` in the tests?")
def divided_by_the_length(a, b):
    """Right for unit vectors and b = 0."""
    square = np.sqrt(np.sum(a**2))
    return b * a / square


@shortest.valid
def is_no_zero(a, b):
    """A solvable equation."""
    return None if np.any(a != 0) else "a must not be zero"


shortest.passes(
    {"a": np.array([1.0, 0, 0]), "b": 7.0},
    {"a": np.array([0.6, 0.8]), "b": 5.0},
    {"a": np.array([2.0, 3]), "b": 0.0},
)
shortest.hides({"a": np.array([0.0, -1]), "b": 4.0}, {"a": np.array([-0.8, 0.6]), "b": -2.0})
shortest.reveals({"a": np.array([2.0, 0]), "b": 1.0}, {"a": np.array([1.0, 1]), "b": 3.0})
