"""Top eigenpairs of a symmetric map that is known only by what it does to a vector.

Lanczos' method writes the map, seen on the Krylov space span{q, Aq, A²q, …}, as a small tridiagonal
matrix whose outer eigenvalues soon agree with those of A:

A Q = Q T + β q₊ eᵀ,   T s = θ s   ⇒   ‖A Qs − θ Qs‖ = β |s_last|        (eq-lanczos-residual)

A Krylov space holds one vector of each eigenspace and no more, so a repeated eigenvalue would be
returned once. Therefore a second run starts in the orthogonal complement of what was found, and goes on
until nothing above the smallest value found is left there.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.linalg.blas import dsymv

from dimred_ref._arrays import Array
from dimred_ref._eigen import top_eigenpairs, with_fixed_signs

LinearMap = Callable[[Array], Array]

DENSE_SIZE = 200  # below it one dense eigenproblem is faster than building a Krylov space
RESIDUAL = 1e-12  # of a wanted eigenpair, relative to the largest eigenvalue
# Of the best pair left, relative to its distance from the values found: a run that has not yet seen a
# missed eigenvector (a random start holds about 1/√N of it) still has a larger residual than this.
RESIDUAL_LEFT = 1e-4
INVARIANT = 1e-14  # what is left of a new direction, relative to the map, when it is rounding errors only
TIE = 1e-10  # values this close, relative to the largest, count as equal


def largest_eigenpairs(apply: LinearMap, size: int, n_pairs: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues, descending, and unit eigenvectors as columns; every copy of a tie."""
    if size <= DENSE_SIZE or 4 * n_pairs >= size:
        return top_eigenpairs(_matrix(apply, size), n_pairs)
    space = _KrylovSpace(apply, np.empty((0, size)), seed=0)
    values, vectors = _settled_eigenpairs(space, n_pairs, found=np.empty(0))
    while True:
        complement = _KrylovSpace(apply, vectors, seed=1)
        left, vector = _settled_eigenpairs(complement, 1, found=values)
        if left[0] <= values[-1] + TIE * np.abs(values).max():
            return values, with_fixed_signs(vectors.T)
        values = np.concatenate([values, left])
        kept = np.argsort(-values, kind="stable")[:n_pairs]
        values, vectors = values[kept], np.concatenate([vectors, vector])[kept]


def doubly_centred_product(S: Array, scale: float = 1.0) -> LinearMap:
    """Return v ↦ scale · J S J v for symmetric S, with J v = v − mean(v); reads the lower triangle alone."""
    upper_by_columns = S.T  # what BLAS, which counts down columns, calls the upper triangle

    def apply(v: Array) -> Array:
        product = dsymv(scale, upper_by_columns, v - v.mean())
        return np.asarray(product - product.mean())

    return apply


class _KrylovSpace:
    """A growing Krylov space in the complement of given orthonormal rows, and the map as seen on it."""

    def __init__(self, apply: LinearMap, excluded: Array, *, seed: int) -> None:
        self._apply = apply
        self._n_excluded, size = excluded.shape
        self._basis = np.concatenate([excluded, np.empty((32, size))])
        self._rng = np.random.default_rng(seed)
        self._diagonal: list[float] = []
        self._coupling: list[float] = []
        self._next = self._random_direction()

    @property
    def dimension(self) -> int:
        return len(self._diagonal)

    @property
    def is_invariant(self) -> bool:
        """The map does not lead out of the space: its eigenpairs there are those of the map."""
        return self._coupling[-1] == 0.0

    def grow(self) -> None:
        """Add one direction, and one row to the tridiagonal matrix."""
        last = self._n_excluded + self.dimension
        if last == len(self._basis):
            self._basis = np.concatenate([self._basis, np.empty_like(self._basis)])
        self._basis[last] = self._next
        image = self._apply(self._next)
        self._diagonal.append(float(self._next @ image))
        image = _without(image, self._basis[: last + 1])
        length = float(np.linalg.norm(image))
        is_whole = last + 1 == len(image)  # nothing can lead out of the whole space
        if is_whole or length <= INVARIANT * max(map(abs, self._diagonal + self._coupling)):
            self._coupling.append(0.0)
            self._next = self._random_direction()
        else:
            self._coupling.append(length)
            self._next = image / length

    def eigenpairs(self, n_pairs: int) -> tuple[Array, Array, Array]:
        """Return the largest Ritz values, descending, their residual norms, and their coordinates."""
        top = (self.dimension - n_pairs, self.dimension - 1)
        values, coordinates = eigh_tridiagonal(
            self._diagonal, self._coupling[:-1], select="i", select_range=top, check_finite=False
        )
        values, coordinates = values[::-1], coordinates[:, ::-1]
        return values, self._coupling[-1] * np.abs(coordinates[-1]), coordinates  # eq-lanczos-residual

    def vectors(self, coordinates: Array) -> Array:
        """Return the vectors with these coordinates, as rows."""
        rows = self._basis[self._n_excluded : self._n_excluded + self.dimension]
        return np.asarray(coordinates.T @ rows)

    def _random_direction(self) -> Array:
        used = self._basis[: self._n_excluded + self.dimension]
        direction = _without(self._rng.standard_normal(size=self._basis.shape[1:]), used)
        return direction / np.linalg.norm(direction)


def _settled_eigenpairs(space: _KrylovSpace, n_pairs: int, *, found: Array) -> tuple[Array, Array]:
    """Grow the space until its top eigenpairs are exact, or surely below all values found before."""
    while True:
        space.grow()
        if space.dimension < n_pairs or (space.dimension % 4 and not space.is_invariant):
            continue
        values, residuals, coordinates = space.eigenpairs(n_pairs)
        scale = max(np.abs(values).max(), np.abs(found).max(initial=0.0))
        margin = found.min(initial=-np.inf) - values[0]
        if residuals.max() <= RESIDUAL * scale or residuals[0] <= RESIDUAL_LEFT * margin:
            return values, space.vectors(coordinates)


def _without(vector: Array, rows: Array) -> Array:
    """Remove from the vector its parts along orthonormal rows; twice, because once leaves rounding errors."""
    for _ in range(2):
        vector = vector - (rows @ vector) @ rows
    return vector


def _matrix(apply: LinearMap, size: int) -> Array:
    A = np.stack([apply(unit) for unit in np.eye(size)])
    return (A + A.T) / 2
