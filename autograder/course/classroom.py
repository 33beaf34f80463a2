"""The classroom's folders: every path of the instructor's side is made here.

    source/ release/ submitted/ autograded/ feedback/    nbgrader's own layout
    release_for/<student>/<topic>/                       what a student with an own variant gets
    keys/<topic>.secret.json, <topic>.certificate.json   of the class's variant
    keys/<topic>/<student>.…, roster.json                of students' own variants
    answers/<topic>/, answers_for/<student>/<topic>/     solved notebooks
    verdicts/<topic>/<student>.json                      what grading found
    report/<topic>.html
    audit/<topic>.jsonl                                  every change of a score, with its cause

`<student>` is the folder name that the roster made from the id.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Classroom:
    """The places of one classroom, or of a folder that is laid out like one."""

    folder: Path

    @property
    def secret_word(self) -> Path:
        """What secret cases and students' seeds follow from."""
        return self.folder / "course.secret"

    @property
    def exchange(self) -> Path:
        """Where nbgrader hands assignments out and in."""
        return self.folder / "exchange"

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
    def staging(self) -> Path:
        """Files that are not certain yet, laid out like the classroom."""
        return self.folder / "new.tmp"

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

    def timestamp(self, student: str, topic: str) -> Path:
        """When it was handed in, as nbgrader keeps it."""
        return self.submitted / student / topic / "timestamp.txt"

    def autograded(self, student: str, topic: str) -> Path:
        """Where nbgrader's formgrader and feedback look for a graded notebook."""
        return self.folder / "autograded" / student / topic

    def feedback_page(self, student: str, topic: str) -> Path:
        """A student's page."""
        return self.feedback / student / topic / f"{topic}.html"

    def report_page(self, topic: str) -> Path:
        """The page of a class."""
        return self.report / f"{topic}.html"

    def verdicts(self, topic: str) -> Path:
        """What grading found, one file for each student."""
        return self.folder / "verdicts" / topic

    def students_with(self, topic: str) -> list[str]:
        """Who handed in something for a topic, in nbgrader's layout."""
        return sorted(path.parent.name for path in self.submitted.glob(f"*/{topic}") if path.is_dir())
