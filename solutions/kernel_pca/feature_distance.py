"""Task `feature_distance`: how far two features of a bell-shaped kernel are apart, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import N_POINTS, Array, in_both_orders


@task.sym(
    points=2,
    minutes=10,
    see="thm-kernel-pca-rbf-distance",
    parts=("the squared distance", "the limit at zero", "the limit far away"),
)
def feature_distance(a: Array, s: Array, r: Array) -> Array:
    """2a(1 − e^(−r²/2s²)), a/s², 2a (thm-kernel-pca-rbf-distance)."""
    return np.column_stack([-2 * a * np.expm1(-(r**2) / (2 * s**2)), a / s**2, 2 * a])


@feature_distance.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A height, a width and a distance, with three decimals."""
    ranges = {"a": (1.5, 4.0), "s": (0.6, 1.8), "r": (0.5, 2.5)}
    points = {
        name: np.round(rng.uniform(low, high, size=N_POINTS), 3) for name, (low, high) in ranges.items()
    }
    return {"at sample points": in_both_orders(points, "a", "s", "r")}


@feature_distance.wrong(
    "All three are half of what they should be. The square of a difference has two squares and a product that counts "
    "twice.",
    credit=FACTOR_OF_TWO,
)
def forgot_the_two(a: Array, s: Array, r: Array) -> Array:
    """a − κ."""
    return feature_distance(a, s, r) / 2


@feature_distance.wrong(
    "Your distance of a feature from itself is not zero. The squared length of a feature is κ(x, x)."
)
def took_unit_length(a: Array, s: Array, r: Array) -> Array:
    """2 − 2κ, as if features had length one; what the series then starts with has no limit, so a/s² stays."""
    return np.column_stack([2 - 2 * a * np.exp(-(r**2) / (2 * s**2)), a / s**2, 2 + 0 * a])


@feature_distance.wrong(
    "These are distances. Squared distances were asked for.", see="eq-kernel-pca-rbf-distance", credit=0.5
)
def gave_the_distances(a: Array, s: Array, r: Array) -> Array:
    """Distances, not squared."""
    return np.sqrt(feature_distance(a, s, r))


@feature_distance.wrong(
    "The last limit is right. In the exponent the squared distance is divided by twice the squared width.",
    see="eq-kernel-pca-rbf",
)
def forgot_the_half_in_the_exponent(a: Array, s: Array, r: Array) -> Array:
    """e^(−r²/s²)."""
    return np.column_stack([-2 * a * np.expm1(-(r**2) / s**2), 2 * a / s**2, 2 * a])


@feature_distance.wrong(
    "This is the inner product of the features: it falls with r. A distance grows.",
    see="eq-kernel-pca-rbf-distance",
)
def gave_the_kernel(a: Array, s: Array, r: Array) -> Array:
    """κ, its slope in r², and its limit."""
    return np.column_stack([a * np.exp(-(r**2) / (2 * s**2)), -a / (2 * s**2), 0 * a])


@feature_distance.also
def by_kernel_values(a: Array, s: Array, r: Array) -> Array:
    """κ(x,x) + κ(y,y) − 2κ(x,y) at r, at a tiny r and at a huge one."""

    def apart(t: Array) -> Array:
        return a + a - 2 * a * np.exp(-t / (2 * s**2))

    small = 1e-30
    slope = np.imag(2 * a - 2 * a * np.exp(-1j * small / (2 * s**2))) / small
    return np.column_stack([apart(r**2), slope, apart(1e9 + 0 * r)])


feature_distance.also("[2*a*(1 - exp(-r**2/(2*s**2))), a/s**2, 2*a]")
