"""Follow-through: a function that calls an earlier one is judged on its own logic, so one mistake costs once.

A task may say which earlier functions its own is likely to call, and with what (`Task.follows`). The key then holds
what those functions should have returned. The function is called as it is, and again with stand-ins in their place;
where that earns more, that is what it earns.
"""

import contextlib
import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.attempt import Attempt, Call
from autograder.judge import judge
from autograder.key import OpenCase, TaskKey
from autograder.verdict import Verdict

CLOSE = 1e-9


def calls_of(key: TaskKey) -> list[Call]:
    """What a function is called with: every case as it is, then every case with its stand-ins, if it has some."""
    cases = [case for case in key.cases if isinstance(case, OpenCase)]
    own = [Call(case.inputs) for case in cases]
    leaning = [Call(case.inputs, case.given) for case in cases]
    return own + leaning if any(case.given for case in cases) else own


def judge_calls(task_id: str, key: TaskKey, attempts: list[Attempt]) -> Verdict:
    """Judge the attempts at `calls_of`: the better verdict of the function as it is and with stand-ins."""
    number = len(key.cases)
    own = judge(task_id, key, attempts[:number])
    if own.passed or len(attempts) == number:
        return own
    leaning = judge(task_id, key, attempts[number:])
    if leaning.fraction <= own.fraction:
        return own
    given = [name for case in key.cases if isinstance(case, OpenCase) for name in case.given]
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(given))
    why = f"Judged with a correct {names}, because a mistake there is counted there only."
    return replace(leaning, message=f"{leaning.message} {why}")


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
