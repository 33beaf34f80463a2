"""Tasks on extremes under a constraint, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import in_both_orders
from solutions.toolkit.numbers import Array, sample_points

SIGNS = {"x": [1, -1, 1, -1, 1, -1], "y": [1, 1, -1, -1, 1, -1], "k": [1, 1, 1, -1, -1, -1]}


def _stacked(first: Array, second: Array) -> Array:
    return np.column_stack([first, second])


@task.sym(points=2, minutes=8, see="thm-toolkit-quadratic-gradient", parts=("∂L/∂x", "∂L/∂y"))
def lagrangian_gradient(*symbols: Array) -> Array:
    """(A + Aᵀ)v − 2kv (eq-toolkit-quadratic-gradient)."""
    a, b, c, d, x, y, k = symbols
    return _stacked(2 * a * x + (b + c) * y - 2 * k * x, (b + c) * x + 2 * d * y - 2 * k * y)


@lagrangian_gradient.draw
def draw_lagrangian_gradient(rng: np.random.Generator) -> task.Cases:
    """Entries of the matrix, the vector (x, y), and the multiplier k."""
    points = sample_points(
        rng,
        a=(1.0, 5.0),
        b=(1.0, 3.0),
        c=(4.0, 7.0),
        d=(6.0, 9.0),
        x=(0.5, 9.0),
        y=(0.5, 9.0),
        k=(0.5, 9.0),
    )
    points = in_both_orders(points, *"abcd")
    # x, y and k are only said to be real: every pattern of two signs occurs
    for name, signs in SIGNS.items():
        points[name] = points[name] * signs
    return {"at sample points": points}


@lagrangian_gradient.wrong(
    "Right if b = c. Multiply the form out before you differentiate: which entries stand in front of xy?",
    see="eq-toolkit-quadratic-gradient",
    credit=0.5,
)
def assumed_symmetry(*symbols: Array) -> Array:
    """2(A − kI)v."""
    a, b, c, d, x, y, k = symbols
    return _stacked(2 * (a * x + b * y - k * x), 2 * (c * x + d * y - k * y))


@lagrangian_gradient.wrong(
    "The vector occurs twice in the form, and both occurrences move. Your first term counts one of them."
)
def differentiated_one_factor(*symbols: Array) -> Array:
    """Av − 2kv."""
    a, b, c, d, x, y, k = symbols
    return _stacked(a * x + b * y - 2 * k * x, c * x + d * y - 2 * k * y)


@lagrangian_gradient.wrong("The part of the matrix is right. The derivative of x² is not x.", credit=0.5)
def lost_the_two_of_the_constraint(*symbols: Array) -> Array:
    """(A + Aᵀ)v − kv."""
    *_, x, y, k = symbols
    return lagrangian_gradient(*symbols) + _stacked(k * x, k * y)


@lagrangian_gradient.wrong(
    "Right up to the sign of the multiplier's term: compare with the function as it is given.",
    see="eq-toolkit-quadratic-gradient",
    credit=0.75,
)
def flipped_the_multiplier(*symbols: Array) -> Array:
    """(A + Aᵀ)v + 2kv."""
    *others, k = symbols
    return lagrangian_gradient(*others, -k)


@lagrangian_gradient.wrong(
    "This is the gradient of the form alone. The function has a second part, which contains k.",
    see="eq-toolkit-quadratic-gradient",
)
def forgot_the_constraint(*symbols: Array) -> Array:
    """(A + Aᵀ)v."""
    *others, k = symbols
    return lagrangian_gradient(*others, 0 * k)


@lagrangian_gradient.also
def by_differences(*symbols: Array) -> Array:
    """Central differences, exact for a polynomial of degree two."""
    a, b, c, d, x, y, k = symbols

    def value(x: Array, y: Array) -> Array:
        return a * x * x + b * x * y + c * y * x + d * y * y - k * (x * x + y * y - 1)

    return _stacked(value(x + 1, y) - value(x - 1, y), value(x, y + 1) - value(x, y - 1)) / 2


def _around(a: Array, d: Array, squared_swing: Array) -> Array:
    """(a + d)/2 plus and minus the root of ((a − d)/2)² + the given square."""
    swing = np.sqrt(((a - d) / 2) ** 2 + squared_swing)
    return np.column_stack([(a + d) / 2 + swing, (a + d) / 2 - swing])


@task.sym(points=3, minutes=12, see="thm-toolkit-rayleigh", parts=("the largest value", "the smallest value"))
def largest_form(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of the symmetric part (thm-toolkit-rayleigh)."""
    return _around(a, d, ((b + c) / 2) ** 2)


@largest_form.draw
def draw_largest_form(rng: np.random.Generator) -> task.Cases:
    """Positive entries, b and c well apart."""
    points = sample_points(rng, a=(5.0, 9.0), b=(0.5, 2.0), c=(4.0, 8.0), d=(1.0, 4.0))
    return {"at sample points": in_both_orders(points, *"abcd")}


@largest_form.wrong(
    "These are the eigenvalues of A. Try b = 10, c = 0, a = d = 1 and the vector (1, 1)/√2: the form is larger than "
    "your formula allows.",
)
def used_the_eigenvalues_of_the_matrix(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of A, with bc under the root."""
    return _around(a, d, b * c)


@largest_form.wrong(
    "For a symmetric matrix, c = b, your formula should give its eigenvalues. It does not: how is the coefficient of "
    "xy shared between two entries?",
    see="eq-toolkit-symmetric-part",
)
def forgot_to_halve(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of a matrix with b + c off the diagonal."""
    return _around(a, d, (b + c) ** 2)


@largest_form.wrong(
    "One of the two entries off the diagonal has no say in your answer.", see="eq-toolkit-symmetric-part"
)
def mirrored_one_entry(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of [[a, b], [b, d]]."""
    return _around(a, d, b**2)


@largest_form.wrong("These bound the length of Av. The form asks for the part of Av along v.")
def gave_singular_values(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The largest and smallest stretch."""
    A = np.moveaxis(np.array([[a, b], [c, d]]), -1, 0)
    return np.linalg.svd(A, compute_uv=False)


@largest_form.wrong("Both formulas are right; the largest value was asked for first.", credit=0.75)
def gave_the_smallest_first(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Smallest, then largest."""
    return largest_form(a, b, c, d)[:, ::-1]


@largest_form.wrong(
    "Twice too large: A and its transpose have the same form, so their sum has twice that form.",
    see="eq-toolkit-symmetric-part",
    credit=0.5,
)
def doubled_the_form(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The eigenvalues of A + Aᵀ."""
    return 2 * largest_form(a, b, c, d)


@largest_form.also
def by_eigenvalues(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The symmetric part, given to a program."""
    A = np.moveaxis(np.array([[a, b], [c, d]]), -1, 0)
    return np.linalg.eigvalsh((A + np.swapaxes(A, 1, 2)) / 2)[:, ::-1]
