"""Tasks on the variance along a direction."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from solutions.numbers import PYTHAGOREAN, Array, are_apart, one_of, sample_points
from solutions.steps import Worked, eq, matrix, products, squares, steps, tex

Numbers = tuple[Array, Array]


@cache
def _choices() -> list[Numbers]:
    """Every small covariance with these properties on which no two ways give nearly the same number."""
    choices = []
    for (p, q, r), (w1, w2) in product(product(range(4, 26), range(4, 26), range(-12, 13)), PYTHAGOREAN):
        C, w = np.array([[p, r], [r, q]], dtype=float), np.array([w1, w2], dtype=float)
        is_covariance = r != 0 and p * q > r * r and p != q
        if is_covariance and (w @ C @ w) % 25 == 0 and are_apart(*(way(C, w) for way in WAYS)):
            choices.append((C, w))
    return choices


@task.hand(points=1, minutes=5, see="eq-pca-projected-variance")
def variance_along(C: Array, w: Array) -> float:
    """uᵀCu with u = w/‖w‖ (eq-pca-projected-variance)."""
    u = w / np.linalg.norm(w)
    return float(u @ C @ u)


@variance_along.draw
def draw_variance_along(rng: np.random.Generator) -> task.Cases:
    """A whole-number covariance and a 3-4-5 direction with a whole-number variance along it."""
    C, w = one_of(rng, _choices())
    return {"the numbers of the text": {"C": C, "w": w}}


@variance_along.wrong(
    "With twice as long a w your number would be four times as large. A variance along a direction must not depend on "
    "the length of the arrow that points there.",
)
def forgot_to_normalise(C: Array, w: Array) -> float:
    """wᵀCw with the given w."""
    return float(w @ C @ w)


@variance_along.wrong(
    "The direction enters the quadratic form twice, and both times it must have length one."
)
def normalised_only_once(C: Array, w: Array) -> float:
    """wᵀCw/‖w‖."""
    return float(w @ C @ w / np.linalg.norm(w))


@variance_along.wrong("This number carries the unit of the data. The variance was asked for.")
def took_the_standard_deviation(C: Array, w: Array) -> float:
    """√(uᵀCu)."""
    return float(np.sqrt(variance_along(C, w)))


@variance_along.wrong(
    "Only the diagonal of C was used. Moving along w changes both features at once, so their covariance matters too."
)
def ignored_the_covariance(C: Array, w: Array) -> float:
    """Only the two variances, weighted by u₁² and u₂²."""
    return variance_along(np.diag(np.diag(C)), w)


@variance_along.wrong(
    "C has two entries off its diagonal. Write the double sum over i and j in full and count the mixed terms."
)
def counted_the_covariance_once(C: Array, w: Array) -> float:
    """Only one of the two mixed terms."""
    return (variance_along(C, w) + ignored_the_covariance(C, w)) / 2


@variance_along.wrong(
    "This is the length of C u. C turns u unless u is an eigenvector: how much of C u points along u?",
    see="eq-pca-eigenproblem",
)
def measured_the_image(C: Array, w: Array) -> float:
    """‖Cu‖, which is the variance only along an eigenvector."""
    return float(np.linalg.norm(C @ w) / np.linalg.norm(w))


@variance_along.wrong("This is the largest variance of all directions. The direction of w is another one.")
def gave_the_largest_eigenvalue(C: Array, w: Array) -> float:
    """λ₁, as if w were the first axis."""
    return float(np.linalg.eigvalsh(C)[-1])


@variance_along.also
def entry_by_entry(C: Array, w: Array) -> float:
    """(w₁²C₁₁ + 2w₁w₂C₁₂ + w₂²C₂₂)/(w₁² + w₂²)."""
    total = w[0] ** 2 * C[0, 0] + 2 * w[0] * w[1] * C[0, 1] + w[1] ** 2 * C[1, 1]
    return float(total / (w[0] ** 2 + w[1] ** 2))


WAYS = (
    variance_along,
    forgot_to_normalise,
    normalised_only_once,
    took_the_standard_deviation,
    ignored_the_covariance,
    counted_the_covariance_once,
    measured_the_image,
    gave_the_largest_eigenvalue,
)


@variance_along.worked
def worked_variance_along(C: Array, w: Array) -> Worked:
    """A quadratic form, divided by the square of the length."""
    Cw, length = C @ w, float(w @ w)
    value = float(w @ Cw)
    return steps(
        r"The formula is for unit vectors, so the variance is $\dfrac{w^\top Cw}{w^\top w}$.",
        rf"$Cw={matrix(C)}{matrix(w)}={matrix(Cw)}$.",
        rf"$w^\top Cw={products(w, Cw)}={tex(value)}$ and $w^\top w={squares(w)}={tex(length)}$.",
        rf"The variance is ${tex(value)}/{tex(length)}{eq(value / length)}$.",
    ), value / length


@task.sym(points=2, minutes=8, see="thm-pca-stationary", parts=("towards e₁", "towards e₃"))
def curvature(a: Array, b: Array, c: Array) -> Array:
    """2(a − b) towards e₁ and 2(c − b) towards e₃ (eq-pca-great-circle)."""
    return np.column_stack([2 * (a - b), 2 * (c - b)])


@curvature.draw
def draw_curvature(rng: np.random.Generator) -> task.Cases:
    """Three eigenvalues a > b > c > 0."""
    return {"at sample points": sample_points(rng, a=(5.0, 9.0), b=(2.5, 4.0), c=(0.5, 1.5))}


@curvature.wrong(
    "These second derivatives leave the sphere. On it v bends towards the origin as it moves, which costs something.",
    see="eq-pca-great-circle",
)
def forgot_the_constraint(a: Array, b: Array, c: Array) -> Array:
    """The Hessian of vᵀCv in all of space."""
    return np.column_stack([2 * a, 2 * c])


@curvature.wrong(
    "Right up to the sign. Towards the stronger axis, does the variance rise or fall?",
    see="eq-pca-great-circle",
    credit=0.5,
)
def flipped_the_signs(a: Array, b: Array, c: Array) -> Array:
    """2(b − a) and 2(b − c)."""
    return -curvature(a, b, c)


@curvature.wrong(
    "Right up to a positive factor, so your classification will be right. Differentiate sin² twice once more.",
    see="eq-pca-great-circle",
    credit=0.75,
)
def lost_the_factor_two(a: Array, b: Array, c: Array) -> Array:
    """a − b and c − b."""
    return curvature(a, b, c) / 2


@curvature.wrong(
    "These are curvatures at another eigenvector. The walk starts at e₂: what is the variance there?",
    see="eq-pca-great-circle",
)
def subtracted_the_largest(a: Array, b: Array, c: Array) -> Array:
    """The curvatures at e₁ instead of e₂."""
    return np.column_stack([2 * (b - a), 2 * (c - a)])


@curvature.wrong(
    "Both formulas are right, in the other order. The walk towards e₁ comes first.",
    see="eq-pca-great-circle",
    credit=0.75,
)
def swapped_the_two(a: Array, b: Array, c: Array) -> Array:
    """Towards e₃ first."""
    return curvature(a, b, c)[:, ::-1]


@curvature.also
def by_differences(a: Array, b: Array, c: Array) -> Array:
    """f(h) − 2f(0) + f(−h) over h², extrapolated, for f(γ) = b cos²γ + a sin²γ and with c for a."""
    coarse, fine = _second_difference(a, b, c, 0.02), _second_difference(a, b, c, 0.01)
    return (4 * fine - coarse) / 3


def _second_difference(a: Array, b: Array, c: Array, h: float) -> Array:
    towards = np.column_stack([a, c])
    moved = b[:, None] * np.cos(h) ** 2 + towards * np.sin(h) ** 2
    return 2 * (moved - b[:, None]) / h**2
