"""Messages between the grader and a student's process: length-prefixed JSON, bounded, with deadlines."""

import json
import socket
import struct
import time
from typing import Any

MAX_MESSAGE = 16 * 2**20
HEADER = struct.Struct(">I")


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


def receive(channel: socket.socket, seconds: float | None = None) -> dict[str, Any]:
    """Return the next message; WireError if it does not arrive whole within so many seconds."""
    deadline = None if seconds is None else time.monotonic() + seconds
    (size,) = HEADER.unpack(_exactly(channel, HEADER.size, deadline))
    if size > MAX_MESSAGE:
        raise WireError("it announced a message that is too large")  # its size could carry a secret
    try:
        message = json.loads(_exactly(channel, size, deadline))
    except (ValueError, RecursionError):
        raise WireError("the process sent something that is not a message") from None
    if not isinstance(message, dict):
        raise WireError("the process sent something that is not a message")
    return message


def _exactly(channel: socket.socket, size: int, deadline: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        if deadline is not None and deadline - time.monotonic() <= 0:
            raise LateError("no answer in time")
        channel.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
        try:
            chunk = channel.recv(min(size - len(parts), 2**20))
        except TimeoutError:
            raise LateError("no answer in time") from None
        except OSError as error:
            raise WireError(f"the process is gone ({error})") from None
        if not chunk:
            raise WireError("the process ended")
        parts += chunk
    return bytes(parts)
