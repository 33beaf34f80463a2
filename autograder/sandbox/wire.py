"""Messages between the grader and a student's process: length-prefixed JSON, bounded, with deadlines."""

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

MAX_MESSAGE_BYTES = 16 * 2**20
# Limits the parser's memory: a list or mapping counts as four items, because it takes about thirty times the memory of
# its text. Parsing so many items takes less than two CPU seconds, the longest that other submissions wait for it.
MAX_MESSAGE_ITEMS = 1_000_000
LENGTH_HEADER = struct.Struct(">I")

TimeLeft = Callable[[], float]  # returns the seconds left; called again whenever they may be used up


class WireError(Exception):
    """The other process has ended, is too slow, or breaks the protocol."""


class ReplyTimeoutError(WireError):
    """The other process did not answer in time."""


def send(channel: socket.socket, message: dict[str, object], left: TimeLeft | None = None) -> None:
    """Send one message; raise ReplyTimeoutError if the time runs out."""
    data = json.dumps(message).encode()
    if len(data) > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {len(data)} bytes is too large")
    unsent = memoryview(LENGTH_HEADER.pack(len(data)) + data)
    while unsent:
        unsent = unsent[_send_some(channel, unsent, left) :]


def _send_some(channel: socket.socket, data: memoryview, left: TimeLeft | None) -> int:
    """Send part of the data; return the number of bytes sent, 0 after a timeout."""
    seconds = _require_time(left)
    channel.settimeout(seconds)
    try:
        return channel.send(data[: 2**20])
    except TimeoutError:
        return 0
    except OSError as error:
        raise WireError(f"the process is gone ({error})") from None


def _require_time(left: TimeLeft | None) -> float | None:
    """Return the seconds left, or None without a limit.

    Raise ReplyTimeoutError if no time is left.
    """
    seconds = None if left is None else left()
    if seconds is not None and seconds <= 0:
        raise ReplyTimeoutError("no answer in time")
    return None if seconds is None else max(seconds, 0.001)


def deadline_after(seconds: float) -> TimeLeft:
    """Return a function that counts these seconds down by the wall clock."""
    deadline = time.monotonic() + seconds
    return lambda: deadline - time.monotonic()


def receive(
    channel: socket.socket, left: TimeLeft | None = None, admit: Callable[[int], None] = lambda size: None
) -> dict[str, Any]:
    """Return the next message; raise WireError if it is invalid or late.

    `admit` is called with the size before the message is read, and may refuse it with a WireError.
    """
    (size,) = LENGTH_HEADER.unpack(_receive_exactly(channel, LENGTH_HEADER.size, left))
    if size > MAX_MESSAGE_BYTES:
        raise WireError(
            "it announced a message that is too large"
        )  # the size is not shown: it could carry a secret
    admit(size)
    data = _receive_exactly(channel, size, left)
    if 4 * (data.count(b"[") + data.count(b"{")) + data.count(b",") > MAX_MESSAGE_ITEMS:
        raise WireError("the process sent a message of too many parts")
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise WireError("the process sent something that is not a message") from None
    if not isinstance(message, dict):
        raise WireError("the process sent something that is not a message")
    return message


def _receive_exactly(channel: socket.socket, size: int, left: TimeLeft | None) -> bytes:
    received = bytearray()
    while len(received) < size:
        channel.settimeout(_require_time(left))
        try:
            chunk = channel.recv(min(size - len(received), 2**20))
        except TimeoutError:
            continue
        except OSError as error:
            raise WireError(f"the process is gone ({error})") from None
        if not chunk:
            raise WireError("the process ended")
        received += chunk
    return bytes(received)
