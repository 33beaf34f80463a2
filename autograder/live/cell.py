"""Run one cell in the browser: what it prints, what it draws, what `check` says of its answer.

The page's worker sends and receives JSON. Every run starts afresh, with the statements of earlier cells that the cell
needs: what is seen never depends on what was run before.
"""

import ast
import base64
import builtins
import contextlib
import io
import json
import linecache
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from autograder.judging import check as checking
from autograder.judging import render
from autograder.judging.key import Page
from autograder.judging.raised import advice_on_exception
from autograder.judging.verdict import Verdict
from autograder.live.cells_above import Above
from autograder.live.needed import needed
from autograder.live.notebook import stand_in
from autograder.live.shared import Shared

HERE, ABOVE = "<your code>", "<your code above>"
STOPPED = "Stopped."
MAX_OUTPUT = 20_000
ABOVE_CHAPTER = Above()


@dataclass
class Outcome:
    """What a run gave; `error` is a traceback of the reader's own lines.

    `is_spent` if it changed what all cells share: the next one needs another Python.
    """

    output: str = ""
    error: str = ""
    figures: list[str] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    is_spent: bool = False


class Printed(io.StringIO):
    """What was printed, up to a bearable length: an endless loop that prints must not eat the memory."""

    more = 0

    def write(self, text: str) -> int:
        """Keep what there is room for, and count the rest."""
        kept = text[: max(MAX_OUTPUT - self.tell(), 0)]
        self.more += len(text) - len(kept)
        super().write(kept)
        return len(text)

    def text(self) -> str:
        """What is shown."""
        return self.getvalue() + (f"\n… and {self.more} characters more" if self.more else "")


def imports(request_text: str) -> str:
    """The packages that a request will import, as far as its text says so, as JSON: the worker fetches them before."""
    request = json.loads(request_text)
    try:
        program = f"{needed(request['before'], _with_answer(request))}\n{request['code']}"
        return json.dumps(sorted(_imported(ast.parse(program))))
    except SyntaxError:
        return "[]"


def _imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def run(request_text: str) -> str:
    """Run a request {code, before, again, task, answer, moved, absent} and return its outcome, both as JSON.

    With a `task` the value of the name `answer` is checked. `moved` says which start of the book's addresses stands
    for which here: links in verdicts lead to the site that is open, wherever it is published. `absent` names packages
    that could be fetched: those that something tried to import, be it the judge, come back as `missing`. With `again`
    what stands above is not run a second time if it is the same.
    """
    request = json.loads(request_text)
    outcome = Outcome()
    printed = Printed()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        _asking_nobody(),
        _collected(outcome, request),
        _noticed(outcome, request.get("absent", ())),
    ):
        try:
            _execute(request)
        except BaseException as error:  # SystemExit and KeyboardInterrupt, too: the page goes on
            outcome.error = _own_lines(error)
        outcome.figures = _figures()
    outcome.output = printed.text()
    outcome.is_spent = SHARED.is_changed()
    return json.dumps(asdict(outcome))


def _execute(request: Mapping[str, Any]) -> None:
    code = request["code"]
    tree = ast.parse(code, HERE)
    above = ABOVE_CHAPTER if request.get("again") else Above()
    space = above.names_after(needed(request["before"], _with_answer(request)), _run_above)
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


def _run_above(source: str, space: dict[str, Any]) -> None:
    """Run what stands above; what it prints and draws stands above, too."""
    _remember(source, ABOVE)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, ABOVE, "exec"), space)
    _close_figures()


def _remember(source: str, name: str) -> None:
    """Let tracebacks quote lines of a text that is no file."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


@contextlib.contextmanager
def _noticed(outcome: Outcome, absent: Sequence[str]) -> Iterator[None]:
    """Notice which of the absent packages are asked for meanwhile; a cell that was stopped wants nothing any more."""

    class Noticing:
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
            top = fullname.partition(".")[0]
            if top in absent and top not in outcome.missing:
                outcome.missing.append(top)

    finder = Noticing()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if outcome.error == STOPPED:
            outcome.missing = []


@contextlib.contextmanager
def _asking_nobody() -> Iterator[None]:
    """Say at once that nobody can be asked: a page has no place to type an answer to `input`."""

    def ask(prompt: object = "") -> str:
        raise RuntimeError("a cell of a page cannot ask for input: write the value into the code")

    before, builtins.input = builtins.input, ask
    try:
        yield
    finally:
        builtins.input = before


@contextlib.contextmanager
def _collected(outcome: Outcome, request: Mapping[str, Any]) -> Iterator[None]:
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
        return STOPPED
    told = traceback.TracebackException.from_exception(error)
    own = [frame for frame in told.stack if frame.filename in (HERE, ABOVE)]
    told.stack = traceback.StackSummary.from_list(own)
    advice = advice_on_exception(error)
    return "".join(told.format()) + (f"{advice}\n" if advice else "")


def _is_drawn(value: Any) -> bool:
    """Is the value of a last line a part of a figure, which is shown as such?"""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return type(first).__module__.startswith("matplotlib.")


def _figures() -> list[str]:
    """The figures that are open, as addresses that hold them; closed afterwards."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    drawn = [_as_address(pyplot.figure(number)) for number in pyplot.get_fignums()] if pyplot else []
    _close_figures()
    return drawn


def _close_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def _as_address(figure: Any) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight")
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()


stand_in()
SHARED = Shared()
