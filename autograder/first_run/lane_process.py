"""Processes of a first run: start a lane, read events, stop it.

A lane runs in its own session, so that one signal also ends its kernels and workers. It ends itself when its standard
input closes, so a killed parent leaves nothing running.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import IO

from autograder.first_run.events import Event, parse_event

STOP_SECONDS = 5.0  # between asking a lane to stop and killing it
EXIT_POLL_SECONDS = 0.05
MAX_EVENT_BYTES = 1 << 20


@dataclass(frozen=True)
class Lane:
    """Steps that run one after the other in a process."""

    name: str
    steps: tuple[str, ...]
    command: tuple[str, ...]


class LaneProcess:
    """A running lane."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Wrap a started process."""
        self._process = process

    @classmethod
    async def start(cls, lane: Lane, folder: os.PathLike[str], log: IO[bytes] | None) -> "LaneProcess":
        """Start a lane in a folder.

        Its standard error goes to `log`, or to the terminal without one.
        """
        process = await asyncio.create_subprocess_exec(
            *lane.command,
            cwd=folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=MAX_EVENT_BYTES,
            start_new_session=True,
        )
        return cls(process)

    async def events(self) -> AsyncIterator[Event]:
        """Yield the lane's events until it ends."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            if event := parse_event(line.decode("utf-8", "replace")):
                yield event
        await self._process.wait()

    @property
    def exit_code(self) -> int | None:
        """The exit code, once the lane has ended."""
        return self._process.returncode

    async def stop(self) -> None:
        """Interrupt the lane, then kill the rest of its session."""
        if self._process.returncode is None:
            self._signal(signal.SIGINT)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._end(), STOP_SECONDS)
        self._signal(signal.SIGKILL)
        await self._process.wait()

    async def _end(self) -> None:
        """Wait for the end of the process alone.

        `wait` of asyncio waits for the end of its pipes, too, which workers of the lane hold open.
        """
        while self._process.returncode is None:
            await asyncio.sleep(EXIT_POLL_SECONDS)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def end_with_parent() -> None:
    """Kill this process's session when standard input closes.

    Call it once, at the start of a lane.
    """

    def watch() -> None:
        with contextlib.suppress(OSError, ValueError):
            while os.read(sys.stdin.fileno(), 1024):
                pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def lane_command(name: str, options: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the command that runs a lane of this package."""
    return (sys.executable, "-m", "autograder.first_run.lanes", name, *options)
