"""Task `place_new`: scores of new points of which only inner products with the samples are known."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.duality import dual_pca_from_gram
from solutions.duality.numbers import centred_products, close_values, top_pairs
from solutions.numbers import Array, cloud


@task.code(points=3, minutes=15, see="eq-duality-new-point", same=up_to_column_signs)
def place_new(H: Array, h: Array, n_components: int) -> Array:
    """zⱼ = uⱼᵀg/σⱼ (eq-duality-new-point)."""
    G = centred_products(np.asarray(H, dtype=float))
    return _centred_new(H, h) @ dual_pca_from_gram((G + G.T) / 2, n_components).coefficients


@place_new.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Several new points, new points far away, and one new point."""
    near = cloud(rng, 8, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))
    far = cloud(rng, 6, (7.0, 2.0, 0.6, 0.2, 0.0, 0.0), (3.0, -5.0, 4.0, 5.0, 4.0, 1.0))
    flat = cloud(rng, 5, (5.0, 1.0), (-2.0, 4.0))
    return {
        "three new points": _situation(near, rng.integers(-6, 7, size=(3, 3)), 2),
        "new points far away": _situation(far, 15 + rng.integers(-6, 7, size=(4, 6)), 3),
        "one new point, in small units": _situation(
            flat * 1e-4, np.round(flat[:1] + rng.uniform(1, 3, size=(1, 2)), 1) * 1e-4, 1
        ),
    }


def _situation(X: Array, new: Array, n_components: int) -> dict[str, object]:
    return {"H": np.round(X @ X.T, 12), "h": np.round(new @ X.T, 12), "n_components": n_components}


@place_new.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """A sample as new point, as many new points as samples, other units, whole numbers."""
    X = cloud(rng, 6, (6.0, 2.5, 0.8), (4.0, 1.5, -2.0))
    new = rng.normal(size=(6, 3)) * 4
    return {
        "a sample": {"H": X @ X.T, "h": X[1:2] @ X.T, "n_components": 2},
        "as many as samples": {"H": X @ X.T, "h": new @ X.T, "n_components": 2},
        "small units": {"H": X @ X.T * 1e-6, "h": new[:2] @ X.T * 1e-6, "n_components": 2},
        "whole numbers": {
            "H": np.array([[9, 3, 0], [3, 17, 4], [0, 4, 5]]),
            "h": np.array([[2, 5, 1], [4, -3, 2]]),
            "n_components": 2,
        },
    }


def _centred_new(H: Array, h: Array) -> Array:
    return h - h.mean(axis=1, keepdims=True) - H.mean(axis=1) + H.mean()


@place_new.ill_posed
def is_ill_posed(H: Array, h: Array, n_components: int) -> str | None:
    """Equal eigenvalues would leave a rotation free."""
    return close_values(centred_products(H), n_components)


def _pairs(H: Array, n_components: int) -> tuple[Array, Array]:
    squares, U = top_pairs(centred_products(H), n_components)
    return np.sqrt(squares), U


@place_new.wrong(
    "The directions are right. The inner products of a new point are about the origin as they are given; scores are "
    "measured from the mean of the samples.",
    see="eq-duality-new-products",
)
def left_the_products_uncentred(H: Array, h: Array, n_components: int) -> Array:
    """g = h, with mean and all."""
    sigma, U = _pairs(H, n_components)
    return h @ U / sigma


@place_new.wrong(
    "Your new points average to zero among themselves. They should be judged by the mean of the samples that were "
    "there before.",
    see="eq-duality-new-products",
)
def centred_among_the_new(H: Array, h: Array, n_components: int) -> Array:
    """The means of the new products in the place of those of the old."""
    sigma, U = _pairs(H, n_components)
    return np.round(
        centred_products(h) @ U / sigma, 9
    )  # one new point is its own mean: only rounding is left


@place_new.wrong(
    "Everything is taken about the origin here, the samples as well as the new points.",
    see="eq-duality-centring",
)
def did_not_centre_at_all(H: Array, h: Array, n_components: int) -> Array:
    """Everything about the origin."""
    squares, U = top_pairs(H, n_components)
    return h @ U / np.sqrt(squares)


@place_new.wrong(
    "Your columns are right up to a factor for each: you took products with a unit eigenvector of G, and its image in "
    "the space of features is not a unit vector.",
)
def forgot_to_divide_by_sigma(H: Array, h: Array, n_components: int) -> Array:
    """uⱼᵀg."""
    return _centred_new(H, h) @ _pairs(H, n_components)[1]


@place_new.wrong("Your columns are right up to a factor for each: they were divided once too often.")
def divided_by_the_square(H: Array, h: Array, n_components: int) -> Array:
    """uⱼᵀg/σⱼ²."""
    sigma, U = _pairs(H, n_components)
    return _centred_new(H, h) @ U / sigma**2


@place_new.wrong(
    "Your columns are right up to a factor for each: the scores of the samples stand where their weights in the "
    "direction belong.",
    see="eq-duality-coefficients",
)
def multiplied_by_sigma(H: Array, h: Array, n_components: int) -> Array:
    """σⱼuⱼᵀg, as if the scores of the samples were the recipe."""
    sigma, U = _pairs(H, n_components)
    return _centred_new(H, h) @ U * sigma


@place_new.wrong(
    "The products of the new points are centred, those of the samples are not: the axes are those about the origin.",
    see="eq-duality-new-products",
)
def centred_the_new_products_only(H: Array, h: Array, n_components: int) -> Array:
    """Eigenvectors of H as it is."""
    squares, U = top_pairs(H, n_components)
    return _centred_new(H, h) @ U / np.sqrt(squares)


@place_new.also
def by_the_centring_matrix(H: Array, h: Array, n_components: int) -> Array:
    """g = (h − mean row of H) J."""
    N = len(H)
    J = np.eye(N) - np.ones((N, N)) / N
    squares, U = np.linalg.eigh(J @ H @ J)
    order = np.argsort(-squares)[:n_components]
    return (h - H.mean(axis=0)) @ J @ (U[:, order] / np.sqrt(squares[order]))


@place_new.also
def without_the_constants(H: Array, h: Array, n_components: int) -> Array:
    """What is the same for all samples meets weights that sum to zero."""
    G = H - H.mean(axis=0) - H.mean(axis=1)[:, None] + H.mean()
    squares, U = np.linalg.eigh(G)
    sigma = np.sqrt(squares[::-1][:n_components])
    return (h - H.mean(axis=1)) @ U[:, ::-1][:, :n_components] / sigma
