"""PCA by Lanczos' method on the smaller of S = X_cᵀX_c and G = X_cX_cᵀ.

Eigenvectors of S are axes, those of G are scores but for their length. A Krylov space of one vector needs the
fewest dimensions, a half to a third of those of a space of blocks, and each is one product with the
square. It holds one vector of each eigenspace, so copies of an eigenvalue are searched for afterwards.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg.blas import dsymv

from dimred_ref._arrays import Array
from dimred_ref._eigen import with_fixed_signs
from dimred_ref._fast.lanczos import KrylovSpace, missed_eigenpair, times
from dimred_ref._pca_routes import (
    CACHED,
    ROUNDING,
    Centred,
    Decomposition,
    from_axes,
    from_scores,
    steps_left,
)
from dimred_ref.covariance import mean_and_total, moved_blocks

DENSE_SIZE = 200  # up to it a dense eigenproblem takes as little time,
DENSE_SIZE_OF_NOISE = 550  # and where no variance stands out, up to this size
TOLERANCE = 1e-10  # of the angle between the axes found and the true ones
# A value this far above another, relative to it and to the largest, is no copy of it.
TIE, TIE_OF_LARGEST = 1e-8, 1e-12
NEAR_CACHE = 1.2e6  # numbers: with more, products with a vector wait for memory
FIRST_LOOK = 8  # dimensions
AXES_OF_NOISE = 24  # that many times fewer axes than dimensions are found faster than by a dense road
MORE_PAIRS = 16  # beyond those wanted: what they take with them need not be searched for copies


def through_square_if_it_pays(X: Array, n_axes: int) -> Decomposition | None:
    """Find the leading eigenvectors of the smaller square; None where a dense road is quicker."""
    if min(X.shape) <= DENSE_SIZE or min(X.shape) < 12 * n_axes:
        return None
    square = Square(Centred(X, *mean_and_total(X)), n_axes)
    pairs = _settled(square, n_axes)
    if pairs is None or pairs[0][0] <= 0:  # nothing varies
        return None
    squares, vectors = _with_copies(square, n_axes, *pairs)
    ending = from_axes if square.is_tall else from_scores
    return ending(square.samples, squares, with_fixed_signs(vectors.T))


def _is_noise_for_a_dense_road(space: KrylovSpace, square: "Square", n_axes: int) -> bool:
    """Tell after a few steps whether not even the first variance stands out, of a square that is small."""
    for _ in range(FIRST_LOOK):
        space.grow()
    if not square.looks_like_noise(space.eigenpairs(1)[0][0], space):
        return False
    square.patience = 0
    return square.size < max(DENSE_SIZE_OF_NOISE, AXES_OF_NOISE * n_axes)


def _settled(square: "Square", n_axes: int) -> tuple[Array, Array, Array] | None:
    """Return n_axes exact pairs and a few more with their residuals; None where a dense road is quicker."""
    space = KrylovSpace(square, np.empty((0, square.size)), seed=0)
    if _is_noise_for_a_dense_road(space, square, n_axes):
        return None
    before, pause = np.inf, 2 * n_axes
    while space.dimension + pause <= space.size / 2:
        for _ in range(pause):
            space.grow()
        squares, residuals, _ = space.eigenpairs(n_axes + 1, n_axes - 1)
        allowed = max(TOLERANCE * (squares[0] - squares[1]), ROUNDING * space.largest)
        if residuals[0] <= allowed:
            squares, residuals, weights = space.eigenpairs(min(n_axes + MORE_PAIRS, space.dimension))
            if residuals[:n_axes].max() <= allowed:
                return squares, residuals, space.vectors(weights)
        if square.looks_like_noise(squares[0], space):
            square.patience = 0
        steps = pause * steps_left(before, residuals[0], allowed)
        before, pause = residuals[0], int(np.clip(steps, 2, max(2, space.dimension // 2)))
    return None


def _with_copies(
    square: "Square", n_axes: int, squares: Array, residuals: Array, vectors: Array
) -> tuple[Array, Array]:
    """Add copies that the space did not see.

    The first search leaves out the pairs beyond those wanted, too, as far as they are nearly exact: with
    a residual r, a value θ below the level hides no more than r²/(level − θ) of what is above it.
    """
    largest, least = squares[0], squares[n_axes - 1]
    level = _no_copy_above(least, largest)
    hidden = np.cumsum(residuals[n_axes:] ** 2 / (level - squares[n_axes:]))
    n_known = n_axes + int(np.count_nonzero(hidden <= (level - least) / 2))
    known = np.linalg.qr(vectors[:n_known].T)[0].T
    squares, vectors = squares[:n_axes], vectors[:n_axes]
    if missed_eigenpair(KrylovSpace(square, known, seed=1), level, (least + level) / 2) is None:
        return squares, vectors
    for run in range(2, n_axes + 3):  # each pair that was missed belongs to the answer: no more can follow
        level = _no_copy_above(squares[-1], largest)
        missed = missed_eigenpair(KrylovSpace(square, vectors, seed=run), level, level)
        if missed is None:
            break
        squares = np.append(squares, missed[0])
        kept = np.argsort(-squares, kind="stable")[:n_axes]
        squares, vectors = squares[kept], np.concatenate([vectors, missed[1]])[kept]
    return squares, vectors


def _no_copy_above(square: float, largest: float) -> float:
    return square + TIE * square + TIE_OF_LARGEST * largest


class Square:
    """The smaller square as a map: by way of X at first, by itself once it was asked for often enough.

    By itself it is stored as three quarters, which are less than X where X is square:

        [ A  Bᵀ ]
        [ B  C  ]
    """

    def __init__(self, samples: Centred, n_axes: int) -> None:
        self.samples = samples
        self.is_tall = samples.X.shape[0] >= samples.X.shape[1]
        self.size: int = min(samples.X.shape)
        # Samples that need not be moved or converted, and stay in the cache, are multiplied as they are.
        is_plain = samples.X.dtype == np.float64 and samples.X.flags.forc
        self._is_at_hand = samples.origin is None and is_plain
        expected = 1.5 * n_axes + 28  # dimensions, where variances stand out
        is_cheap = self._is_at_hand and samples.X.size <= CACHED and expected <= self.uses_worth_forming
        self.patience = 2 * n_axes + 60 if is_cheap else FIRST_LOOK if self._is_at_hand else 0
        self._quarters: tuple[Array, Array, Array] | None = None

    @property
    def uses_worth_forming(self) -> float:
        """How many products by way of X cost as much time as to form the square.

        Each takes 4ND operations, the square NDm, m = min(N, D), but these run almost three times as fast,
        and five times where X is not near at hand in the cache.
        """
        return self.size / (11 if self.samples.X.size <= NEAR_CACHE else 18)

    def looks_like_noise(self, square: float, space: KrylovSpace) -> bool:
        """Tell whether a square is none above those of noise as strong as what is outside of the space."""
        return self.samples.looks_like_noise(square, space.dimension, space.trace)

    def __call__(self, v: Array) -> Array:
        """Return S v = XᵀX v − N μ(μᵀv) or G v = J XXᵀ J v; J = I − 11ᵀ/N subtracts the mean."""
        if not self.is_tall:
            return _centred(self._moved_times(_centred(v)))
        image = self._moved_times(v)
        if self.samples.origin is None:
            image -= (len(self.samples.X) * (self.samples.mean @ v)) * self.samples.mean
        return image

    def _moved_times(self, v: Array) -> Array:
        """Return the square about the origin of the blocks, times v."""
        self.patience -= 1
        if self.patience >= 0:
            X = self.samples.X
            return times(X.T, times(X, v)) if self.is_tall else times(X, times(X.T, v))
        if self._quarters is None:
            self._quarters = self._formed()
        A, B, C = self._quarters
        top, bottom = v[: len(A)], v[len(A) :]
        return np.concatenate(
            [dsymv(1.0, A.T, top) + times(B.T, bottom), times(B, top) + dsymv(1.0, C.T, bottom)]
        )

    def _formed(self) -> tuple[Array, Array, Array]:
        half, rest = self.size // 2, self.size - self.size // 2
        A, B, C = np.zeros((half, half)), np.zeros((rest, half)), np.zeros((rest, rest))
        for block in self._blocks():
            left, right = block[:, :half], block[:, half:]
            for quarter, one, other in ((A, left, left), (B, right, left), (C, right, right)):
                if self._is_at_hand:  # a single block, which needs no memory besides
                    np.matmul(one.T, other, out=quarter)
                else:
                    quarter += one.T @ other
        return A, B, C

    def _blocks(self) -> Iterator[Array]:
        """Yield parts of the moved samples, or of their transpose, whose squares add up to this one."""
        X, origin = self.samples.X, self.samples.origin
        if self._is_at_hand:
            yield X if self.is_tall else X.T
        elif self.is_tall:
            yield from (block for _, block in moved_blocks(X, origin))
        else:
            yield from (block.T.astype(np.float64) for _, block in self.samples.moved_columns())


def _centred(v: Array) -> Array:
    return np.asarray(v - v.mean())
