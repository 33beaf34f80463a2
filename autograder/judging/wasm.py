"""Python in a browser has no floating-point flags, by which numpy notices that a matrix is singular.

There `numpy.linalg` returns nan where it raises elsewhere. The functions below look at the result instead, so that an
answer meets the same exception, and its student the same words, everywhere.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

# which of numpy's own functions raises, with numpy's own words
RAISES = {
    "inv": "_raise_linalgerror_singular",
    "solve": "_raise_linalgerror_singular",
    "cholesky": "_raise_linalgerror_nonposdef",
    "svd": "_raise_linalgerror_svd_nonconvergence",
    "pinv": "_raise_linalgerror_svd_nonconvergence",
}
NEVER_CONVERGES = ("svd", "pinv")  # where nan is given, too; elsewhere nan given is nan returned


def raise_where_numpy_cannot() -> None:
    """Let `numpy.linalg` raise as it does where there are floating-point flags."""
    for name in RAISES:
        setattr(np.linalg, name, raising(name, getattr(np.linalg, name)))


def raising(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, raising as the function of numpy.linalg with this name should."""

    @functools.wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        made = function(*arguments, **options)
        parts = made if isinstance(made, tuple) else (made,)
        if _has_nan(parts) and (name in NEVER_CONVERGES or not _has_nan(arguments[:2])):
            getattr(np.linalg._linalg, RAISES[name])(None, None)
        return made

    return checked


def _has_nan(arrays: Iterable[Any]) -> bool:
    return any(np.isnan(array).any() for array in arrays if np.asarray(array).dtype.kind in "fc")
