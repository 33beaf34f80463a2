"""Run pages in workers that are forked from this process, which has imported their libraries once.

Started by `pages` as a program. Standard input: one line of JSON with the order; when it is closed, everything ends.
Standard output: one line of JSON for each event ("started", "finished", "failed").
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import sys
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, TextIO

from autograder.book.run import cache, kernel
from autograder.book.run.order import PageOrder


def read_page(page: Path) -> object:
    """Return a page as a notebook, as Jupyter Book reads it."""
    from myst_nb.core.read import myst_nb_reader_plugin  # type: ignore[import-untyped]

    return myst_nb_reader_plugin(str(page))


def work(page: str, order: PageOrder, answer: Connection) -> None:
    """Run one page and send its notebook, or the reason why it failed."""
    kernel.die_with_parent()
    path = Path(order.root, page)
    try:
        notebook = read_page(path)
        seconds = kernel.timed(lambda: kernel.execute(notebook, path.parent, order.timeout))
        answer.send({"notebook": json.dumps(notebook), "seconds": seconds})
    except Exception:
        answer.send({"failure": traceback.format_exc()})


class Server:
    """The workers that run, and the pages that wait."""

    def __init__(self, order: PageOrder, events: TextIO) -> None:
        """Start nothing yet."""
        self.order, self.events = order, events
        self.build = Path(order.build)
        self.waiting: list[str] = []
        self.running: dict[Connection, tuple[str, Any]] = {}
        self.context: Any = multiprocessing.get_context("fork" if kernel.CAN_FORK else "spawn")

    def plan(self) -> bool:
        """Find out which pages have no outputs; return whether there are any."""
        for page in self.order.pages:
            key = cache.hash_key(read_page(Path(self.order.root, page)), self.build)
            if cache.is_complete(self.build, key):
                self._tell(page, "known", key=key, seconds=cache.seconds(self.build, key))
            else:
                cache.remove(self.build, key)
                self.waiting.append(page)
        self.events_line(state="plan", pages=len(self.waiting))
        return bool(self.waiting)

    def run(self) -> None:
        """Run the pages; stop when one fails or the caller has ended."""
        while self.waiting or self.running:
            while self.waiting and len(self.running) < self.order.workers:
                self._start(self.waiting.pop(0))
            for ready in wait([*self.running, sys.stdin.fileno()]):
                if not isinstance(ready, Connection):
                    raise SystemExit("the caller has ended")
                if not self._collect(ready):
                    return

    def _start(self, page: str) -> None:
        ours, theirs = self.context.Pipe(duplex=False)
        process = self.context.Process(
            target=work, args=(page, self.order, theirs), daemon=not kernel.CAN_FORK
        )
        self._tell(page, "started")
        process.start()
        theirs.close()
        self.running[ours] = page, process

    def _collect(self, ready: Connection) -> bool:
        """Keep the outputs of a page whose worker has answered; return whether it succeeded."""
        page, process = self.running.pop(ready)
        answer: dict[str, Any] = {}
        with contextlib.suppress(EOFError):
            answer = ready.recv()
        process.join()
        ready.close()
        if "notebook" not in answer:
            failure = answer.get("failure") or f"its process ended with code {process.exitcode}"
            self._tell(page, "failed", log=failure)
            return False
        from nbformat import from_dict

        notebook = from_dict(json.loads(answer["notebook"]))
        try:
            key = cache.write_outputs(self.build, Path(self.order.root, page), notebook, answer["seconds"])
        except OSError as error:  # a full disk
            self._tell(page, "refused", number=error.errno, reason=str(error.strerror))
            return False
        self._tell(page, "finished", key=key, seconds=answer["seconds"])
        return True

    def _tell(self, page: str, state: str, **details: object) -> None:
        self.events_line(page=page, state=state, **details)

    def events_line(self, **event: object) -> None:
        """Write an event."""
        self.events.write(json.dumps(event) + "\n")
        self.events.flush()


@contextlib.contextmanager
def _events() -> Iterator[TextIO]:
    """Take standard output for events; what libraries print there goes to standard error."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as events:
        os.dup2(2, 1)
        yield events


def main() -> None:
    """Read an order and run it."""
    line = b""
    while not line.endswith(b"\n"):  # unbuffered: a closed input must stay visible to `wait`
        line += os.read(0, 1 << 16) or b"\n"
    order = PageOrder(**json.loads(line))
    with _events() as events:
        server = Server(order, events)
        if not server.plan():
            return
        _import(order)
        try:
            server.run()
        finally:
            for _, process in server.running.values():
                process.kill()


def _import(order: PageOrder) -> None:
    """Import what pages need, for workers to inherit."""
    if not kernel.CAN_FORK:
        return
    sys.path[:] = [order.root, *(folder for folder in sys.path if folder not in ("", order.root))]
    kernel.import_modules()
    for name in order.libraries:
        with contextlib.suppress(ImportError):  # the page that needs it says so
            importlib.import_module(name)


if __name__ == "__main__":
    main()
