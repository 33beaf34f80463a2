"""Base class of context managers that have a `close` method."""

from types import TracebackType
from typing import Self


class Closing:
    """A context manager that calls `close` on exit."""

    def close(self) -> None:
        """Release the resource."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Call `close`, also after an exception."""
        self.close()
