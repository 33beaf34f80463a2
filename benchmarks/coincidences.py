"""How often numbers of hand tasks agree by luck, in draws as they come and in certified ones.

    python -m benchmarks.coincidences                      # 200 seeds of every hand task
    python -m benchmarks.coincidences --seeds 20 --topics pca duality

"As drawn" takes the first draw of each seed that breaks no other rule: what a student would get without the rule on
lucky numbers. "Certified" is what the student gets. The last column names the reasons, most frequent first.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.errors import UncertifiedError
from autograder.judging import fingerprints
from autograder.judging.key import TaskKey
from autograder.release.coincidences import lucky_agreements
from autograder.release.draw import MAX_TRIES, draw_task, rng_from_words, task_key, usual_shares
from autograder.release.rules import broken_rules

COURSE = Course(Path(__file__).resolve().parents[1])
REASONS_SHOWN = 3


def first_draw(name: str, task: Task, seed: str) -> TaskKey:
    """The first draw of a seed that breaks no rule but the one on lucky numbers."""
    for attempt in range(1, MAX_TRIES + 1):
        key = task_key(task, task.draw(rng_from_words(seed, name, "public", str(attempt))))
        if set(broken_rules(task, key, usual_shares(task))) <= set(lucky_agreements(task, key)):
            return key
    raise UncertifiedError(f"{name}: no draw in {MAX_TRIES} tries keeps the other rules")


def hand_tasks(topics: list[str]) -> Iterator[tuple[str, Task]]:
    """Yield the hand tasks of the topics with their full names."""
    for topic in topics:
        for name, task in load_tasks(COURSE, topic).items():
            if task.kind == "hand":
                yield f"{topic}.{name}", task


def row(name: str, task: Task, seeds: list[str]) -> tuple[int, int, str]:
    """Count draws with lucky numbers before and after; the table's row."""
    before = [list(lucky_agreements(task, first_draw(name, task, seed))) for seed in seeds]
    certified = [draw_task(name, task, seed, "") for seed in seeds]
    after = sum(any(lucky_agreements(task, drawn.public)) for drawn in certified)
    tries = sum(drawn.tries for drawn in certified) / len(seeds)
    different = len({repr(drawn.public.cases[0].inputs) for drawn in certified})
    reasons = Counter(reason for reasons in before for reason in reasons).most_common(REASONS_SHOWN)
    words = "; ".join(f"{times} × {reason}" for reason, times in reasons)
    lucky = sum(map(bool, before))
    return lucky, after, f"| `{name}` | {lucky} | {after} | {tries:.1f} | {different} | {words} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--topics", nargs="*", default=[], help="all of them if none is named")
    options = parser.parse_args()
    fingerprints.PBKDF2_ITERATIONS = 1  # fingerprints are compared, not published
    seeds = [f"sweep {number}" for number in range(options.seeds)]
    headings = ("task", "as drawn", "certified", "draws each", "different", "reasons as drawn")
    print(f"Draws with lucky numbers, of {len(seeds)}:\n")
    print(f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}", flush=True)
    total_before = total_after = 0
    for name, task in hand_tasks(COURSE.require_topics(options.topics)):
        before, after, text = row(name, task, seeds)
        total_before, total_after = total_before + before, total_after + after
        print(text, flush=True)
    print(f"| **all** | {total_before} | {total_after} | | | |")


if __name__ == "__main__":
    main()
