"""Task `unfold_wire`: the widest Gram matrix of a bent wire whose successive points are joined."""

import numpy as np

from autograder.authoring import task
from solutions.mvu.numbers import straight
from solutions.numbers import Array


def _links(X: Array) -> Array:
    return np.asarray(np.linalg.norm(np.diff(X, axis=0), axis=1))


@task.code(points=3, minutes=10, see="thm-mvu-chain")
def unfold_wire(X: Array) -> Array:
    """K = yyᵀ with the straightened positions y (thm-mvu-chain)."""
    y = straight(_links(X))
    return np.outer(y, y)


def _wire(rng: np.random.Generator, n_points: int, n_features: int) -> Array:
    """A walk in short decimals, away from the origin."""
    steps = np.round(rng.normal(size=(n_points, n_features)) * 2, 1)
    return np.round(np.cumsum(steps, axis=0) + np.round(rng.uniform(-6, 6, size=n_features), 1), 1)


@unfold_wire.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A wire in the plane that rests at a point, a tiny one in space, and one that runs to and fro on a line."""
    line = np.round(np.cumsum([2.0, 3.5, -1.5, -4.0, 2.5] * rng.uniform(0.8, 1.3, size=5)), 1)[:, None]
    return {
        "a wire in the plane, a point twice in a row": {"X": _resting(rng, _wire(rng, 5, 2))},
        "a wire in space, in small units": {"X": 1e-7 * _wire(rng, 8, 3)},
        "to and fro on a line": {"X": line},
    }


def _resting(rng: np.random.Generator, X: Array) -> Array:
    """Repeat an inner point: its step has length zero."""
    return np.repeat(X, 1 + (np.arange(len(X)) == rng.integers(1, len(X) - 1)), axis=0)


@unfold_wire.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, whole numbers, a point twice in a row, small units, many points."""
    whole = np.array([[0, 0], [3, 4], [3, 4], [0, 0], [5, 12]])
    return {
        "two points": {"X": _wire(rng, 2, 3)},
        "whole numbers and a repeated point": {"X": whole},
        "small units": {"X": 1e-6 * _wire(rng, 6, 2)},
        "many points": {"X": _wire(rng, 40, 5)},
    }


@unfold_wire.wrong(
    "This matrix belongs to the data as they are, with every bend. All pairs keep their distances here; only "
    "neighbours along the wire have to.",
    see="thm-mvu-complete",
)
def kept_the_bend(X: Array) -> Array:
    """The Gram matrix of the centred data, which is what PCA uses."""
    centred = X - X.mean(axis=0)
    return np.asarray(centred @ centred.T)


@unfold_wire.wrong(
    "The wire is straight, but the entries of your matrix do not sum to zero.", see="eq-mvu-program"
)
def left_the_start_at_zero(X: Array) -> Array:
    """Positions counted from the first point."""
    p = np.append(0.0, np.cumsum(_links(X)))
    return np.outer(p, p)


@unfold_wire.wrong(
    "Straight distances from the first point are no longer than the way along the wire. Which lengths is the "
    "unfolding to keep?",
    see="eq-mvu-geodesic-bound",
)
def measured_from_the_first_point(X: Array) -> Array:
    """Straight distances from the first point, centred."""
    p = np.linalg.norm(X - X[0], axis=1)
    return np.outer(p - p.mean(), p - p.mean())


@unfold_wire.wrong(
    "Squared links were laid end to end. Twice as large data should give a matrix that is four times as large."
)
def laid_squares_end_to_end(X: Array) -> Array:
    """Squared links as steps."""
    y = straight(_links(X) ** 2)
    return np.outer(y, y)


@unfold_wire.wrong(
    "Your diagonal is zero: these are squared distances. Inner products were asked for.", see="eq-mvu-gram"
)
def gave_the_distances(X: Array) -> Array:
    """The squared distances along the wire."""
    y = straight(_links(X))
    return np.asarray(np.subtract.outer(y, y) ** 2)


@unfold_wire.wrong(
    "The points were sorted first. The wire joins each row of X to the next one, in their order."
)
def sorted_the_points(X: Array) -> Array:
    """Walk from left to right instead of along the wire."""
    return unfold_wire(X[np.argsort(X[:, 0], kind="stable")])


@unfold_wire.wrong("Distances were double-centred. Which power of them belongs there?", see="thm-mvu-isomap")
def forgot_to_square_the_paths(X: Array) -> Array:
    """−½JGJ with the distances in the place of their squares."""
    y = straight(_links(X))
    J = np.eye(len(y)) - 1 / len(y)
    return np.asarray(-J @ np.abs(np.subtract.outer(y, y)) @ J / 2)


@unfold_wire.wrong(
    "The middle of the wire is the origin here. Centred means that the mean of the points is, and the points need not "
    "be evenly spaced."
)
def centred_at_the_middle(X: Array) -> Array:
    """Positions from the middle of the length."""
    p = np.append(0.0, np.cumsum(_links(X)))
    return np.outer(p - p[-1] / 2, p - p[-1] / 2)


@unfold_wire.wrong(
    "Each step is the sum of its coordinates here. The wire has Euclidean length: turn the data and look."
)
def walked_along_the_axes(X: Array) -> Array:
    """City-block lengths of the links."""
    y = straight(np.abs(np.diff(X, axis=0)).sum(axis=1))
    return np.outer(y, y)


@unfold_wire.wrong("All steps are equal here. A link keeps its own length, not the mean length.")
def made_all_links_equal(X: Array) -> Array:
    """The mean length for every link."""
    links = _links(X)
    y = straight(np.full(len(links), links.mean()))
    return np.outer(y, y)


@unfold_wire.also
def by_double_centring(X: Array) -> Array:
    """Isomap's matrix of the distances along the wire (thm-mvu-isomap)."""
    p = np.concatenate([[0.0], np.cumsum(np.sqrt(np.sum((X[1:] - X[:-1]) ** 2, axis=1)))])
    G = np.abs(p[:, None] - p[None, :])
    J = np.eye(len(p)) - np.ones((len(p), len(p))) / len(p)
    return np.asarray(-0.5 * J @ G**2 @ J)


@unfold_wire.also
def by_walking(X: Array) -> Array:
    """A loop over the links, then all products."""
    y = np.zeros(len(X))
    for i in range(1, len(X)):
        y[i] = y[i - 1] + np.linalg.norm(X[i] - X[i - 1])
    y = y - y.mean()
    return np.asarray(y[:, None] @ y[None, :])


unfold_wire.announces(
    "two successive ones may coincide",
    "a wire in the plane, a point twice in a row",
    lambda X: np.any(np.all(np.diff(X, axis=0) == 0, axis=1)),
)
