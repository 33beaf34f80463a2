"""All maps of a prepared table on the same rows, and their quality."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array
from dimred_ref.choose_neighbors import choose_n_neighbors
from dimred_ref.classical_mds import classical_mds
from dimred_ref.clinic.preparation import Prepared, draw_rows
from dimred_ref.clinic.text import UnreadableTableError
from dimred_ref.diffusion_maps import diffusion_maps
from dimred_ref.graph import knn_graph, largest_component
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import laplacian_eigenmaps
from dimred_ref.lle import lle
from dimred_ref.mvu import mvu
from dimred_ref.neighbor_embeddings import tsne
from dimred_ref.pca import pca
from dimred_ref.quality import continuity, trustworthiness
from dimred_ref.rank_curves import rank_curves

MAX_MAP_ROWS = 800  # methods with an N × N table take so many rows
MAX_MVU_NEIGHBORS = 6  # its program has an inequality for each edge
MAX_SLOW_ROWS = {"MVU": 100, "t-SNE": 400}  # an interior point method; many steps of N² work
DEFAULT_NEIGHBORS = 10  # where no number of neighbours joins the data
MAX_CURVE_POINTS = 40
TSNE_STEPS = 500
MAX_PERPLEXITY = 30.0


@dataclass(frozen=True)
class Setting:
    """Rows and parameters that all maps share."""

    rows: NDArray[np.intp]  # (m,), places in the prepared table
    X: Array  # (m, D)
    n_neighbors: int
    chosen_by: str  # "data", "reader" or "default"
    gamma: float  # 1 / median squared distance
    graph: csr_array  # (m, m)
    pieces: tuple[int, ...]  # sizes of the connected components, largest first
    members: NDArray[np.intp]  # of the largest component
    reasons: tuple[str, ...] = ()  # of the choice of n_neighbors
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True)
class Map:
    """An embedding in the plane of some rows of the prepared table, and how faithful it is."""

    name: str
    embedding: Array  # (m, 2)
    rows: NDArray[np.intp]  # (m,)
    k: NDArray[np.intp]
    kept: Array  # Q_NX at each k
    gained: Array  # R_NX at each k
    area: float  # mean of R_NX over log k
    trustworthiness: float
    continuity: float
    n_neighbors_of_quality: int
    facts: dict[str, float | str] = field(default_factory=dict)  # what the method itself reports


def find_setting(prepared: Prepared) -> Setting:
    """Choose rows and parameters: the reader's number of neighbours, or the one that the data speak for."""
    rows = draw_rows(len(prepared.X), MAX_MAP_ROWS)
    X = prepared.X[rows]
    if not np.ptp(X, axis=0).any():
        raise UnreadableTableError("all rows are equal: there is nothing to map")
    n_neighbors, chosen_by, reasons, candidates = _neighbors(X, prepared.choices.n_neighbors)
    graph = knn_graph(X, n_neighbors)
    labels = connected_components(graph, directed=False)[1]
    pieces = tuple(sorted(np.bincount(labels).tolist(), reverse=True))
    squares = pdist(X, "sqeuclidean")
    gamma = 1 / float(np.median(squares[squares > 0]))
    members = largest_component(graph)
    return Setting(rows, X, n_neighbors, chosen_by, gamma, graph, pieces, members, reasons, candidates)


def _neighbors(X: Array, wanted: int | None) -> tuple[int, str, tuple[str, ...], tuple[int, ...]]:
    if wanted is not None:
        if not 1 <= wanted < len(X):
            raise UnreadableTableError(
                f"the number of neighbours must be from 1 to {len(X) - 1}, got {wanted}"
            )
        return wanted, "reader", (), ()
    try:
        scan = choose_n_neighbors(X)
    except ValueError:  # in pieces at every candidate, or too few rows
        return min(DEFAULT_NEIGHBORS, len(X) - 1), "default", (), ()
    return scan.n_neighbors, "data", scan.reasons, scan.candidates


def _pca(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = pca(X, 2)
    return fit.embedding, {"share of variance": float(fit.variances.sum() / fit.total_variance)}


def _classical_mds(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = classical_mds(squareform(pdist(X)), 2)
    return fit.embedding, {"share of the trace": float(fit.eigenvalues.sum() / fit.trace)}


def _isomap(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = isomap(X, 2, n_neighbors=setting.n_neighbors)
    shares = fit.eigenvalues.sum() / fit.mds.trace
    return fit.embedding, {"share of the trace": float(shares), "strain": fit.mds.strain}


def _lle(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = lle(X, 2, n_neighbors=setting.n_neighbors)
    return fit.embedding, {"smallest eigenvalue kept": float(fit.eigenvalues[0]), "cost": fit.cost}


def _laplacian(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    n_values = min(3, len(X) - 2)
    fit = laplacian_eigenmaps(X, n_values, n_neighbors=setting.n_neighbors, gamma=0.0)
    names = ("first eigenvalue", "second eigenvalue", "third eigenvalue")
    return fit.embedding[:, :2], dict(zip(names, map(float, fit.eigenvalues), strict=False))


def _kernel_pca(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = rbf_kernel_pca(X, 2, gamma=setting.gamma)
    return fit.embedding, {"γ": setting.gamma}


def _diffusion(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = diffusion_maps(X, 2, gamma=4 * setting.gamma)
    return fit.embedding, {"γ": 4 * setting.gamma, "second eigenvalue": float(fit.eigenvalues[1])}


def _mvu(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = mvu(X, 2, n_neighbors=neighbors_for("MVU", setting, len(X)))
    certificate = fit.certificate
    return fit.embedding, {
        "gap": certificate.gap,
        "largest violation": certificate.max_violation,
        "dimension": float(fit.dimension),
        "share of variance in the plane": float((fit.embedding**2).sum() / certificate.objective),
    }


def _tsne(X: Array, setting: Setting) -> tuple[Array, dict[str, float | str]]:
    fit = tsne(X, 2, perplexity=perplexity_for(len(X)), n_steps=TSNE_STEPS)
    return fit.embedding, {"cost": fit.cost, "perplexity": perplexity_for(len(X))}


def perplexity_for(n_rows: int) -> float:
    """Return the perplexity of t-SNE for so many rows."""
    return min(MAX_PERPLEXITY, (n_rows - 1) / 3)


METHODS: dict[str, Callable[[Array, Setting], tuple[Array, dict[str, float | str]]]] = {
    "PCA": _pca,
    "classical MDS": _classical_mds,
    "Isomap": _isomap,
    "LLE": _lle,
    "Laplacian eigenmaps": _laplacian,
    "kernel PCA": _kernel_pca,
    "diffusion maps": _diffusion,
    "MVU": _mvu,
    "t-SNE": _tsne,
}
NEED_CONNECTED = ("Isomap", "LLE", "Laplacian eigenmaps", "MVU")
NEED_PLANE = ("classical MDS", "Isomap")  # they refuse a coordinate whose eigenvalue is zero


def is_line(X: Array) -> bool:
    """Return whether all rows lie on one line, to rounding."""
    return bool(np.linalg.matrix_rank(X - X.mean(axis=0)) <= 1)


def rows_for(name: str, setting: Setting) -> NDArray[np.intp]:
    """Return the places, among the rows of the setting, that a method takes."""
    members = setting.members if name in NEED_CONNECTED else np.arange(len(setting.X))
    kept = members[draw_rows(len(members), MAX_SLOW_ROWS.get(name, MAX_MAP_ROWS))]
    if name in MAX_SLOW_ROWS and name in NEED_CONNECTED:  # a draw with fewer neighbours may fall apart
        graph = knn_graph(setting.X[kept], neighbors_for(name, setting, len(kept)))
        kept = kept[largest_component(graph)]
    return kept


def neighbors_for(name: str, setting: Setting, n_rows: int) -> int:
    """Return the number of neighbours that a method takes of so many rows."""
    return min(setting.n_neighbors, MAX_MVU_NEIGHBORS if name == "MVU" else setting.n_neighbors, n_rows - 1)


def embed(name: str, setting: Setting) -> Map:
    """Map the rows by a method; ValueError says why a method refuses them."""
    places = rows_for(name, setting)
    X = setting.X[places]
    if name in NEED_PLANE and is_line(X):
        raise ValueError("the rows lie on one line, and there is no second coordinate")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # MVU's gap is one of its facts
        embedding, facts = METHODS[name](X, setting)
    k_of_quality = min(setting.n_neighbors, (len(X) - 1) // 2)
    curves = rank_curves(X, embedding)
    k = _curve_places(len(curves.kept))
    return Map(
        name,
        embedding,
        setting.rows[places],
        k,
        curves.kept[k - 1],
        curves.gained[k - 1],
        curves.area,
        trustworthiness(X, embedding, n_neighbors=k_of_quality),
        continuity(X, embedding, n_neighbors=k_of_quality),
        k_of_quality,
        facts,
    )


def _curve_places(count: int) -> NDArray[np.intp]:
    """Return numbers of neighbours, evenly spaced on a logarithmic axis."""
    return np.unique(np.geomspace(1, count, MAX_CURVE_POINTS).round().astype(np.intp))
