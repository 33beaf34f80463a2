"""Task `best_coefficients`: the coefficients that fit two points by a line in the plane, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points
from solutions.signs import with_both_signs


def draw(rng: np.random.Generator) -> Cases:
    """Two points (p, q), (r, s) and the angle of the line."""
    points = sample_points(rng, p=(1.0, 4.0), q=(5.0, 9.0), r=(5.0, 9.0), s=(1.0, 3.0), t=(0.3, 1.2))
    return {"at sample points": with_both_signs(rng, points, *"pqrst")}


def answer(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a₁ = x₁ᵀu₁, a₂ = x₂ᵀu₁, b = x̄ᵀu₂ (eq-pca-coefficients)."""
    return np.column_stack([_first(p, q, t), _first(r, s, t), _second((p + r) / 2, (q + s) / 2, t)])


def _first(x: Array, y: Array, t: Array) -> Array:
    return x * np.cos(t) + y * np.sin(t)


def _second(x: Array, y: Array, t: Array) -> Array:
    return -x * np.sin(t) + y * np.cos(t)


def centred_the_points_in_a(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a from deviations, b from the points."""
    half = _first((p - r) / 2, (q - s) / 2, t)
    return np.column_stack([half, -half, answer(p, q, r, s, t)[:, 2]])


def centred_everything(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a from deviations, b = 0."""
    half = _first((p - r) / 2, (q - s) / 2, t)
    return np.column_stack([half, -half, np.zeros_like(p)])


def dropped_the_offset(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = 0: a line through the origin."""
    a1, a2, b = answer(p, q, r, s, t).T
    return np.column_stack([a1, a2, 0 * b])


def fitted_the_offset_to_one_point(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = x₁ᵀu₂."""
    a1, a2, _ = answer(p, q, r, s, t).T
    return np.column_stack([a1, a2, _second(p, q, t)])


def summed_instead_of_averaged(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = x₁ᵀu₂ + x₂ᵀu₂."""
    a1, a2, b = answer(p, q, r, s, t).T
    return np.column_stack([a1, a2, 2 * b])


def turned_the_second_axis_round(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b with u₂ = (sin t, −cos t)."""
    a1, a2, b = answer(p, q, r, s, t).T
    return np.column_stack([a1, a2, -b])


def by_least_squares(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """Solve the four equations x̃ₙ = xₙ for (a₁, a₂, b) in the sense of least squares."""
    fits = []
    for x1, y1, x2, y2, angle in zip(p, q, r, s, t, strict=True):
        u1, u2 = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        zero = np.zeros(2)
        A = np.vstack([np.column_stack([u1, zero, u2]), np.column_stack([zero, u1, u2])])
        fits.append(np.linalg.lstsq(A, np.array([x1, y1, x2, y2]), rcond=None)[0])
    return np.array(fits)


best_coefficients = Task(
    kind="sym",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("a₁", "a₂", "b"),
    see="eq-pca-coefficients",
    misconceptions=(
        Misconception(
            centred_the_points_in_a,
            hint="b is right. For the coefficients a the mean was subtracted first, but nothing in this "
            "problem adds it back along u₁.",
            see="eq-pca-coefficients",
            credit=0.5,
        ),
        Misconception(
            centred_everything,
            hint="These are the answers for centred points. Here the points are where they are: set the "
            "derivatives to zero without moving them.",
            see="thm-pca-coefficients",
        ),
        Misconception(
            dropped_the_offset,
            hint="Both a are right. Your line passes through the origin; b may shift it to a better place.",
            see="thm-pca-coefficients",
            credit=0.5,
        ),
        Misconception(
            fitted_the_offset_to_one_point,
            hint="Both a are right. Your line passes through the first point: b is shared, so both points "
            "have a say in it.",
            see="thm-pca-coefficients",
            credit=0.5,
        ),
        Misconception(
            summed_instead_of_averaged,
            hint="Both a are right. In ∂J/∂b = 0 the unknown b appears once for every point.",
            see="eq-pca-coefficients",
            credit=0.5,
        ),
        Misconception(
            turned_the_second_axis_round,
            hint="Right, except that your u₂ points the other way. Compare with the u₂ of the text.",
            see="eq-pca-coefficients",
            credit=0.5,
        ),
    ),
    alternatives=(by_least_squares,),
)
