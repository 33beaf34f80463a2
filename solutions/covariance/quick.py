"""Quick questions on covariance matrices."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.covariance.all_samples import (
    added_instead_of_averaging,
    all_samples,
    forgot_to_centre,
    swapped_the_two,
    took_standard_deviations,
)
from solutions.numbers import Array


def _covariance(X: Array) -> Array:
    return np.cov(X.T, ddof=0)


@question.choice(
    "Which can be a covariance matrix?",
    "Which of these matrices is the covariance matrix of some data with two features?",
    see="thm-covariance-semidefinite",
    several=True,
    explanation="A covariance matrix is symmetric, and no variance along any direction is negative.",
)
def can_be_a_covariance(C: Array) -> bool:
    """Symmetric and positive semidefinite."""
    return bool(np.array_equal(C, C.T) and np.linalg.eigvalsh(C)[0] > -1e-9)


@can_be_a_covariance.right()
def of_full_rank(rng: np.random.Generator) -> Array:
    """A product AᵀA."""
    a, b = rng.integers(3, 8, size=2)
    return np.array([[a, -2], [-2, b]])


@can_be_a_covariance.right()
def of_points_on_a_line(rng: np.random.Generator) -> Array:
    """A singular one."""
    a, b = rng.choice([1, 2, 3], size=2, replace=False)
    return np.outer([a, b], [a, b])


@can_be_a_covariance.wrong(
    "The variance of a + b is the sum of all four entries, of a − b that of the diagonal minus the others. Is one "
    "negative?"
)
def too_large_a_covariance(rng: np.random.Generator) -> Array:
    """Indefinite with a positive diagonal."""
    a = int(rng.integers(1, 4))
    return np.array([[a, a + 2], [a + 2, a]])


@can_be_a_covariance.wrong("The covariance of a with b is that of b with a.")
def not_symmetric(rng: np.random.Generator) -> Array:
    """Two different entries beside the diagonal."""
    a = int(rng.integers(4, 8))
    return np.array([[a, 1], [2, a]])


@can_be_a_covariance.wrong("What stands on the diagonal, and can it be below zero?")
def negative_variance(rng: np.random.Generator) -> Array:
    """A negative entry on the diagonal."""
    return np.array([[int(rng.integers(2, 9)), 0], [0, -1]])


mean_of_all_estimates = question.predict(
    "The mean of all estimates",
    "Two values are drawn with replacement from ${{ values }}$, and their variance is computed with divisor $N=2$. "
    "What is the mean of this estimate over all nine samples?",
    of=all_samples,
    among={
        swapped_the_two: "This is the mean of the estimates with divisor $N-1$, which are larger.",
        added_instead_of_averaging: "This is the sum over all samples. Each sample is equally likely: average.",
        took_standard_deviations: "This is the mean of standard deviations. The variance of each sample was asked for.",
        forgot_to_centre: "A sample of two equal values has no variance, whatever the value. Has it here?",
    },
    part=0,
    see="thm-covariance-unbiased",
)

never_negative = question.proof(
    "No variance is negative",
    r"Let $C=\frac1NX_c^\top X_c$. Put the steps in order that prove: $w^\top Cw\ge0$ for every $w$, with equality "
    r"if and only if $X_cw=0$.",
    see="thm-covariance-semidefinite",
)


def _form(rng: np.random.Generator) -> tuple[Array, Array, float]:
    X, w = rng.normal(size=(5, 3)), rng.normal(size=3)
    X = X - X.mean(axis=0)
    return X, w, float(w @ _covariance(X) @ w)


never_negative.step(
    "insert",
    r"Put the definition in: $w^\top Cw=\frac1Nw^\top X_c^\top X_cw$.",
    true=lambda rng: (lambda X, w, form: np.isclose(form, w @ X.T @ X @ w / 5))(*_form(rng)),
)
never_negative.step(
    "group",
    r"Group the factors: with $z=X_cw$ the form is $\frac1Nz^\top z=\frac1N\|z\|^2$.",
    after=("insert",),
    true=lambda rng: (lambda X, w, form: np.isclose(form, np.sum((X @ w) ** 2) / 5))(*_form(rng)),
)
never_negative.step("sign", r"The square $\frac1N\|z\|^2$ of a length is never negative.", after=("group",))
never_negative.step(
    "equality", r"$\frac1N\|z\|^2$ is zero if and only if $z=X_cw$ is the zero vector.", after=("group",)
)
never_negative.wrong_step(
    r"Group the factors: the form is $\frac1N\sum_i(X_cw)_i=\frac1N\mathbf 1^\top X_cw$.",
    "Without squares this is a mean, and the mean of centred data is always zero.",
    false=lambda rng: (lambda X, w, form: np.isclose(form, np.mean(X @ w)))(*_form(rng)),
    name="lost_the_square",
)
never_negative.wrong_step(
    r"The entries of $C$ are never negative, so no term of $\sum_{jk}w_jC_{jk}w_k$ is.",
    "A covariance is negative where one feature falls while another rises.",
    false=lambda rng: _covariance(rng.normal(size=(5, 3))).min() >= 0,
    name="took_entries_for_the_form",
)


@question.order(
    "Correlations",
    "A function `correlations(X)` shall return the matrix of correlations of the features, the columns of `X`. "
    "Choose the four lines of its body and order them.",
    see="eq-covariance-correlation",
)
def correlations(X: Array) -> Array:
    """Covariances over both spreads."""
    deviations = X - X.mean(axis=0)
    products = deviations.T @ deviations
    lengths = np.sqrt(np.diag(products))
    return products / np.outer(lengths, lengths)


@correlations.draw
def draw_correlations(rng: np.random.Generator) -> Cases:
    """Two tables away from the origin."""
    return {
        "three features": {"X": rng.normal(size=(6, 3)) + np.array([5, 1, -2])},
        "two features": {"X": rng.normal(size=(5, 2)) * [1, 9] + 3},
    }


correlations.wrong_line(
    "deviations = X - X.mean(axis=1, keepdims=True)",
    "Each sample loses the mean of its own features here. Means are taken feature by feature.",
    name="centred_each_sample",
)
correlations.wrong_line(
    "lengths = np.diag(products)",
    "These are squares of lengths. A correlation of a feature with itself must be 1.",
    name="divided_by_variances",
)
correlations.wrong_line(
    "return products / lengths",
    "Each column is divided, but not each row: the result is not symmetric.",
    name="divided_once",
)


@question.fault(
    "A variance",
    "The function shall return the variance of the numbers `x`, with divisor N.",
    see="eq-covariance-definition",
)
def variance(x):
    """Mean square of deviations."""
    m = np.mean(x)
    return np.mean((x - m) ** 2)


@variance.shown("What is the mean of the numbers in each test?")
def mean_square(x):
    """Right where the mean is zero or one."""
    m = np.mean(x)
    return np.mean(x**2) - m


@variance.valid
def some_numbers(x):
    """Any list."""
    return None


variance.passes({"x": np.array([2.0, -2])}, {"x": np.array([0.0, 2])}, {"x": np.array([1.0, 3, -4])})
variance.hides({"x": np.array([5.0, -5, 0])}, {"x": np.array([1.0])}, {"x": np.array([4.0, -2])})
variance.reveals({"x": np.array([3.0])}, {"x": np.array([1.0, 5])})


@question.fault(
    "The covariance of two features",
    "The function shall return the covariance of `x` and `y`, lists of the same length, with divisor N.",
    see="eq-covariance-entry",
)
def covariance_of(x, y):
    """Mean product of deviations."""
    dx, dy = x - np.mean(x), y - np.mean(y)
    return np.sum(dx * dy) / len(x)


@covariance_of.shown(
    "Which mean is subtracted from which list? For which lists does an exchange of both means change nothing?"
)
def subtracted_the_wrong_mean(x, y):
    """Exchange the means: right where both agree."""
    dx, dy = x - np.mean(y), y - np.mean(x)
    return np.sum(dx * dy) / len(x)


@covariance_of.valid
def are_pairs(x, y):
    """Equally long."""
    return None if len(x) == len(y) else "both lists must be equally long"


covariance_of.passes(
    {"x": np.array([1.0, 3]), "y": np.array([3.0, 1])},
    {"x": np.array([0.0, 0, 3]), "y": np.array([2.0, 1, 0])},
    {"x": np.array([5.0]), "y": np.array([5.0])},
)
covariance_of.hides(
    {"x": np.array([2.0, 4]), "y": np.array([4.0, 2])},
    {"x": np.array([1.0, -1, 6]), "y": np.array([2.0, 2, 2])},
)
covariance_of.reveals(
    {"x": np.array([0.0, 2]), "y": np.array([5.0, 7])}, {"x": np.array([1.0]), "y": np.array([2.0])}
)
