"""The roads of PCA that do without a centred copy of the samples: two dense ones and a Krylov space.

X_c is never stored. Where the mean is small beside the deviations, X itself takes part in products and
the mean is subtracted from the results; elsewhere a block of rows is centred at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.linalg

from dimred_ref._arrays import Array
from dimred_ref._eigen import top_eigenpairs, with_fixed_signs
from dimred_ref.covariance import (
    is_near_origin,
    mean_and_gram,
    mean_and_scatter,
    mean_and_total,
    moved_blocks,
    slices,
)

ROUNDING = 1e-14  # of an eigenpair found by a dense road, relative to the largest eigenvalue
WELL_ABOVE_ROUNDING = 1e-5  # squared, of the squares: these are right to 1e-14
CACHED = 2.1e6  # numbers: with more, products with one vector at a time wait for memory too long
TIE = 1e-6  # eigenvalues this close, relative to their size, count as copies of one
EDGE_OF_NOISE = 1.1  # times the largest variance of pure noise: what is below may well be noise


class Decomposition(NamedTuple):
    """PCA before any divisor: squares are those of the leading singular values of X_c."""

    mean: Array  # (D,)
    total: float  # the sum of all squares
    squares: Array  # (d,), descending
    axes: Array  # (D, d)
    scores: Array  # (N, d)


class Goal(NamedTuple):
    """When a Krylov space is good enough, and when it is hopeless."""

    n_axes: int
    tolerance: float  # of the angle between the axes found and the true ones
    most_dimensions: float
    gives_up_early: bool = False

    def is_hopeless(self, space: "_BlockKrylovSpace", least: float, missing: float) -> bool:
        """Tell whether the least variance wanted looks like noise, or too many dimensions are missing.

        Estimates mean little at first: noise is told from signal at twice as many dimensions as axes, the
        missing ones are counted once a third of the most has been tried.
        """
        if space.dimension >= 2 * least_dimensions(self.n_axes) and space.sees_only_noise(least):
            return True
        dimension = space.dimension
        return 3 * dimension > self.most_dimensions and dimension + missing > self.most_dimensions


@dataclass(frozen=True)
class Centred:
    """X_c = X − 1μᵀ as a linear map."""

    X: Array
    mean: Array
    total: float  # ‖X_c‖²

    @cached_property
    def origin(self) -> Array | None:
        """Where blocks are moved to; None where they may stay, because 0 is near enough."""
        return None if is_near_origin(self.mean, self.total / len(self.X)) else self.mean

    def looks_like_noise(self, square: float, n_known: int, known: float) -> bool:
        """Tell whether a square is none above those of pure noise as strong as what is not known.

        Known are n_known dimensions with squares that sum to `known`. The squares of N samples of white
        noise in D dimensions reach (1 + √(m/M))² times their mean, m and M the smaller and the larger of
        N and D (Marchenko and Pastur).
        """
        small, large = sorted(self.X.shape)
        mean_outside = (self.total - known) / (small - n_known)
        return bool(square <= EDGE_OF_NOISE * (1 + np.sqrt(small / large)) ** 2 * mean_outside)

    def times(self, V: Array) -> Array:
        """Return X_c V = (X − 1oᵀ) V − 1(μ − o)ᵀV for any origin o."""
        origin, image = self.origin, np.empty((len(self.X), V.shape[1]))
        offset = self.mean @ V if origin is None else np.zeros(V.shape[1])
        for rows, block in moved_blocks(self.X, origin):
            np.matmul(block, V, out=image[rows])
            image[rows] -= offset
        return image

    def transposed_times(self, U: Array) -> Array:
        """Return X_cᵀ U = (X − 1oᵀ)ᵀ U for any origin o and columns of U that sum to 0."""
        image = np.empty((U.shape[1], self.X.shape[1]))
        for columns, block in self.moved_columns():
            np.matmul(U.T, block, out=image[:, columns])
        return image.T

    def moved_columns(self) -> Iterator[tuple[slice, Array]]:
        """Yield (X − 1oᵀ) a few columns at a time."""
        for columns in slices(self.X.shape[1], len(self.X)):
            block = self.X[:, columns]
            yield columns, block if self.origin is None else block - self.origin[columns]

    def times_and_back(self, V: Array) -> tuple[Array, Array]:
        """Return X_c V and X_cᵀ X_c V while each block is at hand.

        X_cᵀ Z = (X − 1oᵀ)ᵀ Z for any origin o, because the columns of Z = X_c V sum to 0.
        """
        origin, image, back = self.origin, np.empty((V.shape[1], len(self.X))), np.zeros(V.T.shape)
        offset = self.mean @ V if origin is None else np.zeros(V.shape[1])
        directions = np.ascontiguousarray(V.T)  # thin factors as rows: their products are faster
        for rows, block in moved_blocks(self.X, origin):
            image[:, rows] = directions @ block.T - offset[:, None]
            back += image[:, rows] @ block
        return image.T, back.T


def scores(X: Array, mean: Array, axes: Array) -> Array:
    """Return (X − 1μᵀ) V, moving every block: new samples may be anywhere."""
    return Centred(X, mean, 0.0).times(axes)


def through_scatter(X: Array, n_axes: int) -> Decomposition:
    """Diagonalise the D × D scatter matrix."""
    mean, S = mean_and_scatter(X)
    total = float(np.trace(S))
    squares, axes = top_eigenpairs(S, n_axes, overwrite=True)
    del S  # the scores need its memory
    return from_axes(Centred(X, mean, total), squares, axes)


def through_gram(X: Array, n_axes: int) -> Decomposition:
    """Diagonalise the N × N Gram matrix, and lift its eigenvectors."""
    mean, G = mean_and_gram(X)
    total = float(np.trace(G))
    squares, U = top_eigenpairs(G, n_axes, overwrite=True)
    del G  # the axes need its memory
    return from_scores(Centred(X, mean, total), squares, U)


def from_axes(samples: Centred, squares: Array, axes: Array) -> Decomposition:
    """Return the decomposition that has these axes, the eigenvectors of the scatter matrix."""
    return Decomposition(samples.mean, samples.total, np.maximum(squares, 0.0), axes, samples.times(axes))


def from_scores(samples: Centred, squares: Array, U: Array) -> Decomposition:
    """Return the decomposition that has these scores but for their length, the eigenvectors of the Gram matrix."""
    sigma, images = np.sqrt(np.maximum(squares, 0.0)), samples.transposed_times(U)
    directions = _orthonormal(images, sigma)
    axes = with_fixed_signs(directions)
    signs = np.sign(np.sum(axes * directions, axis=0))
    return Decomposition(samples.mean, samples.total, sigma**2, axes, U * (signs * sigma))


def _orthonormal(images: Array, lengths: Array) -> Array:
    """Return the images X_cᵀuⱼ, orthogonal and of length σⱼ but for rounding errors, as orthonormal columns.

    Division by σⱼ leaves errors that a Cholesky factor LLᵀ = VᵀV removes. Where σⱼ is near 0 it would leave
    0/0; there QR supplies a direction orthogonal to all the others.
    """
    if lengths[-1] > WELL_ABOVE_ROUNDING * lengths[0]:
        V = images / lengths
        return np.asarray(V @ np.linalg.inv(np.linalg.cholesky(V.T @ V)).T)
    Q, R = scipy.linalg.qr(images, mode="economic", overwrite_a=True, check_finite=False)
    return np.asarray(Q * np.where(np.diag(R) < 0, -1.0, 1.0))


def least_dimensions(n_axes: int) -> int:
    """Return how many dimensions a Krylov space has before anything can be said about so many axes."""
    return max(n_axes + 2, 8)


def dimensions_worth_a_square(n_rows: int, n_columns: int) -> float:
    """Return how many dimensions of a Krylov space of blocks cost as much time as the smaller square does.

    A dimension takes 4ND operations; the square takes NDm and its leading eigenvectors at least as much
    as m³, m = min(N, D). Thin products run at a third of the speed of square ones.
    """
    small, large = sorted((n_rows, n_columns))
    return small * (1 + small / large) / 12


def through_krylov_if_it_pays(X: Array, n_axes: int) -> Decomposition | None:
    """Try a Krylov space where it may be cheaper than the smaller square; None where it is not."""
    worth = dimensions_worth_a_square(*X.shape)
    is_at_hand = X.size <= CACHED and X.dtype == np.float64
    if is_at_hand or 9 * least_dimensions(n_axes) > worth:
        return None
    return through_krylov(Centred(X, *mean_and_total(X)), Goal(n_axes, 1e-10, worth, gives_up_early=True))


def through_krylov(samples: Centred, goal: Goal) -> Decomposition | None:
    """Find the axes in a Krylov space; None when the goal calls that hopeless.

    Narrow blocks need the fewest dimensions. A block finds as many copies of an eigenvalue as it is wide:
    where it found so many, there may be more, and a block wider than the number of axes must tell.
    """
    width = _width(goal.n_axes)
    found = _in_krylov_space(samples, goal, width)
    if found is None or not _may_miss_copies(found.squares, width):
        return found
    return _in_krylov_space(samples, goal, goal.n_axes + 2)


def _in_krylov_space(samples: Centred, goal: Goal, width: int) -> Decomposition | None:
    space, before = _BlockKrylovSpace(samples, width), np.inf
    while space.dimension + space.width <= goal.most_dimensions:
        space.grow()
        if space.dimension <= goal.n_axes:
            continue
        squares, residual, weights = space.leading(goal.n_axes)
        allowed = max(goal.tolerance * (squares[-2] - squares[-1]), ROUNDING * squares[0])
        if residual <= allowed:
            return space.decomposition(squares[:-1], weights)
        missing = space.width * steps_left(before, residual, allowed)
        if goal.gives_up_early and goal.is_hopeless(space, squares[-2], missing):
            return None
        before = residual
    return None


def steps_left(before: float, residual: float, allowed: float) -> float:
    """Return how many more steps lead to the residual allowed: half of what the last one promises.

    Half, because convergence quickens as the space grows.
    """
    if residual >= before:
        return np.inf
    return float(np.log(max(residual / allowed, 1.0)) / np.log(before / residual)) / 2


def _may_miss_copies(squares: Array, width: int) -> bool:
    """Tell whether an eigenvalue turned up as often as a block is wide."""
    return bool(np.any(squares[: 1 - width] - squares[width - 1 :] <= TIE * squares[: 1 - width]))


def _width(n_axes: int) -> int:
    """Return how wide a block is: narrow, but not so narrow that products run at the speed of memory."""
    return 8 if n_axes <= 16 else 16


class _BlockKrylovSpace:
    """The span of Y, SY, S²Y, … for random Y and the scatter S = X_cᵀX_c, and S as seen there.

    S Q = Q T + B R on the last columns, with orthonormal B orthogonal to Q: whatever an eigenvector
    Tw = θw misses is B R w, so ‖S Qw − θ Qw‖ = ‖R w_last‖.
    """

    def __init__(self, samples: Centred, width: int) -> None:
        self._samples = samples
        self.width = width
        start = np.random.default_rng(0).standard_normal(size=(samples.X.shape[1], width))
        self._next = np.linalg.qr(start)[0]
        self._overlap = np.zeros((width, width))
        self._basis, self._seen = np.zeros((len(start), 0)), np.zeros((0, 0))
        self._images: list[Array] = []

    @property
    def dimension(self) -> int:
        return self._basis.shape[1]

    def grow(self) -> None:
        """Add one block to the basis."""
        image, back = self._samples.times_and_back(self._next)
        self._images.append(image)
        self._basis = np.hstack([self._basis, self._next])
        column, self._next, self._overlap = _split(back, self._basis)
        upper = np.vstack([self._seen, np.zeros((self.width, self._seen.shape[1]))])
        self._seen = np.hstack([upper, column])
        self._seen[-self.width :] = column.T

    def leading(self, n_axes: int) -> tuple[Array, float, Array]:
        """Return n_axes + 1 eigenvalues, and for n_axes of them the largest residual and the coordinates."""
        squares, weights = top_eigenpairs(self._seen, n_axes + 1)
        residuals = np.linalg.norm(self._overlap @ weights[-self.width :, :-1], axis=0)
        return squares, float(residuals.max()), weights[:, :-1]

    def sees_only_noise(self, square: float) -> bool:
        """Tell whether a variance is none above those of noise as strong as what is outside of the space."""
        return self._samples.looks_like_noise(square, self.dimension, float(np.trace(self._seen)))

    def decomposition(self, squares: Array, weights: Array) -> Decomposition:
        """Return the axes with these coordinates."""
        axes = self._basis @ weights
        parts = np.split(weights, len(self._images))
        scores = sum((image @ part for image, part in zip(self._images, parts, strict=True)), start=0.0)
        fixed = with_fixed_signs(axes)
        signs = np.sign(np.sum(axes * fixed, axis=0))
        squares = np.maximum(squares, 0.0)
        return Decomposition(self._samples.mean, self._samples.total, squares, fixed, scores * signs)


def _split(columns: Array, Q: Array) -> tuple[Array, Array, Array]:
    """Return A, B, R with columns = Q A + B R, BᵀB = I and QᵀB = 0."""
    A = Q.T @ columns
    first, R = np.linalg.qr(columns - Q @ A)
    # Again, because normalising magnifies what rounding left along Q.
    B, correction = np.linalg.qr(first - Q @ (Q.T @ first))
    return A, B, correction @ R
