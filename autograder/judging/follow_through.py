"""Follow-through: a function that calls an earlier one is judged on its own logic, so one mistake costs once.

A task may say which earlier functions its own is likely to call, and with what (`Task.follows`). The key then holds
what those functions should have returned. The function is called as it is, and again with stand-ins in their place;
where that earns more, that is what it earns.
"""

from dataclasses import replace

from autograder.answers.attempt import Attempt, Call
from autograder.judging.facts import Ask
from autograder.judging.judge import judge
from autograder.judging.key import OpenCase, TaskKey
from autograder.judging.verdict import Verdict


def calls_of(key: TaskKey) -> list[Call]:
    """What a function is called with: every case as it is, then every case with its stand-ins, if it has some."""
    cases = [case for case in key.cases if isinstance(case, OpenCase)]
    own = [Call(case.inputs) for case in cases]
    leaning = [Call(case.inputs, case.given) for case in cases]
    return own + leaning if any(case.given for case in cases) else own


def judge_calls(task_id: str, key: TaskKey, attempts: list[Attempt], ask: Ask | None = None) -> Verdict:
    """Judge the attempts at `calls_of`: the better verdict of the function as it is and with stand-ins."""
    number = len(key.cases)
    own = judge(task_id, key, attempts[:number], ask)
    if own.passed or len(attempts) == number:
        return own
    leaning = judge(task_id, key, attempts[number:])
    if leaning.fraction <= own.fraction:
        return own
    given = [name for case in key.cases if isinstance(case, OpenCase) for name in case.given]
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(given))
    why = f"Judged with a correct {names}, because a mistake there is counted there only."
    return replace(leaning, message=f"{leaning.message} {why}")
