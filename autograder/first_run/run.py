"""Run the lanes of a first run in parallel and show progress."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.first_run.board import Board
from autograder.first_run.lane_process import Lane, LaneProcess
from autograder.first_run.screen import Screen

COURSE_LOG = "course.log"  # below _build
SCREEN_SECONDS = 0.5  # between two updates of a terminal's last line


@dataclass
class FirstRun:
    """Lanes with their board and screen.

    `after` maps a lane to the lanes that it waits for.
    """

    course: Course
    lanes: Sequence[Lane]
    titles: Mapping[str, str]
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verbose: bool = False

    def __post_init__(self) -> None:
        """Begin with an empty board."""
        self.board = Board(self.titles)
        self.screen = Screen()
        self._ended = {lane.name: asyncio.Event() for lane in self.lanes}

    async def run(self) -> None:
        """Run all lanes to their end. Raise CourseError if a step failed."""
        start = time.monotonic()
        with self._log() as log:
            ticker = asyncio.create_task(self._tick())
            try:
                async with asyncio.TaskGroup() as group:
                    for lane in self.lanes:
                        group.create_task(self._run_lane(lane, log))
            finally:
                ticker.cancel()
        if self.board.has_failures:
            raise CourseError(f"not everything could be made: see the lines above and {self._log_path}")
        self.screen.say(f"everything is ready after {time.monotonic() - start:.0f} s")

    async def _run_lane(self, lane: Lane, log: IO[bytes] | None) -> None:
        for name in self.after.get(lane.name, ()):
            await self._ended[name].wait()
        async with _started(lane, self.course.root, log) as process:
            async for event in process.events():
                if ended := self.board.apply(event):
                    self.screen.say_ended(ended)
            note = f"its process ended with code {process.exit_code}"
            for status in self.board.fail_unfinished(lane.steps, note):
                self.screen.say_ended(status)
        self._ended[lane.name].set()

    async def _tick(self) -> None:
        while True:
            self.screen.show_running(self.board)
            await asyncio.sleep(SCREEN_SECONDS)

    @contextlib.contextmanager
    def _log(self) -> Iterator[IO[bytes] | None]:
        if self.verbose:
            yield None
            return
        self._log_path.parent.mkdir(exist_ok=True)
        with self._log_path.open("wb") as log:
            yield log

    @property
    def _log_path(self) -> Path:
        return self.course.root / "_build" / COURSE_LOG


@contextlib.asynccontextmanager
async def _started(lane: Lane, folder: Path, log: IO[bytes] | None) -> AsyncIterator[LaneProcess]:
    """Start a lane, and stop it with all its processes afterwards."""
    process = await LaneProcess.start(lane, folder, log)
    try:
        yield process
    finally:
        await asyncio.shield(process.stop())
