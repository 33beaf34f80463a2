"""What a browser gets while the book is being built, asked over the loopback interface."""

import asyncio
import contextlib
import json
import threading
import urllib.error
import urllib.request

import pytest

from autograder.book.serve import free_port, listen, site
from autograder.course.course import Course
from autograder.first_run.board import Board
from autograder.first_run.events import Event
from autograder.first_run.progress_page import BookUnderConstruction, routes

TITLES = {"first": "first chapters", "book": "whole book"}


@contextlib.contextmanager
def served(course, board):
    """Serve in a thread; give the address."""
    loop, ready, address = asyncio.new_event_loop(), threading.Event(), []

    async def start():
        application = site(course, "word", routes(BookUnderConstruction(course, board)))
        address.append(listen(application, free_port(8700)))
        ready.set()

    def run():
        asyncio.set_event_loop(loop)
        loop.create_task(start())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield address[0]
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def get(address):
    with urllib.request.urlopen(address) as answer:
        return answer.read().decode()


def status_or_text(address):
    try:
        return get(address)
    except urllib.error.HTTPError as error:
        return str(error.code) if error.code in (400, 403, 404) else f"secret status {error.code}"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def course(tmp_path):
    return Course(tmp_path)


def test_the_book_grows_while_it_is_served(course):
    board = Board(TITLES)
    with served(course, board) as address:
        assert "The course is being made" in get(f"{address}/")
        write(course.root / "_build/first/html/index.html", "the first chapters")
        assert get(f"{address}/") == "the first chapters"
        assert "The course is being made" in get(f"{address}/book/later.html")
        write(course.root / "_build/html/book/later.html", "a later chapter")
        assert "The course is being made" in get(f"{address}/book/later.html")
        write(course.root / "_build/html/index.html", "the whole book")
        assert get(f"{address}/") == "the whole book"
        assert get(f"{address}/book/later.html") == "a later chapter"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"{address}/book/never.html")


def test_the_progress_page_tells_every_step(course):
    board = Board(TITLES)
    with served(course, board) as address:
        board.apply(Event("first", "running", 2, 5))
        data = json.loads(get(f"{address}/progress.json"))
        assert data["steps"][0] == {"title": "first chapters 2 of 5", "state": "running", "note": ""}
        assert data["ready"] == ""
        board.apply(Event("first", "failed", note="</script><script>alert(1)</script>"))
        page = get(f"{address}/progress")
        assert "</script><script>alert" not in page
        assert "\\u003c/script>" in page


@pytest.mark.parametrize(
    "target", ["../page.json", "%2e%2e/page.json", "..%2fpage.json", "../../secret.html"]
)
def test_nothing_outside_the_served_folder_is_reached(course, target):
    write(course.root / "_build/page.json", "secret")
    write(course.root / "secret.html", "secret")
    write(course.root / "_build/first/html/index.html", "the first chapters")
    with served(course, Board(TITLES)) as address:
        assert "secret" not in status_or_text(f"{address}/{target}")
