"""The board of a first run: which steps there are, and how far each of them is."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.first_run.events import Event, State


@dataclass
class StepStatus:
    """How far one step is; `seconds` is its duration once it has ended."""

    title: str
    state: State = "waiting"
    done: int = 0
    total: int = 0
    note: str = ""
    start: float = 0.0
    seconds: float = 0.0

    def apply(self, event: Event) -> None:
        """Take over what an event says."""
        if self.state == "waiting":
            self.start = time.monotonic()
        self.state, self.done, self.total, self.note = event.state, event.done, event.total, event.note
        self.seconds = time.monotonic() - self.start

    @property
    def has_ended(self) -> bool:
        """Is the step done, or has it failed?"""
        return self.state in ("done", "failed")

    def describe_progress(self) -> str:
        """Return the title with the count of finished units, if there is one."""
        return f"{self.title} {self.done} of {self.total}" if self.total else self.title


class Board:
    """The steps in the order in which they are shown."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Begin with every step waiting."""
        self.steps = {name: StepStatus(title) for name, title in titles.items()}

    def apply(self, event: Event) -> StepStatus | None:
        """Take over what an event says; return the step if it has ended by this event."""
        status = self.steps.get(event.step)
        if status is None or status.has_ended:
            return None
        status.apply(event)
        return status if status.has_ended else None

    def fail_unfinished(self, names: tuple[str, ...], note: str) -> list[StepStatus]:
        """Mark the unfinished ones of these steps as failed: their process has ended. Return them."""
        ended = [self.apply(Event(name, "failed", note=note)) for name in names]
        return [status for status in ended if status]

    def is_done(self, name: str) -> bool:
        """Has this step ended well?"""
        return self.steps[name].state == "done"

    @property
    def has_failures(self) -> bool:
        """Did a step fail?"""
        return any(status.state == "failed" for status in self.steps.values())

    @property
    def is_finished(self) -> bool:
        """Have all steps ended?"""
        return all(status.has_ended for status in self.steps.values())

    def as_json(self) -> list[dict[str, Any]]:
        """Return the board for the progress page."""
        return [
            {"title": status.describe_progress(), "state": status.state, "note": status.note}
            for status in self.steps.values()
        ]
