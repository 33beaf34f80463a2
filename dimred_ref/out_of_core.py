"""Data that do not fit into memory: exact sums over blocks of rows in one pass, and landmarks with a stated error.

A block is a few thousand samples (rows). Any iterable of blocks will do: a generator that reads files, a list, or one
large array, which is then cut into blocks: a memory map too, or a table of a file that is sliced like an array.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike, NDArray

from dimred_ref._arrays import (
    MEASURABLE,
    Array,
    as_count,
    as_generator,
    as_new_samples,
    as_points,
    as_positive,
    as_table,
)
from dimred_ref._eigen import top_eigenpairs
from dimred_ref._fast.blocks import mean_and_scatter
from dimred_ref._fast.square import scores
from dimred_ref._result import Result
from dimred_ref.classical_mds import require_positive
from dimred_ref.kernel_pca import TOO_FLAT, rbf_into

Blocks = Iterable[ArrayLike]

ENTRIES = 1 << 21  # of a block that is cut from an array: 16 MB of floats
RANK = 1e-12  # eigenvalues of the kernel of the landmarks below this part of the largest are rounding


@dataclass(frozen=True, eq=False, repr=False)
class Moments(Result):
    """Number, mean and scatter of samples; moments of disjoint samples can be added.

    PCA needs no more. All fields are 0 without samples, the neutral element of the addition.
    """

    count: int
    mean: Array  # (D,)
    scatter: Array  # (D, D), Σ (x − μ)(x − μ)ᵀ

    def __add__(self, other: "Moments") -> "Moments":
        """Return the moments of both sets of samples together.

        μ = μ₁ + (n₂/n) δ,   S = S₁ + S₂ + (n₁n₂/n) δδᵀ,   δ = μ₂ − μ₁,   n = n₁ + n₂
        """
        if len(other.mean) != len(self.mean):
            raise ValueError(f"blocks must have {len(self.mean)} columns, got one with {len(other.mean)}")
        count, delta = self.count + other.count, other.mean - self.mean
        share = other.count / max(count, 1)
        mean = self.mean + share * delta
        between = (self.count * share) * np.outer(delta, delta)
        return Moments(count, mean, self.scatter + other.scatter + between)


@dataclass(frozen=True, eq=False, repr=False)
class BlockPCA(Result):
    """PCA of samples that were seen once. Their scores are a second pass: transform, or embedding_of."""

    axes: Array  # (D, d), orthonormal columns, strongest first
    variances: Array  # (d,), descending
    mean: Array  # (D,)
    total_variance: float
    count: int  # samples seen

    @property
    def explained_variance_ratio(self) -> Array:
        """The share λⱼ / tr C of each axis; zeros when the data do not vary at all."""
        return self.variances / self.total_variance if self.total_variance else np.zeros_like(self.variances)

    def transform(self, new: ArrayLike) -> Array:
        """Return the scores Z = (X − 1μᵀ) V of samples (eq-pca-scores); a block may be empty."""
        samples = as_new_samples(new, n_columns=len(self.mean), min_rows=0)
        if len(samples) == 0:
            return np.empty((0, self.axes.shape[1]))
        return scores(samples, self.mean, self.axes, origin=self.mean)

    def embedding_of(self, blocks: Blocks) -> Iterator[Array]:
        """Yield the scores of one block after the other."""
        return (self.transform(block) for block in _cut(blocks))


@dataclass(frozen=True, eq=False, repr=False)
class NystromKernelPCA(Result):
    """Kernel PCA of the best kernel that a few landmarks can express, and how far that is from the true one.

    No eigenvalue of the kernel matrix is smaller than that of its approximation, or exceeds it by more than the error.
    """

    embedding: Array  # (N, d)
    eigenvalues: Array  # (d,), of the centred approximate kernel matrix
    landmarks: Array  # (m, D)
    error: float  # tr(K − K̃) = Σᵢ (1 − k̃(xᵢ, xᵢ)) ≥ ‖K − K̃‖
    gamma: float
    features: Array  # (m, r), from kernel values with the landmarks to features
    pca: BlockPCA  # of the features

    def transform(self, new: ArrayLike) -> Array:
        """Place new points by their kernel values with the landmarks alone."""
        points = as_new_samples(new, n_columns=self.landmarks.shape[1], sizes=MEASURABLE)
        return self.pca.transform(_features(points, self.landmarks, self.gamma, self.features))


def moments_of_blocks(blocks: Blocks) -> Moments:
    """Add up the moments of blocks in one pass; each is centred about its own mean, so nothing cancels."""
    total = None
    for block in _cut(blocks):
        own = moments_of_block(block)
        total = own if total is None else total + own
    if total is None or total.count == 0:
        raise ValueError(f"blocks must hold samples, got {'no block' if total is None else 'none'}")
    return total


def moments_of_block(block: ArrayLike) -> Moments:
    """Return the moments of the samples of one block, which may be empty."""
    table = as_table(block, "block", min_rows=0)
    if len(table) == 0:
        return Moments(0, np.zeros(table.shape[1]), np.zeros((table.shape[1], table.shape[1])))
    return Moments(len(table), *mean_and_scatter(table, "block"))


def covariance_of_blocks(blocks: Blocks, *, ddof: int = 0) -> Array:
    """Return the covariance matrix of samples that are seen once, block by block.

        C = X_cᵀ X_c / (N − ddof)          (eq-covariance-definition)

    Parameters
    ----------
    blocks : iterable of (n, D) arrays, or one large array
    ddof : subtracted from N in the divisor

    Returns
    -------
    (D, D) array, as exact as covariance(X)

    Cost
    ----
    O(N D²) time; memory of one block and of a D × D matrix.

    Counterpart
    -----------
    None: sklearn.decomposition.IncrementalPCA keeps no covariance matrix.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.covariance_of_blocks([[[0, 0], [2, 4]], [[1, 2]]]).round(3).tolist()
    [[0.667, 1.333], [1.333, 2.667]]
    """
    moments = moments_of_blocks(blocks)
    divisor = moments.count - as_count(ddof, "ddof", low=0, high=moments.count - 1)
    C: Array = moments.scatter / divisor
    return C


def pca_of_blocks(blocks: Blocks, n_components: int, *, ddof: int = 0) -> BlockPCA:
    """Find the principal axes of samples that are seen once, block by block, exactly.

        C = X_cᵀ X_c / (N − ddof),   C vⱼ = λⱼ vⱼ          (eq-pca-eigenproblem)

    Memory is that of one block and of two D × D matrices, whatever N is. Nothing is approximated: the answer is that
    of pca(X), in any order and for any size of the blocks, up to rounding.

    Parameters
    ----------
    blocks : iterable of (n, D) arrays, or one large array
    n_components : number of axes, at most min(N, D)
    ddof : subtracted from N in the divisor of the variances

    Returns
    -------
    BlockPCA
        axes, variances, mean, and transform for the scores

    Cost
    ----
    O(N D² + D³) time; memory of one block and of two D × D matrices.

    Counterpart
    -----------
    sklearn.decomposition.IncrementalPCA, which approximates.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.pca_of_blocks([[[0, 0], [2, 2]], [[4, 4]]], 1).variances.round(3).tolist()
    [5.333]
    """
    return pca_of_moments(moments_of_blocks(blocks), n_components, ddof=ddof)


def pca_of_moments(moments: Moments, n_components: int, *, ddof: int = 0) -> BlockPCA:
    """Diagonalise the covariance of moments, however they were added up."""
    if moments.count < 2:
        raise ValueError(f"blocks must hold at least 2 samples, got {moments.count}")
    n_components = as_count(n_components, "n_components", high=min(moments.count, len(moments.mean)))
    divisor = moments.count - as_count(ddof, "ddof", low=0, high=moments.count - 1)
    squares, axes = top_eigenpairs(moments.scatter, n_components)
    total = float(np.trace(moments.scatter)) / divisor
    return BlockPCA(axes, np.maximum(squares, 0.0) / divisor, moments.mean, total, moments.count)


def nystrom_kernel_pca(
    X: ArrayLike, n_components: int, *, gamma: float, n_landmarks: int, seed: int = 0
) -> NystromKernelPCA:
    """Run RBF kernel PCA through a few landmarks: O(N m) kernel values in the place of O(N²).

        K̃ = K_XL K_LL⁺ K_LX = F Fᵀ,   F = K_XL K_LL^(−½)
        J K̃ J v = λ v   ⇔   PCA of the rows of F          (eq-kernel-pca-eigenproblem)

    Parameters
    ----------
    X : (N, D) samples
    n_components : number of coordinates, at most the rank of the centred approximate kernel
    gamma : 1 / (scale of distance)²
    n_landmarks : rows of X, drawn at random; with all of them the answer is that of rbf_kernel_pca
    seed : of the draw

    Returns
    -------
    NystromKernelPCA
        with its error, tr(K − K̃)

    Cost
    ----
    O(N m D + N m² + m³) time with m landmarks, O(N m) memory.

    Counterpart
    -----------
    sklearn.kernel_approximation.Nystroem, followed by sklearn.decomposition.PCA.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> dr.nystrom_kernel_pca(X, 1, gamma=0.5, n_landmarks=4).embedding.shape
    (4, 1)
    """
    X = as_points(X, "X", min_rows=2)
    gamma = as_positive(gamma, "gamma")
    n_landmarks = as_count(n_landmarks, "n_landmarks", low=2, high=len(X))
    landmarks = X[np.sort(as_generator(seed).choice(len(X), n_landmarks, replace=False))].copy()
    values, vectors = scipy.linalg.eigh(
        rbf_into(np.empty((n_landmarks, n_landmarks)), landmarks, landmarks, gamma)
    )
    kept = values > RANK * values[-1]
    features = vectors[:, kept] / np.sqrt(values[kept])
    moments, within = None, 0.0
    for rows in _slices(len(X), n_landmarks):
        F = _features(X[rows], landmarks, gamma, features)
        within += float(np.sum(F**2))
        own = Moments(len(F), *mean_and_scatter(F))
        moments = own if moments is None else moments + own
    assert moments is not None
    # the cause first: where nothing varies, a bound on the number of coordinates would be a riddle
    require_positive(pca_of_moments(moments, 1).variances * len(X), len(X), 1.0, TOO_FLAT)
    n_components = as_count(n_components, "n_components", high=min(features.shape[1], len(X) - 1))
    fit = pca_of_moments(moments, n_components)
    require_positive(fit.variances * len(X), len(X), 1.0, TOO_FLAT)
    embedding = np.concatenate(
        [
            fit.transform(_features(X[rows], landmarks, gamma, features))
            for rows in _slices(len(X), n_landmarks)
        ]
    )
    error = max(len(X) - within, 0.0)
    return NystromKernelPCA(embedding, fit.variances * len(X), landmarks, error, gamma, features, fit)


def _features(points: Array, landmarks: Array, gamma: float, features: Array) -> Array:
    kernel = rbf_into(np.empty((len(points), len(landmarks))), points, landmarks, gamma)
    return kernel @ features


def _cut(blocks: Blocks) -> Iterator[ArrayLike | NDArray[np.float64]]:
    """Yield the blocks of an iterable, or of one large array or data frame."""
    if hasattr(blocks, "to_numpy"):  # a data frame, which would yield the names of its columns
        yield cast(ArrayLike, blocks)
    elif getattr(blocks, "ndim", 0) == 2:  # numpy's, or what is sliced like it: a table of an HDF5 file
        table = cast(NDArray[np.float64], blocks)
        yield from (table[rows] for rows in _slices(*table.shape))
    elif isinstance(blocks, Iterable) and not isinstance(blocks, str | bytes):
        yield from blocks
    else:
        raise ValueError(f"blocks must be an iterable of arrays, or one array, got {type(blocks).__name__}")


def _slices(length: int, width: int) -> Iterator[slice]:
    step = max(1, ENTRIES // max(width, 1))
    return (slice(start, min(start + step, length)) for start in range(0, length, step))
