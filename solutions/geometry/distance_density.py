"""Task `distance_density`: the density of the squared distance per dimension."""

import numpy as np
import scipy.stats
from scipy.special import gammaln

from autograder.authoring import task
from dimred_ref.geometry import GammaLaw, distance_law
from solutions.announced import is_in_no_order
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="thm-geometry-distance-law")
def distance_density(z: Array, n_dimensions: int) -> Array:
    """Gamma with shape D/2 and scale 4/D (eq-geometry-distance-law)."""
    return distance_law(n_dimensions).density(z)


@distance_density.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few, tens and hundreds of dimensions, each where its density is not negligible, in no order, one twice."""
    cases = {}
    for name, size, dimensions in (
        ("a few dimensions", 6, (3, 5, 7)),
        ("tens of dimensions", 4, (10, 20, 40)),
        ("hundreds of dimensions", 8, (361, 400, 475)),
    ):
        D = int(rng.choice(dimensions))
        falling = np.sort(rng.uniform(-1, 2, size=size))[::-1]
        z = np.round(2 + np.sqrt(8 / D) * falling, 3)
        cases[name] = {"z": np.append(np.roll(z, int(rng.integers(1, size))), z[1]), "n_dimensions": D}
    return cases


@distance_density.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One dimension and two, a single number, whole numbers, many dimensions."""
    return {
        "one dimension": {"z": np.array([2.5, 0.3, 1.7]), "n_dimensions": 1},
        "two dimensions": {"z": np.array([0.4, 3.1, 0.4, 1.2]), "n_dimensions": 2},
        "a single number": {"z": np.array([1.9]), "n_dimensions": 11},
        "whole numbers": {"z": np.array([3, 1, 2]), "n_dimensions": 5},
        "thousands of dimensions": {"z": np.array([2.02, 1.97, 2.0]), "n_dimensions": 5001},
    }


@distance_density.wrong(
    "Your law has its mass far from 2. Check the convention of the function that you call: does its second parameter "
    "stretch the axis or squeeze it?",
    see="def-geometry-gamma",
)
def mistook_the_scale_for_a_rate(z: Array, n_dimensions: int) -> Array:
    """Scale D/4."""
    return GammaLaw(n_dimensions / 2, n_dimensions / 4).density(z)


@distance_density.wrong(
    "Your law is shifted where it should be scaled. In `scipy.stats.gamma(a, b)` the second argument is `loc`, a "
    "shift; name the scale, `scale=…`.",
    see="def-geometry-gamma",
)
def passed_the_scale_as_a_shift(z: Array, n_dimensions: int) -> Array:
    """The second argument of scipy.stats.gamma is a shift."""
    return scipy.stats.gamma(n_dimensions / 2, 4 / n_dimensions).pdf(z)


@distance_density.wrong(
    "Your curve does not enclose the area one. When a variable is divided by a number, its density is squeezed along "
    "the axis: what must happen to its height?",
    see="thm-geometry-gamma-rules",
)
def forgot_to_stretch(z: Array, n_dimensions: int) -> Array:
    """The chi-squared density at Dz/2, without the factor D/2."""
    return scipy.stats.chi2(n_dimensions).pdf(n_dimensions * z / 2)


@distance_density.wrong(
    "Your law has the mean 1. Half of the squared distance is chi-squared, not all of it.",
    see="thm-geometry-chi-squared",
)
def forgot_that_both_points_vary(z: Array, n_dimensions: int) -> Array:
    """The density of χ²(D)/D."""
    return GammaLaw(n_dimensions / 2, 2 / n_dimensions).density(z)


@distance_density.wrong(
    "That is the limit for many dimensions. The exact law is skew, and has no mass below zero.",
    see="thm-geometry-concentration",
)
def took_the_normal_limit(z: Array, n_dimensions: int) -> Array:
    """N(2, 8/D)."""
    return scipy.stats.norm(2, np.sqrt(8 / n_dimensions)).pdf(z)


@distance_density.wrong(
    "Your law has the mean 4. How much does one coordinate add to the shape?", see="thm-geometry-chi-squared"
)
def took_the_dimension_for_the_shape(z: Array, n_dimensions: int) -> Array:
    """Shape D."""
    return GammaLaw(n_dimensions, 4 / n_dimensions).density(z)


@distance_density.wrong(
    "Your values rise from 0 to 1: they are probabilities of staying below z. The density is their slope.",
    see="eq-geometry-gamma",
)
def gave_the_probability_below(z: Array, n_dimensions: int) -> Array:
    """The distribution function."""
    return distance_law(n_dimensions).distribution(z)


@distance_density.also
def by_scipy(z: Array, n_dimensions: int) -> Array:
    """scipy.stats.gamma with a scale."""
    return scipy.stats.gamma(n_dimensions / 2, scale=4 / n_dimensions).pdf(z)


@distance_density.also
def by_chi_squared(z: Array, n_dimensions: int) -> Array:
    """The chi-squared density, stretched."""
    return n_dimensions / 2 * scipy.stats.chi2(n_dimensions).pdf(n_dimensions * z / 2)


@distance_density.also
def by_logarithms(z: Array, n_dimensions: int) -> Array:
    """The formula, exponentiated last."""
    shape, scale = n_dimensions / 2, 4 / n_dimensions
    return np.exp((shape - 1) * np.log(z) - z / scale - gammaln(shape) - shape * np.log(scale))


distance_density.announces("in any order", "tens of dimensions", is_in_no_order)
