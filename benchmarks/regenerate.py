"""What it costs to make variants, and what certification finds, over many seeds of every topic.

    python -m benchmarks.regenerate                          # 200 seeds of every topic
    python -m benchmarks.regenerate --seeds 20 --topics pca svd

Each seed makes a whole variant, as `dimred regenerate --roster` does for each student: draw, certify task by task,
run the solved and the untouched notebook. Then the key is read back from the text that would be written, and every
wrong way of every task is judged by it once more: each must be recognised as itself, on the public and on the
secret cases. CPU seconds are those of the workers and all their children, start-up included.
"""

import argparse
import resource
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from autograder.certificate import verdict_on_way
from autograder.course import Course
from autograder.generate import Files
from autograder.key import Key, load_key
from autograder.makers import Order, makers

COURSE = Course(Path(__file__).resolve().parents[1])
CLASS = 300
REASONS = {"ill-posed": "is ill-posed", "coincide": "is taken for", "edge": "edge of its rounding"}


@dataclass
class Sweep:
    """What was found over the variants of one topic."""

    topic: str
    variants: int = 0
    judged: int = 0
    recognised: int = 0
    refused: Counter = field(default_factory=Counter)
    cpu: float = 0.0
    wall: float = 0.0
    mistaken: list = field(default_factory=list)

    def because(self, words: str) -> int:
        return sum(times for why, times in self.refused.items() if words in why)


def sweep(topic: str, seeds: int, workers: int | None) -> Sweep:
    found, cpu, wall = Sweep(topic), _children_cpu(), time.perf_counter()
    orders = [Order(topic, f"sweep {number}") for number in range(seeds)]
    with makers(COURSE, seeds, workers) as hands:
        for order, files in hands.make(orders):
            found.variants += 1
            found.refused.update(_refused(files))
            _recognise(found, order.seed, files)
    found.wall = time.perf_counter() - wall
    found.cpu = _children_cpu() - cpu
    return found


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _refused(files: Files) -> list[str]:
    tasks = files.certificate["tasks"].items()
    return [
        f"{files.topic}.{name}: {why}" for name, task in tasks for why in task.get("drawn again because", ())
    ]


def _recognise(found: Sweep, seed: str, files: Files) -> None:
    """Judge every wrong way by the keys as they would be written."""
    public, secret = load_key(files.student[f"{files.topic}.key.json"]), load_key(files.secret)
    for name, task in COURSE.tasks(files.topic).items():
        for key in _keys(public, secret, name):
            for wrong in task.misconceptions:
                verdict = verdict_on_way(task, key, wrong.wrong)
                found.judged += 1
                if verdict.misconception == wrong.name and not verdict.passed:
                    found.recognised += 1
                else:
                    found.mistaken.append(
                        f"{files.topic}.{name}.{wrong.name} (seed {seed}): {verdict.misconception}"
                    )


def _keys(public: Key, secret: Key, name: str) -> list:
    """A printed answer has one key; a function has public and secret cases."""
    both = [public.tasks[name], secret.tasks[name]]
    return both if both[0].kind == "code" else both[:1]


def row(one: Sweep) -> str:
    tasks = COURSE.tasks(one.topic).values()
    wrong, right = (
        sum(len(task.misconceptions) for task in tasks),
        sum(len(task.alternatives) for task in tasks),
    )
    refused = sum(one.refused.values())
    reasons = [one.because(words) for words in REASONS.values()]
    drawn = one.variants * sum(1 + (task.kind == "code") for task in tasks)
    cells = [
        f"`{one.topic}`",
        len(tasks),
        wrong,
        right,
        one.variants,
        f"{refused} of {drawn + refused}",
        *reasons,
        refused - sum(reasons),
        f"{one.recognised} of {one.judged}",
        f"{one.cpu / one.variants:.2f}",
        f"{one.wall / one.variants:.2f}",
        f"{(CLASS + 1) * one.wall / one.variants / 60:.1f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


HEADINGS = (
    "topic",
    "tasks",
    "misconceptions",
    "alternatives",
    "variants",
    "draws refused",
    "ill-posed",
    "two mistakes coincide",
    "edge of rounding",
    "other",
    "recognised as itself",
    "CPU s each",
    "wall s each",
    f"class of {CLASS}, min",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--topics", nargs="*", default=[], help="all of them if none is named")
    parser.add_argument("--workers", type=int, help="one per core if not told")
    options = parser.parse_args()
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}", flush=True)
    sweeps = []
    for topic in COURSE.require_topics(options.topics):
        sweeps.append(sweep(topic, options.seeds, options.workers))
        print(row(sweeps[-1]), flush=True)
    print("\nDrawn again, by task and rule:\n")
    for why, times in sum((one.refused for one in sweeps), Counter()).most_common():
        print(f"- {times} × {why}")
    mistaken = [line for one in sweeps for line in one.mistaken]
    if mistaken:
        raise SystemExit("\n".join(["", "not recognised as itself:", *mistaken]))


if __name__ == "__main__":
    main()
