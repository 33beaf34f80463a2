"""Task `dimensions`: the dimensions of the four subspaces of a wide matrix, from its singular values."""

import numpy as np

from autograder.authoring import task
from dimred_ref.svd import four_subspaces
from solutions.numbers import Array, one_of
from solutions.steps import Worked, steps

# (rows, columns, rank): wide, with vanishing singular values, and all counts that a slip gives different
SIZES = ((5, 7, 3), (5, 8, 3), (6, 9, 4), (5, 8, 2), (7, 9, 4), (7, 10, 4), (6, 10, 4), (7, 9, 5), (5, 9, 3))


@task.hand(
    points=1,
    minutes=5,
    see="thm-svd-subspaces",
    parts=("the column space", "the left null space", "the row space", "the null space"),
)
def dimensions(m: int, n: int, singular_values: Array) -> list[int]:
    """r, m − r, r, n − r (eq-svd-subspaces)."""
    A = np.zeros((m, n))
    np.fill_diagonal(A, singular_values)
    spaces = four_subspaces(A)
    bases = (spaces.column_space, spaces.left_null_space, spaces.row_space, spaces.null_space)
    return [basis.shape[1] for basis in bases]


@dimensions.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A list of singular values with zeros at its end."""
    m, n, rank = one_of(rng, SIZES)
    sigma = np.append(np.sort(rng.choice(np.arange(2, 21), size=rank - 1, replace=False))[::-1], 1)
    values = np.concatenate([sigma, np.zeros(m - rank)])
    return {"the numbers of the text": {"m": m, "n": n, "singular_values": values}}


@dimensions.wrong(
    "Three are right. For the null space you counted zeros in the list, but the list is shorter than the number of "
    "vectors v: which vectors have no singular value at all?",
    see="eq-svd-subspaces",
    credit=0.5,
)
def counted_only_vanishing_values(m: int, n: int, singular_values: Array) -> list[int]:
    """The nullity as the number of zeros in the list."""
    r, zeros = np.count_nonzero(singular_values), np.count_nonzero(singular_values == 0)
    return [int(r), int(m - r), int(r), int(zeros)]


@dimensions.wrong(
    "The right numbers, two of them in each other's place. In which of the two spaces does a solution of Ax = 0 live?",
    see="eq-svd-subspaces",
    credit=0.5,
)
def swapped_the_null_spaces(m: int, n: int, singular_values: Array) -> list[int]:
    """n − r for the left null space and m − r for the null space."""
    r, left, row, null = dimensions(m, n, singular_values)
    return [r, null, row, left]


@dimensions.wrong(
    "A direction that is stretched by the factor zero does not reach anywhere. Count again what makes up the rank."
)
def counted_every_value_as_rank(m: int, n: int, singular_values: Array) -> list[int]:
    """The rank as the length of the list."""
    return [m, 0, m, n - m]


@dimensions.wrong(
    "One of the four is the dimension of the whole space in which it lies. How do the dimensions of row space and "
    "column space compare?",
    credit=0.5,
)
def gave_the_whole_spaces(m: int, n: int, singular_values: Array) -> list[int]:
    """The row space as all that the null space leaves of the number of rows."""
    r, left, _, null = dimensions(m, n, singular_values)
    return [r, left, n, null]


@dimensions.wrong(
    "Both null spaces are right. Column space and row space are not the spaces in which they lie: add each to its "
    "null space and compare with the number of rows and of columns.",
    credit=0.5,
)
def took_rows_and_columns_for_spaces(m: int, n: int, singular_values: Array) -> list[int]:
    """m and n for column space and row space."""
    _, left, _, null = dimensions(m, n, singular_values)
    return [m, left, n, null]


@dimensions.wrong(
    "The rank is one too small: a singular value that is small, but not zero, stretches a direction and counts."
)
def took_the_smallest_for_zero(m: int, n: int, singular_values: Array) -> list[int]:
    """One positive singular value too few."""
    r, left, row, null = dimensions(m, n, singular_values)
    return [r - 1, left + 1, row - 1, null + 1]


@dimensions.also
def by_counting(m: int, n: int, singular_values: Array) -> list[int]:
    """Count what is not zero and subtract."""
    rank = sum(1 for value in singular_values if value > 0)
    return [rank, m - rank, rank, n - rank]


@dimensions.worked
def worked(m: int, n: int, singular_values: Array) -> Worked:
    """The rank, and what is left on either side."""
    rank = int(np.count_nonzero(singular_values))
    return steps(
        rf"The rank is the number of singular values that are not zero: $r={rank}$.",
        rf"Column space and row space have the dimension $r={rank}$.",
        rf"The left null space fills the rest of $\R^{{{m}}}$: ${m}-{rank}={m - rank}$; the null space the rest of "
        rf"$\R^{{{n}}}$: ${n}-{rank}={n - rank}$.",
    ), [rank, m - rank, rank, n - rank]
