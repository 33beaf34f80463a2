"""Task `nearest_point`: the shadow of a point on a plane given by two slanted vectors, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.toolkit import projector
from solutions.toolkit.numbers import FRAME, Array, one_of

Answer = tuple[Array, float]


def draw(rng: np.random.Generator) -> Cases:
    """x = αq₁ + βq₂ + γq₃ and the plane of a = q₁ and b = q₂ + σq₁, for orthogonal qⱼ of length 3.

    None of α, β, σ is 0 or ±1, so that no shadow can be taken for the vector that casts it.
    """
    signs = rng.choice([-1.0, 1.0], size=3)
    q = (signs * FRAME[rng.permutation(3)])[:, rng.permutation(3)]
    slant = one_of(rng, (-3.0, -2.0, 2.0, 3.0))
    # the sign of the slant: the separate shadows then never add up to the nearest point
    along = np.array(one_of(rng, ((2.0, 3.0), (3.0, 2.0), (2.0, 4.0)))) * [np.sign(slant), 1.0]
    above = one_of(rng, (-3.0, -2.0, 2.0, 3.0))
    x = along[0] * q[0] + along[1] * q[1] + above * q[2]
    return {"the numbers of the text": {"x": x, "a": q[0], "b": q[1] + slant * q[0]}}


def answer(x: Array, a: Array, b: Array) -> Answer:
    """Px and ‖x − Px‖ (thm-toolkit-nearest-point)."""
    point = projector(np.column_stack([a, b])) @ x
    return point, float(np.linalg.norm(x - point))


def _shadow(x: Array, a: Array) -> Array:
    return (x @ a) / (a @ a) * a


def added_two_shadows(x: Array, a: Array, b: Array) -> Answer:
    """The sum of the shadows on a and on b, as if these were orthogonal."""
    point = _shadow(x, a) + _shadow(x, b)
    return point, float(np.linalg.norm(x - point))


def used_the_first_vector_only(x: Array, a: Array, b: Array) -> Answer:
    """The shadow on a."""
    point = _shadow(x, a)
    return point, float(np.linalg.norm(x - point))


def gave_the_residual(x: Array, a: Array, b: Array) -> Answer:
    """x − Px instead of Px."""
    point, distance = answer(x, a, b)
    return x - point, distance


def left_the_distance_squared(x: Array, a: Array, b: Array) -> Answer:
    """‖x − Px‖²."""
    point, distance = answer(x, a, b)
    return point, distance**2


def forgot_to_normalise(x: Array, a: Array, b: Array) -> Answer:
    """Straighten the basis, but project with vectors whose length is not 1."""
    straight = b - _shadow(b, a)
    point = (x @ a) * a + (x @ straight) * straight
    return point, float(np.linalg.norm(x - point))


def gave_the_length_of_the_shadow(x: Array, a: Array, b: Array) -> Answer:
    """‖Px‖ for the distance."""
    point, _ = answer(x, a, b)
    return point, float(np.linalg.norm(point))


def by_the_normal(x: Array, a: Array, b: Array) -> Answer:
    """Remove from x its shadow on the normal a × b."""
    above = _shadow(x, np.cross(a, b))
    return x - above, float(np.linalg.norm(above))


def by_two_equations(x: Array, a: Array, b: Array) -> Answer:
    """Coefficients from (x − sa − tb) ⟂ a, b."""
    s, t = np.linalg.solve([[a @ a, a @ b], [a @ b, b @ b]], [a @ x, b @ x])
    point = s * a + t * b
    return point, float(np.sqrt(np.sum((x - point) ** 2)))


def subtracted_the_vector_itself(x: Array, a: Array, b: Array) -> Answer:
    """Straighten with b − a instead of b less its shadow."""
    point = _shadow(x, a) + _shadow(x, b - a)
    return point, float(np.linalg.norm(x - point))


def left_the_coefficients_out(x: Array, a: Array, b: Array) -> Answer:
    """The sum of the straightened vectors, whatever x is."""
    point = a + b - _shadow(b, a)
    return point, float(np.linalg.norm(x - point))


nearest_point = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-toolkit-nearest-point",
    same=(exactly, exactly),
    parts=("the nearest point", "the distance"),
    must_fail=(subtracted_the_vector_itself, left_the_coefficients_out),
    misconceptions=(
        Misconception(
            gave_the_length_of_the_shadow,
            hint="The point is right. Your number is its distance from the origin; the distance from x was asked for.",
            see="thm-toolkit-nearest-point",
            credit=0.5,
        ),
        Misconception(
            added_two_shadows,
            hint="You added the shadows on the two vectors. That works for a basis with a certain property: "
            "check it for a and b, and check whether your residual is orthogonal to both.",
            see="thm-toolkit-gram-schmidt",
        ),
        Misconception(
            used_the_first_vector_only,
            hint="That is the nearest point of a line. The plane reaches further: the residual must be "
            "orthogonal to the second vector too.",
            see="thm-toolkit-nearest-point",
        ),
        Misconception(
            gave_the_residual,
            hint="The distance is right. The vector you give leads from the plane to x; it is orthogonal to "
            "the plane instead of lying in it.",
            see="eq-toolkit-nearest",
            credit=0.5,
        ),
        Misconception(
            left_the_distance_squared,
            hint="The point is right. The other number has the unit of an area.",
            see="eq-toolkit-euclidean",
            credit=0.5,
        ),
        Misconception(
            forgot_to_normalise,
            hint="Your point is far beyond x itself, and a shadow is never longer than the thing. Which length "
            "do the vectors of an orthonormal basis have?",
            see="eq-toolkit-projector",
        ),
    ),
    alternatives=(by_the_normal, by_two_equations),
)
