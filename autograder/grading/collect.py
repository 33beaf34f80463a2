"""Replace nbgrader's `collect` for an exchange in which every account may write.

nbgrader trusts a student in three respects. It takes the submitter from the folder's name, and collects a folder of
another account after a warning. It takes the time of submission from the folder's name. It follows links with the
rights of the instructor, so a link could copy the solution into a submission. An unexpected file or name ends its
collection for the whole class.
"""

import os
import pwd
import secrets
import shutil
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default.collect import ExchangeCollect

from autograder.grading.foreign_folder import ForeignFolder, ForeignFolderError, open_folder
from autograder.grading.hand_in import read_secret

MAX_DELAY_SECONDS = 300  # allowed between the time in a folder's name and its last change, for slow copies
COLLECTION_STAMP_FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"


class CarefulCollect(ExchangeCollect):  # type: ignore[misc]  # nbgrader has no types
    """Collect ordinary files owned by the student; log and skip refused folders."""

    src_records: list[dict[str, Any]]

    def init_src(self) -> None:
        """List the folders to collect, without the refused ones."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] is not None]

    def _path_to_record(self, path: str) -> dict[str, object]:
        """Read the submitter and the time of a folder.

        A refused one has no username.
        """
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            with closing(self._open_folder(path, record["username"])) as folder:
                record["timestamp"] = self._submission_time(path, record["timestamp"], folder.last_change())
        except (ForeignFolderError, OSError, ValueError, OverflowError) as error:
            self.log.warning("%s is not collected: %s", ascii(path), error)
            return {"username": None, "filename": "", "timestamp": datetime.min}
        return record

    def _open_folder(self, path: str, student: str) -> ForeignFolder:
        if student in ("", ".", ".."):
            raise ForeignFolderError(f"{student!r} is not the name of a student")
        return open_folder(
            Path(path), 1000 * self.coursedir.max_dir_size, lambda owner: self._may_hand_in(owner, student)
        )

    def _may_hand_in(self, owner: int, student: str) -> bool:
        """Tell whether an account may submit for a student."""
        if not self.check_owner or owner in (0, os.geteuid()):
            return True
        try:
            return pwd.getpwuid(owner).pw_name == student
        except KeyError:
            return False

    def _submission_time(self, path: str, claimed: datetime, changed: float) -> datetime:
        """Return the claimed time, or the last change if they disagree."""
        last_change = datetime.fromtimestamp(changed, UTC).replace(tzinfo=None)
        delay = (last_change - claimed).total_seconds()
        if abs(delay) <= MAX_DELAY_SECONDS:
            return claimed
        self.log.warning(
            "%s claims to be handed in at %s UTC, but was last changed at %s UTC: that time counts",
            *(ascii(path), claimed, last_change),
        )
        return last_change

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a student's folder and write the time that counts."""
        target = Path(dest)
        record = next(record for record in self.src_records if record["filename"] == Path(src).name)
        try:
            with closing(self._open_folder(src, record["username"])) as folder:
                folder.copy_to(target)
            _write_stamp_and_secret(target, record["timestamp"].strftime(COLLECTION_STAMP_FORMAT))
        except (ForeignFolderError, OSError) as error:
            shutil.rmtree(target, ignore_errors=True)
            with suppress(OSError):
                target.parent.rmdir()  # the student's folder, if it has no other submission
            self.log.warning("%s is not collected: %s", ascii(src), error)
            return
        for reason in folder.left_out:
            self.log.warning("%s: %s, so it is left out", ascii(src), reason)
        if self.coursedir.groupshared:
            _share_with_group(target)


def _write_stamp_and_secret(folder: Path, timestamp: str) -> None:
    """Write the time that counts, and a secret if there is none.

    nbgrader's release_feedback fails without a secret.
    """
    for name in ("timestamp.txt", "submission_secret.txt"):
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
    (folder / "timestamp.txt").write_text(timestamp, "utf-8")
    secret = folder / "submission_secret.txt"
    if read_secret(secret) is None:
        secret.write_text(secrets.token_hex(64), "ascii")


def _share_with_group(folder: Path) -> None:
    """Make the collected files readable and writable for the instructors' group."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o2770 if path.is_dir() else 0o660)
