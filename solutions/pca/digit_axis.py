"""Task `digit_axis`: draw the first principal axis of handwritten digits as a picture, and read it."""

import numpy as np

from autograder.authoring import task
from dimred_ref.datasets import digits
from dimred_ref.pca import pca
from solutions.numbers import Array, one_of

Answer = tuple[int, int, int]
SIDE = 8
N_PICTURES = 16
SHARE = 0.8
CLEAR = 1.15  # how many times as strong as any other the strongest pixel is
BESIDE = 0.015  # how far every cumulative share lies from the one that is asked for
PAIRS = ((0, 1), (0, 4), (0, 7), (1, 7), (2, 7), (3, 4), (3, 6), (4, 6), (5, 0), (6, 7))


def _is_clear(X: Array) -> bool:
    """Can everyone see the strongest pixel, and when the sum passes the share? Does no mistake hit a part by luck?"""
    weights = np.sort(np.abs(pca(X, 1).axes[:, 0]))
    if weights[-1] < CLEAR * weights[-2] or np.abs(_shares(X) - SHARE).min() < BESIDE:
        return False
    row, column, count = digit_axis(X)
    mean_row, mean_column, _ = looked_at_the_mean(X)
    without_centring = zip(digit_axis(X), forgot_to_centre(X), strict=True)
    return (
        abs(row - column) > 1
        and row != mean_row
        and column != mean_column
        and added_deviations(X)[2] != count
        and all(right != wrong for right, wrong in without_centring)
    )


def _shares(X: Array) -> Array:
    """The share of the variance in the first d components, for each d."""
    return np.cumsum(pca(X, N_PICTURES - 1).explained_variance_ratio)


def _place(weights: Array) -> tuple[int, int]:
    """Row and column of the strongest pixel."""
    row, column = np.divmod(int(np.argmax(np.abs(weights))), SIDE)
    return int(row), int(column)


def _count(shares: Array) -> int:
    return int(np.sum(shares < SHARE)) + 1


@task.hand(
    points=2,
    minutes=12,
    see="thm-pca-first-direction",
    parts=("row of the pixel", "column of the pixel", "number of components"),
    may_agree=(
        ("answer", "row, column and number are small whole numbers"),
        ("X", "grey values are small whole numbers, too"),
        ("forgot_to_centre", "small whole numbers"),
        ("exchanged_row_and_column", "small whole numbers"),
        ("counted_pixels_from_one", "small whole numbers"),
        ("looked_at_the_mean", "small whole numbers"),
        ("added_deviations", "small whole numbers"),
        ("counted_those_below", "small whole numbers"),
    ),
    by_looking=True,
)
def digit_axis(X: Array) -> Answer:
    """The strongest pixel of the first axis, and the number of components for the share (thm-pca-first-direction)."""
    return (*_place(pca(X, 1).axes[:, 0]), _count(_shares(X)))


@digit_axis.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Sixteen pictures of two digits, of which the first axis has one strongest pixel."""
    every = digits()
    while True:
        pair = one_of(rng, PAIRS)
        rows = np.concatenate([rng.choice(np.flatnonzero(every.labels == digit), 8, False) for digit in pair])
        X = every.X[rng.permutation(rows)]
        if _is_clear(X):
            return {"the pictures of the table": {"X": X}}


@digit_axis.wrong(
    "Your first axis looks like the mean of all pictures: the table was not centred.", see="sec-pca-unit"
)
def forgot_to_centre(X: Array) -> Answer:
    """The first right singular vector of X, and shares of the sum of squares."""
    _, sigma, Vt = np.linalg.svd(X, full_matrices=False)
    return (*_place(Vt[0]), _count(np.cumsum(sigma**2) / np.sum(sigma**2)))


@digit_axis.wrong(
    "Row and column have changed places: the row says how far down the pixel lies, the column how far to the right.",
    credit=1 / 3,
)
def exchanged_row_and_column(X: Array) -> Answer:
    """Across first, then down."""
    row, column, count = digit_axis(X)
    return column, row, count


@digit_axis.wrong("The pixel is right, but rows and columns count from 0 here.", credit=1 / 3)
def counted_pixels_from_one(X: Array) -> Answer:
    """The first row and the first column have number 1."""
    row, column, count = digit_axis(X)
    return row + 1, column + 1, count


@digit_axis.wrong(
    "This is the darkest pixel of the mean. The axis shows where the pictures differ from their mean.",
    credit=1 / 3,
)
def looked_at_the_mean(X: Array) -> Answer:
    """The darkest pixel of the mean picture."""
    return (*_place(X.mean(axis=0)), digit_axis(X)[2])


@digit_axis.wrong(
    "The pixel is right. You added singular values; shares of variance are shares of their squares.",
    see="eq-pca-captured",
    credit=2 / 3,
)
def added_deviations(X: Array) -> Answer:
    """Shares of singular values, not of their squares."""
    sigma = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    return (*digit_axis(X)[:2], _count(np.cumsum(sigma) / np.sum(sigma)))


@digit_axis.wrong(
    "The pixel is right. Your components do not reach the share yet: it takes one more.",
    see="eq-pca-captured",
    credit=2 / 3,
)
def counted_those_below(X: Array) -> Answer:
    """The components that do not yet reach the share."""
    row, column, count = digit_axis(X)
    return row, column, count - 1


@digit_axis.also
def by_covariance(X: Array) -> Answer:
    """Axis and variances from the 64 × 64 covariance."""
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / len(X))
    return (*_place(vectors[:, -1]), _count(np.cumsum(values[::-1]) / np.sum(values)))
