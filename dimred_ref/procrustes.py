"""Procrustes alignment: lay one set of points over another, and say how well they fit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_points
from dimred_ref._result import Result
from dimred_ref.covariance import column_means


@dataclass(frozen=True, eq=False, repr=False)
class Alignment(Result):
    """The points after the best motion, and the motion: scale · X R + shift."""

    embedding: Array  # (N, d), the moved points
    rotation: Array  # (d, d), orthogonal; its determinant is −1 when a reflection fits better
    scale: float  # 1 for a rigid motion
    shift: Array  # (d,)
    error: float  # ‖target − moved‖ / ‖target − its mean‖


def rigid_alignment(X: ArrayLike, target: ArrayLike) -> Alignment:
    """Move X by a rotation, a reflection and a shift so that it comes nearest to the target, row to row.

    X_cᵀ T_c = U Σ Vᵀ   ⇒   R = U Vᵀ maximises tr(Rᵀ X_cᵀ T_c)        (eq-procrustes-rotation)

    Parameters
    ----------
    X : (N, d) points to move
    target : (N, d) points to come near to, row by row

    Returns
    -------
    Alignment
        embedding (N, d), the moved points, with rotation, shift and error

    Cost
    ----
    O(N d² + d³) time.

    Counterpart
    -----------
    scipy.linalg.orthogonal_procrustes, after centring.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.rigid_alignment([[5, 5], [5, 6]], [[0, 0], [1, 0]]).embedding.round(6).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    return _aligned(X, target, rescale=False)


def similarity_alignment(X: ArrayLike, target: ArrayLike) -> Alignment:
    """Do the same with a change of scale as well.

    s = tr Σ / ‖X_c‖²        (eq-procrustes-scale)

    Parameters
    ----------
    X : (N, d) points to move
    target : (N, d) points to come near to, row by row

    Returns
    -------
    Alignment
        embedding (N, d), the moved points, with rotation, scale, shift and error

    Cost
    ----
    O(N d² + d³) time.

    Counterpart
    -----------
    scipy.spatial.procrustes.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.similarity_alignment([[5, 5], [5, 7]], [[0, 0], [1, 0]]).embedding.round(6).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    return _aligned(X, target, rescale=True)


def _aligned(X: ArrayLike, target: ArrayLike, *, rescale: bool) -> Alignment:
    moving, fixed = as_points(X, "X"), as_points(target, "target")
    if moving.shape != fixed.shape:
        raise ValueError(f"X must have the shape of the target, {fixed.shape}, got {moving.shape}")
    moving_mean, fixed_mean = column_means(moving), column_means(fixed)
    moving, fixed = moving - moving_mean, fixed - fixed_mean
    size, target_size = float(np.linalg.norm(moving)), float(np.linalg.norm(fixed))
    if target_size == 0:
        raise ValueError(
            "target must have at least two different points: the error is relative to its spread"
        )
    U, singular_values, Vt = np.linalg.svd(moving.T @ fixed)
    rotation = U @ Vt
    scale = float(singular_values.sum()) / size**2 if rescale and size > 0 else 1.0
    moved = scale * moving @ rotation
    return Alignment(
        embedding=moved + fixed_mean,
        rotation=rotation,
        scale=scale,
        shift=fixed_mean - scale * moving_mean @ rotation,
        error=float(np.linalg.norm(fixed - moved)) / target_size,
    )
