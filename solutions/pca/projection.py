"""Tasks on projecting a point on a line, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, sample_points
from solutions.signs import with_both_signs


@task.sym(points=2, minutes=12, see="eq-pca-coefficients", parts=("a₁", "a₂", "b"))
def best_coefficients(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a₁ = x₁ᵀu₁, a₂ = x₂ᵀu₁, b = x̄ᵀu₂ (eq-pca-coefficients)."""
    return np.column_stack([_first(p, q, t), _first(r, s, t), _second((p + r) / 2, (q + s) / 2, t)])


@best_coefficients.draw
def draw_best_coefficients(rng: np.random.Generator) -> task.Cases:
    """Two points (p, q), (r, s) and the angle of the line."""
    points = sample_points(rng, p=(1.0, 4.0), q=(5.0, 9.0), r=(5.0, 9.0), s=(1.0, 3.0), t=(0.3, 1.2))
    return {"at sample points": with_both_signs(rng, points, *"pqrst")}


def _first(x: Array, y: Array, t: Array) -> Array:
    return x * np.cos(t) + y * np.sin(t)


def _second(x: Array, y: Array, t: Array) -> Array:
    return -x * np.sin(t) + y * np.cos(t)


@best_coefficients.wrong(
    "b is right. For the coefficients a the mean was subtracted first, but nothing in this problem adds it back along "
    "u₁.",
    credit=0.5,
)
def centred_the_points_in_a(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a from deviations, b from the points."""
    half = _first((p - r) / 2, (q - s) / 2, t)
    return np.column_stack([half, -half, best_coefficients(p, q, r, s, t)[:, 2]])


@best_coefficients.wrong(
    "These are the answers for centred points. Here the points are where they are: set the derivatives to zero "
    "without moving them.",
    see="thm-pca-coefficients",
)
def centred_everything(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """a from deviations, b = 0."""
    half = _first((p - r) / 2, (q - s) / 2, t)
    return np.column_stack([half, -half, np.zeros_like(p)])


@best_coefficients.wrong(
    "Both a are right. Your line passes through the origin; b may shift it to a better place.",
    see="thm-pca-coefficients",
    credit=0.5,
)
def dropped_the_offset(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = 0: a line through the origin."""
    a1, a2, b = best_coefficients(p, q, r, s, t).T
    return np.column_stack([a1, a2, 0 * b])


@best_coefficients.wrong(
    "Both a are right. Your line passes through the first point: b is shared, so both points have a say in it.",
    see="thm-pca-coefficients",
    credit=0.5,
)
def fitted_the_offset_to_one_point(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = x₁ᵀu₂."""
    a1, a2, _ = best_coefficients(p, q, r, s, t).T
    return np.column_stack([a1, a2, _second(p, q, t)])


@best_coefficients.wrong(
    "Both a are right. In ∂J/∂b = 0 the unknown b appears once for every point.", credit=0.5
)
def summed_instead_of_averaged(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b = x₁ᵀu₂ + x₂ᵀu₂."""
    a1, a2, b = best_coefficients(p, q, r, s, t).T
    return np.column_stack([a1, a2, 2 * b])


@best_coefficients.wrong(
    "Right, except that your u₂ points the other way. Compare with the u₂ of the text.", credit=0.5
)
def turned_the_second_axis_round(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """b with u₂ = (sin t, −cos t)."""
    a1, a2, b = best_coefficients(p, q, r, s, t).T
    return np.column_stack([a1, a2, -b])


@best_coefficients.also
def by_least_squares(p: Array, q: Array, r: Array, s: Array, t: Array) -> Array:
    """Solve the four equations x̃ₙ = xₙ for (a₁, a₂, b) in the sense of least squares."""
    fits = []
    for x1, y1, x2, y2, angle in zip(p, q, r, s, t, strict=True):
        u1, u2 = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        zero = np.zeros(2)
        A = np.vstack([np.column_stack([u1, zero, u2]), np.column_stack([zero, u1, u2])])
        fits.append(np.linalg.lstsq(A, np.array([x1, y1, x2, y2]), rcond=None)[0])
    return np.array(fits)


@task.sym(points=1, minutes=8, see="thm-pca-pythagoras", parts=("along the line", "the rest"))
def pythagoras(p: Array, q: Array, k: Array) -> Array:
    """‖Px‖² = (p + kq)²/(1 + k²) and ‖x − Px‖² = (q − kp)²/(1 + k²) (thm-pca-pythagoras)."""
    return np.column_stack([(p + k * q) ** 2, (q - k * p) ** 2]) / (1 + k**2)[:, None]


@pythagoras.draw
def draw_pythagoras(rng: np.random.Generator) -> task.Cases:
    """A point (p, q) and the slope k of the line."""
    points = sample_points(rng, p=(1.0, 4.0), q=(4.5, 9.0), k=(0.3, 0.8))
    points["k"][:2] += 1.5  # steeper than the diagonal as well
    return {"at sample points": with_both_signs(rng, points, *"pqk")}


@pythagoras.wrong(
    "Apply your P twice: it should change nothing the second time. Which length must the vector in v vᵀ have?"
)
def forgot_to_normalise(p: Array, q: Array, k: Array) -> Array:
    """Both pieces with P = wwᵀ."""
    x, w = np.column_stack([p, q]), np.column_stack([np.ones_like(k), k])
    image = (p + k * q)[:, None] * w
    return np.column_stack([np.sum(image**2, axis=1), np.sum((x - image) ** 2, axis=1)])


@pythagoras.wrong("The square of a sum has one more term than the sum of the squares.")
def forgot_the_cross_term(p: Array, q: Array, k: Array) -> Array:
    """Square each summand by itself."""
    return np.column_stack([p**2 + k**2 * q**2, q**2 + k**2 * p**2]) / (1 + k**2)[:, None]


@pythagoras.wrong(
    "These are lengths. Which of the two adds up in a right-angled triangle: lengths or squares?",
    see="eq-pca-pythagoras",
    credit=0.5,
)
def gave_the_lengths(p: Array, q: Array, k: Array) -> Array:
    """Lengths instead of squared lengths."""
    return np.sqrt(pythagoras(p, q, k))


@pythagoras.wrong(
    "The first piece changes with the length of w, and it should not. Your second piece may even be negative.",
    see="eq-pca-pythagoras",
)
def normalised_only_once(p: Array, q: Array, k: Array) -> Array:
    """(wᵀx)² for the first piece; the second as the rest."""
    kept = (p + k * q) ** 2
    return np.column_stack([kept, p**2 + q**2 - kept])


@pythagoras.wrong(
    "Both pieces are right, in the other order. The part along the line comes first.", credit=0.5
)
def swapped_the_two(p: Array, q: Array, k: Array) -> Array:
    """The residual first."""
    return pythagoras(p, q, k)[:, ::-1]


@pythagoras.wrong(
    "The divisor is the square of the length of w, once in each piece. Yours is that length itself: test with k = 1 "
    "and x along w."
)
def divided_by_the_length(p: Array, q: Array, k: Array) -> Array:
    """√(1 + k²) below both fraction bars."""
    return pythagoras(p, q, k) * np.sqrt(1 + k**2)[:, None]


@pythagoras.wrong(
    "The divisor 1 + k² belongs below each square once; yours stands there twice. Test with x = w: the first piece "
    "should be ‖w‖².",
)
def divided_twice(p: Array, q: Array, k: Array) -> Array:
    """(1 + k²)² below both fraction bars."""
    return pythagoras(p, q, k) / (1 + k**2)[:, None]


@pythagoras.also
def by_subtraction(p: Array, q: Array, k: Array) -> Array:
    """The second piece as ‖x‖² − ‖Px‖²."""
    kept = (p + k * q) ** 2 / (1 + k**2)
    return np.column_stack([kept, p**2 + q**2 - kept])
