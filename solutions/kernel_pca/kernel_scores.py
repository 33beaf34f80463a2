"""Task `kernel_scores`: kernel PCA, from a kernel matrix to coordinates."""

from collections.abc import Callable

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from solutions.announced import has_large_negative_eigenvalue, has_negative_eigenvalue
from solutions.credits import UNIT_LENGTH
from solutions.kernel_pca.centred_kernel import centred_kernel
from solutions.numbers import SMALLEST_RATIO, Array, cloud
from solutions.real_data import some_penguins

LEAST_SHARE = 1e-5  # of the largest eigenvalue; what is less could be rounding of the kernel's decimals


@task.code(points=3, minutes=12, see="eq-kernel-pca-embedding", same=up_to_column_signs)
def kernel_scores(K: Array, n_components: int) -> Array:
    """√λ v of JKJ (eq-kernel-pca-embedding)."""
    values, vectors = _top(_centred(K), n_components)
    return vectors * np.sqrt(values)


@kernel_scores.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Real birds, the linear kernel in small units, the RBF kernel, squared path lengths, and whole numbers.

    The kernel matrices of the last two have negative eigenvalues; in the last, one is larger than one that is kept.
    """
    linear = cloud(rng, 8, (9.0, 0.02, 0.001), (1.0, 2.0, 4.0))  # the second score is weak
    return {
        "the RBF kernel of penguins": _redrawn(rng, _birds, 2),
        "the linear kernel, in a huge unit": {"K": 1e-9 * np.round(linear @ linear.T, 4), "n_components": 2},
        "the RBF kernel": _redrawn(rng, _rbf, 1),
        "a kernel made from distances": _redrawn(rng, _distances, 3),
        "a kernel with a large negative eigenvalue": _redrawn(rng, _indefinite, 2),
    }


def _redrawn(
    rng: np.random.Generator, make: Callable[[np.random.Generator], Array], n_components: int
) -> dict[str, object]:
    while True:
        K = make(rng)
        if not is_ill_posed(K, n_components):
            return {"K": K, "n_components": n_components}


def _birds(rng: np.random.Generator) -> Array:
    """The RBF kernel of penguins of three species."""
    X = some_penguins(rng, 7)
    return np.round(np.exp(-0.1 * np.sum((X[:, None] - X[None]) ** 2, axis=2)), 4)


def _rbf(rng: np.random.Generator) -> Array:
    X = rng.normal(size=(10, 2)) * [3.0, 0.8]
    return np.round(np.exp(-0.1 * np.sum((X[:, None] - X[None]) ** 2, axis=2)), 5)


def _distances(rng: np.random.Generator) -> Array:
    X = rng.normal(size=(7, 3)) * [6.0, 3.5, 2.0]
    apart = np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=2))
    return np.round(-((apart * (1 + 0.01 * apart)) ** 2) / 2, 3)


def _indefinite(rng: np.random.Generator) -> Array:
    """Minus half of the squares of whole numbers that are nobody's distances."""
    while True:
        upper = np.triu(rng.integers(1, 10, size=(6, 6)), 1)
        K = -((upper + upper.T) ** 2) / 2
        values = np.linalg.eigvalsh(_centred(K))
        if -values[0] > 1.2 * values[-2] and values[-2] > SMALLEST_RATIO * values[-3] > 0:
            return np.asarray(K)


@kernel_scores.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, other units, two points."""
    whole = np.array([[0, 1], [4, 1], [9, 3], [1, 5], [-5, 0]])[rng.permutation(5)]
    return {
        "whole numbers": {"K": whole @ whole.T, "n_components": 2},
        "tiny units": {"K": 1e-6 * _distances(rng), "n_components": 1},
        "two points": {"K": np.array([[2.0, 0.5], [0.5, 3.0]]), "n_components": 1},
    }


def _centred(K: Array) -> Array:
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def _top(matrix: Array, n_components: int) -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(matrix)
    return np.maximum(values[::-1][:n_components], 0.0), vectors[:, ::-1][:, :n_components]


@kernel_scores.ill_posed
def is_ill_posed(K: Array, n_components: int) -> str | None:
    """Gaps between the kept eigenvalues, and after the last, with and without centring."""
    values, raw = (np.linalg.eigvalsh(matrix)[::-1] for matrix in (_centred(K), K))
    following = np.maximum(values[1 : n_components + 1], LEAST_SHARE * values[0])
    if (values[:n_components] < SMALLEST_RATIO * following).any():
        return "two eigenvalues are nearly equal"
    if (raw[:n_components] - raw[1 : n_components + 1] < 0.05 * np.abs(raw).max() / len(K)).any():
        return "two eigenvalues are nearly equal without centring"
    return None


@kernel_scores.follows(centred_kernel)
def inputs_of_centred_kernel(K: Array, n_components: int) -> task.Inputs:
    """Return the inputs of `centred_kernel`."""
    return {"K": K}


@kernel_scores.wrong(
    "Your coordinates do not average to zero: the features were not centred. PCA looks at differences from their "
    "mean.",
    see="eq-kernel-pca-centring",
)
def forgot_to_centre(K: Array, n_components: int) -> Array:
    """√λ v of K."""
    values, vectors = _top(K, n_components)
    return vectors * np.sqrt(values)


@kernel_scores.wrong(
    "All your columns have length one. The eigenvalue says how long a coordinate is.", credit=UNIT_LENGTH
)
def forgot_the_roots(K: Array, n_components: int) -> Array:
    """Unit eigenvectors."""
    return _top(_centred(K), n_components)[1]


@kernel_scores.wrong(
    "Where no eigenvalue is negative your scores are right. A large negative one was taken for a coordinate; only "
    "positive ones are squared lengths.",
    see="thm-kernel-pca-scores",
)
def chose_by_absolute_value(K: Array, n_components: int) -> Array:
    """√|λ| v of the largest |λ|, as a singular value decomposition gives them."""
    values, vectors = np.linalg.eigh(_centred(K))
    best = np.argsort(-np.abs(values))[:n_components]
    return vectors[:, best] * np.sqrt(np.abs(values[best]))


@kernel_scores.wrong("Your columns are as long as the eigenvalues. An eigenvalue is a squared length.")
def multiplied_by_the_eigenvalues(K: Array, n_components: int) -> Array:
    """λ v."""
    values, vectors = _top(_centred(K), n_components)
    return vectors * values


@kernel_scores.wrong(
    "These are the coefficients of the principal directions in the features. The scores of the samples have another "
    "factor.",
    see="eq-kernel-pca-direction",
)
def divided_by_the_roots(K: Array, n_components: int) -> Array:
    """v/√λ, the coefficients of the directions."""
    values, vectors = _top(_centred(K), n_components)
    return vectors / np.sqrt(values)


@kernel_scores.wrong(
    "The eigenvalues were divided by N. Variances are, but coordinates keep their full length.",
    see="thm-kernel-pca-scores",
)
def took_variances(K: Array, n_components: int) -> Array:
    """√(λ/N) v."""
    return kernel_scores(K, n_components) / np.sqrt(len(K))


@kernel_scores.inherits(centred_kernel, without=("removed_negative_eigenvalues",))
def after_centring(centre: Callable[..., Array], K: Array, n_components: int) -> Array:
    """Scores of what is taken for the kernel matrix of the centred features."""
    values, vectors = _top(centre(K), n_components)
    return vectors * np.sqrt(values)


@kernel_scores.also
def by_sorting(K: Array, n_components: int) -> Array:
    """Sort eigenpairs with argsort, centre with J."""
    J = np.eye(len(K)) - 1 / len(K)
    values, vectors = np.linalg.eigh(J @ K @ J)
    best = np.argsort(values)[::-1][:n_components]
    return vectors[:, best] @ np.diag(np.sqrt(values[best]))


@kernel_scores.also
def by_projection(K: Array, n_components: int) -> Array:
    """Products of the centred features with the directions: K̃ v/√λ."""
    J = np.eye(len(K)) - 1 / len(K)
    values, vectors = np.linalg.eigh(J @ K @ J)
    return np.column_stack(
        [J @ K @ J @ vectors[:, -1 - k] / np.sqrt(values[-1 - k]) for k in range(n_components)]
    )


kernel_scores.announces(
    "the others may have either sign",
    "a kernel made from distances",
    lambda K, n_components: has_negative_eigenvalue(centred_kernel(K)),
)
kernel_scores.announces(
    "the others may have either sign",
    "a kernel with a large negative eigenvalue",
    lambda K, n_components: has_large_negative_eigenvalue(centred_kernel(K), n_components),
)
