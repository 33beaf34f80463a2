"""Pages to be run, as `pages` tells `server`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageOrder:
    """Pages in the order in which they start, and how they run."""

    root: str
    build: str
    pages: list[str]  # relative to the root
    workers: int
    timeout: int | None  # seconds for each cell
    libraries: list[str]  # modules to be imported before the first page starts
