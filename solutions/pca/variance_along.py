"""Task `variance_along`: the variance of the samples along a given direction, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import PYTHAGOREAN, Array, are_apart, one_of

Numbers = tuple[Array, Array]


def draw(rng: np.random.Generator) -> Cases:
    """A whole-number covariance and a 3-4-5 direction with a whole-number variance along it."""
    C, w = one_of(rng, _choices())
    return {"the numbers of the text": {"C": C, "w": w}}


@cache
def _choices() -> list[Numbers]:
    """Every small covariance with these properties on which no two ways give nearly the same number."""
    choices = []
    for (p, q, r), (w1, w2) in product(product(range(4, 26), range(4, 26), range(-12, 13)), PYTHAGOREAN):
        C, w = np.array([[p, r], [r, q]], dtype=float), np.array([w1, w2], dtype=float)
        is_covariance = r != 0 and p * q > r * r and p != q
        if is_covariance and (w @ C @ w) % 25 == 0 and are_apart(*(way(C, w) for way in WAYS)):
            choices.append((C, w))
    return choices


def answer(C: Array, w: Array) -> float:
    """uᵀCu with u = w/‖w‖ (eq-pca-projected-variance)."""
    u = w / np.linalg.norm(w)
    return float(u @ C @ u)


def forgot_to_normalise(C: Array, w: Array) -> float:
    """wᵀCw with the given w."""
    return float(w @ C @ w)


def normalised_only_once(C: Array, w: Array) -> float:
    """wᵀCw/‖w‖."""
    return float(w @ C @ w / np.linalg.norm(w))


def took_the_standard_deviation(C: Array, w: Array) -> float:
    """√(uᵀCu)."""
    return float(np.sqrt(answer(C, w)))


def ignored_the_covariance(C: Array, w: Array) -> float:
    """Only the two variances, weighted by u₁² and u₂²."""
    return answer(np.diag(np.diag(C)), w)


def counted_the_covariance_once(C: Array, w: Array) -> float:
    """Only one of the two mixed terms."""
    return (answer(C, w) + ignored_the_covariance(C, w)) / 2


def measured_the_image(C: Array, w: Array) -> float:
    """‖Cu‖, which is the variance only along an eigenvector."""
    return float(np.linalg.norm(C @ w) / np.linalg.norm(w))


def entry_by_entry(C: Array, w: Array) -> float:
    """(w₁²C₁₁ + 2w₁w₂C₁₂ + w₂²C₂₂)/(w₁² + w₂²)."""
    total = w[0] ** 2 * C[0, 0] + 2 * w[0] * w[1] * C[0, 1] + w[1] ** 2 * C[1, 1]
    return float(total / (w[0] ** 2 + w[1] ** 2))


WAYS = (
    answer,
    forgot_to_normalise,
    normalised_only_once,
    took_the_standard_deviation,
    ignored_the_covariance,
    counted_the_covariance_once,
    measured_the_image,
)

variance_along = Task(
    kind="hand",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    see="eq-pca-projected-variance",
    misconceptions=(
        Misconception(
            forgot_to_normalise,
            hint="With twice as long a w your number would be four times as large. A variance along a "
            "direction must not depend on the length of the arrow that points there.",
            see="eq-pca-projected-variance",
        ),
        Misconception(
            normalised_only_once,
            hint="The direction enters the quadratic form twice, and both times it must have length one.",
            see="eq-pca-projected-variance",
        ),
        Misconception(
            took_the_standard_deviation,
            hint="This number carries the unit of the data. The variance was asked for.",
            see="eq-pca-projected-variance",
        ),
        Misconception(
            ignored_the_covariance,
            hint="Only the diagonal of C was used. Moving along w changes both features at once, so their "
            "covariance matters too.",
            see="eq-pca-projected-variance",
        ),
        Misconception(
            counted_the_covariance_once,
            hint="C has two entries off its diagonal. Write the double sum over i and j in full and count "
            "the mixed terms.",
            see="eq-pca-projected-variance",
        ),
        Misconception(
            measured_the_image,
            hint="This is the length of C u. C turns u unless u is an eigenvector: how much of C u points "
            "along u?",
            see="eq-pca-eigenproblem",
        ),
    ),
    alternatives=(entry_by_entry,),
)
