"""`check("areas.total", total)`: what a student runs, and what plain nbgrader scores.

It compares with the public key beside the notebook, shows the verdict, and returns the points earned. nbgrader reads
the last expression of a test cell as partial credit, so while it grades this is a plain float; in front of a student
the verdict says it all, and the number is not printed once more below it.
"""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder.answers import attempt
from autograder.answers.attempt import Attempt, Call
from autograder.answers.stand_in import standing_in
from autograder.errors import BadKeyError
from autograder.judging import render
from autograder.judging.follow_through import calls_of, judge_calls
from autograder.judging.judge import judge
from autograder.judging.key import Key, Page, TaskKey, read_key
from autograder.judging.verdict import Verdict


def check(task: str, answer: Any) -> float:
    """Judge an answer to a task such as "areas.total"; show the verdict and return the points it earns."""
    topic, _, name = task.partition(".")
    key = _key_beside_the_notebook(topic)
    if name not in key.tasks:
        known = ", ".join(f"{topic}.{known}" for known in key.tasks)
        raise BadKeyError(f"{task!r} is not a task of this assignment; its tasks are {known}")
    verdict = verdict_on(task, key.tasks[name], answer)
    show(verdict, key.pages)
    return verdict.earned if os.environ.get(BY_NBGRADER) else Points(verdict.earned)


BY_NBGRADER = "NBGRADER_EXECUTION"  # set by nbgrader while it runs a notebook to grade or validate it


class Points(float):
    """A number of points that Jupyter does not print."""

    def _ipython_display_(self) -> None:
        """Show nothing."""


def verdict_on(task: str, key: TaskKey, answer: Any) -> Verdict:
    """Judge an answer: a function is called on every case, anything else is compared as it is."""
    if key.is_sealed:
        return judge(task, key, [attempt.value(answer)])

    def ask(calls: list[Call]) -> list[Attempt]:
        return [_attempt(call, answer) for call in calls]

    return judge_calls(task, key, ask(calls_of(key)), ask)


def _attempt(call: Call, answer: Any) -> Attempt:
    if not callable(answer):
        return Attempt(
            problem="wrong form", message="a function was expected: give its name, without calling it"
        )
    with standing_in(answer, call.given):
        return attempt.call(answer, call.inputs)


def _key_beside_the_notebook(topic: str) -> Key:
    if not topic.isidentifier():
        raise BadKeyError(
            f"{topic!r} does not name a topic; tasks are named as in check('areas.total', total)"
        )
    return read_key(Path.cwd() / f"{topic}.key.json")


def _show_below_the_cell(verdict: Verdict, pages: Mapping[str, Page]) -> None:
    plain_text = render.text(verdict, pages)
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import display

        if get_ipython() is not None:
            bundle = {"text/plain": plain_text, "text/html": render.html(verdict, pages)}
            display(bundle, raw=True)
            return
    print(plain_text)


# Replaced where verdicts are shown in another way, as in `autograder.live.cell`.
show: Callable[[Verdict, Mapping[str, Page]], None] = _show_below_the_cell

if sys.platform == "emscripten":
    from autograder.judging.wasm import raise_where_numpy_cannot

    raise_where_numpy_cannot()
