"""Task `angle_cost`: how badly a map keeps the angles between neighbours, with the best scales."""

from collections.abc import Callable

import numpy as np

from autograder.authoring import task
from dimred_ref.conformal_eigenmaps import conformal_cost
from solutions.conformal_eigenmaps.local_scales import local_scales
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
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="eq-conformal-cost")
def angle_cost(Z: Array, X: Array, neighbors: Indices) -> float:
    """𝒟(z, s) with the best s (eq-conformal-cost)."""
    return conformal_cost(Z, X, neighbors)


@angle_cost.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few neighbours mapped to space, more mapped to a line, and a sheet that is stretched along one axis.

    In one case some points stand among their own neighbours, in another some neighbours coincide.
    """
    sheet = dict(two_clouds(rng, (9, 4), (2, 2)))
    sheet["Z"] = np.round(sheet["X"] * [0.5, 0.2], 2)
    among = dict(two_clouds(rng, (10, 5), (1, 3)))
    among["neighbors"] = with_some_points_themselves(rng, among["neighbors"])
    tiny = dict(two_clouds(rng, (7, 3), (3, 2)))
    tiny["Z"], tiny["X"] = 1e-4 * tiny["Z"], 1e-4 * tiny["X"]
    return {
        "three neighbours, outputs in space, small units": tiny,
        "five neighbours, outputs on a line, the point itself among some": among,
        "a stretched sheet": sheet,
        "four neighbours, two of which coincide": with_coinciding_neighbors(
            rng, two_clouds(rng, (8, 4), (2, 3))
        ),
    }


@angle_cost.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, tiny outputs, wide outputs."""
    whole = np.array([[0, 0], [3, 1], [1, 4], [5, 5], [2, 7]])
    return {
        "whole numbers": {"Z": whole * [2, 1], "X": whole, "neighbors": neighborhoods(rng, 5, 3)},
        "wide outputs": two_clouds(rng, (8, 4), (6, 2)),
    }


angle_cost.ill_posed(coinciding)


@angle_cost.follows(local_scales)
def _the_same_inputs(Z: Array, X: Array, neighbors: Indices) -> task.Inputs:
    return {"Z": Z, "X": X, "neighbors": neighbors}


def _lists(Z: Array, X: Array, neighbors: Indices) -> tuple[Array, Array]:
    return squared_sides(Z, neighbors), squared_sides(X, neighbors)


def _cost(a: Array, b: Array, scales: Array) -> float:
    return 2 * float(((a - scales[:, None] * b) ** 2).sum())


@angle_cost.wrong(
    "The sums over j and k run independently: how often does a pair of neighbours occur?",
    credit=FACTOR_OF_TWO,
)
def counted_each_pair_once(Z: Array, X: Array, neighbors: Indices) -> float:
    """Pairs j < k only."""
    return angle_cost(Z, X, neighbors) / 2


@angle_cost.wrong(
    "Twice as large outputs should cost sixteen times as much; yours cost four times as much.",
    see="thm-conformal-trivial",
)
def compared_lengths(Z: Array, X: Array, neighbors: Indices) -> float:
    """Lengths in the place of squared lengths, with their own best scales."""
    a, b = (np.sqrt(sides) for sides in _lists(Z, X, neighbors))
    return _cost(a, b, (a * b).sum(axis=1) / (b**2).sum(axis=1))


@angle_cost.wrong(
    "Your cost asks that lengths are kept. Here each neighbourhood may choose its own scale.",
    see="eq-conformal-similar",
)
def left_the_scale_at_one(Z: Array, X: Array, neighbors: Indices) -> float:
    """An isometry is asked for."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, np.ones(len(a)))


@angle_cost.wrong(
    "One scale was used for all points. The local scales carry an index.", see="eq-conformal-scales"
)
def took_one_scale_for_all(Z: Array, X: Array, neighbors: Indices) -> float:
    """A single scale for all points."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, np.full(len(a), (a * b).sum() / (b**2).sum()))


@angle_cost.wrong(
    "With other scales the cost would be smaller than yours: the best ones come from a regression.",
    see="eq-conformal-scale",
)
def took_the_ratio_of_sums(Z: Array, X: Array, neighbors: Indices) -> float:
    """Scales that are not the best."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, a.sum(axis=1) / b.sum(axis=1))


@angle_cost.wrong(
    "Absolute values were added. The scales minimise another sum, in which large misfits weigh more."
)
def did_not_square_the_misfit(Z: Array, X: Array, neighbors: Indices) -> float:
    """Absolute values in the place of squares."""
    a, b = _lists(Z, X, neighbors)
    scales = (a * b).sum(axis=1) / (b**2).sum(axis=1)
    return 2 * float(np.abs(a - scales[:, None] * b).sum())


@angle_cost.wrong(
    "The pairs of a point with its own neighbours were counted as well. The cost runs over pairs of neighbours."
)
def counted_the_point_itself(Z: Array, X: Array, neighbors: Indices) -> float:
    """The point joins its own neighbours."""
    return conformal_cost(Z, X, with_the_point_itself(neighbors))


@angle_cost.wrong(
    "Only the rays from a point to its neighbours were used. The pairs of the cost are pairs of neighbours."
)
def measured_from_the_centre(Z: Array, X: Array, neighbors: Indices) -> float:
    """Only the distances between the point and its neighbours."""
    a, b = squared_rays(Z, neighbors), squared_rays(X, neighbors)
    return _cost(a, b, (a * b).sum(axis=1) / (b**2).sum(axis=1))


@angle_cost.wrong(
    "The point itself is always left out here. Where it stands among its neighbours it belongs to the pairs like any "
    "other.",
)
def left_the_point_out(Z: Array, X: Array, neighbors: Indices) -> float:
    """The point never counts, not even where it stands among its neighbours."""
    lists = zip(sides_without_the_point(Z, neighbors), sides_without_the_point(X, neighbors), strict=True)
    return 2 * float(sum(np.sum((a - a @ b / (b @ b) * b) ** 2) for a, b in lists))


@angle_cost.wrong(
    "Pairs of neighbours that coincide in X were left out. Their images may lie apart, and that costs."
)
def skipped_coinciding_neighbors(Z: Array, X: Array, neighbors: Indices) -> float:
    """Pairs at distance zero in X are left out, although their images may differ."""
    a, b = _lists(Z, X, neighbors)
    return _cost(np.where(b > 0, a, 0.0), b, (a * b).sum(axis=1) / (b**2).sum(axis=1))


# scales from wrong pairs come with the same wrong pairs in the cost, which stand above
@angle_cost.inherits(
    local_scales,
    without=(
        "took_one_scale_for_all",
        "divided_the_sums",
        "counted_the_point_itself",
        "measured_from_the_centre",
        "left_the_point_out",
    ),
)
def with_scales(scales: Callable[..., Array], Z: Array, X: Array, neighbors: Indices) -> float:
    """The cost with any scales."""
    return _cost(*_lists(Z, X, neighbors), scales(Z, X, neighbors))


@angle_cost.also
def point_by_point(Z: Array, X: Array, neighbors: Indices) -> float:
    """Loops: first the scale of a point, then its misfits over ordered pairs."""
    total = 0.0
    for around in neighbors:
        a = np.array([np.sum((Z[j] - Z[k]) ** 2) for j in around for k in around])
        b = np.array([np.sum((X[j] - X[k]) ** 2) for j in around for k in around])
        total += np.sum((a - (a @ b) / (b @ b) * b) ** 2)
    return float(total)


@angle_cost.also
def by_angles_between_lists(Z: Array, X: Array, neighbors: Indices) -> float:
    """2‖a‖² sin²θ for every point (eq-conformal-residual)."""
    a, b = _lists(Z, X, neighbors)
    projected = (a * b).sum(axis=1) ** 2 / (b * b).sum(axis=1)
    return float(np.sum(2 * ((a * a).sum(axis=1) - projected)))
