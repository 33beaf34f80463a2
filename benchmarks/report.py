"""How long the report of a large class takes, and how large it is: `python -m benchmarks.report FOLDER 1000`.

FOLDER is a course with a released topic, and not your own: the class is made up and written there as if it had been
graded. Nobody's code runs.
"""

import json
import sys
import time
from pathlib import Path

import nbformat
import numpy as np

from autograder.authoring.cells import check_name, checks
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.demo import filled_in, typed
from autograder.grading.choose import load_assignment
from autograder.grading.outcome import Outcome, outcome_path
from autograder.grading.recorder import Recorder
from autograder.judging.key import load_key
from autograder.reports.course_report import write_course_report
from autograder.reports.report import write_report


def made_up_class(course: Course, topic: str, number: int) -> list[str]:
    """A class as grading leaves it: outcomes, scores, notebooks; students differ in skill, tasks in difficulty."""
    rng = np.random.default_rng(0)
    assignment, tasks = load_assignment(course, topic), load_tasks(course, topic)
    key = load_key(assignment.public).tasks
    release = nbformat.reads(assignment.release, as_version=4)
    source = nbformat.reads(assignment.source, as_version=4)
    difficulty = {name: rng.normal() for name in tasks}
    students = [f"student{place:04d}" for place in range(1, number + 1)]
    with Recorder(course, topic) as recorder:
        for student in students:
            skill, answers, verdicts = rng.normal(0.7, 1.0), {}, {}
            for name, task in tasks.items():
                wrong = _wrong(rng, task, skill - difficulty[name])
                if wrong != "right":
                    answers[name] = typed(wrong and wrong.wrong, task, key[name].cases[0].inputs)
                verdicts[name] = _verdict(task, wrong)
            _write(course, recorder, student, verdicts, filled_in(release, source, answers))
    return students


def _wrong(rng, task, ahead):
    """ "right", a misconception, or None for nothing written."""
    if rng.random() < 1 / (1 + np.exp(-ahead)):
        return "right"
    known = task.misconceptions
    return known[rng.integers(len(known))] if known and rng.random() < 0.8 else None


def _verdict(task, wrong):
    right = wrong == "right"
    known = wrong if wrong and not right else None
    return {
        "passed": right,
        "fraction": 1.0 if right else known.credit if known else 0.0,
        "points": float(task.points),
        "misconception": known.name if known else None,
        "slip": None,
        "see": task.see,
        "problem": "" if wrong else "not written",
        "fault": "",
    }


def _write(course, recorder, student, verdicts, notebook):
    topic = recorder.topic
    cells = {
        check_name(name): [verdict["fraction"] * verdict["points"], None, None, False]
        for name, verdict in verdicts.items()
    }
    recorder.write_back(student, cells)
    recorder.session.expunge_all()
    outcome = Outcome(student, sum(cell[0] for cell in cells.values()), verdicts=verdicts)
    write_text(outcome_path(course, topic, student), json.dumps(vars(outcome)))
    assert dict(checks(notebook)).keys() == verdicts.keys()
    text = json.dumps(notebook)
    write_text(course.paths.autograded(student, topic) / f"{topic}.ipynb", text)
    write_text(course.paths.submission(student, topic), text)


def main() -> None:
    course, number = Course(Path(sys.argv[1]).resolve()), int(sys.argv[2])
    topic = sys.argv[3] if len(sys.argv) > 3 else course.topics()[0]
    made_up_class(course, topic, number)
    start = time.perf_counter()
    page = write_report(course, topic)
    middle = time.perf_counter()
    whole = write_course_report(course, [topic])
    end = time.perf_counter()
    for path, seconds in ((page, middle - start), (whole, end - middle)):
        print(f"{path.name}: {number} students, {seconds:.1f} s, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
