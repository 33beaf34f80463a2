"""Bytes of a file become text, or are refused with one line."""

MAX_BYTES = 30 * 2**20  # the page holds the file, its text and its numbers at once
SIGNATURES = {  # first bytes of files that are often taken for tables
    b"PK\x03\x04": "an Excel or OpenDocument workbook (or a zip archive): save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
    b"%PDF": "a PDF: export the table as CSV",
    b"\x93NUMPY": "a NumPy array: write it with numpy.savetxt",
    b"PAR1": "a Parquet file: write it with DataFrame.to_csv",
    b"{\\rtf": "a rich text document: save it as CSV",
}
UTF16 = (b"\xff\xfe", b"\xfe\xff")
MARKUP = ("<!doctype html", "<html", "<?xml")


class UnreadableTableError(ValueError):
    """The file or the choices cannot be used; the message is one line that says what to do."""


def decode(content: bytes) -> tuple[str, list[str]]:
    """Return the text of a file with line feeds only, and notes on how it was read."""
    if len(content) > MAX_BYTES:
        raise UnreadableTableError(
            f"the file has {len(content) / 2**20:.0f} MB, and the clinic reads {MAX_BYTES // 2**20}: take fewer rows"
        )
    for signature, kind in SIGNATURES.items():
        if content.startswith(signature):
            raise UnreadableTableError(f"the file is {kind}")
    text, notes = _decode(content)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UnreadableTableError("the file is empty")
    if text.lstrip().lower().startswith(MARKUP):
        raise UnreadableTableError("the file is a web page or XML, not a table: export the table as CSV")
    if text.lstrip()[0] in "{[":
        raise UnreadableTableError("the file looks like JSON: write its table as CSV")
    return text, notes


def _decode(content: bytes) -> tuple[str, list[str]]:
    if content.startswith(UTF16):
        try:
            return content.decode("utf-16"), ["read as UTF-16"]
        except UnicodeDecodeError as error:
            raise UnreadableTableError(
                "the file begins like UTF-16 text and is not: save it as UTF-8"
            ) from error
    if b"\0" in content:
        raise UnreadableTableError("the file is not text: save the table as CSV")
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        # five bytes are undefined in Windows' western encoding
        return content.decode("cp1252", errors="replace"), ["not UTF-8: read as Latin-1 (Windows-1252)"]
