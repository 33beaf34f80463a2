"""Sweep all tasks with answers that look at no input, and print what the best of them earns.

    python -m benchmarks.constants [TOPIC …] [--secret]

Every answer is judged as a student's would be, hints and their credit included. Without `--secret` the cases are those
of the released exercises; with it they are drawn anew, as a class's secret cases are.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from autograder.answers.attempt import CallResult
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.judging.key import TaskKey, read_key
from autograder.release.constants import candidates
from autograder.release.draw import draw_task

ROOT = Path(__file__).resolve().parents[1]


def best_constant(key: TaskKey) -> tuple[float, str, bool]:
    """Return the largest share that an answer without input earns, its name, and whether an absurd one was named."""
    best, words, is_named = 0.0, "", False
    for name, answers in candidates(key):
        verdict = judge("t", key, [CallResult(answer) for answer in answers])
        if verdict.fraction > best:
            best, words = verdict.fraction, name
        is_absurd = any(text in name for text in ("1e+100", "1e+200", "1e+308", "inf", "nan"))
        is_named |= is_absurd and bool(verdict.misconception or verdict.slip)
    return best, words, is_named


def keys(topics: list[str], *, secret: bool) -> Iterator[tuple[str, str, TaskKey]]:
    """Yield topic, task and key of every task."""
    course = Course(ROOT)
    for topic in topics:
        if secret:
            for name, task in load_tasks(course, topic).items():
                yield topic, name, draw_task(f"{topic}.{name}", task, "sweep", "secret").secret
        else:
            released = read_key(ROOT / "exercises" / topic / f"{topic}.key.json")
            for name, key in released.tasks.items():
                yield topic, name, key


def main() -> None:
    """Print one row for each task, and the points that can be had in all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("topics", nargs="*")
    parser.add_argument(
        "--secret", action="store_true", help="draw secret cases instead of the released ones"
    )
    options = parser.parse_args()
    every = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/*.key.json"))
    total = earned = 0.0
    print("| task | kind | best constant | points | of | an absurd number is given a reason |")
    print("|---|---|---|---|---|---|")
    for topic, name, key in keys(options.topics or every, secret=options.secret):
        share, words, is_named = best_constant(key)
        total, earned = total + key.points, earned + share * key.points
        points = f"{share * key.points:.2f}" if share else "0"
        print(
            f"| {topic}.{name} | {key.kind} | {words} | {points} | {key.points:g} | {'yes' if is_named else ''} |"
        )
    print(f"\n{earned:.2f} of {total:g} points are earned by answers that look at no input")


if __name__ == "__main__":
    main()
