"""nbgrader's `collect`, for an exchange in which every account may write.

nbgrader's own takes a student's word for three things. The name of a folder says whose work it is: a folder of another
account is only warned of, then collected. The name also says when the work was handed in. And links are followed with
the rights of the instructor, so a link could bring the solution into a submission. An odd file or name ends it for the
whole class.
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
from autograder.grading.grade import read_secret

MAX_DELAY_SECONDS = 300  # between the time in a folder's name and its last change: a copy may take a while
STAMP = "%Y-%m-%d %H:%M:%S.%f UTC"


class CarefulCollect(ExchangeCollect):  # type: ignore[misc]  # nbgrader has no types
    """Collect each student's own ordinary files; what is refused is said, and costs nobody else."""

    src_records: list[dict[str, Any]]

    def init_src(self) -> None:
        """Find the folders to collect, without those that are refused."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] is not None]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Read whose work a folder is and when it was handed in; refused ones are nobody's."""
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            with closing(self._opened(path, record["username"])) as folder:
                record["timestamp"] = self._handed_in(path, record["timestamp"], folder.last_change())
        except (ForeignFolderError, OSError, ValueError, OverflowError) as error:
            self.log.warning("%s is not collected: %s", ascii(path), error)
            return {"username": None, "filename": "", "timestamp": datetime.min}
        return record

    def _opened(self, path: str, student: str) -> ForeignFolder:
        if student in ("", ".", ".."):
            raise ForeignFolderError(f"{student!r} is not the name of a student")
        return open_folder(
            Path(path), 1000 * self.coursedir.max_dir_size, lambda owner: self._may(owner, student)
        )

    def _may(self, owner: int, student: str) -> bool:
        """Does this account hand in for this student? Instructors may for everyone."""
        if not self.check_owner or owner in (0, os.geteuid()):
            return True
        try:
            return pwd.getpwuid(owner).pw_name == student
        except KeyError:
            return False

    def _handed_in(self, path: str, claimed: datetime, changed: float) -> datetime:
        """Return when the work was handed in: as its name says, unless its files say otherwise."""
        last_change = datetime.fromtimestamp(changed, UTC).replace(tzinfo=None)
        delay = (last_change - claimed).total_seconds()
        if abs(delay) <= MAX_DELAY_SECONDS:
            return claimed
        self.log.warning(
            "%s claims to be handed in at %s UTC, but was last changed at %s UTC: that time counts",
            *(ascii(path), claimed, last_change),
        )
        return last_change

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy one student's folder, and write down the time that counts."""
        target = Path(dest)
        record = next(record for record in self.src_records if record["filename"] == Path(src).name)
        try:
            with closing(self._opened(src, record["username"])) as folder:
                folder.copy_to(target)
            _complete(target, record["timestamp"].strftime(STAMP))
        except (ForeignFolderError, OSError) as error:
            shutil.rmtree(target, ignore_errors=True)
            with suppress(OSError):
                target.parent.rmdir()  # the student's, if nothing else was handed in
            self.log.warning("%s is not collected: %s", ascii(src), error)
            return
        for reason in folder.left_out:
            self.log.warning("%s: %s, so it is left out", ascii(src), reason)
        if self.coursedir.groupshared:
            _share_with_group(target)


def _complete(folder: Path, timestamp: str) -> None:
    """Write the time that counts; give work without a secret one, because nbgrader's release_feedback fails without."""
    for name in ("timestamp.txt", "submission_secret.txt"):
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
    (folder / "timestamp.txt").write_text(timestamp, "utf-8")
    secret = folder / "submission_secret.txt"
    if read_secret(secret) is None:
        secret.write_text(secrets.token_hex(64), "ascii")


def _share_with_group(folder: Path) -> None:
    """Let the group of instructors read and write what was collected."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o2770 if path.is_dir() else 0o660)
