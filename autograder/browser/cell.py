"""Run one cell in the browser: what it prints, what it draws, what `check` says of its answer.

The page's worker sends and receives JSON. Every run starts afresh, with the statements of earlier cells that the cell
needs: what is seen never depends on what was run before.
"""

import ast
import base64
import contextlib
import io
import json
import linecache
import sys
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from autograder.browser.needed import needed
from autograder.judging import check as checking
from autograder.judging import render
from autograder.judging.key import Page
from autograder.judging.verdict import Verdict

HERE, ABOVE = "<your code>", "<your code above>"
MAX_OUTPUT = 20_000


@dataclass
class Outcome:
    """What a run gave; `error` is a traceback of the reader's own lines."""

    output: str = ""
    error: str = ""
    figures: list[str] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)


def program(request_text: str) -> str:
    """All that a request will run, as one text: the worker fetches the packages that it imports."""
    request = json.loads(request_text)
    try:
        return f"{needed(request['before'], _with_answer(request))}\n{request['code']}"
    except SyntaxError:
        return ""


def run(request_text: str) -> str:
    """Run a request {code, before, task, answer, moved} and return its outcome, both as JSON.

    With a `task` the value of the name `answer` is checked. `moved` says which start of the book's addresses stands
    for which here: links in verdicts lead to the site that is open, wherever it is published.
    """
    request = json.loads(request_text)
    outcome = Outcome()
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        _collected(outcome, request),
    ):
        try:
            _execute(request)
        except BaseException as error:  # SystemExit and KeyboardInterrupt, too: the page goes on
            outcome.error = _own_lines(error)
        outcome.figures = _figures()
    outcome.output = _cut(printed.getvalue())
    return json.dumps(asdict(outcome))


def _execute(request: Mapping[str, Any]) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    code = request["code"]
    tree = ast.parse(code, HERE)
    _run(needed(request["before"], _with_answer(request)), ABOVE, space)
    _remember(code, HERE)
    shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, HERE, "exec"), space)
    if isinstance(shown, ast.Expr):  # as a notebook shows the value of its last line
        value = eval(compile(ast.Expression(shown.value), HERE, "eval"), space)
        if value is not None and not _is_drawn(value):
            print(repr(value))
    if request.get("task"):
        checking.check(request["task"], space.get(request["answer"]))


def _with_answer(request: Mapping[str, Any]) -> str:
    """The code, and the name that will be checked: it may have been defined above."""
    return f"{request['code']}\n{request['answer']}" if request.get("task") else str(request["code"])


def _run(source: str, name: str, space: dict[str, Any]) -> None:
    _remember(source, name)
    exec(compile(source, name, "exec"), space)


def _remember(source: str, name: str) -> None:
    """Let tracebacks quote lines of a text that is no file."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


@contextlib.contextmanager
def _collected(outcome: Outcome, request: Mapping[str, Any]) -> Any:
    """Collect the verdicts that `check` shows meanwhile."""

    def collect(verdict: Verdict, pages: Mapping[str, Page]) -> None:
        html = render.html(verdict, _moved(pages, request.get("moved")))
        outcome.verdicts.append({"task": verdict.task, "passed": verdict.passed, "html": html})

    before, checking.show = checking.show, collect
    try:
        yield
    finally:
        checking.show = before


def _moved(pages: Mapping[str, Page], moved: tuple[str, str] | None) -> dict[str, Page]:
    if not moved:
        return dict(pages)
    start, here = moved
    return {
        label: replace(page, address=here + page.address.removeprefix(start))
        if page.address.startswith(start)
        else page
        for label, page in pages.items()
    }


def _own_lines(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "Stopped."
    told = traceback.TracebackException.from_exception(error)
    own = [frame for frame in told.stack if frame.filename in (HERE, ABOVE)]
    told.stack = traceback.StackSummary.from_list(own)
    return "".join(told.format())


def _cut(text: str) -> str:
    if len(text) <= MAX_OUTPUT:
        return text
    return f"{text[:MAX_OUTPUT]}\n… and {len(text) - MAX_OUTPUT} characters more"


def _is_drawn(value: Any) -> bool:
    """Is the value of a last line a part of a figure, which is shown as such?"""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return type(first).__module__.startswith("matplotlib.")


def _figures() -> list[str]:
    """The figures that are open, as addresses that hold them; closed afterwards."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from matplotlib import pyplot

    drawn = [_as_address(pyplot.figure(number)) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return drawn


def _as_address(figure: Any) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight")
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
