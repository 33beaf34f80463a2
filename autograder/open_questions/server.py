"""Serve the page for grading open questions, on this machine only.

Each grader has an address with a random token, drawn at each start, which authenticates the grader. Requests with a
foreign Host header are rejected, against DNS rebinding (see `autograder.book.serve`). Students' text is sanitised as in
formgrader, and the content security policy allows only the page's own scripts.
"""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tornado.web import Application, HTTPError, StaticFileHandler

from autograder.book.serve import Guarded, free_port, listen
from autograder.course.course import Course
from autograder.course.mathjax import mathjax_folder
from autograder.errors import CourseError
from autograder.open_questions.answers import collect_open_questions
from autograder.open_questions.decide import ConflictError, parse_decision, write_decision
from autograder.open_questions.view import View

QUESTIONS_PAGE_FOLDER = Path(__file__).parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
MAX_REQUEST_BYTES = 1_000_000


@dataclass
class Desk:
    """State shared by the handlers: course, topic, graders' tokens, a worker thread."""

    course: Course
    topic: str
    is_anonymous: bool
    graders: dict[str, str]  # token in the address → name
    writer: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def view(self, grader: str) -> View:
        """Return a grader's view of the topic."""
        return View(self.course, self.topic, self.is_anonymous, grader)


class DeskHandler(Guarded):
    """Base handler: authenticates the grader by the token and forbids caching."""

    desk: Desk
    grader: str

    def initialize(self, desk: Desk) -> None:
        """Store the shared state."""
        self.desk = desk

    def prepare(self) -> None:
        """Reject foreign hosts, unknown tokens and cross-site POST requests."""
        super().prepare()
        word = self.request.path.split("/")[1]
        grader = next((name for known, name in self.desk.graders.items() if _same(known, word)), None)
        if grader is None:
            raise HTTPError(404)
        self.grader = grader
        if self.request.method == "POST":
            self._require_same_site()

    def _require_same_site(self) -> None:
        """Require JSON from the page's own origin, against cross-site requests."""
        origin = self.request.headers.get("Origin")
        kind = self.request.headers.get("Content-Type", "")
        if origin != f"{self.request.protocol}://{self.request.host}" or not kind.startswith(
            "application/json"
        ):
            raise HTTPError(403)

    def check_xsrf_cookie(self) -> None:
        """Skip Tornado's cookie check, because the token authenticates the grader."""

    def set_default_headers(self) -> None:
        """Set the content security policy and forbid caching of names and answers."""
        super().set_default_headers()
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Cache-Control", "no-store")

    async def work(self, task: Callable[[], object]) -> Any:
        """Run a task that uses the gradebook, one at a time, in the worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self.desk.writer, task)


class PageHandler(DeskHandler):
    """Serves the page, its script and its style sheet."""

    FILES: ClassVar = {
        "": ("page.html", "text/html"),
        "page.js": ("page.js", "text/javascript"),
        "page.css": ("page.css", "text/css"),
    }

    def get(self, name: str) -> None:
        """Send a file of the page."""
        if name not in self.FILES:
            raise HTTPError(404)
        file, kind = self.FILES[name]
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish((QUESTIONS_PAGE_FOLDER / file).read_bytes())


class StateHandler(DeskHandler):
    """Serves the questions and the groups of a question."""

    async def get(self) -> None:
        """Send the state of a question as JSON."""
        question = self.get_argument("question", "")
        self.finish(await self.work(lambda: self.desk.view(self.grader).state(question)))


class DecisionHandler(DeskHandler):
    """Receives a decision about a group."""

    async def post(self) -> None:
        """Write a decision.

        Status 409: an answer has changed. 422: invalid decision. 423: CourseError, such as a run that holds the lock.
        """
        try:
            tree = json.loads(self.request.body)
            await self.work(lambda: self._decide(tree))
            self.finish({"written": len(tree["versions"])})
        except ConflictError as error:
            self._refuse(409, f"{error}: nothing was written; look at them again")
        except CourseError as error:
            self._refuse(423, str(error))
        except (ValueError, TypeError, LookupError) as error:
            self._refuse(422, str(error))

    def _decide(self, tree: dict[str, Any]) -> None:
        course, topic = self.desk.course, self.desk.topic
        questions = {question.name: question for question in collect_open_questions(course, topic)}
        question = questions[tree["question"]]
        decision = parse_decision(question, tree, self.grader)
        versions = self.desk.view(self.grader).students_of(question.name, dict(tree["versions"]))
        write_decision(course, topic, decision, versions)

    def _refuse(self, status: int, message: str) -> None:
        self.set_status(status)
        self.finish({"message": message})


class MathJaxFiles(Guarded, StaticFileHandler):
    """Serves the book's MathJax; Tornado rejects paths outside the folder."""


def _same(known: str, word: str) -> bool:
    return secrets.compare_digest(known.encode(), word.encode())


def application(desk: Desk) -> Application:
    """Return the web application of a topic's open questions."""
    shared = {"desk": desk}
    return Application(
        [
            (r"/[\w-]+/state", StateHandler, shared),
            (r"/[\w-]+/decide", DecisionHandler, shared),
            (r"/mathjax/(.*)", MathJaxFiles, {"path": str(mathjax_folder())}),
            (r"/[\w-]+/((?:page\.(?:js|css))?)", PageHandler, shared),
        ],
        log_function=lambda handler: None,
        max_body_size=MAX_REQUEST_BYTES,
    )


def make_desk(course: Course, topic: str, graders: Sequence[str], *, is_anonymous: bool) -> Desk:
    """Return the shared state with a new token per grader.

    Raise CourseError if there are no answers to grade.
    """
    View(course, topic, is_anonymous, "").state("")
    return Desk(course, topic, is_anonymous, {secrets.token_urlsafe(16): grader for grader in graders})


def serve_open_questions(desk: Desk, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C and print each grader's address."""

    async def run() -> None:
        address = listen(application(desk), free_port(port))
        for word, grader in desk.graders.items():
            say(f"{grader}: {address}/{word}/")
        say("Ctrl-C stops the server; every decision is in the gradebook at once.")
        await asyncio.Event().wait()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())
    say("stopped")
