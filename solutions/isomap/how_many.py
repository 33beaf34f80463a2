"""Tasks `kept_by_hand` and `dimension_estimate`: shares of kept neighbours, and the dimension from distances."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.intrinsic_dimension import mle_dimension
from dimred_ref.rank_curves import rank_curves
from solutions.lle.numbers import scattered, told_apart
from solutions.numbers import Array
from solutions.steps import Worked, eq, steps, tex

Shares = tuple[float, float]
SAME = (exactly, exactly)


def _nearest(values: Array, k: int) -> list[set[int]]:
    """Return the k nearest other points of each point of a line."""
    away = np.abs(values[:, None] - values)
    np.fill_diagonal(away, np.inf)
    return [set(row[:k].tolist()) for row in np.argsort(away, axis=1)]


def _shares(common: float, N: int, k: int) -> Shares:
    kept = common / (k * N)
    return float(kept), float(((N - 1) * kept - k) / (N - 1 - k))


@task.hand(points=2, minutes=10, see="eq-choosing-rank-curves", same=SAME, parts=("Q", "R"))
def kept_by_hand(x: Array, y: Array, k: int) -> Shares:
    """Return Q_NX(k) and R_NX(k) of a map of points of a line (eq-choosing-rank-curves)."""
    curves = rank_curves(np.asarray(x)[:, None], np.asarray(y)[:, None])
    return float(curves.kept[k - 1]), float(curves.gained[k - 1])


def _has_ties(values: Array) -> bool:
    """Say whether a point has two others at the same distance."""
    away = np.sort(np.abs(values[:, None] - values), axis=1)
    return bool(np.any(np.diff(away, axis=1) == 0))


@kept_by_hand.draw
def draw_lines(rng: np.random.Generator) -> task.Cases:
    """Draw five points of a line and a map of them on another line, without ties."""
    while True:
        x, y = (rng.choice(np.arange(0, 20), size=5, replace=False).astype(float) for _ in range(2))
        if _has_ties(x) or _has_ties(y):
            continue
        x, y = x[np.argsort(x)], y[np.argsort(x + 4 * rng.normal(size=5))]
        if told_apart(KEPT, (x, y, 2), SAME) and kept_by_hand(x, y, 2)[0] < 1:
            return {"the numbers of the text": {"x": x, "y": y, "k": 2}}


def _common(x: Array, y: Array, k: int) -> int:
    return sum(len(a & b) for a, b in zip(_nearest(x, k), _nearest(y, k), strict=True))


@kept_by_hand.wrong(
    "You counted every point as its own neighbour, so each has one kept neighbour for nothing.",
    see="eq-choosing-rank-curves",
)
def counted_the_point_itself(x: Array, y: Array, k: int) -> Shares:
    """Take the k smallest distances, the zero among them."""
    return _shares(_common(x, y, k - 1) + len(x), len(x), k)


@kept_by_hand.wrong(
    "Your Q is the number of kept neighbours of a point. Divide by k.", see="eq-choosing-rank-curves"
)
def forgot_to_divide_by_k(x: Array, y: Array, k: int) -> Shares:
    """Average numbers, not shares."""
    return _shares(_common(x, y, k) * k, len(x), k)


@kept_by_hand.wrong(
    "Q is right. For R, a random map keeps the share k/(N−1): each point has N−1 others.",
    see="thm-choosing-baseline",
)
def took_all_points_as_others(x: Array, y: Array, k: int) -> Shares:
    """Use N in the place of N − 1."""
    kept, N = kept_by_hand(x, y, k)[0], len(x)
    return kept, (N * kept - k) / (N - k)


@kept_by_hand.wrong(
    "Q is right. Your R is not 1 where all neighbours are kept: divide by what a perfect map gains.",
    see="thm-choosing-baseline",
)
def subtracted_the_baseline_only(x: Array, y: Array, k: int) -> Shares:
    """Give Q − k/(N − 1)."""
    kept = kept_by_hand(x, y, k)[0]
    return kept, kept - k / (len(x) - 1)


@kept_by_hand.wrong("These are the shares of lost neighbours; the kept ones were asked for.")
def counted_the_lost(x: Array, y: Array, k: int) -> Shares:
    """Count neighbours that are not kept."""
    return _shares(k * len(x) - _common(x, y, k), len(x), k)


KEPT = (
    kept_by_hand,
    counted_the_point_itself,
    forgot_to_divide_by_k,
    took_all_points_as_others,
    subtracted_the_baseline_only,
    counted_the_lost,
)


@kept_by_hand.also
def by_lists(x: Array, y: Array, k: int) -> Shares:
    """List the neighbours, and count those on both lists."""
    return _shares(_common(x, y, k), len(x), k)


@kept_by_hand.worked
def worked_shares(x: Array, y: Array, k: int) -> Worked:
    """List both neighbourhoods of each point."""
    N = len(x)
    rows = []
    for i, (here, there) in enumerate(zip(_nearest(x, k), _nearest(y, k), strict=True), start=1):
        data, drawn = (", ".join(str(j + 1) for j in sorted(near)) for near in (here, there))
        rows.append(rf"point {i}: {data} in the data, {drawn} on the map, {len(here & there)} in common")
    common = _common(x, y, k)
    kept, gained = _shares(common, N, k)
    return steps(
        f"The {k} nearest of each point: " + "; ".join(rows) + ".",
        rf"Together {common} of ${k}\cdot{N}$ are kept: $Q={common}/{k * N}{eq(kept)}$.",
        rf"$R=\dfrac{{{N - 1}\cdot{tex(kept)}-{k}}}{{{N - 1}-{k}}}{eq(gained)}$.",
    ), (kept, gained)


@task.code(points=3, minutes=12, see="eq-choosing-mle")
def dimension_estimate(X: Array, k: int) -> float:
    """Return the inverse of the mean of log(T_k/T_j) over all points and j < k (eq-choosing-mle)."""
    return mle_dimension(X, n_neighbors=k)


def _distances(X: Array) -> Array:
    return np.asarray(np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 1:], dtype=float)


def _sheet(rng: np.random.Generator, shape: tuple[int, int], k: int) -> Array:
    """Draw points whose neighbours are definite."""
    return scattered(rng, shape, k, 3.0)


@dimension_estimate.draw
def draw_clouds(rng: np.random.Generator) -> task.Cases:
    """Draw a plane, a line in space, and a cloud of five dimensions."""
    direction = rng.normal(size=3)
    line = np.round(np.sort(rng.uniform(0, 9, size=14))[:, None] * direction, 3)
    return {
        "a plane": {"X": _sheet(rng, (15, 2), 5), "k": 5},
        "a line in space": {"X": line, "k": 4},
        "five dimensions, in a small unit": {"X": 1e-6 * _sheet(rng, (12, 5), 3), "k": 3},
    }


@dimension_estimate.hard
def hard_clouds(rng: np.random.Generator) -> task.Cases:
    """Draw two neighbours, other units, whole numbers."""
    X = _sheet(rng, (12, 3), 4)
    return {
        "two neighbours": {"X": X, "k": 2},
        "large unit": {"X": 1e6 * X, "k": 4},
        "small unit": {"X": 1e-6 * X, "k": 4},
        "whole numbers": {"X": np.round(100 * X).astype(int), "k": 4},
        "all others": {"X": X, "k": 11},
    }


@dimension_estimate.ill_posed
def unclear(X: Array, k: int) -> str | None:
    """Say that two points nearly coincide."""
    away = _distances(X)
    return "two points nearly coincide" if away[:, 0].min() < 1e-4 * away.max() else None


@dimension_estimate.wrong(
    "You averaged the estimates of the points. Their inverses are unbiased: average those, then invert once.",
    credit=0.5,
)
def averaged_the_estimates(X: Array, k: int) -> float:
    """Average 1/mean(log) over the points."""
    T = _distances(X)[:, :k]
    return float(np.mean(1 / np.mean(np.log(T[:, -1:] / T[:, :-1]), axis=1)))


@dimension_estimate.wrong("This is one over the dimension.", credit=0.5)
def forgot_to_invert(X: Array, k: int) -> float:
    """Return the mean of the logarithms."""
    return 1 / dimension_estimate(X, k)


@dimension_estimate.wrong(
    "Your mean has k terms. The last, log(T_k/T_k), is zero and does not count: divide by k − 1.", credit=0.5
)
def divided_by_k(X: Array, k: int) -> float:
    """Count the k-th neighbour itself."""
    T = _distances(X)[:, :k]
    return float(1 / np.mean(np.log(T[:, -1:] / T)))


@dimension_estimate.wrong(
    "These logarithms have another base. The theorem is about natural ones.", credit=0.5
)
def took_logarithms_to_base_two(X: Array, k: int) -> float:
    """Use base 2."""
    return dimension_estimate(X, k) * float(np.log(2))


@dimension_estimate.wrong(
    "You compared every neighbour with the nearest. The theorem compares with the k-th.",
    see="thm-choosing-dimension",
)
def compared_with_the_nearest(X: Array, k: int) -> float:
    """Use log(T_j/T_1)."""
    T = _distances(X)[:, :k]
    return float(1 / np.mean(np.log(T[:, 1:] / T[:, :1])))


@dimension_estimate.wrong(
    "Every point is its own nearest neighbour in your list, or you have one neighbour too many.",
    see="thm-choosing-dimension",
)
def took_one_neighbor_too_many(X: Array, k: int) -> float:
    """Use k + 1 neighbours."""
    T = _distances(X)[:, : k + 1]
    return float(1 / np.mean(np.log(T[:, -1:] / T[:, :-1])))


@dimension_estimate.also
def by_loops(X: Array, k: int) -> float:
    """Go from point to point."""
    logs = []
    for x in np.asarray(X, dtype=float):
        away = sorted(float(np.sqrt(np.sum((x - other) ** 2))) for other in np.asarray(X, dtype=float))[
            1 : k + 1
        ]
        logs += [np.log(away[-1] / distance) for distance in away[:-1]]
    return float(len(logs) / sum(logs))
