"""Parse times of learning platforms in English, German, French and Spanish."""

import re
from datetime import datetime

MONTHS = {
    # the first letters of a month, without accents: enough to tell it in four languages
    **dict.fromkeys(("jan", "ene"), 1),
    **dict.fromkeys(("feb", "fev"), 2),
    **dict.fromkeys(("mar", "mae", "mrz", "mär"), 3),
    **dict.fromkeys(("apr", "avr", "abr"), 4),
    **dict.fromkeys(("may", "mai"), 5),
    **dict.fromkeys(("jun", "juin"), 6),
    **dict.fromkeys(("jul", "juil"), 7),
    **dict.fromkeys(("aug", "aou", "aoû", "ago"), 8),
    **dict.fromkeys(("sep", "set"), 9),
    **dict.fromkeys(("oct", "okt"), 10),
    **dict.fromkeys(("nov",), 11),
    **dict.fromkeys(("dec", "dez", "dic", "déc"), 12),
}
YEAR = re.compile(r"\b(20\d\d)\b")
CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})[:.h]?(?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?\s*(?P<half>[ap]\.?\s?m\b)?",
    re.IGNORECASE,
)
NUMERIC = re.compile(
    r"(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)[-T ](?P<hour>\d\d)[-:](?P<minute>\d\d)(?:[-:](?P<second>\d\d))?"
)
DAY_PATTERN = re.compile(r"\b(\d{1,2})(?:\.|st|nd|rd|th)?\b")
WORD_PATTERN = re.compile(r"[^\W\d_]{3,}")


def parse_platform_time(text: str) -> datetime | None:
    """Parse a platform's local time; return it without a zone, or None.

    Known are `2026-11-18-10-00-00`, `Nov 18, 2026 1000 AM`, `Wednesday, 18 November 2026, 10:00 AM` and their like.
    """
    try:
        return _numeric(text) or _in_words(text)
    except ValueError:
        return None


def _numeric(text: str) -> datetime | None:
    match = NUMERIC.search(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    return datetime(year, month, day, hour, minute, second)


def _in_words(text: str) -> datetime | None:
    month = next((number for word in WORD_PATTERN.findall(text) if (number := _month(word))), None)
    year = YEAR.search(text)
    if month is None or year is None:
        return None
    # the clock stands behind the date in every language; before it stand day and month, in either order
    date, clock = text[: year.start()], text[year.end() :]
    day, time = DAY_PATTERN.search(date), CLOCK.search(clock)
    if day is None or time is None:
        return None
    second = int(time["second"] or 0)
    return datetime(int(year[1]), month, int(day[1]), _hour(time), int(time["minute"]), second)


def _hour(time: re.Match[str]) -> int:
    """Return the hour on a clock of 24 hours."""
    if not time["half"]:
        return int(time["hour"])
    return int(time["hour"]) % 12 + 12 * time["half"].lower().startswith("p")


def _month(word: str) -> int | None:
    """Return the number of a month, or None for any other word."""
    lower = word.lower()
    if lower.startswith(("mar", "mie", "mié")) and not lower.startswith(("march", "mars", "marzo", "marz")):
        return None if lower not in ("mar",) else 3  # mardi, martes, miércoles are days
    return MONTHS.get(lower[:4]) or MONTHS.get(lower[:3])
