"""Append-only log of JSON lines, signed as an HMAC-SHA256 chain.

Each line holds its number and a MAC of itself and the previous MAC. So a line cannot be changed, moved or inserted
without the secret. The head (number of lines and last MAC) is a file in another folder, so lines removed at the end are
detected. Lines of earlier versions have a digest without a key and are counted as unsigned.

Limits: a person who can read `course.secret` can sign anything. Restoring an old log together with its old head is not
detected.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.formats import AUDIT

Line = dict[str, object]
SIGNATURE_FIELDS = ("mac", "digest")  # of a signed line, and of a line of an earlier version


@dataclass(frozen=True)
class Contents:
    """The lines of a log, the number of unsigned ones, the last signature."""

    lines: list[Line]
    n_unsigned: int
    last: str


@dataclass(frozen=True)
class SignedLog:
    """A log and its head; `secret` signs both."""

    path: Path
    head: Path
    secret: str

    def read(self) -> Contents:
        """Read and verify all complete lines; raise CourseError at an edited one."""
        contents = self._read_verified()
        self._require_head(contents)
        return contents

    def append(self, lines: Iterable[Mapping[str, object]]) -> None:
        """Sign and append lines.

        The caller must hold the lock of the log.
        """
        contents = self.read()
        number, last = len(contents.lines), contents.last
        if not self.head.is_file():  # signed lines without a head would be refused after a crash
            self._write_head(number, last)
        with self.path.open("a", encoding="utf-8") as log:
            for line in lines:
                number += 1
                signed = {"format": AUDIT.version, **line, "number": number}
                last = self._mac(last, signed)
                log.write(json.dumps({**signed, "mac": last}, ensure_ascii=False) + "\n")
        self._write_head(number, last)

    def _read_verified(self) -> Contents:
        lines: list[Line] = []
        n_unsigned, last = 0, ""
        for number, text in enumerate(_whole_lines(self.path), start=1):
            line = _parse_line(text)
            AUDIT.require_readable(line, f"{self.path.name}, line {number},")
            is_signed = "mac" in line or n_unsigned < number - 1  # no unsigned line follows a signed one
            n_unsigned += not is_signed
            last = self._signature(last, line, number, is_signed=is_signed)
            lines.append(line)
        return Contents(lines, n_unsigned, last)

    def _signature(self, before: str, line: Line, number: int, *, is_signed: bool) -> str:
        """Compute the signature of a line.

        Raise CourseError if the line has another.
        """
        bare = {name: value for name, value in line.items() if name not in SIGNATURE_FIELDS}
        expected = self._mac(before, bare) if is_signed else _digest(before, bare)
        actual = str(line.get("mac" if is_signed else "digest"))
        if not hmac.compare_digest(actual, expected) or (is_signed and line.get("number") != number):
            raise CourseError(
                f"{self.path.name}, line {number}, is not as it was written, or was signed with another "
                "course.secret: take log and secret from a backup"
            )
        return expected

    def _require_head(self, contents: Contents) -> None:
        """Raise CourseError if the log does not match its head."""
        number, last = self._read_head(contents)
        if len(contents.lines) < number:
            missing = number - len(contents.lines)
            raise CourseError(f"{self.path.name} lacks its last {missing} lines: take the file from a backup")
        if number and _signature_of(contents.lines[number - 1]) != last:
            raise CourseError(
                f"{self.path.name} is another log than {self.head.name} tells of: take both from one backup"
            )

    def _read_head(self, contents: Contents) -> tuple[int, str]:
        if not self.head.is_file():
            if len(contents.lines) > contents.n_unsigned:
                raise CourseError(
                    f"{self.head} is missing, which tells how long {self.path.name} is: take it from a backup"
                )
            return 0, ""
        try:
            tree = json.loads(self.head.read_text("utf-8"))
            number, last, mac = int(tree["number"]), str(tree["last"]), str(tree["mac"])
        except (OSError, ValueError, LookupError, TypeError):
            number, last, mac = 0, "", ""
        if not hmac.compare_digest(mac, self._head_mac(number, last)):
            raise CourseError(
                f"{self.head.name} is not as it was written, or was signed with another course.secret: "
                "take it and the secret from a backup"
            )
        return number, last

    def _write_head(self, number: int, last: str) -> None:
        tree = {"number": number, "last": last, "mac": self._head_mac(number, last)}
        write_text(self.head, json.dumps(tree) + "\n")

    def _head_mac(self, number: int, last: str) -> str:
        return self._hmac("head", self.path.name, str(number), last)

    def _mac(self, before: str, line: Mapping[str, object]) -> str:
        return self._hmac(
            "line", self.path.name, before, json.dumps(line, ensure_ascii=False, sort_keys=True)
        )

    def _hmac(self, *words: str) -> str:
        return hmac.new(self.secret.encode(), json.dumps(words).encode(), hashlib.sha256).hexdigest()[:32]


def _whole_lines(path: Path) -> list[str]:
    """Read all complete lines; remove an incomplete last line from the file."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        data = data[: data.rfind(b"\n") + 1]
        path.write_bytes(data)
    return data.decode("utf-8", "replace").split("\n")[:-1]


def _parse_line(text: str) -> Line:
    try:
        line = json.loads(text)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def _signature_of(line: Line) -> str:
    return str(line.get("mac", line.get("digest")))


def _digest(before: str, line: Mapping[str, object]) -> str:
    """Compute the keyless digest of an earlier version."""
    text = before + json.dumps(line, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
