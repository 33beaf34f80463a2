"""Where the reference differs from scikit-learn on purpose: both are run, and what each does is printed.

    python -m benchmarks.differences

REFERENCE.md gives the reason for each line. A case is a name and two functions that describe in a few
words what came out; an exception or a warning is described by its first sentence.
"""

import warnings
from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist
from sklearn import decomposition, manifold
from sklearn.metrics import pairwise

from dimred_ref.classical_mds import classical_mds
from dimred_ref.datasets import digits
from dimred_ref.graph import nearest_neighbors
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import kernel_pca, polynomial_kernel
from dimred_ref.laplacian_eigenmaps import laplacian_eigenmaps
from dimred_ref.lle import lle
from dimred_ref.pca import pca

Outcome = Callable[[], str]


def cloud(n_rows: int, n_columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n_rows, n_columns))


TWO_GROUPS = np.vstack([cloud(60, 3), cloud(60, 3, seed=1) + 50])
DUPLICATED = np.vstack([cloud(50, 3)] * 2)
FAR = cloud(600, 50) + 1e8
FLAT = cloud(60, 2) @ cloud(2, 3, seed=1)
UNRELATED = cdist(cloud(8, 1), cloud(8, 1)) * (
    1 + np.triu(np.arange(8) % 3, 1) + np.triu(np.arange(8) % 3, 1).T
)
NEGATIVE = np.array([[0.0, -1, 2], [-1, 0, 2], [2, 2, 0]])
BENT = np.array([[1.0, 3, 2], [3, 0, 2], [2, 2, 0]])
INT8 = np.array([[0, 100, 100], [100, 0, 100], [100, 100, 0]], np.int8)
POINT = np.array([[2.0, 0.0]])


def eightfold_kernel() -> np.ndarray:
    """A centred kernel matrix with the eigenvalue 9 eight times, then 8, 7.84, …"""
    rng = np.random.default_rng(0)
    ones = np.ones((400, 1))
    V = np.linalg.qr(np.hstack([ones, rng.normal(size=(400, 399))]))[0][:, 1:]
    return V * np.r_[[9.0] * 8, 8 * 0.98 ** np.arange(391)] @ V.T


def numbers(values: np.ndarray) -> str:
    return ", ".join(f"{value:.4g}" for value in np.asarray(values, float))


def peer_pca(X: np.ndarray, n_components: int, **options: object) -> decomposition.PCA:
    return decomposition.PCA(n_components, random_state=0, **options).fit(X)


def mds_columns(table: np.ndarray, n_components: int) -> str:
    Y = manifold.ClassicalMDS(n_components, metric="precomputed").fit_transform(table)
    return f"column lengths {numbers(np.linalg.norm(Y, axis=0))}"


def spread_within_groups(Y: np.ndarray) -> str:
    return f"coordinate 1: spread within the groups {max(Y[:60, 0].std(), Y[60:, 0].std()):.0e}"


def peer_lle_own_neighbours() -> str:
    graph = manifold.LocallyLinearEmbedding(n_neighbors=5).fit(DUPLICATED).nbrs_
    indices = graph.kneighbors(DUPLICATED, n_neighbors=6, return_distance=False)[:, 1:]
    return f"{np.count_nonzero((indices == np.arange(100)[:, None]).any(axis=1))} points neighbour themselves"


def our_own_neighbours() -> str:
    indices = nearest_neighbors(DUPLICATED, 5)[1]
    return f"{np.count_nonzero((indices == np.arange(100)[:, None]).any(axis=1))} points neighbour themselves"


def peer_eightfold() -> str:
    model = decomposition.KernelPCA(8, kernel="precomputed", random_state=0).fit(eightfold_kernel())
    return f"eigenvalues {numbers(model.eigenvalues_)}"


def neighbours_in_graph() -> str:
    peer = manifold.SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=5, random_state=0)
    A = peer.fit(cloud(50, 3)).affinity_matrix_.toarray()
    return f"diagonal {A.diagonal().mean():.2g}, weights {numbers(np.unique(A))}"


def our_graph() -> str:
    A = laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=5, beta=0.0).weights.toarray()
    return f"diagonal {A.diagonal().mean():.2g}, weights {numbers(np.unique(A))}"


def diagonal_of_gram(Y: np.ndarray) -> str:
    return f"YᵀY has diagonal {numbers((Y.T @ Y).diagonal())}"


def column_lengths(Y: np.ndarray) -> str:
    return f"column lengths {numbers(np.linalg.norm(Y, axis=0))}"


def peer_lle(X: np.ndarray, n_neighbors: int = 5, **options: float) -> np.ndarray:
    model = manifold.LocallyLinearEmbedding(n_neighbors=n_neighbors, random_state=0, **options)
    return model.fit_transform(X)


def peer_eigenmaps(X: np.ndarray, n_neighbors: int = 5) -> np.ndarray:
    options = {"affinity": "nearest_neighbors", "n_neighbors": n_neighbors, "random_state": 0}
    return manifold.SpectralEmbedding(2, **options).fit_transform(X)


def linear_peer(X: np.ndarray, n_components: int) -> np.ndarray:
    return decomposition.KernelPCA(n_components, kernel="linear").fit_transform(X)


def error_of(scores: np.ndarray, X: np.ndarray) -> str:
    exact = decomposition.PCA(scores.shape[1], svd_solver="full").fit_transform(X)
    signs = np.sign(np.sum(scores * exact, axis=0))
    return f"scores off by {np.abs(scores * signs - exact).max() / np.abs(exact).max():.0e}"


NOISE = cloud(600, 600)
CASES: dict[str, tuple[Outcome, Outcome]] = {
    "PCA, divisor of the variances, digits": (
        lambda: f"N − 1: {numbers(peer_pca(digits().X, 2).explained_variance_)}",
        lambda: f"N: {numbers(pca(digits().X, 2).variances)}",
    ),
    "PCA, default solver, 600 × 600 noise": (
        lambda: error_of(peer_pca(NOISE, 5).transform(NOISE), NOISE),
        lambda: error_of(pca(NOISE, 5).embedding, NOISE),
    ),
    "PCA, mean 1e8, deviation 1, 600 × 50": (
        lambda: f"variances {numbers(peer_pca(FAR, 3).explained_variance_)}",
        lambda: f"variances {numbers(pca(FAR, 3, ddof=1).variances)}",
    ),
    "PCA, constant features": (
        lambda: f"ratios {numbers(peer_pca(np.ones((5, 3)), 2).explained_variance_ratio_)}",
        lambda: f"ratios {numbers(pca(np.ones((5, 3)), 2).explained_variance_ratio)}",
    ),
    "PCA, one sample": (
        lambda: f"variances {numbers(peer_pca(np.ones((1, 3)), 1).explained_variance_)}",
        lambda: f"variances {numbers(pca(np.ones((1, 3)), 1).variances)}",
    ),
    "PCA, rank 2, 3 components": (
        lambda: f"variances {numbers(peer_pca(FLAT, 3).explained_variance_)}",
        lambda: f"variances {numbers(pca(FLAT, 3, ddof=1).variances)}",
    ),
    "PCA, float32": (
        lambda: f"scores are {peer_pca(FLAT.astype('f4'), 2).transform(FLAT.astype('f4')).dtype}",
        lambda: f"scores are {pca(FLAT.astype('f4'), 2).embedding.dtype}",
    ),
    "PCA, n_components=0.9": (
        lambda: f"{decomposition.PCA(0.9).fit(cloud(50, 5)).n_components_} components for 0.9",
        lambda: str(pca(cloud(50, 5), 0.9)),
    ),
    "Isomap, two groups": (
        lambda: spread_within_groups(manifold.Isomap(n_neighbors=5).fit_transform(TWO_GROUPS)),
        lambda: spread_within_groups(isomap(TWO_GROUPS, 2, n_neighbors=5).embedding),
    ),
    "LLE, two groups": (
        lambda: spread_within_groups(peer_lle(TWO_GROUPS)),
        lambda: spread_within_groups(lle(TWO_GROUPS, 2, n_neighbors=5).embedding),
    ),
    "Laplacian eigenmaps, two groups": (
        lambda: spread_within_groups(peer_eigenmaps(TWO_GROUPS)),
        lambda: spread_within_groups(laplacian_eigenmaps(TWO_GROUPS, 2, n_neighbors=5, beta=0.0).embedding),
    ),
    "neighbours of duplicated points": (peer_lle_own_neighbours, our_own_neighbours),
    "Isomap, k = N": (
        lambda: str(manifold.Isomap(n_neighbors=50).fit_transform(cloud(50, 3)).shape),
        lambda: str(isomap(cloud(50, 3), 2, n_neighbors=50).embedding.shape),
    ),
    "LLE, k = N": (
        lambda: str(peer_lle(cloud(50, 3), 50).shape),
        lambda: str(lle(cloud(50, 3), 2, n_neighbors=50).embedding.shape),
    ),
    "Laplacian eigenmaps, k = N": (
        lambda: f"embedding of shape {peer_eigenmaps(cloud(50, 3), 50).shape}",
        lambda: str(laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=50, beta=0.0).embedding.shape),
    ),
    "Laplacian eigenmaps, the graph": (neighbours_in_graph, our_graph),
    "Laplacian eigenmaps, length of columns": (
        lambda: column_lengths(peer_eigenmaps(cloud(50, 3))),
        lambda: column_lengths(laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=5, beta=0.0).embedding),
    ),
    "LLE, length of columns, N = 50": (
        lambda: diagonal_of_gram(peer_lle(cloud(50, 3))),
        lambda: diagonal_of_gram(lle(cloud(50, 3), 2, n_neighbors=5).embedding),
    ),
    "LLE, exact plane, no regularisation": (
        lambda: diagonal_of_gram(peer_lle(FLAT, reg=0.0)),
        lambda: diagonal_of_gram(lle(FLAT, 2, n_neighbors=5, regularisation=0.0).embedding),
    ),
    "classical MDS, negative eigenvalues": (
        lambda: mds_columns(UNRELATED, 7),
        lambda: str(classical_mds(UNRELATED, 7).embedding.shape),
    ),
    "classical MDS, negative distances": (
        lambda: mds_columns(NEGATIVE, 1),
        lambda: str(classical_mds(NEGATIVE, 1).embedding.shape),
    ),
    "classical MDS, diagonal not zero": (
        lambda: mds_columns(BENT, 1),
        lambda: str(classical_mds(BENT, 1).embedding.shape),
    ),
    "classical MDS, table of int8": (
        lambda: mds_columns(INT8, 2),
        lambda: f"column lengths {numbers(np.linalg.norm(classical_mds(INT8, 2).embedding, axis=0))}",
    ),
    "kernel PCA, eigenvalue 9 eight times": (
        peer_eightfold,
        lambda: f"eigenvalues {numbers(kernel_pca(eightfold_kernel(), 8).eigenvalues)}",
    ),
    "kernel PCA, rank 2, 3 components": (
        lambda: f"column lengths {numbers(np.linalg.norm(linear_peer(FLAT, 3), axis=0))}",
        lambda: str(kernel_pca(FLAT @ FLAT.T, 3).embedding.shape),
    ),
    "polynomial kernel of degree 3, x = (2, 0)": (
        lambda: f"k(x, x) = {pairwise.polynomial_kernel(POINT)[0, 0]:.4g}",
        lambda: f"k(x, x) = {polynomial_kernel(POINT, POINT, degree=3)[0, 0]:.4g}",
    ),
}


def described(outcome: Outcome) -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            text = outcome()
        except (ValueError, np.linalg.LinAlgError) as refusal:
            text = f"{type(refusal).__name__}: {str(refusal).splitlines()[0]}"
    kinds = sorted({warning.category.__name__ for warning in caught})
    return text + (f" ({', '.join(kinds)})" if kinds else "")


def main() -> None:
    for name, (peer, ours) in CASES.items():
        print(f"{name}\n    scikit-learn  {described(peer)}\n    ours          {described(ours)}")


if __name__ == "__main__":
    main()
