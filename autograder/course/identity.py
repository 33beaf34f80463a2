"""Match students of a new class list with known students (record linkage).

Two records are the same student if they share any id: a login, a number or an address. Names are compared only if the
records share no kind of id, and a name that two students have identifies neither.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from autograder.course.platforms import ID_COLUMNS
from autograder.course.roster import Student, folded_id

MIN_ID_CHARACTERS = 3  # in columns of unknown headings: shorter texts are scores and marks
SCORE_PATTERN = re.compile(r"-?\d+[.,]\d+|-?\d{1,3}")
ID_HEADINGS = frozenset(name.casefold() for name in ID_COLUMNS)


def id_texts(student: Student) -> list[str]:
    """Return all ids of this student on learning platforms, the best first."""
    columns = student.columns
    known = [columns[name] for name in columns if name.casefold() in ID_HEADINGS]
    return [text for text in dict.fromkeys((student.id, *known, student.email)) if text]


class People:
    """Index of the students of a class by ids and names."""

    def __init__(self, students: Iterable[Student]) -> None:
        """Index the students by folder, ids and names."""
        self.students = list(students)
        self._by_id: dict[str, set[str]] = defaultdict(set)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_folder = {student.folder: student for student in self.students}
        others = _other_id_columns(self.students)
        for student in self.students:
            extra = [student.columns[name] for name in others if name in student.columns]
            for text in (student.folder, *id_texts(student), *extra):
                self._by_id[folded_id(text)].add(student.folder)
            for spelling in name_spellings(student):
                self._by_name[spelling].add(student.folder)

    def with_id(self, text: str) -> list[Student]:
        """Return all students with this id."""
        return self._list_students(self._by_id.get(folded_id(text), ()))

    def with_column(self, heading: str, text: str) -> list[Student]:
        """Return all students with this text in the column of this heading."""
        same = folded_id(text)
        return [student for student in self.students if folded_id(student.columns.get(heading, "")) == same]

    def with_name(self, text: str) -> list[Student]:
        """Return all students with this name, first or last name first."""
        return self._list_students(self._by_name.get(folded_name(text), ()))

    def _list_students(self, folders: Collection[str]) -> list[Student]:
        return [self._by_folder[folder] for folder in sorted(folders)]


def _other_id_columns(students: list[Student]) -> list[str]:
    """Return columns of unknown headings that could hold ids.

    All texts of such a column differ, and none looks like a score.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for student in students:
        for heading, text in student.columns.items():
            texts[heading].append(text)
    return [
        heading
        for heading, column in texts.items()
        if heading.casefold() not in ID_HEADINGS
        and len(column) > 1
        and len(set(column)) == len(column)
        and all(len(text) >= MIN_ID_CHARACTERS and not SCORE_PATTERN.fullmatch(text) for text in column)
    ]


def folded_name(text: str) -> str:
    """Fold a name: letters and digits only, without accents and capitals (Canvas and zip files drop them)."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in plain if character.isalnum())


def name_spellings(student: Student) -> Iterator[str]:
    """Yield the folded spellings of a name: Ada Lovelace, Lovelace Ada, as a platform may join them."""
    first, last = student.first_name, student.last_name
    for text in (student.name, f"{first} {last}", f"{last} {first}", _last_first(student.name)):
        if folded_name(text):
            yield folded_name(text)


def _last_first(name: str) -> str:
    """Put the last word first, which is right for most names that come in one column."""
    *first, last = name.split() or [""]
    return " ".join([last, *first])


@dataclass(frozen=True)
class ListChange:
    """A changed value of a known student; `heading` is a column or a field."""

    student: Student
    heading: str
    before: str
    after: str


@dataclass(frozen=True)
class ListComparison:
    """Comparison of a new list with the known class.

    `students` are those of the new list; known ones keep their ids.
    """

    students: tuple[Student, ...]
    added: tuple[Student, ...]
    missing: tuple[Student, ...]
    changes: tuple[ListChange, ...]
    by_name: tuple[Student, ...]  # recognised by their names only
    n_known: int = 0

    @property
    def questions(self) -> list[str]:
        """Doubtful changes that a person should confirm; empty if there are none."""
        reasons = []
        if self.n_known and len(self.added) == len(self.students):
            reasons.append(f"none of the {self.n_known} known students is on this list")
        if self.changes:
            number = len({change.student.folder for change in self.changes})
            reasons.append(f"names or ids of {_count_students(number)} change")
        if self.by_name:
            reasons.append(f"only the name tells who {_count_students(len(self.by_name))} may be")
        return reasons


def _count_students(number: int) -> str:
    return f"{number} student{'' if number == 1 else 's'}"


def compare_lists(students: Iterable[Student], known: Mapping[str, Student]) -> ListComparison:
    """Match a new list with the known class; known students keep id and folder."""
    people, new_students = People(known.values()), list(students)
    identified: list[Student] = []
    added: list[Student] = []
    changes: list[ListChange] = []
    by_name: list[Student] = []
    matched_folders = {student.folder for student in new_students if student.folder in known}
    for student in new_students:
        same = known.get(student.folder) or _find_by_id(student, people, matched_folders)
        named = None if same else _find_by_name(student, people, matched_folders)
        same = same or named
        if same is None:
            added.append(student)
            identified.append(student)
            continue
        matched_folders.add(same.folder)
        by_name += [same] if named else []
        changes += _find_changes(same, student)
        identified.append(replace(student, id=same.id, folder=same.folder))
    missing = tuple(known[folder] for folder in sorted(known.keys() - matched_folders))
    return ListComparison(
        tuple(identified), tuple(added), missing, tuple(changes), tuple(by_name), len(known)
    )


def _find_by_id(student: Student, people: People, matched_folders: set[str]) -> Student | None:
    """Return the only unmatched known student who shares an id, or None."""
    for text in id_texts(student):
        same = [other for other in people.with_id(text) if other.folder not in matched_folders]
        if len(same) == 1:
            return same[0]
    return None


def _find_by_name(student: Student, people: People, matched_folders: set[str]) -> Student | None:
    """Return the only unmatched known student of this name, or None.

    None, too, if both records have an id column or an email address in common: their different ids tell them apart.
    """
    same = [other for other in people.with_name(student.shown) if other.folder not in matched_folders]
    if len(same) != 1 or student.shown == student.id:
        return None
    headings = {heading.casefold() for heading in student.columns} & ID_HEADINGS
    others = {heading.casefold() for heading in same[0].columns} & ID_HEADINGS
    has_email = bool(student.email and same[0].email)
    return None if headings & others or has_email else same[0]


def _find_changes(before: Student, after: Student) -> Iterator[ListChange]:
    """Yield the names and ids that differ; empty values do not count."""
    pairs = [("email", before.email, after.email)]
    pairs.append(("name", *_shown_names(before, after)))
    shared = [name for name in after.columns if name in before.columns and name.casefold() in ID_HEADINGS]
    pairs += [(name, before.columns[name], after.columns[name]) for name in shared]
    reported = set()
    for heading, old, new in pairs:
        if old and new and folded_id(old) != folded_id(new) and (old, new) not in reported:
            reported.add((old, new))
            yield ListChange(before, heading, old, new)


def _shown_names(before: Student, after: Student) -> tuple[str, str]:
    """Return both full names; empty if a list has none."""
    names = [("" if student.shown == student.id else student.shown) for student in (before, after)]
    return names[0], names[1]
