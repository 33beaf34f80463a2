"""Give the bookmarks of a printed PDF their titles.

Chromium takes the titles from the text it has laid out. It loses formulas and the spaces at line
ends, and says a heading twice that moved to the next page. Its bookmarks are right otherwise, so
only their titles are written again, as an incremental update: new versions of these objects and a
table of where they are, appended to the file (ISO 32000-1, 7.5.6).
"""

import re
from collections.abc import Sequence

_BOOKMARK = re.compile(
    rb"^(?P<number>\d+) 0 obj\n<</Title (?:\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>)(?P<rest>\n/Dest .*?)\nendobj",
    re.MULTILINE | re.DOTALL,
)
_TRAILER = re.compile(rb"trailer\n<<(?P<entries>.*?)>>\nstartxref\n(?P<start>\d+)\n%%EOF\s*$", re.DOTALL)


def retitled(pdf: bytes, titles: Sequence[str]) -> bytes:
    """Return the PDF with these titles on its bookmarks, in the order of the document.

    If there are not exactly as many bookmarks as titles the PDF comes back as it was.
    """
    # Chromium numbers the bookmarks in the order of the document, parents before children.
    bookmarks = sorted(_BOOKMARK.finditer(pdf), key=lambda found: int(found["number"]))
    trailer = _TRAILER.search(pdf)
    if trailer is None or len(bookmarks) != len(titles):
        return pdf
    update, places = bytearray(), []
    for bookmark, title in zip(bookmarks, titles, strict=True):
        number = int(bookmark["number"])
        places.append(f"{number} 1\n{len(pdf) + len(update):010} 00000 n \n".encode())
        text = ("\ufeff" + title).encode("utf-16-be").hex().upper().encode()
        update += b"%d 0 obj\n<</Title <%s>%s\nendobj\n" % (number, text, bookmark["rest"])
    table = len(pdf) + len(update)
    update += b"xref\n" + b"".join(places)
    update += b"trailer\n<<%s\n/Prev %s>>\nstartxref\n%d\n%%%%EOF\n" % (
        trailer["entries"],
        trailer["start"],
        table,
    )
    return pdf + bytes(update)
