"""Classical multidimensional scaling: coordinates from a table of distances."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg.blas import dsymv

from dimred_ref._arrays import (
    MEASURABLE,
    Array,
    as_count,
    as_points,
    as_positive,
    as_real,
    as_square,
    as_vector,
    require_size,
)
from dimred_ref._fast.lanczos import doubly_centred_product, largest_eigenpairs
from dimred_ref._result import Result

TILE = 256  # a tile and its mirror image stay in the cache together
ASYMMETRY = 1e-10  # entries may differ from their mirror by this part of the largest; they are averaged


@dataclass(frozen=True, eq=False, repr=False)
class ClassicalMDS(Result):
    """Coordinates whose dot products come nearest to those that the distances imply.

    A table that is not Euclidean has a Gram matrix with negative eigenvalues. No real coordinates can
    express them: they are left out of the embedding and counted in the strain.
    """

    embedding: Array  # (N, d), centred, columns by descending eigenvalue
    eigenvalues: Array  # (d,), descending, all positive
    trace: float  # sum of all N eigenvalues of the Gram matrix, the negative ones included
    strain: float  # ‖G − YYᵀ‖²: the sum of the squares of all other eigenvalues
    mean_squared_distances: Array  # (N,), of each point to all; what extend needs

    @property
    def explained_share(self) -> float:
        """The share of ‖G‖² = Σ λ² that the embedding expresses, over all N eigenvalues: 1 − strain / ‖G‖²."""
        kept = float(self.eigenvalues @ self.eigenvalues)
        return kept / (kept + self.strain)

    def transform(self, distances: ArrayLike) -> Array:
        """Place new points (rows) from their distances to the N points of the model (columns), as extend does."""
        return extend(self, distances)

    @property
    def negative_mass_at_least(self) -> float:
        """Lower bound of Σ|λ| over the negative λ, from the trace; exact once every λ > 0 is kept.

        Σ_{λ<0} |λ| = Σ_{λ>0} λ − tr G ≥ λ₁ + … + λ_d − tr G        (eq-classical-mds-negative-mass)
        """
        surplus = float(self.eigenvalues.sum()) - self.trace
        rounding = 1e-12 * float(self.eigenvalues.sum())
        return surplus if surplus > rounding else 0.0


def classical_mds(distances: ArrayLike, n_components: int) -> ClassicalMDS:
    """Place points so that their distances come near to those of the table.

    G = −½ J Δ⁽²⁾ J,   J = I − 11ᵀ/N        (eq-classical-mds-gram)
    G v_α = λ_α v_α,   λ₁ ≥ λ₂ ≥ …          (eq-classical-mds-eigenproblem)
    y_iα = √λ_α v_iα                        (eq-classical-mds-embedding)

    Only positive eigenvalues give coordinates: asking for more dimensions than there are is a ValueError.
    The answer is fixed up to a sign per column, and up to a rotation among equal eigenvalues.

    Parameters
    ----------
    distances : (N, N) table: symmetric, not negative, 0 on the diagonal
    n_components : number of coordinates, at most the number of positive eigenvalues

    Returns
    -------
    ClassicalMDS
        embedding (N, d), eigenvalues, trace, strain; transform from distances to the N points

    Cost
    ----
    At most O(N³) time, for the eigenvectors; O(N²) memory.

    Counterpart
    -----------
    sklearn.manifold.ClassicalMDS.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> fit = dr.classical_mds([[0, 3, 4], [3, 0, 5], [4, 5, 0]], 2)
    >>> gap = fit.embedding[1] - fit.embedding[2]
    >>> round(float(gap @ gap), 6)
    25.0
    """
    return classical_mds_of_squared(_squared_lower_triangle(distances), n_components)


def classical_mds_of_squared(squared_distances: Array, n_components: int) -> ClassicalMDS:
    """Do the same from squared distances in the lower triangle of a float64 matrix, taken on trust."""
    size = len(squared_distances)
    n_components = as_count(n_components, "n_components", high=size - 1)
    means = dsymv(1 / size, squared_distances.T, np.ones(size))
    # G is never formed: J is applied before and after each product with Δ⁽²⁾
    gram_product = doubly_centred_product(squared_distances, -0.5)
    eigenvalues, vectors = largest_eigenpairs(gram_product, size, n_components)
    require_positive(eigenvalues, size)
    squared_norm = _squared_norm_of_gram(squared_distances, means)
    return ClassicalMDS(
        embedding=vectors * np.sqrt(eigenvalues),
        eigenvalues=eigenvalues,
        trace=float(means.sum()) / 2,
        strain=max(0.0, squared_norm - float(eigenvalues @ eigenvalues)),
        mean_squared_distances=means,
    )


def extend(model: ClassicalMDS, distances: ArrayLike) -> Array:
    """Place new points (rows) from their distances to the N points of the model (columns).

    y_α(x) = ½ λ_α⁻¹ Σᵢ y_iα (mean_j Δᵢⱼ² − δᵢ(x)²)        (eq-classical-mds-extension)

    A point of the model is put where it was, and Euclidean distances in d dimensions are kept exactly.
    """
    deltas = as_points(distances, "distances")
    if deltas.shape[1] != len(model.embedding):
        raise ValueError(
            f"distances must have one column per point of the model, {len(model.embedding)}, "
            f"got {deltas.shape[1]}"
        )
    if deltas.min(initial=0.0) < 0:
        raise ValueError(f"distances must not be negative, got {deltas.min()}")
    return (model.mean_squared_distances - deltas**2) @ model.embedding / (2 * model.eigenvalues)


def double_centred(squared_distances: ArrayLike) -> Array:
    """Return the Gram matrix of the centred points that have these squared distances.

    G_ij = −½ (Δᵢⱼ² − mean_k Δᵢₖ² − mean_l Δₗⱼ² + mean_kl Δₖₗ²)        (eq-classical-mds-double-centring)
    """
    squared = as_square(squared_distances, "squared_distances")
    row_means = squared.mean(axis=1, keepdims=True)
    column_means = squared.mean(axis=0, keepdims=True)
    gram: Array = -(squared - row_means - column_means + squared.mean()) / 2
    return gram


def squared_table(distances: ArrayLike) -> Array:
    """Return the squares of a square table, whose fourth powers can still be summed."""
    return as_square(as_points(distances, "distances"), "distances") ** 2


def strain(distances: ArrayLike, embedding: ArrayLike) -> float:
    """Return the squared error of the dot products, ‖G − YYᵀ‖² (eq-classical-mds-strain)."""
    Y = as_points(embedding, "embedding")
    gram = double_centred(squared_table(distances))
    return float(((gram - Y @ Y.T) ** 2).sum())


def gram_spectrum(distances: ArrayLike) -> Array:
    """Return all N eigenvalues of the Gram matrix, descending: O(N³), to see how Euclidean a table is."""
    gram = double_centred(squared_table(distances))
    return np.asarray(np.linalg.eigvalsh((gram + gram.T) / 2)[::-1], dtype=np.float64)


def n_components_for_share(eigenvalues: ArrayLike, share: float) -> int:
    """Return the least number of coordinates that express at least this share of Σ λ².

        Σ_{α≤d} λ_α² / Σ_α λ_α² ≥ share,   λ_α > 0        (eq-classical-mds-strain)

    What is left out is the strain. Of a table that is not Euclidean, negative eigenvalues count in the
    denominator and no coordinate can express them: a share that is out of reach is refused.

    Parameters
    ----------
    eigenvalues : all N of them, in any order, as gram_spectrum returns them
    share : in (0, 1]

    Returns
    -------
    int

    Cost
    ----
    O(N) time for N eigenvalues.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.n_components_for_share([6.0, 3.0, 1.0], share=0.85)
    2
    """
    spectrum = np.sort(as_vector(eigenvalues, "eigenvalues"))[::-1]
    share = as_positive(share, "share")
    largest = float(np.abs(spectrum).max(initial=0.0))
    if share > 1 or largest == 0:
        raise ValueError(f"share must be in (0, 1] and eigenvalues not all 0, got share {share}")
    squares = (spectrum / largest) ** 2
    reached = np.cumsum(squares[spectrum > 0]) / squares.sum()
    within_reach = float(reached[-1]) if len(reached) else 0.0
    if within_reach < share - 1e-12:
        raise ValueError(f"share must be at most {within_reach:.6g}: the rest is negative, got {share}")
    return int(np.argmax(reached >= share - 1e-12)) + 1


def negative_mass(distances: ArrayLike) -> float:
    """Return Σ|λ| over the negative eigenvalues of the Gram matrix: 0 exactly for Euclidean tables. O(N³)."""
    spectrum = gram_spectrum(distances)
    negative = spectrum[spectrum < -1e-12 * np.abs(spectrum).max()]
    return float(np.abs(negative).sum())


def _squared_lower_triangle(distances: ArrayLike) -> Array:
    """Check a table of distances and return its squares, in the lower triangle of a new matrix."""
    table = as_real(distances, "distances")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        way_out = (
            ": scipy.spatial.distance.squareform makes a table of pdist's vector" if table.ndim == 1 else ""
        )
        raise ValueError(
            f"distances must be a square table of at least 2 points, got shape {table.shape}{way_out}"
        )
    squared = np.empty(table.shape)
    ranges = []  # checked at the end: one look at the table serves all checks, and the squares
    with np.errstate(invalid="ignore", over="ignore"):
        for rows, columns in lower_tiles(len(table)):
            # floats first: squares of small integers overflow
            tile, mirror = (
                np.asarray(part, np.float64) for part in (table[rows, columns], table[columns, rows].T)
            )
            difference = tile - mirror
            ranges.append((tile.min(), tile.max(), np.abs(difference, out=difference).max()))
            np.square(tile if ranges[-1][2] == 0 else (tile + mirror) / 2, out=squared[rows, columns])
    _check_entries(np.array(ranges), np.diagonal(table))
    return squared


def _check_entries(ranges: Array, diagonal: NDArray[Any]) -> None:
    """Raise ValueError unless smallest, largest and asymmetry of all tiles are those of distances."""
    smallest, (largest, asymmetry) = ranges[:, 0].min(), ranges[:, 1:].max(axis=0)
    if not np.isfinite(ranges).all():
        raise ValueError("distances must be finite, got NaN or infinite entries")
    if smallest < 0:
        raise ValueError(f"distances must not be negative, got {smallest}")
    require_size(float(largest), "distances", MEASURABLE)
    if diagonal.any():
        raise ValueError(f"distances must have a zero diagonal, got {diagonal.max()} on it")
    if asymmetry > ASYMMETRY * largest:
        raise ValueError(
            f"distances must be symmetric, got entries that differ from their mirror by {asymmetry:.3g}"
        )


def lower_tiles(size: int) -> Iterator[tuple[slice, slice]]:
    """Yield rows and columns of square tiles that cover the lower triangle of a matrix, diagonal included."""
    for start in range(0, size, TILE):
        for left in range(0, start + 1, TILE):
            yield slice(start, start + TILE), slice(left, left + TILE)


def require_positive(
    eigenvalues: Array, size: int, largest_entry: float = 0.0, cause: str = "the points all coincide"
) -> None:
    """Raise ValueError unless all eigenvalues exceed the rounding errors of a matrix of this size.

    Centring leaves errors as large as those of the entries: they count where the centred matrix is small.
    The cause is what may be the matter where no eigenvalue is positive.
    """
    rounding = size * np.finfo(np.float64).eps * max(float(np.abs(eigenvalues).max()), largest_entry)
    n_positive = int(np.count_nonzero(eigenvalues > rounding))
    if n_positive == 0:
        raise ValueError(f"some eigenvalue must be positive, got none: {cause}")
    if n_positive < len(eigenvalues):
        raise ValueError(
            f"n_components must be at most {n_positive}, the number of positive eigenvalues, "
            f"got {len(eigenvalues)}"
        )


def _squared_norm_of_gram(squared: Array, means: Array) -> float:
    """Return ‖−½ J S J‖² = ¼ (‖S‖² − 2N Σ mᵢ² + N² m²), with the row means mᵢ and the mean m of S."""
    size = len(squared)
    below = sum(float(np.vdot(row[:i], row[:i])) for i, row in enumerate(squared))
    grand_mean = float(means.mean())
    return (2 * below - 2 * size * float(means @ means) + (size * grand_mean) ** 2) / 4
