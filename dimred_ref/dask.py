"""PCA and covariance of Dask arrays: the moments of chunks are added up where the chunks are.

    from dimred_ref.dask import pca
    fit = pca(X, 10)               # X: a dask.array of samples, on this machine or on a cluster
    Z = fit.transform(block)       # of a block; transform(fit, X) of a Dask array, lazily

Needs the package dask with arrays: pip install "dimred-ref[dask]".
"""

from typing import Any

import dask
import dask.array
import numpy as np

from dimred_ref._arrays import Array, as_count
from dimred_ref.out_of_core import BlockPCA, Moments, moments_of_block, pca_of_moments


def moments(X: object) -> Moments:
    """Return the moments of a Dask array of samples, added up as a tree."""
    if not isinstance(X, dask.array.Array):
        way_out = "pass X.to_dask_array()" if hasattr(X, "to_dask_array") else "dimred_ref.pca takes others"
        raise ValueError(f"X must be a dask.array of samples, got {type(X).__name__}: {way_out}")
    if X.ndim != 2:
        raise ValueError(f"X must be a matrix (2 axes), got shape {X.shape}")
    rows = X.rechunk({1: -1})  # a chunk holds whole samples
    level = [dask.delayed(moments_of_block)(chunk) for chunk in rows.to_delayed().ravel()]
    while len(level) > 1:
        level = [dask.delayed(_added)(level[i : i + 8]) for i in range(0, len(level), 8)]
    result: Moments = level[0].compute()
    return result


def covariance(X: object, *, ddof: int = 0) -> Array:
    """Return the covariance matrix of a Dask array of samples (eq-covariance-definition)."""
    found = moments(X)
    C: Array = found.scatter / (found.count - as_count(ddof, "ddof", low=0, high=found.count - 1))
    return C


def pca(X: object, n_components: int, *, ddof: int = 0) -> BlockPCA:
    """Find the principal axes of a Dask array of samples, exactly, in one pass (eq-pca-eigenproblem)."""
    return pca_of_moments(moments(X), n_components, ddof=ddof)


def transform(fit: BlockPCA, X: Any) -> Any:
    """Return the scores of a Dask array of samples as a Dask array, not computed yet."""
    rows = X.rechunk({1: -1})
    return rows.map_blocks(fit.transform, dtype=np.float64, chunks=(rows.chunks[0], (fit.axes.shape[1],)))


def _added(parts: list[Moments]) -> Moments:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
