"""Task `penguin_map`: draw the scores of real penguins, and read groups and a mixed-up record off the picture."""

import numpy as np

from autograder.authoring import task
from dimred_ref.datasets import penguins
from dimred_ref.pca import pca
from dimred_ref.practice import standardisation
from solutions.numbers import Array, one_of

Answer = tuple[int, int]
APART = 1.7  # how many times as far as any other bird from its neighbour the mixed-up record lies
GAP = 0.6  # between a group and the mixed-up record, along the first axis
SIZES = ((6, 12), (7, 11), (8, 11), (7, 13), (6, 10), (8, 13))


def _is_clear(X: Array, mixed: Array, smaller: int) -> bool:
    """Can everyone see the two groups, and the mixed-up record between them?"""
    scores = _scores(X)
    row = int(np.flatnonzero((mixed == X).all(axis=1))[0])
    isolation = np.sort(_nearest(scores))
    along = np.delete(np.abs(scores[:, 0] - scores[row, 0]), row)
    is_apart = isolation[-1] > APART * isolation[-2] and along.min() > GAP
    return bool(is_apart) and row > 0 and penguin_map(X) == (smaller, row)


def _scores(X: Array) -> Array:
    """The first two scores of the standardised table."""
    return pca(standardisation(X).embedding, 2).embedding


def _nearest(points: Array) -> Array:
    """The distance of each point to its nearest neighbour."""
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return distances.min(axis=1)


def _read_off(points: Array) -> Answer:
    """The size of the smaller group, and the row of the bird that stands alone between the two."""
    alone = int(np.argmax(_nearest(points)))
    right = int(np.sum(points[:, 0] > points[alone, 0]))
    return min(right, len(points) - 1 - right), alone


@task.hand(
    points=2,
    minutes=12,
    see="sec-practice-scores",
    parts=("birds in the smaller group", "row of the mixed-up record"),
    by_looking=True,
)
def penguin_map(X: Array) -> Answer:
    """Two clouds in the plane of the first two scores, and one point between them (sec-practice-scaling)."""
    return _read_off(_scores(X))


@penguin_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Birds of two species, and one record with the bill of one species and the body of the other."""
    birds = penguins()
    small, heavy = (
        birds.X[birds.species == birds.species_names.index(name)] for name in ("Adelie", "Gentoo")
    )
    while True:
        sizes = rng.permutation(one_of(rng, SIZES))
        groups = [group[rng.permutation(len(group))] for group in (small, heavy)]
        mixed = np.append(groups[0][-1][:2], groups[1][-1][2:])
        X = np.vstack([groups[0][: sizes[0]], groups[1][: sizes[1]], mixed])[rng.permutation(sum(sizes) + 1)]
        if _is_clear(X, mixed, min(sizes)):
            return {"the birds of the table": {"X": X}}


@penguin_map.wrong(
    "This is what the picture of the raw table shows: its first axis is body mass, as grams are small. Standardise "
    "the features first.",
    see="eq-practice-standardised",
)
def kept_the_units(X: Array) -> Answer:
    """The picture of the raw table: body mass in grams, and hardly anything else."""
    return _read_off(pca(X, 2).embedding)


@penguin_map.wrong("The group is right. Rows count from 0 here, as NumPy does.", credit=0.5)
def counted_rows_from_one(X: Array) -> Answer:
    """The first row has number 1."""
    smaller, row = penguin_map(X)
    return smaller, row + 1


@penguin_map.wrong("The row is right. You counted the larger of the two groups.", credit=0.5)
def counted_the_larger_group(X: Array) -> Answer:
    """The other cloud."""
    smaller, row = penguin_map(X)
    return len(X) - 1 - smaller, row


@penguin_map.wrong(
    "The row is right. You counted the mixed-up record in, which belongs to neither group.", credit=0.5
)
def counted_the_mixed_up_bird_in(X: Array) -> Answer:
    """It belongs to neither group."""
    smaller, row = penguin_map(X)
    return smaller + 1, row


@penguin_map.wrong(
    "The group is right. This bird lies far out, but beside others of its kind. The mixed-up record lies alone, "
    "between the two groups.",
    see="sec-practice-outliers",
    credit=0.5,
)
def took_the_bird_farthest_out(X: Array) -> Answer:
    """The largest distance from the mean in the picture."""
    smaller, _ = penguin_map(X)
    return smaller, int(np.argmax(np.linalg.norm(_scores(X), axis=1)))


@penguin_map.also
def by_svd(X: Array) -> Answer:
    """The same picture from a singular value decomposition."""
    Y = (X - X.mean(axis=0)) / X.std(axis=0)
    U, sigma, _ = np.linalg.svd(Y, full_matrices=False)
    return _read_off(U[:, :2] * sigma[:2])
