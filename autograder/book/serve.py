"""Serve the built book, and on the instructor's own machine the report and feedback, on a local port.

Tornado serves the files. Exactly three folders can be reached: a path is decoded and resolved, links
included, before it is compared with its folder; there are no listings. The server listens on this machine
only, and answers only requests that call it by this machine's name: a page of another site that has
its own name lead here (DNS rebinding) gets nothing. A content security policy keeps pages from asking any other host,
and no cache keeps reports and feedback. Others who work on this machine can read the book; reports and
feedback lie below a word that is drawn at each start and printed for whoever started the server.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError, RequestHandler, StaticFileHandler

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.terminal import print

PORT = 8000
HOST = "127.0.0.1"
OWN_NAMES = (HOST, "localhost")
FOR_INSTRUCTORS = ("report", "feedback")  # of the classroom, nothing else in it
# Content security policies. The book's pages hold inline scripts; live ones run WebAssembly in workers, and JupyterLab
# compiles its schemas with `new Function`. Nothing may come from, or go to, another host.
BOOK_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; connect-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'self'"
)
# A report is one file with its script and style in it: it asks for nothing.
PRIVATE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guarded(RequestHandler):
    """Answers those who call this machine by its own name."""

    def prepare(self) -> None:
        """Refuse other names before anything is looked up."""
        name, _, port = self.request.host.rpartition(":")
        if name not in OWN_NAMES or not port.isdigit():
            raise HTTPError(421)

    def set_default_headers(self) -> None:
        """Let no other site embed or guess what is served here."""
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Referrer-Policy", "no-referrer")  # an address here may hold the word
        self.set_header("Content-Security-Policy", BOOK_POLICY)

    def log_exception(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say nothing of what was refused: any site can ask for any name, and this goes to a terminal."""
        if not isinstance(error, HTTPError):
            print(f"{type(error).__name__}: {error}", file=sys.stderr)

    def write_error(self, status_code: int, **details: object) -> None:
        """Say no more than the number: neither a path nor a trace."""
        self.finish(f"{status_code}\n")


class FolderFiles(Guarded, StaticFileHandler):
    """The files of one folder; Tornado keeps `..`, encoded or not, and links inside it."""

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Refuse names that no file can have: the system would raise at them."""
        if "\0" in absolute_path:
            raise HTTPError(404)
        return super().validate_absolute_path(root, absolute_path)


class _PrivateFiles(FolderFiles):
    """Reports and feedback: names and grades, which no cache may keep."""

    def set_extra_headers(self, path: str) -> None:
        """Replace what Tornado says about caching, and the policy of the book."""
        self.clear_header("Expires")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Security-Policy", PRIVATE_POLICY)


class _Nothing(Guarded):
    """What is in none of the folders."""

    def prepare(self) -> None:
        """Refuse, whatever the method."""
        super().prepare()
        raise HTTPError(404)


Route = tuple[str, type[RequestHandler], dict[str, Any]]


def site(course: Course, word: str, book: Sequence[Route] = ()) -> Application:
    """Return the site: the book at the root, `/<word>/report/` and `/<word>/feedback/` from the classroom.

    `book` replaces the routes of a finished book, as long as it is being built.
    """
    rooms = [
        _folder(rf"/{word}/{name}/(.*)", course.classroom / name, _PrivateFiles) for name in FOR_INSTRUCTORS
    ]
    return Application(
        [*rooms, *(book or [_folder(r"/(.*)", course.root / "_build" / "html", FolderFiles)])],
        default_handler_class=_Nothing,
        log_function=lambda handler: None,  # a terminal that shows where the book is should keep showing it
    )


def _folder(pattern: str, folder: Path, handler: type[FolderFiles]) -> Route:
    return pattern, handler, {"path": str(folder.resolve()), "default_filename": "index.html"}


def serve(course: Course, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; when the port is taken, take the next free one and say so."""
    if not (course.root / "_build" / "html" / "index.html").is_file():
        raise CourseError("the book is not built yet: run `dimred book` first")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(course, free_port(port), say))
    say("stopped")


async def _serve(course: Course, port: int, say: Callable[[str], None]) -> None:
    word = new_word()
    address = listen(site(course, word), port)
    say(f"book     {address}/")
    for line in report_addresses(course, address, word):
        say(line)
    say("Ctrl-C stops the server.")
    await asyncio.Event().wait()


def new_word() -> str:
    """Return a fresh word for the addresses of reports and feedback, which nobody can guess."""
    return secrets.token_urlsafe(16)


def listen(application: Application, port: int) -> str:
    """Listen on this machine's loopback interface; return the address."""
    logging.getLogger("tornado.general").setLevel(logging.CRITICAL)  # it would quote requests that are none
    HTTPServer(application).listen(port, HOST)
    return f"http://{HOST}:{port}"


def report_addresses(course: Course, address: str, word: str) -> list[str]:
    """Return a line for the report of the course, or for each report if there is none."""
    pages = sorted((course.classroom / "report").glob("*.html"))
    pages = [page for page in pages if page.name == "index.html"] or pages
    return [f"report   {address}/{word}/report/{page.name}" for page in pages]


def free_port(wanted: int) -> int:
    """The wanted port, or the next one that nobody uses."""
    for port in range(wanted, wanted + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((HOST, port))
                return port
    raise CourseError(f"no port between {wanted} and {wanted + 99} is free: choose one with --port")
