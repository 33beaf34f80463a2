"""What a `with` block closes when it is left, whatever happened."""

from types import TracebackType
from typing import Self


class Closing:
    """What a `with` block closes when it is left, whatever happened."""

    def close(self) -> None:
        """End it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
