"""Task `filter_limits`: where the filter factors go when the penalty vanishes, and how fast, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points

STEP = 1e-30  # of a derivative by complex numbers, which is exact to all digits


def draw(rng: np.random.Generator) -> Cases:
    """An eigenvalue of XᵀX and a penalty."""
    return {"at sample points": sample_points(rng, lam=(1.5, 6.0), eps=(0.2, 1.4))}


def answer(lam: Array, eps: Array) -> Array:
    """1/√λ, 0, −√λ/(λ + ε)² (eq-least-squares-limit)."""
    return np.column_stack([1 / np.sqrt(lam), 0 * lam, -np.sqrt(lam) / (lam + eps) ** 2])


def forgot_the_root(lam: Array, eps: Array) -> Array:
    """1/λ as limit."""
    right = answer(lam, eps)
    return np.column_stack([1 / lam, right[:, 1:]])


def gave_the_same_limit_twice(lam: Array, eps: Array) -> Array:
    """1/√λ also where λ is zero."""
    right = answer(lam, eps)
    return right[:, [0, 0, 2]]


def lost_the_sign(lam: Array, eps: Array) -> Array:
    """A filter that grows with the penalty."""
    return answer(lam, eps) * [1, 1, -1]


def differentiated_by_the_eigenvalue(lam: Array, eps: Array) -> Array:
    """d/dλ in the place of d/dε."""
    slope = 1 / (2 * np.sqrt(lam) * (lam + eps)) - np.sqrt(lam) / (lam + eps) ** 2
    return np.column_stack([answer(lam, eps)[:, :2], slope])


def forgot_the_square(lam: Array, eps: Array) -> Array:
    """−√λ/(λ + ε)."""
    return np.column_stack([answer(lam, eps)[:, :2], -np.sqrt(lam) / (lam + eps)])


def took_the_share(lam: Array, eps: Array) -> Array:
    """Limits and slope of λ/(λ + ε)."""
    return np.column_stack([0 * lam + 1, 0 * lam, -lam / (lam + eps) ** 2])


def by_a_complex_step(lam: Array, eps: Array) -> Array:
    """Evaluate at a penalty too small to matter, and differentiate along the imaginary axis."""
    slope = np.imag(np.sqrt(lam) / (lam + eps + 1j * STEP)) / STEP
    return np.column_stack([np.sqrt(lam) / (lam + STEP), np.sqrt(0 * lam) / STEP, slope])


filter_limits = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("the limit for λ > 0", "the limit for λ = 0", "the derivative"),
    see="thm-least-squares-ridge-limit",
    misconceptions=(
        Misconception(
            forgot_the_root,
            hint="Zero and the derivative are right. In the first limit, what is left of √λ/λ?",
            see="eq-least-squares-limit",
            credit=0.5,
        ),
        Misconception(
            gave_the_same_limit_twice,
            hint="The first limit and the derivative are right. For λ = 0 put the zero in first: what is "
            "the filter factor then, for every positive ε?",
            see="eq-least-squares-limit",
            credit=0.5,
        ),
        Misconception(
            lost_the_sign,
            hint="Both limits are right. Does a larger penalty make the factor larger?",
            see="thm-least-squares-ridge-limit",
            credit=0.5,
        ),
        Misconception(
            differentiated_by_the_eigenvalue,
            hint="Both limits are right. Your derivative says what happens when λ moves; here only ε moves.",
            see="thm-least-squares-ridge-limit",
            credit=0.5,
        ),
        Misconception(
            forgot_the_square,
            hint="Both limits are right. Check the rule for the derivative of 1/(λ + ε).",
            see="eq-least-squares-filter",
            credit=0.5,
        ),
        Misconception(
            took_the_share,
            hint="You worked with the share of the fit that is kept. The filter factor is another quotient "
            "with the same denominator.",
            see="eq-least-squares-shrinkage",
        ),
    ),
    alternatives=(by_a_complex_step,),
)
