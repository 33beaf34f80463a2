"""Task `cut_cost`: what it costs to pull a group out of the heap, with two kinds of masses, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import N_POINTS, Array
from solutions.toolkit.numbers import sample_points


def _costs(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """Energy over size, with the size r − r²/n or g − g²/v."""
    return np.column_stack([c / (r - r**2 / n), c / (g - g**2 / v)])


@task.sym(
    points=2, minutes=12, see="thm-laplacian-eigenmaps-mass", parts=("equal masses", "degrees as masses")
)
def cut_cost(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """cn/(r(n − r)) and cv/(g(v − g)): the centred indicator of the group (eq-laplacian-eigenmaps-masses)."""
    return _costs(c, r, n, g, v)


@cut_cost.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A cut, the size and the degrees of a group, and those of the graph (none need be whole for a formula)."""
    ranges = {"c": (0.3, 0.9), "r": (1.2, 2.4), "n": (4.1, 7.5), "g": (2.6, 3.9), "v": (8.1, 12.5)}
    points = sample_points(rng, **ranges)
    is_most = np.arange(N_POINTS) % 3 == 1  # the group is then the larger part
    for part, whole in (("r", "n"), ("g", "v")):
        points[part] = np.where(is_most, np.round(points[whole] - points[part], 2), points[part])
    units = np.resize([1.0, 0.2, 9.0], N_POINTS)  # weights in other units than vertices are counted in
    for weight in "cgv":
        points[weight] = np.round(points[weight] * units, 3)
    return {"at sample points": points}


@cut_cost.wrong(
    "These are the quotients of the indicator itself. It does not have mean zero.",
    see="eq-laplacian-eigenmaps-masses",
)
def did_not_centre(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """The quotients of the indicator itself."""
    return np.column_stack([c / r, c / g])


@cut_cost.wrong(
    "You took the degrees of the group for its energy. Edges inside the group are not stretched; only those that "
    "leave it are.",
    see="thm-laplacian-eigenmaps-energy",
)
def took_the_degrees_for_the_energy(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """As if no edge ran inside the group."""
    return _costs(g, r, n, g, v)


@cut_cost.wrong(
    "Both are twice as large as they should be: the sum over ordered pairs is 2yᵀLy, and here yᵀLy is asked for.",
    see="thm-laplacian-eigenmaps-energy",
    credit=FACTOR_OF_TWO,
)
def counted_the_cut_twice(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """The energy over ordered pairs, which is 2yᵀLy."""
    return 2 * cut_cost(c, r, n, g, v)


@cut_cost.wrong(
    "The first formula is right. With the degrees as masses the mean is weighted, too.",
    see="eq-laplacian-eigenmaps-masses",
)
def took_the_plain_mean_twice(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """The indicator minus r/n also where the masses are degrees."""
    return np.column_stack([c / (r - r**2 / n), c / (g - 2 * g * r / n + v * r**2 / n**2)])


@cut_cost.wrong(
    "Your quotients are upside down: the energy is divided by the size.", see="eq-laplacian-eigenmaps-single"
)
def inverted_the_quotients(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """Size over energy."""
    return 1 / cut_cost(c, r, n, g, v)


@cut_cost.wrong("The squared size of a difference has a middle term; here it makes the size smaller.")
def forgot_the_middle_term(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """(x − m)² taken for x² + m²."""
    return np.column_stack([c / (r + r**2 / n), c / (g + g**2 / v)])


@cut_cost.wrong("Both formulas are right, in the other order: equal masses come first.")
def exchanged_the_masses(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """The two answers in the wrong order."""
    return cut_cost(c, r, n, g, v)[:, ::-1]


@cut_cost.also
def by_both_sides(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """A cut costs as much as both sides together: c/r + c/(n − r)."""
    return np.column_stack([c / r + c / (n - r), c / g + c / (v - g)])


@cut_cost.also
def by_sizes(c: Array, r: Array, n: Array, g: Array, v: Array) -> Array:
    """The size written out: inside the group and outside."""
    inner, outer = 1 - r / n, r / n
    heavy_inner, heavy_outer = 1 - g / v, g / v
    sizes = (r * inner**2 + (n - r) * outer**2, g * heavy_inner**2 + (v - g) * heavy_outer**2)
    return np.column_stack([c / sizes[0], c / sizes[1]])


cut_cost.also("[c*n/(r*(n - r)), c*v/(g*(v - g))]")
