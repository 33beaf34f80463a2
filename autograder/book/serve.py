"""Serve the built book, reports and feedback on a local port.

Tornado serves the files of exactly three folders. A path is decoded and resolved, links included, before it is compared
with its folder, and there are no listings. The server listens on the loopback interface and checks the Host header:
DNS rebinding (a page of another site whose host name leads here) gets nothing. A content security policy forbids
requests to other hosts, and reports and feedback are never cached. Other users of this machine can read the book.
Reports and feedback lie below a random word that is printed for the instructor at each start.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError, RequestHandler, StaticFileHandler

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.terminal import print

BOOK_PORT = 8000
HOST = "127.0.0.1"
OWN_NAMES = (HOST, "localhost")
FOR_INSTRUCTORS = ("report", "feedback")  # the only served folders of the classroom
# Content security policies. The book's pages hold inline scripts; live ones run WebAssembly in workers, and JupyterLab
# compiles its schemas with `new Function`. Nothing may come from, or go to, another host.
BOOK_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; connect-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'self'"
)
# A report is one file with inline script and style, and loads nothing.
PRIVATE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guarded(RequestHandler):
    """Handler that checks the Host header (DNS rebinding)."""

    def prepare(self) -> None:
        """Reject requests whose Host header is not localhost."""
        name, _, port = self.request.host.rpartition(":")
        if name not in OWN_NAMES or not port.isdigit():
            raise HTTPError(421)

    def set_default_headers(self) -> None:
        """Forbid other sites to embed or sniff what is served."""
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Referrer-Policy", "no-referrer")  # the address may contain the secret word
        self.set_header("Content-Security-Policy", BOOK_POLICY)

    def log_exception(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Print unexpected errors only.

        Refused requests are not printed: any site can send them, with any text.
        """
        if not isinstance(error, HTTPError):
            print(f"{type(error).__name__}: {error}", file=sys.stderr)

    def write_error(self, status_code: int, **details: object) -> None:
        """Send only the status code, neither a path nor a trace."""
        self.finish(f"{status_code}\n")


class FolderFiles(Guarded, StaticFileHandler):
    """Files of one folder; Tornado refuses `..` and links outside it."""

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Refuse names with a null byte, at which the system would raise."""
        if "\0" in absolute_path:
            raise HTTPError(404)
        return super().validate_absolute_path(root, absolute_path)


class _PrivateFiles(FolderFiles):
    """Reports and feedback, with names and grades, which are never cached."""

    def set_extra_headers(self, path: str) -> None:
        """Replace what Tornado says about caching, and the policy of the book."""
        self.clear_header("Expires")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Security-Policy", PRIVATE_POLICY)


class _Nothing(Guarded):
    """Handler for all other addresses."""

    def prepare(self) -> None:
        """Answer 404 to every method."""
        super().prepare()
        raise HTTPError(404)


Route = tuple[str, type[RequestHandler], dict[str, object]]


def site(course: Course, word: str, book: Sequence[Route] = ()) -> Application:
    """Return the application: book, reports and feedback.

    The book is at the root, `/<word>/report/` and `/<word>/feedback/` come from the classroom. `book` replaces the
    routes of the finished book while it is being built.
    """
    rooms = [
        _folder(rf"/{word}/{name}/(.*)", course.classroom / name, _PrivateFiles) for name in FOR_INSTRUCTORS
    ]
    return Application(
        [*rooms, *(book or [_folder(r"/(.*)", course.root / "_build" / "html", FolderFiles)])],
        default_handler_class=_Nothing,
        log_function=lambda handler: None,  # requests must not scroll the address off the terminal
    )


def _folder(pattern: str, folder: Path, handler: type[FolderFiles]) -> Route:
    return pattern, handler, {"path": str(folder.resolve()), "default_filename": "index.html"}


def serve_folders(course: Course, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, on the next free port if necessary."""
    if not (course.root / "_build" / "html" / "index.html").is_file():
        raise CourseError(f"the book is not built yet: run `{program_name()} book` first")
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
    """Return a random word for the addresses of reports and feedback."""
    return secrets.token_urlsafe(16)


def listen(application: Application, port: int) -> str:
    """Listen on the loopback interface; return the address."""
    logging.getLogger("tornado.general").setLevel(logging.CRITICAL)  # it would print malformed requests
    HTTPServer(application).listen(port, HOST)
    return f"http://{HOST}:{port}"


def report_addresses(course: Course, address: str, word: str) -> list[str]:
    """Return a line for the reports' index, or for each report."""
    pages = sorted((course.classroom / "report").glob("*.html"))
    pages = [page for page in pages if page.name == "index.html"] or pages
    return [f"report   {address}/{word}/report/{page.name}" for page in pages]


def free_port(first: int) -> int:
    """Return the first free port from `first` on."""
    for port in range(first, first + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((HOST, port))
                return port
    raise CourseError(f"no port between {first} and {first + 99} is free: choose one with --port")
