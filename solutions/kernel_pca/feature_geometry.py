"""Task `feature_geometry`: products, distances and the centre of features that are never written down, by hand."""

from itertools import combinations

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short
from solutions.steps import Worked, eq, matrix, steps, tex

Answer = tuple[float, float, float]


def _geometry(K: Array) -> Answer:
    centred = K[0, 0] - 2 * K[0].mean() + K.mean()
    return float(K[0, 1]), float(K[0, 0] + K[1, 1] - 2 * K[0, 1]), float(centred)


@task.hand(
    points=3,
    minutes=12,
    see="thm-kernel-pca-centring",
    parts=("kernel value", "squared distance", "squared distance from the mean"),
)
def feature_geometry(X: Array) -> Answer:
    """κ(x₁, x₂), κ₁₁ + κ₂₂ − 2κ₁₂, and the first entry of JKJ (eq-kernel-pca-centring)."""
    return _geometry((X @ X.T) ** 2)


@feature_geometry.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Four points with small whole coordinates, on which no two ways agree."""
    while True:
        X = rng.integers(-2, 4, size=(4, 2)).astype(float)
        answers = [way(X) for way in WAYS]
        if not all(is_short(number, 2) and 0.5 < abs(number) < 100 for number in answers[0]):
            continue
        if all(any(are_apart(*pair) for pair in zip(*two, strict=True)) for two in combinations(answers, 2)):
            return {"the numbers of the text": {"X": X}}


@feature_geometry.wrong(
    "These are the numbers of the points themselves, with the linear kernel. The quadratic kernel squares each inner "
    "product.",
    see="eq-kernel-pca-quadratic",
)
def forgot_to_square(X: Array) -> Answer:
    """The linear kernel."""
    return _geometry(X @ X.T)


@feature_geometry.wrong(
    "This kernel is (1 + xᵀy)², which has linear features, too. Here nothing is added to the product.",
    see="eq-kernel-pca-quadratic",
)
def added_one_to_the_product(X: Array) -> Answer:
    """The kernel (1 + xᵀy)²."""
    return _geometry((1 + X @ X.T) ** 2)


@feature_geometry.wrong(
    "The squared distance of two features has three terms, all of them kernel values.",
    see="eq-kernel-pca-rbf-distance",
    credit=2 / 3,
)
def squared_the_distance_of_the_points(X: Array) -> Answer:
    """‖x₁ − x₂‖⁴ for the distance of the features."""
    kernel, _, centred = feature_geometry(X)
    return kernel, float(np.sum((X[0] - X[1]) ** 2) ** 2), centred


@feature_geometry.wrong(
    "The last number is the squared distance of the feature from the origin, not from the mean feature.",
    see="eq-kernel-pca-centring",
    credit=2 / 3,
)
def forgot_the_mean(X: Array) -> Answer:
    """The distance of the first feature from the origin."""
    kernel, apart, _ = feature_geometry(X)
    return kernel, apart, float((X[0] @ X[0]) ** 2)


@feature_geometry.wrong(
    "The mean of the features is not the feature of the mean point: features are not linear.", credit=2 / 3
)
def took_the_feature_of_the_mean(X: Array) -> Answer:
    """The distance from the feature of the mean point instead of the mean feature."""
    kernel, apart, _ = feature_geometry(X)
    x, mean = X[0], X.mean(axis=0)
    return kernel, apart, float((x @ x) ** 2 + (mean @ mean) ** 2 - 2 * (x @ mean) ** 2)


@feature_geometry.wrong(
    "In the last number one mean was taken away once. A product of two centred features has four terms.",
    see="eq-kernel-pca-centring",
    credit=2 / 3,
)
def centred_the_row_only(X: Array) -> Answer:
    """K₁₁ minus the mean of its row."""
    kernel, apart, _ = feature_geometry(X)
    K = (X @ X.T) ** 2
    return kernel, apart, float(K[0, 0] - K[0].mean())


@feature_geometry.wrong(
    "The first two are right. The square of a difference has its product twice: how often is the mean of the row to "
    "be subtracted?",
    see="eq-kernel-pca-centring",
)
def subtracted_the_row_mean_once(X: Array) -> Answer:
    """κ₁₁ − mean of row one + mean of all."""
    K = (X @ X.T) ** 2
    kernel, square, _ = feature_geometry(X)
    return kernel, square, float(K[0, 0] - K[0].mean() + K.mean())


@feature_geometry.wrong(
    "The first and the last number are right. In ‖a − b‖² the mixed product comes twice.",
)
def counted_the_mixed_product_once(X: Array) -> Answer:
    """κ₁₁ + κ₂₂ − κ₁₂."""
    kernel, apart, centred = feature_geometry(X)
    return kernel, apart + kernel, centred


@feature_geometry.wrong(
    "The first two numbers are right. The mean is that of all four features; the first one is among them.",
)
def left_the_first_out_of_the_mean(X: Array) -> Answer:
    """The distance from the mean of the other features."""
    kernel, apart, centred = feature_geometry(X)
    return kernel, apart, centred * (len(X) / (len(X) - 1)) ** 2


@feature_geometry.also
def by_monomials(X: Array) -> Answer:
    """Write the features down: x², √2 xy, y²."""
    x, y = X.T
    features = np.column_stack([x**2, np.sqrt(2) * x * y, y**2])
    apart, off = features[0] - features[1], features[0] - features.mean(axis=0)
    return float(features[0] @ features[1]), float(apart @ apart), float(off @ off)


@feature_geometry.also
def by_centring_matrix(X: Array) -> Answer:
    """J K J with J = I − 11ᵀ/4."""
    K, J = (X @ X.T) ** 2, np.eye(4) - 0.25
    centred = J @ K @ J
    return float(K[0, 1]), float(centred[0, 0] + centred[1, 1] - 2 * centred[0, 1]), float(centred[0, 0])


WAYS = (
    feature_geometry,
    added_one_to_the_product,
    forgot_to_square,
    squared_the_distance_of_the_points,
    forgot_the_mean,
    took_the_feature_of_the_mean,
    centred_the_row_only,
    subtracted_the_row_mean_once,
    counted_the_mixed_product_once,
    left_the_first_out_of_the_mean,
)


@feature_geometry.worked
def worked(X: Array) -> Worked:
    """Everything from kernel values."""
    K = (X @ X.T) ** 2
    distance = float(K[0, 0] + K[1, 1] - 2 * K[0, 1])
    from_mean = float(K[0, 0] - 2 * K[0].mean() + K.mean())
    return steps(
        rf"The products $x_i^\top x_j$ are ${matrix(X @ X.T)}$; squared, $K={matrix(K)}$.",
        rf"$\kappa(x_1,x_2)={tex(K[0, 1])}$.",
        rf"$\lVert\varphi(x_1)-\varphi(x_2)\rVert^2=K_{{11}}-2K_{{12}}+K_{{22}}={tex(K[0, 0])}-2\cdot{tex(K[0, 1])}"
        rf"+{tex(K[1, 1])}={tex(distance)}$.",
        rf"The mean of the first row of $K$ is ${tex(K[0].mean())}$, of all entries ${tex(K.mean())}$: "
        rf"$\lVert\varphi(x_1)-\bar\varphi\rVert^2={tex(K[0, 0])}-2\cdot{tex(K[0].mean())}"
        rf"+{tex(K.mean())}{eq(from_mean)}$.",
    ), (float(K[0, 1]), distance, from_mean)
