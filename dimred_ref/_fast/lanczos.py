"""Top eigenpairs of a symmetric map that is known only by what it does to a vector.

Lanczos' method writes the map, seen on the Krylov space span{q, Aq, A²q, …}, as a small tridiagonal
matrix whose outer eigenvalues soon agree with those of A:

A Q = Q T + β q₊ eᵀ,   T s = θ s   ⇒   ‖A Qs − θ Qs‖ = β |s_last|        (eq-lanczos-residual)

A Krylov space holds one vector of each eigenspace and no more, so a repeated eigenvalue would be
returned once. Therefore a second run starts from a random r in the orthogonal complement of what was
found. How much of r may lie along eigenvectors with values of μ or more, when T has only smaller ones?
The polynomials p_j that are orthonormal for the spectral measure of r tell (Chebyshev and Markov):

β_j p_j(μ) = (μ − α_j) p_{j−1}(μ) − β_{j−1} p_{j−2}(μ),   p₀ = 1
share of r above μ  ≤  1 / Σ_j p_j(μ)²                                   (eq-lanczos-share)

They grow geometrically unless something is there, so a few steps show whether anything was missed. They are
fewest in the complement of all of Q, not of what was found alone. Q is not invariant, but one vector
leads out of it, and by Haynsworth's law of inertia as many eigenvalues of A exceed μ as T has there, and this map:

A + c q₊q₊ᵀ on the complement of Q,   c = β² [(μ − T)⁻¹]_last,last       (eq-lanczos-schur)
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.linalg.blas import daxpy, ddot, dgemv, dsymv
from scipy.linalg.lapack import dstemr

from dimred_ref._arrays import Array
from dimred_ref._eigen import top_eigenpairs, with_fixed_signs

LinearMap = Callable[[Array], Array]

DENSE_SIZE = 200  # below it one dense eigenproblem is faster than building a Krylov space
ANGLE = 1e-10  # of an eigenvector with the true one: its residual relative to the gap beside its value,
ROUNDING = 1e-14  # or, where that is less, relative to the largest value
RESIDUAL = 1e-12  # of a pair that was missed at first, relative to its value
# That an eigenvector is missed: a random unit vector of N entries has a share (squared) of less than
# c²/N along a given direction with a chance of less than c.
CHANCE = 1e-6
INVARIANT = 1e-14  # what is left of a new direction, relative to the map, when it is rounding errors only
# A value this far above another, relative to it and to the largest, is no copy of it.
TIE, TIE_OF_LARGEST = 1e-8, 1e-12
ROWS = 16  # of a basis, at first
BY_INDEX = 2  # which eigenvalues LAPACK is asked for


def largest_eigenpairs(
    apply: LinearMap, size: int, n_pairs: int, angle: float = ANGLE
) -> tuple[Array, Array]:
    """Return the largest eigenvalues, descending, and unit eigenvectors as columns; every copy of a tie."""
    if size <= DENSE_SIZE or 4 * n_pairs >= size:
        return top_eigenpairs(_matrix(apply, size), n_pairs)
    space = KrylovSpace(apply, np.empty((0, size)), seed=0)
    values, vectors = _settled_eigenpairs(space, n_pairs, angle)
    if space.is_whole or missed_eigenpair(space.left(_search_level(values)), values) is None:
        return values, with_fixed_signs(vectors.T)
    del space
    for run in range(2, n_pairs + 3):  # each pair that was missed belongs to the answer: no more can follow
        # a fresh start each time: of the old one, all that lies in the eigenspace has been found
        missed = missed_eigenpair(KrylovSpace(apply, vectors, seed=run), values)
        if missed is None:
            return values, with_fixed_signs(vectors.T)
        values = np.append(values, missed[0])
        kept = np.argsort(-values, kind="stable")[:n_pairs]
        values, vectors = values[kept], np.concatenate([vectors, missed[1]])[kept]
    raise ArithmeticError(f"the map must be symmetric: more than {n_pairs} eigenvectors went on to turn up")


def doubly_centred_product(S: Array, scale: float = 1.0) -> LinearMap:
    """Return v ↦ scale · J S J v for symmetric S, with J v = v − mean(v); reads the lower triangle alone."""
    upper_by_columns = S.T  # what BLAS, which counts down columns, calls the upper triangle

    def apply(v: Array) -> Array:
        product = dsymv(scale, upper_by_columns, v - v.mean())
        return np.asarray(product - product.mean())

    return apply


def times(A: Array, v: Array) -> Array:
    """Return A v by scipy's BLAS, of which alone there is a symmetric product.

    Where numpy and scipy each bring a BLAS with threads of its own, these wait for each other if a loop uses
    both in turn, and it takes ten times as long: loops over a map use this one alone.
    """
    return np.asarray(dgemv(1.0, A, v) if A.flags.f_contiguous else dgemv(1.0, A.T, v, trans=1))


class KrylovSpace:
    """A growing Krylov space in the complement of given orthonormal rows, and the map as seen on it."""

    def __init__(self, apply: LinearMap, excluded: Array, *, seed: int) -> None:
        self._apply = apply
        self._n_excluded, size = excluded.shape
        self._basis = np.concatenate([excluded, np.empty((ROWS, size))])
        self.largest = 0.0  # entry of the tridiagonal matrix
        self._rng = np.random.default_rng(seed)
        self._diagonal: list[float] = []
        self._coupling: list[float] = []
        self._next = self._random_direction()

    @property
    def size(self) -> int:
        return int(self._basis.shape[1])

    @property
    def dimension(self) -> int:
        return len(self._diagonal)

    @property
    def trace(self) -> float:
        return sum(self._diagonal)

    @property
    def is_whole(self) -> bool:
        """The space is all of the complement: nothing leads out of it, and all residuals are 0."""
        return bool(self._n_excluded + self.dimension >= self.size)

    @property
    def is_invariant(self) -> bool:
        """The map does not lead out of the space: its eigenpairs there are those of the map."""
        return self._coupling[-1] == 0.0

    def grow(self) -> None:
        """Add one direction, and one row to the tridiagonal matrix."""
        last = self._n_excluded + self.dimension
        if last == len(self._basis):
            # In place, without a second copy: no other array looks into this memory.
            self._basis.resize((last + max(ROWS, last // 8), self.size), refcheck=False)
        self._basis[last] = self._next
        image = self._apply(self._next)
        self._diagonal.append(ddot(self._next, image))
        if not math.isfinite(self._diagonal[-1]):
            raise ArithmeticError("the map must be finite, but it sends a unit vector to NaN or infinity")
        image = image - self._diagonal[-1] * self._next
        if self._coupling:
            image = daxpy(self._basis[last - 1], image, a=-self._coupling[-1])
        image = _without(image, self._basis[: last + 1])
        length = _length(image)
        self.largest = max(self.largest, abs(self._diagonal[-1]))
        if self.is_whole or length <= INVARIANT * self.largest:
            self._coupling.append(0.0)
            self._next = self._random_direction()
        else:
            self.largest = max(self.largest, length)
            self._coupling.append(length)
            self._next = image / length

    def eigenpairs(self, n_pairs: int, n_skipped: int = 0) -> tuple[Array, Array, Array]:
        """Return the largest Ritz values, descending, their residual norms, and their coordinates.

        The first n_skipped of them are left out.
        """
        first, last = self.dimension - n_pairs + 1, self.dimension - n_skipped  # counted from 1
        # what scipy.linalg.eigh_tridiagonal calls, without its checks: they take longer than small problems do
        count, values, coordinates, failure = dstemr(
            self._diagonal, [*self._coupling[:-1], 0.0], BY_INDEX, 0.0, 0.0, first, last
        )
        if failure or count != n_pairs - n_skipped:
            # stemr gives up now and then on a space that has grown beyond all distinct values
            values, vectors = eigh_tridiagonal(self._diagonal, self._coupling[:-1], lapack_driver="stev")
            chosen = slice(first - 1, last)
            values, coordinates, count = values[chosen], vectors[:, chosen], last - first + 1
        values, coordinates = values[:count][::-1], coordinates[:, :count][:, ::-1]
        return values, self._coupling[-1] * np.abs(coordinates[-1]), coordinates  # eq-lanczos-residual

    def share_above(self, level: float) -> float:
        """Bound the squared part of the start along eigenvectors with values above the level; 1: no bound."""
        before, current, total, last = 0.0, 1.0, 1.0, 0.0
        for alpha, beta in zip(self._diagonal, self._coupling, strict=True):
            if beta == 0.0:
                return 1.0
            before, current = current, ((level - alpha) * current - last * before) / beta
            if current <= 0:  # a value of T lies above the level (Sturm)
                return 1.0
            total, last = total + current * current, beta
        return 1 / total  # eq-lanczos-share

    def left(self, level: float) -> "KrylovSpace":
        """Turn this into a space in its complement, with the map of eq-lanczos-schur, from a random start.

        That map has as many values above the level as the map itself has besides those of the space.
        """
        pivot, before = 1.0, 0.0  # pivots of μ − T: the last is the inverse of what c needs
        for alpha, beta in zip(self._diagonal, self._coupling, strict=True):
            pivot = level - alpha - before * (before / pivot) or INVARIANT * self.largest or 1.0
            before = beta
        c, outward, apply = before * (before / pivot), self._next, self._apply
        self._apply = lambda v: apply(v) + (c * ddot(outward, v)) * outward
        self._n_excluded += self.dimension
        self.largest, self._diagonal, self._coupling = 0.0, [], []
        self._next = self._random_direction()
        return self

    def vectors(self, coordinates: Array) -> Array:
        """Return the vectors with these coordinates, as rows."""
        rows = self._basis[self._n_excluded : self._n_excluded + self.dimension]
        return np.asarray(coordinates.T @ rows)

    def _random_direction(self) -> Array:
        used = self._basis[: self._n_excluded + self.dimension]
        direction = _without(self._rng.standard_normal(size=self._basis.shape[1:]), used)
        return direction / np.linalg.norm(direction)


def _settled_eigenpairs(space: KrylovSpace, n_pairs: int, angle: float) -> tuple[Array, Array]:
    """Grow the space until its top eigenpairs are exact: at the latest when it is whole."""
    pause, before = n_pairs + 1, np.inf
    while not space.is_whole:
        for _ in range(min(pause, space.size - space.dimension)):
            space.grow()
        values, (residual, _), _ = space.eigenpairs(n_pairs + 1, n_pairs - 1)  # the last wanted settles last
        (allowed,) = _allowed(values, space.largest, angle)
        if residual <= allowed:
            values, residuals, coordinates = space.eigenpairs(n_pairs + 1)
            if (residuals[:-1] <= _allowed(values, space.largest, angle)).all():
                return values[:-1], space.vectors(coordinates[:, :-1])
        pause, before = _steps_left(pause, (before, residual, allowed), space.dimension), residual
    values, _, coordinates = space.eigenpairs(n_pairs)
    return values, space.vectors(coordinates)


def _allowed(values: Array, largest: float, angle: float) -> Array:
    """Return the residuals with which all values but the last are exact, by the gaps beside them."""
    gaps = values[:-1] - values[1:]
    beside = np.minimum(gaps, np.append(np.inf, gaps[:-1]))
    allowed: Array = np.maximum(angle * beside, ROUNDING * largest)
    return allowed


def _steps_left(steps: int, residuals: tuple[float, float, float], dimension: int) -> int:
    """Return after how many more steps to look again: half of what the gain of the last ones promises.

    Half, because convergence quickens as the space grows; and a small part of its dimension at least.
    """
    before, now, allowed = residuals
    least, most = 2 + dimension // 40, 2 + dimension // 2
    if not before > now > allowed > 0:
        return least
    return int(np.clip(steps * np.log(now / allowed) / np.log(before / now) / 2, least, most))


def _level(values: Array) -> float:
    """Return what an eigenvalue must exceed to be more than a copy of the least of these."""
    least, largest = float(values[-1]), float(np.abs(values).max())
    return least + TIE * abs(least) + TIE_OF_LARGEST * largest


def _search_level(values: Array) -> float:
    """Return a level on half of the way: the other half is for rounding, and for what these values are off."""
    return (float(values[-1]) + _level(values)) / 2


def missed_eigenpair(space: KrylovSpace, found: Array) -> tuple[Array, Array] | None:
    """Return an exact eigenpair above the least found, from the complement of what is excluded; None if none is."""
    level, search_level = _level(found), _search_level(found)
    while True:
        space.grow()
        if space.share_above(search_level) <= CHANCE**2 / space.size:
            return None
        if space.dimension % 16 == 0 or space.is_invariant:
            values, residuals, coordinates = space.eigenpairs(1)
            if residuals[0] <= RESIDUAL * max(abs(level), abs(values[0])) or space.is_whole:
                return (values, space.vectors(coordinates)) if values[0] > level else None


def _without(vector: Array, rows: Array) -> Array:
    """Remove from the vector, in place, its parts along orthonormal rows; again if little is left, mostly errors."""
    length = _length(vector)
    for _ in range(2 if len(rows) else 0):
        vector = dgemv(-1.0, rows.T, times(rows, vector), beta=1.0, y=vector, overwrite_y=1)
        before, length = length, _length(vector)
        if length > before / 2:
            break
    return vector


def _length(vector: Array) -> float:
    return math.sqrt(ddot(vector, vector))


def _matrix(apply: LinearMap, size: int) -> Array:
    A = np.stack([apply(unit) for unit in np.eye(size)])
    return (A + A.T) / 2
