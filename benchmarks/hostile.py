"""Grade a class with the worst submissions that we can build, and without them: time, CPU, memory, scores.

    python -m benchmarks.hostile [--students 400]

The limits are those of a class. Each hostile submission is `tests/attacks/worst.py`'s, named by what it spends.
"""

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.cpu_features import pin_blas_kernels

pin_blas_kernels()

import nbformat  # noqa: E402

from autograder.course.course import Course  # noqa: E402
from autograder.course.files import write_text  # noqa: E402
from autograder.demo import filled_in  # noqa: E402
from autograder.grading.choose import load_assignment  # noqa: E402
from autograder.grading.grade import GradingOptions, grade  # noqa: E402
from autograder.grading.workers import local_grading_pool  # noqa: E402
from autograder.release import variant  # noqa: E402
from autograder.sandbox.limits import Limits  # noqa: E402
from tests.attacks.worst import as_bytes, hostile_notebooks  # noqa: E402

TOPIC = "squares"
HOSTILE = ("questions", "messages", "answers", "loops", "everything")
ANSWERS: tuple[dict[str, str | None], ...] = (
    {},
    {"total": "def NAME(x):\n    return float(np.sum(x))"},
    {"cubes": None},
    {"total": None, "binomial": None},
)


@dataclass(frozen=True)
class Cost:
    """What grading a class took."""

    wall: float
    cpu: float
    peak_mib: float
    scores: Mapping[str, float]


def released_course(root: Path) -> Course:
    """Generate the tiny course of the tests."""
    shutil.copytree(Path(__file__).parents[1] / "tests" / "sample_course", root)
    course = Course(root)
    course.paths.enter()
    write_text(course.paths.secret_word, "a secret word\n")
    variant.write_classroom(course, variant.make_variant(course, TOPIC, "one", course.secret()))
    return course


def hand_in(course: Course, student: str, notebook: Any) -> None:
    """Write a submission."""
    path = course.paths.submission(student, TOPIC)
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(notebook))


def measure(students: int, hostile: tuple[str, ...]) -> Cost:
    """Grade a class of so many honest students and these hostile ones."""
    with tempfile.TemporaryDirectory() as folder:
        course = released_course(Path(folder) / "course")
        release = nbformat.reads(load_assignment(course, TOPIC).release, as_version=4)
        source = nbformat.read(course.classroom / "source" / TOPIC / f"{TOPIC}.ipynb", as_version=4)
        for number in range(students):
            hand_in(course, f"honest{number:03d}", filled_in(release, source, ANSWERS[number % len(ANSWERS)]))
        worst = hostile_notebooks(release, source)
        for name in hostile:
            hand_in(course, f"honest000-{name}", worst[name])
        began, used = time.monotonic(), _cpu_seconds()
        with local_grading_pool() as examiners:
            outcomes = grade(course, TOPIC, examiners, GradingOptions(Limits()))
        peak = max(
            resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        scores = {outcome.student: outcome.score for outcome in outcomes}
        return Cost(time.monotonic() - began, _cpu_seconds() - used, peak / 1024, scores)


def _cpu_seconds() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in usage)


def main() -> None:
    """Print both classes side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=400)
    students = parser.parse_args().students
    clean, pressed = measure(students, ()), measure(students, HOSTILE)
    for name, cost in (("clean", clean), (f"with {len(HOSTILE)} hostile", pressed)):
        print(
            f"{name}: {cost.wall:.0f} s wall, {cost.cpu:.0f} s CPU, largest process {cost.peak_mib:.0f} MiB"
        )
    print(
        f"a hostile one costs {(pressed.cpu - clean.cpu) / len(HOSTILE):.0f} s CPU; bound {Limits().worst_seconds:g} s"
    )
    equal = all(pressed.scores[student] == score for student, score in clean.scores.items())
    print(f"scores of honest students equal: {'yes' if equal else 'NO'}")


if __name__ == "__main__":
    main()
