"""Task `centre_first`: first axis and variance of four points whose mean hides it, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.pca import pca
from solutions.numbers import Array, one_of

Answer = tuple[Array, float]

DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))
# deviations along the first axis and across it, lopsided, so that medians are not means
SHAPES = (((3, -1, -1, -1), (0, 1, -1, 0)), ((4, 0, -2, -2), (1, -3, 1, 1)), ((3, -1, -1, -1), (0, 2, -2, 0)))
OFFSETS = (3, -3, 4, -4)  # of the mean along the second axis: about the origin that one looks like the first


def draw(rng: np.random.Generator) -> Cases:
    """Four points without symmetry whose axes are q₁ and q₂, and whose mean is c q₂."""
    q = np.array(one_of(rng, DIRECTIONS), dtype=float)
    across = np.array([-q[1], q[0]])
    along, aside = one_of(rng, SHAPES)
    sign = one_of(rng, (1, -1))
    deviations = np.outer(sign * np.array(along), q) + np.outer(aside, across)
    return {"the numbers of the text": {"X": rng.permutation(one_of(rng, OFFSETS) * across + deviations)}}


def answer(X: Array) -> Answer:
    """First axis and its variance, divisor N (eq-pca-eigenproblem)."""
    fit = pca(X, 1)
    return fit.axes[:, 0], float(fit.variances[0])


def forgot_to_centre(X: Array) -> Answer:
    """Strongest eigenpair of the second moments about the origin."""
    moments, vectors = np.linalg.eigh(X.T @ X / len(X))
    return vectors[:, -1], float(moments[-1])


def gave_the_second_axis(X: Array) -> Answer:
    """The eigenpair of the smaller variance."""
    fit = pca(X, 2)
    return fit.axes[:, 1], float(fit.variances[1])


def divided_by_n_minus_one(X: Array) -> Answer:
    """The variance with divisor 3 instead of 4."""
    axis, variance = answer(X)
    return axis, variance * len(X) / (len(X) - 1)


def forgot_to_divide(X: Array) -> Answer:
    """The eigenvalue of the scatter matrix."""
    axis, variance = answer(X)
    return axis, variance * len(X)


def took_the_standard_deviation(X: Array) -> Answer:
    """√λ₁."""
    axis, variance = answer(X)
    return axis, float(np.sqrt(variance))


def centred_at_the_median(X: Array) -> Answer:
    """Second moments about the medians."""
    moments, vectors = np.linalg.eigh((X - np.median(X, axis=0)).T @ (X - np.median(X, axis=0)) / len(X))
    return vectors[:, -1], float(moments[-1])


def by_covariance(X: Array) -> Answer:
    """The covariance with divisor N, then its eigenpairs."""
    variances, vectors = np.linalg.eigh(np.cov(X, rowvar=False, ddof=0))
    return -3 * vectors[:, -1], float(variances[-1])


centre_first = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-pca-covariance",
    same=(up_to_direction, exactly),
    parts=("the direction", "the variance"),
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="Your direction points from the origin to the middle of the points. PCA asks how they "
            "spread about their middle: draw the four points and look.",
            see="eq-pca-covariance",
        ),
        Misconception(
            gave_the_second_axis,
            hint="An axis of the points, but not the longer one.",
            see="thm-pca-first-direction",
        ),
        Misconception(
            divided_by_n_minus_one,
            hint="The direction is right. The variance is a little too large: what does this course divide "
            "by?",
            see="eq-pca-covariance",
            credit=0.5,
        ),
        Misconception(
            forgot_to_divide,
            hint="The direction is right. Four points were added up, but a variance is an average.",
            see="eq-pca-covariance",
            credit=0.5,
        ),
        Misconception(
            took_the_standard_deviation,
            hint="The direction is right. This is a length in the unit of the data; the variance was asked "
            "for.",
            see="eq-pca-eigenproblem",
            credit=0.5,
        ),
    ),
    alternatives=(by_covariance,),
    must_fail=(centred_at_the_median,),
)
