"""Task `strange_sample`: a squared outlier score with one component and with two, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, bracketed, eq, pair_of, row, steps, tex

Answer = tuple[float, float]
LARGEST = 60.0
SMALLER = (2, 3, 4, 6, 8, 9, 12, 16, 18)  # eigenvalues
SIZES = (-3, -2, -1, 1, 2, 3)  # of the coordinates along the axes
AXES = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, -1))


@cache
def _choices() -> list[tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]]:
    choices = []
    for axis, small, step, along, across in product(AXES, SMALLER, (1, 2, 3, 4), SIZES, SIZES):
        w, other = np.array(axis, dtype=float), np.array((-axis[1], axis[0]), dtype=float)
        large = small + step * (w @ w)
        C = (large * np.outer(w, w) + small * np.outer(other, other)) / (w @ w)
        deviation = along * w + across * other
        if (
            C.max() <= LARGEST
            and abs(along) != abs(across)  # else nothing shows which score belongs to which eigenvalue
            and all(map(is_short, strange_sample(C, np.zeros(2), deviation)))
            and np.all(deviation != 0)
        ):
            choices.append((tuple(map(tuple, C.tolist())), tuple(deviation.tolist())))
    return choices


def _is_telling(C: Array, mean: Array, x: Array) -> bool:
    """Do any two ways differ visibly, in one of the two numbers at least?"""
    pairs = combinations([way(C, mean, x) for way in (strange_sample, *WRONG)], 2)
    return all(are_apart(one[0], other[0]) or are_apart(one[1], other[1]) for one, other in pairs)


def _squared_scores(C: Array, deviation: Array) -> tuple[Array, Array]:
    """z² and λ, strongest first."""
    values, vectors = np.linalg.eigh(C)
    return ((deviation @ vectors) ** 2)[::-1], values[::-1]


def _added(terms: Array) -> Answer:
    return float(terms[0]), float(terms[0] + terms[1])


@task.hand(
    points=3,
    minutes=12,
    see="eq-practice-outlier",
    parts=("squared score with one component", "squared score with both"),
)
def strange_sample(C: Array, mean: Array, x: Array) -> Answer:
    """t² = z₁²/λ₁, and t² = z₁²/λ₁ + z₂²/λ₂ (eq-practice-outlier)."""
    squares, variances = _squared_scores(C, x - mean)
    return _added(squares / variances)


@strange_sample.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A covariance with whole eigenpairs, and a sample with whole coordinates along them."""
    while True:
        C, deviation = one_of(rng, _choices())
        mean = rng.integers(2, 10, size=2).astype(float)
        inputs = {"C": np.array(C), "mean": mean, "x": mean + np.array(deviation)}
        if _is_telling(*inputs.values()):
            return {"the numbers of the text": inputs}


@strange_sample.wrong(
    "This is how strange the sample is as seen from the origin. Scores are measured from another point.",
    see="eq-practice-scores",
)
def forgot_the_mean(C: Array, mean: Array, x: Array) -> Answer:
    """Measure from the origin."""
    return strange_sample(C, np.zeros(2), x)


@strange_sample.wrong(
    "These are squared scores in the units of the data. An outlier score measures each in its own standard deviation."
)
def did_not_divide(C: Array, mean: Array, x: Array) -> Answer:
    """z₁² and the squared distance."""
    return _added(_squared_scores(C, x - mean)[0])


@strange_sample.wrong(
    "A squared score was divided by a deviation that is not squared. Compare the units above and below the line."
)
def divided_by_deviations(C: Array, mean: Array, x: Array) -> Answer:
    """z²/√λ."""
    squares, variances = _squared_scores(C, x - mean)
    return _added(squares / np.sqrt(variances))


@strange_sample.wrong(
    "A coordinate along a direction is an inner product with a vector of length one. With a longer vector both "
    "numbers come out too large, by the square of its length.",
    see="eq-practice-loadings",
)
def left_directions_unnormalised(C: Array, mean: Array, x: Array) -> Answer:
    """Whole numbers as direction, such as (1, 2), in the place of a unit vector."""
    w = np.array([C[0, 1], np.linalg.eigvalsh(C)[-1] - C[0, 0]])
    whole = np.rint(w) / np.gcd.reduce(np.rint(w).astype(int))
    first, both = strange_sample(C, mean, x)
    return float(first * (whole @ whole)), float(both * (whole @ whole))


@strange_sample.wrong("These are the scores themselves; their squares were asked for.", credit=0.75)
def gave_the_root(C: Array, mean: Array, x: Array) -> Answer:
    """t for t²."""
    first, both = strange_sample(C, mean, x)
    return float(np.sqrt(first)), float(np.sqrt(both))


@strange_sample.wrong(
    "The number for both components is right. With one component only the direction of largest variance counts.",
    credit=0.5,
)
def swapped_the_axes(C: Array, mean: Array, x: Array) -> Answer:
    """The component of the smaller variance first."""
    first, both = strange_sample(C, mean, x)
    return both - first, both


@strange_sample.wrong(
    "Each score was divided by the eigenvalue of the other direction. Multiply C with your direction: which "
    "eigenvalue comes out?",
)
def attached_the_other_direction(C: Array, mean: Array, x: Array) -> Answer:
    """z₂²/λ₁ and z₂²/λ₁ + z₁²/λ₂: each eigenvalue with the eigenvector of the other."""
    squares, variances = _squared_scores(C, x - mean)
    return _added(squares[::-1] / variances)


@strange_sample.wrong(
    "The first number is right. The second is the contribution of the second component alone.", credit=0.5
)
def gave_the_second_alone(C: Array, mean: Array, x: Array) -> Answer:
    """z₂²/λ₂ for the sum of the two."""
    first, both = strange_sample(C, mean, x)
    return first, both - first


WRONG = (
    forgot_the_mean,
    did_not_divide,
    divided_by_deviations,
    left_directions_unnormalised,
    gave_the_root,
    swapped_the_axes,
    attached_the_other_direction,
    gave_the_second_alone,
)


@strange_sample.also
def by_the_inverse(C: Array, mean: Array, x: Array) -> Answer:
    """Both components together are (x − μ)ᵀC⁻¹(x − μ)."""
    deviation = x - mean
    values, vectors = np.linalg.eigh(C)
    first = (vectors[:, 1] @ deviation) ** 2 / values[1]
    return float(first), float(deviation @ np.linalg.solve(C, deviation))


@strange_sample.also
def with_long_directions(C: Array, mean: Array, x: Array) -> Answer:
    """(w·(x − μ))²/(λ wᵀw) with w = (C₁₂, λ − C₁₁), whatever its length."""
    half = (C[0, 0] + C[1, 1]) / 2
    root = np.sqrt(half**2 - (C[0, 0] * C[1, 1] - C[0, 1] ** 2))
    terms = []
    for value in (half + root, half - root):
        w = np.array([C[0, 1], value - C[0, 0]])
        terms.append((w @ (x - mean)) ** 2 / (value * (w @ w)))
    return terms[0], terms[0] + terms[1]


@strange_sample.worked
def worked(C: Array, mean: Array, x: Array) -> Worked:
    """Squared scores divided by variances."""
    text, large, small, v = pair_of(C)
    across = np.array([-v[1], v[0]])
    difference = x - mean
    first = float((v @ difference) ** 2 / (v @ v) / large)
    second = float((across @ difference) ** 2 / (across @ across) / small)
    return steps(
        rf"{text}. The axes lie along $v={row(v)}$ and, orthogonal to it, $w={row(across)}$; both have the squared "
        rf"length ${tex(v @ v)}$.",
        rf"$x-\mu={row(difference)}$, so $v^\top(x-\mu)={tex(v @ difference)}$ and "
        rf"$w^\top(x-\mu)={tex(across @ difference)}$.",
        rf"With one component: "
        rf"$t^2=\dfrac{{{bracketed(v @ difference)}^2}}{{{tex(v @ v)}\cdot{tex(large)}}}{eq(first)}$.",
        rf"The second adds "
        rf"$\dfrac{{{bracketed(across @ difference)}^2}}{{{tex(v @ v)}\cdot{tex(small)}}}{eq(second)}$, "
        rf"together ${tex(first + second)}$.",
    ), (first, first + second)
