"""Settings of a course, from `course.toml` beside `_toc.yml`.

`SETTINGS` lists every setting with its default and its check. An unknown name or an invalid value is a CourseError.
"""

import datetime
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from autograder.course.changes import merge_tables
from autograder.course.overlay import MERGE_RECORD
from autograder.errors import CourseError

SETTINGS_FILE = "course.toml"
ATTEMPTS = ("last", "best")
RETAKE_COUNTS = ("best", "last", "mean")
# Environment variables that override settings: the workflow of GitHub Pages sets them.
FROM_ENVIRONMENT = {
    "book_url": "COURSE_BOOK_URL",
    "repository": "COURSE_REPOSITORY",
    "branch": "COURSE_BRANCH",
}
THIS_MACHINE = (None, "127.0.0.1", "localhost", "::1", "0.0.0.0")


@dataclass(frozen=True)
class Setting:
    """Default of a setting, a check of its value, and the check in words."""

    default: object
    is_right: Callable[[object], bool]
    words: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_identifier(value: object) -> bool:
    return isinstance(value, str) and value.replace("-", "_").isidentifier()


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)


def _are_times(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(when, datetime.datetime) for when in value.values())


def _is_time_zone(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return not value or bool(ZoneInfo(value))
    except (KeyError, ValueError, OSError):  # unknown, absolute path, name of a folder
        return False


def _are_points(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(points, int | float) and not isinstance(points, bool) and points >= 0
        for points in value.values()
    )


def _are_hint_costs(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(shares, list) and len(shares) == N_HINT_LEVELS and all(map(_is_share, shares))
        for shares in value.values()
    )


def _are_identifiers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_identifier, value))


TEXT = "text in quotes"
N_HINT_LEVELS = 4  # as in `autograder.judging.hint`, which this room does not know
SETTINGS: Mapping[str, Setting] = {
    "public_seed": Setting("", _is_text, TEXT),
    "book_url": Setting("", _is_text, TEXT),
    "repository": Setting("", _is_text, TEXT),
    "branch": Setting("main", _is_text, TEXT),
    "engine": Setting("", _is_text, TEXT),
    "notebooks_branch": Setting("notebooks", _is_text, TEXT),
    "base": Setting("", _is_text, TEXT),
    "library": Setting("", _is_text, TEXT),
    "classroom": Setting("classroom", _is_text, TEXT),
    "private": Setting("", _is_text, TEXT),
    "gradebook": Setting("", _is_text, TEXT),
    "exchange": Setting("", _is_text, TEXT),
    "course_id": Setting("course", _is_identifier, "one word of letters, digits, - and _"),
    "attempts": Setting("last", ATTEMPTS.__contains__, 'one of "last", "best"'),
    "retake": Setting("best", RETAKE_COUNTS.__contains__, 'one of "best", "last", "mean"'),
    "late_penalty_per_day": Setting(0.0, _is_share, "a share between 0 and 1, such as 0.1"),
    "time_zone": Setting("", _is_time_zone, 'a time zone, such as "Europe/Berlin"'),
    "owner": Setting("", _is_text, TEXT),
    "graders": Setting([], _are_names, 'a list of accounts, such as ["ann", "ben"]'),
    "group": Setting("", _is_text, TEXT),
    "hidden": Setting([], _are_identifiers, 'a list of packages in quotes, such as ["statref"]'),
    "topics": Setting([], _are_identifiers, 'a list of topics in quotes, such as ["areas", "volumes"]'),
    "points": Setting({}, _are_points, 'a table of tasks and their points, such as "areas.total" = 3'),
    "hint_costs": Setting(
        {},
        _are_hint_costs,
        f"a table of {N_HINT_LEVELS} shares for all tasks or one, such as all = [0, 0, 0.1, 0.25]",
    ),
    "due": Setting({}, _are_times, "a table of topics and times, such as TOPIC = 2027-03-01T23:59:00+01:00"),
}


def read_settings(root: Path) -> dict[str, Any]:
    """Return all settings of the course in a folder.

    Those of an overlay replace those of its base, tables entry by entry. Environment variables in `FROM_ENVIRONMENT`
    override the files. Raise CourseError for an invalid setting.
    """
    values = _read_values(root)
    if (root / MERGE_RECORD).is_file():
        root = root.parent
        values = merge_tables(values, _read_values(root))
    values |= {
        name: os.environ[variable] for name, variable in FROM_ENVIRONMENT.items() if os.environ.get(variable)
    }
    for name, value in values.items():
        if name not in SETTINGS:
            raise CourseError(f"{SETTINGS_FILE} has no setting {name!r}{_suggest_name(name)}")
        if not SETTINGS[name].is_right(value):
            raise CourseError(
                _describe_wrong_time(root, value) if name == "due" else _describe_wrong(name, value)
            )
    return {name: values.get(name, setting.default) for name, setting in SETTINGS.items()}


def _describe_wrong(name: str, value: object) -> str:
    return f"{SETTINGS_FILE}: {name} must be {SETTINGS[name].words}, not {value!r}"


def _describe_wrong_time(root: Path, value: object) -> str:
    """Describe the first due date that is not a date and time, with its line."""
    if not isinstance(value, dict):
        return _describe_wrong("due", value)
    topic, when = next(
        (topic, when) for topic, when in value.items() if not isinstance(when, datetime.datetime)
    )
    lines = (root / SETTINGS_FILE).read_text("utf-8-sig").splitlines()
    places = [
        number for number, line in enumerate(lines, 1) if line.split("=")[0].strip().strip("\"'") == topic
    ]
    where = f"{SETTINGS_FILE}, line {places[-1]}" if places else SETTINGS_FILE
    if isinstance(when, datetime.date):
        return f"{where}: {topic} = {when} has no time of day: write {topic} = {when}T23:59:00"
    return f"{where}: due must be {SETTINGS['due'].words}, not {topic} = {when!r}"


def is_local(address: str) -> bool:
    """Return whether an address is missing or leads to the local machine."""
    return urlsplit(address).hostname in THIS_MACHINE


def describe_local_address(settings: Mapping[str, object]) -> str | None:
    """Return a warning if links to the book lead to the local machine, or None."""
    address = str(settings["book_url"])
    if not is_local(address):
        return None
    return (
        f"links to the book lead to {address or 'nowhere'}, where students find nothing: "
        "set book_url in course.toml to the address of the published book"
    )


def require_public(address: str) -> None:
    """Raise CourseError unless the address is public (http or https, not local)."""
    if is_local(address) or urlsplit(address).scheme not in ("http", "https"):
        raise CourseError(
            f"the book cannot be published with the address {address!r}: links in archives and notebooks would lead "
            f"to the reader's own machine. Set book_url in {SETTINGS_FILE}, or {FROM_ENVIRONMENT['book_url']} in the "
            "environment, or say --url https://…"
        )


def _suggest_name(name: str) -> str:
    close = get_close_matches(name, SETTINGS, 1)
    return f": did you mean {close[0]!r}?" if close else f"; its settings are {', '.join(SETTINGS)}"


def _read_values(root: Path) -> dict[str, object]:
    try:
        return tomllib.loads((root / SETTINGS_FILE).read_text("utf-8-sig"))
    except FileNotFoundError:
        _require_no_old_table(root)
        return {}
    except UnicodeDecodeError:
        raise CourseError(f"{SETTINGS_FILE} is not UTF-8 text: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{SETTINGS_FILE} cannot be read: {error}") from None


def _require_no_old_table(root: Path) -> None:
    """Raise CourseError if `pyproject.toml` has settings, as in older versions."""
    path = root / "pyproject.toml"
    if path.is_file() and "[tool.dimred]" in path.read_text("utf-8"):
        raise CourseError(
            f"the settings stand in [tool.dimred] of pyproject.toml: move them to {SETTINGS_FILE}"
        )
