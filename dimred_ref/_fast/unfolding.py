"""Maximum variance unfolding on a graph: the start, the Newton matrix and the ranks to try."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

from dimred_ref._arrays import Array
from dimred_ref._fast.inertia import second_eigenvalue, symmetric_factor
from dimred_ref._fast.interior_point import Iterate, Solve, predictor_corrector, starting_point
from dimred_ref._mvu_certificate import lower_bound, upper_bound
from dimred_ref._mvu_graph import Indices, MergedGraph


@dataclass(frozen=True)
class BlockPattern:
    """Sparsity pattern of the Newton matrix: r × r blocks on the diagonal and at both places of every edge."""

    rows: Indices  # row and column of each block
    columns: Indices
    scatter: scipy.sparse.csr_array  # (blocks × edges): +1 on diagonal blocks, −1 beside them

    @classmethod
    def of(cls, graph: MergedGraph) -> "BlockPattern":
        """Read the pattern off the edges: edge (i, j) adds to (i,i), (j,j) and takes from (i,j), (j,i)."""
        i, j, n, m = graph.tails, graph.heads, len(graph.weights), len(graph.tails)
        keys = np.concatenate([i * n + i, j * n + j, i * n + j, j * n + i])
        distinct, block = np.unique(keys, return_inverse=True)
        signs = np.repeat([1.0, 1.0, -1.0, -1.0], m)
        scatter = scipy.sparse.csr_array((signs, (block, np.tile(np.arange(m), 4))), shape=(len(distinct), m))
        rows, columns = np.divmod(distinct, n)
        return cls(rows, columns, scatter)


class GraphSystem:
    """The Newton system of a sparse graph: its matrix has the pattern of the graph, in r × r blocks."""

    def __init__(self, graph: MergedGraph) -> None:
        """Measure lengths in units of the root mean square edge, so that tolerances are relative."""
        self.unit = float(graph.squared_lengths.mean())
        self.squared_lengths = graph.squared_lengths / self.unit
        self.weights = graph.weights
        self.differences = graph.differences()
        self._pattern = BlockPattern.of(graph)

    def centred(self, Y: Array) -> Array:
        """Move the weighted mean of Y to the origin."""
        moved: Array = Y - self.weights @ Y / self.weights.sum()
        return moved

    def factor(self, blocks: Array, shift: float) -> Solve | None:
        """Factor the shifted Newton matrix; None if more than the r translations have negative curvature."""
        r = blocks.shape[1]
        translations = r if shift < 1 else 0
        factor = symmetric_factor(self._matrix(blocks, shift), most_negative=translations)
        if factor is None:
            return None
        return lambda right: factor.solve(right.ravel()).reshape(-1, r)

    def _matrix(self, blocks: Array, shift: float) -> scipy.sparse.csc_array:
        rows, columns, n, r = self._pattern.rows, self._pattern.columns, len(self.weights), blocks.shape[1]
        values = self._pattern.scatter @ blocks.reshape(len(blocks), r * r)
        values[rows == columns] -= (1 - shift) * np.outer(self.weights, np.eye(r))
        row_starts = np.searchsorted(rows, np.arange(n + 1))
        by_blocks = scipy.sparse.bsr_array(
            (values.reshape(-1, r, r), columns, row_starts), shape=(n * r, n * r)
        )
        by_rows = by_blocks.tocsr()
        # the matrix is symmetric, so its rows are its columns
        return scipy.sparse.csc_array((by_rows.data, by_rows.indices, by_rows.indptr), shape=by_rows.shape)


def geodesic_start(graph: MergedGraph, n_columns: int) -> Array:
    """Place the nodes by landmark multidimensional scaling of their distances along the graph.

    Those distances bound the distances of every feasible embedding, so this start is nearly
    unfolded. A little noise breaks symmetries that no Newton step would leave.
    """
    n = len(graph.weights)
    landmarks = np.unique(np.linspace(0, n - 1, min(n, 50)).astype(int))
    squared = dijkstra(graph.lengths_between_nodes(), directed=False, indices=landmarks) ** 2
    among = squared[:, landmarks]
    centred = -(among - among.mean(axis=0) - among.mean(axis=1, keepdims=True) + among.mean()) / 2
    eigenvalues, vectors = np.linalg.eigh(centred)
    eigenvalues, vectors = eigenvalues[::-1][:n_columns], vectors[:, ::-1][:, :n_columns]
    weights = vectors / np.sqrt(np.maximum(eigenvalues, 1e-3 * eigenvalues[0]))
    return widened(-(squared.T - among.mean(axis=0)) @ weights / 2, graph, n_columns)


def widened(Y: Array, graph: MergedGraph, n_columns: int) -> Array:
    """Scale Y so that the typical edge has nine tenths of its length, add columns and a little noise."""
    stretched = ((Y[graph.tails] - Y[graph.heads]) ** 2).sum(axis=1)
    typical = np.median(graph.squared_lengths / np.maximum(stretched, 1e-12 * graph.squared_lengths))
    noise = np.random.default_rng(0).standard_normal((len(Y), n_columns))
    noise *= 0.1 * np.sqrt(graph.squared_lengths.mean())
    noise[:, : Y.shape[1]] += 0.9 * np.sqrt(typical) * Y
    return noise


def relative_gap(Y: Array, multipliers: Array, graph: MergedGraph) -> float:
    """Return the verified gap between the shrunken nodes Y and the bound of the multipliers."""
    return upper_bound(multipliers, graph) / max(lower_bound(Y, graph), 1e-300) - 1


def unfold(graph: MergedGraph) -> tuple[Array, Array]:
    """Return node positions (n × r) and multipliers, with a verified gap of 1e-8 where rounding allows.

    Too few columns can trap the method in a fold that more columns undo; with r(r + 1)/2 > m no fold
    is left. So start narrow, and widen only when the certificate shows a fold and not mere rounding.
    """
    system, n = GraphSystem(graph), len(graph.weights)
    connectivity = max(second_eigenvalue((system.differences.T @ system.differences).tocsc()), 1 / n**2)
    most = min(n, int(np.ceil(np.sqrt(2 * len(graph.tails)))) + 1)
    ranks = [r for r in (4, 6, 9, 13, 20) if r < most] + [most]

    def gap(at: Iterate) -> float:
        return relative_gap(at.Y * np.sqrt(system.unit), at.multipliers, graph)

    Y = geodesic_start(graph, ranks[0])
    for rank in ranks:
        start = starting_point(system, widened(Y, graph, rank) / np.sqrt(system.unit), 2 / connectivity)
        at = predictor_corrector(system, start, lambda at: gap(at) <= 1e-8, max_steps=120)
        Y = at.Y * np.sqrt(system.unit)
        if gap(at) <= 1e-6:
            break
    return Y, at.multipliers
