"""Tasks on the variance that axes capture, and the error that is left."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance
from dimred_ref.pca import captured_variance, pca, reconstruction_error
from solutions.numbers import SMALLEST_RATIO, Array, are_apart, cloud, is_short, one_of, orthonormal_columns
from solutions.steps import Worked, eq, row, steps, tex, total

Answer = tuple[float, float]


@task.code(
    points=3, minutes=12, see="thm-pca-equivalence", parts=("the captured variance", "the mean squared error")
)
def captured_and_lost(X: Array, V: Array) -> Answer:
    """tr(VᵀCV) (eq-pca-captured) and J (eq-pca-error); they add up to tr C (thm-pca-equivalence)."""
    return captured_variance(covariance(X), V), reconstruction_error(X, V)


@captured_and_lost.draw
def draw_captured_and_lost(rng: np.random.Generator) -> task.Cases:
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


@captured_and_lost.hard
def hard_captured_and_lost(rng: np.random.Generator) -> task.Cases:
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


@captured_and_lost.wrong(
    "Your two numbers do add up, but to the mean squared distance from the origin. Which total should they add up to?"
)
def forgot_to_centre(X: Array, V: Array) -> Answer:
    """Measure everything about the origin."""
    return float(np.sum((X @ V) ** 2) / len(X)), float(np.sum((X - X @ V @ V.T) ** 2) / len(X))


@captured_and_lost.wrong(
    "Your two numbers were averaged with different divisors, so they do not add up to a fixed total. Use the course's "
    "divisor for both.",
    see="eq-pca-error",
    credit=0.5,
)
def mixed_two_divisors(X: Array, V: Array) -> Answer:
    """Divide the captured variance by N − 1 and the error by N."""
    captured, lost = captured_and_lost(X, V)
    return captured * len(X) / (len(X) - 1), lost


@captured_and_lost.wrong(
    "Both numbers are too large by the same factor. Compare your divisor with the one this course uses.",
    see="eq-pca-error",
    credit=0.5,
)
def divided_both_by_n_minus_one(X: Array, V: Array) -> Answer:
    """Divide both by N − 1."""
    captured, lost = captured_and_lost(X, V)
    return captured * len(X) / (len(X) - 1), lost * len(X) / (len(X) - 1)


@captured_and_lost.wrong(
    "The captured variance is right; the error is too small. It was averaged over all entries of the table: over what "
    "should it be averaged?",
    see="eq-pca-error",
    credit=0.5,
)
def averaged_over_entries(X: Array, V: Array) -> Answer:
    """Take np.mean of the squared residual, which divides by N D."""
    captured, lost = captured_and_lost(X, V)
    return captured, lost / X.shape[1]


@captured_and_lost.wrong(
    "The captured variance is right; the error grows with the number of samples. It should not.",
    see="eq-pca-error",
    credit=0.5,
)
def summed_the_error(X: Array, V: Array) -> Answer:
    """Add the squared errors of all samples."""
    captured, lost = captured_and_lost(X, V)
    return captured, lost * len(X)


@captured_and_lost.wrong(
    "The captured variance is right. The error compares samples in one coordinate system with reconstructions in "
    "another: where is the mean?",
    see="eq-pca-reconstruction",
    credit=0.5,
)
def forgot_to_add_the_mean_back(X: Array, V: Array) -> Answer:
    """Compare the raw samples with reconstructions that stayed at the origin."""
    centred = X - X.mean(axis=0)
    return captured_and_lost(X, V)[0], float(np.sum((X - centred @ V @ V.T) ** 2) / len(X))


@captured_and_lost.wrong(
    "The error is right. The captured number is the mean square of the coordinates, which is their variance only if "
    "they average to something special.",
    see="eq-pca-captured",
    credit=0.5,
)
def projected_the_raw_data(X: Array, V: Array) -> Answer:
    """Captured variance about the origin, error about the mean."""
    return float(np.sum((X @ V) ** 2) / len(X)), captured_and_lost(X, V)[1]


@captured_and_lost.wrong(
    "These are the numbers of the best axes. The axes to be judged are given: they are the columns of V.",
    see="eq-pca-captured",
)
def took_the_principal_axes(X: Array, V: Array) -> Answer:
    """The best axes in the place of the given ones."""
    best = np.linalg.eigh(covariance(X))[1][:, ::-1][:, : V.shape[1]]
    return captured_and_lost(X, best)


@captured_and_lost.also
def from_scores(X: Array, V: Array) -> Answer:
    """Variance of the scores, and the total minus it (Pythagoras)."""
    captured = float((X @ V).var(axis=0).sum())
    return captured, float(X.var(axis=0).sum()) - captured


@captured_and_lost.also
def sample_by_sample(X: Array, V: Array) -> Answer:
    """Both numbers as averages over the samples."""
    mean = X.mean(axis=0)
    projected = [V @ (V.T @ (x - mean)) for x in X]
    captured = np.mean([p @ p for p in projected])
    lost = np.mean([np.linalg.norm(x - mean - p) ** 2 for x, p in zip(X, projected, strict=True)])
    return float(captured), float(lost)


@captured_and_lost.must_fail
def samples_once(X: Array, V: Array) -> Answer:
    """Repeated samples count once."""
    return captured_and_lost(np.unique(X, axis=0), V)


@cache
def _choices() -> list[tuple[tuple[float, ...], int, int]]:
    """Every spectrum on which no two ways give nearly the same pair of numbers."""
    choices = []
    for sigma, n_samples, n_components in product(combinations(range(12, 0, -1), 4), (5, 8, 10, 20), (2,)):
        if sigma[n_components - 1] ** 2 < SMALLEST_RATIO * sigma[n_components] ** 2:
            continue
        numbers = (np.array(sigma, dtype=float), n_samples, n_components)
        error, share = error_from_spectrum(*numbers)
        errors, shares = zip(*(way(*numbers) for way in WAYS), strict=True)
        if is_short(error, 2) and is_short(share) and are_apart(*errors) and are_apart(*set(shares)):
            choices.append((tuple(map(float, sigma)), n_samples, n_components))
    return choices


@task.hand(points=2, minutes=8, see="thm-pca-residual", parts=("the mean squared error", "the kept share"))
def error_from_spectrum(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """J = Σ_{j>d} σⱼ²/N, and Σ_{j≤d} σⱼ²/Σσⱼ² (thm-pca-residual)."""
    return _error_and_share(singular_values**2 / n_samples, n_components)


@error_from_spectrum.draw
def draw_error_from_spectrum(rng: np.random.Generator) -> task.Cases:
    """Four whole singular values with a short share and a short error."""
    singular_values, n_samples, n_components = one_of(rng, _choices())
    numbers = {
        "singular_values": np.array(singular_values),
        "n_samples": n_samples,
        "n_components": n_components,
    }
    return {"the numbers of the text": numbers}


@cache
def _spectra() -> list[tuple[tuple[float, ...], int, int]]:
    found = []
    for sigma, n_samples, n_components in product(
        combinations(range(14, 0, -1), 4), (5, 8, 10, 20, 25), (1, 2)
    ):
        error, share = error_from_spectrum(np.array(sigma, dtype=float), n_samples, n_components)
        if sigma[n_components - 1] ** 2 >= SMALLEST_RATIO * sigma[n_components] ** 2:
            if is_short(error, 2) and is_short(share):
                found.append((tuple(map(float, sigma)), n_samples, n_components))
    return found


@error_from_spectrum.practice_draw
def practice_draw_error_from_spectrum(rng: np.random.Generator) -> task.Cases:
    """More spectra, samples and components."""
    singular_values, n_samples, n_components = one_of(rng, _spectra())
    inputs = {
        "singular_values": np.array(singular_values),
        "n_samples": n_samples,
        "n_components": n_components,
    }
    return {"the numbers of the text": inputs}


def _error_and_share(variances: Array, n_components: int) -> Answer:
    kept, lost = variances[:n_components].sum(), variances[n_components:].sum()
    return float(lost), float(kept / (kept + lost))


@error_from_spectrum.wrong(
    "Singular values carry the unit of the data, variances its square. How does one become the other?",
    see="eq-pca-singular-values",
)
def forgot_to_square(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """σ/N for a variance."""
    return _error_and_share(singular_values / n_samples, n_components)


@error_from_spectrum.wrong(
    "The numbers were squared once too often. A squared singular value, averaged, is a variance already.",
    see="eq-pca-singular-values",
)
def squared_twice(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Square the variances once more."""
    return _error_and_share((singular_values**2 / n_samples) ** 2, n_components)


@error_from_spectrum.wrong(
    "The share is right. The error adds up all samples, but it is defined as a mean over them.",
    see="eq-pca-error",
    credit=0.5,
)
def forgot_to_divide(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Add up σ² without averaging over samples."""
    return _error_and_share(singular_values**2, n_components)


@error_from_spectrum.wrong(
    "The share is right. The error is an average over the samples: how many are there?",
    see="eq-pca-error",
    credit=0.5,
)
def divided_by_n_minus_one(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """σ²/(N − 1)."""
    return _error_and_share(singular_values**2 / (n_samples - 1), n_components)


@error_from_spectrum.wrong(
    "The share is right. The error is a mean over the samples, of whole squared distances; yours is a mean over all "
    "entries of the table.",
    see="eq-pca-error",
    credit=0.5,
)
def averaged_over_all_entries(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The mean squared error of an entry of the table, not of a sample."""
    error, share = error_from_spectrum(singular_values, n_samples, n_components)
    return error / len(singular_values), share


@error_from_spectrum.wrong(
    "Kept and lost changed places. A good fit has a small error and a large share.", see="eq-pca-residual"
)
def swapped_kept_and_lost(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The kept variance as error, the lost share as share."""
    error, share = error_from_spectrum(singular_values, n_samples, n_components)
    total = float(np.sum(singular_values**2) / n_samples)
    return total - error, 1 - share


@error_from_spectrum.wrong(
    "The error is right. This is the share that is lost; the kept one was asked for.",
    see="eq-pca-captured",
    credit=0.5,
)
def gave_the_lost_share(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The right error, and the share that is lost."""
    error, share = error_from_spectrum(singular_values, n_samples, n_components)
    return error, 1 - share


@error_from_spectrum.wrong("One component too many is kept here: d of them are kept, and the rest is lost.")
def kept_one_more(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The same with d + 1."""
    return error_from_spectrum(singular_values, n_samples, n_components + 1)


@error_from_spectrum.wrong("One component too few is kept here: d of them are kept, and the rest is lost.")
def kept_one_fewer(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The same with d − 1."""
    return error_from_spectrum(singular_values, n_samples, n_components - 1)


@error_from_spectrum.wrong(
    "The share is right. Your error is a mean over the components that are lost; it is a mean over samples.",
)
def averaged_over_the_lost_components(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Σ_{j>d} σⱼ²/(D − d)."""
    error, share = error_from_spectrum(singular_values, n_samples, n_components)
    return error * n_samples / (len(singular_values) - n_components), share


@error_from_spectrum.also
def by_total(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Error as total minus kept, share as one minus lost."""
    total = np.sum(singular_values**2) / n_samples
    kept = np.sum(singular_values[:n_components] ** 2) / n_samples
    return float(total - kept), float(1 - (total - kept) / total)


WAYS = (
    error_from_spectrum,
    forgot_to_square,
    squared_twice,
    forgot_to_divide,
    divided_by_n_minus_one,
    swapped_kept_and_lost,
)


@error_from_spectrum.worked
def worked_error_from_spectrum(singular_values: Array, n_samples: int, n_components: int) -> Worked:
    """Squares divided by N; what is left out is the error."""
    variances = singular_values**2 / n_samples
    lost, kept = variances[n_components:], variances[:n_components]
    return steps(
        rf"The variances are $\lambda_i=\sigma_i^2/N$: ${row(singular_values**2)}/{n_samples}={row(variances)}$.",
        rf"The error is the sum of those that are left out: $J={total(lost)}{eq(lost.sum())}$.",
        rf"All together are ${tex(variances.sum())}$, so the kept share is "
        rf"${tex(kept.sum())}/{tex(variances.sum())}{eq(kept.sum() / variances.sum())}$.",
    ), (float(lost.sum()), float(kept.sum() / variances.sum()))
