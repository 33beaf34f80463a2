"""Run one cell in the browser; return its output, figures and verdicts.

The page's worker sends and receives JSON. Every run starts in a fresh namespace, with the statements of earlier cells
that the cell needs, so the result does not depend on earlier runs.
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
from autograder.judging.hint import HINT_LEVELS, hint_html, hint_lines
from autograder.judging.key import Page
from autograder.judging.key_lookup import find_key
from autograder.judging.raised import advice_on_exception
from autograder.judging.verdict import Verdict
from autograder.live.dependencies import required_statements
from autograder.live.notebook import install_replacements
from autograder.live.prefix_cache import CachedPrefix
from autograder.live.shared import Shared

CELL_FILENAME, PREFIX_FILENAME = "<your code>", "<your code above>"
CASE_LEVEL = HINT_LEVELS.index("case") + 1
STOPPED_MESSAGE = "Stopped."
MAX_PRINTED_CHARACTERS = 20_000
CHAPTER_PREFIX = CachedPrefix()


@dataclass
class CellOutcome:
    """Result of a run.

    `error`: traceback of the reader's lines only. `value`: text that the last expression gave, if the request asked.
    `is_spent`: the run changed shared state (`Shared`), so the next run needs a new Python.
    """

    output: str = ""
    error: str = ""
    figures: list[str] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    value: str | None = None
    is_spent: bool = False


class Printed(io.StringIO):
    """Printed text of bounded length, so that an endless loop cannot fill the memory."""

    n_dropped = 0

    def write(self, text: str) -> int:
        """Keep the text that fits and count the rest."""
        stored = text[: max(MAX_PRINTED_CHARACTERS - self.tell(), 0)]
        self.n_dropped += len(text) - len(stored)
        super().write(stored)
        return len(text)

    def text(self) -> str:
        """Return the text, with the number of dropped characters."""
        return self.getvalue() + (f"\n… and {self.n_dropped} characters more" if self.n_dropped else "")


def imports(request_text: str) -> str:
    """Return the packages that a request imports, as JSON.

    Only import statements are read. The worker fetches these packages before the run.
    """
    request = json.loads(request_text)
    try:
        program = f"{required_statements(request['before'], _add_answer_name(request))}\n{request['code']}"
        return json.dumps(sorted(_find_imported_packages(ast.parse(program))))
    except SyntaxError:
        return "[]"


def _find_imported_packages(tree: ast.AST) -> set[str]:
    packages: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            packages.add(node.module.partition(".")[0])
    return packages


def run(request_text: str) -> str:
    """Run a request {code, before, again, value, task, answer, hint, moved, absent}; return the outcome.

    Both are JSON. With a `task` the value of the name `answer` is checked; with a level as `hint`, that hint is shown
    instead, and the code runs only for the level that needs the function. `moved`: (prefix of the book's addresses,
    replacement), so that links in verdicts lead to the open site. `absent`: packages that could be fetched; those that
    the run, the judge included, tried to import are returned as `missing`. With `again` the statements of earlier cells
    are not run again if they are the same.
    """
    request = json.loads(request_text)
    outcome = CellOutcome()
    printed = Printed()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        _refuse_input(),
        _collect_verdicts(outcome, request),
        _record_missing(outcome, request.get("absent", ())),
    ):
        try:
            if request.get("hint") not in (None, CASE_LEVEL):
                outcome.verdicts.append(_hint_block(request, None))
            else:
                namespace = _execute(request, outcome)
                if request.get("hint"):
                    outcome.verdicts.append(_hint_block(request, namespace.get(request["answer"])))
                elif request.get("task"):
                    checking.check(request["task"], namespace.get(request["answer"]))
        except BaseException as error:  # SystemExit and KeyboardInterrupt must not end the worker
            outcome.error = _format_error(error)
        outcome.figures = _collect_figures()
    outcome.output = printed.text()
    outcome.is_spent = SHARED.is_changed()
    return json.dumps(asdict(outcome))


def _hint_block(request: Mapping[str, Any], answer: Any) -> dict[str, object]:
    """Return a hint in the form of a verdict; `said` is what the page tells beside its buttons."""
    level = request["hint"]
    topic, _, name = request["task"].partition(".")
    key = find_key(topic)
    moved = replace(key, pages=_move_addresses(key.pages, request.get("moved")))
    title = f"Hint {level} of {len(HINT_LEVELS)}"
    html = hint_html(f"{title} for {request['task']}", hint_lines(moved, name, level, answer))
    return {"task": request["task"], "passed": False, "html": html, "said": f"{title}."}


def _execute(request: Mapping[str, Any], outcome: CellOutcome) -> dict[str, Any]:
    """Run the code after the statements that it needs; return its names.

    The value of its last expression is printed, or put into the outcome if the request asks for a `value`.
    """
    code = request["code"]
    tree = ast.parse(code, CELL_FILENAME)
    prefix = CHAPTER_PREFIX if request.get("again") else CachedPrefix()
    namespace = prefix.names_after(
        required_statements(request["before"], _add_answer_name(request)), _run_prefix
    )
    _register_source(code, CELL_FILENAME)
    last_expression = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, CELL_FILENAME, "exec"), namespace)
    if isinstance(last_expression, ast.Expr):  # show the value of the last expression, like a notebook
        value = eval(compile(ast.Expression(last_expression.value), CELL_FILENAME, "eval"), namespace)
        if request.get("value"):
            outcome.value = str(value)
        elif value is not None and not _is_plot(value):
            print(repr(value))
    return namespace


def _add_answer_name(request: Mapping[str, object]) -> str:
    """Return the code plus the checked name, which an earlier cell may define."""
    return f"{request['code']}\n{request['answer']}" if request.get("task") else str(request["code"])


def _run_prefix(source: str, namespace: dict[str, Any]) -> None:
    """Run the statements of earlier cells; discard their output and figures."""
    _register_source(source, PREFIX_FILENAME)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, PREFIX_FILENAME, "exec"), namespace)
    _close_figures()


def _register_source(source: str, name: str) -> None:
    """Register source text in linecache, so that tracebacks can quote it."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


@contextlib.contextmanager
def _record_missing(outcome: CellOutcome, absent: Sequence[str]) -> Iterator[None]:
    """Record which absent packages the block tries to import.

    Record none if the cell was stopped.
    """

    class MissingRecorder:
        def find_spec(self, fullname: str, path: object, target: object = None) -> None:
            top = fullname.partition(".")[0]
            if top in absent and top not in outcome.missing:
                outcome.missing.append(top)

    finder = MissingRecorder()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if outcome.error == STOPPED_MESSAGE:
            outcome.missing = []


@contextlib.contextmanager
def _refuse_input() -> Iterator[None]:
    """Make `input` raise an error, because a page has no place to type an answer."""

    def ask(prompt: object = "") -> str:
        raise RuntimeError("a cell of a page cannot ask for input: write the value into the code")

    before, builtins.input = builtins.input, ask
    try:
        yield
    finally:
        builtins.input = before


@contextlib.contextmanager
def _collect_verdicts(outcome: CellOutcome, request: Mapping[str, Any]) -> Iterator[None]:
    """Collect the verdicts that `check` shows inside the block."""

    def collect(verdict: Verdict, pages: Mapping[str, Page]) -> None:
        html = render.html(verdict, _move_addresses(pages, request.get("moved")))
        outcome.verdicts.append({"task": verdict.task, "passed": verdict.passed, "html": html})

    before, checking.show_verdict = checking.show_verdict, collect
    try:
        yield
    finally:
        checking.show_verdict = before


def _move_addresses(pages: Mapping[str, Page], moved: tuple[str, str] | None) -> dict[str, Page]:
    if not moved:
        return dict(pages)
    start, target = moved
    return {
        label: replace(page, address=target + page.address.removeprefix(start))
        if page.address.startswith(start)
        else page
        for label, page in pages.items()
    }


def _format_error(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return STOPPED_MESSAGE
    summary = traceback.TracebackException.from_exception(error)
    reader_frames = [frame for frame in summary.stack if frame.filename in (CELL_FILENAME, PREFIX_FILENAME)]
    summary.stack = traceback.StackSummary.from_list(reader_frames)
    advice = advice_on_exception(error)
    return "".join(summary.format()) + (f"{advice}\n" if advice else "")


def _is_plot(value: object) -> bool:
    """Return whether a value is a matplotlib object, whose figure is shown instead."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return type(first).__module__.startswith("matplotlib.")


def _collect_figures() -> list[str]:
    """Return the open figures as SVG data URLs and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    figures = [_encode_figure(pyplot.figure(number)) for number in pyplot.get_fignums()] if pyplot else []
    _close_figures()
    return figures


def _close_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def _encode_figure(figure: Any) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight")
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()


install_replacements()
SHARED = Shared()
