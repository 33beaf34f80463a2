"""Arguments become float arrays here, or are refused with the argument, its value and the bound.

Every public function passes its arguments through this module, so that bad input is
refused in one way: a ValueError that names what is wrong and what would be right.
"""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse

Array = NDArray[np.float64]

INVERTIBLE = (1e-290, 1e290)  # sizes of entries with which matrices can be decomposed, and inverted
SQUARABLE = (1e-150, 1e150)  # sizes of entries whose squares, and sums of them, are neither 0 nor infinite
MEASURABLE = (1e-70, 1e70)  # the same for squares of squared distances
REAL = frozenset("biuf")  # numpy's kinds of real numbers


def as_real(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as an array of real numbers in their own dtype: no copy, and no look at the entries."""
    if isinstance(values, np.ma.MaskedArray) and values.mask.any():  # its mask would be lost
        raise ValueError(f"{name} must have no masked entries, got {np.count_nonzero(values.mask)}")
    if issparse(values):
        kind = type(values).__name__
        raise ValueError(f"{name} must be a dense array, got a sparse {kind}: pass {name}.toarray()")
    values = _numbers_of_frame(values)
    try:
        array = np.asarray(values)
    except ValueError as ragged:
        raise ValueError(f"{name} must have rows of equal length, got rows that differ") from ragged
    if array.dtype.kind not in REAL:  # complex numbers, strings and objects are refused, never cast
        raise ValueError(f"{name} must hold real numbers, got {_other_than_numbers(values, array)}")
    return array


def _other_than_numbers(values: object, array: NDArray[Any]) -> str:
    """Say what there is in the place of real numbers: the columns of a data frame, a type, or a dtype."""
    columns: Any = getattr(getattr(values, "dtypes", None), "items", tuple)()
    others = [f"{label!r} ({dtype})" for label, dtype in columns if getattr(dtype, "kind", "") not in REAL]
    if others:
        shown = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
        return f"dtype {array.dtype} from columns {shown}: leave them out, or code them as numbers"
    if (
        array.ndim == 0 and array.dtype.kind == "O"
    ):  # a generator, None, a dict: nothing that numpy could unpack
        return f"{type(values).__name__}"
    is_castable = array.dtype.kind == "O" and all(isinstance(entry, Real) for entry in array.flat)
    return f"dtype {array.dtype}" + (": turn its numbers into floats first" if is_castable else "")


def _numbers_of_frame(values: object) -> Any:
    """Return a data frame whose columns all hold real numbers as floats, missing ones as NaN.

    Nullable columns would become objects otherwise; whatever else it is, values is returned as it is.
    """
    dtypes = getattr(values, "dtypes", ())
    kinds = [
        getattr(dtype, "kind", "") for dtype in (dtypes if np.iterable(dtypes) else [dtypes])
    ]  # of a series
    if kinds and all(kind in REAL for kind in kinds) and hasattr(values, "to_numpy"):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    return values


def _as_floats(values: ArrayLike, name: str) -> Array:
    # Always a copy: no function ever writes into its arguments.
    array = as_real(values, name).astype(np.float64)
    _largest_modulus(array, name)
    return array


def _largest_modulus(array: Array, name: str) -> float:
    largest = max(float(array.max(initial=0.0)), -float(array.min(initial=0.0)))
    if not np.isfinite(largest):
        raise ValueError(
            f"{name} must be finite, got {np.count_nonzero(~np.isfinite(array))} NaN or infinite entries"
        )
    return largest


def require_size(largest: float, name: str, sizes: tuple[float, float]) -> None:
    """Raise ValueError unless the largest modulus of some entries is 0 or lies within the sizes."""
    if largest != 0 and not sizes[0] <= largest <= sizes[1]:
        raise ValueError(
            f"{name} must have a largest entry between {sizes[0]:g} and {sizes[1]:g} in size, "
            f"so that squares can be summed, got {largest:.3g}: choose another unit"
        )


def as_matrix(values: ArrayLike, name: str = "X", *, min_rows: int = 1, min_columns: int = 1) -> Array:
    """Return values as a float64 matrix of at least the given shape; rows are samples."""
    array = as_real(values, name).astype(np.float64)  # a copy: no function ever writes into its arguments
    if array.ndim != 2:
        way_out = f": one sample is {name}[None, :], one feature {name}[:, None]" if array.ndim == 1 else ""
        raise ValueError(f"{name} must be a matrix (2 axes), got shape {array.shape}{way_out}")
    for axis, count, least in (("rows", array.shape[0], min_rows), ("columns", array.shape[1], min_columns)):
        if count < least:
            raise ValueError(f"{name} must have at least {least} {axis}, got {count}")
    require_size(_largest_modulus(array, name), name, INVERTIBLE)
    return array


def as_samples(values: ArrayLike, name: str = "X", *, min_rows: int = 2, check_finite: bool = True) -> Array:
    """Return values as a read-only float64 matrix of samples, without a copy where they are one already.

    For methods whose whole working memory is smaller than their data. A method that reads every
    entry anyway leaves out check_finite, and calls require_squares with its sums.
    """
    array = as_real(values, name)
    if array.dtype != np.float64 or array.ndim != 2 or len(array) < min_rows or array.shape[1] < 1:
        array = as_matrix(array, name, min_rows=min_rows)
    samples = array.view()
    samples.flags.writeable = False
    if check_finite:
        require_size(_largest_modulus(samples, name), name, SQUARABLE)
    return samples


def as_new_samples(
    values: ArrayLike,
    name: str = "new",
    *,
    n_columns: int,
    sizes: tuple[float, float] = INVERTIBLE,
    min_rows: int = 1,
) -> Array:
    """Return values as samples to be placed by a model: finite, with so many columns, however small.

    What is linear in them takes any size; where their squares are summed, say in which sizes that is possible.
    """
    samples = as_samples(values, name, min_rows=min_rows, check_finite=False)
    if samples.shape[1] != n_columns:
        raise ValueError(f"{name} must have {n_columns} columns, got {samples.shape[1]}")
    require_size(max(_largest_modulus(samples, name), sizes[0]), name, sizes)
    return samples


def as_points(values: ArrayLike, name: str = "X", *, min_rows: int = 1) -> Array:
    """Do the same for points whose distances will be squared, and the squares multiplied."""
    points = as_samples(values, name, min_rows=min_rows, check_finite=False)
    require_size(_largest_modulus(points, name), name, MEASURABLE)
    return points


def as_table(values: ArrayLike, name: str = "X", *, min_rows: int = 2) -> NDArray[Any]:
    """Return values as a read-only matrix of real numbers in their own dtype, unlooked at and uncopied.

    For methods that turn a few rows at a time into floats, and call require_squares with their sums.
    """
    array = as_real(values, name)
    if array.ndim != 2 or len(array) < min_rows or array.shape[1] < 1:
        as_matrix(array, name, min_rows=min_rows)
    table = array.view()
    table.flags.writeable = False
    return table


def require_squares(samples: Array, total: float, name: str = "X") -> None:
    """Raise ValueError if the squared deviations of samples, of this total, were too large or too small to add.

    Entries are looked at only when the total is suspicious: it is 0 for samples that are all equal, too.
    """
    if SQUARABLE[0] ** 2 <= total < np.inf:
        return
    as_matrix(samples, name)
    deviation = float(np.abs(samples - samples[0].astype(np.float64)).max())
    if deviation != 0:
        raise ValueError(
            f"{name} must vary so that squares can be summed, to between {SQUARABLE[0] ** 2:g} and 1.8e+308, "
            f"got deviations up to {deviation:.3g}: choose another unit"
        )


def as_orthonormal(values: ArrayLike, name: str, *, length: int) -> Array:
    """Return values as a matrix whose columns, of the given length, are orthonormal to 1e-8."""
    array = as_matrix(values, name)
    if len(array) != length:
        raise ValueError(f"{name} must have {length} rows, got {len(array)}")
    with np.errstate(over="ignore", invalid="ignore"):
        deviation = float(np.abs(array.T @ array - np.eye(array.shape[1])).max())
    if not deviation <= 1e-8:  # `not <=` also catches nan
        raise ValueError(f"{name} must have orthonormal columns, got VᵀV off the identity by {deviation:.3g}")
    return array


def as_vector(values: ArrayLike, name: str, *, length: int | None = None) -> Array:
    """Return values as a float64 vector, of the given length if one is named."""
    array = _as_floats(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a vector (1 axis), got shape {array.shape}")
    if length is not None and len(array) != length:
        raise ValueError(f"{name} must have {length} entries, got {len(array)}")
    return array


def as_direction(values: ArrayLike, name: str, *, length: int) -> Array:
    """Return the unit vector along values, which may be in any unit."""
    vector = as_vector(values, name, length=length)
    largest = np.abs(vector).max(initial=0.0)
    if largest == 0:
        raise ValueError(f"{name} must not be the zero vector")
    vector /= largest  # first, because squares might vanish or overflow
    return vector / np.linalg.norm(vector)


def as_indices(values: ArrayLike, name: str, *, size: int, axes: int = 1) -> NDArray[np.intp]:
    """Return values as whole numbers that count from 0 to size − 1."""
    array = as_real(values, name)
    if array.ndim != axes or array.dtype.kind not in "iu":
        shape = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"{name} must be whole numbers along {axes} axes, got {shape}")
    if array.size and not (array.min() >= 0 and array.max() < size):
        raise ValueError(f"{name} must lie between 0 and {size - 1}, got {array.min()} … {array.max()}")
    return array.astype(np.intp)


def as_generator(seed: object) -> np.random.Generator:
    """Return the stream of random numbers that belongs to a seed."""
    return np.random.default_rng(as_count(seed, "seed", low=0, high=2**63 - 1))


def as_square(values: ArrayLike, name: str) -> Array:
    """Return values as a square float64 matrix."""
    array = as_matrix(values, name)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be square, got shape {array.shape}")
    return array


def as_sparse(values: Any, name: str) -> csr_array:
    """Return values, sparse or dense, as a square sparse float64 matrix; zeros of a dense one are not stored."""
    if not issparse(values):
        try:
            values = as_real(values, name)
        except ValueError as no_numbers:
            kind = type(values).__name__
            wanted = "a square matrix of real numbers, sparse or dense"
            raise ValueError(f"{name} must be {wanted}, got {kind}") from no_numbers
        return csr_array(as_square(values, name))
    if values.dtype.kind not in REAL:
        raise ValueError(f"{name} must hold real numbers, got dtype {values.dtype}")
    if values.ndim != 2 or values.shape[0] != values.shape[1] or values.shape[0] == 0:
        raise ValueError(f"{name} must be square with at least 1 row, got shape {values.shape}")
    matrix = csr_array(values, dtype=np.float64)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()  # the caller's arrays are not to be written into
        matrix.sum_duplicates()
    _largest_modulus(matrix.data, name)
    return matrix


def as_symmetric(values: ArrayLike, name: str) -> Array:
    """Return values as a symmetric float64 matrix; rounding errors up to 1e-10 are averaged away."""
    array = as_square(values, name)
    asymmetry = float(np.abs(array - array.T).max(initial=0.0))
    scale = float(np.abs(array).max(initial=0.0))
    if asymmetry > 1e-10 * scale:
        raise ValueError(
            f"{name} must be symmetric, got entries that differ from their mirror by {asymmetry:.3g}"
        )
    return (array + array.T) / 2


def as_count(value: object, name: str, *, low: int = 1, high: int) -> int:
    """Return value as an int between low and high, both included."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, got {value!r}")
    if high < low:
        raise ValueError(
            f"{name} must be at least {low}, and so few samples allow {high} at most, got {value}"
        )
    if not low <= value <= high:
        raise ValueError(f"{name} must be between {low} and {high}, got {value}")
    return int(value)


def as_positive(value: Any, name: str, *, zero_allowed: bool = False) -> float:
    """Return value as a finite positive float (or zero, where that makes sense)."""
    try:
        number = float(value)
    except (TypeError, ValueError) as no_number:
        raise ValueError(f"{name} must be a number, got {value!r}") from no_number
    if not np.isfinite(number) or number < 0 or (number == 0 and not zero_allowed):
        raise ValueError(
            f"{name} must be {'non-negative' if zero_allowed else 'positive'} and finite, got {value!r}"
        )
    return number
