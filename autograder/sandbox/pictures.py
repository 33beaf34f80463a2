"""Read how large a picture is from its first bytes, without decoding it.

A file of a few kilobytes can hold a picture of a billion pixels, for which a browser needs gigabytes of memory.
The grader never decodes students' pictures; only the reader's browser does.
"""

import base64
import struct

MAX_PIXELS = 60_000_000  # as many as a phone's camera takes; a browser holds four bytes for each
PNG_SIGNATURE, GIF_SIGNATURES, JPEG_SIGNATURE = b"\x89PNG\r\n\x1a\n", (b"GIF87a", b"GIF89a"), b"\xff\xd8"
# SOF0 to SOF15: these segments hold the size
JPEG_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def is_png(text: str) -> bool:
    """Return whether base64 text is a PNG picture that a browser can show."""
    data = _decode_base64(text)
    return data.startswith(PNG_SIGNATURE) and is_sensible_picture(data)


def is_picture(text: str) -> bool:
    """Return whether base64 text is a PNG, GIF or JPEG picture that a browser can show."""
    return is_sensible_picture(_decode_base64(text))


def is_sensible_picture(data: bytes) -> bool:
    """Return whether the header of a picture states at most MAX_PIXELS."""
    dimensions = _read_size(data)
    return dimensions is not None and dimensions[0] * dimensions[1] <= MAX_PIXELS


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return b""


def _read_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height in the header; None for an unknown format."""
    if data.startswith(PNG_SIGNATURE) and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(GIF_SIGNATURES) and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return _read_jpeg_size(data) if data.startswith(JPEG_SIGNATURE) else None


def _read_jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return the size in the first frame header, skipping other segments."""
    position = 2
    while position + 9 <= len(data) and data[position] == 0xFF:
        if data[position + 1] in JPEG_FRAME_HEADERS:
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return width, height
        position += 2 + struct.unpack(">H", data[position + 2 : position + 4])[0]
    return None
