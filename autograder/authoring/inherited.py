"""Compose an earlier task's misconceptions with a later reference.

A later task often contains the step of an earlier one. For example, a map starts with the graph of neighbours, and a
matrix of weights consists of the weights of single points. A student who makes a mistake in the step also makes it in
the later task. The later task declares the step with `Follows` and states how its reference continues from there. Its
author does not write the mistakes again.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from autograder.authoring.task_data import Follows, Misconception, Task

Rest = Callable[..., Any]  # rest(step, *inputs): the later reference with `step` for the earlier function


def inherited(
    step: Follows, earlier: Task, rest: Rest, without: Collection[str] = ()
) -> tuple[Misconception, ...]:
    """Return the earlier task's misconceptions as misconceptions of the later one.

    `without` names those that do not show in the later task, or that the later task defines itself. The hint is that of
    the earlier task and names the step. Certification reports a composed mistake that is none or equals another one.
    """
    names = {misconception.name for misconception in earlier.misconceptions}
    unknown = sorted(set(without) - names)
    if unknown:
        raise ValueError(f"without must name misconceptions of {step.name!r}, not {unknown[0]!r}")
    return tuple(
        _compose(step, misconception, rest)
        for misconception in earlier.misconceptions
        if misconception.name not in without
    )


def _compose(step: Follows, misconception: Misconception, rest: Rest) -> Misconception:
    wrong_step = misconception.wrong

    def wrong(*inputs: object) -> Any:
        return rest(wrong_step, *inputs)

    wrong.__name__ = misconception.name
    wrong.__doc__ = misconception.wrong.__doc__
    return Misconception(
        wrong,
        hint=f"In the step of `{step.name}`: {misconception.hint}",
        see=misconception.see,
        indefinite=partial(_first_reason, step, misconception),
    )


def _first_reason(step: Follows, misconception: Misconception, *inputs: object) -> str | None:
    """Return why a call of the step is indefinite, if any is."""
    calls = step.inputs(*inputs)
    reasons = (
        misconception.indefinite(*call.values()) for call in (calls if isinstance(calls, list) else [calls])
    )
    return next((reason for reason in reasons if reason), None)
