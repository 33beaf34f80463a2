"""The function `check("areas.total", total)`, which students and plain nbgrader call.

It compares with the public key of the notebook (`autograder.judging.key_lookup`), shows the verdict and returns the
points. nbgrader reads the last expression of a test cell as partial credit, so `check` returns a plain float while
nbgrader runs. In front of a student it returns `Points`, which Jupyter does not print below the verdict.
"""

import os
import sys
from collections.abc import Callable, Mapping

from autograder import terminal
from autograder.answers import attempt
from autograder.answers.attempt import Call, CallResult
from autograder.answers.stubs import table_stubs
from autograder.errors import BadKeyError
from autograder.judging import render
from autograder.judging.follow_through import calls_of, judge_calls
from autograder.judging.judge import judge
from autograder.judging.judge_question import judge_question
from autograder.judging.key import Page, TaskKey
from autograder.judging.key_lookup import find_key
from autograder.judging.verdict import Verdict


def check(task: str, answer: object) -> float:
    """Judge an answer, show the verdict and return the points.

    `task` names topic and task, as in "areas.total".
    """
    topic, _, name = task.partition(".")
    if not topic.isidentifier():
        raise BadKeyError(
            f"{topic!r} does not name a topic; tasks are named as in check('areas.total', total)"
        )
    key = find_key(topic)
    if name in key.questions:
        verdict = judge_question(key.questions[name], answer, runs="lines")
        show_verdict(verdict, key.pages)
        return Points(0.0)
    if name not in key.tasks:
        known = ", ".join(f"{topic}.{known}" for known in [*key.tasks, *key.questions])
        raise BadKeyError(f"{task!r} is not a task of this assignment; its tasks are {known}")
    verdict = verdict_on(task, key.tasks[name], answer)
    show_verdict(verdict, key.pages)
    return verdict.earned if os.environ.get(BY_NBGRADER) else Points(verdict.earned)


BY_NBGRADER = "NBGRADER_EXECUTION"  # set by nbgrader while it runs a notebook to grade or validate it


class Points(float):
    """A number of points that Jupyter does not print."""

    def _ipython_display_(self) -> None:
        """Print nothing."""


def verdict_on(task: str, key: TaskKey, answer: object) -> Verdict:
    """Judge an answer without showing the verdict.

    A function is called on every case. Any other value is compared as it is.
    """
    if key.is_sealed:
        return judge(task, key, [attempt.value(answer)])

    def ask(calls: list[Call]) -> list[CallResult]:
        return [_attempt(call, answer) for call in calls]

    return judge_calls(task, key, ask(calls_of(key)), ask)


def _attempt(call: Call, answer: object) -> CallResult:
    if not callable(answer):
        return CallResult(
            problem="wrong form", message="a function was expected: give its name, without calling it"
        )
    with table_stubs(answer, call.stubs):
        return attempt.call_answer(answer, call.inputs)


def _show_below_the_cell(verdict: Verdict, pages: Mapping[str, Page]) -> None:
    plain_text = render.text(verdict, pages)
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import display

        if get_ipython() is not None:
            bundle = {"text/plain": plain_text, "text/html": render.html(verdict, pages)}
            display(bundle, raw=True)
            return
    terminal.print(plain_text)  # a console may lack the letters of a formula


# Replaced where verdicts are shown in another way, as in `autograder.live.cell`.
show_verdict: Callable[[Verdict, Mapping[str, Page]], None] = _show_below_the_cell

if sys.platform == "emscripten":
    from autograder.judging.wasm import raise_where_numpy_cannot

    raise_where_numpy_cannot()
