"""Make `numpy.linalg` raise in the browser as it does elsewhere.

Python in a browser has no floating-point flags, by which numpy detects a singular matrix. There `numpy.linalg` returns
NaN where it raises elsewhere. The functions below test the result for NaN instead, so that students get the same
exception and message everywhere.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

# numpy's own function that raises, with numpy's own message
RAISES = {
    "inv": "_raise_linalgerror_singular",
    "solve": "_raise_linalgerror_singular",
    "cholesky": "_raise_linalgerror_nonposdef",
    "svd": "_raise_linalgerror_svd_nonconvergence",
    "pinv": "_raise_linalgerror_svd_nonconvergence",
}
NEVER_CONVERGES = ("svd", "pinv")  # these raise on NaN inputs too; the others return NaN


def raise_where_numpy_cannot() -> None:
    """Replace functions of `numpy.linalg` by versions that raise."""
    for name in RAISES:
        setattr(np.linalg, name, raising(name, getattr(np.linalg, name)))


def raising(name: str, function: Callable[..., object]) -> Callable[..., object]:
    """Wrap a function so that it raises if its result holds NaN.

    The exception is that of the function of `numpy.linalg` with this name.
    """

    @functools.wraps(function)
    def checked(*arguments: object, **options: object) -> object:
        result = function(*arguments, **options)
        parts = result if isinstance(result, tuple) else (result,)
        if _has_nan(parts) and (name in NEVER_CONVERGES or not _has_nan(arguments[:2])):
            getattr(np.linalg._linalg, RAISES[name])(None, None)
        return result

    return checked


def _has_nan(arrays: Iterable[Any]) -> bool:
    return any(np.isnan(array).any() for array in arrays if np.asarray(array).dtype.kind in "fc")
