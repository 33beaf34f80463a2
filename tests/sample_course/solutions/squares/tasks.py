"""A course about squares: small enough to read, complete enough to test the engine by itself."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs


@task.code(points=2, minutes=5, see="eq-squares-sum")
def total(x):
    return float(np.sum(x**2))


@total.draw
def draw_lists(rng):
    return {
        "a list with negative numbers": {"x": np.round(rng.normal(size=5), 2)},
        "a list of one number": {"x": np.round(rng.uniform(2, 9, size=1), 2)},
    }


@total.ill_posed
def is_ill_posed(x):
    return "the entries cancel" if abs(np.sum(x)) < 0.1 else None


@total.wrong("Square first, then add.")
def squared_the_sum(x):
    return float(np.sum(x) ** 2)


@total.wrong("Nothing was squared.", credit=0.25)
def forgot_to_square(x):
    return float(np.sum(x))


@total.also
def by_dot_product(x):
    return x @ x


@task.code(points=1, minutes=5, see="eq-squares-sum", same=up_to_column_signs, picture="points")
def cubes(X):
    return X**3


@cubes.draw
def draw_table(rng):
    return {"a table": {"X": np.round(rng.normal(size=(6, 2)), 2)}}


@cubes.wrong("One power too few.")
def squared_only(X):
    return X**2


@cubes.also
def flipped_columns(X):
    return -(X**3)


@task.hand(points=1, minutes=3, see="eq-squares-sum")
def by_hand(u):
    return float(u @ u)


@by_hand.draw
def draw_numbers(rng):
    return {"the printed numbers": {"u": rng.integers(2, 9, size=3).astype(float)}}


@by_hand.wrong("Square first, then add.")
def squared_the_sum_by_hand(u):
    return float(np.sum(u) ** 2)


@task.sym(points=1, minutes=3, see="eq-squares-binomial")
def binomial(a, b):
    return (a + b) ** 2


@binomial.draw
def draw_points(rng):
    a, b = np.round(rng.uniform(1, 3, (2, 6)), 2)
    return {"at sample points": {"a": a, "b": b}}


@binomial.wrong("What about the product?")
def forgot_the_middle(a, b):
    return a**2 + b**2


binomial.also("a**2 + 2*a*b + b**2")
binomial.also("(a + b)^2")
