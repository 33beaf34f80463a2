"""What it costs to make variants, and what certification finds, over many seeds of every topic.

    python -m benchmarks.regenerate                          # 200 seeds of every topic
    python -m benchmarks.regenerate --whole 20               # the notebooks of the first 20 only
    python -m benchmarks.regenerate --seeds 20 --topics pca svd

Each seed makes a whole variant, as `dimred regenerate --roster` does for each student: draw, certify task by task,
run the solved and the untouched notebook. (`--whole 20`: the tasks of later seeds are drawn and certified, their
notebooks are not run.) Then the key is read back
from the text that would be written, and every wrong way of every task is judged by it once more: each must be
recognised as itself, on the public and on the secret cases. CPU seconds are those of the workers and all their
children for the whole variants, without start-up.
"""

import argparse
import os
import resource
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.judging.key import Key, dump_key, load_key
from autograder.release.draw import draw_task
from autograder.release.rules import judge_solution
from autograder.release.variant import Files
from autograder.release.workers import MAX_SERIAL_VARIANTS, VariantJob, variant_workers

COURSE = Course(Path(__file__).resolve().parents[1])
CLASS = 300
REASONS = {"ill-posed": "is ill-posed", "coincide": "is taken for", "edge": "edge of its rounding"}


@dataclass
class Sweep:
    """What was found over the variants of one topic."""

    topic: str
    whole: int = 0
    variants: int = 0
    judged: int = 0
    recognised: int = 0
    refused: Counter = field(default_factory=Counter)
    cpu: float = 0.0
    wall: float = 0.0
    mistaken: list = field(default_factory=list)

    def because(self, words: str) -> int:
        return sum(times for why, times in self.refused.items() if words in why)


def sweep(topic: str, seeds: list[str], whole: int, workers: int) -> Sweep:
    found = Sweep(topic, whole=min(whole, len(seeds)))
    cpu, found.wall = _make(found, seeds[:whole], workers)
    found.cpu = cpu - start_up(workers)
    for seed in seeds[whole:]:
        _draw(found, seed)
    return found


@cache
def start_up(workers: int) -> float:
    """CPU seconds until every worker has made its first variant."""
    return _make(Sweep(COURSE.topics()[0]), [], workers)[0]


def _make(found: Sweep, seeds: list[str], workers: int) -> tuple[float, float]:
    """Make whole variants and judge by their keys; CPU seconds of all, wall seconds from the first to the last."""
    cpu, ended = _children_cpu(), []
    with variant_workers(COURSE, MAX_SERIAL_VARIANTS + 1, workers) as hands:
        for _ in hands.make([VariantJob(found.topic, f"warm up {number}") for number in range(workers)]):
            start = time.perf_counter()
        for order, files in hands.make([VariantJob(found.topic, seed) for seed in seeds]):
            ended.append(time.perf_counter())
            found.refused.update(_refused(files))
            public, secret = load_key(files.student[f"{found.topic}.key.json"]), load_key(files.secret)
            _recognise(found, order.seed, public, secret)
    return _children_cpu() - cpu, max(ended, default=start) - start


def _draw(found: Sweep, seed: str) -> None:
    """Draw and certify the tasks of a variant, and judge by their keys."""
    drawn = {
        name: draw_task(f"{found.topic}.{name}", task, seed, COURSE.secret())
        for name, task in load_tasks(COURSE, found.topic).items()
    }
    for name, task in drawn.items():
        found.refused.update(f"{found.topic}.{name}: {why}" for why in task.refused)
    sides = ({name: getattr(task, side) for name, task in drawn.items()} for side in ("public", "secret"))
    public, secret = (load_key(dump_key(Key(found.topic, seed, tasks))) for tasks in sides)
    _recognise(found, seed, public, secret)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _refused(files: Files) -> list[str]:
    tasks = files.certificate["tasks"].items()
    return [
        f"{files.topic}.{name}: {why}" for name, task in tasks for why in task.get("drawn again because", ())
    ]


def _recognise(found: Sweep, seed: str, public: Key, secret: Key) -> None:
    """Judge every wrong way by the keys as they would be written."""
    found.variants += 1
    for name, task in load_tasks(COURSE, found.topic).items():
        for one in _keys(public, secret, name):
            for wrong in task.misconceptions:
                verdict = judge_solution(task, one, wrong.wrong)
                found.judged += 1
                if verdict.misconception == wrong.name and not verdict.passed:
                    found.recognised += 1
                else:
                    found.mistaken.append(
                        f"{found.topic}.{name}.{wrong.name} (seed {seed}): {verdict.misconception}"
                    )


def _keys(public: Key, secret: Key, name: str) -> list:
    """A printed answer has one key; a function has public and secret cases."""
    both = [public.tasks[name], secret.tasks[name]]
    return both if both[0].kind == "code" else both[:1]


def row(one: Sweep) -> str:
    tasks = load_tasks(COURSE, one.topic).values()
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
        f"{one.variants} ({one.whole} whole)",
        f"{refused} of {drawn + refused}",
        *reasons,
        refused - sum(reasons),
        f"{one.recognised} of {one.judged}",
        f"{one.cpu / one.whole:.2f}",
        f"{one.wall / one.whole:.2f}",
        f"{(CLASS + 1) * one.wall / one.whole / 60:.1f}",
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
    parser.add_argument("--whole", type=int, help="run the notebooks of so many of them (default: all)")
    parser.add_argument("--topics", nargs="*", default=[], help="all of them if none is named")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="one per core if not told")
    options = parser.parse_args()
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}", flush=True)
    sweeps, seeds = [], [f"sweep {number}" for number in range(options.seeds)]
    for topic in COURSE.require_topics(options.topics):
        sweeps.append(sweep(topic, seeds, options.whole or options.seeds, options.workers))
        print(row(sweeps[-1]), flush=True)
    print("\nDrawn again, by task and rule:\n")
    for why, times in sum((one.refused for one in sweeps), Counter()).most_common():
        print(f"- {times} × {why}")
    mistaken = [line for one in sweeps for line in one.mistaken]
    if mistaken:
        raise SystemExit("\n".join(["", "not recognised as itself:", *mistaken]))


if __name__ == "__main__":
    main()
