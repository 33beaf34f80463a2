"""What the tasks on classical scaling share: tables of distances, Euclidean and not, and their spectra."""

import numpy as np

from dimred_ref.classical_mds import gram_spectrum
from solutions.numbers import SMALLEST_RATIO, Array


def table_of(X: Array) -> Array:
    """The distances between the rows of X, as short decimals."""
    differences = X[:, None, :] - X[None, :, :]
    return np.round(np.sqrt((differences**2).sum(axis=2)), 3)


def random_table(rng: np.random.Generator, n_points: int) -> Array:
    """Whole numbers that are nobody's distances: the Gram matrix has negative eigenvalues."""
    upper = np.triu(rng.integers(1, 10, size=(n_points, n_points)), 1).astype(float)
    return upper + upper.T


def pairs_by_value(G: Array) -> tuple[Array, Array]:
    """All eigenvalues of a symmetric matrix, descending, and their vectors."""
    values, vectors = np.linalg.eigh((G + G.T) / 2)
    return values[::-1], vectors[:, ::-1]


def with_fixed_signs(Y: Array) -> Array:
    """The map with the first clear entry of every column positive: a key should not depend on a free sign."""
    clear = np.argmax(np.abs(Y) > np.abs(Y).max(axis=0) / 2, axis=0)
    return Y * np.sign(Y[clear, np.arange(Y.shape[1])])


def unclear_cut(distances: Array, n_components: int) -> str | None:
    """Say why the best map in so many dimensions is not clearly one map, or None."""
    spectrum = np.append(gram_spectrum(distances), -np.inf)
    kept, dropped = spectrum[n_components - 1], spectrum[n_components]
    clear = 1e-3 * spectrum[0]
    if abs(kept) < clear and kept != 0 and abs(kept) > 1e-9 * spectrum[0]:
        return "the last eigenvalue that is kept is nearly zero"
    if kept > clear and kept < SMALLEST_RATIO * dropped:
        return "the last eigenvalue that is kept and the next are nearly equal"
    return None
