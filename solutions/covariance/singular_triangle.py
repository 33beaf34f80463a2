"""Task `singular_triangle`: where the third point must not lie, as a formula."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import Array, sample_points

# c − a in hundredths: prime, so that the quotient hardly ever ends where rounding begins
STEPS = (103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181)


def draw(rng: np.random.Generator) -> Cases:
    """Points (a, b), (c, d) and (e, t) with distinct first coordinates."""
    ranges = {"a": (1.0, 2.0), "b": (3.0, 5.0), "c": (0.0, 0.0), "d": (0.5, 2.0), "e": (4.5, 6.0)}
    points = sample_points(rng, **ranges)
    b, d, falls = points["b"], points["d"], np.arange(len(points["a"])) % 2
    points["b"], points["d"] = np.where(falls, b, d), np.where(falls, d, b)
    points["c"] = np.round(points["a"] + rng.choice(STEPS, size=len(points["a"])) / 100, 2)
    return {"at sample points": points}


def answer(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """On the line through the other two: t = b + (d − b)(e − a)/(c − a) (thm-covariance-affine-independence)."""
    return b + (d - b) * (e - a) / (c - a)


def used_the_raw_vectors(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Second and third vector linearly dependent."""
    return d * e / c


def used_the_first_and_third_vector(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """First and third vector linearly dependent."""
    return b * e / a


def forgot_to_move_back(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """The difference t − b instead of t."""
    return (d - b) * (e - a) / (c - a)


def inverted_the_slope(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """The slope upside down."""
    return b + (c - a) * (e - a) / (d - b)


def mixed_two_base_points(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Differences to different points: (e − c) with the height of the first."""
    return b + (d - b) * (e - c) / (c - a)


def forgot_the_intercept(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """Slope times e: the parallel line through the origin."""
    return (d - b) / (c - a) * e


def took_equal_steps(a: Array, b: Array, c: Array, d: Array, e: Array) -> Array:
    """2d − b, as if the second point were the middle."""
    return 2 * d - b


singular_triangle = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-covariance-affine-independence",
    misconceptions=(
        Misconception(
            used_the_raw_vectors,
            hint="Your condition changes when all three points are moved together. The covariance does not: "
            "which vectors between the points survive a shift?",
            see="def-covariance-affine-independence",
        ),
        Misconception(
            used_the_first_and_third_vector,
            hint="You asked when two arrows from the origin are parallel. The origin plays no part in a "
            "covariance.",
            see="def-covariance-affine-independence",
        ),
        Misconception(
            forgot_to_move_back,
            hint="That is how far the third point lies above the first. Its coordinate t was asked for.",
            see="eq-covariance-affine-independence",
            credit=0.5,
        ),
        Misconception(
            inverted_the_slope,
            hint="Test your formula with a horizontal line, b = d: then t should be easy to see.",
            see="eq-covariance-affine-independence",
        ),
        Misconception(
            mixed_two_base_points,
            hint="Test your formula at e = a: the third point is then the first one. All differences must be "
            "taken to the same point.",
            see="def-covariance-affine-independence",
        ),
        Misconception(
            forgot_the_intercept,
            hint="Your line has the right slope and passes through the origin. The first two points need not.",
            see="eq-covariance-affine-independence",
        ),
        Misconception(
            took_equal_steps,
            hint="This is right if the second point lies halfway between the others. Whether it does, a, c and e tell.",
            see="eq-covariance-affine-independence",
        ),
    ),
    alternatives=("(b*(c - e) + d*(e - a))/(c - a)",),
)
