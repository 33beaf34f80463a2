"""Tasks `tangent_charge` and `tangent_matrix`: what local tangent space alignment charges, by hand and as a matrix."""

import numpy as np

from autograder.authoring import task
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short
from solutions.steps import Worked, eq, products, row, squares, steps, tex


def _residual(places: Array, values: Array) -> Array:
    """Return what the best line through points leaves."""
    t, y = places - places.mean(), values - values.mean()
    return np.asarray(y - t * (t @ y) / (t @ t))


@task.hand(points=2, minutes=8, see="thm-lle-variants-null")
def tangent_charge(places: Array, values: Array) -> float:
    """Return the least squared error of an affine function on the neighbourhood (thm-lle-variants-null)."""
    return float(np.sum(_residual(places, values) ** 2))


@tangent_charge.draw
def draw_charge(rng: np.random.Generator) -> task.Cases:
    """Draw four places on a line and values whose best line and error are short."""
    while True:
        places = np.sort(rng.choice(np.arange(-4, 7), size=4, replace=False)).astype(float)
        values = rng.integers(-5, 8, size=4).astype(float)
        deviations = places - places.mean()
        slope = float(deviations @ values / (deviations @ deviations))
        short = is_short(slope, 1) and is_short(places.mean(), 1) and is_short(tangent_charge(places, values))
        if short and abs(places.mean()) > 0.4 and told_apart(CHARGES, (places, values)):
            return {"the numbers of the text": {"places": places, "values": values}}


@tangent_charge.wrong(
    "Your line goes through the origin. Affine functions have a constant, and a constant costs nothing.",
    see="eq-lle-variants-ltsa",
)
def forgot_the_constant(places: Array, values: Array) -> float:
    """Fit a multiple of the places."""
    rest = values - places * (places @ values) / (places @ places)
    return float(rest @ rest)


@tangent_charge.wrong(
    "You charge for every deviation from the mean. What an affine function of the place explains costs nothing.",
    see="eq-lle-variants-ltsa",
)
def charged_for_the_slope(places: Array, values: Array) -> float:
    """Take the scatter of the values."""
    return float(np.sum((values - values.mean()) ** 2))


@tangent_charge.wrong("The line is right. Its errors are squared before they are added up.")
def added_absolute_errors(places: Array, values: Array) -> float:
    """Add absolute errors."""
    return float(np.sum(np.abs(_residual(places, values))))


@tangent_charge.wrong("This is the mean squared error. The charge is the sum, without a divisor.")
def divided_by_the_number(places: Array, values: Array) -> float:
    """Divide by k."""
    return tangent_charge(places, values) / len(places)


@tangent_charge.wrong(
    "This is the line through the first and the last point. The charge is that of the best line."
)
def joined_the_ends(places: Array, values: Array) -> float:
    """Take the chord in the place of the best line."""
    slope = (values[-1] - values[0]) / (places[-1] - places[0])
    rest = values - values[0] - slope * (places - places[0])
    return float(rest @ rest)


CHARGES = (
    tangent_charge,
    forgot_the_constant,
    charged_for_the_slope,
    added_absolute_errors,
    divided_by_the_number,
    joined_the_ends,
)


@tangent_charge.also
def by_the_correlation(places: Array, values: Array) -> float:
    """Multiply the scatter by the share that is not explained."""
    correlation = np.corrcoef(places, values)[0, 1]
    return float(len(values) * np.var(values) * (1 - correlation**2))


@tangent_charge.worked
def worked_charge(places: Array, values: Array) -> Worked:
    """Centre both, find the slope, subtract."""
    t, y = places - places.mean(), values - values.mean()
    slope = float(t @ y / (t @ t))
    rest = y - slope * t
    return steps(
        rf"Centre both: the places become ${row(t)}$ and the values ${row(y)}$. The constant is now done.",
        rf"The slope is $\frac{{{products(t, y)}}}{{{squares(t)}}}=\frac{{{tex(t @ y)}}}{{{tex(t @ t)}}}{eq(slope)}$.",
        rf"What is left of the values is ${row(rest)}$, and the charge is ${squares(rest)}{eq(rest @ rest)}$.",
    ), float(rest @ rest)


@task.code(points=3, minutes=12, see="eq-lle-variants-ltsa")
def tangent_matrix(neighbors: Array, n_components: int) -> Array:
    """Return B = I − GGᵀ, with 1/√k and local coordinates as the columns of G (eq-lle-variants-ltsa)."""
    k = len(neighbors)
    local = np.linalg.svd(neighbors - neighbors.mean(axis=0), full_matrices=False)[0][:, :n_components]
    G = np.column_stack([np.full(k, 1 / np.sqrt(k)), local])
    return np.asarray(np.eye(k) - G @ G.T)


def _patch(rng: np.random.Generator, k: int, sizes: tuple[float, ...], centre: float) -> Array:
    """Draw a neighbourhood with clear gaps between its local directions."""
    while True:
        U = np.linalg.qr(rng.normal(size=(k, len(sizes))))[0]
        U -= U.mean(axis=0)
        V = np.linalg.qr(rng.normal(size=(len(sizes), len(sizes))))[0]
        points = np.round(U * sizes @ V.T + centre, 2)
        found = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        if np.all(found[:-1] > 1.5 * found[1:]):
            return np.asarray(points)


@tangent_matrix.draw
def draw_patch(rng: np.random.Generator) -> task.Cases:
    """Draw a curve in the plane, a sheet in space, and a neighbourhood with few points."""
    return {
        "a curve in the plane": {"neighbors": _patch(rng, 5, (4.0, 1.0), 3.0), "n_components": 1},
        "a sheet in space": {"neighbors": _patch(rng, 8, (6.0, 3.0, 1.0), -2.0), "n_components": 2},
        "a curve in space, in a small unit": {
            "neighbors": 1e-6 * _patch(rng, 6, (8.0, 2.0, 0.7), 1.0),
            "n_components": 1,
        },
    }


@tangent_matrix.hard
def hard_patch(rng: np.random.Generator) -> task.Cases:
    """Draw other units, and more dimensions."""
    points = _patch(rng, 9, (9.0, 5.0, 2.0, 1.0), 2.0)
    return {
        "large unit": {"neighbors": 1e6 * points, "n_components": 2},
        "small unit": {"neighbors": 1e-6 * points, "n_components": 2},
        "three coordinates": {"neighbors": points, "n_components": 3},
        "whole numbers": {"neighbors": np.round(100 * points).astype(int), "n_components": 2},
    }


@tangent_matrix.wrong(
    "This is GGᵀ, the projector on what costs nothing. The charge is the projector on the rest.",
    see="eq-lle-variants-ltsa",
)
def gave_the_other_projector(neighbors: Array, n_components: int) -> Array:
    """Return GGᵀ."""
    return np.eye(len(neighbors)) - tangent_matrix(neighbors, n_components)


@tangent_matrix.wrong(
    "Your matrix charges for constants: B𝟏 should be zero. The first column of G holds 1/√k.",
    see="thm-lle-variants-null",
)
def forgot_the_constant_column(neighbors: Array, n_components: int) -> Array:
    """Leave the constant out of G."""
    return tangent_matrix(neighbors, n_components) + 1 / len(neighbors)


@tangent_matrix.wrong(
    "The local coordinates must be those of centred neighbours, or they are not orthogonal to the constant.",
    see="eq-lle-variants-ltsa",
)
def forgot_to_centre_the_neighbors(neighbors: Array, n_components: int) -> Array:
    """Take the singular vectors of the points as they are."""
    k = len(neighbors)
    local = np.linalg.svd(neighbors, full_matrices=False)[0][:, :n_components]
    G = np.column_stack([np.full(k, 1 / np.sqrt(k)), local])
    return np.asarray(np.eye(k) - G @ G.T)


@tangent_matrix.wrong(
    "Your local coordinates are the weakest directions of the neighbourhood. The tangent space has the strongest."
)
def took_the_weakest_directions(neighbors: Array, n_components: int) -> Array:
    """Take the last columns of U."""
    k = len(neighbors)
    local = np.linalg.svd(neighbors - neighbors.mean(axis=0), full_matrices=False)[0][:, -n_components:]
    return np.asarray(np.eye(k) - 1 / k - local @ local.T)


@tangent_matrix.wrong(
    "Local coordinates enter with length one. Yours have the lengths of scores, so GGᵀ is no projector.",
    see="eq-lle-variants-ltsa",
)
def left_scores_at_their_lengths(neighbors: Array, n_components: int) -> Array:
    """Use scores in the place of orthonormal columns."""
    k = len(neighbors)
    U, sizes, _ = np.linalg.svd(neighbors - neighbors.mean(axis=0), full_matrices=False)
    scores = (U * sizes)[:, :n_components]
    return np.asarray(np.eye(k) - 1 / k - scores @ scores.T)


@tangent_matrix.also
def by_a_least_squares_residual(neighbors: Array, n_components: int) -> Array:
    """Regress every unit vector on the constant and the scores."""
    centred = neighbors - np.mean(neighbors, axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :n_components]
    frame = np.column_stack([np.ones(len(neighbors)), centred @ axes])
    return np.asarray(np.eye(len(neighbors)) - frame @ np.linalg.pinv(frame))


@tangent_matrix.also
def by_the_gram_matrix(neighbors: Array, n_components: int) -> Array:
    """Take the local coordinates from the Gram matrix of the centred neighbours."""
    k = len(neighbors)
    J = np.eye(k) - np.full((k, k), 1 / k)
    centred = J @ neighbors
    U = np.linalg.eigh(centred @ centred.T)[1][:, ::-1][:, :n_components]
    return np.asarray(J - U @ U.T)
