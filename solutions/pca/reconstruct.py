"""Task `reconstruct`: every sample replaced by the nearest point of the best flat."""

import numpy as np

from autograder.authoring import task
from dimred_ref.pca import reconstruct as on_best_flat
from solutions.numbers import Array, cloud, small_gap
from solutions.pca.principal_axes import principal_axes
from solutions.pca.scores import scores


@task.code(points=2, minutes=8, see="eq-pca-reconstruction", picture="points")
def reconstruct(X: Array, n_components: int) -> Array:
    """X̂ = 1μᵀ + X_c V_d V_dᵀ (eq-pca-reconstruction)."""
    return on_best_flat(X, n_components)


@reconstruct.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tall cloud, one line through a far cloud, and more features than samples."""
    tall = cloud(rng, 18, (6.0, 3.0, 0.7), (1.0, 2.0, 2.0))
    far = cloud(rng, 10, (5.0, 2.0, 0.8, 0.3), (4.0, -9.0, 12.0, 10.0))
    wide = cloud(rng, 5, (9.0, 4.0, 1.5, 0.5, 0, 0, 0), (1.0, 1.0, 2.0, -1.0, 3.0, 2.0, 0))
    return {
        "a tall cloud": {"X": tall, "n_components": 2},
        "one line through a far cloud": {"X": far, "n_components": 1},
        "more features than samples, in a huge unit": {"X": 1e-8 * wide, "n_components": 2},
    }


@reconstruct.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, two samples, whole numbers, tiny and huge units, a feature that never changes."""
    whole = np.array([[8, -3, 2], [0, 1, 3], [4, 5, 1], [-6, 2, 2], [1, -4, 9]])
    still = np.column_stack([cloud(rng, 7, (4.0, 1.5), (3.0, -2.0)), np.full(7, 5.0)])
    return {
        "one feature": {"X": cloud(rng, 6, (4.0,), (-7.0,)), "n_components": 1},
        "two samples": {"X": np.array([[1.0, -2.0, 4.0], [3.0, 5.0, 0.0]]), "n_components": 1},
        "whole numbers": {"X": whole, "n_components": 2},
        "tiny units": {"X": 1e-6 * cloud(rng, 8, (5.0, 2.0, 0.5), (-3.0, 2.0, 9.0)), "n_components": 2},
        "huge units": {"X": 1e6 * cloud(rng, 8, (5.0, 2.0, 0.5), (3.0, -2.0, -9.0)), "n_components": 1},
        "a feature that never changes": {"X": still, "n_components": 2},
    }


@reconstruct.ill_posed
def is_ill_posed(X: Array, n_components: int) -> str | None:
    """Only the gap behind the last kept axis matters: any basis of the flat will do."""
    return small_gap(X, n_components, every_axis=False)


@reconstruct.follows(principal_axes)
@reconstruct.follows(scores)
def _the_same_inputs(X: Array, n_components: int) -> task.Inputs:
    return {"X": X, "n_components": n_components}


def _projector(deviations: Array, n_components: int) -> Array:
    V = np.linalg.svd(deviations, full_matrices=False)[2][:n_components].T
    return V @ V.T


@reconstruct.wrong("Your points have the right shape, but they sit around the origin. The samples do not.")
def forgot_to_add_the_mean_back(X: Array, n_components: int) -> Array:
    """Stay in centred coordinates."""
    centred = X - X.mean(axis=0)
    return centred @ _projector(centred, n_components)


@reconstruct.wrong(
    "This flat passes through the origin. Through which point does the best flat always pass?",
    see="thm-pca-residual",
)
def forgot_to_centre(X: Array, n_components: int) -> Array:
    """Fit a subspace through the origin."""
    return X @ _projector(X, n_components)


@reconstruct.wrong(
    "Part of the mean is counted twice: once inside the projected samples, once where it is added. What should be "
    "projected?",
)
def added_the_mean_twice(X: Array, n_components: int) -> Array:
    """Project the raw samples and add the mean all the same."""
    mean = X.mean(axis=0)
    return mean + X @ _projector(X - mean, n_components)


@reconstruct.wrong(
    "This flat loses as much as a flat of its dimension can. Which axes hold most of the spread, and where does the "
    "eigensolver put them?",
    see="thm-pca-subspace",
)
def kept_the_smallest_axes(X: Array, n_components: int) -> Array:
    """Project on the axes of smallest variance."""
    mean = X.mean(axis=0)
    W = np.linalg.eigh((X - mean).T @ (X - mean))[1][:, :n_components]
    return mean + (X - mean) @ W @ W.T


@reconstruct.wrong(
    "This is what the reconstruction misses, not the reconstruction.", see="thm-pca-pythagoras"
)
def gave_the_residual(X: Array, n_components: int) -> Array:
    """Return what the flat does not hold."""
    return X - reconstruct(X, n_components)


@reconstruct.also
def by_truncated_svd(X: Array, n_components: int) -> Array:
    """X̂ = 1μᵀ + U_d diag(σ) V_dᵀ."""
    mean = X.mean(axis=0)
    U, sigma, Vt = np.linalg.svd(X - mean, full_matrices=False)
    return mean + (U[:, :n_components] * sigma[:n_components]) @ Vt[:n_components]


@reconstruct.also
def by_removing_the_weak_part(X: Array, n_components: int) -> Array:
    """Subtract the deviations along all other axes."""
    centred = X - X.mean(axis=0)
    W = np.linalg.eigh(centred.T @ centred)[1][:, : X.shape[1] - n_components]
    return X - centred @ W @ W.T
