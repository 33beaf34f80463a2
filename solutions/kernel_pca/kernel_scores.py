"""Task `kernel_scores`: kernel PCA, from a kernel matrix to coordinates."""

from collections.abc import Callable

import numpy as np

from autograder.authoring.task import Cases, Follows, Misconception, Task
from autograder.judging.sameness import up_to_column_signs
from solutions.kernel_pca import centred_kernel
from solutions.numbers import SMALLEST_RATIO, Array, cloud


def draw(rng: np.random.Generator) -> Cases:
    """The linear kernel, the RBF kernel, and minus half of squared path lengths."""
    linear = cloud(rng, 8, (9.0, 4.0, 1.0), (1.0, 2.0, 4.0))
    return {
        "the linear kernel": {"K": np.round(linear @ linear.T, 4), "n_components": 2},
        "the RBF kernel": _redrawn(rng, _rbf, 1),
        "a kernel made from distances": _redrawn(rng, _distances, 3),
    }


def _redrawn(
    rng: np.random.Generator, make: Callable[[np.random.Generator], Array], n_components: int
) -> dict[str, object]:
    while True:
        K = make(rng)
        if not is_ill_posed(K, n_components):
            return {"K": K, "n_components": n_components}


def _rbf(rng: np.random.Generator) -> Array:
    X = rng.normal(size=(10, 2)) * [3.0, 0.8]
    return np.round(np.exp(-0.1 * np.sum((X[:, None] - X[None]) ** 2, axis=2)), 5)


def _distances(rng: np.random.Generator) -> Array:
    X = rng.normal(size=(7, 3)) * [6.0, 3.5, 2.0]
    apart = np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=2))
    return np.round(-((apart * (1 + 0.01 * apart)) ** 2) / 2, 3)


def hard(rng: np.random.Generator) -> Cases:
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


def is_ill_posed(K: Array, n_components: int) -> str | None:
    """Gaps between the kept eigenvalues, and after the last, with and without centring."""
    for matrix in (_centred(K), K):
        values = np.linalg.eigvalsh(matrix)[::-1]
        kept, following = values[:n_components], values[1 : n_components + 1]
        if matrix is not K and (kept < SMALLEST_RATIO * np.abs(following)).any():
            return "two eigenvalues are nearly equal"
        if (np.abs(kept - following) < 0.05 * np.abs(values).max() / len(K)).any():
            return "two eigenvalues are nearly equal without centring"
    return None


def answer(K: Array, n_components: int) -> Array:
    """√λ v of JKJ (eq-kernel-pca-embedding)."""
    values, vectors = _top(_centred(K), n_components)
    return vectors * np.sqrt(values)


def forgot_to_centre(K: Array, n_components: int) -> Array:
    """√λ v of K."""
    values, vectors = _top(K, n_components)
    return vectors * np.sqrt(values)


def forgot_the_roots(K: Array, n_components: int) -> Array:
    """Unit eigenvectors."""
    return _top(_centred(K), n_components)[1]


def multiplied_by_the_eigenvalues(K: Array, n_components: int) -> Array:
    """λ v."""
    values, vectors = _top(_centred(K), n_components)
    return vectors * values


def divided_by_the_roots(K: Array, n_components: int) -> Array:
    """v/√λ, the coefficients of the directions."""
    values, vectors = _top(_centred(K), n_components)
    return vectors / np.sqrt(values)


def took_variances(K: Array, n_components: int) -> Array:
    """√(λ/N) v."""
    return answer(K, n_components) / np.sqrt(len(K))


def by_sorting(K: Array, n_components: int) -> Array:
    """Sort eigenpairs with argsort, centre with J."""
    J = np.eye(len(K)) - 1 / len(K)
    values, vectors = np.linalg.eigh(J @ K @ J)
    best = np.argsort(values)[::-1][:n_components]
    return vectors[:, best] @ np.diag(np.sqrt(values[best]))


def by_projection(K: Array, n_components: int) -> Array:
    """Products of the centred features with the directions: K̃ v/√λ."""
    J = np.eye(len(K)) - 1 / len(K)
    values, vectors = np.linalg.eigh(J @ K @ J)
    return np.column_stack(
        [J @ K @ J @ vectors[:, -1 - k] / np.sqrt(values[-1 - k]) for k in range(n_components)]
    )


kernel_scores = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-kernel-pca-embedding",
    same=up_to_column_signs,
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="Your coordinates do not average to zero: the features were not centred. PCA looks at differences "
            "from their mean.",
            see="eq-kernel-pca-centring",
        ),
        Misconception(
            forgot_the_roots,
            hint="All your columns have length one. The eigenvalue says how long a coordinate is.",
            see="eq-kernel-pca-embedding",
        ),
        Misconception(
            multiplied_by_the_eigenvalues,
            hint="Your columns are as long as the eigenvalues. An eigenvalue is a squared length.",
            see="eq-kernel-pca-embedding",
        ),
        Misconception(
            divided_by_the_roots,
            hint="These are the coefficients of the principal directions in the features. The scores of the samples "
            "have another factor.",
            see="eq-kernel-pca-direction",
        ),
        Misconception(
            took_variances,
            hint="The eigenvalues were divided by N. Variances are, but coordinates keep their full length.",
            see="thm-kernel-pca-scores",
        ),
    ),
    alternatives=(by_sorting, by_projection),
    follows=(Follows("centred_kernel", centred_kernel.answer, lambda K, n_components: {"K": K}),),
    ill_posed=is_ill_posed,
    hard=hard,
)
