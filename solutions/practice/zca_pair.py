"""Task `zca_pair`: the map that whitens two standardised features and turns nothing, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import N_POINTS, Array


def _sum_and_difference(plus: Array, minus: Array) -> Array:
    """The matrix with the eigenvalues plus for (1, 1) and minus for (1, −1): its diagonal and other entry."""
    return np.column_stack([(plus + minus) / 2, (plus - minus) / 2])


@task.sym(points=3, minutes=12, see="eq-practice-zca", parts=("a", "b"))
def zca_pair(r: Array) -> Array:
    """C^−½ has the eigenvalues 1/√(1 ± r) for the two diagonals (eq-practice-zca)."""
    return _sum_and_difference(1 / np.sqrt(1 + r), 1 / np.sqrt(1 - r))


@zca_pair.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Correlations of both signs, neither nearly 0 nor nearly ±1."""
    sizes = np.round(rng.uniform(0.15, 0.9, size=N_POINTS), 2)
    return {"at sample points": {"r": rng.permutation([1.0, -1.0] * (N_POINTS // 2)) * sizes}}


@zca_pair.wrong(
    "With this map the covariance becomes the inverse of what it was. The map acts on both sides of the covariance.",
    see="thm-practice-whitening",
)
def inverted_without_the_root(r: Array) -> Array:
    """C⁻¹."""
    return _sum_and_difference(1 / (1 + r), 1 / (1 - r))


@zca_pair.wrong("This map stretches the long axis of the cloud even more; whitening shrinks it.")
def took_the_root_without_inverting(r: Array) -> Array:
    """C^½."""
    return _sum_and_difference(np.sqrt(1 + r), np.sqrt(1 - r))


@zca_pair.wrong(
    "These are entries of a map that whitens and turns the cloud: a whitening, but not the nearest one.",
    see="thm-practice-whitening",
)
def did_not_turn_back(r: Array) -> Array:
    """The first row of V Λ^−½: whitening by PCA."""
    return np.column_stack([1 / np.sqrt(2 * (1 + r)), 1 / np.sqrt(2 * (1 - r))])


@zca_pair.wrong(
    "These are the eigenvalues of the matrix. Its entries follow when the directions are put back."
)
def gave_the_eigenvalues(r: Array) -> Array:
    """1/√(1 + r) and 1/√(1 − r), as if the matrix were diagonal."""
    return np.column_stack([1 / np.sqrt(1 + r), 1 / np.sqrt(1 - r)])


@zca_pair.wrong(
    "Right up to a factor. For r = 0 the data are white already, and the map should leave them alone.",
    see="thm-practice-standardised",
    credit=0.5,
)
def left_directions_unnormalised(r: Array) -> Array:
    """(1, ±1) as if they were unit vectors."""
    return 2 * zca_pair(r)


@zca_pair.wrong(
    "The first formula is right. For positive r the two features should become less alike: which sign must the other "
    "entry have?",
    see="thm-practice-standardised",
    credit=0.5,
)
def gave_each_direction_the_other_value(r: Array) -> Array:
    """1 − r for (1, 1): the sign of the other entry changes."""
    return zca_pair(r) * np.array([1.0, -1.0])


@zca_pair.also
def by_eigenvectors(r: Array) -> Array:
    """V Λ^−½ Vᵀ, a correlation at a time."""
    rows = []
    for rho in r:
        values, V = np.linalg.eigh(np.array([[1, rho], [rho, 1]]))
        rows.append((V / np.sqrt(values) @ V.T)[0])
    return np.array(rows)


@zca_pair.also
def by_cayley_and_hamilton(r: Array) -> Array:
    """M^½ = (M + √det M · I)/√(tr M + 2√det M) for M = C⁻¹."""
    det = 1 / (1 - r**2)
    scale = np.sqrt(2 * det + 2 * np.sqrt(det))
    return np.column_stack([(det + np.sqrt(det)) / scale, -r * det / scale])
