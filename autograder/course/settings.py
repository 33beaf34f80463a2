"""The settings of a course: `course.toml` beside `_toc.yml`. Changing them installs nothing anew.

Every setting is in the table below with what it may be; a misspelt name or a wrong kind of value is one clear line.
"""

import datetime
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from autograder.errors import CourseError

NAME = "course.toml"
ATTEMPTS = ("last", "best")
THIS_MACHINE = (None, "127.0.0.1", "localhost", "::1", "0.0.0.0")


@dataclass(frozen=True)
class Setting:
    """What a setting is when it is not given, and what it may be: a test, and the same in words."""

    default: Any
    is_right: Callable[[Any], bool]
    words: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.replace("-", "_").isidentifier()


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _are_times(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(when, datetime.datetime) for when in value.values())


TEXT = "text in quotes"
SETTINGS: Mapping[str, Setting] = {
    "public_seed": Setting("", _is_text, TEXT),
    "book_url": Setting("", _is_text, TEXT),
    "repository": Setting("", _is_text, TEXT),
    "classroom": Setting("classroom", _is_text, TEXT),
    "private": Setting("", _is_text, TEXT),
    "gradebook": Setting("", _is_text, TEXT),
    "exchange": Setting("", _is_text, TEXT),
    "course_id": Setting("course", _is_word, "one word of letters, digits, - and _"),
    "attempts": Setting("last", ATTEMPTS.__contains__, 'one of "last", "best"'),
    "late_penalty_per_day": Setting(0.0, _is_share, "a share between 0 and 1, such as 0.1"),
    "due": Setting({}, _are_times, "a table of topics and times, such as areas = 2027-03-01T23:59:00+01:00"),
}


def read_settings(root: Path) -> dict[str, Any]:
    """Every setting of the course in a folder, given or by default; CourseError names the one that is wrong."""
    given = _given(root)
    for name, value in given.items():
        if name not in SETTINGS:
            raise CourseError(f"{NAME} has no setting {name!r}{_meant(name)}")
        if not SETTINGS[name].is_right(value):
            raise CourseError(f"{NAME}: {name} must be {SETTINGS[name].words}, not {value!r}")
    return {name: given.get(name, setting.default) for name, setting in SETTINGS.items()}


def is_local(address: str) -> bool:
    """Does an address lead to the machine it is opened on, where no student finds the book?"""
    return urlsplit(address).hostname in THIS_MACHINE


def _meant(name: str) -> str:
    close = get_close_matches(name, SETTINGS, 1)
    return f": did you mean {close[0]!r}?" if close else f"; its settings are {', '.join(SETTINGS)}"


def _given(root: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((root / NAME).read_text("utf-8-sig"))
    except FileNotFoundError:
        _require_no_old_table(root)
        return {}
    except UnicodeDecodeError:
        raise CourseError(f"{NAME} is not UTF-8 text: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{NAME} cannot be read: {error}") from None


def _require_no_old_table(root: Path) -> None:
    """Settings once stood in `pyproject.toml`: whoever has them there is told where they belong, not ignored."""
    path = root / "pyproject.toml"
    if path.is_file() and "[tool.dimred]" in path.read_text("utf-8"):
        raise CourseError(f"the settings stand in [tool.dimred] of pyproject.toml: move them to {NAME}")
