"""The smaller of S = X_cᵀX_c and G = X_cX_cᵀ for PCA: as a matrix, and as a map that is formed only if it pays.

Eigenvectors of S are axes, those of G are scores but for their length. X_c is never stored: where the mean is
small beside the deviations X itself takes part in products and the mean is subtracted from the
results, elsewhere a block of rows is centred at a time. The clear versions are pca.pca_by_covariance and pca_by_svd.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.linalg.blas import daxpy, ddot, dspmv

from dimred_ref._arrays import Array
from dimred_ref._eigen import with_fixed_signs
from dimred_ref._fast.blocks import (
    is_at_hand,
    is_near_origin,
    mean_and_gram,
    mean_and_scatter,
    mean_and_total,
    moved_blocks,
    slices,
)
from dimred_ref._fast.lanczos import times

DENSE_SIZE = 200  # up to it a dense eigenproblem takes as little time,
DENSE_SHARE = 12  # as for more than one axis in so many
# size / USES products with X and Xᵀ cost about as much as to form the square, where X is in the cache or is not
USES, CACHED = (8, 20), 4e5  # numbers
USES_PER_AXIS, USES_BESIDES = 2.0, 8  # at least, where the variances fall off as 1, ¼, ⅑, …
PANEL = 128  # columns of the square that are made at a time
FIRST_LOOK = 8  # uses, after which the sizes of the images tell how many more there will be
WELL_ABOVE_ROUNDING = 1e-5  # squared, of the squares: these are right to 1e-14


class SmallerSquare:
    """S, or G where there are fewer samples than features."""

    def __init__(self, X: Array, n_axes: int, *, never_formed: bool = False) -> None:
        self.X = X
        self.is_tall = X.shape[0] >= X.shape[1]
        self.size: int = min(X.shape)
        self._is_at_hand = is_at_hand(X)
        self.is_small = self.size <= DENSE_SIZE or self.size < DENSE_SHARE * n_axes
        self._uses, self._uses_for_axes = 0, USES_PER_AXIS * n_axes + USES_BESIDES
        worth = self.size / USES[X.size > CACHED] if self._is_at_hand else -1
        self._uses_worth_forming = np.inf if never_formed else worth
        self._largest = 0.0  # vᵀSv or vᵀGv of all unit vectors so far
        self._triangle: Array | None = None

    @cached_property
    def _mean_and_total(self) -> tuple[Array, float]:
        return mean_and_total(self.X)

    @property
    def mean(self) -> Array:
        """The mean sample."""
        return self._mean_and_total[0]

    @property
    def total(self) -> float:
        """‖X_c‖², the sum of all squares."""
        return self._mean_and_total[1]

    @cached_property
    def _origin(self) -> Array | None:
        """Origin to which blocks are shifted, or None if 0 is near enough."""
        return None if is_near_origin(self.mean, self.total / len(self.X)) else self.mean

    def matrix(self) -> Array:
        """Return the square, stored by columns."""
        mean, square = (mean_and_scatter if self.is_tall else mean_and_gram)(self.X)
        self._mean_and_total = mean, float(np.trace(square))
        return square

    def __call__(self, v: Array) -> Array:
        """Return S v = X₀ᵀX₀ v − N (μ − o)(μ − o)ᵀv or G v = J X₀X₀ᵀ J v with X₀ = X − 1oᵀ, J = I − 11ᵀ/N."""
        if not self.is_tall:
            image = _centred(self._product(_centred(v)))
        else:
            image = self._product(v)
            if self._origin is None:
                image = daxpy(self.mean, image, a=-len(self.X) * ddot(self.mean, v))
        if self._triangle is None:
            self._largest = max(self._largest, ddot(v, image))
        return image

    def _product(self, v: Array) -> Array:
        """Return the square about the origin of the blocks times v."""
        self._uses += 1
        if self._triangle is None and not self._is_worth_forming():
            return self._product_with_samples(v)
        if self._triangle is None:
            self._triangle = self._formed()
        return np.asarray(dspmv(self.size, 1.0, self._triangle, v, lower=1))

    def _is_worth_forming(self) -> bool:
        """Tell whether so many products are to come that it is cheaper to form the square.

        Where the total is that of c variances as large as the largest seen, more than c will be needed: few where
        some variances stand out, nearly all where none does. What was spent in vain is no more than twice the price.
        """
        expected = self._uses_for_axes
        if self._uses > FIRST_LOOK:
            expected += min(self.total / max(self._largest, np.finfo(float).tiny), self.size)
        return bool(expected > self._uses_worth_forming or self._uses > 2 * self._uses_worth_forming)

    def _product_with_samples(self, v: Array) -> Array:
        if not self._is_at_hand or self._origin is not None:
            return sum((block.T @ (block @ v) for block in self._blocks()), start=np.zeros(len(v)))
        tall = self.X if self.is_tall else self.X.T
        if tall.size <= CACHED or not tall.flags.c_contiguous:
            return times(tall.T, times(tall, v))
        image = np.zeros(len(v))
        for _, block in moved_blocks(tall, None):  # once from memory, for both products
            image += times(block.T, times(block, v))
        return image

    def _formed(self) -> Array:
        """Return the lower triangle of the square, column after column: half of the memory of the whole."""
        triangle = np.zeros(self.size * (self.size + 1) // 2)
        for block in self._blocks():
            end = 0
            for first in range(0, self.size, PANEL):
                for j, row in enumerate(block[:, first : first + PANEL].T @ block[:, first:]):
                    start, end = end, end + len(row) - j
                    triangle[start:end] += row[j:]
        return triangle

    def _blocks(self) -> Iterator[Array]:
        """Yield parts of the moved samples, or of their transpose, whose squares add up to this one."""
        if self._is_one_block:
            yield self.X if self.is_tall else self.X.T
        elif self.is_tall:
            yield from (block for _, block in moved_blocks(self.X, self._origin))
        else:
            yield from (block.T for _, block in self._moved_columns())

    @property
    def _is_one_block(self) -> bool:
        return self._is_at_hand and self._origin is None

    def _moved_columns(self) -> Iterator[tuple[slice, Array]]:
        """Yield (X − 1oᵀ) in float64 a few columns at a time."""
        for columns in slices(self.X.shape[1], len(self.X)):
            block = self.X[:, columns].astype(np.float64, copy=False)
            yield columns, block if self._origin is None else block - self._origin[columns]

    def axes_and_scores(self, squares: Array, vectors: Array) -> tuple[Array, Array]:
        """Return V and X_cV from the eigenvectors of S or G: of the other, the one is the image."""
        if self.is_tall:
            return vectors, scores(self.X, self.mean, vectors, self._origin)
        sigma, images = np.sqrt(squares), np.empty((vectors.shape[1], self.X.shape[1]))
        for columns, block in self._moved_columns():
            np.matmul(vectors.T, block, out=images[:, columns])
        directions = orthonormal_images(images.T, sigma)
        axes = with_fixed_signs(directions)
        return axes, vectors * (sigma * np.sign(np.sum(axes * directions, axis=0)))


def scores(X: Array, mean: Array, axes: Array, origin: Array | None) -> Array:
    """Return X_c V = (X − 1oᵀ) V − 1(μ − o)ᵀV, the origin o being 0 (None) or the mean."""
    image = np.empty((len(X), axes.shape[1]))
    offset = mean @ axes if origin is None else 0.0
    for rows, block in moved_blocks(X, origin):
        np.matmul(block, axes, out=image[rows])
        image[rows] -= offset
    return image


def orthonormal_images(images: Array, lengths: Array) -> Array:
    """Return the images X_cᵀuⱼ, orthogonal and of length σⱼ but for rounding errors, as orthonormal columns.

    Division by σⱼ leaves errors that a Cholesky factor LLᵀ = VᵀV removes. Where σⱼ is near 0 it would leave
    0/0; there QR supplies a direction orthogonal to all the others.
    """
    if lengths[-1] > WELL_ABOVE_ROUNDING * lengths[0]:
        V = images / lengths
        return np.asarray(V @ np.linalg.inv(np.linalg.cholesky(V.T @ V)).T)
    Q, R = scipy.linalg.qr(images, mode="economic", overwrite_a=True, check_finite=False)
    return np.asarray(Q * np.where(np.diag(R) < 0, -1.0, 1.0))


def _centred(v: Array) -> Array:
    return np.asarray(v - np.add.reduce(v) / len(v))
