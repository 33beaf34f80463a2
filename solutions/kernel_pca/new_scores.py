"""Task `new_scores`: where kernel PCA puts points that it was not given."""

import numpy as np

from autograder.authoring import task
from solutions.kernel_pca.kernel_scores import kernel_scores
from solutions.numbers import Array, cloud


@task.code(points=3, minutes=12, see="eq-kernel-pca-new-point", tied=("Y", "K", "new_rows"))
def new_scores(Y: Array, K: Array, new_rows: Array) -> Array:
    """Σ yᵢ k̃ᵢ(x)/λ (eq-kernel-pca-new-point)."""
    centred = new_rows - new_rows.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
    return np.asarray(centred @ Y / np.sum(Y**2, axis=0))


@new_scores.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """The linear kernel, a polynomial kernel, and one new point."""
    first, second, third = (cloud(rng, n, (6.0, 2.5, 1.0), (1.0, 2.0, 1.5)) for n in (11, 9, 8))
    return {
        "the linear kernel": _case(first @ first.T, 4, 2),
        "a polynomial kernel": _case((1 + second @ second.T / 4) ** 2, 2, 3),
        "one new point, in a huge unit": _in_a_huge_unit(_case(third @ third.T + 2, 1, 1)),
    }


def _in_a_huge_unit(case: dict[str, Array]) -> dict[str, Array]:
    """Kernel values are squared lengths, coordinates are lengths."""
    return {"Y": 1e-5 * case["Y"], "K": 1e-10 * case["K"], "new_rows": 1e-10 * case["new_rows"]}


def _case(K: Array, n_new: int, n_components: int) -> dict[str, Array]:
    """The last points are new."""
    K = np.round(K, 4)
    train = K[:-n_new, :-n_new]
    return {"Y": kernel_scores(train, n_components), "K": train, "new_rows": K[-n_new:, :-n_new]}


@new_scores.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Another size and more new points than old ones."""
    points = cloud(rng, 12, (8.0, 3.0, 1.0), (2.0, 1.0, 0.0))
    return {"more new points than old": _case(points @ points.T, 7, 2)}


@new_scores.ill_posed
def is_ill_posed(Y: Array, K: Array, new_rows: Array) -> str | None:
    """No column may vanish."""
    squares = np.sum(Y**2, axis=0)
    return "a coordinate is nearly zero" if squares.min() < 0.01 * squares.max() else None


@new_scores.wrong(
    "The new features were not centred: the means of the kernel rows of the training points are missing.",
    see="eq-kernel-pca-new-centring",
)
def forgot_to_centre(Y: Array, K: Array, new_rows: Array) -> Array:
    """The kernel values as they are."""
    return np.asarray(new_rows @ Y / np.sum(Y**2, axis=0))


@new_scores.wrong(
    "You took the mean over the new points, so where a point goes depends on its company. The mean feature is that of "
    "the training points.",
    see="eq-kernel-pca-new-centring",
)
def centred_the_new_by_themselves(Y: Array, K: Array, new_rows: Array) -> Array:
    """Means over the new points in the place of means over the training points."""
    own = new_rows - new_rows.mean(axis=0) - new_rows.mean(axis=1, keepdims=True) + new_rows.mean()
    return np.asarray(own @ Y / np.sum(Y**2, axis=0))


@new_scores.wrong(
    "The coordinates in Y already carry a root of the eigenvalue; a training point would not be put back where it "
    "was.",
)
def divided_by_the_root(Y: Array, K: Array, new_rows: Array) -> Array:
    """1/√λ with the coordinates, which already have a √λ."""
    return new_scores(Y, K, new_rows) * np.sqrt(np.sum(Y**2, axis=0))


@new_scores.wrong("Double all features, and your coordinates grow eightfold: the eigenvalues are missing.")
def forgot_to_divide(Y: Array, K: Array, new_rows: Array) -> Array:
    """No eigenvalue at all."""
    return new_scores(Y, K, new_rows) * np.sum(Y**2, axis=0)


@new_scores.wrong(
    "Each new point was put on the training point with the largest kernel value. Its kernel values with all the others "
    "say where between them it lies.",
)
def moved_to_the_nearest(Y: Array, K: Array, new_rows: Array) -> Array:
    """The coordinates of the most similar training point."""
    return Y[np.argmax(new_rows, axis=1)]


@new_scores.wrong(
    "These are means of the coordinates, weighted by kernel values. Weights are centred here and need not be positive; "
    "the eigenvalues take the place of the sum.",
)
def took_a_weighted_mean(Y: Array, K: Array, new_rows: Array) -> Array:
    """Σ κ yᵢ/Σ κ."""
    return np.asarray(new_rows @ Y / new_rows.sum(axis=1, keepdims=True))


@new_scores.also
def by_least_squares(Y: Array, K: Array, new_rows: Array) -> Array:
    """Products with the training points are given, so solve for the point."""
    centred = new_rows - np.mean(K, axis=0)
    return np.array([np.linalg.lstsq(Y, row - row.mean(), rcond=None)[0] for row in centred])


@new_scores.also
def by_centring_matrix(Y: Array, K: Array, new_rows: Array) -> Array:
    """(k − mean of K) J V/√λ."""
    N = len(K)
    J = np.eye(N) - np.ones((N, N)) / N
    roots = np.sqrt((Y**2).sum(axis=0))
    return (new_rows - np.ones((len(new_rows), N)) @ K / N) @ J @ (Y / roots) / roots
