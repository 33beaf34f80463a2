"""Task `rebuild_one_point`: score, reconstruction and squared error of one sample, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import PYTHAGOREAN, Array, one_of

Answer = tuple[float, Array, float]
# steps along w and across it, of different lengths, so that the kept and the lost part cannot be confused
STEPS = ((2, 1), (-2, 1), (2, -1), (-2, -1), (1, 2), (-1, 2), (1, -2), (3, 1), (-3, 1), (3, -2))


def draw(rng: np.random.Generator) -> Cases:
    """x = μ + α w + β w⊥ with w from the 3-4-5 triangle, and a mean well off both axes through 0."""
    w = np.array(one_of(rng, PYTHAGOREAN), dtype=float)
    along, across = one_of(rng, STEPS)
    aside = np.array([-w[1], w[0]])
    mean = np.zeros(2)
    while min(abs(w @ mean), abs(aside @ mean), abs(abs(w @ mean) - 25 * abs(along))) < 5:
        mean = rng.integers(-6, 7, size=2).astype(float)
    return {"the numbers of the text": {"x": mean + along * w + across * aside, "mean": mean, "w": w}}


def answer(x: Array, mean: Array, w: Array) -> Answer:
    """z = uᵀ(x − μ), x̂ = μ + z u, ‖x − x̂‖² (eq-pca-scores, eq-pca-reconstruction)."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ (x - mean)), mean, u)


def _rebuilt(x: Array, score: float, origin: Array, direction: Array) -> Answer:
    rebuilt = origin + score * direction
    return score, rebuilt, float(np.sum((x - rebuilt) ** 2))


def forgot_to_subtract_the_mean(x: Array, mean: Array, w: Array) -> Answer:
    """z = uᵀx, then μ + z u."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ x), mean, u)


def forgot_to_add_the_mean_back(x: Array, mean: Array, w: Array) -> Answer:
    """z u for the reconstruction."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ (x - mean)), np.zeros(2), u)


def worked_about_the_origin(x: Array, mean: Array, w: Array) -> Answer:
    """Ignore the mean altogether."""
    u = w / np.linalg.norm(w)
    return _rebuilt(x, float(u @ x), np.zeros(2), u)


def forgot_to_normalise(x: Array, mean: Array, w: Array) -> Answer:
    """Use w where u belongs."""
    return _rebuilt(x, float(w @ (x - mean)), mean, w)


def left_the_error_unsquared(x: Array, mean: Array, w: Array) -> Answer:
    """‖x − x̂‖."""
    score, rebuilt, error = answer(x, mean, w)
    return score, rebuilt, float(np.sqrt(error))


def measured_the_kept_part(x: Array, mean: Array, w: Array) -> Answer:
    """‖x̂ − μ‖² for the error."""
    score, rebuilt, _ = answer(x, mean, w)
    return score, rebuilt, score**2


def by_projector(x: Array, mean: Array, w: Array) -> Answer:
    """Project with wwᵀ/wᵀw; the error by Pythagoras."""
    deviation = x - mean
    kept = np.outer(w, w) @ deviation / (w @ w)
    score = float(w @ deviation / np.sqrt(w @ w))
    return score, mean + kept, float(deviation @ deviation - score**2)


rebuild_one_point = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="eq-pca-reconstruction",
    same=(exactly, exactly, exactly),
    parts=("the score", "the reconstruction", "the squared error"),
    misconceptions=(
        Misconception(
            forgot_to_subtract_the_mean,
            hint="The score is the coordinate of x itself. It should be the coordinate of x as seen from "
            "another point.",
            see="eq-pca-scores",
        ),
        Misconception(
            forgot_to_add_the_mean_back,
            hint="The score is right. Your reconstruction starts at the origin: where does the axis start?",
            see="eq-pca-reconstruction",
            credit=0.25,
        ),
        Misconception(
            worked_about_the_origin,
            hint="The mean was not used at all. Through which point does the axis run?",
            see="eq-pca-reconstruction",
        ),
        Misconception(
            forgot_to_normalise,
            hint="Your reconstruction lies on the axis but far from x. How long must the vector be that "
            "measures coordinates?",
            see="eq-pca-scores",
        ),
        Misconception(
            left_the_error_unsquared,
            hint="Score and reconstruction are right. The distance is right too, but its square was asked "
            "for.",
            see="eq-pca-error",
            credit=0.75,
        ),
        Misconception(
            measured_the_kept_part,
            hint="Score and reconstruction are right. You measured what the axis keeps; the error is what it "
            "misses.",
            see="thm-pca-pythagoras",
            credit=0.5,
        ),
    ),
    alternatives=(by_projector,),
)
