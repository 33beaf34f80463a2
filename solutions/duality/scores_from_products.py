"""Task `scores_from_products`: PCA scores of samples of which only the inner products are known."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.duality import dual_pca_from_gram
from solutions.duality.numbers import centred_products, close_values, top_pairs
from solutions.numbers import Array, cloud


def draw(rng: np.random.Generator) -> Cases:
    """Products of samples near to and far from the origin, tall and wide, one component and several."""
    near = cloud(rng, 7, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))
    far = cloud(rng, 5, (7.0, 2.0, 0.6, 0.2, 0.0, 0.0), (3.0, -9.0, 8.0, 5.0, 4.0, 1.0))
    line = cloud(rng, 4, (5.0, 1.0), (-2.0, 6.0))
    return {
        "seven samples": {"H": _products(near), "n_components": 2},
        "samples far from the origin": {"H": _products(far), "n_components": 3},
        "four samples, one component": {"H": _products(line), "n_components": 1},
    }


def _products(X: Array) -> Array:
    return np.round(X @ X.T, 4)


def hard(rng: np.random.Generator) -> Cases:
    """Two samples, whole numbers, other units, products that are centred already."""
    X = cloud(rng, 6, (6.0, 2.5, 0.8), (4.0, 1.5, -2.0))
    centred = X - X.mean(axis=0)
    return {
        "two samples": {"H": np.array([[5.0, -1.0], [-1.0, 10.0]]), "n_components": 1},
        "an integer table": {"H": np.array([[9, 3, 0], [3, 17, 4], [0, 4, 5]]), "n_components": 2},
        "small units": {"H": X @ X.T * 1e-6, "n_components": 2},
        "large units": {"H": X @ X.T * 1e6, "n_components": 2},
        "centred already": {"H": centred @ centred.T, "n_components": 3},
    }


def answer(H: Array, n_components: int) -> Array:
    """σⱼuⱼ of G = JHJ (eq-duality-scores)."""
    G = centred_products(np.asarray(H, dtype=float))
    return dual_pca_from_gram((G + G.T) / 2, n_components).embedding


def is_ill_posed(H: Array, n_components: int) -> str | None:
    """Equal eigenvalues would leave a rotation free."""
    return close_values(centred_products(H), n_components)


def _scaled(G: Array, n_components: int) -> Array:
    squares, U = top_pairs(G, n_components)
    return U * np.sqrt(np.abs(squares))


def forgot_to_centre(H: Array, n_components: int) -> Array:
    """The eigenvectors of H itself."""
    return _scaled(H, n_components)


def subtracted_one_number(H: Array, n_components: int) -> Array:
    """The mean of all products only."""
    return _scaled(H - H.mean(), n_components)


def left_unit_vectors(H: Array, n_components: int) -> Array:
    """uⱼ."""
    return top_pairs(centred_products(H), n_components)[1]


def multiplied_by_the_square(H: Array, n_components: int) -> Array:
    """σⱼ²uⱼ."""
    squares, U = top_pairs(centred_products(H), n_components)
    return U * squares


def gave_the_recipe(H: Array, n_components: int) -> Array:
    """uⱼ/σⱼ."""
    squares, U = top_pairs(centred_products(H), n_components)
    return U / np.sqrt(squares)


def by_the_centring_matrix(H: Array, n_components: int) -> Array:
    """G = JHJ with J written out."""
    N = len(H)
    J = np.eye(N) - np.ones((N, N)) / N
    squares, U = np.linalg.eigh(J @ H @ J)
    order = np.argsort(squares)[::-1][:n_components]
    return U[:, order] * np.sqrt(squares[order])


def by_svd(H: Array, n_components: int) -> Array:
    """For a semidefinite matrix singular values are eigenvalues."""
    G = H - H.mean(axis=0)
    G = G - G.mean(axis=1, keepdims=True)
    U, squares, _ = np.linalg.svd(G)
    return U[:, :n_components] * squares[:n_components] ** 0.5


scores_from_products = Task(
    kind="code",
    points=2,
    minutes=12,
    draw=draw,
    hard=hard,
    answer=answer,
    see="thm-duality-raw-products",
    same=up_to_column_signs,
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="The columns of your scores do not average to zero: H was taken as it is, with products about "
            "the origin.",
            see="eq-duality-centring",
        ),
        Misconception(
            subtracted_one_number,
            hint="One number was subtracted from all products. After centring every row and every column of "
            "the table sums to zero.",
            see="eq-duality-centring",
        ),
        Misconception(
            left_unit_vectors,
            hint="Your columns all have length one, as if every component had the same variance.",
            see="eq-duality-scores",
        ),
        Misconception(
            multiplied_by_the_square,
            hint="Your columns are right up to their lengths, which are the squares of what they should be.",
            see="eq-duality-scores",
        ),
        Misconception(
            gave_the_recipe,
            hint="These are the weights with which samples are mixed into a direction. Scores grow with the "
            "spread, weights shrink.",
            see="eq-duality-coefficients",
        ),
    ),
    alternatives=(by_the_centring_matrix, by_svd),
    ill_posed=is_ill_posed,
    picture="points",
)
