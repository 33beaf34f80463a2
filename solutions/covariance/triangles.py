"""Tasks on three points in the plane, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, in_both_orders, sample_points


@task.sym(points=2, minutes=10, see="eq-covariance-simplex")
def triangle_determinant(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det C = det S/9 = (ad − bc)²/27 (eq-covariance-simplex)."""
    return (a * d - b * c) ** 2 / 27


@triangle_determinant.draw
def draw_triangle_determinant(rng: np.random.Generator) -> task.Cases:
    """Edges (a, b) and (c, d) from the first point."""
    ranges = {"a": (3.0, 6.0), "b": (0.5, 1.5), "c": (1.0, 2.0), "d": (2.5, 5.0)}
    points = sample_points(rng, **ranges)
    # every other triangle is run round the other way: then ad − bc is negative
    turned = {"a": "b", "b": "a", "c": "d", "d": "c"}
    way = np.arange(len(points["a"])) % 2
    return {"at sample points": {name: np.where(way, points[name], points[turned[name]]) for name in "abcd"}}


@triangle_determinant.wrong(
    "One of the points is the origin, but the mean is not: deviations from which of the two? If yours are right, "
    "count how often a divisor comes out of a 2 × 2 determinant.",
    see="eq-covariance-centred",
)
def forgot_to_centre(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The raw moments of the three points, one of which is the origin."""
    return (a * d - b * c) ** 2 / 9


@triangle_determinant.wrong(
    "That is the determinant of the scatter matrix. What happens to the determinant of a 2 × 2 matrix when all its "
    "entries are divided by a number?",
    see="eq-covariance-definition",
    credit=0.5,
)
def gave_the_scatter(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det S."""
    return (a * d - b * c) ** 2 / 3


@triangle_determinant.wrong(
    "Right for the other divisor. Here the covariance describes the three points.",
    see="eq-covariance-definition",
    credit=0.5,
)
def divided_by_n_minus_one(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Divisor 2."""
    return (a * d - b * c) ** 2 / 12


@triangle_determinant.wrong(
    "Order the last two points the other way round: your formula changes its sign. Can a positive semidefinite matrix "
    "have a negative determinant?",
    see="thm-covariance-semidefinite",
)
def forgot_the_square(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The determinant of the edges once only."""
    return (a * d - b * c) / 27


@triangle_determinant.wrong(
    "That is the product of the two variances. A determinant has a second term.",
    see="eq-covariance-correlation",
)
def forgot_the_covariance(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The product of the two variances."""
    first = (a**2 + c**2) / 3 - ((a + c) / 3) ** 2
    second = (b**2 + d**2) / 3 - ((b + d) / 3) ** 2
    return first * second


@triangle_determinant.also
def by_coordinates(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The covariance of each triple, and its determinant."""
    triples = np.stack([np.zeros((len(a), 2)), np.column_stack([a, b]), np.column_stack([c, d])], axis=1)
    return np.array([np.linalg.det(np.cov(triple, rowvar=False, ddof=0)) for triple in triples])


triangle_determinant.also("(a*d - b*c)**2/27")


# c − a in hundredths: prime, so that the quotient hardly ever ends where rounding begins
STEPS = (103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181)


@task.sym(points=2, minutes=8, see="thm-covariance-affine-independence")
def singular_triangle(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """On the line through the other two: t = b + (d − b)(e − a)/(c − a) (thm-covariance-affine-independence)."""
    return b + (d - b) * (e - a) / (c - a)


@singular_triangle.draw
def draw_singular_triangle(rng: np.random.Generator) -> task.Cases:
    """Points (a, b), (c, d) and (e, t) with distinct first coordinates."""
    ranges = {"a": (1.0, 2.0), "b": (3.0, 5.0), "c": (0.0, 0.0), "d": (0.5, 2.0), "e": (4.5, 6.0)}
    points = sample_points(rng, **ranges)
    b, d, falls = points["b"], points["d"], np.arange(len(points["a"])) % 2
    points["b"], points["d"] = np.where(falls, b, d), np.where(falls, d, b)
    points["c"] = np.round(points["a"] + rng.choice(STEPS, size=len(points["a"])) / 100, 2)
    return {"at sample points": in_both_orders(points, "a", "c", "e")}


@singular_triangle.wrong(
    "Your condition changes when all three points are moved together. The covariance does not: which vectors between "
    "the points survive a shift?",
    see="def-covariance-affine-independence",
)
def used_the_raw_vectors(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Second and third vector linearly dependent."""
    return d * e / c


@singular_triangle.wrong(
    "You asked when two arrows from the origin are parallel. The origin plays no part in a covariance.",
    see="def-covariance-affine-independence",
)
def used_the_first_and_third_vector(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """First and third vector linearly dependent."""
    return b * e / a


@singular_triangle.wrong(
    "That is how far the third point lies above the first. Its coordinate t was asked for.",
    see="eq-covariance-affine-independence",
    credit=0.5,
)
def forgot_to_move_back(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """The difference t − b instead of t."""
    return (d - b) * (e - a) / (c - a)


@singular_triangle.wrong(
    "Test your formula with a horizontal line, b = d: then t should be easy to see.",
    see="eq-covariance-affine-independence",
)
def inverted_the_slope(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """The slope upside down."""
    return b + (c - a) * (e - a) / (d - b)


@singular_triangle.wrong(
    "Test your formula at e = a: the third point is then the first one. All differences must be taken to the same "
    "point.",
    see="def-covariance-affine-independence",
)
def mixed_two_base_points(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Differences to different points: (e − c) with the height of the first."""
    return b + (d - b) * (e - c) / (c - a)


@singular_triangle.wrong(
    "Your line has the right slope and passes through the origin. The first two points need not.",
    see="eq-covariance-affine-independence",
)
def forgot_the_intercept(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Slope times e: the parallel line through the origin."""
    return (d - b) / (c - a) * e


@singular_triangle.wrong(
    "This is right if the second point lies halfway between the others. Whether it does, a, c and e tell.",
    see="eq-covariance-affine-independence",
)
def took_equal_steps(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """2d − b, as if the second point were the middle."""
    return 2 * d - b


singular_triangle.also("(b*(c - e) + d*(e - a))/(c - a)")
