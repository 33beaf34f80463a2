"""Progress events of a first run, as JSON lines on a pipe.

Each lane of a first run is a process of its own. It writes events with a `Reporter`. The process that shows the
progress reads them with `parse_event`.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal, TextIO

from autograder.errors import describe_machine_error

StepState = Literal["waiting", "running", "done", "failed"]
STATES: tuple[StepState, ...] = ("waiting", "running", "done", "failed")
MIN_EVENT_SECONDS = 0.2  # a person cannot read faster changes


@dataclass(frozen=True)
class Event:
    """The state of one step: `done` of `total` units, and a note."""

    step: str
    state: StepState
    done: int = 0
    total: int = 0
    note: str = ""


def parse_event(line: str) -> Event | None:
    """Return the event of a line, or None for other output.

    Libraries print, too.
    """
    try:
        event = Event(**json.loads(line))
    except (ValueError, TypeError):
        return None
    return event if event.state in STATES else None


class Step:
    """A running step. Call `advance` after each unit of work.

    Set `note` before the end.
    """

    def __init__(self, name: str, write: Callable[[Event], None]) -> None:
        """Send the first event."""
        self.name, self.note, self._write = name, "", write
        self._done, self._total, self._last = 0, 0, 0.0
        self._send("running")

    def expect(self, total: int) -> None:
        """Set the number of units and restart the count at zero."""
        self._done, self._total = 0, total
        self._send("running")

    def advance(self) -> None:
        """Count one unit of work."""
        self.set_progress(self._done + 1, self._total)

    def set_progress(self, done: int, total: int) -> None:
        """Set the number of finished units.

        Events are at least MIN_EVENT_SECONDS apart.
        """
        self._done, self._total = done, total
        if time.monotonic() - self._last >= MIN_EVENT_SECONDS:
            self._send("running")

    def end(self, state: StepState) -> None:
        """Send the last event of the step."""
        self._send(state)

    def _send(self, state: StepState) -> None:
        self._last = time.monotonic()
        self._write(Event(self.name, state, self._done, self._total, self.note))


class Reporter:
    """Write the events of a lane's steps to a stream."""

    def __init__(self, stream: TextIO) -> None:
        """Write one line per event to this stream."""
        self._stream = stream

    def start(self, name: str) -> Step:
        """Start a step that the caller ends."""
        return Step(name, self._write)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Run the body as a step, which an exception fails.

        The exception's text becomes the note, and the exception is raised again.
        """
        step = self.start(name)
        try:
            yield step
        except BaseException as error:
            step.note = describe_machine_error(error) or str(error) or type(error).__name__
            step.end("failed")
            raise
        step.end("done")

    def _write(self, event: Event) -> None:
        self._stream.write(json.dumps(asdict(event), ensure_ascii=True) + "\n")
        self._stream.flush()
