"""Task `best_scale`: the scale of one neighbourhood and what it leaves, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from dimred_ref.conformal_eigenmaps import optimal_scale
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, eq, products, row, squares, steps, tex

Answer = tuple[float, float]
BEFORE = ((3, 4, 5), (4, 3, 5), (5, 4, 3), (3, 5, 4), (6, 8, 10), (10, 6, 8), (6, 5, 8), (5, 8, 6))


@cache
def _choices() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(a, b) for b in BEFORE for a in product(range(2, 21), repeat=3) if _is_nice(a, b)]


def _is_nice(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    if len(set(a)) < 3 or not _is_triangle(a) or np.dot(a, b) % 5:
        return False
    after, before = np.array(a, dtype=float), np.array(b, dtype=float)
    scale, rest = best_scale(after, before)
    short = is_short(scale, 2) and is_short(rest, 2) and 1 < rest < 100 and 0.2 < scale < 5
    if not short or abs(scale - 1) < 0.1:
        return False
    return are_apart(*(way(after, before)[0] for way in WAYS)) and are_apart(rest, rest / 3, 2 * rest)


def _is_triangle(squares: tuple[int, ...]) -> bool:
    """Heron: sixteen times the squared area is positive."""
    x, y, z = squares
    return 2 * (x * y + y * z + z * x) > x * x + y * y + z * z


@task.hand(points=2, minutes=8, see="thm-conformal-scale", parts=("scale", "misfit"))
def best_scale(a: Array, b: Array) -> Answer:
    """s = aᵀb/bᵀb and ‖a − sb‖² (thm-conformal-scale)."""
    scale = optimal_scale(a, b)
    return scale, _misfit(a, b, scale)


@best_scale.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """The squared sides of two triangles, before and after the map, with a short scale."""
    a, b = one_of(rng, _choices())
    return {"the numbers of the text": {"a": np.array(a, dtype=float), "b": np.array(b, dtype=float)}}


def _misfit(a: Array, b: Array, scale: float) -> float:
    return float(np.sum((a - scale * b) ** 2))


@best_scale.wrong(
    "A ratio of sums is another average. The misfit is a sum of squares, and its derivative must vanish at the best "
    "scale.",
    see="eq-conformal-scale",
)
def divided_the_sums(a: Array, b: Array) -> Answer:
    """Σa/Σb."""
    scale = float(a.sum() / b.sum())
    return scale, _misfit(a, b, scale)


@best_scale.wrong(
    "Here every side counts the same, the short ones, too. In the misfit long sides weigh more.",
    see="eq-conformal-scale",
)
def averaged_the_ratios(a: Array, b: Array) -> Answer:
    """The mean of a/b."""
    scale = float(np.mean(a / b))
    return scale, _misfit(a, b, scale)


@best_scale.wrong(
    "This scale takes the squared sides after the map to those before it. Which list is multiplied by s?",
    see="eq-conformal-similar",
)
def exchanged_before_and_after(a: Array, b: Array) -> Answer:
    """aᵀb/aᵀa."""
    return best_scale(b, a)


@best_scale.wrong(
    "The misfit is right. Your number scales lengths; s scales their squares.", see="eq-conformal-similar"
)
def scaled_the_lengths(a: Array, b: Array) -> Answer:
    """√s, the factor of lengths."""
    scale, rest = best_scale(a, b)
    return float(np.sqrt(scale)), rest


@best_scale.wrong(
    "The two lists have different directions as vectors, so the quotient of their lengths is not the best multiple: "
    "project one on the other.",
    see="eq-conformal-residual",
)
def divided_by_the_lengths(a: Array, b: Array) -> Answer:
    """‖a‖/‖b‖."""
    scale = float(np.linalg.norm(a) / np.linalg.norm(b))
    return scale, _misfit(a, b, scale)


@best_scale.also
def by_pythagoras(a: Array, b: Array) -> Answer:
    """‖a‖² − (aᵀb)²/‖b‖²."""
    product_, square = float(a @ b), float(b @ b)
    return product_ / square, float(a @ a) - product_**2 / square


@best_scale.also
def by_least_squares(a: Array, b: Array) -> Answer:
    """A regression through the origin."""
    solution, residual, _, _ = np.linalg.lstsq(b[:, None], a, rcond=None)
    return float(solution[0]), float(residual[0])


WAYS = (
    best_scale,
    divided_the_sums,
    averaged_the_ratios,
    exchanged_before_and_after,
    scaled_the_lengths,
    divided_by_the_lengths,
)


@best_scale.worked
def worked(a: Array, b: Array) -> Worked:
    """Least squares with one unknown."""
    scale = float(a @ b / (b @ b))
    rest = a - scale * b
    return steps(
        r"$\lVert a-s\,b\rVert^2$ is least where $b^\top(a-s\,b)=0$.",
        rf"$a^\top b={products(a, b)}={tex(a @ b)}$ and $b^\top b={squares(b)}={tex(b @ b)}$, so "
        rf"$s={tex(a @ b)}/{tex(b @ b)}{eq(scale)}$.",
        rf"$a-s\,b={row(rest)}$, and its squared length is ${tex(rest @ rest)}$.",
    ), (scale, float(rest @ rest))
