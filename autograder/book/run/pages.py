"""Run the pages whose outputs are missing, the longest first, and keep the outputs for Jupyter Book.

`page_runs.json` in the build folder records for each page the digest of its text, the key of its outputs in the cache
and how long it took. It is written after the outputs, so a page that it names is complete.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import yaml

from autograder.book.imports import libraries
from autograder.book.outdated import invalidate_outdated
from autograder.book.run import cache
from autograder.book.run.order import PageOrder
from autograder.book.steps import BuildProgress, BuildStep, ignore
from autograder.course.contents import book_settings, pages
from autograder.course.files import write_text
from autograder.errors import BookError

SERVER = ("-m", "autograder.book.run.server")
PAGE_SECONDS_FILE = "page_seconds.json"  # beside the pages: how long the slow ones take, for a first build
SECONDS_PER_LINE = 0.02  # of other pages that never ran; only the order of pages depends on it
# One thread each: the pages share the cores, and sums do not depend on how many there are.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
NOT_PRELOADED = ("matplotlib_inline",)  # connects itself to the kernel that imports it
BACKENDS = ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg")
INLINE = (
    "module://matplotlib_inline.backend_inline"  # ipykernel chooses it too, but after a fork it is too late
)
_CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)
_HEADER = re.compile(r"\A---\n(.*?)^---$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class PageRun:
    """The last run of a page."""

    text: str  # digest of the page
    key: str  # of its outputs in the cache
    seconds: float


class PageError(BookError):
    """A page could not be run; `log` has the traceback."""

    def __init__(self, page: str, log: str) -> None:
        """Name the page."""
        super().__init__(f"{page}: a cell failed")
        self.page, self.log = page, log


def _pages_to_run(root: Path, only: Sequence[Path] | None) -> Iterator[Path]:
    for page in pages(root):
        if (only is None or page in only) and _has_cells(page):
            yield page


def run_pages(
    root: Path,
    *,
    only: Sequence[Path] | None = None,
    first: Sequence[Path] = (),
    progress: BuildProgress = ignore,
    first_done: Callable[[], None] | None = None,
) -> list[str]:
    """Run the pages of a book that have no outputs, as many at a time as there are cores.

    Pages in `first` run before the others; `first_done` is called when their outputs are complete. Return the names of
    the pages that ran. PageError names a page whose cell failed; pages that finished before keep their outputs.
    """
    build = root / "_build"
    build.mkdir(exist_ok=True)
    invalidate_outdated(root, build)
    settings = _settings(root)
    if settings is None:
        return []
    record = _Record(build)
    candidates = [page for page in _pages_to_run(root, only) if not record.has(page, root)]
    candidates.sort(key=lambda page: (page not in first, -record.expected_seconds(page, root)))
    order = _order(root, candidates, settings)
    run = _Run(order, record, {_name(page, root) for page in first}, progress, first_done)
    if candidates:
        with _server(order, build) as events:
            for event in events:
                run.take(event)
    run.end()
    return run.ran


def _name(page: Path, root: Path) -> str:
    return page.relative_to(root).as_posix()


def _settings(root: Path) -> dict[str, Any] | None:
    """Return how Jupyter Book is told to run pages; None if only Jupyter Book can do it."""
    settings = book_settings(root, "execute")
    is_plain = settings.get("execute_notebooks") == "cache" and not settings.get("exclude_patterns")
    return settings if is_plain else None


def _has_cells(page: Path) -> bool:
    """Return whether a page has cells for the Python kernel, run under the settings of the whole book."""
    text = page.read_text("utf-8")
    header = _HEADER.match(text)
    metadata = (yaml.safe_load(header[1]) if header else None) or {}
    is_python = (metadata.get("kernelspec") or {}).get("name") == "python3"
    return is_python and "mystnb" not in metadata and _CELL.search(text) is not None


def _order(root: Path, candidates: Sequence[Path], settings: dict[str, Any]) -> PageOrder:
    modules = set().union(*(libraries(page, root) for page in candidates))
    modules = {name for name in modules if name.partition(".")[0] not in NOT_PRELOADED}
    draws = any(name.partition(".")[0] == "matplotlib" for name in modules)
    return PageOrder(
        root=str(root),
        build=str(root / "_build"),
        pages=[_name(page, root) for page in candidates],
        workers=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        timeout=settings.get("timeout"),
        libraries=[*sorted(modules), *(BACKENDS if draws else ())],
    )


class _Record:
    """The file that remembers the last run of each page."""

    def __init__(self, build: Path) -> None:
        self.build, self.path = build, build / cache.PAGE_RUNS_FILE
        stored = json.loads(self.path.read_text("utf-8")) if self.path.is_file() else {}
        self.runs = {name: PageRun(**run) for name, run in stored.items()}

    def has(self, page: Path, root: Path) -> bool:
        """Return whether the outputs of a page are in the cache, without reading them."""
        run = self.runs.get(_name(page, root))
        is_same = run is not None and run.text == cache.page_digest(page)
        return run is not None and is_same and cache.outputs_path(self.build, run.key).is_file()

    def expected_seconds(self, page: Path, root: Path) -> float:
        """Return how long a page took, here or according to the table beside it, or a guess from its length."""
        run = self.runs.get(_name(page, root))
        if run:
            return run.seconds
        table = page.parent / PAGE_SECONDS_FILE
        known = json.loads(table.read_text("utf-8")) if table.is_file() else {}
        lines = sum(cell.count("\n") for cell in _CELL.findall(page.read_text("utf-8")))
        return float(known.get(page.stem, SECONDS_PER_LINE * lines))

    def add(self, page: Path, root: Path, key: str, seconds: float) -> None:
        """Remember a run whose outputs are in the cache."""
        self.runs[_name(page, root)] = PageRun(cache.page_digest(page), key, seconds)
        write_text(self.path, json.dumps({name: asdict(run) for name, run in self.runs.items()}, indent=1))


class _Run:
    """State of a run of pages."""

    def __init__(
        self,
        order: PageOrder,
        record: _Record,
        first: set[str],
        progress: BuildProgress,
        first_done: Callable[[], None] | None,
    ) -> None:
        self.root, self.record, self.progress, self.first_done = (
            Path(order.root),
            record,
            progress,
            first_done,
        )
        self.left, self.first = set(order.pages), first
        self.ran: list[str] = []
        self.planned = 0
        self._notify()

    def take(self, event: dict[str, object]) -> None:
        """Take an event of the server."""
        getattr(self, f"_{event.pop('state')}")(**event)

    def end(self) -> None:
        """Check that every page has its outputs."""
        if self.left:
            raise BookError(f"the pages were not run: {', '.join(sorted(self.left))}; build again")

    def _plan(self, pages: int) -> None:
        self.planned = pages

    def _started(self, page: str) -> None:
        self.progress(BuildStep(f"running {page}", len(self.ran), self.planned))

    def _known(self, page: str, key: str, seconds: float) -> None:
        self._complete(page, key, seconds)

    def _finished(self, page: str, key: str, seconds: float) -> None:
        self.ran.append(page)
        self.progress(BuildStep(f"ran {page} in {seconds:.1f} s", len(self.ran), self.planned))
        self._complete(page, key, seconds)

    def _failed(self, page: str, log: str) -> None:
        raise PageError(page, log)

    def _refused(self, page: str, number: int, reason: str) -> None:
        raise OSError(number, reason)

    def _complete(self, page: str, key: str, seconds: float) -> None:
        self.record.add(self.root / page, self.root, key, seconds)
        self.left.discard(page)
        self._notify()

    def _notify(self) -> None:
        if self.first_done and not self.first & self.left:
            first_done, self.first_done = self.first_done, None
            first_done()


@contextlib.contextmanager
def _server(order: PageOrder, build: Path) -> Iterator[Iterator[dict[str, object]]]:
    """Start the server with an order and yield its events; leaving kills it and all that it started."""
    paths = [order.root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": INLINE}
    with tempfile.TemporaryFile(dir=build) as errors:
        process = subprocess.Popen(
            [sys.executable, *SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            env=environment,
            start_new_session=True,  # Ctrl-C reaches this process, which ends the others in order
        )
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(asdict(order)) + "\n")
            process.stdin.flush()
            yield _events(process, errors)
        finally:
            process.kill()  # its workers and their kernels die with it
            process.communicate()


def _events(process: "subprocess.Popen[str]", errors: IO[bytes]) -> Iterator[dict[str, object]]:
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)
    if process.wait() != 0:
        errors.seek(0)
        last = (errors.read().decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"])[-1]
        raise BookError(f"the cells of the pages could not be run: {last}")
