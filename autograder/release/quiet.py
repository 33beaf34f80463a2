"""Silence for programs that are wrong on purpose: what they warn of is no news to whoever runs the command."""

import contextlib
import warnings
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop the warnings of Python and of numpy's arithmetic meanwhile."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
