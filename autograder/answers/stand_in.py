"""Stand-ins: while a function is judged, what it calls from earlier tasks answers as it should.

Runs beside the student's code, from data: what an earlier function should return on known inputs.
"""

import contextlib
import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

CLOSE = 1e-9


class StandIn:
    """Answers as the earlier function should on the inputs that are known; asks the student's own on others."""

    def __init__(self, given: Mapping[str, Any], own: Any) -> None:
        """`own` is what the student has under that name."""
        self._inputs, self._answer, self._own = given["inputs"], given["answer"], own

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Arguments that the task did not name, such as tolerances, are free."""
        arguments = dict(zip(self._inputs, positional, strict=False)) | named
        if all(name in arguments and _is_same(arguments[name], want) for name, want in self._inputs.items()):
            return copy.deepcopy(self._answer)
        return self._own(*positional, **named)


def _is_same(value: Any, want: Any) -> bool:
    try:
        return np.shape(value) == np.shape(want) and np.allclose(value, want, rtol=CLOSE, atol=CLOSE)
    except (TypeError, ValueError):
        return False


@contextlib.contextmanager
def standing_in(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[None]:
    """Put stand-ins where the function looks for the earlier ones; put everything back afterwards."""
    names = getattr(function, "__globals__", {}) if given else {}
    before = {name: names[name] for name in given if name in names}
    names.update({name: StandIn(one, before.get(name)) for name, one in given.items()})
    try:
        yield
    finally:
        for name in given:
            names.pop(name, None)
        names.update(before)
