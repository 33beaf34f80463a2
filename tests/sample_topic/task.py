"""Task `farthest`: the distance of the farthest two samples."""

import numpy as np

from autograder.authoring import task
from dimred_ref.diameter import diameter
from solutions.numbers import Array


@task.code(points=2, minutes=5, see="eq-diameter-largest")
def farthest(X: Array) -> float:
    """Return the largest of all distances (eq-diameter-largest)."""
    return diameter(X)


@farthest.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Draw a cloud around the origin, and one far from it."""
    near, far = rng.normal(size=(7, 2)), np.array([9, -4, 6]) + rng.normal(size=(5, 3))
    return {"a cloud": {"X": np.round(near, 2)}, "far from the origin": {"X": np.round(far, 2)}}


@farthest.wrong(
    "That is the farthest sample from the mean. Between which two things does a diameter measure?",
    see="thm-diameter-radius",
)
def measured_from_the_mean(X: Array) -> float:
    """Take the largest distance from the mean."""
    return float(np.linalg.norm(X - X.mean(axis=0), axis=1).max())


@farthest.wrong("That is the longest sample. Would your answer change if the whole cloud moved?")
def measured_from_the_origin(X: Array) -> float:
    """Take the longest sample."""
    return float(np.linalg.norm(X, axis=1).max())


@farthest.wrong("That is the square of what is asked. In which unit is a distance measured?")
def squared_the_distance(X: Array) -> float:
    """Forget the square root."""
    return farthest(X) ** 2


@farthest.also
def pair_by_pair(X: Array) -> float:
    """Look at all pairs in a loop."""
    return max(float(np.linalg.norm(x - y)) for x in X for y in X)
