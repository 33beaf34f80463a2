"""Task `two_neighbors`: the recipe of a point between two neighbours, and its squared error, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short, one_of
from solutions.steps import Worked, eq, row, steps, tex

Answer = tuple[Array, np.float64]
SAME = (exactly, exactly)
STEPS = ((1, 2), (2, 1), (1, 3), (3, 1), (2, 4), (4, 2), (3, 4), (4, 3), (1, 7), (7, 1), (2, 2))


def _is_fair(x: Array, neighbors: Array) -> bool:
    independent = abs(np.linalg.det(neighbors)) > 0.5 and abs(np.linalg.det(neighbors - x)) > 0.5
    if not independent or np.abs(neighbors).max() > 9:
        return False
    weights, error = two_neighbors(x, neighbors)
    return bool(np.all((np.abs(weights) > 0.05) & (np.abs(weights) < 2.5))) and all(
        is_short(number) for number in (*weights, error)
    )


def _mixture(C: Array) -> Array:
    raw = np.linalg.solve(C, np.ones(2))
    return raw / raw.sum()


def _with_error(x: Array, neighbors: Array, weights: Array) -> Answer:
    return weights, np.float64(np.sum((x - weights @ neighbors) ** 2))


@task.hand(points=1, minutes=8, see="thm-lle-weights", same=SAME, parts=("weights", "squared error"))
def two_neighbors(x: Array, neighbors: Array) -> Answer:
    """C⁻¹1 divided by its sum, and one over that sum (eq-lle-closed-form)."""
    difference = x - neighbors
    return _with_error(x, neighbors, _mixture(difference @ difference.T))


@two_neighbors.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Whole points whose foot on the line has short coordinates, on which every way to be wrong shows."""
    while True:
        step = np.array(one_of(rng, STEPS), dtype=float) * rng.choice([-1.0, 1.0], size=2)
        first = rng.integers(-5, 6, size=2).astype(float)
        neighbors = np.array([first, first + step])
        x = rng.integers(-6, 7, size=2).astype(float)
        if _is_fair(x, neighbors) and told_apart(WAYS, (x, neighbors), SAME):
            return {"the numbers of the text": {"x": x, "neighbors": neighbors}}


@two_neighbors.wrong(
    "These weights are in proportion to one over the distance. The best mixture is the foot of a perpendicular: is "
    "yours?",
)
def weighed_by_inverse_distances(x: Array, neighbors: Array) -> Answer:
    """Weights in proportion to 1/distance."""
    near = 1 / np.linalg.norm(x - neighbors, axis=1)
    return _with_error(x, neighbors, near / near.sum())


@two_neighbors.wrong(
    "These weights are in proportion to one over the squared distance, which is right if the two differences are "
    "orthogonal. Here C has entries off its diagonal.",
    see="eq-lle-local-gram",
)
def ignored_the_product(x: Array, neighbors: Array) -> Answer:
    """Only the diagonal of C: weights in proportion to 1/distance²."""
    near = 1 / np.sum((x - neighbors) ** 2, axis=1)
    return _with_error(x, neighbors, near / near.sum())


@two_neighbors.wrong(
    "This is the recipe of the origin. The matrix is made of differences from the point.",
    see="eq-lle-local-gram",
)
def forgot_to_subtract_the_point(x: Array, neighbors: Array) -> Answer:
    """The Gram matrix of the neighbours themselves, and the error that belongs to it."""
    return _with_error(np.zeros(2), neighbors, _mixture(neighbors @ neighbors.T))


@two_neighbors.wrong(
    "The squared error is right. Your weights solve Cw = 1, but they do not sum to one.",
    see="eq-lle-closed-form",
)
def forgot_to_divide_by_the_sum(x: Array, neighbors: Array) -> Answer:
    """C⁻¹1 as it is."""
    weights, error = two_neighbors(x, neighbors)
    return weights / error, error


@two_neighbors.wrong("The squared error is right. Each of the two weights stands beside the other neighbour.")
def exchanged_the_weights(x: Array, neighbors: Array) -> Answer:
    """The weight of the first beside the second."""
    weights, error = two_neighbors(x, neighbors)
    return weights[::-1], error


@two_neighbors.wrong(
    "This is the nearest point between the two neighbours. Weights are no shares: one of them may be negative, and "
    "the mixture lies on the whole line.",
)
def stayed_on_the_segment(x: Array, neighbors: Array) -> Answer:
    """The point of the segment, not of the line, nearest to x."""
    first = min(max(float(two_neighbors(x, neighbors)[0][0]), 0.0), 1.0)
    return _with_error(x, neighbors, np.array([first, 1 - first]))


@two_neighbors.wrong(
    "These weights mix x, but they do not sum to one. With that constraint only the line through the two neighbours "
    "can be reached.",
)
def solved_without_the_sum(x: Array, neighbors: Array) -> Answer:
    """w₁x₁ + w₂x₂ = x, whatever the sum of the weights."""
    return _with_error(x, neighbors, np.linalg.solve(neighbors.T, x))


@two_neighbors.wrong(
    "These weights mix x without the constraint and were divided by their sum afterwards. The constraint belongs into "
    "the problem.",
)
def divided_by_the_sum_afterwards(x: Array, neighbors: Array) -> Answer:
    """The same, divided by its sum."""
    weights = np.linalg.solve(neighbors.T, x)
    return _with_error(x, neighbors, weights / weights.sum())


@two_neighbors.wrong(
    "The middle of the two neighbours is one of the mixtures; the point of their line nearest to x is another."
)
def took_the_middle(x: Array, neighbors: Array) -> Answer:
    """One half each."""
    return _with_error(x, neighbors, np.array([0.5, 0.5]))


WAYS = (
    two_neighbors,
    stayed_on_the_segment,
    solved_without_the_sum,
    divided_by_the_sum_afterwards,
    exchanged_the_weights,
    weighed_by_inverse_distances,
    ignored_the_product,
    forgot_to_subtract_the_point,
    forgot_to_divide_by_the_sum,
    took_the_middle,
)


@two_neighbors.also
def by_the_foot(x: Array, neighbors: Array) -> Answer:
    """The foot of the perpendicular on the line through the neighbours."""
    start, end = neighbors
    share = float((x - start) @ (end - start) / ((end - start) @ (end - start)))
    foot = start + share * (end - start)
    return np.array([1 - share, share]), np.float64(np.sum((x - foot) ** 2))


@two_neighbors.also
def by_the_multiplier(x: Array, neighbors: Array) -> Answer:
    """The linear system of the multiplier, with the sum as third equation."""
    difference = x - neighbors
    system = np.ones((3, 3))
    system[:2, :2] = difference @ difference.T
    system[2, 2] = 0
    solution = np.linalg.solve(system, np.array([0.0, 0.0, 1.0]))
    return solution[:2], np.float64(-solution[2])


@two_neighbors.worked
def worked(x: Array, neighbors: Array) -> Worked:
    """The foot of the perpendicular on the line through both neighbours."""
    towards = neighbors[1] - neighbors[0]
    share = float((x - neighbors[0]) @ towards / (towards @ towards))
    mixture = neighbors[0] + share * towards
    rest = x - mixture
    return steps(
        r"With $w_1=1-w_2$ the mixture is $x_1+w_2(x_2-x_1)$, a point of the line through both neighbours: the best is "
        "the foot of the perpendicular.",
        rf"$x_2-x_1={row(towards)}$ and $x-x_1={row(x - neighbors[0])}$, so "
        rf"$w_2=\dfrac{{(x-x_1)^\top(x_2-x_1)}}{{\lVert x_2-x_1\rVert^2}}="
        rf"\dfrac{{{tex((x - neighbors[0]) @ towards)}}}{{{tex(towards @ towards)}}}{eq(share)}$ and "
        rf"$w_1{eq(1 - share)}$.",
        rf"The mixture is ${row(mixture)}$, and $x$ differs from it by ${row(rest)}$: the squared distance is "
        rf"${tex(rest @ rest)}$.",
    ), ([1 - share, share], float(rest @ rest))
