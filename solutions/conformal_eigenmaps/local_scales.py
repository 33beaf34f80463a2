"""Task `local_scales`: the best scale of squared lengths around every point."""

import numpy as np

from autograder.authoring import task
from dimred_ref.conformal_eigenmaps import optimal_scales
from solutions.announced import has_equal_rows
from solutions.conformal_eigenmaps.numbers import (
    Indices,
    coinciding,
    neighborhoods,
    sides_without_the_point,
    squared_rays,
    squared_sides,
    two_clouds,
    with_coinciding_neighbors,
    with_some_points_themselves,
    with_the_point_itself,
)
from solutions.numbers import Array
from solutions.real_data import on_the_ball, some_airports


@task.code(points=2, minutes=12, see="eq-conformal-scales")
def local_scales(Z: Array, X: Array, neighbors: Indices) -> Array:
    """sᵢ = aᵢᵀbᵢ/bᵢᵀbᵢ (eq-conformal-scales)."""
    return optimal_scales(Z, X, neighbors)


@local_scales.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few neighbours in small units, more in space with the point itself or coinciding ones, and an enlarged copy."""
    copy = dict(two_clouds(rng, (9, 3), (2, 2)))
    copy["Z"] = np.round(float(rng.integers(3, 9)) * 10 * copy["X"][:, ::-1] + 7, 1)
    tiny = dict(two_clouds(rng, (7, 3), (2, 2)))
    tiny["Z"], tiny["X"] = 1e-7 * tiny["Z"], 1e-7 * tiny["X"]
    among = dict(two_clouds(rng, (10, 5), (4, 3)))
    among["neighbors"] = with_some_points_themselves(rng, among["neighbors"])
    return {
        "airports on Mercator's map": _mercator(rng),
        "three neighbours in the plane, small units": tiny,
        "five neighbours in space, the point itself among some": among,
        "an enlarged copy": copy,
        "four neighbours, two of which coincide": with_coinciding_neighbors(
            rng, two_clouds(rng, (8, 4), (2, 3))
        ),
    }


def _mercator(rng: np.random.Generator) -> task.Inputs:
    """Real places on the ball, and on the map that keeps their angles; each with its five nearest ones."""
    positions, distances = some_airports(rng, 14)
    latitude, longitude = np.radians(positions).T
    Z = np.column_stack([longitude, np.arctanh(np.sin(latitude))])
    near = np.argsort(distances, axis=1)[:, 1:6]
    return {"Z": np.round(Z, 4), "X": np.round(on_the_ball(positions), 4), "neighbors": near}


@local_scales.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two neighbours, one output coordinate, whole numbers, wide outputs."""
    whole = np.array([[0, 0], [3, 1], [1, 4], [5, 5], [2, 7]])
    return {
        "two neighbours, one coordinate": two_clouds(rng, (6, 2), (1, 4)),
        "whole numbers": {"Z": 2 * whole[:, ::-1], "X": whole, "neighbors": neighborhoods(rng, 5, 3)},
        "wide outputs": two_clouds(rng, (8, 4), (6, 2)),
    }


local_scales.ill_posed(coinciding)


def _lists(Z: Array, X: Array, neighbors: Indices) -> tuple[Array, Array]:
    return squared_sides(Z, neighbors), squared_sides(X, neighbors)


@local_scales.wrong(
    "For a copy that is enlarged by c your scale is c. The cost compares squared lengths.",
    see="eq-conformal-cost",
)
def scaled_the_lengths(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Fit lengths by lengths."""
    a, b = (np.sqrt(sides) for sides in _lists(Z, X, neighbors))
    return np.asarray((a * b).sum(axis=1) / (b**2).sum(axis=1))


@local_scales.wrong(
    "A ratio of sums is right for an enlarged copy, but not in general. The least squares fit weighs long sides more.",
    see="eq-conformal-scale",
)
def divided_the_sums(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Σa/Σb."""
    a, b = _lists(Z, X, neighbors)
    return np.asarray(a.sum(axis=1) / b.sum(axis=1))


@local_scales.wrong(
    "An average of ratios is right for an enlarged copy, but not in general. What minimises the sum of squares?",
    see="eq-conformal-scale",
)
def averaged_the_ratios(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The mean of a/b; infinite where two neighbours coincide."""
    a, b = _lists(Z, X, neighbors)
    return np.asarray(np.mean(a / b, axis=1))


@local_scales.wrong(
    "For a copy that is enlarged your scales are small. They are to turn the squared lengths of X into those of Z.",
    see="eq-conformal-similar",
)
def exchanged_before_and_after(Z: Array, X: Array, neighbors: Indices) -> Array:
    """aᵀb/aᵀa."""
    return optimal_scales(X, Z, neighbors)


@local_scales.wrong(
    "You fitted the squared lengths of X to those of Z, and turned the scale upside down. The misfit is measured in "
    "Z: a fit in the other direction leaves more.",
    see="eq-conformal-scales",
)
def inverted_the_other_fit(Z: Array, X: Array, neighbors: Indices) -> Array:
    """aᵀa/aᵀb."""
    return 1 / optimal_scales(X, Z, neighbors)


@local_scales.wrong(
    "Only the rays from a point to its neighbours were used. The pairs of the cost are pairs of neighbours.",
    see="eq-conformal-cost",
)
def measured_from_the_centre(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Only the distances between the point and its neighbours."""
    a, b = squared_rays(Z, neighbors), squared_rays(X, neighbors)
    return np.asarray((a * b).sum(axis=1) / (b**2).sum(axis=1))


@local_scales.wrong(
    "The pairs of a point with its own neighbours were counted as well. The cost runs over pairs of neighbours.",
    see="eq-conformal-cost",
)
def counted_the_point_itself(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The point joins its own neighbours."""
    return optimal_scales(Z, X, with_the_point_itself(neighbors))


@local_scales.wrong(
    "The point itself is always left out here. Where it stands among its neighbours it belongs to the pairs like any "
    "other.",
    see="eq-conformal-cost",
)
def left_the_point_out(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The point never counts, not even where it stands among its neighbours."""
    lists = zip(sides_without_the_point(Z, neighbors), sides_without_the_point(X, neighbors), strict=True)
    return np.array([a @ b / (b @ b) for a, b in lists])


@local_scales.wrong(
    "All your scales are equal. A conformal map may enlarge one place more than another.",
    see="eq-conformal-jacobian",
)
def took_one_scale_for_all(Z: Array, X: Array, neighbors: Indices) -> Array:
    """A single regression over all neighbourhoods."""
    a, b = _lists(Z, X, neighbors)
    return np.full(len(X), (a * b).sum() / (b**2).sum())


@local_scales.wrong(
    "Only neighbours that stand next to each other in the list were paired. Every pair of neighbours counts.",
    see="eq-conformal-cost",
)
def paired_successive_neighbors(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Sides between successive neighbours only."""
    a, b = (np.sum(np.diff(points[neighbors], axis=1) ** 2, axis=2) for points in (Z, X))
    return np.asarray((a * b).sum(axis=1) / (b**2).sum(axis=1))


@local_scales.wrong(
    "Here every pair counts the same, the near ones, too. The least squares fit weighs long sides more.",
    see="thm-conformal-scale",
)
def averaged_the_finite_ratios(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The mean of a/b over the pairs that are apart in X."""
    a, b = _lists(Z, X, neighbors)
    apart = b > 0
    ratios = np.divide(a, b, out=np.zeros_like(a), where=apart)
    return np.asarray(ratios.sum(axis=1) / apart.sum(axis=1))


@local_scales.also
def point_by_point(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Loops over ordered pairs."""
    scales = np.zeros(len(X))
    for i, around in enumerate(neighbors):
        above, below = 0.0, 0.0
        for j in around:
            for k in around:
                b = np.sum((X[j] - X[k]) ** 2)
                above += np.sum((Z[j] - Z[k]) ** 2) * b
                below += b * b
        scales[i] = above / below
    return scales


@local_scales.also
def by_all_distances(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Both tables of squared distances first."""
    A = np.sum((Z[:, None] - Z[None]) ** 2, axis=2)
    B = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    scales = []
    for around in neighbors:
        a, b = A[np.ix_(around, around)].ravel(), B[np.ix_(around, around)].ravel()
        scales.append(np.linalg.lstsq(b[:, None], a, rcond=None)[0][0])
    return np.array(scales)


def _stands_among_some(Z: Array, X: Array, neighbors: Array) -> bool:
    itself = np.any(neighbors == np.arange(len(neighbors))[:, None], axis=1)
    return bool(itself.any() and not itself.all())


def _has_neighbors_that_coincide(Z: Array, X: Array, neighbors: Array) -> bool:
    return any(has_equal_rows(X[row]) for row in neighbors)


local_scales.announces(
    "unless it stands among its neighbours",
    "five neighbours in space, the point itself among some",
    _stands_among_some,
)
local_scales.announces(
    "Some neighbours may coincide", "four neighbours, two of which coincide", _has_neighbors_that_coincide
)
