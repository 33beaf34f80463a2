"""Tests of situations that the text of a task announces, such as a table in a tiny unit.

A task names the words, the case that has the situation, and the test: `task.announces(…)`.
`tests/tasks/test_announced.py` reads every text for sentences that announce a situation and have none.
"""

from typing import Any

import numpy as np

from solutions.numbers import Array

TINY = 1e-5  # above all numbers of a table in a huge unit
HUGE = 1e5  # below the largest number of a table in a tiny unit


def has_tiny_numbers(*inputs: Any) -> bool:
    """Are all numbers of the first input tiny, as in a huge unit?"""
    return bool(np.abs(inputs[0]).max() < TINY)


def has_huge_numbers(*inputs: Any) -> bool:
    """Has the first input huge numbers, as in a tiny unit?"""
    return bool(np.abs(inputs[0]).max() > HUGE)


def has_equal_rows(X: Array, *others: Any) -> bool:
    """Does a row of the table occur twice?"""
    return len(np.unique(X, axis=0)) < len(X)


def is_wide(A: Array, *others: Any) -> bool:
    """Has the matrix more columns than rows?"""
    return A.shape[0] < A.shape[1]


def is_tall(A: Array, *others: Any) -> bool:
    """Has the matrix more rows than columns?"""
    return A.shape[0] > A.shape[1]


def is_in_no_order(values: Array, *others: Any) -> bool:
    """Do the numbers neither rise nor fall throughout?"""
    steps = np.diff(values)
    return bool(np.any(steps > 0) and np.any(steps < 0))


def has_lower_rank(A: Array, *others: Any) -> bool:
    """Is the rank below the smaller side?"""
    return bool(np.linalg.matrix_rank(A) < min(A.shape))


def has_negative_eigenvalue(A: Array, *others: Any) -> bool:
    """Is an eigenvalue of the symmetric matrix clearly negative?"""
    values = np.linalg.eigvalsh(A)
    return bool(values[0] < -1e-6 * np.abs(values).max())


def has_large_negative_eigenvalue(B: Array, n_components: int) -> bool:
    """Is a negative eigenvalue larger in size than the last eigenvalue that is used?"""
    values = np.linalg.eigvalsh(B)
    return bool(-values[0] > values[-n_components] > 0)
