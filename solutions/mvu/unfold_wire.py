"""Task `unfold_wire`: the widest Gram matrix of a bent wire whose successive points are joined."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.mvu.numbers import straight
from solutions.numbers import Array


def _wire(rng: np.random.Generator, n_points: int, n_features: int) -> Array:
    """A walk in short decimals, away from the origin."""
    steps = np.round(rng.normal(size=(n_points, n_features)) * 2, 1)
    return np.round(np.cumsum(steps, axis=0) + np.round(rng.uniform(-6, 6, size=n_features), 1), 1)


def draw(rng: np.random.Generator) -> Cases:
    """A wire in the plane, a tiny one in space, and one that runs to and fro on a line."""
    line = np.round(np.cumsum([2.0, 3.5, -1.5, -4.0, 2.5] * rng.uniform(0.8, 1.3, size=5)), 1)[:, None]
    return {
        "a wire in the plane": {"X": _wire(rng, 5, 2)},
        "a wire in space, in small units": {"X": 1e-7 * _wire(rng, 8, 3)},
        "to and fro on a line": {"X": line},
    }


def hard(rng: np.random.Generator) -> Cases:
    """Two points, whole numbers, a point twice in a row, small units, many points."""
    whole = np.array([[0, 0], [3, 4], [3, 4], [0, 0], [5, 12]])
    return {
        "two points": {"X": _wire(rng, 2, 3)},
        "whole numbers and a repeated point": {"X": whole},
        "small units": {"X": 1e-6 * _wire(rng, 6, 2)},
        "many points": {"X": _wire(rng, 40, 5)},
    }


def _links(X: Array) -> Array:
    return np.asarray(np.linalg.norm(np.diff(X, axis=0), axis=1))


def answer(X: Array) -> Array:
    """K = yyᵀ with the straightened positions y (thm-mvu-chain)."""
    y = straight(_links(X))
    return np.outer(y, y)


def kept_the_bend(X: Array) -> Array:
    """The Gram matrix of the centred data, which is what PCA uses."""
    centred = X - X.mean(axis=0)
    return np.asarray(centred @ centred.T)


def left_the_start_at_zero(X: Array) -> Array:
    """Positions counted from the first point."""
    p = np.append(0.0, np.cumsum(_links(X)))
    return np.outer(p, p)


def measured_from_the_first_point(X: Array) -> Array:
    """Straight distances from the first point, centred."""
    p = np.linalg.norm(X - X[0], axis=1)
    return np.outer(p - p.mean(), p - p.mean())


def laid_squares_end_to_end(X: Array) -> Array:
    """Squared links as steps."""
    y = straight(_links(X) ** 2)
    return np.outer(y, y)


def gave_the_distances(X: Array) -> Array:
    """The squared distances along the wire."""
    y = straight(_links(X))
    return np.asarray(np.subtract.outer(y, y) ** 2)


def forgot_to_square_the_paths(X: Array) -> Array:
    """−½JGJ with the distances in the place of their squares."""
    y = straight(_links(X))
    J = np.eye(len(y)) - 1 / len(y)
    return np.asarray(-J @ np.abs(np.subtract.outer(y, y)) @ J / 2)


def by_double_centring(X: Array) -> Array:
    """Isomap's matrix of the distances along the wire (thm-mvu-isomap)."""
    p = np.concatenate([[0.0], np.cumsum(np.sqrt(np.sum((X[1:] - X[:-1]) ** 2, axis=1)))])
    G = np.abs(p[:, None] - p[None, :])
    J = np.eye(len(p)) - np.ones((len(p), len(p))) / len(p)
    return np.asarray(-0.5 * J @ G**2 @ J)


def by_walking(X: Array) -> Array:
    """A loop over the links, then all products."""
    y = np.zeros(len(X))
    for i in range(1, len(X)):
        y[i] = y[i - 1] + np.linalg.norm(X[i] - X[i - 1])
    y = y - y.mean()
    return np.asarray(y[:, None] @ y[None, :])


unfold_wire = Task(
    kind="code",
    points=3,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-mvu-chain",
    hard=hard,
    misconceptions=(
        Misconception(
            kept_the_bend,
            hint="This matrix belongs to the data as they are, with every bend. All pairs keep their distances "
            "here; only neighbours along the wire have to.",
            see="thm-mvu-complete",
        ),
        Misconception(
            left_the_start_at_zero,
            hint="The wire is straight, but the entries of your matrix do not sum to zero.",
            see="eq-mvu-program",
        ),
        Misconception(
            measured_from_the_first_point,
            hint="Straight distances from the first point are no longer than the way along the wire. Which "
            "lengths is the unfolding to keep?",
            see="eq-mvu-geodesic-bound",
        ),
        Misconception(
            laid_squares_end_to_end,
            hint="Squared links were laid end to end. Twice as large data should give a matrix that is four "
            "times as large.",
            see="thm-mvu-chain",
        ),
        Misconception(
            gave_the_distances,
            hint="Your diagonal is zero: these are squared distances. Inner products were asked for.",
            see="eq-mvu-gram",
        ),
        Misconception(
            forgot_to_square_the_paths,
            hint="Distances were double-centred. Which power of them belongs there?",
            see="thm-mvu-isomap",
        ),
    ),
    alternatives=(by_double_centring, by_walking),
)
