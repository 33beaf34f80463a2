"""Messages between the grader and a student's process: length-prefixed JSON, bounded, with deadlines."""

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

MAX_MESSAGE = 16 * 2**20
MAX_PARTS = 4_000_000  # what lists and mappings hold, these counted fourfold: they take thirty times their text's room
HEADER = struct.Struct(">I")

Left = Callable[[], float]  # seconds until one gives up; asked again whenever they may be over


class WireError(Exception):
    """The other side is gone, too slow, or does not speak the protocol."""


class LateError(WireError):
    """The other side is too slow."""


def send(channel: socket.socket, message: dict[str, Any]) -> None:
    """Send one message, whole."""
    data = json.dumps(message).encode()
    if len(data) > MAX_MESSAGE:
        raise WireError(f"a message of {len(data)} bytes is too large")
    try:
        channel.sendall(HEADER.pack(len(data)) + data)
    except OSError as error:
        raise WireError(f"the process is gone ({error})") from None


def within(seconds: float) -> Left:
    """So many seconds from now, by the clock."""
    deadline = time.monotonic() + seconds
    return lambda: deadline - time.monotonic()


def receive(channel: socket.socket, left: Left | None = None) -> dict[str, Any]:
    """Return the next message; WireError if it does not arrive whole in time."""
    (size,) = HEADER.unpack(_exactly(channel, HEADER.size, left))
    if size > MAX_MESSAGE:
        raise WireError("it announced a message that is too large")  # its size could carry a secret
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
        seconds = None if left is None else left()
        if seconds is not None and seconds <= 0:
            raise LateError("no answer in time")
        channel.settimeout(None if seconds is None else max(seconds, 0.001))
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
