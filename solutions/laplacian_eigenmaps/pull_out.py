"""Task `pull_out`: what it costs to pull one vertex out of the heap, with two kinds of masses, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array
from solutions.toolkit.numbers import sample_points


def draw(rng: np.random.Generator) -> Cases:
    """A degree, a sum of degrees, a number of vertices (which need not be whole for a formula)."""
    return {"at sample points": sample_points(rng, g=(0.4, 1.7), v=(4.1, 7.5), n=(2.3, 5.6))}


def answer(g: Array, v: Array, n: Array) -> Array:
    """g n/(n − 1) and v/(v − g) (thm-laplacian-eigenmaps-mass)."""
    return np.column_stack([g * n / (n - 1), v / (v - g)])


def did_not_centre(g: Array, v: Array, n: Array) -> Array:
    """The quotients of the unit vector itself."""
    return np.column_stack([g, 0 * g + 1])


def took_the_plain_mean_twice(g: Array, v: Array, n: Array) -> Array:
    """e − 1/n also where the masses are degrees."""
    return np.column_stack([g * n / (n - 1), g / (g - 2 * g / n + v / n**2)])


def inverted_the_quotients(g: Array, v: Array, n: Array) -> Array:
    """Size over energy."""
    return 1 / answer(g, v, n)


def kept_the_degree(g: Array, v: Array, n: Array) -> Array:
    """The energy divided by one minus the share, not by the size."""
    return np.column_stack([g * n / (n - 1), g * v / (v - g)])


def forgot_the_middle_term(g: Array, v: Array, n: Array) -> Array:
    """(x − c)² taken for x² + c²."""
    return np.column_stack([g / (1 + 1 / n), g / (g + g**2 / v)])


def exchanged_the_masses(g: Array, v: Array, n: Array) -> Array:
    """The two answers in the wrong order."""
    return answer(g, v, n)[:, ::-1]


def by_sizes(g: Array, v: Array, n: Array) -> Array:
    """Energy over size, both written out."""
    mean = g / v
    return np.column_stack([g / ((1 - 1 / n) ** 2 + (n - 1) / n**2), g / (g - 2 * mean * g + mean**2 * v)])


def by_shares(g: Array, v: Array, n: Array) -> Array:
    """One over one minus the share of the vertex."""
    return np.column_stack([g / (1 - 1 / n), 1 / (1 - g / v)])


pull_out = Task(
    kind="sym",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("equal masses", "degrees as masses"),
    see="thm-laplacian-eigenmaps-mass",
    misconceptions=(
        Misconception(
            did_not_centre,
            hint="These are the quotients of the unit vector itself. It does not have mean zero.",
            see="eq-laplacian-eigenmaps-masses",
        ),
        Misconception(
            took_the_plain_mean_twice,
            hint="The first formula is right. With the degrees as masses the mean is weighted, too.",
            see="eq-laplacian-eigenmaps-masses",
        ),
        Misconception(
            inverted_the_quotients,
            hint="Your quotients are upside down: the energy is divided by the size.",
            see="eq-laplacian-eigenmaps-single",
        ),
        Misconception(
            kept_the_degree,
            hint="The first formula is right. In the second the energy and the size both carry the degree as a factor.",
            see="thm-laplacian-eigenmaps-mass",
        ),
        Misconception(
            forgot_the_middle_term,
            hint="The squared size of a difference has a middle term; here it makes the size smaller.",
            see="thm-laplacian-eigenmaps-mass",
        ),
        Misconception(
            exchanged_the_masses,
            hint="Both formulas are right, in the other order: equal masses come first.",
            see="thm-laplacian-eigenmaps-mass",
        ),
    ),
    alternatives=(by_sizes, by_shares),
)
