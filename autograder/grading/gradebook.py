"""The seam to nbgrader: its folders, its release step, its gradebook. Scores live there and nowhere else."""

import contextlib
import functools
import importlib
import logging
import os
import re
import sys
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from autograder.authoring.source_notebook import CODE_STUB
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import CourseError, MachineError

PATIENCE = 60  # seconds to wait while another program, such as formgrader, writes the gradebook


def nbgrader_config(course: Course) -> Any:
    """nbgrader's settings for this course; nbgrader_config.py at the root says the same."""
    from traitlets.config import Config

    _put_scripts_on_path()
    course.places.enter()
    config = Config()
    config.CourseDirectory.root = str(course.classroom)
    # the exchange insists on it, and a database server that an assignment has a course
    config.CourseDirectory.course_id = str(course.settings["course_id"])
    address = course.settings.get("gradebook")  # such as postgresql://grader:$PASSWORD@host/course
    if address:
        # the driver of the extra `postgres`; SQLAlchemy 2.1 would look for another one
        driver = re.sub(r"^postgres(ql)?://", "postgresql+psycopg2://", os.path.expandvars(address))
        config.CourseDirectory.db_url = driver
    if share := course.settings["late_penalty_per_day"]:
        config.AssignLatePenalties.plugin_class = "autograder.grading.late_plugin.SharePerDay"
        config.SharePerDay.share = float(share)
    config.ClearSolutions.code_stub = CODE_STUB
    config.OverwriteCells.add_missing_cells = True
    config.HTMLExporter.update(_pages_for_graders())
    config.ExportApp.plugin_class = "autograder.grading.export.SafeCsvExport"
    _make_exchange(course.exchange)
    config.Exchange.root = str(course.exchange)
    config.ExchangeFactory.collect = "autograder.grading.collect.CarefulCollect"
    return config


def _make_exchange(folder: Path) -> None:
    """nbgrader complains at every start when the exchange is not there, and to students when they may not write in it.

    As in /tmp, what somebody has put there nobody else can take away.
    """
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o1777)
        write_text(folder / ".gitignore", "*\n")


def _pages_for_graders() -> dict[str, Any]:
    """What students wrote is shown so that nothing of it runs or asks another host, with buttons for rubrics.

    By name: what is named is imported by the one export that shows submissions to graders.
    """
    pages, rubrics = "autograder.grading.formgrader", "autograder.grading.rubric_buttons"
    filters = {
        "markdown2html": f"{pages}.markdown2html",
        "strip_files_prefix": f"{rubrics}.with_buttons",
    }
    return {"preprocessors": [f"{rubrics}.RubricButtons", f"{pages}.LocalMathJax"], "filters": filters}


def _put_scripts_on_path() -> None:
    """nbgrader calls `alembic` by name to make a gradebook: find it when no environment is active, too."""
    scripts = str(Path(sys.executable).parent)
    if scripts not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", "")])


def import_meanwhile() -> None:
    """Import nbgrader in the background: that takes about as long as the students' nursery takes to warm up."""
    threading.Thread(target=importlib.import_module, args=("nbgrader.api",), daemon=True).start()


def directory(course: Course) -> Any:
    """nbgrader's view of the course's folders."""
    from nbgrader.coursedir import CourseDirectory

    return CourseDirectory(config=nbgrader_config(course))


def _quiet() -> None:
    """nbgrader 0.9 makes SQLAlchemy 2 warn, harmlessly, whenever it adds a submission.

    And it writes the trace of a database's error to Tornado's log; we say the error itself, in one line.
    """
    from sqlalchemy.exc import SAWarning

    warnings.filterwarnings("ignore", category=SAWarning)
    logging.getLogger("tornado.application").setLevel(logging.CRITICAL)


@contextlib.contextmanager
def open_gradebook(course: Course) -> Iterator[Any]:
    """nbgrader's gradebook, closed afterwards."""
    from nbgrader.api import Gradebook

    _quiet()
    with Gradebook(_address(course)) as gradebook:
        yield gradebook


def _address(course: Course) -> str:
    """Where the gradebook is, tables and all; a file is made here, so that it is its owner's from the first byte."""
    address = str(directory(course).db_url)
    if not course.settings.get("gradebook"):
        course.places.gradebook.touch(mode=0o600)
        address = f"{address}?timeout={PATIENCE}"
        if course.places.gradebook.stat().st_size:
            return address
    _make_tables(address)
    return address


def _make_tables(address: str) -> None:
    """Make the tables of a new gradebook as nbgrader would, which starts a second Python to ask for their version."""
    import nbgrader.api
    from alembic.script import ScriptDirectory
    from sqlalchemy import create_engine, inspect, text

    engine = create_engine(address)
    with engine.begin() as connection:
        if not inspect(connection).get_table_names():
            version = ScriptDirectory(
                str(Path(nbgrader.api.__file__).with_name("alembic"))
            ).get_current_head()
            nbgrader.api.Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})
    engine.dispose()


def release_assignment(course: Course, topic: str) -> None:
    """Run nbgrader's generate_assignment."""
    from nbgrader.apps import NbGraderAPI

    _address(course)
    api = NbGraderAPI(config=nbgrader_config(course))
    result = api.generate_assignment(topic, force=True)
    if not result["success"]:
        raise CourseError(f"nbgrader could not release {topic}: {_reason(result)}")


def release_to_exchange(course: Course, topic: str) -> None:
    """Run nbgrader's release_assignment."""
    from nbgrader.apps import NbGraderAPI

    result = NbGraderAPI(config=nbgrader_config(course)).release_assignment(topic)
    if not result["success"]:
        raise CourseError(f"nbgrader could not hand out {topic}: {_reason(result)}")


def _reason(result: Mapping[str, Any]) -> str:
    """The exception in nbgrader's log, or its last line."""
    lines = [
        line.strip() for line in str(result.get("log") or result.get("error")).splitlines() if line.strip()
    ]
    errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Entry): ", line)]
    return (errors or lines or ["it gave no reason"])[-1]


def graded_students(course: Course, topic: str) -> set[str]:
    """Those whose submission the gradebook knows."""
    with Recorder(course, topic) as recorder:
        return recorder.students()


def has_assignment(course: Course, topic: str) -> bool:
    """Return whether there is a gradebook that knows the topic."""
    if not course.settings.get("gradebook") and not course.places.gradebook.is_file():
        return False
    try:
        with Recorder(course, topic) as recorder:
            recorder.require_assignment()
    except MachineError:
        raise
    except CourseError:
        return False
    return True


def parse_utc(text: str) -> Any:
    """A time as nbgrader reads it; ValueError if it is none."""
    from nbgrader.utils import parse_utc as parse

    return parse(text)


def _when(stamp: str | None) -> Any:
    """When work was handed in, as the gradebook has it; nobody knows without a stamp."""
    return parse_utc(stamp) if stamp else None


def _unknown(topic: str) -> CourseError:
    return CourseError(
        f"the gradebook does not know {topic}: put the lost one back, or run `dimred regenerate` with the seed of "
        f"this class, as before, and `dimred audit --restore {topic}`"
    )


class Recorder:
    """The one writer of a topic's scores: nbgrader's gradebook, opened once, one transaction per submission."""

    def __init__(self, course: Course, topic: str) -> None:
        """Use as a context manager."""
        self.course, self.topic = course, topic
        self.folder = directory(course)

    def __enter__(self) -> Self:
        """Open the gradebook."""
        from nbgrader.api import Gradebook

        _quiet()
        self.gradebook = Gradebook(_address(self.course))
        self.session = self.gradebook.db()
        self.session.expire_on_commit = False  # rows are read for one submission and then let go
        self._file = self._identity()
        return self

    def _identity(self) -> int | None:
        """Which file the gradebook is; None if it is gone, or on a server."""
        with contextlib.suppress(FileNotFoundError):
            return self.course.places.gradebook.stat().st_ino
        return None

    def require_assignment(self) -> None:
        """CourseError if the gradebook does not know the topic: it is not the one that the release was written to."""
        from nbgrader.api import MissingEntry

        try:
            self.gradebook.find_assignment(self.topic)
        except MissingEntry:
            raise _unknown(self.topic) from None

    def __exit__(self, *error: object) -> None:
        """Close it; what was not committed is dropped."""
        self.gradebook.close()

    def students(self) -> set[str]:
        """Those whose submission the gradebook knows."""
        from nbgrader.api import Assignment, Student, SubmittedAssignment

        found = self.session.query(Student.id).join(SubmittedAssignment).join(Assignment)
        return {student for (student,) in found.filter(Assignment.name == self.topic)}

    def students_in_time(self, stamp: Callable[[str], str | None]) -> set[str]:
        """Those whom the gradebook knows with the due date, the extension and the time of handing in that hold now.

        `stamp` says when a student handed in, if anybody wrote it down.
        """
        from nbgrader.api import SubmittedAssignment

        from autograder.grading.late import due_date, extensions

        assignment = self.gradebook.find_assignment(self.topic)
        if due_date(self.course, self.topic) not in (None, assignment.duedate):
            return set()
        more = extensions(self.course) if assignment.duedate else {}
        known = SubmittedAssignment
        found = self.session.query(known.student_id, known.extension, known.timestamp)
        return {
            student
            for student, extension, when in found.filter(known.assignment_id == assignment.id)
            if more.get(student, extension) == extension and when == _when(stamp(student))
        }

    def standings(self) -> dict[str, tuple[float, float]]:
        """What everybody has now, a person's points included: points before the penalty for lateness, and that."""
        lost = dict(penalties(self.gradebook, self.topic))
        earned: dict[str, float] = defaultdict(float)
        for student, _, (auto, manual, extra, _) in raw_scores(self.gradebook, self.topic):
            earned[student] += (manual if manual is not None else auto or 0.0) + (extra or 0.0)
        return {student: (round(points, 6), lost.get(student, 0.0)) for student, points in earned.items()}

    def late_with_points_by_hand(self) -> list[str]:
        """Those whose lateness may cost another number of points than when they were graded."""
        by_hand = {
            student
            for student, _, (_, manual, extra, _) in raw_scores(self.gradebook, self.topic)
            if manual is not None or extra
        }
        return sorted(by_hand & late_seconds(self.gradebook, self.topic).keys()) if by_hand else []

    def set_by_hand(self) -> dict[str, set[str]]:
        """The cells, by student, whose score a person has set: it counts before the program's."""
        from nbgrader.api import MissingEntry

        found: dict[str, set[str]] = {}
        with contextlib.suppress(MissingEntry):
            for submission in self.gradebook.find_assignment(self.topic).submissions:
                grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
                found[submission.student_id] = {one.name for one in grades if one.manual_score is not None}
        return found

    def record(self, student: str, notebook: Any, stamp: str | None) -> float:
        """Write one graded notebook's scores as nbgrader does (None: unreadable, no points); return the total."""
        commit = self.session.commit
        self.session.commit = self.session.flush  # nbgrader commits after every small step
        try:
            submission = self._submission(student)
            submission.timestamp = _when(stamp)
            self._give_time(submission)
            for one in submission.notebooks:
                one.late_submission_penalty = None  # of an earlier grading
                _write_grades(one, notebook, self._cell_names())
            self.session.flush()
        except BaseException:
            self.session.rollback()
            raise
        finally:
            self.session.commit = commit
        self.session.commit()
        if self._identity() != self._file:  # SQLite goes on writing into a file that nobody can open any more
            raise MachineError(
                "the gradebook was removed or replaced while grading: put it back, then run again"
            )
        if submission.total_seconds_late > 0 and notebook is not None:
            self.penalise(student)
        total = sum(_counted(grade) for one in submission.notebooks for grade in one.grades)
        self.session.expunge_all()
        return total

    def _give_time(self, submission: Any) -> None:
        """Due date and extension of now; more time than none is none, and nbgrader cannot add to no date."""
        more = self._extensions().get(submission.student_id, submission.extension)
        submission.extension = more if submission.assignment.duedate else None

    @functools.cache  # noqa: B019
    def _extensions(self) -> dict[str, Any]:
        """Who has more time; the due date is written on the way, before the first score."""
        from autograder.grading.late import extensions, set_due

        set_due(self.course, self.topic, self.gradebook.find_assignment(self.topic))
        return extensions(self.course)

    def lateness(self, student: str) -> tuple[float, float]:
        """How many seconds late a student's work was, and the points that it costs."""
        submission = self.gradebook.find_submission(self.topic, student)
        return float(submission.total_seconds_late), _penalty(submission)

    def write_back(self, student: str, cells: Mapping[str, list[Any]]) -> None:
        """Write scores that a log holds: by cell the program's, a person's, extra credit, must a person look?"""
        names = self._cell_names()
        for one in self._submission(student).notebooks:
            for grade in one.grades:
                if names[grade.cell_id] in cells:
                    score = cells[names[grade.cell_id]]
                    grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade = score
        self.session.commit()

    def write_penalty(self, student: str, points: float) -> None:
        """Write what being late costs."""
        for one in self._submission(student).notebooks:
            one.late_submission_penalty = points
        self.session.commit()

    def _submission(self, student: str) -> Any:
        from nbgrader.api import MissingEntry

        self.gradebook.update_or_create_student(student)
        try:
            return self.gradebook.find_submission(self.topic, student)
        except MissingEntry:
            self._add_submission(student)
            return self.gradebook.find_submission(self.topic, student)

    def _add_submission(self, student: str) -> None:
        """The rows that nbgrader's own function adds, in four statements instead of one by one."""
        from nbgrader import api
        from sqlalchemy import insert

        assignment, notebooks = self._frame()
        submission = api.new_uuid()
        rows: dict[Any, list[dict[str, str]]] = {api.SubmittedNotebook: [], api.Grade: [], api.Comment: []}
        for notebook, graded, commented in notebooks:
            own = api.new_uuid()
            rows[api.SubmittedNotebook] += [{"id": own, "assignment_id": submission, "notebook_id": notebook}]
            rows[api.Grade] += [{"notebook_id": own, "cell_id": cell} for cell in graded]
            rows[api.Comment] += [{"notebook_id": own, "cell_id": cell} for cell in commented]
        first = {"id": submission, "assignment_id": assignment, "student_id": student}
        for table, new in {api.SubmittedAssignment: [first], **rows}.items():
            if new:
                self.session.execute(insert(table), new)

    @functools.cache  # noqa: B019  (one recorder lives as long as the grading of one class)
    def _frame(self) -> tuple[str, list[tuple[str, list[str], list[str]]]]:
        """The assignment's id; for each of its notebooks the ids of itself, of its graded and commented cells."""
        assignment = self.gradebook.find_assignment(self.topic)
        return assignment.id, [
            (
                notebook.id,
                [cell.id for cell in (*notebook.grade_cells, *notebook.task_cells)],
                [cell.id for cell in (*notebook.solution_cells, *notebook.task_cells)],
            )
            for notebook in assignment.notebooks
        ]

    @functools.cache  # noqa: B019
    def _cell_names(self) -> dict[str, str]:
        """The name of every cell of the assignment by its id, read once: by way of a grade each costs a query."""
        from nbgrader.api import Assignment, BaseCell, Notebook

        cells = self.session.query(BaseCell.id, BaseCell.name).join(Notebook).join(Assignment)
        return dict(cells.filter(Assignment.name == self.topic).all())

    def penalise(self, student: str) -> None:
        """Let nbgrader's late-penalty plugin say what lateness costs of the points that the student has now."""
        from nbconvert.exporters.exporter import ResourcesDict
        from nbformat.v4 import new_notebook
        from nbgrader.preprocessors import AssignLatePenalties

        resources = ResourcesDict()
        names = {"notebook": self.topic, "assignment": self.topic, "student": student}
        resources["nbgrader"] = {**names, "db_url": self.folder.db_url}
        nothing = new_notebook()  # what is in the cells is not asked for
        AssignLatePenalties(config=_config_with_plugins(self.course)).preprocess(nothing, resources)


def _config_with_plugins(course: Course) -> Any:
    """nbgrader's settings with whatever the course's own nbgrader_config.py adds, such as a plugin for penalties."""
    from traitlets.config import PyFileConfigLoader

    config = nbgrader_config(course)
    if (course.root / "nbgrader_config.py").is_file():
        config.merge(PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config())
        config.merge(nbgrader_config(course))  # the room that is graded, if it is not the one of the settings
    return config


def _penalty(submission: Any) -> float:
    return float(sum(one.late_submission_penalty or 0.0 for one in submission.notebooks))


def _write_grades(submitted: Any, notebook: Any, names: Mapping[str, str]) -> None:
    """What nbgrader's SaveAutoGrades does for each cell, on rows that are loaded already."""
    from nbgrader import utils

    grades = {names[grade.cell_id]: grade for grade in submitted.grades}
    comments = {names[comment.cell_id]: comment for comment in submitted.comments}
    if notebook is None:
        for grade in grades.values():
            grade.auto_score, grade.needs_manual_grade = 0.0, False
        return
    for cell in notebook.cells:
        if utils.is_grade(cell):
            grade = grades[cell.metadata.nbgrader.grade_id]
            grade.auto_score = utils.determine_grade(cell)[0]
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        if utils.is_solution(cell):
            untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            comments[cell.metadata.nbgrader.grade_id].auto_comment = "No response." if untouched else None


def _counted(grade: Any) -> float:
    """A person's score counts before the program's."""
    score = grade.manual_score if grade.manual_score is not None else grade.auto_score
    return float(score or 0.0) + float(grade.extra_credit or 0.0)


def raw_scores(book: Any, topic: str, *, unread: bool = False) -> Iterator[tuple[str, str, list[Any]]]:
    """Each student's cells with the program's score, a person's, extra credit, and whether a person must look.

    An answer that nobody has read yet has no score of any kind; `unread` yields it, too.
    """
    from nbgrader import api

    columns = (api.Grade.auto_score, api.Grade.manual_score, api.Grade.extra_credit)
    found = (
        book.db.query(
            api.SubmittedAssignment.student_id, api.BaseCell.name, *columns, api.Grade.needs_manual_grade
        )
        .select_from(api.Grade)
        .join(api.SubmittedNotebook, api.Grade.notebook_id == api.SubmittedNotebook.id)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .join(api.BaseCell, api.Grade.cell_id == api.BaseCell.id)
        .filter(api.Assignment.name == topic)
    )
    for student, cell, *score in found:
        if score[:3] != [None, None, None] or (unread and score[3]):  # others nobody has filled yet
            yield student, cell, score


def penalties(book: Any, topic: str) -> Iterator[tuple[str, float]]:
    """What being late cost each student, where it cost something."""
    from nbgrader import api

    found = (
        book.db.query(api.SubmittedAssignment.student_id, api.SubmittedNotebook.late_submission_penalty)
        .select_from(api.SubmittedNotebook)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .filter(api.Assignment.name == topic)
    )
    yield from ((student, float(points)) for student, points in found if points)


def people(book: Any) -> dict[str, str]:
    """The names of students, where the gradebook knows them."""
    from nbgrader.api import Student

    found = book.db.query(Student.id, Student.first_name, Student.last_name)
    return {one: f"{first or ''} {last or ''}".strip() for one, first, last in found}


def most_points(book: Any, topic: str) -> dict[str, float]:
    """The points of each graded cell of an assignment; nothing if it was not released."""
    from nbgrader.api import MissingEntry

    with contextlib.suppress(MissingEntry):
        notebooks = book.find_assignment(topic).notebooks
        return {cell.name: float(cell.max_score) for one in notebooks for cell in one.grade_cells}
    return {}


def late_seconds(book: Any, topic: str) -> dict[str, float]:
    """By how much each student was late, for those who were."""
    from nbgrader.api import MissingEntry

    with contextlib.suppress(MissingEntry):
        submissions = book.find_assignment(topic).submissions
        late = {one.student_id: float(one.total_seconds_late) for one in submissions}
        return {student: seconds for student, seconds in late.items() if seconds > 0}
    return {}


def all_comments(book: Any, topic: str) -> Iterator[tuple[str, str, str]]:
    """What graders wrote: student, cell, words."""
    from nbgrader import api

    found = (
        book.db.query(api.SubmittedAssignment.student_id, api.BaseCell.name, api.Comment.manual_comment)
        .select_from(api.Comment)
        .join(api.SubmittedNotebook, api.Comment.notebook_id == api.SubmittedNotebook.id)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .join(api.BaseCell, api.Comment.cell_id == api.BaseCell.id)
        .filter(api.Assignment.name == topic)
    )
    yield from ((student, cell, words) for student, cell, words in found if words)


def scores(course: Course, topic: str) -> dict[str, dict[str, Any]]:
    """Per student: total after penalties, maximum, points per graded cell, whether a person must still grade, lateness.

    `score` is what counts, `penalty` what lateness took off, `late` the seconds.
    """
    from nbgrader.api import MissingEntry

    with open_gradebook(course) as gradebook:
        found = {}
        try:
            submissions = gradebook.find_assignment(topic).submissions
        except MissingEntry:
            raise _unknown(topic) from None
        for submission in submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            found[submission.student.id] = {
                "score": max(0.0, float(submission.score) - _penalty(submission)),
                "penalty": _penalty(submission),
                "late": float(submission.total_seconds_late),
                "max": float(submission.max_score),
                "scores": {grade.name: _score(grade) for grade in grades},
                "needs_manual_grade": bool(submission.needs_manual_grade),
            }
        return found


def _score(grade: Any) -> float | None:
    """What a cell counts: None while a person must still look at it."""
    return None if grade.needs_manual_grade else float(grade.score)


def comments(course: Course, topic: str) -> dict[str, dict[str, str]]:
    """Return what graders wrote, by student and cell, or what nbgrader wrote where they did not."""
    from nbgrader import api

    words: dict[str, dict[str, str]] = {}
    with open_gradebook(course) as gradebook:
        rows = (
            gradebook.db.query(api.SubmittedAssignment.student_id, api.BaseCell.name, api.Comment.comment)
            .select_from(api.Comment)
            .join(api.SubmittedNotebook, api.Comment.notebook_id == api.SubmittedNotebook.id)
            .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
            .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
            .join(api.BaseCell, api.Comment.cell_id == api.BaseCell.id)
            .filter(api.Assignment.name == topic)
        )
        for student, cell, comment in rows:
            if comment:
                words.setdefault(student, {})[cell] = comment
    return words
