"""Quick questions on classical multidimensional scaling."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.classical_mds.truncation import (
    chose_by_absolute_value,
    gave_the_lost_share,
    left_the_negative_out_of_the_strain,
    took_the_root_of_the_strain,
    took_the_share_of_variance,
    truncation,
)
from solutions.numbers import Array


def _distances(X: Array) -> Array:
    return np.linalg.norm(X[:, None] - X[None], axis=2)


def _gram(D: Array) -> Array:
    J = np.eye(len(D)) - 1 / len(D)
    return -0.5 * J @ D**2 @ J


def _points(rng: np.random.Generator) -> Array:
    return rng.normal(size=(6, 3)) + rng.normal(size=3) * 3


def _near(a: object, b: object) -> bool:
    return bool(np.allclose(a, b))


euclidean = question.claims(
    "Gram matrix and distances",
    "Points are known only by their distances $d_{ij}$, and $G$ is made from them by double centring. Which "
    "statements are true for every set of points?",
    see="thm-classical-mds-gram",
    explanation="Centring puts the origin at the mean, and everything else follows from inner products.",
)
euclidean.holds(
    "row_sums",
    "Every row of $G$ sums to zero.",
    lambda rng: _near(_gram(_distances(_points(rng))).sum(axis=1), 0),
)
euclidean.holds(
    "distances_back",
    "$d_{ij}^2=G_{ii}+G_{jj}-2G_{ij}$.",
    lambda rng: (lambda D, G: _near(D**2, np.diag(G)[:, None] + np.diag(G) - 2 * G))(
        *(lambda D: (D, _gram(D)))(_distances(_points(rng)))
    ),
)
euclidean.fails(
    "took_one_product_for_a_distance",
    "$d_{ij}^2=-2G_{ij}$.",
    "The law of cosines has three terms: two squared lengths from the origin and a product.",
    lambda rng: (lambda D: _near(D**2, -2 * _gram(D)))(_distances(_points(rng))),
)
euclidean.fails(
    "thought_distances_know_the_place",
    "$G_{ii}$ is the squared distance of point $i$ from the origin of the coordinates in which the points "
    "were measured.",
    "Shifting all points changes no distance. From which point alone can lengths be measured, knowing distances?",
    lambda rng: (lambda X: _near(np.diag(_gram(_distances(X))), (X**2).sum(axis=1)))(_points(rng)),
)
euclidean.fails(
    "forgot_that_lengths_are_squared",
    "If all distances are doubled, $G$ is doubled.",
    "Which power of the distances enters the formula of double centring?",
    lambda rng: (lambda D: _near(_gram(2 * D), 2 * _gram(D)))(_distances(_points(rng))),
)

strain_share = question.predict(
    "The strain of a truncated map",
    r"Double centring gave a matrix with the eigenvalues ${{ spectrum }}$. The map keeps the first "
    "${{ n_components }}$ of them. How large is the strain, the squared Frobenius distance that is left?",
    of=truncation,
    among={
        chose_by_absolute_value: "The map keeps the largest eigenvalues by value. A negative one is never kept, "
        "however large its size: no real coordinate expresses it.",
        left_the_negative_out_of_the_strain: "The strain is what the map misses of the whole matrix, and the negative "
        "eigenvalue is part of that.",
        took_the_root_of_the_strain: "This is the norm of what is left. The strain is its square.",
    },
    part=0,
    see="eq-classical-mds-residual",
)
share_of_squares = question.predict(
    "How much of the matrix a map shows",
    r"The eigenvalues of the doubly centred matrix are ${{ spectrum }}$, and the map keeps the first "
    r"${{ n_components }}$. Which share of the sum of *squares* of the eigenvalues does the map show?",
    of=truncation,
    among={
        took_the_share_of_variance: "This is a share of the sum of the eigenvalues, the rule of PCA. Here they are "
        "squared.",
        gave_the_lost_share: "This is the share that the map misses.",
        chose_by_absolute_value: "The map keeps the largest eigenvalues by value. A negative one is never kept, "
        "however large its size: no real coordinate expresses it.",
    },
    part=1,
    see="thm-classical-mds-truncation",
)

centring = question.proof(
    "Why double centring works",
    r"Let $d_{ij}=\|x_i-x_j\|$ with $\sum_ix_i=0$, and $G_{ij}=x_i^\top x_j$. Put the steps that prove "
    r"$G=-\tfrac12JD^{(2)}J$ in order. Here $D^{(2)}$ has the entries $d_{ij}^2$ and "
    r"$J=I-\tfrac1N\mathbf 1\mathbf 1^\top$.",
    see="thm-classical-mds-gram",
)


def _centred(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    X = _points(rng)
    X = X - X.mean(axis=0)
    return X @ X.T, np.diag(X @ X.T), np.eye(len(X)) - 1 / len(X)


centring.step(
    "expand",
    r"Expand the square: $d_{ij}^2=g_i+g_j-2G_{ij}$ with $g_i=\|x_i\|^2$, that is, "
    r"$D^{(2)}=g\mathbf 1^\top+\mathbf 1g^\top-2G$.",
)
centring.step(
    "kill",
    r"Because $J\mathbf 1=0$, multiplying by $J$ from both sides removes $g\mathbf 1^\top$ and $\mathbf 1g^\top$: "
    r"$JD^{(2)}J=-2JGJ$.",
    after=("expand",),
    true=lambda rng: (lambda G, g, J: _near(J @ (g[:, None] + g - 2 * G) @ J, -2 * J @ G @ J))(
        *_centred(rng)
    ),
)
centring.step(
    "centred",
    r"The rows of $X$ sum to zero, so $JX=X$ and $JGJ=JXX^\top J=G$.",
    true=lambda rng: (lambda G, g, J: _near(J @ G @ J, G))(*_centred(rng)),
)
centring.step(
    "divide", r"Put both together and divide by $-2$: $-\tfrac12JD^{(2)}J=G$.", after=("kill", "centred")
)
centring.wrong_step(
    r"Because $J\mathbf 1=\mathbf 1$, multiplying by $J$ from both sides leaves $g\mathbf 1^\top$ and "
    r"$\mathbf 1g^\top$ as they are.",
    "$J$ subtracts the mean. What is left of a vector of ones?",
    false=lambda rng: (lambda G, g, J: _near(J @ np.ones(len(J)), 1))(*_centred(rng)),
    name="kept_the_ones",
)
centring.wrong_step(
    r"Expand the square: $d_{ij}^2=g_i+g_j-G_{ij}$ with $g_i=\|x_i\|^2$.",
    "The mixed term of a square occurs twice.",
    false=lambda rng: (
        lambda G, g, J: _near(g[:, None] + g - G, _distances(np.linalg.cholesky(G + np.eye(6))))
    )(*_centred(rng)),
    name="counted_the_mixed_term_once",
)


@question.order(
    "The strain of a map",
    "A function `lost(D, Y)` shall return the sum of squared differences between the doubly centred matrix of the "
    "distances `D` and the inner products of a centred map `Y`. Choose the four lines of its body and order them.",
    see="eq-classical-mds-strain",
)
def lost(D: Array, Y: Array) -> float:
    """The strain of any map."""
    J = np.eye(len(D)) - 1 / len(D)
    G = -0.5 * J @ D**2 @ J
    products = Y @ Y.T
    return np.sum((G - products) ** 2)


@lost.draw
def draw_lost(rng: np.random.Generator) -> Cases:
    """Maps that are not perfect."""
    X = _points(rng)
    return {"a map in the plane": {"D": _distances(X), "Y": (X - X.mean(axis=0))[:, :2] * 1.1}}


lost.wrong_line(
    "G = -0.5 * J @ D @ J", "Inner products come from *squared* distances.", name="forgot_to_square"
)
lost.wrong_line(
    "J = np.eye(len(D)) - 1", "A mean divides by the number of points.", name="forgot_the_divisor"
)
lost.wrong_line(
    "products = Y.T @ Y",
    "This matrix has a row for each coordinate. One for each point is needed.",
    name="took_the_scatter",
)


@question.fault(
    "Distances of a map",
    "The function shall return the matrix of Euclidean distances between the rows of `X`.",
    see="eq-classical-mds-euclidean",
)
def distances_of(X):
    """Root of summed squares."""
    differences = X[:, None] - X[None]
    return np.sqrt(np.sum(differences**2, axis=2))


@distances_of.shown("In how many coordinates do two points of each test differ?")
def city_blocks(X):
    """The sum of absolute differences."""
    differences = X[:, None] - X[None]
    return np.sum(np.abs(differences), axis=2)


@distances_of.valid
def some_points(X):
    """Any table."""
    return None


distances_of.passes(
    {"X": np.array([[0.0, 0], [3, 0]])},
    {"X": np.array([[1.0], [5], [2]])},
    {"X": np.array([[2.0, 2], [2, -1]])},
)
distances_of.hides(
    {"X": np.array([[0.0, 1, 0], [0, 4, 0]])},
    {"X": np.array([[1.0, 1], [1, 1]])},
    {"X": np.array([[7.0, 0], [-7, 0]])},
)
distances_of.reveals({"X": np.array([[0.0, 0], [3, 4]])}, {"X": np.array([[1.0, 2], [2, 1]])})


@question.fault(
    "Is it a distance matrix?",
    "`D` holds three numbers that were measured as distances between three points. The function shall return 1 if "
    "three points of a plane can have these distances, and 0 otherwise.",
    see="thm-classical-mds-three-points",
)
def is_a_triangle(D):
    """All three triangle inequalities."""
    a, b, c = D[0, 1], D[1, 2], D[0, 2]
    return int(max(a, b, c) <= a + b + c - max(a, b, c))


@is_a_triangle.shown(
    "Which of the three sides is the longest in the tests? The inequality must hold for each."
)
def tested_one_inequality(D):
    """One inequality only."""
    a, b, c = D[0, 1], D[1, 2], D[0, 2]
    return int(c <= a + b)


@is_a_triangle.valid
def are_distances(D):
    """Symmetric, three points, zeros on the diagonal."""
    if D.shape != (3, 3) or not np.array_equal(D, D.T):
        return "D must be a symmetric table of three rows"
    return None if np.all(np.diag(D) == 0) and np.all(D >= 0) else "no distance is negative, and D[i, i] is 0"


is_a_triangle.passes(
    {"D": np.array([[0.0, 3, 5], [3, 0, 4], [5, 4, 0]])},
    {"D": np.array([[0.0, 1, 5], [1, 0, 1], [5, 1, 0]])},
    {"D": np.array([[0.0, 2, 2], [2, 0, 2], [2, 2, 0]])},
)
is_a_triangle.hides(
    {"D": np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])}, {"D": np.array([[0.0, 2, 9], [2, 0, 3], [9, 3, 0]])}
)
is_a_triangle.reveals(
    {"D": np.array([[0.0, 9, 2], [9, 0, 3], [2, 3, 0]])}, {"D": np.array([[0.0, 1, 1], [1, 0, 5], [1, 5, 0]])}
)
