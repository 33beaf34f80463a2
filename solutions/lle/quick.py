"""Quick questions on locally linear embedding."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.lle.three_neighbors import (
    clipped_negative_weights,
    lost_the_signs,
    mixed_the_origin,
    three_neighbors,
    took_even_weights,
    weighed_by_inverse_distances,
)
from solutions.numbers import Array


def _weights(x: Array, N: Array) -> Array:
    """The affine weights of least error, for a regular local Gram matrix."""
    w = np.linalg.solve((N - x) @ (N - x).T, np.ones(len(N)))
    return w / w.sum()


def _place(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    x, N = rng.normal(size=4) + 5, rng.normal(size=(3, 4)) + 5
    return x, N, _weights(x, N)


@question.choice(
    "Changes that the weights do not see",
    "A point and its three neighbours in four dimensions are changed together. After which of these changes are the "
    "best weights (with sum 1) the same as before?",
    see="thm-lle-invariance",
    several=True,
    explanation="Sum 1 removes shifts; a rotation or one factor for all changes every error alike.",
)
def keeps_the_weights(changed: Array, P: Array) -> bool:
    """The first row is the point."""
    return bool(np.allclose(_weights(changed[0], changed[1:]), _weights(P[0], P[1:])))


@keeps_the_weights.draw
def draw_keeps(rng: np.random.Generator) -> dict[str, Array]:
    """Four points in four dimensions."""
    return {"P": rng.normal(size=(4, 4)) + 3}


@keeps_the_weights.right("All four points are moved by the same vector.")
def moved(P: Array) -> Array:
    """A shift."""
    return P + np.array([3.0, -1, 2, 5])


@keeps_the_weights.right("All coordinates are tripled.")
def enlarged(P: Array) -> Array:
    """A scale."""
    return 3 * P


@keeps_the_weights.right("The first coordinate changes its sign, of all four points.")
def mirrored(P: Array) -> Array:
    """A reflection."""
    return P * np.array([-1.0, 1, 1, 1])


@keeps_the_weights.wrong(
    "Errors along that coordinate count more then. Only changes that keep all angles leave the best weights alone.",
    "The first coordinate is written in another unit: it is multiplied by 100.",
)
def changed_one_unit(P: Array) -> Array:
    """One coordinate scaled."""
    return P * np.array([100.0, 1, 1, 1])


@keeps_the_weights.wrong(
    "The weights depend on where the point lies among its neighbours.",
    "Only the point is moved, not its neighbours.",
)
def moved_the_point(P: Array) -> Array:
    """The neighbours stay."""
    return P + np.outer([1, 0, 0, 0], [1.0, 0, 0, 0])


corner_weights = question.predict(
    "Weights in a triangle",
    "The point $x={{ x }}$ has three neighbours in the plane, the rows of ${{ neighbors }}$. With which weights, in "
    "their order, is it reproduced exactly?",
    of=three_neighbors,
    among=(
        clipped_negative_weights,
        lost_the_signs,
        mixed_the_origin,
        took_even_weights,
        weighed_by_inverse_distances,
    ),
    see="thm-lle-weights",
)

error_proof = question.proof(
    "The error of a mixture",
    r"Let $\sum_jw_j=1$. Put the steps in order that prove $\|x-\sum_jw_jx_j\|^2=w^\top Cw$ with the local Gram "
    r"matrix $C_{jk}=(x-x_j)^\top(x-x_k)$.",
    see="eq-lle-local-gram",
)


def _error(rng: np.random.Generator) -> tuple[Array, Array, Array, float]:
    x, N, w = rng.normal(size=4), rng.normal(size=(3, 4)), rng.normal(size=3)
    w = w / w.sum()
    return x, N, w, float(np.sum((x - w @ N) ** 2))


error_proof.step(
    "sum",
    r"Because the weights sum to one, $x=\sum_jw_jx$.",
    true=lambda rng: (lambda x, N, w, e: np.allclose(w.sum() * x, x))(*_error(rng)),
)
error_proof.step(
    "collect",
    r"Put this in for the first term: the difference is $\sum_jw_j(x-x_j)$.",
    after=("sum",),
    true=lambda rng: (lambda x, N, w, e: np.allclose(x - w @ N, w @ (x - N)))(*_error(rng)),
)
error_proof.step(
    "square",
    r"Its square is $\sum_{j,k}w_jw_k(x-x_j)^\top(x-x_k)$.",
    after=("collect",),
    true=lambda rng: (lambda x, N, w, e: np.isclose(e, w @ (x - N) @ (x - N).T @ w))(*_error(rng)),
)
error_proof.step("name", r"With the name $C_{jk}$ for the products this is $w^\top Cw$.", after=("square",))
error_proof.wrong_step(
    r"Its square is $\sum_jw_j^2\|x-x_j\|^2$.",
    "A square of a sum has mixed terms. They vanish only where the differences are orthogonal.",
    false=lambda rng: (lambda x, N, w, e: np.isclose(e, w**2 @ np.sum((x - N) ** 2, axis=1)))(*_error(rng)),
    name="ignored_the_product",
)
error_proof.wrong_step(
    r"Because the weights are not negative, $x=\sum_jw_jx$.",
    "Negative weights are allowed. Which property of the weights is used here?",
    false=lambda rng: _weights(*_place(rng)[:2]).min() >= 0,
    name="thought_weights_are_positive",
)


@question.order(
    "The errors of a map",
    "`W` has the weights of each point in a row. A function `errors(W, Y)` shall return, for each point of the map "
    "`Y`, its distance from the mixture of its neighbours. Choose four lines and order them.",
    see="eq-lle-cost",
)
def errors(W: Array, Y: Array) -> Array:
    """The rows of (I − W)Y."""
    mixtures = W @ Y
    rest = Y - mixtures
    squares = np.sum(rest**2, axis=1)
    return np.sqrt(squares)


@errors.draw
def draw_errors(rng: np.random.Generator) -> Cases:
    """Rows that sum to one, not symmetric."""
    W = rng.uniform(size=(5, 5)) * (1 - np.eye(5))
    return {"five points": {"W": W / W.sum(axis=1, keepdims=True), "Y": rng.normal(size=(5, 2))}}


errors.wrong_line("mixtures = W.T @ Y", "Row i has the weights of point i.", name="transposed_the_weights")
errors.wrong_line(
    "squares = np.sum(rest**2, axis=0)", "This is a number for each coordinate.", name="summed_over_points"
)
errors.wrong_line(
    "rest = Y - W",
    "This subtracts weights from coordinates. With what is each point of the map compared?",
    name="compared_with_weights",
)


@question.fault(
    "Weights between two neighbours",
    "A point `x` on a line has two different neighbours `a` and `b`. The function shall return the weight of `a`, "
    "such that the mixture of both, with weights of sum 1, is `x`.",
    see="thm-lle-weights",
)
def weight_of_a(x, a, b):
    """(x − b)/(a − b)."""
    w = (x - b) / (a - b)
    return w


@weight_of_a.shown("On which side of its neighbours does x lie in the tests?")
def stayed_on_the_segment(x, a, b):
    """A distance in place of a difference."""
    w = np.abs((x - b) / (a - b))
    return w


@weight_of_a.valid
def are_different(x, a, b):
    """Two different neighbours."""
    return None if abs(a - b) > 1e-9 else "the neighbours must differ"


weight_of_a.passes(
    {"x": 1.0, "a": 0.0, "b": 4.0}, {"x": 3.0, "a": 5.0, "b": 2.0}, {"x": 9.0, "a": 4.0, "b": 1.0}
)
weight_of_a.hides(
    {"x": 2.0, "a": 2.0, "b": 7.0}, {"x": 0.0, "a": 6.0, "b": 0.0}, {"x": -3.0, "a": 1.0, "b": 5.0}
)
weight_of_a.reveals({"x": 5.0, "a": 0.0, "b": 4.0}, {"x": 0.0, "a": 5.0, "b": 2.0})


@question.fault(
    "A map with unit covariance",
    "The function shall return 1 if the columns of `Y` have mean zero and covariance `I` (divisor N), and 0 "
    "otherwise.",
    see="eq-lle-constraints",
)
def is_admissible(Y):
    """Both conditions."""
    C = Y.T @ Y / len(Y)
    return int(np.allclose(C, np.eye(len(C))) and np.allclose(Y.mean(axis=0), 0))


@is_admissible.shown(
    "There are two conditions. Look for a map that meets the one that the function tests, and not the other."
)
def forgot_the_mean(Y):
    """Second moments only."""
    C = Y.T @ Y / len(Y)
    return int(np.allclose(C, np.eye(len(C))))


@is_admissible.valid
def any_map(Y):
    """Any table."""
    return None


is_admissible.passes(
    {"Y": np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])},
    {"Y": np.array([[1.0], [-1]])},
    {"Y": np.array([[2.0], [-2]])},
)
is_admissible.hides({"Y": np.array([[0.0, 0], [1, 1]])}, {"Y": np.array([[-1.0], [1], [-1], [1]])})
is_admissible.reveals({"Y": np.array([[1.0], [1]])}, {"Y": np.array([[-1.0]])})
