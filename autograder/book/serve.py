"""Serve the built book, and on the instructor's own machine the report and feedback, on a local port."""

import contextlib
import http.server
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.errors import CourseError

PORT = 8000
HOST = "127.0.0.1"


class _Handler(http.server.SimpleHTTPRequestHandler):
    """The book at the root; `/report/` and `/feedback/` from the classroom."""

    def __init__(self, *arguments: Any, classroom: Path, **options: Any) -> None:
        self.classroom = classroom
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        """Map the classroom's two folders; the base class keeps `..` inside the folder it is given."""
        for name in ("report", "feedback"):
            if path.startswith(f"/{name}/"):
                outside, self.directory = self.directory, str(self.classroom)
                try:
                    return super().translate_path(path)
                finally:
                    self.directory = outside
        return super().translate_path(path)

    def log_message(self, format: str, *arguments: Any) -> None:
        """A terminal that shows where the book is should keep showing it."""


def serve(course: Course, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; when the port is taken, take the next free one and say so."""
    built = course.root / "_build" / "html"
    if not (built / "index.html").is_file():
        raise CourseError("the book is not built yet: run `dimred book` first")
    handler = partial(_Handler, directory=str(built), classroom=course.classroom)
    with http.server.ThreadingHTTPServer((HOST, free_port(port)), handler) as server:
        address = f"http://{HOST}:{server.server_port}"
        say(f"book     {address}/")
        for page in sorted((course.classroom / "report").glob("*.html")):
            say(f"report   {address}/report/{page.name}")
        say("Ctrl-C stops the server.")
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    say("stopped")


def free_port(wanted: int) -> int:
    """The wanted port, or the next one that nobody uses."""
    for port in range(wanted, wanted + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((HOST, port))
                return port
    raise CourseError(f"no port between {wanted} and {wanted + 99} is free: choose one with --port")
