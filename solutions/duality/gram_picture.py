"""Task `gram_picture`: draw the Gram matrix of handwritten digits, and read two groups and a rank off the picture."""

import numpy as np

from autograder.authoring import task
from dimred_ref.datasets import digits
from solutions.numbers import Array, one_of

Answer = tuple[int, int]
PAIRS = ((1, 0), (0, 7), (6, 7), (3, 4), (2, 4))
SIZES = ((3, 6), (4, 6), (4, 7), (3, 7), (4, 8))
POSITIVE = 1e-9  # of the largest eigenvalue: a smaller one is a rounding error


def _gram(X: Array) -> Array:
    centred = X - X.mean(axis=0)
    return np.asarray(centred @ centred.T)


def _has_blocks(G: Array, first: int) -> bool:
    """Are all products within a block positive, and all between the blocks negative?"""
    is_first = np.arange(len(G)) < first
    return bool(np.all((G > 0) == np.equal.outer(is_first, is_first)))


@task.hand(
    points=2,
    minutes=12,
    see="thm-duality-spectra",
    parts=("pictures in the first block", "positive eigenvalues"),
    may_agree=(
        ("X", "grey values are small whole numbers"),
        ("counted_the_second_block", "counts are small whole numbers"),
    ),
    by_looking=True,
)
def gram_picture(X: Array) -> Answer:
    """The size of the first block of G, and the number of its positive eigenvalues (thm-duality-spectra)."""
    G = _gram(X)
    values = np.linalg.eigvalsh(G)
    return int(np.sum(G[0] > 0)), int(np.sum(values > POSITIVE * values[-1]))


@gram_picture.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Pictures of one digit, then of another, whose centred products have the signs of the two blocks."""
    every = digits()
    while True:
        pair, sizes = one_of(rng, PAIRS), one_of(rng, SIZES)
        chosen = [
            rng.choice(np.flatnonzero(every.labels == digit), size, replace=False)
            for digit, size in zip(pair, sizes, strict=True)
        ]
        order = rng.permutation(2)
        X = every.X[np.concatenate([chosen[place] for place in order])]
        if _has_blocks(_gram(X), sizes[order[0]]):
            return {"the pictures of the table": {"X": X}}


@gram_picture.ill_posed
def _is_unclear(X: Array) -> str | None:
    """Say so if the first scores do not tell the two blocks."""
    return None if by_the_first_eigenvector(X) == gram_picture(X) else "the first scores mix the two digits"


@gram_picture.wrong(
    "The block is right. Centred samples add up to zero, which makes one more eigenvalue zero: did you subtract the "
    "mean, and look at the smallest eigenvalue beside the largest?",
    credit=0.5,
)
def counted_without_centring(X: Array) -> Answer:
    """XXᵀ has one positive eigenvalue more."""
    first, _ = gram_picture(X)
    return first, len(X)


@gram_picture.wrong(
    "The block is right. G has a row for each picture and not for each pixel, and so few pictures cannot have so many "
    "positive eigenvalues.",
    credit=0.5,
)
def counted_the_pixels(X: Array) -> Answer:
    """All 64 eigenvalues of the scatter matrix."""
    first, _ = gram_picture(X)
    return first, X.shape[1]


@gram_picture.wrong(
    "The eigenvalues are right. You gave the last row of the first block, counted from 0; the number of its pictures "
    "is one more.",
    see="eq-duality-gram",
    credit=0.5,
)
def gave_the_last_of_the_first_block(X: Array) -> Answer:
    """The row before the border."""
    first, positive = gram_picture(X)
    return first - 1, positive


@gram_picture.wrong(
    "The eigenvalues are right. You counted the second block.", see="eq-duality-gram", credit=0.5
)
def counted_the_second_block(X: Array) -> Answer:
    """The other digit."""
    first, positive = gram_picture(X)
    return len(X) - first, positive


@gram_picture.also
def by_the_first_eigenvector(X: Array) -> Answer:
    """The signs of the first scores tell the blocks, the rank of the centred table the eigenvalues."""
    centred = X - X.mean(axis=0)
    U, sigma, _ = np.linalg.svd(centred, full_matrices=False)
    return int(np.sum(U[:, 0] * U[0, 0] > 0)), int(np.sum(sigma > 1e-6 * sigma[0]))
