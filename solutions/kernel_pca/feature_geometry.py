"""Task `feature_geometry`: products, distances and the centre of features that are never written down, by hand."""

from itertools import combinations

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, are_apart, is_short

Answer = tuple[float, float, float]


def draw(rng: np.random.Generator) -> Cases:
    """Four points with small whole coordinates, on which no two ways agree."""
    while True:
        X = rng.integers(-2, 4, size=(4, 2)).astype(float)
        answers = [way(X) for way in WAYS]
        if not all(is_short(number, 2) and 0.5 < abs(number) < 100 for number in answers[0]):
            continue
        if all(any(are_apart(*pair) for pair in zip(*two, strict=True)) for two in combinations(answers, 2)):
            return {"the numbers of the text": {"X": X}}


def _geometry(K: Array) -> Answer:
    centred = K[0, 0] - 2 * K[0].mean() + K.mean()
    return float(K[0, 1]), float(K[0, 0] + K[1, 1] - 2 * K[0, 1]), float(centred)


def answer(X: Array) -> Answer:
    """κ(x₁, x₂), κ₁₁ + κ₂₂ − 2κ₁₂, and the first entry of JKJ (eq-kernel-pca-centring)."""
    return _geometry((X @ X.T) ** 2)


def forgot_to_square(X: Array) -> Answer:
    """The linear kernel."""
    return _geometry(X @ X.T)


def squared_the_distance_of_the_points(X: Array) -> Answer:
    """‖x₁ − x₂‖⁴ for the distance of the features."""
    kernel, _, centred = answer(X)
    return kernel, float(np.sum((X[0] - X[1]) ** 2) ** 2), centred


def forgot_the_mean(X: Array) -> Answer:
    """The distance of the first feature from the origin."""
    kernel, apart, _ = answer(X)
    return kernel, apart, float((X[0] @ X[0]) ** 2)


def took_the_feature_of_the_mean(X: Array) -> Answer:
    """The distance from the feature of the mean point instead of the mean feature."""
    kernel, apart, _ = answer(X)
    x, mean = X[0], X.mean(axis=0)
    return kernel, apart, float((x @ x) ** 2 + (mean @ mean) ** 2 - 2 * (x @ mean) ** 2)


def centred_the_row_only(X: Array) -> Answer:
    """K₁₁ minus the mean of its row."""
    kernel, apart, _ = answer(X)
    K = (X @ X.T) ** 2
    return kernel, apart, float(K[0, 0] - K[0].mean())


def by_monomials(X: Array) -> Answer:
    """Write the features down: x², √2 xy, y²."""
    x, y = X.T
    features = np.column_stack([x**2, np.sqrt(2) * x * y, y**2])
    apart, off = features[0] - features[1], features[0] - features.mean(axis=0)
    return float(features[0] @ features[1]), float(apart @ apart), float(off @ off)


def by_centring_matrix(X: Array) -> Answer:
    """J K J with J = I − 11ᵀ/4."""
    K, J = (X @ X.T) ** 2, np.eye(4) - 0.25
    centred = J @ K @ J
    return float(K[0, 1]), float(centred[0, 0] + centred[1, 1] - 2 * centred[0, 1]), float(centred[0, 0])


def subtracted_the_row_mean_once(X: Array) -> Answer:
    """κ₁₁ − mean of row one + mean of all."""
    K = (X @ X.T) ** 2
    kernel, square, _ = answer(X)
    return kernel, square, float(K[0, 0] - K[0].mean() + K.mean())


WAYS = (
    answer,
    forgot_to_square,
    squared_the_distance_of_the_points,
    forgot_the_mean,
    took_the_feature_of_the_mean,
    centred_the_row_only,
    subtracted_the_row_mean_once,
)


feature_geometry = Task(
    kind="hand",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-kernel-pca-centring",
    same=(exactly, exactly, exactly),
    parts=("kernel value", "squared distance", "squared distance from the mean"),
    misconceptions=(
        Misconception(
            forgot_to_square,
            hint="These are the numbers of the points themselves, with the linear kernel. The quadratic kernel squares "
            "each inner product.",
            see="eq-kernel-pca-quadratic",
        ),
        Misconception(
            squared_the_distance_of_the_points,
            hint="The squared distance of two features has three terms, all of them kernel values.",
            see="eq-kernel-pca-rbf-distance",
            credit=2 / 3,
        ),
        Misconception(
            forgot_the_mean,
            hint="The last number is the squared distance of the feature from the origin, not from the mean feature.",
            see="eq-kernel-pca-centring",
            credit=2 / 3,
        ),
        Misconception(
            took_the_feature_of_the_mean,
            hint="The mean of the features is not the feature of the mean point: features are not linear.",
            see="thm-kernel-pca-centring",
            credit=2 / 3,
        ),
        Misconception(
            centred_the_row_only,
            hint="In the last number one mean was taken away once. A product of two centred features has four terms.",
            see="eq-kernel-pca-centring",
            credit=2 / 3,
        ),
        Misconception(
            subtracted_the_row_mean_once,
            hint="The first two are right. The square of a difference has its product twice: how often is the mean of "
            "the row to be subtracted?",
            see="eq-kernel-pca-centring",
        ),
    ),
    alternatives=(by_monomials, by_centring_matrix),
)
