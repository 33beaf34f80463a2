"""Suppress warnings while programs run that are wrong on purpose."""

import contextlib
import warnings
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress the warnings of Python and of numpy's arithmetic."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
