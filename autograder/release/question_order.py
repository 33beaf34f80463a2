"""Right orders of the lines of a program: run every arrangement, and state the result as a partial order.

A medium without Python judges by the partial order. It agrees with running the program, because all arrangements were
run.
"""

import copy
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from autograder.errors import UncertifiedError
from autograder.judging.fault_programs import RESULT_RTOL
from autograder.judging.sameness import Sameness, discrepancy
from autograder.release.quiet import quiet

RESULT_NAME = "__result__"
MAX_ARRANGEMENTS = 60_000
Arrangement = tuple[int, ...]


def needed_before(
    lines: Sequence[str], right: Sequence[int], is_right: Callable[[Arrangement], bool]
) -> dict[int, tuple[int, ...]]:
    """Return for each right line the lines that stand before it in every right arrangement.

    `is_right` says whether an arrangement gives the right result. Raise UncertifiedError if an arrangement with a wrong
    line or without a right line is right, or if the right arrangements are not those of a partial order.
    """
    good = {arrangement for arrangement in _arrangements(len(lines), len(right)) if is_right(arrangement)}
    if tuple(right) not in good:
        raise UncertifiedError("the lines in the author's own order do not give the right result")
    _refuse_wrong_lines(lines, right, good)
    before = {line: tuple(_always_before(line, right, good)) for line in right}
    allowed = {order for order in permutations(right) if _obeys(order, before)}
    if allowed != good:
        raise UncertifiedError("the right orders are not those of a partial order: change the lines")
    return before


def _arrangements(total: int, number: int) -> Iterator[Arrangement]:
    count = int(np.prod(range(total - number + 1, total + 1)))
    if count > MAX_ARRANGEMENTS:
        raise UncertifiedError(f"{number} of {total} lines have {count} arrangements: use fewer lines")
    return permutations(range(total), number)


def _refuse_wrong_lines(
    lines: Sequence[str], right: Sequence[int], arrangements: Collection[Arrangement]
) -> None:
    for arrangement in arrangements:
        if set(arrangement) != set(right):
            program = "; ".join(lines[number] for number in arrangement)
            raise UncertifiedError(f"a wrong line can stand in a right program: {program}")


def _always_before(line: int, right: Sequence[int], orders: Collection[Arrangement]) -> Iterator[int]:
    """Yield the right lines that stand before a line in every order."""
    for other in right:
        if other != line and all(order.index(other) < order.index(line) for order in orders):
            yield other


def _obeys(order: Arrangement, before: Mapping[int, tuple[int, ...]]) -> bool:
    return all(order.index(other) < position for position, line in enumerate(order) for other in before[line])


class LinesProgram:
    """Runs arrangements of lines on the drawn cases; a beginning that was run is not run again."""

    def __init__(
        self, lines: Sequence[str], cases: Sequence[Mapping[str, object]], names: Mapping[str, object]
    ) -> None:
        """Compile the lines. `names` are the globals of the author's function."""
        self.codes = [_compiled(line) for line in lines]
        self.start = [{**names, **copy.deepcopy(dict(inputs))} for inputs in cases]
        self.states: dict[Arrangement, list[dict[str, Any]] | None] = {(): self.start}

    def results(self, arrangement: Arrangement) -> list[Any] | None:
        """Return the results on the cases; None if a line raises or nothing is returned."""
        with quiet():
            states = self._after(arrangement)
        if states is None or RESULT_NAME not in states[0]:
            return None
        return [state[RESULT_NAME] for state in states]

    def _after(self, arrangement: Arrangement) -> list[dict[str, Any]] | None:
        if arrangement not in self.states:
            before = self._after(arrangement[:-1])
            self.states[arrangement] = None if before is None else self._run(arrangement[-1], before)
        return self.states[arrangement]

    def _run(self, line: int, before: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
        if RESULT_NAME in before[0]:  # the program has returned
            return before
        states = []
        for state in before:
            names = {name: _copied(value) for name, value in state.items()}
            try:
                exec(self.codes[line], names)
            except Exception:
                return None
            states.append(names)
        return states


def _copied(value: object) -> Any:
    return value.copy() if isinstance(value, np.ndarray | list | dict) else value


def _compiled(line: str) -> Any:
    text = f"{RESULT_NAME} = {line.removeprefix('return')}" if line.startswith("return") else line
    return compile(text, "<line of a question>", "exec")


def are_right(results: Sequence[object] | None, expected: Sequence[object], same: Sameness) -> bool:
    """Return whether all results are the expected ones."""
    if results is None:
        return False
    return all(_is_right(value, right, same) for value, right in zip(results, expected, strict=True))


def _is_right(value: object, right: object, same: Sameness) -> bool:
    try:
        array, target = np.asarray(value, dtype=float), np.asarray(right, dtype=float)
        return discrepancy(array, target, same) <= RESULT_RTOL
    except (TypeError, ValueError, np.linalg.LinAlgError):
        return False
