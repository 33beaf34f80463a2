"""Task `line_map`: a whole LLE by hand: points on a line, the recipe of the first and the map of all."""

from functools import cache
from itertools import combinations

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short, one_of
from solutions.steps import Worked, bracketed, eq, row, steps, tex

Answer = tuple[Array, Array]
SAME = (exactly, exactly)
LONGEST = 16


@cache
def _choices() -> list[tuple[int, ...]]:
    """Ascending positions from 0 with clear neighbours, short answers, and no more maps without cost than the line."""
    inner = [c for size in (3, 4) for c in combinations(range(1, LONGEST + 1), size)]
    return [(0, *c) for c in inner if _is_fair(np.array([0.0, *c]))]


def _is_fair(x: Array) -> bool:
    if not all(is_short(value) for value in _squares(x)):
        return False
    distances = np.sort(np.abs(x[:, None] - x), axis=1)
    if (distances[:, 3] - distances[:, 2] < 0.5).any():
        return False
    W = np.array([_recipe(x, i) for i in range(len(x))])
    # both ends may start the list, after a reflection
    ends_short = all(is_short(value, 2) for end in (0, -1) for value in W[end])
    return ends_short and bool(np.linalg.svd(np.eye(len(x)) - W, compute_uv=False)[-3] > 1e-3)


def _neighbors(x: Array, i: int) -> Array:
    return np.argsort(np.abs(x - x[i]), kind="stable")[1:3]


def _recipe(x: Array, i: int) -> Array:
    row = np.zeros(len(x))
    a, b = _neighbors(x, i)
    row[a], row[b] = (x[b] - x[i]) / (x[b] - x[a]), (x[i] - x[a]) / (x[b] - x[a])
    return row


def _squares(x: Array) -> Array:
    """The squared coordinates of points on a line, centred, with variance one."""
    return (x - x.mean()) ** 2 / np.var(x)


@task.hand(
    points=3, minutes=15, see="sec-lle-by-hand", same=SAME, parts=("first row of W", "squared coordinates")
)
def line_map(x: Array) -> Answer:
    """Perfect weights, and the squares of the whitened positions (thm-lle-perfect)."""
    return _recipe(x, 0), _squares(x)


@line_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Positions whose variance divides well, moved and shuffled; the first one is an end."""
    while True:
        positions = np.array(one_of(rng, _choices()), dtype=float)
        if rng.random() < 0.5:
            positions = positions[-1] - positions
        x = np.append(positions[0], rng.permutation(positions[1:])) + float(rng.integers(-9, 10))
        if np.all(np.diff(x) > 0) or np.all(np.diff(x) < 0) or not told_apart(WAYS, (x,), SAME):
            continue
        return {"the numbers of the text": {"x": x}}


@line_map.wrong(
    "The map is right. Your weights are positive, so they mix a point between the two neighbours; the first point "
    "lies beyond them.",
)
def weighed_by_inverse_distances(x: Array) -> Answer:
    """Positive weights of the two neighbours, the larger at the nearer."""
    row = np.zeros(len(x))
    nearest = _neighbors(x, 0)
    row[nearest] = 1 / np.abs(x[nearest] - x[0])
    return row / row.sum(), line_map(x)[1]


@line_map.wrong(
    "The map is right. Even weights mix the middle of the two neighbours, and the first point is not there.",
    see="eq-lle-weights",
)
def took_even_weights(x: Array) -> Answer:
    """One half each."""
    row = np.zeros(len(x))
    row[_neighbors(x, 0)] = 0.5
    return row, line_map(x)[1]


@line_map.wrong(
    "Your squares sum to one. The constraint asks for variance one: what do they then sum to?",
    see="eq-lle-constraints",
)
def scaled_to_length_one(x: Array) -> Answer:
    """The eigenvector as it comes."""
    row, squares = line_map(x)
    return row, squares / len(x)


@line_map.wrong(
    "Your map is centred and has the scale of the data. LLE decrees the scale: every coordinate has variance one.",
    see="eq-lle-constraints",
)
def left_the_scale(x: Array) -> Answer:
    """Centred, not whitened."""
    return _recipe(x, 0), (x - x.mean()) ** 2


@line_map.wrong(
    "Your map has sample variance one, with N − 1. The constraint divides by N.", see="eq-lle-constraints"
)
def divided_by_n_minus_one(x: Array) -> Answer:
    """Sample variance one."""
    return _recipe(x, 0), (x - x.mean()) ** 2 / np.var(x, ddof=1)


@line_map.wrong(
    "Your points are equally spaced. Perfect recipes are kept by the line itself, with its uneven steps.",
    see="thm-lle-perfect",
)
def spaced_the_map_evenly(x: Array) -> Answer:
    """The order of the points with equal steps."""
    return _recipe(x, 0), _squares(np.argsort(np.argsort(x)).astype(float))


@line_map.wrong(
    "The first row is right. The coordinates of a map have mean zero; yours are measured from the origin."
)
def forgot_to_centre(x: Array) -> Answer:
    """x²/(mean of x²)."""
    return _recipe(x, 0), x**2 / np.mean(x**2)


WAYS = (
    line_map,
    weighed_by_inverse_distances,
    took_even_weights,
    scaled_to_length_one,
    left_the_scale,
    divided_by_n_minus_one,
    spaced_the_map_evenly,
    forgot_to_centre,
)


@line_map.also
def by_eigenvectors(x: Array) -> Answer:
    """All of W, then the null vector of I − W that is orthogonal to the constant."""
    size = len(x)
    W = np.array([_recipe(x, i) for i in range(size)])
    lifted = np.vstack([np.eye(size) - W, np.ones(size)])
    return W[0], size * np.linalg.svd(lifted)[2][-1] ** 2


@line_map.also
def by_sums(x: Array) -> Answer:
    """The formulas of mean and variance, written out."""
    size = len(x)
    deviations = x - sum(x) / size
    a, b = _neighbors(x, 0)
    row = np.zeros(size)
    row[b] = (x[0] - x[a]) / (x[b] - x[a])
    row[a] = 1 - row[b]
    return row, deviations**2 / (sum(deviations**2) / size)


@line_map.worked
def worked(x: Array) -> Worked:
    """A recipe on the line, and a straight map of variance one."""
    near, next_ = np.argsort(np.abs(x - x[0]), kind="stable")[1:3]
    weight = float((x[next_] - x[0]) / (x[next_] - x[near]))
    recipe = np.zeros(len(x))
    recipe[near], recipe[next_] = weight, 1 - weight
    deviations = x - x.mean()
    variance = float((deviations**2).mean())
    return steps(
        rf"The two neighbours of $x_1={tex(x[0])}$ are ${tex(x[near])}$ and ${tex(x[next_])}$, the points "
        rf"${near + 1}$ and ${next_ + 1}$.",
        rf"$w\cdot{bracketed(x[near])}+(1-w)\cdot{bracketed(x[next_])}={tex(x[0])}$ gives $w{eq(weight)}$, so "
        rf"the first "
        rf"row of $W$ is ${row(recipe)}$.",
        r"Every point is a perfect mixture, so $y=x$ costs nothing, and so does every straight map $y=\alpha x+\beta$. "
        "The constraints ask for mean $0$ and mean square $1$.",
        rf"The mean is ${tex(x.mean())}$, the deviations ${row(deviations)}$, the variance ${tex(variance)}$.",
        rf"The squares $(x_i-\bar x)^2/{tex(variance)}$ are ${row(deviations**2 / variance)}$.",
    ), (recipe, deviations**2 / variance)
