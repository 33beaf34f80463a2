"""A course about squares: small enough to read, complete enough to test the engine by itself."""

import numpy as np

from autograder.authoring.task import Misconception, Task
from autograder.judging.sameness import exactly, up_to_column_signs


def draw_lists(rng):
    return {
        "a list with negative numbers": {"x": np.round(rng.normal(size=5), 2)},
        "a list of one number": {"x": np.round(rng.uniform(2, 9, size=1), 2)},
    }


def sum_of_squares(x):
    return float(np.sum(x**2))


def by_dot_product(x):
    return x @ x


def squared_the_sum(x):
    return float(np.sum(x) ** 2)


def forgot_to_square(x):
    return float(np.sum(x))


def is_ill_posed(x):
    return "the entries cancel" if abs(np.sum(x)) < 0.1 else None


total = Task(
    kind="code",
    points=2,
    minutes=5,
    draw=draw_lists,
    answer=sum_of_squares,
    see="eq-squares-sum",
    same=exactly,
    misconceptions=(
        Misconception(squared_the_sum, "Square first, then add.", "eq-squares-sum"),
        Misconception(forgot_to_square, "Nothing was squared.", "eq-squares-sum", credit=0.25),
    ),
    alternatives=(by_dot_product,),
    ill_posed=is_ill_posed,
)


def draw_table(rng):
    return {"a table": {"X": np.round(rng.normal(size=(6, 2)), 2)}}


def columns(X):
    return X**3


def flipped_columns(X):
    return -(X**3)


def squared_only(X):
    return X**2


cubes = Task(
    kind="code",
    points=1,
    minutes=5,
    draw=draw_table,
    answer=columns,
    see="eq-squares-sum",
    same=up_to_column_signs,
    misconceptions=(Misconception(squared_only, "One power too few.", "eq-squares-sum"),),
    alternatives=(flipped_columns,),
    picture="points",
)


def draw_numbers(rng):
    return {"the printed numbers": {"u": rng.integers(2, 9, size=3).astype(float)}}


def squared_the_sum_by_hand(u):
    return float(np.sum(u) ** 2)


by_hand = Task(
    kind="hand",
    points=1,
    minutes=3,
    draw=draw_numbers,
    answer=lambda u: float(u @ u),
    see="eq-squares-sum",
    misconceptions=(Misconception(squared_the_sum_by_hand, "Square first, then add.", "eq-squares-sum"),),
)


def draw_points(rng):
    a, b = np.round(rng.uniform(1, 3, (2, 6)), 2)
    return {"at sample points": {"a": a, "b": b}}


def forgot_the_middle(a, b):
    return a**2 + b**2


binomial = Task(
    kind="sym",
    points=1,
    minutes=3,
    draw=draw_points,
    answer=lambda a, b: (a + b) ** 2,
    see="eq-squares-binomial",
    misconceptions=(Misconception(forgot_the_middle, "What about the product?", "eq-squares-binomial"),),
    alternatives=("a**2 + 2*a*b + b**2", "(a + b)^2"),
)
