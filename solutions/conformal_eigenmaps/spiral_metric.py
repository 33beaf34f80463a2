"""Task `spiral_metric`: when is a map of the plane conformal? JᵀJ as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.conformal_eigenmaps.numbers import fine_points
from solutions.numbers import Array

Answer = tuple[Array, Array, Array]
STEP = 1e-30  # of a derivative by complex numbers, which is exact to all digits


@task.sym(
    points=2,
    minutes=8,
    see="eq-conformal-jacobian",
    parts=("upper left entry", "mixed entry", "lower right entry"),
)
def spiral_metric(u: Array, v: Array, k: Array) -> Answer:
    """(1 + k²)e²ᵘ, k e²ᵘ and e²ᵘ (eq-conformal-jacobian)."""
    size = np.exp(2 * u)
    return (1 + k**2) * size, k * size, size


@spiral_metric.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A place and a twist, of either sign."""
    return {"at sample points": fine_points(rng, u=(-0.8, 0.8), v=(-3.0, 3.0), k=(-1.8, 1.8))}


def _columns(u: Array, v: Array, k: Array) -> tuple[Array, Array]:
    c, s, size = np.cos(v + k * u), np.sin(v + k * u), np.exp(u)
    return size * np.array([c - k * s, s + k * c]), size * np.array([-s, c])


@spiral_metric.wrong(
    "This is J times its transpose. The columns of J belong to u and v, and their inner products are asked for."
)
def multiplied_the_other_way(u: Array, v: Array, k: Array) -> Answer:
    """JJᵀ."""
    by_u, by_v = _columns(u, v, k)
    return by_u[0] ** 2 + by_v[0] ** 2, by_u[0] * by_u[1] + by_v[0] * by_v[1], by_u[1] ** 2 + by_v[1] ** 2


@spiral_metric.wrong(
    "With these entries the map would be conformal for every k. Its factor of areas is as you say, but a twist "
    "changes angles.",
    see="thm-conformal-angles",
)
def ignored_the_twist(u: Array, v: Array, k: Array) -> Answer:
    """e²ᵘ times the identity: right areas, wrong angles."""
    return spiral_metric(u, v, 0 * k)


@spiral_metric.wrong("The last two are right. Radius and angle both depend on u.")
def forgot_the_product_rule(u: Array, v: Array, k: Array) -> Answer:
    """Differentiate the angle by u, but not the radius."""
    _, mixed, size = spiral_metric(u, v, k)
    return k**2 * size, mixed, size


@spiral_metric.wrong("The last entry is right. How fast does the angle grow with u?")
def forgot_the_inner_derivative(u: Array, v: Array, k: Array) -> Answer:
    """The angle by u as if k were one."""
    return spiral_metric(u, v, 0 * k + 1)


@spiral_metric.wrong(
    "Every column of J carries the radius once, and the entries are products of two columns."
)
def did_not_square_the_radius(u: Array, v: Array, k: Array) -> Answer:
    """eᵘ for e²ᵘ."""
    return spiral_metric(u / 2, v, k)


@spiral_metric.also
def by_complex_steps(u: Array, v: Array, k: Array) -> Answer:
    """Differentiate the map along the imaginary axis and multiply."""
    by_u, by_v = (np.array(_map(*place, k)).imag / STEP for place in ((u + 1j * STEP, v), (u, v + 1j * STEP)))
    return (by_u * by_u).sum(axis=0), (by_u * by_v).sum(axis=0), (by_v * by_v).sum(axis=0)


def _map(u: Array, v: Array, k: Array) -> tuple[Array, Array]:
    return np.exp(u) * np.cos(v + k * u), np.exp(u) * np.sin(v + k * u)
