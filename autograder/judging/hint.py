"""The function `hint("areas.total", 2)`: four levels of help, each telling more than the one before.

1. a nudge: properties and laws of every right answer to this task;
2. theory: the labels of the book to reread;
3. case: the smallest case on which the student's function fails, or how to get one;
4. step: the right result of the smallest case, or of an earlier step; for a task worked out by hand, the practice
   problem of the same kind, with its steps.

Everything comes from the notebook's public key. So a hint cannot be kept from a student who reads the key, or who asks
in a copy of the notebook: what counts is what the notebook that is handed in asks for (`asked_hints`). The call must
name task and level literally, so that the source of its cell shows them.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from autograder import terminal
from autograder.errors import BadKeyError, CourseError
from autograder.judging import probes, render
from autograder.judging.cell_source import cell_statements
from autograder.judging.check import verdict_on
from autograder.judging.forms import format_shape
from autograder.judging.key import Key, OpenCase, Page, TaskKey
from autograder.judging.key_lookup import find_key
from autograder.judging.messages import fill_subject, part_name
from autograder.judging.relations import join_words
from autograder.judging.slips import spoken

HINT_LEVELS = ("nudge", "theory", "case", "step")
MAX_NUDGES = 2
FACTS = {  # properties of right answers, told before anything is wrong
    "symmetric": "{it} is symmetric.",
    "not negative": "{it} is never negative.",
    "at most one": "{it} is never larger than 1.",
    "whole": "{it} holds whole numbers only.",
    "adds up to one": "The entries of {it} add up to 1.",
    "columns of length one": "The columns of {it} have length 1.",
    "orthogonal columns": "The columns of {it} are orthogonal to each other.",
    "columns of mean zero": "The columns of {it} have mean zero.",
    "length one": "{it} has length 1.",
    "descending": "The entries of {it} fall from the first to the last.",
    "its own square": "{it}, multiplied by itself, gives itself.",
    "never a negative square": "{it} is positive semidefinite.",
}
NOTHING_HERE = "Hints are not shown here: this notebook has no key beside it."


def hint(task: str, level: int = 1, answer: object = None) -> None:
    """Show one level of help for a task; level 3 also needs the function.

    `task` names topic and task, as in "areas.total".
    """
    topic, _, name = task.partition(".")
    try:
        key = find_key(topic)
    except BadKeyError:  # while a notebook is graded, it has no key; its cells must run all the same
        terminal.print(NOTHING_HERE)
        return
    _require_literal_call(task, level)
    lines = hint_lines(key, name, level, answer)
    cost = cost_of(key.hint_costs, f"{topic}.{name}", {level})
    if cost:
        lines.append(f"Handed in with this cell, the notebook gets {cost:.0%} less for {task}.")
    _show_below_the_cell(f"Hint {level} of {len(HINT_LEVELS)} for {task}", lines)


def hint_lines(key: Key, name: str, level: int, answer: object = None) -> list[str]:
    """Return the lines of a hint; CourseError for an unknown task or level."""
    if name not in key.tasks:
        known = ", ".join(f"{key.topic}.{known}" for known in key.tasks)
        raise CourseError(f"{key.topic}.{name} is not a task of this assignment; its tasks are {known}")
    if type(level) is not int or not 1 <= level <= len(HINT_LEVELS):
        raise CourseError(
            f"a hint has level 1 to {len(HINT_LEVELS)} ({', '.join(HINT_LEVELS)}), not {level!r}"
        )
    task = key.tasks[name]
    if level == 1:
        return _nudge(task)
    if level == 2:
        return _theory(task, key.pages)
    if task.is_sealed:
        return _practice(key, name, level)
    return _case(key, name, answer) if level == 3 else _step(task)


def _nudge(task: TaskKey) -> list[str]:
    """Return facts about every right answer."""
    facts = [fill_subject(FACTS[name], _right(task, part)) for name, part in task.always if name in FACTS]
    facts = [*_law_sentences(task), *facts][:MAX_NUDGES]
    if facts:
        return [*facts, "Does your answer do so, too?"]
    if task.kinds:
        words = [f"a {kind.word}" if kind else "numbers" for kind in task.kinds]
        return [f"The answer is {join_words(words)}. Which quantities of the text decide it?"]
    shapes = [format_shape(shape) for shape in _shapes(task)]
    return [f"The answer is {join_words(shapes)}. Which quantities of the text decide it?"]


def _right(task: TaskKey, part: int) -> str:
    return "the right answer" if len(task.same) == 1 else f"{part_name(task, part)} of the right answer"


def _law_sentences(task: TaskKey) -> Iterator[str]:
    """Yield how right answers respond to a change, the telling laws first."""
    for law in sorted(task.laws, key=lambda law: law.law == "stays"):
        axes = probes.axes_of(task.cases[0].inputs.get(law.argument, 0.0))
        table = probes.TABLE_CHANGES if axes == 2 else probes.LIST_CHANGES
        if law.change in table and law.law in probes.LAWS:
            change = table[law.change][0].replace("{what}", spoken(law.argument))
            yield f"If {change}, {_right(task, law.part)} {probes.LAWS[law.law][0]}."


def _shapes(task: TaskKey) -> list[tuple[int, ...]]:
    case = task.cases[0]
    if isinstance(case, OpenCase):
        parts = case.expected if len(task.same) > 1 else (case.expected,)
        return [np.shape(part) if isinstance(part, np.ndarray) else () for part in parts]
    return [shape[1:] if task.kind == "sym" else shape for shape in case.shapes]


def _theory(task: TaskKey, pages: Mapping[str, Page]) -> list[str]:
    """Return the label of the task, then those of its mistakes."""
    labels = dict.fromkeys([task.see, *(mistake.see for mistake in task.hints.values())])
    named = [pages[label] for label in labels if label in pages]
    lines = [
        f"{page.name or page.address}{f': {page.address}' if page.is_absolute else ''}" for page in named
    ]
    return ["Read this first:", *lines[:1], *(["Then:", *lines[1:3]] if len(lines) > 1 else [])]


def _case(key: Key, name: str, answer: object) -> list[str]:
    """Return the smallest case on which a function fails."""
    task = key.tasks[name]
    if answer is None:
        return [f'Give your function, too: hint("{key.topic}.{name}", 3, {name}).']
    smallest = _by_size([case for case in (*task.twins, *task.cases) if isinstance(case, OpenCase)])
    for case in smallest:
        verdict = verdict_on(
            f"{key.topic}.{name}", replace(task, cases=(_bare(task, case),), twins=()), answer
        )
        if not verdict.passed:
            return ["The smallest case on which your function fails:", *_inputs_of(case), verdict.message]
    return ["Your function is right on every case that is shown here."]


def _bare(task: TaskKey, case: OpenCase) -> OpenCase:
    """Return a case with as many traces as the task has mistakes: none of them for a small case."""
    if len(case.wrong) == len(task.wrongs):
        return case
    return replace(case, wrong=np.full((len(task.wrongs), len(task.same), 2), np.nan))


def _by_size(cases: Sequence[OpenCase]) -> list[OpenCase]:
    return sorted(cases, key=lambda case: sum(int(np.size(value)) for value in case.inputs.values()))


def _inputs_of(case: OpenCase) -> list[str]:
    return [f"{name} = {render.format_value(value)}" for name, value in case.inputs.items()]


def _step(task: TaskKey) -> list[str]:
    """Return the right result of the smallest case; without a small one, what an earlier function gives."""
    smallest = _by_size([case for case in (*task.twins, *task.cases) if isinstance(case, OpenCase)])[0]
    with_steps = _by_size([case for case in task.cases if isinstance(case, OpenCase) and case.given])
    if with_steps and not task.twins:
        case = with_steps[0]
        steps = [
            f"{name}(…) = {render.format_value(_first_result(table))}" for name, table in case.given.items()
        ]
        return ["Take this case:", *_inputs_of(case), "An earlier step gives:", *steps]
    result = render.format_value(smallest.expected)
    return ["Take this case, and follow it by hand:", *_inputs_of(smallest), "The result is:", result]


def _first_result(table: object) -> object:
    """Return the answer in the first row of what an earlier function should return."""
    rows = table if isinstance(table, list) else [table]
    first = rows[0]
    return first.get("answer", first) if isinstance(first, dict) else first


def _practice(key: Key, name: str, level: int) -> list[str]:
    """Return the address of the practice problem of the same kind."""
    page = key.pages.get(key.tasks[name].see)
    folder = page.address.rpartition("/")[0] if page else "book"
    address = f"{folder}/{key.topic}.html#problem-{key.topic}.{name}"
    if key.tasks[name].kind == "sym":
        return [
            "Put small whole numbers for the symbols, work it out for these, and compare with your formula."
        ]
    if level == 3:
        return [
            "The same kind of problem, with other numbers, which you can try as often as you like:",
            address,
        ]
    return ["Its solution is shown step by step there, with other numbers: “Show the solution” at", address]


def asked_hints(sources: Iterable[str]) -> dict[str, set[int]]:
    """Return the levels that the code of a notebook asks for, by full name of the task.

    Cells that are no Python are left out, because they cannot run.
    """
    asked: dict[str, set[int]] = {}
    for statement in cell_statements(source for source in sources if "hint" in source):
        for task, level in _literal_calls(statement):
            asked.setdefault(task, set()).add(level)
    return asked


def _literal_calls(statement: ast.stmt) -> Iterator[tuple[str, int]]:
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call) and node.args]
    for call in calls:
        if _called_name(call.func) == "hint":
            levels = [keyword.value for keyword in call.keywords if keyword.arg == "level"]
            arguments = [call.args[0], *call.args[1:2], *levels]
            yield from _valid_call(*(getattr(argument, "value", None) for argument in arguments))


def _valid_call(task: object, level: object = 1, *_: object) -> Iterator[tuple[str, int]]:
    """Yield the task and the level of a call that asks for a hint."""
    if isinstance(task, str) and type(level) is int and 1 <= level <= len(HINT_LEVELS):
        yield task, level


def _called_name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _require_literal_call(task: str, level: int) -> None:
    """Raise CourseError in a notebook whose cell, as it was typed, does not show task and level."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    history = getattr(shell, "history_manager", None)
    cells = history.input_hist_raw if history is not None else None
    if cells and level not in asked_hints([cells[-1]]).get(task, ()):
        raise CourseError(f'write the task and the level into the call: hint("{task}", {level})')


HintCosts = Mapping[str, Sequence[float]]  # "all" or a full name → the share that each level costs
EVERY_TASK = "all"


def cost_of(costs: HintCosts, task: str, levels: Iterable[int]) -> float:
    """Return the share of a task's points that these levels cost together, at most 1."""
    each = costs.get(task, costs.get(EVERY_TASK, (0.0,) * len(HINT_LEVELS)))
    return min(sum(each[level - 1] for level in levels), 1.0)


def _show_below_the_cell(title: str, lines: Sequence[str]) -> None:
    plain_text = "\n".join([title, *lines])
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        terminal.print(plain_text)
        return
    from IPython.display import display

    display({"text/plain": plain_text, "text/html": hint_html(title, lines)}, raw=True)


def hint_html(title: str, lines: Sequence[str]) -> str:
    """Return a hint as HTML, in the form of a verdict."""
    style = "border-left:4px solid #1d4ed8;padding:.4em .8em;margin:.3em 0;line-height:1.5"
    body = "".join(f"<div>{_linked(line)}</div>" for line in lines)
    return f'<div class="dimred-verdict" style="{style}"><strong>{escape(title)}</strong>{body}</div>'


def _linked(line: str) -> str:
    if "\n" in line:
        return f'<pre style="margin:0">{escape(line)}</pre>'
    name, sign, address = line.rpartition("http")
    if not sign:
        return escape(line)
    return f'{escape(name)}<a href="http{escape(address)}">http{escape(address)}</a>'
