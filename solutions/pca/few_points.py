"""Tasks on a few points in the plane, with a pencil."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.pca import pca
from solutions.numbers import PYTHAGOREAN, Array, one_of
from solutions.steps import Worked, bracketed, eq, matrix, pair_of, products, row, squares, steps, tex

Answer = tuple[Array, float]
DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))
# deviations along the first axis and across it, lopsided, so that medians are not means
SHAPES = (((3, -1, -1, -1), (0, 1, -1, 0)), ((4, 0, -2, -2), (1, -3, 1, 1)), ((3, -1, -1, -1), (0, 2, -2, 0)))
OFFSETS = (3, -3, 4, -4)  # of the mean along the second axis: about the origin that one looks like the first


@task.hand(
    points=2,
    minutes=12,
    see="eq-pca-covariance",
    same=(up_to_direction, exactly),
    parts=("the direction", "the variance"),
)
def centre_first(X: Array) -> Answer:
    """First axis and its variance, divisor N (eq-pca-eigenproblem)."""
    fit = pca(X, 1)
    return fit.axes[:, 0], float(fit.variances[0])


@centre_first.draw
def draw_centre_first(rng: np.random.Generator) -> task.Cases:
    """Four points without symmetry whose axes are q₁ and q₂, and whose mean is c q₂."""
    q = np.array(one_of(rng, DIRECTIONS), dtype=float)
    across = np.array([-q[1], q[0]])
    along, aside = one_of(rng, SHAPES)
    sign = one_of(rng, (1, -1))
    deviations = np.outer(sign * np.array(along), q) + np.outer(aside, across)
    return {"the numbers of the text": {"X": rng.permutation(one_of(rng, OFFSETS) * across + deviations)}}


@centre_first.wrong(
    "Your direction points from the origin to the middle of the points. PCA asks how they spread about their middle: "
    "draw the four points and look.",
)
def forgot_to_centre(X: Array) -> Answer:
    """Strongest eigenpair of the second moments about the origin."""
    moments, vectors = np.linalg.eigh(X.T @ X / len(X))
    return vectors[:, -1], float(moments[-1])


@centre_first.wrong("An axis of the points, but not the longer one.", see="thm-pca-first-direction")
def gave_the_second_axis(X: Array) -> Answer:
    """The eigenpair of the smaller variance."""
    fit = pca(X, 2)
    return fit.axes[:, 1], float(fit.variances[1])


@centre_first.wrong(
    "The direction is right. The variance is a little too large: what does this course divide by?", credit=0.5
)
def divided_by_n_minus_one(X: Array) -> Answer:
    """The variance with divisor 3 instead of 4."""
    axis, variance = centre_first(X)
    return axis, variance * len(X) / (len(X) - 1)


@centre_first.wrong(
    "The direction is right. Four points were added up, but a variance is an average.", credit=0.5
)
def forgot_to_divide(X: Array) -> Answer:
    """The eigenvalue of the scatter matrix."""
    axis, variance = centre_first(X)
    return axis, variance * len(X)


@centre_first.wrong(
    "The direction is right. This is a length in the unit of the data; the variance was asked for.",
    see="eq-pca-eigenproblem",
    credit=0.5,
)
def took_the_standard_deviation(X: Array) -> Answer:
    """√λ₁."""
    axis, variance = centre_first(X)
    return axis, float(np.sqrt(variance))


@centre_first.wrong(
    "The direction is right. This is the total variance; a part of it belongs to the second direction.",
)
def gave_the_total_variance(X: Array) -> Answer:
    """λ₁ + λ₂."""
    return centre_first(X)[0], float(X.var(axis=0).sum())


@centre_first.also
def by_covariance(X: Array) -> Answer:
    """The covariance with divisor N, then its eigenpairs."""
    variances, vectors = np.linalg.eigh(np.cov(X, rowvar=False, ddof=0))
    return -3 * vectors[:, -1], float(variances[-1])


@centre_first.must_fail
def centred_at_the_median(X: Array) -> Answer:
    """Second moments about the medians."""
    moments, vectors = np.linalg.eigh((X - np.median(X, axis=0)).T @ (X - np.median(X, axis=0)) / len(X))
    return vectors[:, -1], float(moments[-1])


@centre_first.worked
def worked_centre_first(X: Array) -> Worked:
    """Mean, deviations, covariance, and then as with any covariance."""
    mean = X.mean(axis=0)
    deviations = X - mean
    C = deviations.T @ deviations / len(X)
    text, large, _, v = pair_of(C)
    return steps(
        rf"The mean is $\mu={row(mean)}$; the deviations are ${matrix(deviations)}$.",
        rf"$C=\tfrac14X_c^\top X_c={matrix(C)}$: on the diagonal the mean squares, beside it the mean product.",
        rf"{text}. The variance along the first direction is ${tex(large)}$.",
        rf"The first row of $(C-\lambda_1I)v=0$ is solved by $v={row(v)}$.",
    ), (v, large)


Rebuilt = tuple[float, Array, float]
# steps along w and across it, of different lengths, so that the kept and the lost part cannot be confused
STEPS = ((2, 1), (-2, 1), (2, -1), (-2, -1), (1, 2), (-1, 2), (1, -2), (3, 1), (-3, 1), (3, -2))


@task.hand(
    points=2,
    minutes=8,
    see="eq-pca-reconstruction",
    parts=("the score", "the reconstruction", "the squared error"),
)
def rebuild_one_point(x: Array, mean: Array, w: Array) -> Rebuilt:
    """z = uᵀ(x − μ), x̂ = μ + z u, ‖x − x̂‖² (eq-pca-scores, eq-pca-reconstruction)."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ (x - mean)), mean, u)


@rebuild_one_point.draw
def draw_rebuild_one_point(rng: np.random.Generator) -> task.Cases:
    """x = μ + α w + β w⊥ with w from the 3-4-5 triangle, and a mean well off both axes through 0."""
    w = np.array(one_of(rng, PYTHAGOREAN), dtype=float)
    along, across = one_of(rng, STEPS)
    aside = np.array([-w[1], w[0]])
    mean = np.zeros(2)
    while min(abs(w @ mean), abs(aside @ mean), abs(abs(w @ mean) - 25 * abs(along))) < 5:
        mean = rng.integers(-6, 7, size=2).astype(float)
    return {"the numbers of the text": {"x": mean + along * w + across * aside, "mean": mean, "w": w}}


def _rebuilt(x: Array, score: float, origin: Array, direction: Array) -> Rebuilt:
    rebuilt = origin + score * direction
    return score, rebuilt, float(np.sum((x - rebuilt) ** 2))


@rebuild_one_point.wrong(
    "The score is the coordinate of x itself. It should be the coordinate of x as seen from another point.",
    see="eq-pca-scores",
)
def forgot_to_subtract_the_mean(x: Array, mean: Array, w: Array) -> Rebuilt:
    """z = uᵀx, then μ + z u."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ x), mean, u)


@rebuild_one_point.wrong(
    "The score is right. Your reconstruction starts at the origin: where does the axis start?", credit=0.25
)
def forgot_to_add_the_mean_back(x: Array, mean: Array, w: Array) -> Rebuilt:
    """z u for the reconstruction."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ (x - mean)), np.zeros(2), u)


@rebuild_one_point.wrong("The mean was not used at all. Through which point does the axis run?")
def worked_about_the_origin(x: Array, mean: Array, w: Array) -> Rebuilt:
    """Ignore the mean altogether."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ x), np.zeros(2), u)


@rebuild_one_point.wrong(
    "Your reconstruction lies on the axis but far from x. How long must the vector be that measures coordinates?",
    see="eq-pca-scores",
)
def forgot_to_normalise(x: Array, mean: Array, w: Array) -> Rebuilt:
    """Use w where u belongs."""
    return _rebuilt(x, float(w @ (x - mean)), mean, w)


@rebuild_one_point.wrong(
    "Score and reconstruction are right. The distance is right too, but its square was asked for.",
    see="eq-pca-error",
    credit=0.75,
)
def left_the_error_unsquared(x: Array, mean: Array, w: Array) -> Rebuilt:
    """‖x − x̂‖."""
    score, rebuilt, error = rebuild_one_point(x, mean, w)
    return score, rebuilt, float(np.sqrt(error))


@rebuild_one_point.wrong(
    "Score and reconstruction are right. You measured what the axis keeps; the error is what it misses.",
    see="thm-pca-pythagoras",
    credit=0.5,
)
def measured_the_kept_part(x: Array, mean: Array, w: Array) -> Rebuilt:
    """‖x̂ − μ‖² for the error."""
    score, rebuilt, _ = rebuild_one_point(x, mean, w)
    return score, rebuilt, score**2


@rebuild_one_point.wrong(
    "Score and reconstruction are right. This is the squared distance from the mean; the error is measured from the "
    "reconstruction."
)
def measured_from_the_mean(x: Array, mean: Array, w: Array) -> Rebuilt:
    """‖x − μ‖² for the error."""
    score, rebuilt, _ = rebuild_one_point(x, mean, w)
    return score, rebuilt, float((x - mean) @ (x - mean))


@rebuild_one_point.wrong(
    "Score and error are right. The mean was subtracted at the end; from the score back to the space of the data it "
    "is added."
)
def subtracted_the_mean_at_the_end(x: Array, mean: Array, w: Array) -> Rebuilt:
    """z u − μ."""
    score, rebuilt, error = rebuild_one_point(x, mean, w)
    return score, rebuilt - 2 * mean, error


@rebuild_one_point.wrong(
    "Score and error are right. In the reconstruction the score multiplies an axis of length one, and w is longer."
)
def rebuilt_along_the_long_axis(x: Array, mean: Array, w: Array) -> Rebuilt:
    """μ + z w."""
    score, _, error = rebuild_one_point(x, mean, w)
    return score, mean + score * w, error


@rebuild_one_point.also
def by_projector(x: Array, mean: Array, w: Array) -> Rebuilt:
    """Project with wwᵀ/wᵀw; the error by Pythagoras."""
    deviation = x - mean
    kept = np.outer(w, w) @ deviation / (w @ w)
    score = float(w @ deviation / np.sqrt(w @ w))
    return score, mean + kept, float(deviation @ deviation - score**2)


@rebuild_one_point.worked
def worked_rebuild_one_point(x: Array, mean: Array, w: Array) -> Worked:
    """Score, back, rest."""
    length = float(np.sqrt(w @ w))
    score = float(w @ (x - mean)) / length
    rebuilt = mean + score * w / length
    rest = x - rebuilt
    return steps(
        rf"$\lVert w\rVert=\sqrt{{{squares(w)}}}{eq(length)}$, so $u={row(w / length)}$.",
        rf"$x-\mu={row(x - mean)}$, and $z=u^\top(x-\mu)={products(w / length, x - mean)}={tex(score)}$.",
        rf"$\hat x=\mu+z\,u={row(mean)}+{bracketed(score)}\cdot{row(w / length)}={row(rebuilt)}$.",
        rf"$x-\hat x={row(rest)}$, and its squared length is ${squares(rest)}={tex(rest @ rest)}$.",
    ), (score, rebuilt, float(rest @ rest))
