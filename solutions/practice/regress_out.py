"""Task `regress_out`: remove from every feature what is a linear function of nuisance variables."""

import numpy as np

from autograder.authoring import task
from dimred_ref import practice
from solutions.numbers import Array, cloud


@task.code(points=3, minutes=15, see="eq-practice-regress-out")
def regress_out(X: Array, nuisance: Array) -> Array:
    """1μᵀ + (I − BB⁺)X_c (eq-practice-regress-out)."""
    return practice.regress_out(X, nuisance)


@regress_out.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """One known number per sample, laboratories as columns of 0 and 1, two that go together, one in two units."""
    one = np.round(rng.uniform(2.0, 9.0, size=(8, 1)), 1)
    one[rng.permutation(8)[:3]] *= -1
    groups = np.eye(3)[rng.permutation([0, 0, 0, 0, 1, 1, 1, 2, 2])]
    tied = np.round(
        rng.uniform(-6.0, -1.0, size=(10, 1)) @ [[1.0, -0.8]] + rng.uniform(0.0, 2.0, size=(10, 2)), 1
    )
    twice = np.hstack([one, -2 * one])
    return {
        "one nuisance variable": {"X": _affected(rng, one, 3), "nuisance": one},
        "three laboratories": {"X": _affected(rng, groups, 4), "nuisance": groups},
        "two that go together, in small units": {"X": 1e-6 * _affected(rng, tied, 2), "nuisance": tied},
        "one variable in two units": {"X": _affected(rng, one, 2), "nuisance": twice},
    }


def _affected(rng: np.random.Generator, nuisance: Array, n_features: int) -> Array:
    """A cloud away from the origin, with the nuisance in every feature."""
    spectrum, offsets = np.arange(n_features, 0.0, -1.0), rng.permutation([4.0, -3.0, 6.0, 2.0])[:n_features]
    effect = rng.choice([-1.0, 1.0], size=(nuisance.shape[1], n_features)) * rng.uniform(
        0.7, 2.0, size=(nuisance.shape[1], n_features)
    )
    return np.round(cloud(rng, len(nuisance), spectrum, offsets) + nuisance @ effect, 1)


@regress_out.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, whole numbers, a variable twice, a constant variable, other units."""
    b = rng.permutation(7).astype(float)[:, None]
    return {
        "one feature": {"X": cloud(rng, 7, (4.0,), (3.0,)), "nuisance": b},
        "whole numbers": {"X": rng.integers(-9, 9, size=(7, 3)), "nuisance": b.astype(int)},
        "a variable twice": {"X": _affected(rng, b, 3), "nuisance": np.hstack([b, 2 * b])},
        "a constant variable": {"X": _affected(rng, b, 2), "nuisance": np.hstack([b, np.ones((7, 1))])},
        "tiny units": {"X": 1e-6 * _affected(rng, b, 3), "nuisance": 1e6 * b},
    }


@regress_out.wrong(
    "Your cleaned features are still correlated with the nuisance unless its mean is zero or its columns add up to a "
    "constant. Correlation looks at deviations from the mean, on both sides.",
)
def did_not_centre_the_nuisance(X: Array, nuisance: Array) -> Array:
    """B as it comes: a regression of X_c through the origin."""
    mean = X.mean(axis=0)
    return X - nuisance @ np.linalg.pinv(nuisance) @ (X - mean)


@regress_out.wrong(
    "Your fit passes through the origin, so that the mean of the table is changed as well. A cleaned table has the "
    "mean of X.",
    see="thm-practice-regress-out",
)
def regressed_through_the_origin(X: Array, nuisance: Array) -> Array:
    """Neither centred: X − BB⁺X."""
    return X - nuisance @ np.linalg.pinv(nuisance) @ X


@regress_out.wrong(
    "The residuals are right. A cleaned table has the mean of X, and yours has mean zero.",
    see="thm-practice-regress-out",
    credit=0.5,
)
def lost_the_mean(X: Array, nuisance: Array) -> Array:
    """The residuals alone, whose mean is zero."""
    return regress_out(X, nuisance) - X.mean(axis=0)


@regress_out.wrong(
    "This is right for a single variable. Variables that go together share what they explain, and here it is taken "
    "away more than once.",
)
def removed_each_on_its_own(X: Array, nuisance: Array) -> Array:
    """One simple regression per variable, as if they were uncorrelated."""
    X_c, B = X - X.mean(axis=0), nuisance - nuisance.mean(axis=0)
    return X - sum(np.outer(b, b @ X_c) / (b @ b) for b in B.T)


@regress_out.wrong("This is the part that the nuisance explains. The rest was asked for.")
def kept_the_nuisance(X: Array, nuisance: Array) -> Array:
    """The fitted part, with the mean."""
    return X + X.mean(axis=0) - regress_out(X, nuisance)


@regress_out.wrong(
    "The first component is gone here, whatever the nuisance is. The nuisance is known: it is the second argument.",
    see="eq-practice-without-leading",
)
def removed_leading_components(X: Array, nuisance: Array) -> Array:
    """The first component, in the hope that it is the nuisance."""
    return practice.without_leading_components(X, 1)


@regress_out.also
def with_a_constant(X: Array, nuisance: Array) -> Array:
    """Least squares on the variables and a column of ones; the means come back at the end."""
    design = np.column_stack([np.ones(len(X)), nuisance])
    fitted = design @ np.linalg.lstsq(design, X, rcond=None)[0]
    return X - fitted + X.mean(axis=0)


@regress_out.also
def by_orthonormal_columns(X: Array, nuisance: Array) -> Array:
    """Subtract the projection on the range of the centred variables."""
    B = nuisance - nuisance.mean(axis=0)
    U, sigma, _ = np.linalg.svd(B, full_matrices=False)
    Q = U[:, sigma > 1e-10 * sigma[0]]
    return X - Q @ (Q.T @ (X - X.mean(axis=0)))


@regress_out.must_fail
def inverted_a_singular_matrix(X: Array, nuisance: Array) -> Array:
    """X − B(BᵀB)⁻¹BᵀX_c, where the variables depend on one another."""
    X_c, B = X - X.mean(axis=0), nuisance - nuisance.mean(axis=0)
    return X - B @ np.linalg.solve(B.T @ B, B.T @ X_c)


regress_out.announces(
    "need not have mean zero",
    "one nuisance variable",
    lambda X, nuisance: np.abs(nuisance.mean(axis=0)).min() > 0.01,
)
regress_out.announces(
    "may depend on one another",
    "one variable in two units",
    lambda X, nuisance: np.linalg.matrix_rank(nuisance) < nuisance.shape[1],
)
regress_out.announces(
    "may depend on one another",
    "three laboratories",
    lambda X, nuisance: np.linalg.matrix_rank(nuisance - nuisance.mean(axis=0)) < nuisance.shape[1],
)
