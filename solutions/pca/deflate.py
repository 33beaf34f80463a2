"""Task `deflate`: remove from a covariance all variance along one direction."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref.pca import deflated
from solutions.numbers import Array, one_of, orthonormal_columns

SPECTRA = ((9.0, 4.0, 2.0), (8.0, 5.0, 2.0), (10.0, 6.0, 3.0), (12.0, 5.0, 3.0))
DIRECTIONS = ((1.0, 2.0, 2.0), (2.0, -1.0, 2.0), (-2.0, 2.0, 1.0), (2.0, 1.0, -2.0))


def draw(rng: np.random.Generator) -> Cases:
    """The first eigenvector, another unit vector, and a direction of another length."""
    bases = [orthonormal_columns(rng, 3, 3) for _ in range(3)]
    covariances = [np.round((Q * one_of(rng, SPECTRA)) @ Q.T, 6) for Q in bases]
    tilted = orthonormal_columns(rng, 3, 1)[:, 0]
    while np.abs(bases[1].T @ tilted).max() > 0.95:  # too close to an eigenvector to tell the two apart
        tilted = orthonormal_columns(rng, 3, 1)[:, 0]
    long, short = np.array(one_of(rng, DIRECTIONS)), orthonormal_columns(rng, 4, 1)[:, 0] / 4
    larger = orthonormal_columns(rng, 4, 4)
    while np.abs(larger.T @ short).max() > 0.22:  # nearly an eigenvector
        larger = orthonormal_columns(rng, 4, 4)
    return {
        "the strongest eigenvector": {"C": covariances[0], "v": bases[0][:, 0]},
        "a unit vector that is no eigenvector": {"C": covariances[1], "v": tilted},
        "a long direction": {"C": covariances[2], "v": long},
        "four features, a short direction": {
            "C": 1e-12 * np.round((larger * np.array([9.0, 5.0, 3.0, 1.0])) @ larger.T, 6),
            "v": short,
        },
    }


def hard(rng: np.random.Generator) -> Cases:
    """Two features, five, whole numbers as integers, other units."""
    return {
        "two features": {"C": np.array([[4.5, -1.5], [-1.5, 2.0]]), "v": np.array([0.5, 0.25])},
        "five features": {"C": np.diag([5.0, 4.0, 3.0, 2.0, 1.0]), "v": np.array([1.0, -1.0, 2.0, 0.0, 0.5])},
        "integers": {"C": np.array([[5, 2], [2, 3]]), "v": np.array([1, -2])},
        "small units": {"C": 1e-12 * np.array([[5.0, 2.0], [2.0, 3.0]]), "v": np.array([3e-6, 1e-6])},
    }


def answer(C: Array, v: Array) -> Array:
    """C′ = (I − vvᵀ) C (I − vvᵀ) for the unit vector along v (eq-pca-deflation)."""
    return deflated(C, v)


def is_ill_posed(C: Array, v: Array) -> str | None:
    """The direction must have variance to remove."""
    return "there is no variance along v" if v @ C @ v < 0.01 * np.trace(C) * (v @ v) else None


def _onto(v: Array) -> Array:
    return np.outer(v, v) / (v @ v)


def projected_on_the_direction(C: Array, v: Array) -> Array:
    """Keep the variance along v and drop the rest."""
    return _onto(v) @ C @ _onto(v)


def removed_it_on_one_side_only(C: Array, v: Array) -> Array:
    """Multiply by I − P once."""
    return C - _onto(v) @ C


def subtracted_the_bare_direction(C: Array, v: Array) -> Array:
    """Subtract vvᵀ without its variance."""
    return C - _onto(v)


def took_it_for_an_eigenvector(C: Array, v: Array) -> Array:
    """Subtract (vᵀCv) vvᵀ, which removes the direction only if it is an eigenvector."""
    P = _onto(v)
    return C - np.trace(P @ C) * P


def forgot_to_normalise(C: Array, v: Array) -> Array:
    """Use vvᵀ as a projector whatever the length of v."""
    complement = np.eye(len(C)) - np.outer(v, v)
    return complement @ C @ complement


def term_by_term(C: Array, v: Array) -> Array:
    """C − P C − C P + P C P."""
    u = v / np.linalg.norm(v)
    image = C @ u
    return C - np.outer(u, image) - np.outer(image, u) + (u @ image) * np.outer(u, u)


def through_a_basis_of_the_complement(C: Array, v: Array) -> Array:
    """W (WᵀCW) Wᵀ with W orthonormal and orthogonal to v."""
    W = np.linalg.svd(v[None, :])[2][1:].T
    return W @ (W.T @ C @ W) @ W.T


deflate = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-pca-deflation",
    misconceptions=(
        Misconception(
            projected_on_the_direction,
            hint="What is left varies only along v. Deflation should leave everything except v.",
            see="eq-pca-deflation",
        ),
        Misconception(
            removed_it_on_one_side_only,
            hint="Your result is not symmetric in general, so it is not a covariance. When every sample is "
            "projected, on how many sides of C does the projector appear?",
            see="eq-pca-deflation",
        ),
        Misconception(
            subtracted_the_bare_direction,
            hint="You remove the same amount whatever the variance along v is. Multiply your result by v: "
            "what should come out?",
            see="thm-pca-deflation",
        ),
        Misconception(
            took_it_for_an_eigenvector,
            hint="This shortcut is right for an eigenvector. For another direction v still covaries with the "
            "rest: multiply your result by v and look.",
            see="thm-pca-deflation",
        ),
        Misconception(
            forgot_to_normalise,
            hint="v vᵀ is a projector only if v has a certain length. Does every v here have it?",
            see="eq-pca-deflation",
        ),
    ),
    alternatives=(term_by_term, through_a_basis_of_the_complement),
    ill_posed=is_ill_posed,
    hard=hard,
)
