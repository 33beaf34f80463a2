"""Task `after_a_map`: the covariance after every sample has been moved by x ↦ Ax + t."""

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance
from solutions.numbers import Array, cloud


@task.code(points=2, minutes=8, see="thm-covariance-equivariance")
def after_a_map(C: Array, A: Array, t: Array) -> Array:
    """ACAᵀ (thm-covariance-equivariance)."""
    return A @ C @ A.T


@after_a_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A shear with a shift, a change of units, two mixtures of four features, a pure shift, a small one."""
    return {
        "a map of the plane": _case(rng, 2, rng.uniform(-3, 3, size=(2, 2)) + np.array([[0, 3.5], [0, 0]])),
        "a change of units": _case(rng, 3, np.diag(rng.uniform(1.5, 5, size=3))),
        "two mixtures of four features, in a huge unit": _huge(
            _case(rng, 4, rng.uniform(-3, 3, size=(2, 4)))
        ),
        "a shift alone": _case(rng, 3, np.eye(3)),
        "two features in a tiny unit, made into four": _tiny(_case(rng, 2, rng.uniform(-4, 4, size=(4, 2)))),
    }


def _case(rng: np.random.Generator, D: int, A: Array) -> dict[str, Array]:
    C = np.round(covariance(cloud(rng, 9, (5.0, 2.0, 1.0, 0.6)[:D], (0.0,) * D)), 3)
    return {"C": C, "A": np.round(A, 2), "t": np.round(rng.uniform(2, 9, size=len(A)), 1)}


def _huge(case: dict[str, Array]) -> dict[str, Array]:
    """The results in another unit: tiny numbers, none of which may be taken for zero."""
    return {**case, "A": 1e-7 * case["A"]}


def _tiny(case: dict[str, Array]) -> dict[str, Array]:
    """The same in another unit, with two equal shifts."""
    t = np.round(1e-4 * case["t"], 6)
    t[-1] = t[0]
    return {"C": np.round(1e-8 * case["C"], 12), "A": case["A"], "t": t}


@after_a_map.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One mixture, more new features than old, whole numbers, other units, a map to zero."""
    C, A, t = _case(rng, 3, rng.uniform(-3, 3, size=(3, 3))).values()
    return {
        "one mixture": {"C": C, "A": A[:1], "t": t[:1]},
        "more new features than old": {"C": C, "A": np.vstack([A, A[::-1]]), "t": np.tile(t, 2)},
        "whole numbers": {
            "C": np.array([[4, -1], [-1, 3]]),
            "A": np.array([[1, 2], [0, -3]]),
            "t": np.array([5, -7]),
        },
        "a tiny unit": {"C": 1e-12 * C, "A": A, "t": 1e-6 * t},
        "a large unit": {"C": 1e12 * C, "A": A, "t": 1e6 * t},
        "a tiny map": {"C": C, "A": 1e-7 * A, "t": -t},
    }


@after_a_map.wrong(
    "Check the shapes with a map from four features to two: only one order of the three factors fits, and for square "
    "maps the other one is wrong in silence.",
    see="eq-covariance-equivariance",
)
def transposed_the_wrong_factor(C: Array, A: Array, t: Array) -> Array:
    """AᵀCA."""
    return A.T @ C @ A


@after_a_map.wrong(
    "A covariance is quadratic in the data: double all samples and it should grow fourfold.",
    see="eq-covariance-equivariance",
)
def applied_the_map_once(C: Array, A: Array, t: Array) -> Array:
    """AC."""
    return A @ C


@after_a_map.wrong("The shift moves the mean. What happens to the deviations from it?", credit=0.25)
def added_the_shift(C: Array, A: Array, t: Array) -> Array:
    """ACAᵀ + t, as for a mean."""
    return A @ C @ A.T + t


@after_a_map.wrong(
    "You measured from the old mean. After the move there is a new one.",
    see="thm-covariance-parallel-axes",
    credit=0.25,
)
def added_the_square_of_the_shift(C: Array, A: Array, t: Array) -> Array:
    """ACAᵀ + ttᵀ, the moments about the old mean."""
    return A @ C @ A.T + np.outer(t, t)


@after_a_map.wrong(
    "Your result is diagonal. The new features are mixtures that share old ones, so they vary together.",
    see="thm-covariance-projection",
)
def squared_the_entries(C: Array, A: Array, t: Array) -> Array:
    """Only the variances, with squared coefficients, as if the features were uncorrelated."""
    return np.diag(A**2 @ np.diag(C))


@after_a_map.wrong(
    "Your result need not even be symmetric. That rule is for linear maps; a covariance takes two vectors and gives a "
    "number.",
    see="thm-covariance-projection",
)
def moved_as_if_changing_basis(C: Array, A: Array, t: Array) -> Array:
    """ACA⁺: the rule for maps, not for covariances."""
    return A @ C @ np.linalg.pinv(A)


@after_a_map.also
def on_samples(C: Array, A: Array, t: Array) -> Array:
    """Make a sample with the covariance C, move it, and measure."""
    arms = np.sqrt(len(C)) * np.linalg.cholesky(C).T
    return covariance(np.vstack([arms, -arms]) @ A.T + t)


@after_a_map.also
def entry_by_entry(C: Array, A: Array, t: Array) -> Array:
    """The covariance of two mixtures is aᵀCb."""
    return np.array([[a @ C @ b for b in A] for a in A])


MIXTURES = "two mixtures of four features, in a huge unit"

after_a_map.announces("need not be square", MIXTURES, lambda C, A, t: A.shape == (2, 4))
after_a_map.announces("may be a few mixtures", MIXTURES, lambda C, A, t: A.shape == (2, 4))
after_a_map.announces(
    "need not be square", "two features in a tiny unit, made into four", lambda C, A, t: A.shape == (4, 2)
)
