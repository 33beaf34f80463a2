"""Pictures of students: a file of some kilobytes may claim a billion pixels, and a browser believes it."""

import base64
import io
import struct
import zlib

import pytest
from PIL import Image

from autograder.grading.formgrader import harmless_markdown
from autograder.sandbox.pictures import MAX_PIXELS, is_picture, is_png
from autograder.sandbox.untrusted import read_outputs

KINDS = ("PNG", "GIF", "JPEG")


def picture(kind, size, **options):
    """The base64 text of a real picture."""
    file = io.BytesIO()
    Image.new("L", size).save(file, kind, **options)
    return base64.b64encode(file.getvalue()).decode()


def enlarged(text, kind, width, height):
    """The same file, which claims another size."""
    data = bytearray(base64.b64decode(text))
    if kind == "PNG":
        data[16:24] = struct.pack(">II", width, height)
        data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    elif kind == "GIF":
        data[6:10] = struct.pack("<HH", width, height)
    else:
        place = data.index(b"\xff\xc0")
        data[place + 5 : place + 9] = struct.pack(">HH", height, width)
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_a_sensible_size_is_shown(kind):
    assert is_picture(picture(kind, (640, 480)))
    assert is_picture(enlarged(picture(kind, (8, 8)), kind, 10_000, MAX_PIXELS // 10_000))
    assert is_png(picture(kind, (640, 480))) == (kind == "PNG")


def test_a_photograph_with_a_thumbnail_is_shown():
    """Segments before the size may hold any bytes, those of another frame header among them."""
    exif = b"Exif\x00\x00" + base64.b64decode(enlarged(picture("JPEG", (8, 8)), "JPEG", 65_535, 65_535))
    assert is_picture(picture("JPEG", (640, 480), exif=exif, progressive=True))


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_a_billion_pixels_is_not_shown(kind):
    bomb = enlarged(picture(kind, (8, 8)), kind, 40_000, 25_000)
    assert not is_picture(bomb)
    assert not is_png(bomb)
    shown = harmless_markdown(f"![x](data:image/{kind.lower()};base64,{bomb})")
    assert bomb[:40] not in shown
    output = {"output_type": "display_data", "data": {"image/png": bomb, "text/plain": "x"}}
    assert "image/png" not in read_outputs([output])[0]["data"]


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x00" * 9, b"<svg>"]
)
def test_what_states_no_size_is_no_picture(data):
    assert not is_picture(base64.b64encode(data).decode())


@pytest.mark.parametrize("text", ["", "A", "not base64!", "é"])
def test_what_is_no_base64_is_no_picture(text):
    assert not is_picture(text)
