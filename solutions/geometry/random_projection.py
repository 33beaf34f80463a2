"""Task `projected_pair`: a squared distance before and after a random projection, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short
from solutions.steps import Worked, eq, row, squares, steps, tex

Answer = tuple[float, float, float]
SAME = (exactly, exactly, exactly)


@task.hand(
    points=2,
    minutes=8,
    see="eq-geometry-johnson-lindenstrauss",
    same=SAME,
    parts=("the squared distance", "the projected one", "the factor"),
)
def projected_pair(G: Array, x: Array, y: Array) -> Answer:
    """Return ‖x − y‖², ‖R(x − y)‖² with R = G/√m, and their quotient (eq-geometry-johnson-lindenstrauss)."""
    u = np.asarray(x, dtype=float) - y
    before, after = float(u @ u), float(np.sum((G @ u) ** 2) / len(G))
    return before, after, after / before


@projected_pair.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Draw two whole rows of small numbers and two whole points with a short factor."""
    while True:
        G = rng.integers(-2, 3, size=(2, 3)).astype(float)
        x, y = (rng.integers(-3, 6, size=3).astype(float) for _ in range(2))
        if not np.any(x != y) or not np.any(G @ (x - y)) or np.any(np.abs(G).sum(axis=1) < 2):
            continue
        if is_short(projected_pair(G, x, y)[2]) and told_apart(PAIRS, (G, x, y), SAME):
            return {"the numbers of the text": {"G": G, "x": x, "y": y}}


def _of(before: float, after: float) -> Answer:
    return float(before), float(after), float(after / before)


@projected_pair.wrong("Each entry of R has the variance 1/m: divide by the number of rows.")
def forgot_the_scale(G: Array, x: Array, y: Array) -> Answer:
    """Project with G."""
    before, after, _ = projected_pair(G, x, y)
    return _of(before, after * len(G))


@projected_pair.wrong("The squared projected distance has 1/m in it, the square of 1/√m. Yours has 1/m².")
def divided_twice(G: Array, x: Array, y: Array) -> Answer:
    """Divide the squared length by m²."""
    before, after, _ = projected_pair(G, x, y)
    return _of(before, after / len(G))


@projected_pair.wrong("You divided by the number of columns. R has a row for each dimension that is left.")
def divided_by_the_columns(G: Array, x: Array, y: Array) -> Answer:
    """Divide by D."""
    before, after, _ = projected_pair(G, x, y)
    return _of(before, after * len(G) / G.shape[1])


@projected_pair.wrong(
    "Both squared distances are right. The factor is the projected one divided by the other."
)
def inverted_the_factor(G: Array, x: Array, y: Array) -> Answer:
    """Divide the other way round."""
    before, after, factor = projected_pair(G, x, y)
    return before, after, 1 / factor


@projected_pair.wrong("These are the sum and not the difference of the points.")
def added_the_points(G: Array, x: Array, y: Array) -> Answer:
    """Use x + y."""
    u = x + y
    before = float(u @ u)
    return _of(before or 1.0, float(np.sum((G @ u) ** 2) / len(G)))


PAIRS = (
    projected_pair,
    forgot_the_scale,
    divided_twice,
    divided_by_the_columns,
    inverted_the_factor,
    added_the_points,
)


@projected_pair.also
def by_the_gram_matrix(G: Array, x: Array, y: Array) -> Answer:
    """Expand both quadratic forms."""
    u = np.asarray(x, dtype=float) - y
    return _of(float(u @ u), float(u @ (G.T @ G) @ u) / len(G))


@projected_pair.worked
def worked(G: Array, x: Array, y: Array) -> Worked:
    """Take the difference, multiply, compare."""
    u = x - y
    image = G @ u
    before, after = float(u @ u), float(image @ image / len(G))
    return steps(
        rf"The difference is $x-y={row(u)}$, and its squared length ${squares(u)}={tex(before)}$.",
        rf"$G(x-y)={row(image)}$, so $\lVert R(x-y)\rVert^2=\tfrac1{len(G)}({squares(image)}){eq(after)}$.",
        rf"The factor is ${tex(after)}/{tex(before)}{eq(after / before)}$. With two rows it may be anything; it comes "
        "near 1 when there are hundreds.",
    ), (before, after, after / before)
