"""Progress of a build, as callers receive it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class BuildStep:
    """A line of progress; `done` of `total` pages have run when `total` is not 0."""

    text: str
    done: int = 0
    total: int = 0

    def __str__(self) -> str:
        """Return the line."""
        return self.text


BuildProgress = Callable[[BuildStep], None]


def ignore(step: BuildStep) -> None:
    """Ignore a step: the default of functions that report progress."""
