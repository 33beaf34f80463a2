"""What the tasks on duality share: gaps of Gram matrices and the small problem itself."""

import numpy as np

from solutions.numbers import SMALLEST_RATIO, Array


def centred_products(H: Array) -> Array:
    """G = J H J (eq-duality-centring)."""
    return H - H.mean(axis=0) - H.mean(axis=1, keepdims=True) + H.mean()


def top_pairs(G: Array, n_components: int) -> tuple[Array, Array]:
    """The largest eigenvalues of a symmetric matrix, descending, and their vectors."""
    values, vectors = np.linalg.eigh((G + G.T) / 2)
    return values[::-1][:n_components], vectors[:, ::-1][:, :n_components]


def close_values(G: Array, n_components: int) -> str | None:
    """Say which two of the leading eigenvalues are too near to each other, or None."""
    values = np.append(np.linalg.eigvalsh(G)[::-1], 0.0)
    for place in range(n_components):
        if values[place] < SMALLEST_RATIO * max(values[place + 1], 1e-9 * values[0]):
            return f"eigenvalues {place + 1} and {place + 2} are nearly equal"
    return None
