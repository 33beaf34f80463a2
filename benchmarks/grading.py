"""What grading a class costs: plain nbgrader, `dimred grade` with one and two workers, and the least it could.

    python -m benchmarks.grading                     # 60 three rounds; nbgrader grades 8 in each
    python -m benchmarks.grading --class-size 100 --nbgrader 100 --rounds 1

One run, one class, the same submissions for all. In every round each grader starts afresh, without a gradebook, and
they take turns, so that a machine's slow moment meets all of them; the table shows medians, the last column the ratios
of each round. The submissions: the assignment in `grading_course/` (ten graded cells, six of
them functions that are called on public and secret cases; numpy, scipy, two figures), answered by made-up students
with the solution, another right way, a classic mistake, or nothing. Each grader is a command in a process of its
own; CPU seconds are those of the process and of all its children, by the kernel's count. The lower bound runs the
students' own cells, without any test, one submission after the other in one warm process: nobody can grade without
doing that. On a busy machine compare CPU seconds, and ratios of one run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import nbformat

from autograder.authoring.cells import CHECK
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.demo import filled_in, typed
from autograder.grading.choose import load_assignment
from autograder.judging.key import load_key
from autograder.release.draw import rng_from_words
from benchmarks.otter import run_otter

TOPIC = "curves"
HERE = Path(__file__).resolve().parent
SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Cost:
    """What a grader took for so many and what it took before the first one."""

    cpu: float
    wall: float
    start_cpu: float
    start_wall: float
    number: int

    @property
    def cpu_each(self) -> float:
        return (self.cpu - self.start_cpu) / self.number

    @property
    def wall_each(self) -> float:
        return (self.wall - self.start_wall) / self.number


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """CPU and wall seconds of a command and its children; its output is kept for the case that it fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PATH"] = os.pathsep.join([str(SCRIPTS), environment.get("PATH", "")])
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if process.returncode:
            raise SystemExit(said.read().decode(errors="replace")[-3000:])
    return usage.ru_utime + usage.ru_stime, wall


def make_class(root: Path, size: int) -> Course:
    """A released course with a class's submissions."""
    shutil.copytree(HERE / "grading_course", root)
    shutil.copy(HERE.parent / "nbgrader_config.py", root)
    timed([sys.executable, "-m", "autograder.cli", "regenerate"], root)
    course = Course(root)
    assignment = load_assignment(course, TOPIC)
    release = nbformat.reads(assignment.release, as_version=4)
    source = nbformat.read(course.classroom / "source" / TOPIC / f"{TOPIC}.ipynb", as_version=4)
    inputs = {name: key.cases[0].inputs for name, key in load_key(assignment.public).tasks.items()}
    for number in range(size):
        answers = _answers(course, inputs, number)
        path = course.paths.submission(f"student{number:04d}", TOPIC)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(release, source, answers)), "utf-8")
    return course


def _answers(course: Course, inputs, number: int):
    """Two thirds of the tasks are solved; the others are answered another way, wrongly, or not at all."""
    rng = rng_from_words("benchmark", str(number))
    answers = {}
    for name, task in load_tasks(course, TOPIC).items():
        if rng.random() > 1 / 3:
            continue
        ways = [*task.alternatives, *(wrong.wrong for wrong in task.misconceptions), None]
        answers[name] = typed(ways[rng.integers(len(ways))], task, inputs[name])
    return answers


def lower_bound(course: Course) -> Cost:
    """The students' cells alone, in one warm process."""
    command = [sys.executable, "-m", "benchmarks.grading", "--cells", str(course.root)]
    shown = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True).stdout
    return Cost(**json.loads(shown.splitlines()[-1]))


def run_cells(course: Course) -> None:
    """What `lower_bound` runs: prints the cost as JSON."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    from autograder.sandbox.fork_server import warm_up

    runner = warm_up()
    students = course.paths.students_with(TOPIC)
    cpu = wall = 0.0
    for student in students:
        cells = json.loads(course.paths.submission(student, TOPIC).read_text("utf-8"))["cells"]
        own = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        own = [source for source in own if not CHECK.match(source.strip())]
        start = time.process_time(), time.perf_counter()
        for source in own:
            runner.run(source, 60)
        cpu += time.process_time() - start[0]
        wall += time.perf_counter() - start[1]
        runner.reset()
    print(json.dumps({"cpu": cpu, "wall": wall, "start_cpu": 0, "start_wall": 0, "number": len(students)}))


@contextmanager
def ungraded(course: Course, number: int | None = None) -> Iterator[Course]:
    """A copy of the course with the first or all, that no grader has seen."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Course(Path(folder) / "course")
        shutil.copytree(course.root, copy.root)
        for student in copy.paths.students_with(TOPIC)[number:] if number is not None else []:
            shutil.rmtree(copy.classroom / "submitted" / student)
        yield copy


def dimred(course: Course, workers: int) -> Cost:
    """`dimred grade`; its start-up is what it takes when there is nothing to run."""
    command = [sys.executable, "-m", "autograder.cli", "grade", "--workers", str(workers)]
    with ungraded(course) as copy:
        cpu, wall = timed(command, copy.root)
        return Cost(cpu, wall, *timed(command, copy.root), len(copy.paths.students_with(TOPIC)))


def nbgrader(course: Course, number: int) -> Cost:
    """`nbgrader autograde` on the first submissions; its start-up is what it takes to print its version."""
    command = [sys.executable, "-m", "nbgrader"]
    with ungraded(course, number) as copy:
        cpu, wall = timed([*command, "autograde", TOPIC], copy.root)
        return Cost(cpu, wall, *timed([*command, "--version"], copy.root), number)


def otter(course: Course, number: int, program: str) -> Cost:
    """`otter run` on the first submissions; its start-up, paid for each of them, is no separate cost."""
    with ungraded(course, number) as copy:
        return Cost(*run_otter(copy, TOPIC, number, program, timed), 0, 0, number)


def one_round(course: Course, number: int, program: str | None) -> dict[str, Cost]:
    """What each grader costs, one after the other."""
    return {
        "`nbgrader autograde`": nbgrader(course, number),
        **({"`otter run`": otter(course, number, program)} if program else {}),
        "`dimred grade --workers 1`": dimred(course, 1),
        "`dimred grade --workers 2`": dimred(course, 2),
        "the students' cells alone": lower_bound(course),
    }


def table(rounds: list[dict[str, Cost]]) -> str:
    lines = [
        "| | submissions | CPU s each | wall s each | start-up CPU s | start-up wall s | CPU, nbgrader = 1 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, first in rounds[0].items():
        costs, peers = [one[name] for one in rounds], [one["`nbgrader autograde`"] for one in rounds]
        ratios = [f"1/{peer.cpu_each / cost.cpu_each:.1f}" for peer, cost in zip(peers, costs, strict=True)]
        lines.append(
            f"| {name} | {first.number} | {_median(costs, 'cpu_each'):.3f} | {_median(costs, 'wall_each'):.3f} "
            f"| {_median(costs, 'start_cpu'):.2f} | {_median(costs, 'start_wall'):.2f} | {', '.join(ratios)} |"
        )
    return "\n".join(lines)


def bars(rounds: list[dict[str, Cost]]) -> str:
    """What we want of each round, and what it was."""
    lines = [
        "| workers | CPU / lower bound | nbgrader's wall / ours | start-up wall s |",
        "|---|---|---|---|",
    ]
    for workers in (1, 2):
        ours = [one[f"`dimred grade --workers {workers}`"] for one in rounds]
        least = [one["the students' cells alone"].cpu_each for one in rounds]
        peers = [one["`nbgrader autograde`"].wall_each for one in rounds]
        lines.append(
            f"| {workers} | {_each(cost.cpu_each / bound for cost, bound in zip(ours, least, strict=True))} "
            f"| {_each(peer / cost.wall_each for cost, peer in zip(ours, peers, strict=True))} "
            f"| {_each(cost.start_wall for cost in ours)} |"
        )
    return "\n".join(lines)


def _each(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers)


def _median(costs: list[Cost], what: str) -> float:
    return median(getattr(cost, what) for cost in costs)


def on_paper(rounds: list[dict[str, Cost]], number: int) -> str:
    """The same for a large class: CPU hours, and wall hours on so many cores."""
    lines = [
        f"| {number} submissions | CPU h | wall, 2 cores | wall, 16 cores | wall, 64 cores |",
        "|---|---|---|---|---|",
    ]
    for name in [name for name in rounds[0] if "cells" not in name]:
        costs = [one[name] for one in rounds]
        hours = (_median(costs, "start_cpu") + number * _median(costs, "cpu_each")) / 3600
        cells = [_hours(hours / cores if "nbgrader" not in name else hours) for cores in (2, 16, 64)]
        lines.append(f"| {name} | {hours:.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _hours(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--class-size", type=int, default=60)
    parser.add_argument("--nbgrader", type=int, default=8, help="how many of them nbgrader grades in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--otter", help="the program `otter`, if it is to be compared too: see otter.py")
    parser.add_argument("--cells", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cells:
        run_cells(Course(options.cells))
        return
    with tempfile.TemporaryDirectory() as folder:
        course = make_class(Path(folder) / "course", options.class_size)
        number = min(options.nbgrader, options.class_size)
        rounds = [one_round(course, number, options.otter) for _ in range(options.rounds)]
    print(table(rounds), bars(rounds), on_paper(rounds, 10_000), sep="\n\n")


if __name__ == "__main__":
    main()
