"""Parse sender, time and lateness from file names of learning platforms.

    Canvas       lovelaceada_LATE_101_555_areas-1.ipynb         content_zipper.rb: name, LATE, user, attachment, file
    Moodle       Ada Lovelace_123456_assignsubmission_file_/areas.ipynb       with or without the last _, or as one name
    Blackboard   Areas_ada_attempt_2026-11-18-10-00-00_areas.ipynb            and the same with .txt for each attempt
    Brightspace  12345-67890 - Ada Lovelace - Nov 18, 2026 1000 AM/areas.ipynb
    Google       Ada Lovelace - areas.ipynb
    nbgrader     ada/areas/areas.ipynb

Any part of the path may match, because instructors unpack downloads into folders and students submit archives.
"""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath

from autograder.grading.download_times import parse_platform_time

CANVAS = re.compile(
    r"(?:(?P<name>[^\W_].*?)_)??(?P<late>LATE_)?(?P<user>\d+|anon_\w+?)_(?P<file>\d+_.+|text\.html|link\.html)"
)
MOODLE = re.compile(
    r"(?P<name>.+)_(?P<participant>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?"
)
BLACKBOARD = re.compile(
    r"(?P<before>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<note>\.txt))"
)
BRIGHTSPACE = re.compile(r"(?P<ids>\d+-\d+) ?- ?(?P<name>.+?) ?- ?(?P<time>[^-]*20\d\d.*)")
ARCHIVE_SUFFIX = re.compile(r"(?:\.(?:zip|ipynb|txt|json))+$", re.IGNORECASE)
COPY_NUMBER = re.compile(r"(?:-(\d{1,3})|\s*\((\d{1,3})\))(?=\.ipynb)", re.IGNORECASE)


@dataclass(frozen=True)
class Sender:
    """The sender of a file.

    `label` is the part of the path that names the sender.
    """

    platform: str
    label: str
    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    column: str = ""  # of the class list in which the platform's id stands
    participant: str = ""  # Moodle's number, which only the grading worksheet of the same assignment explains
    is_late: bool = False
    time: datetime | None = None  # local time of the platform
    is_folder: bool = False  # whether the part with the sender is a folder
    is_note: bool = field(default=False, compare=False)  # a file of the platform about a submission
    folder: str = ""  # the student's folder of the download; empty if files lie side by side
    file: str = ""  # the file of the download: a notebook, or the archive that holds it


def read_sender(path: str) -> Sender | None:
    """Return the sender that a path names, or None."""
    parts = PurePosixPath(unicodedata.normalize("NFC", path)).parts  # macOS writes accents apart
    for place, part in enumerate(parts):
        for read in (_blackboard, _moodle, _brightspace, _canvas):
            if sender := read(part):
                return _with_place(sender, PurePosixPath(path).parts[place:])
    return _by_folders(parts)


def _with_place(sender: Sender, parts: tuple[str, ...]) -> Sender:
    """Add the student's folder and file, as the download names them.

    `parts` begins with the part that names the sender.
    """
    if sender.is_folder and len(parts) > 1:
        return replace(sender, folder=parts[0], file=parts[1])
    return replace(sender, file=parts[0])


def _canvas(part: str) -> Sender | None:
    match = CANVAS.fullmatch(part)
    if not match or bool(match["name"]) != match["user"].isdigit():
        return None
    label = part[: match.start("file") - 1]
    if not match["name"]:  # the assignment hides name and id
        return Sender("Canvas", label, is_late=bool(match["late"]))
    return Sender("Canvas", label, (match["name"],), (match["user"],), "ID", is_late=bool(match["late"]))


def _moodle(part: str) -> Sender | None:
    match = MOODLE.fullmatch(part)
    if not match:
        return None
    label = f"{match['name']}_{match['participant']}"
    participant = match["participant"]
    return Sender("Moodle", label, (match["name"],), participant=participant, is_folder=not match["file"])


def _blackboard(part: str) -> Sender | None:
    match = BLACKBOARD.fullmatch(part)
    if not match:
        return None
    words = match["before"].split("_")
    # both an assignment's name and a login may hold a _: each ending may be the login
    ids = tuple("_".join(words[place:]) for place in range(1, len(words))) or (match["before"],)
    time = parse_platform_time(match["time"])
    sender = Sender("Blackboard", match["before"], ids=ids, column="Username", time=time)
    return replace(sender, is_note=bool(match["note"]))


def _brightspace(part: str) -> Sender | None:
    match = BRIGHTSPACE.fullmatch(part)
    if not match:
        return None
    time = parse_platform_time(match["time"])
    return Sender(
        "Brightspace", f"{match['ids']} - {match['name']}", (match["name"],), time=time, is_folder=True
    )


def _by_folders(parts: tuple[str, ...]) -> Sender | None:
    """Return a sender with the path's parts as possible ids.

    Texts on either side of a dash count as parts, too.
    """
    texts = []
    for part in parts:
        text = ARCHIVE_SUFFIX.sub("", part)
        texts += [text, *text.split(" - ")]
    candidates = tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
    if not candidates:
        return None
    platform = "Google Classroom" if " - " in parts[-1] else "folders"
    return Sender(platform, ARCHIVE_SUFFIX.sub("", parts[0]), candidates, candidates)


def copy_number(path: str) -> int:
    """Return the number of a repeated download, as in `areas-1.ipynb` or `areas (1).ipynb`."""
    match = COPY_NUMBER.search(PurePosixPath(path).name)
    return int(match[1] or match[2]) if match else 0
