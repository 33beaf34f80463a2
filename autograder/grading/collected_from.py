"""Record the origin of a submission, to return its feedback.

`dimred collect` writes `collected_from.json` beside the notebook. `dimred return` reads it. Canvas and Moodle identify
a student by the names in their download, so the returned archive must repeat them exactly.
"""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from autograder.course.files import write_text

FILE_NAME = "collected_from.json"
MAX_RECORD_BYTES = 10_000  # names of one folder and one file are far shorter


@dataclass(frozen=True)
class CollectedFrom:
    """The place of a submission in the download of a learning platform."""

    platform: str  # "canvas", "moodle", "blackboard", …
    folder: str = ""  # the student's folder in the download; empty if files lie side by side
    file: str = ""  # the name of the file in the download


def read_collected_from(submission: Path) -> CollectedFrom | None:
    """Read the record beside a submitted notebook; return None if unreadable."""
    path = submission.with_name(FILE_NAME)
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_RECORD_BYTES:
            return None
        tree = json.loads(path.read_text("utf-8"))
        record = CollectedFrom(**{field.name: tree[field.name] for field in fields(CollectedFrom)})
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return record if _is_well_formed(record) else None


def write_collected_from(submission: Path, record: CollectedFrom) -> None:
    """Write the record beside a submitted notebook."""
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n"
    write_text(submission.with_name(FILE_NAME), text)


def _is_well_formed(record: CollectedFrom) -> bool:
    """Tell whether all values are strings and no name leaves its folder.

    A submission may contain any file under this name.
    """
    if not all(isinstance(text, str) for text in (record.platform, record.folder, record.file)):
        return False
    names = [*record.folder.split("/"), record.file] if record.folder else [record.file]
    return not any(name in (".", "..") or {"/", "\\", "\0"} & set(name) for name in names)
