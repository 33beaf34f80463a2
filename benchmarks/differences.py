"""Where the reference differs from scikit-learn on purpose: both are run, and what each does is told.

    python -m benchmarks.differences            # print the table
    python -m benchmarks.differences --write    # and keep it in DIFFERENCES.md

A case is a name, two functions that describe in a few words what came out, and the reason why ours is
another answer; an exception or a warning is described by its first sentence.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import sklearn
from scipy.spatial.distance import cdist
from sklearn import decomposition, manifold
from sklearn.metrics import pairwise

from dimred_ref.classical_mds import classical_mds
from dimred_ref.datasets import digits
from dimred_ref.graph import nearest_neighbors
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import kernel_pca, polynomial_kernel, rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import laplacian_eigenmaps
from dimred_ref.lle import lle
from dimred_ref.pca import pca

Outcome = Callable[[], str]

HEAD = f"""# Where the reference differs from scikit-learn {sklearn.__version__}

Made by `python -m benchmarks.differences --write`, which runs both on the same data. On everything else that both
do, the tests of `tests/topics` hold the two together up to signs, rotations among ties, and rounding.
"""


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
MASKED = np.ma.masked_greater(cloud(50, 5), 1.0)
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
    A = laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=5, gamma=0.0).weights.toarray()
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
CASES: dict[str, tuple[Outcome, Outcome, str]] = {
    "PCA, divisor of the variances, digits": (
        lambda: f"N − 1: {numbers(peer_pca(digits().X, 2).explained_variance_)}",
        lambda: f"N: {numbers(pca(digits().X, 2).variances)}",
        "the course divides by N; ddof=1 gives the peer's numbers",
    ),
    "PCA, default solver, 600 × 600 noise": (
        lambda: error_of(peer_pca(NOISE, 5).transform(NOISE), NOISE),
        lambda: error_of(pca(NOISE, 5).embedding, NOISE),
        "beyond 500 samples or features the peer is randomised, and wrong where variances lie close",
    ),
    "PCA, mean 1e8, deviation 1, 600 × 50": (
        lambda: f"variances {numbers(peer_pca(FAR, 3).explained_variance_)}",
        lambda: f"variances {numbers(pca(FAR, 3, ddof=1).variances)}",
        "for tall data the peer subtracts the mean from the squares; ours moves the samples first",
    ),
    "PCA, constant features": (
        lambda: f"ratios {numbers(peer_pca(np.ones((5, 3)), 2).explained_variance_ratio_)}",
        lambda: f"ratios {numbers(pca(np.ones((5, 3)), 2).explained_variance_ratio)}",
        "data that do not vary have variance 0, and no share of it is explained",
    ),
    "PCA, one sample": (
        lambda: f"variances {numbers(peer_pca(np.ones((1, 3)), 1).explained_variance_)}",
        lambda: f"variances {numbers(pca(np.ones((1, 3)), 1).variances)}",
        "one sample has no variance to speak of; asking is a mistake worth telling",
    ),
    "PCA, rank 2, 3 components": (
        lambda: f"variances {numbers(peer_pca(FLAT, 3).explained_variance_)}",
        lambda: f"variances {numbers(pca(FLAT, 3, ddof=1).variances)}",
        "no difference but rounding: axes beyond the rank are some orthonormal directions, variance 0",
    ),
    "PCA, float32": (
        lambda: f"scores are {peer_pca(FLAT.astype('f4'), 2).transform(FLAT.astype('f4')).dtype}",
        lambda: f"scores are {pca(FLAT.astype('f4'), 2).embedding.dtype}",
        "everything is computed in double precision, so that an answer key does not depend on the type of the data",
    ),
    "PCA, n_components=0.9": (
        lambda: f"{decomposition.PCA(0.9).fit(cloud(50, 5)).n_components_} components for 0.9",
        lambda: str(pca(cloud(50, 5), 0.9)),
        "a share is another question: n_components_for answers it",
    ),
    "PCA, entries of 1e170": (
        lambda: f"variances {numbers(peer_pca(1e170 * cloud(50, 5), 2).explained_variance_)}",
        lambda: f"variances {numbers(pca(1e170 * cloud(50, 5), 2).variances)}",
        "squares beyond 1e308 do not exist; choose another unit",
    ),
    "PCA, entries of 1e-170": (
        lambda: f"variances {numbers(peer_pca(1e-170 * cloud(50, 5), 2).explained_variance_)}",
        lambda: f"variances {numbers(pca(1e-170 * cloud(50, 5), 2).variances)}",
        "squares below 1e-308 vanish, and axes without variance mean nothing",
    ),
    "PCA, a masked array": (
        lambda: f"variances {numbers(peer_pca(MASKED, 2).explained_variance_)}, the mask lost",
        lambda: f"variances {numbers(pca(MASKED, 2).variances)}",
        "hidden entries must not take part unseen",
    ),
    "Isomap, two groups": (
        lambda: spread_within_groups(manifold.Isomap(n_neighbors=5).fit_transform(TWO_GROUPS)),
        lambda: spread_within_groups(isomap(TWO_GROUPS, 2, n_neighbors=5).embedding),
        "the peer invents edges between the groups; ours says what is wrong and how to go on",
    ),
    "LLE, two groups": (
        lambda: spread_within_groups(peer_lle(TWO_GROUPS)),
        lambda: spread_within_groups(lle(TWO_GROUPS, 2, n_neighbors=5).embedding),
        "the peer's first coordinate tells the groups apart and no more: each is a single point",
    ),
    "Laplacian eigenmaps, two groups": (
        lambda: spread_within_groups(peer_eigenmaps(TWO_GROUPS)),
        lambda: spread_within_groups(laplacian_eigenmaps(TWO_GROUPS, 2, n_neighbors=5, gamma=0.0).embedding),
        "as for LLE",
    ),
    "neighbours of duplicated points": (
        peer_lle_own_neighbours,
        our_own_neighbours,
        "a point says nothing about itself; its copies do",
    ),
    "Isomap, k = N": (
        lambda: str(manifold.Isomap(n_neighbors=50).fit_transform(cloud(50, 3)).shape),
        lambda: str(isomap(cloud(50, 3), 2, n_neighbors=50).embedding.shape),
        "the same refusal, with the bound",
    ),
    "LLE, k = N": (
        lambda: str(peer_lle(cloud(50, 3), 50).shape),
        lambda: str(lle(cloud(50, 3), 2, n_neighbors=50).embedding.shape),
        "the same refusal, with the bound",
    ),
    "Laplacian eigenmaps, k = N": (
        lambda: f"embedding of shape {peer_eigenmaps(cloud(50, 3), 50).shape}",
        lambda: str(laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=50, gamma=0.0).embedding.shape),
        "the peer counts a point among its own neighbours, so that N of them exist",
    ),
    "Laplacian eigenmaps, the graph": (
        neighbours_in_graph,
        our_graph,
        "ours joins points when either is near the other; the peer averages, and joins a point to itself",
    ),
    "Laplacian eigenmaps, length of columns": (
        lambda: column_lengths(peer_eigenmaps(cloud(50, 3))),
        lambda: column_lengths(laplacian_eigenmaps(cloud(50, 3), 2, n_neighbors=5, gamma=0.0).embedding),
        "both have YᵀDY = I, with the degrees of different graphs",
    ),
    "LLE, length of columns, N = 50": (
        lambda: diagonal_of_gram(peer_lle(cloud(50, 3))),
        lambda: diagonal_of_gram(lle(cloud(50, 3), 2, n_neighbors=5).embedding),
        "the chapter asks for unit covariance, YᵀY = N I",
    ),
    "LLE, exact plane, no regularisation": (
        lambda: diagonal_of_gram(peer_lle(FLAT, reg=0.0)),
        lambda: diagonal_of_gram(lle(FLAT, 2, n_neighbors=5, regularisation=0.0).embedding),
        "the same refusal, in words that say what to do",
    ),
    "classical MDS, negative eigenvalues": (
        lambda: mds_columns(UNRELATED, 7),
        lambda: str(classical_mds(UNRELATED, 7).embedding.shape),
        "no real coordinates have them; NaN is no answer",
    ),
    "classical MDS, negative distances": (
        lambda: mds_columns(NEGATIVE, 1),
        lambda: str(classical_mds(NEGATIVE, 1).embedding.shape),
        "no distance is negative",
    ),
    "classical MDS, diagonal not zero": (
        lambda: mds_columns(BENT, 1),
        lambda: str(classical_mds(BENT, 1).embedding.shape),
        "a point is at no distance from itself",
    ),
    "classical MDS, table of int8": (
        lambda: mds_columns(INT8, 2),
        lambda: f"column lengths {numbers(np.linalg.norm(classical_mds(INT8, 2).embedding, axis=0))}",
        "the peer squares 100 in int8 and gets 16; ours makes floats first",
    ),
    "kernel PCA, eigenvalue 9 eight times": (
        peer_eightfold,
        lambda: f"eigenvalues {numbers(kernel_pca(eightfold_kernel(), 8).eigenvalues)}",
        "a Krylov space shows some copies of an eigenvalue only; ours looks for the missing ones",
    ),
    "kernel PCA (RBF), 30 equal points": (
        lambda: column_lengths(
            decomposition.KernelPCA(2, kernel="rbf", random_state=0).fit_transform(np.full((30, 3), np.pi))
        ),
        lambda: str(rbf_kernel_pca(np.full((30, 3), np.pi), 2, gamma=0.1).embedding.shape),
        "what centring leaves of a constant kernel are rounding errors",
    ),
    "LLE, 30 equal points": (
        lambda: diagonal_of_gram(peer_lle(np.full((30, 3), np.pi), 20)),
        lambda: diagonal_of_gram(lle(np.full((30, 3), np.pi), 2, n_neighbors=20).embedding),
        "copies have no shape; coordinates would show the order of the samples",
    ),
    "kernel PCA, rank 2, 3 components": (
        lambda: f"column lengths {numbers(np.linalg.norm(linear_peer(FLAT, 3), axis=0))}",
        lambda: str(kernel_pca(FLAT @ FLAT.T, 3).embedding.shape),
        "a component of length 0 has no direction",
    ),
    "polynomial kernel of degree 3, x = (2, 0)": (
        lambda: f"k(x, x) = {pairwise.polynomial_kernel(POINT)[0, 0]:.4g}",
        lambda: f"k(x, x) = {polynomial_kernel(POINT, POINT, degree=3)[0, 0]:.4g}",
        "the chapter has (x·y + c)^p, c = 0 unless given; the peer (x·y / D + 1)^p",
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


def table() -> Iterator[str]:
    """Yield the lines of the table, case by case."""
    yield "| case | scikit-learn | ours | why |"
    yield "|---|---|---|---|"
    for name, (peer, ours, reason) in CASES.items():
        yield f"| {name} | {described(peer)} | {described(ours)} | {reason} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep the table in DIFFERENCES.md")
    lines = []
    options = parser.parse_args()
    for line in table():
        print(line, flush=True)
        lines.append(line)
    if options.write:
        Path(__file__).with_name("DIFFERENCES.md").write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
