"""Paths of the classroom, the instructor's private folder.

    source/ release/ submitted/ autograded/ feedback/    nbgrader's own layout
    release_for/<student>/<topic>/                       what a student with a personal variant gets
    keys/<topic>.secret.json, <topic>.certificate.json   of the class's variant
    keys/<topic>/<student>.…, roster.json                of personal variants
    answers/<topic>/, answers_for/<student>/<topic>/     solved notebooks
    attempts/<student>/<topic>/<number>/                 every hand-in that was graded
    verdicts/<topic>/<student>.json                      results of grading
    report/<topic>.html, index.html                      of a class, of the course
    class.json                                           students of the class, from the roster
    class_lists/<number>.json                            earlier ones, for `dimred roster --undo`
    composed/<name>/composition.json                     a composed assignment: its tasks, order and points
    exams/<name>/                                        sheets to print, codes, marking key, table for entry
    kept/<topic>/<number>/                               every release that was replaced, laid out like the classroom
    handed_out/                                          output of `dimred distribute`
    audit/<topic>.jsonl                                  every change of a score, with its cause

`<student>` is the folder name that the roster makes from the id. Only the owner or the group may enter the classroom,
and git ignores it, wherever it is. Students have access to the exchange, which is outside.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.files import is_folder, make_folder, write_text
from autograder.errors import CourseError

OWNER_ONLY_MODE = 0o700
GROUP_MODE = 0o2770  # with the setgid bit: new files below belong to the group, too
GITIGNORE_TEXT = "# Keys, grades and names: nothing in this folder is ever committed.\n*\n"


@dataclass(frozen=True)
class Classroom:
    """Paths in one classroom, or in a folder with the same layout."""

    folder: Path
    group: str = ""  # the group that shares the classroom with its owner

    def enter(self) -> None:
        """Create the folder and restrict its permissions to the owner or group."""
        try:
            make_folder(self.folder)
            if self.group:
                self._share_with_group()
            elif stat.S_IMODE(self.folder.stat().st_mode) != OWNER_ONLY_MODE:
                self.folder.chmod(OWNER_ONLY_MODE)
                self._close_secrets()
            if not (self.folder / ".gitignore").is_file():
                write_text(self.folder / ".gitignore", GITIGNORE_TEXT)
        except LookupError:
            raise CourseError(
                f"group in course.toml names {self.group!r}, which is no group of this machine: groupadd {self.group}"
            ) from None
        except OSError as error:
            raise CourseError(
                f"{self.folder} must be a folder of yours to write in: {error.strerror}"
            ) from None

    def _share_with_group(self) -> None:
        """Give the folder and its contents to the group, without access for others.

        Do nothing if another account than the owner or root runs this.
        """
        status = self.folder.stat()
        if status.st_uid != os.getuid() and os.getuid() != 0:
            return  # a grader: the owner has set the permissions
        if stat.S_IMODE(status.st_mode) == GROUP_MODE and self._group_of(self.folder) == self.group:
            return
        for path in (self.folder, *self.folder.rglob("*")):
            if not path.is_symlink():
                shutil.chown(path, group=self.group)
                path.chmod(GROUP_MODE if path.is_dir() else 0o660)

    def _group_of(self, path: Path) -> str:
        with contextlib.suppress(KeyError):
            return path.group()
        return ""

    def _close_secrets(self) -> None:
        """Restrict files that another umask or an older version left readable."""
        for path in (self.secret_word, self.gradebook, *(self.folder / "keys").rglob("*")):
            if path.exists() and not path.is_symlink():
                path.chmod(OWNER_ONLY_MODE if path.is_dir() else 0o600)

    @property
    def lock(self) -> Path:
        """Lock file of the run that writes scores."""
        return self.folder / "grading.lock"

    @property
    def gradebook(self) -> Path:
        """nbgrader's database, unless the course keeps it on a server."""
        return self.folder / "gradebook.db"

    @property
    def secret_word(self) -> Path:
        """Secret from which secret cases and students' seeds are derived."""
        return self.folder / "course.secret"

    @property
    def class_list(self) -> Path:
        """Students of the class, from the roster."""
        return self.folder / "class.json"

    @property
    def class_lists(self) -> Path:
        """Folder of earlier class lists."""
        return self.folder / "class_lists"

    @property
    def submitted(self) -> Path:
        """Folder of submissions, by student."""
        return self.folder / "submitted"

    @property
    def feedback(self) -> Path:
        """Folder of feedback pages for students."""
        return self.folder / "feedback"

    @property
    def report(self) -> Path:
        """Folder of report pages for instructors."""
        return self.folder / "report"

    @property
    def cluster(self) -> Path:
        """TLS certificates of the grading machines."""
        return self.folder / "cluster"

    @property
    def exports(self) -> Path:
        """Tables of grades for other programs."""
        return self.folder / "exports"

    @property
    def staging(self) -> Path:
        """Files of a release that is not certified yet, in the layout of a classroom."""
        return self.folder / "new.tmp"

    @property
    def handed_out(self) -> Path:
        """Archives and upload folders for students."""
        return self.folder / "handed_out"

    @property
    def composed(self) -> Path:
        """Folder of composed assignments, by name."""
        return self.folder / "composed"

    def retakes(self, topic: str) -> Path:
        """Return the file with the points that retakes changed, by student and cell."""
        return self._key_file(topic, None, "retakes.json")

    def exam(self, name: str) -> Path:
        """Return the folder of a printed exam."""
        return self.folder / "exams" / name

    def kept(self, topic: str) -> list[Path]:
        """Return the folders of replaced releases, the oldest first; each is laid out like a classroom."""
        folders = (self.folder / "kept" / topic).glob("*")
        return sorted(folders, key=lambda folder: (len(folder.name), folder.name))

    def next_archive(self, topic: str) -> Path:
        """Return the folder for the next replaced release."""
        folder = self.folder / "kept" / topic
        return folder / str(1 + len(list(folder.glob("*"))))

    def source(self, topic: str) -> Path:
        """Return the nbgrader source folder of a topic."""
        return self.folder / "source" / topic

    def source_notebook(self, topic: str, student: str | None = None) -> Path:
        """Return the notebook with solutions.

        A student has one if the tasks are not those of the class.
        """
        if student is not None:
            return self._key_file(topic, student, "source.ipynb")
        return self.source(topic) / f"{topic}.ipynb"

    def release(self, topic: str, student: str | None = None) -> Path:
        """Return the release folder of the class, or of a personal variant."""
        return (
            self.folder / "release" / topic
            if student is None
            else self.folder / "release_for" / student / topic
        )

    def keys(self, topic: str) -> Path:
        """Return the folder of the keys of personal variants."""
        return self.folder / "keys" / topic

    def secret_key(self, topic: str, student: str | None = None) -> Path:
        """Return the secret key file of the class, or of a personal variant."""
        return self._key_file(topic, student, "secret.json")

    def certificate(self, topic: str, student: str | None = None) -> Path:
        """Return the certificate file of the class, or of a personal variant."""
        return self._key_file(topic, student, "certificate.json")

    def audit_head(self, topic: str) -> Path:
        """Return the file with the signed length of a topic's audit log."""
        return self._key_file(topic, None, "audit.json")

    def made_from(self, topic: str) -> Path:
        """Return the file with the digest of the release's sources."""
        return self._key_file(topic, None, "made_from")

    def digests(self, topic: str) -> Path:
        """Return the file with the digests of a finished release and its inputs."""
        return self._key_file(topic, None, "digests.json")

    def _key_file(self, topic: str, student: str | None, ending: str) -> Path:
        if student is None:
            return self.folder / "keys" / f"{topic}.{ending}"
        return self.keys(topic) / f"{student}.{ending}"

    def answers(self, topic: str, student: str | None = None) -> Path:
        """Return the folder of the solved notebook of the class, or of one student."""
        return (
            self.folder / "answers" / topic
            if student is None
            else self.folder / "answers_for" / student / topic
        )

    def submission(self, student: str, topic: str) -> Path:
        """Return the notebook that a student handed in."""
        return self.submitted / student / topic / f"{topic}.ipynb"

    def attempts(self, student: str, topic: str) -> Path:
        """Return the folder of a student's graded hand-ins, by number."""
        return self.folder / "attempts" / student / topic

    def timestamp(self, student: str, topic: str) -> Path:
        """Return nbgrader's file with the time of the hand-in."""
        return self.submitted / student / topic / "timestamp.txt"

    def autograded(self, student: str, topic: str) -> Path:
        """Return nbgrader's folder of a student's graded notebook."""
        return self.folder / "autograded" / student / topic

    def feedback_page(self, student: str, topic: str) -> Path:
        """Return a student's feedback page."""
        return self.feedback / student / topic / f"{topic}.html"

    def verdicts(self, topic: str) -> Path:
        """Return the folder of grading results, with a file per student."""
        return self.folder / "verdicts" / topic

    def students_with(self, topic: str) -> list[str]:
        """Return the students with a submission for a topic.

        Students whose folder cannot be read are included.
        """
        return sorted(folder.name for folder in _folders(self.submitted) if _may_hold(folder, topic))

    def assignments_of(self, student: str) -> list[str]:
        """Return the names of all folders that a student handed in."""
        with contextlib.suppress(PermissionError):
            return sorted(path.name for path in _folders(self.submitted / student))
        return []

    def loose_notebooks(self) -> list[str]:
        """Return notebooks in places that are not graded, such as `ada.ipynb` or `ada/areas.ipynb`."""
        notebooks = [*_notebooks(self.submitted)]
        for folder in _folders(self.submitted):
            notebooks += _notebooks(folder)
        return sorted(str(path.relative_to(self.submitted)) for path in notebooks)

    def students(self) -> list[str]:
        """Return all students with a submission."""
        return sorted(folder.name for folder in _folders(self.submitted))


def _folders(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(FileNotFoundError):
        yield from (path for path in folder.iterdir() if is_folder(path))


def _notebooks(folder: Path) -> list[Path]:
    with contextlib.suppress(FileNotFoundError, PermissionError):
        return [path for path in folder.iterdir() if path.suffix == ".ipynb" and path.is_file()]
    return []


def _may_hold(folder: Path, topic: str) -> bool:
    try:
        return is_folder(folder / topic)
    except PermissionError:  # modes from an archive: report the student anyway
        return True
