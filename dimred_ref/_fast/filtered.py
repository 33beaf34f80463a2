"""Bottom eigenpairs of a positive semidefinite map without a factorisation: Lanczos' method on a polynomial of it.

A Chebyshev polynomial of degree m is at most 1 on the interval [a, b] of unwanted eigenvalues and grows fast below it:

    p(A) = T_m((a + b − 2A) / (b − a)),   p(λ) decreases on [0, a]        (eq-lanczos-residual applies to p(A))

so the smallest eigenvalues of A are the largest of p(A), and far apart. It pays where sparse factors would fill in: on
graphs whose layers are wide, as those of data with many dimensions are. The clear version is a dense eigenproblem.
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from dimred_ref._arrays import Array
from dimred_ref._fast.lanczos import KrylovSpace, LinearMap, largest_eigenpairs

WIDE = 300  # vertices of the widest layer: a separator of this size costs as much as the polynomial
FIRST_LOOK = 30  # dimensions of a Krylov space that tells roughly where the bottom of the spectrum is
MARGIN = 1.5  # above that
DEGREE = 1.5  # times √(b / a)


def is_wide(graph: csr_array, width: int | None = None) -> bool:
    """Tell whether a connected graph has no small separator: is some layer around a vertex larger than the width?"""
    pattern = csr_array((np.ones(graph.nnz), graph.indices, graph.indptr), shape=graph.shape)
    steps = dijkstra(pattern, unweighted=True, indices=int(np.diff(graph.indptr).argmin()))
    return bool(
        np.bincount(steps[np.isfinite(steps)].astype(np.intp)).max() > (WIDE if width is None else width)
    )


def smallest_eigenpairs(
    apply: LinearMap, bound: float, null_vector: Array, n_pairs: int
) -> tuple[Array, Array]:
    """Return the smallest eigenvalues, ascending, and unit eigenvectors in the complement of a unit null vector.

    No eigenvalue may exceed the bound.
    """
    size = len(null_vector)
    unwanted = MARGIN * _above_bottom(apply, bound, null_vector, n_pairs)
    degree = max(2, round(DEGREE * np.sqrt(bound / unwanted)))

    def mapped(v: Array) -> Array:
        return ((unwanted + bound) * v - 2 * apply(v)) / (bound - unwanted)

    def polynomial(v: Array) -> Array:
        v = v - null_vector * (null_vector @ v)
        before, current = v, mapped(v)
        for _ in range(degree - 1):
            before, current = current, 2 * mapped(current) - before
        return np.asarray(current - null_vector * (null_vector @ current))

    _, vectors = largest_eigenpairs(polynomial, size, n_pairs)
    return np.array([v @ apply(v) for v in vectors.T]), vectors


def _above_bottom(apply: LinearMap, bound: float, null_vector: Array, n_pairs: int) -> float:
    """Return a value that at least n_pairs eigenvalues do not exceed: a Ritz value never undercuts."""
    space = KrylovSpace(lambda v: bound * v - apply(v), null_vector[None], seed=0)
    for _ in range(FIRST_LOOK + n_pairs):
        space.grow()
    return float(bound - space.eigenpairs(n_pairs)[0][-1])
