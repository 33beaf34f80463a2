"""Quick questions on kernel PCA."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.kernel_pca.feature_geometry import (
    added_one_to_the_product,
    feature_geometry,
    forgot_to_square,
    squared_the_distance_of_the_points,
)
from solutions.numbers import Array


@question.choice(
    "Which can be a Gram matrix of a kernel?",
    "A kernel was evaluated at two points. Which of these tables can be the result?",
    see="thm-kernel-pca-gram",
    several=True,
    explanation="Every Gram matrix is symmetric and positive semidefinite; its entries may be negative.",
)
def can_be_a_kernel(K: Array) -> bool:
    """Symmetric and positive semidefinite."""
    return bool(np.array_equal(K, K.T) and np.linalg.eigvalsh(K)[0] > -1e-9)


@can_be_a_kernel.right()
def with_negative_products(rng: np.random.Generator) -> Array:
    """Feature vectors at an obtuse angle."""
    a = int(rng.integers(3, 7))
    return np.array([[a, -2], [-2, a + 1]])


@can_be_a_kernel.right()
def of_equal_features(rng: np.random.Generator) -> Array:
    """Two points with one feature vector."""
    return np.full((2, 2), int(rng.integers(1, 6)))


@can_be_a_kernel.wrong("These would be feature vectors of length 0 whose inner product is not 0.")
def zero_lengths(rng: np.random.Generator) -> Array:
    """A table of distances."""
    a = int(rng.integers(1, 6))
    return np.array([[0, a], [a, 0]])


@can_be_a_kernel.wrong(
    "By the Cauchy–Schwarz inequality an inner product is at most the product of both lengths."
)
def too_large_a_product(rng: np.random.Generator) -> Array:
    """Violates Cauchy–Schwarz."""
    a = int(rng.integers(1, 5))
    return np.array([[a, a + 1], [a + 1, a]])


@can_be_a_kernel.wrong("The inner product of two vectors does not depend on their order.")
def not_symmetric(rng: np.random.Generator) -> Array:
    """Two different products."""
    a = int(rng.integers(4, 8))
    return np.array([[a, 0], [1, a]])


distance_in_features = question.predict(
    "A distance between features",
    r"The kernel is $k(x,y)=(x^\top y)^2$. For the first two rows of ${{ X }}$, what is the squared distance "
    r"of their "
    "feature vectors?",
    of=feature_geometry,
    among={
        forgot_to_square: "This is the squared distance of the points themselves. This kernel squares each inner "
        "product.",
        added_one_to_the_product: r"This belongs to the kernel $(1+x^\top y)^2$. Here nothing is added to the product.",
        squared_the_distance_of_the_points: "The squared distance of two feature vectors has three terms, all of them "
        "values of the kernel.",
    },
    part=1,
    see="sec-kernel-pca-features",
)

centring = question.proof(
    "Centring without features",
    r"Let $K_{ij}=\phi_i^\top\phi_j$ and $\bar\phi=\frac1N\sum_i\phi_i$. Put the steps in order that prove "
    r"$\tilde K=JKJ$ for the inner products of centred features, with $J=I-\frac1N\mathbf 1\mathbf 1^\top$.",
    see="thm-kernel-pca-centring",
)


def _features(rng: np.random.Generator) -> tuple[Array, Array]:
    return rng.normal(size=(5, 3)), np.eye(5) - 1 / 5


centring.step("rows", r"Write the features as rows of a matrix $\Phi$, so that $K=\Phi\Phi^\top$.")
centring.step(
    "subtract",
    r"Subtracting $\bar\phi$ from each row is $\tilde\Phi=\Phi-\frac1N\mathbf 1\mathbf 1^\top\Phi=J\Phi$.",
    after=("rows",),
    true=lambda rng: (lambda F, J: np.allclose(J @ F, F - F.mean(axis=0)))(*_features(rng)),
)
centring.step(
    "product",
    r"The centred products are $\tilde\Phi\tilde\Phi^\top=J\Phi\Phi^\top J^\top$.",
    after=("subtract",),
    true=lambda rng: (
        lambda F, J: np.allclose((F - F.mean(axis=0)) @ (F - F.mean(axis=0)).T, J @ F @ F.T @ J.T)
    )(*_features(rng)),
)
centring.step("symmetric", r"$J$ is symmetric, so this is $JKJ$: no feature is needed.", after=("product",))
centring.wrong_step(
    r"Subtracting $\bar\phi$ from each row is $\tilde\Phi=\Phi J$.",
    "Multiplying from the right mixes the columns. From which side are rows mixed?",
    false=lambda rng: (lambda F, J: np.allclose(F @ (np.eye(3) - 1 / 3), F - F.mean(axis=0)))(
        *_features(rng)
    ),
    name="centred_the_wrong_side",
)
centring.wrong_step(
    r"The centred products are $\tilde\Phi\tilde\Phi^\top=J\Phi\Phi^\top=JK$.",
    "Both factors of the product are centred.",
    false=lambda rng: (lambda F, J: np.allclose(J @ F @ F.T @ J, J @ F @ F.T))(*_features(rng)),
    name="centred_the_row_only",
)


@question.order(
    "Distances from a kernel",
    "A function `feature_distances(K)` shall return the distances between feature vectors, whose inner products are "
    "`K`. Choose four lines of its body and order them.",
    see="sec-kernel-pca-features",
)
def feature_distances(K: Array) -> Array:
    """√(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ)."""
    squares = np.diag(K)
    sums = squares[:, None] + squares
    rest = np.maximum(sums - 2 * K, 0)
    return np.sqrt(rest)


@feature_distances.draw
def draw_feature_distances(rng: np.random.Generator) -> Cases:
    """A Gram matrix."""
    F = rng.normal(size=(4, 3))
    return {"four points": {"K": F @ F.T}}


feature_distances.wrong_line(
    "squares = np.sqrt(np.diag(K))", "The law of cosines adds squared lengths.", name="took_roots_first"
)
feature_distances.wrong_line(
    "rest = np.maximum(sums - K, 0)",
    "The mixed term of a square occurs twice.",
    name="counted_the_product_once",
)
feature_distances.wrong_line(
    "sums = squares + squares",
    "This adds each length to itself. Each point must be combined with each other one.",
    name="lost_an_axis",
)


@question.fault(
    "Centred inner products",
    "`K` holds inner products of vectors. The function shall return the inner product of the first vector with "
    "itself after the mean of all vectors was subtracted from it.",
    see="eq-kernel-pca-centring",
)
def centred_entry(K):
    """K₁₁ − 2·(mean of the row) + mean of all."""
    row, total = K[0].mean(), K.mean()
    return K[0, 0] - 2 * row + total


@centred_entry.shown("What is the mean of all entries in each test?")
def forgot_the_grand_mean(K):
    """Right where all entries sum to zero."""
    row, total = K[0].mean(), K.mean()
    return K[0, 0] - 2 * row - total


@centred_entry.valid
def are_products(K):
    """Symmetric and positive semidefinite."""
    if K.shape[0] != K.shape[1] or not np.allclose(K, K.T):
        return "K must be square and symmetric"
    return None if np.linalg.eigvalsh(K)[0] > -1e-9 else "K must be positive semidefinite"


centred_entry.passes(
    {"K": np.array([[1.0, -1], [-1, 1]])},
    {"K": np.array([[4.0, -2, -2], [-2, 1, 1], [-2, 1, 1]])},
    {"K": np.array([[0.0]])},
)
centred_entry.hides(
    {"K": np.array([[9.0, -9], [-9, 9]])}, {"K": np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])}
)
centred_entry.reveals({"K": np.array([[1.0]])}, {"K": np.array([[1.0, 0], [0, 1]])})


@question.fault(
    "A Gaussian kernel",
    "The function shall return the value of the Gaussian kernel with width 1 for two points, lists of equal length: "
    "$e^{-\\|x-y\\|^2/2}$.",
    see="eq-kernel-pca-rbf",
)
def gaussian(x, y):
    """exp(−‖x − y‖²/2)."""
    square = np.sum((x - y) ** 2)
    return np.exp(-square / 2)


@gaussian.shown("In which of the tests do the squared distance and the distance differ?")
def forgot_to_square_the_distance(x, y):
    """Right at distance 0 and 1."""
    square = np.sqrt(np.sum((x - y) ** 2))
    return np.exp(-square / 2)


@gaussian.valid
def are_points(x, y):
    """Equally many coordinates."""
    return None if len(x) == len(y) else "both points need equally many coordinates"


gaussian.passes(
    {"x": np.array([1.0, 2]), "y": np.array([1.0, 2])},
    {"x": np.array([0.0, 0, 1]), "y": np.array([0.0, 0, 0])},
    {"x": np.array([0.6, 0]), "y": np.array([0.0, 0.8])},
)
gaussian.hides({"x": np.array([5.0]), "y": np.array([4.0])}, {"x": np.array([-3.0]), "y": np.array([-3.0])})
gaussian.reveals(
    {"x": np.array([2.0]), "y": np.array([0.0])}, {"x": np.array([1.0, 1]), "y": np.array([0.0, 0])}
)
