"""Messages between the grader and a student's process: length-prefixed JSON, bounded, with deadlines."""

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

MAX_MESSAGE = 16 * 2**20
# What lists and mappings hold, these counted fourfold: they take thirty times their text's room. Reading so many takes
# less than two seconds of CPU time, and no other submission waits longer than that.
MAX_PARTS = 1_000_000
HEADER = struct.Struct(">I")

Left = Callable[[], float]  # seconds until one gives up; asked again whenever they may be over


class WireError(Exception):
    """The other side is gone, too slow, or does not speak the protocol."""


class LateError(WireError):
    """The other side is too slow."""


def send(channel: socket.socket, message: dict[str, Any], left: Left | None = None) -> None:
    """Send one message, whole; LateError if there is no time left for it."""
    data = json.dumps(message).encode()
    if len(data) > MAX_MESSAGE:
        raise WireError(f"a message of {len(data)} bytes is too large")
    rest = memoryview(HEADER.pack(len(data)) + data)
    while rest:
        rest = rest[_send_some(channel, rest, left) :]


def _send_some(channel: socket.socket, data: memoryview, left: Left | None) -> int:
    """Return how many bytes were sent; none if the time may be over and must be asked for again."""
    seconds = _require_time(left)
    channel.settimeout(seconds)
    try:
        return channel.send(data[: 2**20])
    except TimeoutError:
        return 0
    except OSError as error:
        raise WireError(f"the process is gone ({error})") from None


def _require_time(left: Left | None) -> float | None:
    """Return the seconds that are left, None for no limit; LateError if there are none."""
    seconds = None if left is None else left()
    if seconds is not None and seconds <= 0:
        raise LateError("no answer in time")
    return None if seconds is None else max(seconds, 0.001)


def within(seconds: float) -> Left:
    """So many seconds from now, by the clock."""
    deadline = time.monotonic() + seconds
    return lambda: deadline - time.monotonic()


def receive(
    channel: socket.socket, left: Left | None = None, admit: Callable[[int], None] = lambda size: None
) -> dict[str, Any]:
    """Return the next message; WireError if it does not arrive whole in time.

    `admit` is called with the size before the message is read, and may refuse it by a WireError.
    """
    (size,) = HEADER.unpack(_exactly(channel, HEADER.size, left))
    if size > MAX_MESSAGE:
        raise WireError("it announced a message that is too large")  # its size could carry a secret
    admit(size)
    data = _exactly(channel, size, left)
    if 4 * (data.count(b"[") + data.count(b"{")) + data.count(b",") > MAX_PARTS:
        raise WireError("the process sent a message of too many parts")
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise WireError("the process sent something that is not a message") from None
    if not isinstance(message, dict):
        raise WireError("the process sent something that is not a message")
    return message


def _exactly(channel: socket.socket, size: int, left: Left | None) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        channel.settimeout(_require_time(left))
        try:
            chunk = channel.recv(min(size - len(parts), 2**20))
        except TimeoutError:
            continue
        except OSError as error:
            raise WireError(f"the process is gone ({error})") from None
        if not chunk:
            raise WireError("the process ended")
        parts += chunk
    return bytes(parts)
