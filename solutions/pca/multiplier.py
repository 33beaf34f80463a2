"""Task `multiplier`: what the constraint of orthogonality costs, as a formula."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import Array, sample_points
from solutions.signs import with_both_signs


def draw(rng: np.random.Generator) -> Cases:
    """Entries of a covariance and an angle."""
    points = sample_points(rng, p=(2.0, 9.0), q=(2.0, 9.0), r=(0.4, 1.6), t=(0.2, 1.3))
    return {"at sample points": with_both_signs(rng, points, *"pqrt")}


def _along_and_across(p: Array, q: Array, r: Array, t: Array) -> tuple[Array, Array]:
    """vᵀCv and uᵀCv."""
    cosine, sine = np.cos(t), np.sin(t)
    along = p * sine**2 - 2 * r * sine * cosine + q * cosine**2
    across = (q - p) * sine * cosine + r * (cosine**2 - sine**2)
    return along, across


def answer(p: Array, q: Array, r: Array, t: Array) -> Array:
    """ν = −2 uᵀCv (eq-pca-nu)."""
    return -2 * _along_and_across(p, q, r, t)[1]


def flipped_the_sign(p: Array, q: Array, r: Array, t: Array) -> Array:
    """2 uᵀCv."""
    return -answer(p, q, r, t)


def lost_the_factor_two(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−uᵀCv."""
    return answer(p, q, r, t) / 2


def multiplied_by_the_wrong_vector(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−2 vᵀCv."""
    return -2 * _along_and_across(p, q, r, t)[0]


def multiplied_by_v_with_a_plus(p: Array, q: Array, r: Array, t: Array) -> Array:
    """2 vᵀCv."""
    return 2 * _along_and_across(p, q, r, t)[0]


def assumed_an_eigenvector(p: Array, q: Array, r: Array, t: Array) -> Array:
    """0, which holds only if u is an eigenvector."""
    return np.zeros_like(p)


def treated_the_matrix_as_diagonal(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Without the terms in r."""
    return answer(p, q, np.zeros_like(r), t)


def gave_the_variance_along_v(p: Array, q: Array, r: Array, t: Array) -> Array:
    """vᵀCv, which is λ."""
    return _along_and_across(p, q, r, t)[0]


def put_u_on_both_sides(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−2 uᵀCu."""
    return -2 * (p * np.cos(t) ** 2 + 2 * r * np.sin(t) * np.cos(t) + q * np.sin(t) ** 2)


def lost_a_sign_in_the_mixed_term(p: Array, q: Array, r: Array, t: Array) -> Array:
    """r(cos² + sin²) for r(cos² − sin²)."""
    return (p - q) * np.sin(2 * t) - 2 * r


def exchanged_sine_and_cosine(p: Array, q: Array, r: Array, t: Array) -> Array:
    """The double angle's cosine where its sine belongs."""
    return (p - q) * np.cos(2 * t) - 2 * r * np.sin(2 * t)


multiplier = Task(
    kind="sym",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-pca-nu",
    misconceptions=(
        Misconception(
            flipped_the_sign,
            hint="Right up to the sign. Bring the term with ν to the other side once more.",
            see="eq-pca-next-stationarity",
            credit=0.5,
        ),
        Misconception(
            lost_the_factor_two,
            hint="Right up to a factor. The gradient of a quadratic form brings one along.",
            see="eq-pca-next-stationarity",
            credit=0.5,
        ),
        Misconception(
            multiplied_by_the_wrong_vector,
            hint="Multiply the whole equation by a vector that isolates ν: with which one does the term in λ "
            "vanish and the term in ν stay?",
            see="eq-pca-next-stationarity",
        ),
        Misconception(
            multiplied_by_v_with_a_plus,
            hint="This is twice the variance along v. Multiply the equation by a vector with which the term in λ "
            "vanishes and the term in ν stays.",
            see="eq-pca-next-stationarity",
        ),
        Misconception(
            assumed_an_eigenvector,
            hint="That is what comes out in the end, if u has a certain property. Here u is any unit vector: "
            "keep the general expression.",
            see="thm-pca-next-direction",
        ),
        Misconception(
            treated_the_matrix_as_diagonal,
            hint="The entry r is missing. Multiply out C v in full.",
            see="eq-pca-nu",
        ),
        Misconception(
            gave_the_variance_along_v,
            hint="This is the variance along v, which is the other multiplier. Which vector isolates ν?",
            see="eq-pca-next-stationarity",
        ),
        Misconception(
            put_u_on_both_sides,
            hint="Here u stands on both sides of C. The gradient is taken at v, so v stands on one of them.",
            see="eq-pca-nu",
        ),
        Misconception(
            lost_a_sign_in_the_mixed_term,
            hint="The terms in p and q are right. One of the two terms in r comes from the minus sign of v.",
            see="eq-pca-nu",
            credit=0.5,
        ),
        Misconception(
            exchanged_sine_and_cosine,
            hint="Put t = 0: then u and v are the coordinate axes, and only the entry r joins them. What does your "
            "formula give there?",
            see="eq-pca-nu",
        ),
    ),
    alternatives=("(p - q)*sin(2*t) - 2*r*cos(2*t)",),
)
