"""The classroom's folders: every path of the instructor's side is made here.

    source/ release/ submitted/ autograded/ feedback/    nbgrader's own layout
    release_for/<student>/<topic>/                       what a student with an own variant gets
    keys/<topic>.secret.json, <topic>.certificate.json   of the class's variant
    keys/<topic>/<student>.…, roster.json                of students' own variants
    answers/<topic>/, answers_for/<student>/<topic>/     solved notebooks
    attempts/<student>/<topic>/<number>/                 every hand-in that was graded
    verdicts/<topic>/<student>.json                      what grading found
    report/<topic>.html, index.html                      of a class, of the course
    class.json                                           who is in the class, as the roster said
    kept/<topic>/<number>/                               every release that was replaced, laid out like the classroom
    handed_out/                                          what `dimred distribute` made
    audit/<topic>.jsonl                                  every change of a score, with its cause

`<student>` is the folder name that the roster made from the id. All of it is its owner's alone, and kept out of git,
wherever it lies and whatever it is called: what students may reach is the exchange, which lies outside.
"""

import contextlib
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.files import is_folder, make_folder, write_text
from autograder.errors import CourseError

OWNERS_ALONE = 0o700
NOT_FOR_GIT = "# Keys, grades and names: nothing in this folder is ever committed.\n*\n"


@dataclass(frozen=True)
class Classroom:
    """The places of one classroom, or of a folder that is laid out like one."""

    folder: Path

    def enter(self) -> None:
        """Make the folder, or make sure that it is its owner's alone: whatever is about to be written is secret."""
        try:
            make_folder(self.folder)
            if stat.S_IMODE(self.folder.stat().st_mode) != OWNERS_ALONE:
                self.folder.chmod(OWNERS_ALONE)
                self._close_secrets()
            if not (self.folder / ".gitignore").is_file():
                write_text(self.folder / ".gitignore", NOT_FOR_GIT)
        except OSError as error:
            raise CourseError(
                f"{self.folder} must be a folder of yours to write in: {error.strerror}"
            ) from None

    def _close_secrets(self) -> None:
        """What another umask or an older version left open."""
        for path in (self.secret_word, self.gradebook, *(self.folder / "keys").rglob("*")):
            if path.exists() and not path.is_symlink():
                path.chmod(OWNERS_ALONE if path.is_dir() else 0o600)

    @property
    def lock(self) -> Path:
        """Held by the one run that writes scores."""
        return self.folder / "grading.lock"

    @property
    def gradebook(self) -> Path:
        """nbgrader's database, unless the course keeps it on a server."""
        return self.folder / "gradebook.db"

    @property
    def secret_word(self) -> Path:
        """What secret cases and students' seeds follow from."""
        return self.folder / "course.secret"

    @property
    def class_list(self) -> Path:
        """Who is in the class, as the roster said."""
        return self.folder / "class.json"

    @property
    def submitted(self) -> Path:
        """What was handed in, by student."""
        return self.folder / "submitted"

    @property
    def feedback(self) -> Path:
        """The pages for students."""
        return self.folder / "feedback"

    @property
    def report(self) -> Path:
        """The pages for whoever teaches."""
        return self.folder / "report"

    @property
    def cluster(self) -> Path:
        """The certificates of the machines that grade."""
        return self.folder / "cluster"

    @property
    def exports(self) -> Path:
        """Tables of grades for other programs."""
        return self.folder / "exports"

    @property
    def staging(self) -> Path:
        """Files that are not certain yet, laid out like the classroom."""
        return self.folder / "new.tmp"

    @property
    def handed_out(self) -> Path:
        """What was made to be given to students: archives, folders for an upload."""
        return self.folder / "handed_out"

    def next_kept(self, topic: str) -> Path:
        """The place for the next release that is replaced."""
        folder = self.folder / "kept" / topic
        return folder / str(1 + len(list(folder.glob("*"))))

    def source(self, topic: str) -> Path:
        """The notebook with solutions, as nbgrader takes it."""
        return self.folder / "source" / topic

    def source_notebook(self, topic: str) -> Path:
        """That notebook itself."""
        return self.source(topic) / f"{topic}.ipynb"

    def release(self, topic: str, student: str | None = None) -> Path:
        """What the class gets, or a student with an own variant."""
        return (
            self.folder / "release" / topic
            if student is None
            else self.folder / "release_for" / student / topic
        )

    def keys(self, topic: str) -> Path:
        """The keys of students' own variants."""
        return self.folder / "keys" / topic

    def secret_key(self, topic: str, student: str | None = None) -> Path:
        """The secret key of the class's variant, or of a student's own."""
        return self._key_file(topic, student, "secret.json")

    def certificate(self, topic: str, student: str | None = None) -> Path:
        """The certificate of the class's variant, or of a student's own."""
        return self._key_file(topic, student, "certificate.json")

    def audit_head(self, topic: str) -> Path:
        """How long the log of a topic's scores is, signed."""
        return self._key_file(topic, None, "audit.json")

    def made_from(self, topic: str) -> Path:
        """The digest of the sources that the release was made from."""
        return self._key_file(topic, None, "made_from")

    def digests(self, topic: str) -> Path:
        """The digests of a finished release: of all that it was made from, and of its files."""
        return self._key_file(topic, None, "digests.json")

    def _key_file(self, topic: str, student: str | None, ending: str) -> Path:
        if student is None:
            return self.folder / "keys" / f"{topic}.{ending}"
        return self.keys(topic) / f"{student}.{ending}"

    def answers(self, topic: str, student: str | None = None) -> Path:
        """The solved notebook of the class, or of one student; on the instructor's side only."""
        return (
            self.folder / "answers" / topic
            if student is None
            else self.folder / "answers_for" / student / topic
        )

    def submission(self, student: str, topic: str) -> Path:
        """The notebook that a student handed in."""
        return self.submitted / student / topic / f"{topic}.ipynb"

    def attempts(self, student: str, topic: str) -> Path:
        """Every hand-in of a student that was graded, by number."""
        return self.folder / "attempts" / student / topic

    def timestamp(self, student: str, topic: str) -> Path:
        """When it was handed in, as nbgrader keeps it."""
        return self.submitted / student / topic / "timestamp.txt"

    def autograded(self, student: str, topic: str) -> Path:
        """Where nbgrader's formgrader and feedback look for a graded notebook."""
        return self.folder / "autograded" / student / topic

    def feedback_page(self, student: str, topic: str) -> Path:
        """A student's page."""
        return self.feedback / student / topic / f"{topic}.html"

    def verdicts(self, topic: str) -> Path:
        """What grading found, one file for each student."""
        return self.folder / "verdicts" / topic

    def students_with(self, topic: str) -> list[str]:
        """Who handed in something for a topic, in nbgrader's layout, or something that may not even be looked at."""
        return sorted(folder.name for folder in _folders(self.submitted) if _may_hold(folder, topic))

    def assignments_of(self, student: str) -> list[str]:
        """The folders that a student handed in, whatever the course calls them."""
        with contextlib.suppress(PermissionError):
            return sorted(path.name for path in _folders(self.submitted / student))
        return []

    def loose_notebooks(self) -> list[str]:
        """Notebooks that lie where nothing is graded, beside the folders: `ada.ipynb`, `ada/areas.ipynb`."""
        found = [*_notebooks(self.submitted)]
        for folder in _folders(self.submitted):
            found += _notebooks(folder)
        return sorted(str(path.relative_to(self.submitted)) for path in found)

    def students(self) -> list[str]:
        """Everybody who handed in something."""
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
    except PermissionError:  # an archive keeps its modes: whose work it is must not go unnoticed
        return True
