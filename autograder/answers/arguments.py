"""Turn the inputs of a case into arguments for a function."""

import copy
from collections.abc import Mapping
from typing import Any

from autograder.answers.tables import DataTable, frame_of_table


def arguments(inputs: Mapping[str, object]) -> list[Any]:
    """Return copies of the inputs, because a function may change its arguments.

    Tables of pandas and polars are frames again, and sets can be changed.
    """
    return [_argument(value) for value in inputs.values()]


def _argument(value: object) -> object:
    if isinstance(value, DataTable):
        return frame_of_table(value)
    return set(value) if isinstance(value, frozenset) else copy.deepcopy(value)
