"""Task `angle_cost`: how badly a map keeps the angles between neighbours, with the best scales."""

import numpy as np

from autograder.authoring.task import Cases, Follows, Inputs, Misconception, Task
from dimred_ref.conformal_eigenmaps import conformal_cost
from solutions.conformal_eigenmaps import local_scales
from solutions.conformal_eigenmaps.numbers import (
    Indices,
    coinciding,
    neighborhoods,
    squared_sides,
    two_clouds,
)
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
    """Few neighbours mapped to space, more mapped to a line, and a sheet that is stretched along one axis."""
    sheet = dict(two_clouds(rng, (9, 4), (2, 2)))
    sheet["Z"] = np.round(sheet["X"] * [0.5, 0.2], 2)
    return {
        "three neighbours, outputs in space": two_clouds(rng, (7, 3), (3, 2)),
        "five neighbours, outputs on a line": two_clouds(rng, (10, 5), (1, 3)),
        "a stretched sheet": sheet,
    }


def hard(rng: np.random.Generator) -> Cases:
    """Whole numbers, tiny outputs, wide outputs."""
    whole = np.array([[0, 0], [3, 1], [1, 4], [5, 5], [2, 7]])
    return {
        "whole numbers": {"Z": whole * [2, 1], "X": whole, "neighbors": neighborhoods(rng, 5, 3)},
        "wide outputs": two_clouds(rng, (8, 4), (6, 2)),
    }


def answer(Z: Array, X: Array, neighbors: Indices) -> float:
    """𝒟(z, s) with the best s (eq-conformal-cost)."""
    return conformal_cost(Z, X, neighbors)


def _lists(Z: Array, X: Array, neighbors: Indices) -> tuple[Array, Array]:
    return squared_sides(Z, neighbors), squared_sides(X, neighbors)


def _cost(a: Array, b: Array, scales: Array) -> float:
    return 2 * float(((a - scales[:, None] * b) ** 2).sum())


def counted_each_pair_once(Z: Array, X: Array, neighbors: Indices) -> float:
    """Pairs j < k only."""
    return answer(Z, X, neighbors) / 2


def compared_lengths(Z: Array, X: Array, neighbors: Indices) -> float:
    """Lengths in the place of squared lengths, with their own best scales."""
    a, b = (np.sqrt(sides) for sides in _lists(Z, X, neighbors))
    return _cost(a, b, (a * b).sum(axis=1) / (b**2).sum(axis=1))


def left_the_scale_at_one(Z: Array, X: Array, neighbors: Indices) -> float:
    """An isometry is asked for."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, np.ones(len(a)))


def took_one_scale_for_all(Z: Array, X: Array, neighbors: Indices) -> float:
    """A single scale for all points."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, np.full(len(a), (a * b).sum() / (b**2).sum()))


def took_the_ratio_of_sums(Z: Array, X: Array, neighbors: Indices) -> float:
    """Scales that are not the best."""
    a, b = _lists(Z, X, neighbors)
    return _cost(a, b, a.sum(axis=1) / b.sum(axis=1))


def did_not_square_the_misfit(Z: Array, X: Array, neighbors: Indices) -> float:
    """Absolute values in the place of squares."""
    a, b = _lists(Z, X, neighbors)
    scales = (a * b).sum(axis=1) / (b**2).sum(axis=1)
    return 2 * float(np.abs(a - scales[:, None] * b).sum())


def point_by_point(Z: Array, X: Array, neighbors: Indices) -> float:
    """Loops: first the scale of a point, then its misfits over ordered pairs."""
    total = 0.0
    for around in neighbors:
        a = np.array([np.sum((Z[j] - Z[k]) ** 2) for j in around for k in around])
        b = np.array([np.sum((X[j] - X[k]) ** 2) for j in around for k in around])
        total += np.sum((a - (a @ b) / (b @ b) * b) ** 2)
    return float(total)


def by_angles_between_lists(Z: Array, X: Array, neighbors: Indices) -> float:
    """2‖a‖² sin²θ for every point (eq-conformal-residual)."""
    a, b = _lists(Z, X, neighbors)
    projected = (a * b).sum(axis=1) ** 2 / (b * b).sum(axis=1)
    return float(np.sum(2 * ((a * a).sum(axis=1) - projected)))


def _the_same_inputs(Z: Array, X: Array, neighbors: Indices) -> Inputs:
    return {"Z": Z, "X": X, "neighbors": neighbors}


angle_cost = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-conformal-cost",
    follows=(Follows("local_scales", local_scales.answer, _the_same_inputs),),
    ill_posed=coinciding,
    hard=hard,
    misconceptions=(
        Misconception(
            counted_each_pair_once,
            hint="The sums over j and k run independently: how often does a pair of neighbours occur?",
            see="eq-conformal-cost",
            credit=0.5,
        ),
        Misconception(
            compared_lengths,
            hint="Twice as large outputs should cost sixteen times as much; yours cost four times as much.",
            see="thm-conformal-trivial",
        ),
        Misconception(
            left_the_scale_at_one,
            hint="Your cost asks that lengths are kept. Here each neighbourhood may choose its own scale.",
            see="eq-conformal-similar",
        ),
        Misconception(
            took_one_scale_for_all,
            hint="One scale was used for all points. The local scales carry an index.",
            see="eq-conformal-scales",
        ),
        Misconception(
            took_the_ratio_of_sums,
            hint="With other scales the cost would be smaller than yours: the best ones come from a regression.",
            see="eq-conformal-scale",
        ),
        Misconception(
            did_not_square_the_misfit,
            hint="Absolute values were added. The scales minimise another sum, in which large misfits weigh more.",
            see="eq-conformal-cost",
        ),
    ),
    alternatives=(point_by_point, by_angles_between_lists),
)
