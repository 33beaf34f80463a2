"""Task `error_from_spectrum`: reconstruction error and kept share from singular values, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import SMALLEST_RATIO, Array, are_apart, is_short, one_of

Answer = tuple[float, float]


def draw(rng: np.random.Generator) -> Cases:
    """Four whole singular values with a short share and a short error."""
    singular_values, n_samples, n_components = one_of(rng, _choices())
    numbers = {
        "singular_values": np.array(singular_values),
        "n_samples": n_samples,
        "n_components": n_components,
    }
    return {"the numbers of the text": numbers}


@cache
def _choices() -> list[tuple[tuple[float, ...], int, int]]:
    """Every spectrum on which no two ways give nearly the same pair of numbers."""
    choices = []
    for sigma, n_samples, n_components in product(combinations(range(12, 0, -1), 4), (5, 8, 10, 20), (2,)):
        if sigma[n_components - 1] ** 2 < SMALLEST_RATIO * sigma[n_components] ** 2:
            continue
        numbers = (np.array(sigma, dtype=float), n_samples, n_components)
        error, share = answer(*numbers)
        errors, shares = zip(*(way(*numbers) for way in WAYS), strict=True)
        if is_short(error, 2) and is_short(share) and are_apart(*errors) and are_apart(*set(shares)):
            choices.append((tuple(map(float, sigma)), n_samples, n_components))
    return choices


def answer(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """J = Σ_{j>d} σⱼ²/N, and Σ_{j≤d} σⱼ²/Σσⱼ² (thm-pca-residual)."""
    return _error_and_share(singular_values**2 / n_samples, n_components)


def _error_and_share(variances: Array, n_components: int) -> Answer:
    kept, lost = variances[:n_components].sum(), variances[n_components:].sum()
    return float(lost), float(kept / (kept + lost))


def forgot_to_square(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """σ/N for a variance."""
    return _error_and_share(singular_values / n_samples, n_components)


def squared_twice(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Square the variances once more."""
    return _error_and_share((singular_values**2 / n_samples) ** 2, n_components)


def forgot_to_divide(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Add up σ² without averaging over samples."""
    return _error_and_share(singular_values**2, n_components)


def divided_by_n_minus_one(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """σ²/(N − 1)."""
    return _error_and_share(singular_values**2 / (n_samples - 1), n_components)


def averaged_over_all_entries(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The mean squared error of an entry of the table, not of a sample."""
    error, share = answer(singular_values, n_samples, n_components)
    return error / len(singular_values), share


def swapped_kept_and_lost(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The kept variance as error, the lost share as share."""
    error, share = answer(singular_values, n_samples, n_components)
    total = float(np.sum(singular_values**2) / n_samples)
    return total - error, 1 - share


def gave_the_lost_share(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """The right error, and the share that is lost."""
    error, share = answer(singular_values, n_samples, n_components)
    return error, 1 - share


def by_total(singular_values: Array, n_samples: int, n_components: int) -> Answer:
    """Error as total minus kept, share as one minus lost."""
    total = np.sum(singular_values**2) / n_samples
    kept = np.sum(singular_values[:n_components] ** 2) / n_samples
    return float(total - kept), float(1 - (total - kept) / total)


WAYS = (
    answer,
    forgot_to_square,
    squared_twice,
    forgot_to_divide,
    divided_by_n_minus_one,
    swapped_kept_and_lost,
)

error_from_spectrum = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-pca-residual",
    same=(exactly, exactly),
    parts=("the mean squared error", "the kept share"),
    misconceptions=(
        Misconception(
            forgot_to_square,
            hint="Singular values carry the unit of the data, variances its square. How does one become the "
            "other?",
            see="eq-pca-singular-values",
        ),
        Misconception(
            squared_twice,
            hint="The numbers were squared once too often. A squared singular value, averaged, is a variance "
            "already.",
            see="eq-pca-singular-values",
        ),
        Misconception(
            forgot_to_divide,
            hint="The share is right. The error adds up all samples, but it is defined as a mean over them.",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            divided_by_n_minus_one,
            hint="The share is right. The error is an average over the samples: how many are there?",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            averaged_over_all_entries,
            hint="The share is right. The error is a mean over the samples, of whole squared distances; yours is a "
            "mean over all entries of the table.",
            see="eq-pca-error",
            credit=0.5,
        ),
        Misconception(
            swapped_kept_and_lost,
            hint="Kept and lost changed places. A good fit has a small error and a large share.",
            see="eq-pca-residual",
        ),
        Misconception(
            gave_the_lost_share,
            hint="The error is right. This is the share that is lost; the kept one was asked for.",
            see="eq-pca-captured",
            credit=0.5,
        ),
    ),
    alternatives=(by_total,),
)
