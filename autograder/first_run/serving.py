"""Serve the course while it is being made."""

import asyncio
import contextlib
from collections.abc import Callable

from autograder.book.serve import free_port, listen, new_word, report_addresses, site
from autograder.first_run.progress_page import BookUnderConstruction, routes
from autograder.first_run.run import FirstRun


async def serve_and_run(first_run: FirstRun, port: int, say_map: Callable[[], None]) -> None:
    """Serve until Ctrl-C.

    A failure is raised only then, because finished parts can be read meanwhile.
    """
    word = new_word()
    book = BookUnderConstruction(first_run.course, first_run.board)
    address = listen(site(first_run.course.demo, word, routes(book)), free_port(port))
    first_run.screen.say(f"{address}/ shows the book as it grows (Ctrl-C stops)")
    failure: BaseException | None = None
    try:
        await first_run.run()
    except Exception as error:
        failure = error
        first_run.screen.say(str(error))
    say_map()
    for line in report_addresses(first_run.course.demo, address, word):
        first_run.screen.say(line)
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
    first_run.screen.say("stopped")
    if failure:
        raise failure
