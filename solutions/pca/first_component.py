"""Task `first_component`: the first principal direction and its share, from a covariance, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_direction
from solutions.numbers import SMALLEST_RATIO, Array, are_apart, is_short, one_of

Answer = tuple[Array, float]
DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))


def draw(rng: np.random.Generator) -> Cases:
    """C = b I + t q qᵀ: whole-number eigenvalues b + t‖q‖² along q and b across it."""
    return {"the numbers of the text": {"C": one_of(rng, _choices())}}


@cache
def _choices() -> list[Array]:
    """Every such matrix with small entries, a short share, and shares that differ from mistake to mistake."""
    choices = []
    for q, b, t in product(DIRECTIONS, range(1, 13), range(1, 7)):
        C = b * np.eye(2) + t * np.outer(q, q)
        large, small = b + t * (q[0] ** 2 + q[1] ** 2), b
        if large < SMALLEST_RATIO * small or C.max() > 40 or not is_short(large / (large + small)):
            continue
        if are_apart(*(way(C)[1] for way in WAYS)):
            choices.append(C)
    return choices


def answer(C: Array) -> Answer:
    """The eigenvector of the larger eigenvalue, and λ₁/(λ₁ + λ₂) (thm-pca-first-direction)."""
    (_, large), vectors = np.linalg.eigh(C)
    return vectors[:, 1], float(large / np.trace(C))


def chose_the_smaller_eigenvalue(C: Array) -> Answer:
    """The direction of least variance, and its share."""
    (small, _), vectors = np.linalg.eigh(C)
    return vectors[:, 0], float(small / np.trace(C))


def mixed_the_two_axes(C: Array) -> Answer:
    """The larger share, but the eigenvector of the smaller eigenvalue."""
    return chose_the_smaller_eigenvalue(C)[0], answer(C)[1]


def squared_the_eigenvalues(C: Array) -> Answer:
    """λ₁²/(λ₁² + λ₂²)."""
    direction, _ = answer(C)
    return direction, answer(C @ C)[1]


def took_square_roots(C: Array) -> Answer:
    """√λ₁/(√λ₁ + √λ₂)."""
    roots = np.sqrt(np.linalg.eigvalsh(C))
    return answer(C)[0], float(roots[1] / roots.sum())


def compared_with_the_other_axis(C: Array) -> Answer:
    """λ₁/λ₂."""
    small, large = np.linalg.eigvalsh(C)
    return answer(C)[0], float(large / small)


def lost_a_sign(C: Array) -> Answer:
    """The right share, and (v₁, −v₂) for the direction."""
    direction, share = answer(C)
    return direction * np.array([1.0, -1.0]), share


def read_the_diagonal(C: Array) -> Answer:
    """The feature of largest variance, as if C were diagonal."""
    variances = np.diag(C)
    return np.eye(2)[variances.argmax()], float(variances.max() / variances.sum())


def from_trace_and_determinant(C: Array) -> Answer:
    """λ₁ from the quadratic equation, v = (C₁₂, λ₁ − C₁₁)."""
    half, determinant = np.trace(C) / 2, C[0, 0] * C[1, 1] - C[0, 1] ** 2
    large = half + np.sqrt(half**2 - determinant)
    return np.array([C[0, 1], large - C[0, 0]]), float(large / (2 * half))


WAYS = (
    answer,
    chose_the_smaller_eigenvalue,
    squared_the_eigenvalues,
    took_square_roots,
    compared_with_the_other_axis,
    read_the_diagonal,
)

first_component = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-pca-first-direction",
    same=(up_to_direction, exactly),
    parts=("the direction", "the share"),
    misconceptions=(
        Misconception(
            chose_the_smaller_eigenvalue,
            hint="Along this direction the data vary least. Which eigenvalue belongs to the first principal "
            "component?",
            see="thm-pca-first-direction",
        ),
        Misconception(
            mixed_the_two_axes,
            hint="The share is right, but the direction belongs to the other eigenvalue. Multiply C by your "
            "direction and see how long it becomes.",
            see="eq-pca-eigenproblem",
            credit=0.5,
        ),
        Misconception(
            squared_the_eigenvalues,
            hint="The direction is right. The eigenvalues of C are variances already: nothing is left to "
            "square.",
            see="eq-pca-captured",
            credit=0.5,
        ),
        Misconception(
            took_square_roots,
            hint="The direction is right. Variances of uncorrelated parts add up; their square roots do not.",
            see="eq-pca-captured",
            credit=0.5,
        ),
        Misconception(
            compared_with_the_other_axis,
            hint="The direction is right. A share is a part of the whole, not of the rest.",
            see="eq-pca-captured",
            credit=0.5,
        ),
        Misconception(
            lost_a_sign,
            hint="The share is right. Multiply C by your direction: does the result point the same way? Look "
            "for a lost sign.",
            see="eq-pca-eigenproblem",
            credit=0.5,
        ),
        Misconception(
            read_the_diagonal,
            hint="You chose the feature with the larger variance. That is an axis of the data only if the "
            "entries off the diagonal vanish.",
            see="eq-pca-eigenproblem",
        ),
    ),
    alternatives=(from_trace_and_determinant,),
)
