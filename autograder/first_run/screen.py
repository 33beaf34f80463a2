"""Terminal output of a first run.

Each finished step has a line. A terminal also shows one line on the running steps.
"""

import sys

from autograder.first_run.board import Board, StepStatus
from autograder.terminal import print, printable

TITLE_WIDTH = 24
CLEAR_LINE = "\r\x1b[K"


class Screen:
    """Write the progress of a first run to standard output."""

    def __init__(self) -> None:
        """Check whether standard output is a terminal, which can overwrite a line."""
        self._is_terminal = sys.stdout.isatty()
        self._has_status_line = False

    def say(self, line: str) -> None:
        """Print a line."""
        self._clear()
        print(line)

    def say_ended(self, status: StepStatus) -> None:
        """Print the line of a step that has ended."""
        note = status.note if status.state == "done" else f"failed: {status.note}"
        self.say(f"  {status.title:<{TITLE_WIDTH}}{status.seconds:4.0f} s  {note}".rstrip())

    def show_running(self, board: Board) -> None:
        """Overwrite a terminal's last line with the running steps."""
        running = [status for status in board.steps.values() if status.state == "running"]
        if not self._is_terminal or not running:
            return
        line = printable(" · ".join(status.describe_progress() for status in running))
        sys.stdout.write(f"{CLEAR_LINE}  … {line[:100]}")
        sys.stdout.flush()
        self._has_status_line = True

    def _clear(self) -> None:
        if self._has_status_line:
            sys.stdout.write(CLEAR_LINE)
            self._has_status_line = False
