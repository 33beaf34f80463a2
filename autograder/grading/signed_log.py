"""An append-only log of JSON lines, signed with the course's secret (HMAC-SHA256 chain).

Each line carries its number and a MAC of itself and the MAC before it, so that no line can be changed, moved or
inserted without the secret. The head (how many lines, and the last MAC) lies in another folder, so that lines cut off
at the end are missed. Lines of earlier versions carry a digest without a key: they are read, and counted as unsigned.

What this cannot do: a person who reads `course.secret` can sign anything, and one who puts back an old log together
with its old head is not noticed.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.files import write_text
from autograder.errors import CourseError

Line = dict[str, Any]
SIGNATURES = ("mac", "digest")  # of a signed line, and of an earlier version's


@dataclass(frozen=True)
class Contents:
    """The lines of a log, how many of the first are unsigned, and the signature of the last."""

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
        """Read and verify all whole lines; CourseError names the first that is not as it was written."""
        contents = self._verified_lines()
        self._require_head(contents)
        return contents

    def append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Sign and write lines; the caller holds the lock of the log."""
        contents = self.read()
        number, last = len(contents.lines), contents.last
        if not self.head.is_file():  # before the first line: a crash in between cuts nothing off
            self._write_head(number, last)
        with self.path.open("a", encoding="utf-8") as log:
            for line in lines:
                number += 1
                signed = {**line, "number": number}
                last = self._mac(last, signed)
                log.write(json.dumps({**signed, "mac": last}, ensure_ascii=False) + "\n")
        self._write_head(number, last)

    def _verified_lines(self) -> Contents:
        lines: list[Line] = []
        n_unsigned, last = 0, ""
        for number, text in enumerate(_whole_lines(self.path), start=1):
            line = _parsed(text)
            is_signed = "mac" in line or n_unsigned < number - 1  # no unsigned line follows a signed one
            n_unsigned += not is_signed
            last = self._signature(last, line, number, is_signed=is_signed)
            lines.append(line)
        return Contents(lines, n_unsigned, last)

    def _signature(self, before: str, line: Line, number: int, *, is_signed: bool) -> str:
        """Compute the signature that a line must have; CourseError if it has another."""
        bare = {name: value for name, value in line.items() if name not in SIGNATURES}
        right = self._mac(before, bare) if is_signed else _digest(before, bare)
        given = str(line.get("mac" if is_signed else "digest"))
        if not hmac.compare_digest(given, right) or (is_signed and line.get("number") != number):
            raise CourseError(
                f"{self.path.name}, line {number}, is not as it was written, or was signed with another "
                "course.secret: take log and secret from a backup"
            )
        return right

    def _require_head(self, contents: Contents) -> None:
        """Refuse a log that ends before its head."""
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
        return self._tag("head", self.path.name, str(number), last)

    def _mac(self, before: str, line: Mapping[str, Any]) -> str:
        return self._tag("line", self.path.name, before, json.dumps(line, ensure_ascii=False, sort_keys=True))

    def _tag(self, *words: str) -> str:
        return hmac.new(self.secret.encode(), json.dumps(words).encode(), hashlib.sha256).hexdigest()[:32]


def _whole_lines(path: Path) -> list[str]:
    """Read all whole lines; a line that a crash cut off is taken away."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        data = data[: data.rfind(b"\n") + 1]
        path.write_bytes(data)
    return data.decode("utf-8", "replace").split("\n")[:-1]


def _parsed(text: str) -> Line:
    try:
        line = json.loads(text)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def _signature_of(line: Line) -> str:
    return str(line.get("mac", line.get("digest")))


def _digest(before: str, line: Mapping[str, Any]) -> str:
    """Compute the keyless digest of an earlier version."""
    text = before + json.dumps(line, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
