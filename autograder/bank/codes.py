"""Codes of printed sheets: four letters and digits, and one that tells a typing error.

A code follows from the course's secret, so the same student has the same code when an exam is printed again.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError
from autograder.program import program_name

CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0, 1, I and O, which look like others
CODE_LETTERS = 4
CODES_FILE = "codes.json"
ALIKE = str.maketrans(
    {"0": "Q", "O": "Q", "1": "L", "I": "L"}
)  # what these signs are taken for in handwriting


def make_codes(course: Course, exam: str, folders: Iterable[str]) -> dict[str, str]:
    """Return the code of each student's or form's sheet, by folder."""
    codes: dict[str, str] = {}
    for folder in folders:
        attempt = 0
        while (code := _code(course.secret(), exam, folder, attempt)) in codes.values():
            attempt += 1
        codes[folder] = code
    return codes


def _code(secret: str, exam: str, folder: str, attempt: int) -> str:
    words = json.dumps(["sheet", exam, folder, attempt]).encode()
    digest = hmac.new(secret.encode(), words, hashlib.sha256).digest()
    body = "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:CODE_LETTERS])
    return body + _check_letter(body)


def _check_letter(body: str) -> str:
    """Return a letter that differs if one letter is wrong or two neighbours are exchanged."""
    return CODE_ALPHABET[
        sum((2 * place + 1) * CODE_ALPHABET.index(letter) for place, letter in enumerate(body))
        % len(CODE_ALPHABET)
    ]


def write_codes(course: Course, exam: str, codes: Mapping[str, str]) -> None:
    """Keep the codes of a printed exam."""
    text = json.dumps({code: folder for folder, code in codes.items()}, indent=1, ensure_ascii=False) + "\n"
    write_text(course.paths.exam(exam) / CODES_FILE, text)


def read_codes(course: Course, exam: str) -> dict[str, str]:
    """Return the folder of each code; raise CourseError if nothing was printed."""
    path = course.paths.exam(exam) / CODES_FILE
    try:
        return dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        raise CourseError(
            f"no exam {exam!r} was printed here: run `{program_name()} exam {exam}.toml` first"
        ) from None


def folder_of(codes: Mapping[str, str], typed: str, where: str) -> str:
    """Return the folder of a code as it was typed; raise CourseError if it is unknown."""
    code = "".join(typed.upper().split()).replace("-", "").translate(ALIKE)
    if code in codes:
        return codes[code]
    if (
        len(code) == CODE_LETTERS + 1
        and set(code) <= set(CODE_ALPHABET)
        and _check_letter(code[:-1]) == code[-1]
    ):
        raise CourseError(f"{where}: {typed!r} is the code of another exam")
    raise CourseError(f"{where}: {typed!r} is no code of this exam: look at the foot of the sheet")
