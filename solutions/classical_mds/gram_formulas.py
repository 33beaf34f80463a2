"""Task `gram_formulas`: two dot products of the corners of a triangle from its sides, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import N_POINTS, Array

DECIMALS = 4  # fewer would put ninths of squares on the edges of roundings


@task.sym(points=2, minutes=10, see="eq-classical-mds-double-centring", parts=("G₁₁", "G₁₂"))
def gram_formulas(a: Array, b: Array, c: Array) -> Array:
    """G₁₁ and G₁₂ (eq-classical-mds-double-centring)."""
    return np.column_stack([(2 * a**2 + 2 * b**2 - c**2) / 9, (b**2 + c**2 - 5 * a**2) / 18])


@gram_formulas.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Three sides; the formula also holds where no triangle has them."""
    points = {name: np.round(rng.uniform(1, 5, size=N_POINTS), DECIMALS) for name in "abc"}
    return {"at sample points": points}


def _recipe(x: Array, y: Array, z: Array, rows: float = 1.0, grand: float = 1.0) -> Array:
    """−½(entry − rows · (row mean + column mean) + grand · mean) for the entries 11 and 12."""
    first, second, mean = (x + y) / 3, (x + z) / 3, 2 * (x + y + z) / 9
    return -0.5 * np.column_stack(
        [0 * x - rows * 2 * first + grand * mean, x - rows * (first + second) + grand * mean]
    )


@gram_formulas.wrong(
    "Your formulas are linear in the sides. Dot products are areas: twice the triangle, four times the dot product.",
    see="sec-classical-mds-products",
)
def forgot_to_square(a: Array, b: Array, c: Array) -> Array:
    """The recipe on the distances themselves."""
    return _recipe(a, b, c)


@gram_formulas.wrong(
    "The rows of your G do not sum to zero: each was lowered by the means of row and column, and something has been "
    "taken off twice.",
)
def forgot_the_grand_mean(a: Array, b: Array, c: Array) -> Array:
    """Nothing added back."""
    return _recipe(a**2, b**2, c**2, grand=0.0)


@gram_formulas.wrong("The rows of your G do not sum to zero: one of the means enters with the other sign.")
def subtracted_the_grand_mean(a: Array, b: Array, c: Array) -> Array:
    """The mean of all entries with the wrong sign."""
    return _recipe(a**2, b**2, c**2, grand=-1.0)


@gram_formulas.wrong(
    "Your dot products are twice as large as those of the triangle: in the law of cosines the dot product comes with "
    "a factor.",
    see="eq-classical-mds-law",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(a: Array, b: Array, c: Array) -> Array:
    """The factor −1 in the place of −½."""
    return 2 * gram_formulas(a, b, c)


@gram_formulas.wrong(
    "Your first formula is negative for an equilateral triangle, and it should be a squared length.",
    see="eq-classical-mds-gram",
)
def lost_the_sign(a: Array, b: Array, c: Array) -> Array:
    """The factor ½ in the place of −½."""
    return -gram_formulas(a, b, c)


@gram_formulas.wrong(
    "A row of the table has three entries, also if one of them is zero.", see="eq-classical-mds-row-sums"
)
def averaged_over_two(a: Array, b: Array, c: Array) -> Array:
    """Means over the two other corners only: the zero of the diagonal does not count."""
    x, y, z = a**2, b**2, c**2
    first, second, mean = (x + y) / 2, (x + z) / 2, (x + y + z) / 3
    return -0.5 * np.column_stack([-2 * first + mean, x - first - second + mean])


@gram_formulas.wrong(
    "These are dot products with the third corner as the origin. Here the origin is the mean of all three.",
    see="eq-classical-mds-base",
)
def took_a_corner_for_the_origin(a: Array, b: Array, c: Array) -> Array:
    """Dot products about the third corner: Young and Householder."""
    return np.column_stack([b**2, (b**2 + c**2 - a**2) / 2])


@gram_formulas.wrong(
    "These are dot products of vectors that start at the first corner. Those of G start at the mean of the three.",
    see="sec-classical-mds-products",
)
def took_the_first_corner_for_the_origin(a: Array, b: Array, c: Array) -> Array:
    """The first vector is then zero."""
    return 0 * gram_formulas(a, b, c)


@gram_formulas.wrong(
    "This is the law of cosines at the first corner. The vectors of G start at the mean of the three corners.",
    see="sec-classical-mds-products",
)
def used_the_law_of_cosines_at_the_first_corner(a: Array, b: Array, c: Array) -> Array:
    """a², and the dot product of the two sides that meet there."""
    return np.column_stack([a**2, (a**2 + b**2 - c**2) / 2])


@gram_formulas.also
def by_the_recipe(a: Array, b: Array, c: Array) -> Array:
    """Square, subtract the means of row and column, add the mean of everything, halve with a minus."""
    return _recipe(a * a, b * b, c * c)


gram_formulas.also("[(2*a^2+2*b^2-c^2)/9, (b^2+c^2-5*a^2)/18]")
