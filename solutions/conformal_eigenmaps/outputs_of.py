"""Task `outputs_of`: from the matrix P to the coordinates that are shown, and the share that is not."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_column_signs
from solutions.numbers import Array

Answer = tuple[Array, float]
SMALLEST_RATIO = 1.4


def _axes(P: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors, the largest first."""
    values, vectors = np.linalg.eigh(P)
    return values[::-1], vectors[:, ::-1]


@task.code(
    points=3,
    minutes=12,
    see="thm-conformal-variance",
    same=(up_to_column_signs, exactly),
    parts=("outputs", "dropped share"),
)
def outputs_of(P: Array, Y: Array, n_components: int) -> Answer:
    """Z = YVΛ^½, the first columns, and the rest of the trace (thm-conformal-variance)."""
    values, vectors = _axes(P)
    Z = (Y @ vectors) * np.sqrt(np.maximum(values, 0))
    return Z[:, :n_components], float(values[n_components:].sum())


def _problem(rng: np.random.Generator, n_points: int, spectrum: tuple[float, ...]) -> task.Inputs:
    """P with nearly these eigenvalues and trace one, and any smooth coordinates."""
    size = len(spectrum)
    V = np.linalg.qr(rng.normal(size=(size, size)))[0]
    P = np.round(V * np.array(spectrum) @ V.T, 4)
    P = (P + P.T) / 2
    P[-1, -1] += 1 - np.trace(P)
    normal = rng.normal(size=(n_points, size))
    Y = np.linalg.qr(normal - normal.mean(axis=0))[0] * np.sqrt(n_points)
    return {"P": np.round(P, 4), "Y": np.round(Y, 9)}


@outputs_of.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A plane map of three coordinates, one of five with a rest, and a single axis."""
    return {
        "two axes of three": {**_problem(rng, 8, (0.6, 0.3, 0.1)), "n_components": 2},
        "two axes of five": {**_problem(rng, 12, (0.45, 0.28, 0.16, 0.08, 0.03)), "n_components": 2},
        "one axis of two": {**_problem(rng, 6, (0.7, 0.3)), "n_components": 1},
    }


@outputs_of.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """All axes, a single coordinate, and more coordinates."""
    one = {"P": np.array([[1.0]]), "Y": np.array([[1.0], [-1.0]]), "n_components": 1}
    return {
        "all axes": {**_problem(rng, 9, (0.5, 0.3, 0.2)), "n_components": 3},
        "a single coordinate": one,
        "three axes of four": {**_problem(rng, 7, (0.5, 0.27, 0.15, 0.08)), "n_components": 3},
    }


@outputs_of.ill_posed
def _close_axes(P: Array, Y: Array, n_components: int) -> str | None:
    values = _axes(P)[0]
    if values[-1] < 0.01:
        return "P is nearly singular"
    if np.any(values[:-1] < SMALLEST_RATIO * values[1:]):
        return "two axes have nearly the same variance"
    return None


@outputs_of.wrong("The share is right. All your columns have about the same variance, whatever P is.")
def forgot_the_roots(P: Array, Y: Array, n_components: int) -> Answer:
    """YV: every axis with variance one."""
    return Y @ _axes(P)[1][:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "The share is right. The variance of a column should be an eigenvalue of P, and yours is its square."
)
def stretched_by_the_eigenvalues(P: Array, Y: Array, n_components: int) -> Answer:
    """YVΛ."""
    values, vectors = _axes(P)
    return ((Y @ vectors) * values)[:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "These are the narrowest axes of the map. In which order does the eigensolver return its pairs?",
    see="eq-conformal-trace",
)
def kept_the_smallest_axes(P: Array, Y: Array, n_components: int) -> Answer:
    """The first columns that eigh returns."""
    values, vectors = np.linalg.eigh(P)
    Z = (Y @ vectors) * np.sqrt(np.maximum(values, 0))
    return Z[:, :n_components], float(values[n_components:].sum())


@outputs_of.wrong(
    "The share is right. P is the product of the map with its own transpose, not the map.",
    see="thm-conformal-convex",
)
def applied_the_matrix_itself(P: Array, Y: Array, n_components: int) -> Answer:
    """P as the map, first columns."""
    return (Y @ P)[:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "The share is right, and all your columns together are a right map. But it was not turned to its axes before "
    "columns were dropped.",
)
def took_the_symmetric_root(P: Array, Y: Array, n_components: int) -> Answer:
    """YP^½: the right map, but not turned to its axes before columns are dropped."""
    values, vectors = _axes(P)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    return (Y @ root)[:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "The share is right, and L fits P: it is a triangular factor. But the columns of this map are not its principal "
    "axes, so dropping some of them drops the wrong ones.",
)
def used_a_cholesky_factor(P: Array, Y: Array, n_components: int) -> Answer:
    """A triangular L with LᵀL = P: a right map, in a frame that is not that of its axes."""
    return (Y @ np.linalg.cholesky(P))[:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "The share is right. These are the smooth coordinates before the map: P has not been used.",
    see="eq-conformal-map",
)
def used_the_first_coordinates(P: Array, Y: Array, n_components: int) -> Answer:
    """Y as it is: locally linear embedding."""
    return Y[:, :n_components], outputs_of(P, Y, n_components)[1]


@outputs_of.wrong(
    "The outputs are right. Your share is what the kept columns hold.", see="eq-conformal-trace"
)
def gave_the_share_that_is_shown(P: Array, Y: Array, n_components: int) -> Answer:
    """Λ of the kept axes."""
    Z, dropped = outputs_of(P, Y, n_components)
    return Z, 1 - dropped


@outputs_of.also
def by_svd(P: Array, Y: Array, n_components: int) -> Answer:
    """P is symmetric and positive: its singular values are its eigenvalues."""
    U, values, _ = np.linalg.svd(P)
    L = np.sqrt(values)[:, None] * U.T
    return (Y @ L.T)[:, :n_components], 1 - values[:n_components].sum()


@outputs_of.also
def axis_by_axis(P: Array, Y: Array, n_components: int) -> Answer:
    """A loop from the last eigenvector backwards."""
    values, vectors = np.linalg.eigh(P)
    columns = [np.sqrt(values[-1 - axis]) * (Y @ vectors[:, -1 - axis]) for axis in range(n_components)]
    return np.column_stack(columns), float(np.trace(P) - values[len(P) - n_components :].sum())
