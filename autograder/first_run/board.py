"""The state of all steps of a first run."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.first_run.events import Event, StepState


@dataclass
class StepStatus:
    """The state of one step; `seconds` counts until it has ended."""

    title: str
    state: StepState = "waiting"
    done: int = 0
    total: int = 0
    note: str = ""
    start: float = 0.0
    seconds: float = 0.0

    def apply(self, event: Event) -> None:
        """Update the state from an event."""
        if self.state == "waiting":
            self.start = time.monotonic()
        self.state, self.done, self.total, self.note = event.state, event.done, event.total, event.note
        self.seconds = time.monotonic() - self.start

    @property
    def has_ended(self) -> bool:
        """Whether the step is done or has failed."""
        return self.state in ("done", "failed")

    def describe_progress(self) -> str:
        """Return the title, with the count of finished units if known."""
        return f"{self.title} {self.done} of {self.total}" if self.total else self.title


class Board:
    """The steps in the order in which they are shown."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Begin with every step waiting."""
        self.steps = {name: StepStatus(title) for name, title in titles.items()}

    def apply(self, event: Event) -> StepStatus | None:
        """Update a step from an event; return it if it ended now."""
        status = self.steps.get(event.step)
        if status is None or status.has_ended:
            return None
        status.apply(event)
        return status if status.has_ended else None

    def fail_unfinished(self, names: tuple[str, ...], note: str) -> list[StepStatus]:
        """Mark the unfinished steps among `names` as failed and return them.

        Their process has ended. If another of these steps failed before, the note refers to it.
        """
        reasons = [status.title for name in names if (status := self.steps[name]).state == "failed"]
        if reasons:
            note = f"see {reasons[0]}"
        ended = [self.apply(Event(name, "failed", note=note)) for name in names]
        return [status for status in ended if status]

    def is_done(self, name: str) -> bool:
        """Return whether this step ended without failure."""
        return self.steps[name].state == "done"

    @property
    def has_failures(self) -> bool:
        """Whether a step failed."""
        return any(status.state == "failed" for status in self.steps.values())

    @property
    def is_finished(self) -> bool:
        """Whether all steps have ended."""
        return all(status.has_ended for status in self.steps.values())

    def as_json(self) -> list[dict[str, object]]:
        """Return the steps for the progress page."""
        return [
            {"title": status.describe_progress(), "state": status.state, "note": status.note}
            for status in self.steps.values()
        ]
