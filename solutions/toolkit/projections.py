"""Tasks on orthogonal projections."""

from itertools import permutations

import numpy as np

from autograder.authoring import task
from dimred_ref import toolkit
from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, products, row, steps, tex
from solutions.toolkit.gram_schmidt import gram_schmidt
from solutions.toolkit.numbers import FRAME, independent_columns, nearly_dependent, one_of, orthogonal_columns


@task.code(points=2, minutes=10, see="eq-toolkit-projector")
def projector(A: Array) -> Array:
    """P = QQᵀ (eq-toolkit-projector)."""
    return toolkit.projector(A)


@projector.draw
def draw_projector(rng: np.random.Generator) -> task.Cases:
    """Orthonormal columns, orthogonal ones of other lengths, a single one, slanted ones."""
    return {
        "orthonormal columns": {"A": orthogonal_columns(rng, (1.0, 1.0))},
        "orthogonal columns of other lengths": {"A": orthogonal_columns(rng, (2.0, 3.0))},
        "one column, in a tiny unit": {"A": np.round(1e-8 * independent_columns(rng, 4, 1), 9)},
        "three slanted columns": {"A": independent_columns(rng, 5, 3)},
    }


@projector.hard
def hard_projector(rng: np.random.Generator) -> task.Cases:
    """A square matrix, one entry, whole numbers, four columns, a large unit."""
    return {
        "a square matrix": {"A": independent_columns(rng, 3, 3)},
        "one entry": {"A": np.array([[-2.5]])},
        "whole numbers": {"A": independent_columns(rng, 4, 2).astype(int)},
        "four columns": {"A": independent_columns(rng, 6, 4)},
        "a large unit": {"A": 1e6 * independent_columns(rng, 5, 2)},
    }


projector.ill_posed(nearly_dependent)


@projector.follows(gram_schmidt)
def inputs_of_gram_schmidt_projector(A: Array) -> task.Inputs:
    """Return the inputs of `gram_schmidt`."""
    return {"A": A}


@projector.wrong(
    "Right for orthonormal columns. Apply your matrix twice to a vector: a shadow of a shadow should not move."
)
def multiplied_by_the_transpose(A: Array) -> Array:
    """AAᵀ."""
    return A @ A.T


@projector.wrong(
    "Right for orthogonal columns. When they lean on one another, what they share is counted twice.",
    see="eq-toolkit-projector-any-basis",
)
def normalised_the_columns_only(A: Array) -> Array:
    """QQᵀ with unit columns that need not be orthogonal."""
    unit = A / np.linalg.norm(A, axis=0)
    return unit @ unit.T


@projector.wrong(
    "Right for one column, where a single number repairs the length. Several columns have lengths and angles of their "
    "own: look at the trace of your matrix.",
    see="eq-toolkit-projector-any-basis",
)
def divided_by_one_number(A: Array) -> Array:
    """AAᵀ / ‖A‖²_F, after the formula for a single vector."""
    return A @ A.T / np.sum(A**2)


@projector.wrong(
    "Your matrix sends the columns of A to zero. It should leave them where they are.",
    see="thm-toolkit-projector",
)
def projected_on_the_complement(A: Array) -> Array:
    """I − P."""
    return np.eye(len(A)) - projector(A)


@projector.wrong(
    "Your matrix is as small as the number of columns. It should act on vectors as long as the columns are.",
    see="thm-toolkit-projector",
)
def projected_on_the_rows(A: Array) -> Array:
    """(AᵀA)⁻¹AᵀA, as small as the number of columns."""
    return np.linalg.solve(A.T @ A, A.T @ A)


@projector.also
def by_normal_equations(A: Array) -> Array:
    """A (AᵀA)⁻¹ Aᵀ."""
    return A @ np.linalg.inv(A.T @ A) @ A.T


@projector.also
def by_qr(A: Array) -> Array:
    """QQᵀ with Q from the QR decomposition."""
    Q = np.linalg.qr(A)[0]
    return Q @ Q.T


@projector.also
def by_pseudo_inverse(A: Array) -> Array:
    """A A⁺."""
    return A @ np.linalg.pinv(A)


Answer = tuple[Array, float]


@task.hand(points=2, minutes=12, see="thm-toolkit-nearest-point", parts=("the nearest point", "the distance"))
def nearest_point(x: Array, a: Array, b: Array) -> Answer:
    """Px and ‖x − Px‖ (thm-toolkit-nearest-point)."""
    point = projector(np.column_stack([a, b])) @ x
    return point, float(np.linalg.norm(x - point))


@nearest_point.draw
def draw_nearest_point(rng: np.random.Generator) -> task.Cases:
    """x = αq₁ + βq₂ + γq₃ and the plane of a = q₁ and b = q₂ + σq₁, for orthogonal qⱼ of length 3.

    None of α, β, σ is 0 or ±1, so that no shadow can be taken for the vector that casts it, and no two of them have the
    same size. Neither has γ the size 3 or 5: the distance would be 9, the square of every length, or 15, the length of
    the shadow if α and β are 3 and 4.
    """
    signs = rng.choice([-1.0, 1.0], size=3)
    q = (signs * FRAME[rng.permutation(3)])[:, rng.permutation(3)]
    slant, first, second = one_of(rng, list(permutations((2.0, 3.0, 4.0))))
    slant *= one_of(rng, (-1.0, 1.0))
    # the sign of the slant: the separate shadows then never add up to the nearest point
    along = np.array([first * np.sign(slant), second])
    above = one_of(rng, (-6.0, -4.0, -2.0, 2.0, 4.0, 6.0))
    x = along[0] * q[0] + along[1] * q[1] + above * q[2]
    return {"the numbers of the text": {"x": x, "a": q[0], "b": q[1] + slant * q[0]}}


@nearest_point.wrong(
    "The point is right. Your number is its distance from the origin; the distance from x was asked for.",
    credit=0.5,
)
def gave_the_length_of_the_shadow(x: Array, a: Array, b: Array) -> Answer:
    """‖Px‖ for the distance."""
    point, _ = nearest_point(x, a, b)
    return point, float(np.linalg.norm(point))


def _shadow(x: Array, a: Array) -> Array:
    return (x @ a) / (a @ a) * a


@nearest_point.wrong(
    "You added the shadows on the two vectors. That works for a basis with a certain property: check it for a and b, "
    "and check whether your residual is orthogonal to both.",
    see="thm-toolkit-gram-schmidt",
)
def added_two_shadows(x: Array, a: Array, b: Array) -> Answer:
    """The sum of the shadows on a and on b, as if these were orthogonal."""
    point = _shadow(x, a) + _shadow(x, b)
    return point, float(np.linalg.norm(x - point))


@nearest_point.wrong(
    "That is the nearest point of a line. The plane reaches further: the residual must be orthogonal to the second "
    "vector too.",
)
def used_the_first_vector_only(x: Array, a: Array, b: Array) -> Answer:
    """The shadow on a."""
    point = _shadow(x, a)
    return point, float(np.linalg.norm(x - point))


@nearest_point.wrong(
    "The distance is right. The vector you give leads from the plane to x; it is orthogonal to the plane instead of "
    "lying in it.",
    see="eq-toolkit-nearest",
    credit=0.5,
)
def gave_the_residual(x: Array, a: Array, b: Array) -> Answer:
    """x − Px instead of Px."""
    point, distance = nearest_point(x, a, b)
    return x - point, distance


@nearest_point.wrong(
    "The point is right. The other number has the unit of an area.", see="eq-toolkit-euclidean", credit=0.5
)
def left_the_distance_squared(x: Array, a: Array, b: Array) -> Answer:
    """‖x − Px‖²."""
    point, distance = nearest_point(x, a, b)
    return point, distance**2


@nearest_point.wrong(
    "Your point is far beyond x itself, and a shadow is never longer than the thing. Which length do the vectors of "
    "an orthonormal basis have?",
    see="eq-toolkit-projector",
)
def forgot_to_normalise(x: Array, a: Array, b: Array) -> Answer:
    """Straighten the basis, but project with vectors whose length is not 1."""
    straight = b - _shadow(b, a)
    point = (x @ a) * a + (x @ straight) * straight
    return point, float(np.linalg.norm(x - point))


@nearest_point.also
def by_the_normal(x: Array, a: Array, b: Array) -> Answer:
    """Remove from x its shadow on the normal a × b."""
    above = _shadow(x, np.cross(a, b))
    return x - above, float(np.linalg.norm(above))


@nearest_point.also
def by_two_equations(x: Array, a: Array, b: Array) -> Answer:
    """Coefficients from (x − sa − tb) ⟂ a, b."""
    s, t = np.linalg.solve([[a @ a, a @ b], [a @ b, b @ b]], [a @ x, b @ x])
    point = s * a + t * b
    return point, float(np.sqrt(np.sum((x - point) ** 2)))


@nearest_point.must_fail
def subtracted_the_vector_itself(x: Array, a: Array, b: Array) -> Answer:
    """Straighten with b − a instead of b less its shadow."""
    point = _shadow(x, a) + _shadow(x, b - a)
    return point, float(np.linalg.norm(x - point))


@nearest_point.must_fail
def left_the_coefficients_out(x: Array, a: Array, b: Array) -> Answer:
    """The sum of the straightened vectors, whatever x is."""
    point = a + b - _shadow(b, a)
    return point, float(np.linalg.norm(x - point))


@nearest_point.worked
def worked_nearest_point(x: Array, a: Array, b: Array) -> Worked:
    """Make b orthogonal to a, then add two shadows."""
    factor = float(a @ b) / float(a @ a)
    straight = b - factor * a
    along, across = float(a @ x) / float(a @ a), float(straight @ x) / float(straight @ straight)
    shadow = along * a + across * straight
    rest = x - shadow
    return steps(
        rf"$a^\top b={products(a, b)}={tex(a @ b)}$ is not zero, so the shadows on $a$ and $b$ must not be added. "
        rf"With $a^\top a={tex(a @ a)}$, take $c=b-{bracketed(factor)}\,a={row(straight)}$, orthogonal to $a$.",
        rf"$a^\top x={tex(a @ x)}$, so the shadow on $a$ is ${tex(along)}\,a={row(along * a)}$.",
        rf"$c^\top x={tex(straight @ x)}$ and $c^\top c={tex(straight @ straight)}$, so the shadow on $c$ is "
        rf"${tex(across)}\,c={row(across * straight)}$.",
        rf"The nearest point is their sum ${row(shadow)}$.",
        rf"$x-{row(shadow)}={row(rest)}$ has the length $\sqrt{{{tex(rest @ rest)}}}{eq(np.sqrt(rest @ rest))}$.",
    ), (shadow, float(np.sqrt(rest @ rest)))
