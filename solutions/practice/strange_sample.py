"""Task `strange_sample`: a squared outlier score with one component and with two, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, are_apart, is_short, one_of

Answer = tuple[float, float]
LARGEST = 60.0
AXES = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, -1))


def draw(rng: np.random.Generator) -> Cases:
    """A covariance with whole eigenpairs, and a sample with whole coordinates along them."""
    while True:
        C, deviation = one_of(rng, _choices())
        mean = rng.integers(2, 10, size=2).astype(float)
        inputs = {"C": np.array(C), "mean": mean, "x": mean + np.array(deviation)}
        if _is_telling(*inputs.values()):
            return {"the numbers of the text": inputs}


@cache
def _choices() -> list[tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]]:
    choices = []
    for axis, small, step, along, across in product(
        AXES, (2, 4, 5, 8, 10), (1, 2, 3, 4), (1, 2, -1), (1, -1, 2)
    ):
        w, other = np.array(axis, dtype=float), np.array((-axis[1], axis[0]), dtype=float)
        large = small + step * (w @ w)
        C = (large * np.outer(w, w) + small * np.outer(other, other)) / (w @ w)
        deviation = along * w + across * other
        if (
            C.max() <= LARGEST
            and all(map(is_short, answer(C, np.zeros(2), deviation)))
            and np.all(deviation != 0)
        ):
            choices.append((tuple(map(tuple, C.tolist())), tuple(deviation.tolist())))
    return choices


def _is_telling(C: Array, mean: Array, x: Array) -> bool:
    """Do any two ways differ visibly, in one of the two numbers at least?"""
    pairs = combinations([way(C, mean, x) for way in (answer, *WRONG)], 2)
    return all(are_apart(one[0], other[0]) or are_apart(one[1], other[1]) for one, other in pairs)


def _squared_scores(C: Array, deviation: Array) -> tuple[Array, Array]:
    """z² and λ, strongest first."""
    values, vectors = np.linalg.eigh(C)
    return ((deviation @ vectors) ** 2)[::-1], values[::-1]


def _added(terms: Array) -> Answer:
    return float(terms[0]), float(terms[0] + terms[1])


def answer(C: Array, mean: Array, x: Array) -> Answer:
    """t² = z₁²/λ₁, and t² = z₁²/λ₁ + z₂²/λ₂ (eq-practice-outlier)."""
    squares, variances = _squared_scores(C, x - mean)
    return _added(squares / variances)


def forgot_the_mean(C: Array, mean: Array, x: Array) -> Answer:
    """Measure from the origin."""
    return answer(C, np.zeros(2), x)


def did_not_divide(C: Array, mean: Array, x: Array) -> Answer:
    """z₁² and the squared distance."""
    return _added(_squared_scores(C, x - mean)[0])


def divided_by_deviations(C: Array, mean: Array, x: Array) -> Answer:
    """z²/√λ."""
    squares, variances = _squared_scores(C, x - mean)
    return _added(squares / np.sqrt(variances))


def left_directions_unnormalised(C: Array, mean: Array, x: Array) -> Answer:
    """Whole numbers as direction, such as (1, 2), in the place of a unit vector."""
    w = np.array([C[0, 1], np.linalg.eigvalsh(C)[-1] - C[0, 0]])
    whole = np.rint(w) / np.gcd.reduce(np.rint(w).astype(int))
    first, both = answer(C, mean, x)
    return float(first * (whole @ whole)), float(both * (whole @ whole))


def gave_the_root(C: Array, mean: Array, x: Array) -> Answer:
    """t for t²."""
    first, both = answer(C, mean, x)
    return float(np.sqrt(first)), float(np.sqrt(both))


def swapped_the_axes(C: Array, mean: Array, x: Array) -> Answer:
    """The component of the smaller variance first."""
    first, both = answer(C, mean, x)
    return both - first, both


def gave_the_second_alone(C: Array, mean: Array, x: Array) -> Answer:
    """z₂²/λ₂ for the sum of the two."""
    first, both = answer(C, mean, x)
    return first, both - first


WRONG = (
    forgot_the_mean,
    did_not_divide,
    divided_by_deviations,
    left_directions_unnormalised,
    gave_the_root,
    swapped_the_axes,
    gave_the_second_alone,
)


def by_the_inverse(C: Array, mean: Array, x: Array) -> Answer:
    """Both components together are (x − μ)ᵀC⁻¹(x − μ)."""
    deviation = x - mean
    values, vectors = np.linalg.eigh(C)
    first = (vectors[:, 1] @ deviation) ** 2 / values[1]
    return float(first), float(deviation @ np.linalg.solve(C, deviation))


def with_long_directions(C: Array, mean: Array, x: Array) -> Answer:
    """(w·(x − μ))²/(λ wᵀw) with w = (C₁₂, λ − C₁₁), whatever its length."""
    half = (C[0, 0] + C[1, 1]) / 2
    root = np.sqrt(half**2 - (C[0, 0] * C[1, 1] - C[0, 1] ** 2))
    terms = []
    for value in (half + root, half - root):
        w = np.array([C[0, 1], value - C[0, 0]])
        terms.append((w @ (x - mean)) ** 2 / (value * (w @ w)))
    return terms[0], terms[0] + terms[1]


strange_sample = Task(
    kind="hand",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-practice-outlier",
    same=(exactly, exactly),
    parts=("squared score with one component", "squared score with both"),
    misconceptions=(
        Misconception(
            forgot_the_mean,
            hint="This is how strange the sample is as seen from the origin. Scores are measured from another point.",
            see="eq-practice-scores",
        ),
        Misconception(
            did_not_divide,
            hint="These are squared scores in the units of the data. An outlier score measures each in its own "
            "standard deviation.",
            see="eq-practice-outlier",
        ),
        Misconception(
            divided_by_deviations,
            hint="A squared score was divided by a deviation that is not squared. Compare the units above and below "
            "the line.",
            see="eq-practice-outlier",
        ),
        Misconception(
            left_directions_unnormalised,
            hint="A coordinate along a direction is an inner product with a vector of length one. With a longer vector "
            "both numbers come out too large, by the square of its length.",
            see="eq-practice-loadings",
        ),
        Misconception(
            gave_the_root,
            hint="These are the scores themselves; their squares were asked for.",
            see="eq-practice-outlier",
            credit=0.75,
        ),
        Misconception(
            swapped_the_axes,
            hint="The number for both components is right. With one component only the direction of largest variance "
            "counts.",
            see="eq-practice-outlier",
            credit=0.5,
        ),
        Misconception(
            gave_the_second_alone,
            hint="The first number is right. The second is the contribution of the second component alone.",
            see="eq-practice-outlier",
            credit=0.5,
        ),
    ),
    alternatives=(by_the_inverse, with_long_directions),
)
