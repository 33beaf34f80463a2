"""Stubs for functions of earlier tasks.

They run in the student's process. `TableStub`, used in a notebook, returns stored results for inputs in the key and
calls the student's function otherwise. `OracleStub`, used while grading, asks the grader.
"""

import contextlib
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

INPUT_MATCH_RTOL = 1e-9
StubOracle = Callable[[str, tuple[object, ...], dict[str, object]], object]


class TableStub:
    """Return stored results for known inputs; call the student's function otherwise."""

    def __init__(self, table: Mapping[str, Any], student_function: Any) -> None:
        """Keep the table of calls and the student's object of that name."""
        self._calls, self._student_function = (
            table["calls"] if "calls" in table else [table],
            student_function,
        )

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Return the stored result if all inputs in the table match.

        Further arguments, such as tolerances, may have any value. The stored result is used only if the student's
        function computes something itself (`is_right_result`).
        """
        for call in self._calls:
            inputs = call["inputs"]
            arguments = dict(zip(inputs, positional, strict=False)) | named
            if all(
                name in arguments and _is_same(arguments[name], expected) for name, expected in inputs.items()
            ):
                result = self._student_function(*copy.deepcopy(positional), **copy.deepcopy(named))
                right = call["answer"]
                return copy.deepcopy(right) if is_right_result(result, arguments.values(), right) else result
        return self._student_function(*positional, **named)


def is_right_result(result: Any, arguments: Iterable[Any], right: Any) -> bool:
    """Return whether a result is numeric, without NaN, and not a copy of an argument.

    Infinite numbers are accepted only if the right answer has some. A function that is not written yet fails this
    test, so no stub replaces its result.
    """
    if result is None or not _is_numeric(result, allow_infinity=holds_infinity(right)):
        return False
    return not any(np.ndim(argument) and _is_same(result, argument) for argument in arguments)


def _is_numeric(result: Any, *, allow_infinity: bool) -> bool:
    try:
        parts = [
            np.asarray(part, dtype=float) for part in (result if isinstance(result, tuple) else (result,))
        ]
    except (TypeError, ValueError):
        return False
    if allow_infinity:
        return not any(np.isnan(part).any() for part in parts)
    return all(np.isfinite(part).all() for part in parts)


def holds_infinity(answer: Any) -> bool:
    """Return whether an answer or a part of it has an infinite number.

    The distance between unconnected points is infinite, for example.
    """
    if isinstance(answer, list | tuple):
        return any(map(holds_infinity, answer))
    return isinstance(answer, float | np.ndarray) and bool(np.isinf(answer).any())


class OracleStub:
    """Return the right result for any inputs by asking an oracle."""

    def __init__(self, name: str, oracle: StubOracle) -> None:
        """Keep the name and the oracle.

        `oracle(name, positional, named)` returns the result or raises.
        """
        self._name, self._oracle = name, oracle

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Pass the arguments to the oracle."""
        return self._oracle(self._name, positional, named)


def _is_same(value: Any, expected: Any) -> bool:
    try:
        return np.shape(value) == np.shape(expected) and np.allclose(
            value, expected, rtol=INPUT_MATCH_RTOL, atol=INPUT_MATCH_RTOL
        )
    except (TypeError, ValueError):
        return False


@contextlib.contextmanager
def table_stubs(function: Callable[..., object], tables: Mapping[str, Any]) -> Iterator[None]:
    """Replace earlier functions in the function's globals by table stubs.

    Restore them on exit.
    """
    names = getattr(function, "__globals__", {}) if tables else {}
    stubs = {name: TableStub(table, names.get(name)) for name, table in tables.items()}
    with _replace_names(names, stubs):
        yield


@contextlib.contextmanager
def oracle_stubs(function: Callable[..., object], names: list[str], oracle: StubOracle) -> Iterator[None]:
    """Replace these functions in the function's globals by oracle stubs.

    Restore them on exit. Names that are not defined stay undefined.
    """
    namespace = getattr(function, "__globals__", {})
    with _replace_names(namespace, {name: OracleStub(name, oracle) for name in names if name in namespace}):
        yield


@contextlib.contextmanager
def _replace_names(namespace: dict[str, object], stubs: Mapping[str, Any]) -> Iterator[None]:
    before = {name: namespace[name] for name in stubs if name in namespace}
    namespace.update(stubs)
    try:
        yield
    finally:
        for name in stubs:
            namespace.pop(name, None)
        namespace.update(before)
