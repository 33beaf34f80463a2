"""Same work, same score: does what an answer earns depend on the luck of the draw?

    python -m benchmarks.same_score                        # 50 secrets of every task
    python -m benchmarks.same_score --draws 20 pca svd

The secret cases of every function are drawn for so many secrets, printed numbers for so many seeds. On each draw every
correct program (reference, alternatives, the notebook's own solution) must earn full marks in every guise, and
every misconception the same share as on all other draws. What does not is listed by name.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.answers import attempt
from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks, solutions
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.judging.key import TaskKey
from autograder.judging.verdict import Verdict
from autograder.release.answer_formats import all_formats
from autograder.release.draw import draw_secret, draw_task
from autograder.release.mistakes import call_quietly
from autograder.release.rules import judge_solution

COURSE = Course(Path(__file__).resolve().parents[1])


@dataclass
class Sweep:
    """What was found over the draws of one topic's tasks."""

    tasks: int = 0
    draws: int = 0
    refused: int = 0
    right: int = 0
    mistakes: int = 0
    lost: Counter[str] = field(default_factory=Counter)  # right work that lost points, by name
    shares: dict[str, Counter[float]] = field(default_factory=lambda: defaultdict(Counter))

    def varying(self) -> dict[str, Counter[float]]:
        """The misconceptions that do not earn the same share on all draws."""
        return {name: shares for name, shares in self.shares.items() if len(shares) > 1}


def drawn(name: str, task: Task, number: int) -> tuple[TaskKey, tuple[str, ...]]:
    """The cases of one draw: secret ones of a function, printed ones of anything else."""
    if task.kind == "code":
        return draw_secret(name, task, "published", f"secret {number}")
    one = draw_task(name, task, f"seed {number}", "")
    return one.public, one.refused


def right_work(
    task: Task, key: TaskKey, solution: Callable[..., Any] | None
) -> Iterator[tuple[str, Verdict]]:
    """The verdict on every correct program in every guise; formulas are taken as they are."""
    ways = [*(way for way in (task.answer, *task.alternatives) if callable(way))]
    ways += [solution] if solution and task.kind == "code" else []
    if task.kind == "sym":
        for way in (task.answer, *task.alternatives):
            yield (way if isinstance(way, str) else way.__name__), judge_solution(task, key, way)
        return
    for way in ways:
        answers = [dict(all_formats(task, call_quietly(way, case.inputs))) for case in key.cases]
        for guise in answers[0]:
            attempts = [attempt.value(one[guise]) for one in answers]
            yield f"{way.__name__}, {guise}", judge("", key, attempts)


def sweep(topic: str, draws: int) -> Sweep:
    found, own = Sweep(), solutions(COURSE, topic)
    for name, task in load_tasks(COURSE, topic).items():
        found.tasks += 1
        for number in range(draws):
            key, refused = drawn(f"{topic}.{name}", task, number)
            found.draws += 1
            found.refused += len(refused)
            for way, verdict in right_work(task, key, own.get(name)):
                found.right += 1
                if not verdict.passed:
                    found.lost[f"{topic}.{name}: {way}"] += 1
            for wrong in task.misconceptions:
                found.mistakes += 1
                share = judge_solution(task, key, wrong.wrong).fraction
                found.shares[f"{topic}.{name}: {wrong.name}"][round(share, 9)] += 1
    return found


HEADINGS = (
    "topic",
    "tasks",
    "draws",
    "refused",
    "right work judged",
    "lost points",
    "mistakes judged",
    "share varies",
    "CPU s",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("topics", nargs="*", help="all of them if none is named")
    parser.add_argument("--draws", type=int, default=50)
    options = parser.parse_args()
    print(f"| {' | '.join(HEADINGS)} |\n|---{'|--:' * (len(HEADINGS) - 1)}|", flush=True)
    told: list[str] = []
    for topic in COURSE.require_topics(options.topics):
        start = time.process_time()
        one = sweep(topic, options.draws)
        cells = (
            f"`{topic}`",
            one.tasks,
            one.draws,
            one.refused,
            one.right,
            sum(one.lost.values()),
            one.mistakes,
            len(one.varying()),
            f"{time.process_time() - start:.0f}",
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
        told += [f"- {name} lost points on {times} draws" for name, times in one.lost.items()]
        for name, shares in one.varying().items():
            told.append(f"- {name}: " + ", ".join(f"{share:.3g} ({n})" for share, n in shares.items()))
    print("\n".join(["", *told]))


if __name__ == "__main__":
    main()
