"""Task `captured_and_lost`: the variance kept by a subspace, and the mean squared error of staying in it."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.covariance import covariance
from dimred_ref.pca import captured_variance, pca, reconstruction_error
from solutions.numbers import Array, cloud, orthonormal_columns

Answer = tuple[float, float]


def draw(rng: np.random.Generator) -> Cases:
    """A line nobody optimised, the principal plane, and a plane in a far cloud."""
    near = cloud(rng, 8, (4.0, 2.0, 1.0), (0.5, 1.0, 1.5))
    best = cloud(rng, 10, (6.0, 2.0, 0.7), (1.0, -1.0, 2.0))
    far = cloud(rng, 12, (5.0, 3.0, 1.0, 0.5), (4.0, 9.0, -8.0, 6.0))
    return {
        "some line, a few samples twice": {
            "X": np.vstack([near, near[:3]]),
            "V": orthonormal_columns(rng, 3, 1),
        },
        "the principal plane, in small units": {"X": 1e-6 * best, "V": pca(best, 2).axes},
        "three directions in a far cloud": {"X": far, "V": orthonormal_columns(rng, 4, 3)},
    }


def hard(rng: np.random.Generator) -> Cases:
    """One feature, integers, other units, three columns."""
    plane = cloud(rng, 9, (4.0, 1.5), (1.0, -2.0))
    line = orthonormal_columns(rng, 2, 1)
    return {
        "integers": {"X": np.round(5 * plane).astype(int), "V": line},
        "small units": {"X": 1e-6 * plane, "V": line},
        "large units": {"X": 1e6 * plane, "V": line},
        "three columns": {
            "X": cloud(rng, 9, (4.0, 3.0, 2.0, 1.0), (1.0, 0.0, 2.0, 1.0)),
            "V": np.eye(4)[:, 1:],
        },
    }


def samples_once(X: Array, V: Array) -> Answer:
    """Repeated samples count once."""
    return answer(np.unique(X, axis=0), V)


def answer(X: Array, V: Array) -> Answer:
    """tr(VᵀCV) (eq-pca-captured) and J (eq-pca-error); they add up to tr C (thm-pca-equivalence)."""
    return captured_variance(covariance(X), V), reconstruction_error(X, V)


def forgot_to_centre(X: Array, V: Array) -> Answer:
    """Measure everything about the origin."""
    return float(np.sum((X @ V) ** 2) / len(X)), float(np.sum((X - X @ V @ V.T) ** 2) / len(X))


def mixed_two_divisors(X: Array, V: Array) -> Answer:
    """Divide the captured variance by N − 1 and the error by N."""
    captured, lost = answer(X, V)
    return captured * len(X) / (len(X) - 1), lost


def divided_both_by_n_minus_one(X: Array, V: Array) -> Answer:
    """Divide both by N − 1."""
    captured, lost = answer(X, V)
    return captured * len(X) / (len(X) - 1), lost * len(X) / (len(X) - 1)


def averaged_over_entries(X: Array, V: Array) -> Answer:
    """Take np.mean of the squared residual, which divides by N D."""
    captured, lost = answer(X, V)
    return captured, lost / X.shape[1]


def summed_the_error(X: Array, V: Array) -> Answer:
    """Add the squared errors of all samples."""
    captured, lost = answer(X, V)
    return captured, lost * len(X)


def forgot_to_add_the_mean_back(X: Array, V: Array) -> Answer:
    """Compare the raw samples with reconstructions that stayed at the origin."""
    centred = X - X.mean(axis=0)
    return answer(X, V)[0], float(np.sum((X - centred @ V @ V.T) ** 2) / len(X))


def projected_the_raw_data(X: Array, V: Array) -> Answer:
    """Captured variance about the origin, error about the mean."""
    return float(np.sum((X @ V) ** 2) / len(X)), answer(X, V)[1]


def from_scores(X: Array, V: Array) -> Answer:
    """Variance of the scores, and the total minus it (Pythagoras)."""
    captured = float((X @ V).var(axis=0).sum())
    return captured, float(X.var(axis=0).sum()) - captured


def sample_by_sample(X: Array, V: Array) -> Answer:
    """Both numbers as averages over the samples."""
    mean = X.mean(axis=0)
    projected = [V @ (V.T @ (x - mean)) for x in X]
    captured = np.mean([p @ p for p in projected])
    lost = np.mean([np.linalg.norm(x - mean - p) ** 2 for x, p in zip(X, projected, strict=True)])
    return float(captured), float(lost)


def took_the_principal_axes(X: Array, V: Array) -> Answer:
    """The best axes in the place of the given ones."""
    best = np.linalg.eigh(covariance(X))[1][:, ::-1][:, : V.shape[1]]
    return answer(X, best)


captured_and_lost = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-pca-equivalence",
    same=(exactly, exactly),
    parts=("the captured variance", "the mean squared error"),
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="Your two numbers do add up, but to the mean squared distance from the origin. Which total "
            "should they add up to?",
            see="thm-pca-equivalence",
        ),
        Misconception(
            mixed_two_divisors,
            hint="Your two numbers were averaged with different divisors, so they do not add up to a fixed "
            "total. Use the course's divisor for both.",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            divided_both_by_n_minus_one,
            hint="Both numbers are too large by the same factor. Compare your divisor with the one this "
            "course uses.",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            averaged_over_entries,
            hint="The captured variance is right; the error is too small. It was averaged over all entries "
            "of the table: over what should it be averaged?",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            summed_the_error,
            hint="The captured variance is right; the error grows with the number of samples. It should not.",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            forgot_to_add_the_mean_back,
            hint="The captured variance is right. The error compares samples in one coordinate system with "
            "reconstructions in another: where is the mean?",
            see="eq-pca-reconstruction",
            credit=0.5,
        ),
        Misconception(
            projected_the_raw_data,
            hint="The error is right. The captured number is the mean square of the coordinates, which is "
            "their variance only if they average to something special.",
            see="eq-pca-captured",
            credit=0.5,
        ),
        Misconception(
            took_the_principal_axes,
            hint="These are the numbers of the best axes. The axes to be judged are given: they are the columns of V.",
            see="eq-pca-captured",
        ),
    ),
    alternatives=(from_scores, sample_by_sample),
    must_fail=(samples_once,),
    hard=hard,
)
