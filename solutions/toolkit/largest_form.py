"""Task `largest_form`: the range of vᵀAv on unit vectors for a matrix without symmetry, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.toolkit.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Positive entries, b and c well apart."""
    return {"at sample points": sample_points(rng, a=(5.0, 9.0), b=(0.5, 2.0), c=(4.0, 8.0), d=(1.0, 4.0))}


def _around(a: Array, d: Array, squared_swing: Array) -> Array:
    """(a + d)/2 plus and minus the root of ((a − d)/2)² + the given square."""
    swing = np.sqrt(((a - d) / 2) ** 2 + squared_swing)
    return np.column_stack([(a + d) / 2 + swing, (a + d) / 2 - swing])


def answer(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of the symmetric part (thm-toolkit-rayleigh)."""
    return _around(a, d, ((b + c) / 2) ** 2)


def used_the_eigenvalues_of_the_matrix(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of A, with bc under the root."""
    return _around(a, d, b * c)


def forgot_to_halve(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of a matrix with b + c off the diagonal."""
    return _around(a, d, (b + c) ** 2)


def mirrored_one_entry(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of [[a, b], [b, d]]."""
    return _around(a, d, b**2)


def gave_singular_values(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The largest and smallest stretch."""
    A = np.moveaxis(np.array([[a, b], [c, d]]), -1, 0)
    return np.linalg.svd(A, compute_uv=False)


def gave_the_smallest_first(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Smallest, then largest."""
    return answer(a, b, c, d)[:, ::-1]


def doubled_the_form(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of A + Aᵀ."""
    return 2 * answer(a, b, c, d)


def by_eigenvalues(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The symmetric part, given to a program."""
    A = np.moveaxis(np.array([[a, b], [c, d]]), -1, 0)
    return np.linalg.eigvalsh((A + np.swapaxes(A, 1, 2)) / 2)[:, ::-1]


largest_form = Task(
    kind="sym",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the largest value", "the smallest value"),
    see="thm-toolkit-rayleigh",
    misconceptions=(
        Misconception(
            used_the_eigenvalues_of_the_matrix,
            hint="These are the eigenvalues of A. Try b = 10, c = 0, a = d = 1 and the vector (1, 1)/√2: the "
            "form is larger than your formula allows.",
            see="thm-toolkit-rayleigh",
        ),
        Misconception(
            forgot_to_halve,
            hint="For a symmetric matrix, c = b, your formula should give its eigenvalues. It does not: how is "
            "the coefficient of xy shared between two entries?",
            see="eq-toolkit-symmetric-part",
        ),
        Misconception(
            mirrored_one_entry,
            hint="One of the two entries off the diagonal has no say in your answer.",
            see="eq-toolkit-symmetric-part",
        ),
        Misconception(
            gave_singular_values,
            hint="These bound the length of Av. The form asks for the part of Av along v.",
            see="thm-toolkit-rayleigh",
        ),
        Misconception(
            gave_the_smallest_first,
            hint="Both formulas are right; the largest value was asked for first.",
            see="thm-toolkit-rayleigh",
            credit=0.75,
        ),
        Misconception(
            doubled_the_form,
            hint="Twice too large: A and its transpose have the same form, so their sum has twice that form.",
            see="eq-toolkit-symmetric-part",
            credit=0.5,
        ),
    ),
    alternatives=(by_eigenvalues,),
)
