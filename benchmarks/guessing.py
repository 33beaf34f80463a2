"""Guess formulas from public keys: `python -m benchmarks.guessing [--guesses 100000] [topic …]`.

A public key holds a formula as one fingerprint of its values at six sample points. They are sealed together, so values
cannot be tried one by one, as numbers by hand can. What can be tried is formulas: this program builds all of them from
the symbols, small numbers and the usual operations, the shortest first, each value once, and compares fingerprints.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.course.course import Course
from autograder.judging.fingerprints import fingerprint
from autograder.judging.key import TaskKey, read_key

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = {"1": 1.0, "2": 2.0, "3": 3.0, "pi": np.pi}
FUNCTIONS = {"sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log}
OPERATIONS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power}
DIGITS = 9  # values that agree to so many digits are one guess

Values = Any


def formulas(symbols: dict[str, Values], size: int) -> Iterator[tuple[str, Values]]:
    """Build formulas, the shortest first: each from two shorter ones or from one; each value once."""
    seen: set[bytes] = set()
    levels: list[list[tuple[str, Values]]] = [[]]

    def fresh(text: str, values: Values) -> bool:
        if not np.isfinite(values).all() or np.abs(values).max() > 1e9:
            return False
        key = np.round(values, DIGITS).tobytes()
        if key in seen:
            return False
        seen.add(key)
        level.append((text, values))
        return True

    level: list[tuple[str, Values]] = []
    leaves = symbols | {
        name: np.full_like(next(iter(symbols.values())), number) for name, number in NUMBERS.items()
    }
    yield from (pair for pair in leaves.items() if fresh(*pair))
    for length in range(2, size + 1):
        levels.append(level)
        level = []
        for text, values in _longer(levels, length):
            if fresh(text, values):
                yield text, values


def _longer(levels: list[list[tuple[str, Values]]], length: int) -> Iterator[tuple[str, Values]]:
    """Build all formulas of so many parts from shorter ones."""
    with np.errstate(all="ignore"):
        for text, values in levels[length - 1]:
            for name, function in FUNCTIONS.items():
                yield f"{name}({text})", function(values)
        for left in range(1, length - 1):
            pairs = itertools.product(levels[left], levels[length - 1 - left])
            for (one, first), (other, second) in pairs:
                for sign, operation in OPERATIONS.items():
                    yield f"({one}{sign}{other})", operation(first, second)


def guess(task: TaskKey, guesses: int) -> tuple[int, dict[int, str], int]:
    """Compare so many formulas with every part; return the number of parts, those found and the guesses made."""
    case = task.cases[0]
    symbols = {name: np.asarray(values, dtype=np.float64) for name, values in case.inputs.items()}
    marks = dict(enumerate(zip(case.expected, case.grids, strict=True)))
    found: dict[int, str] = {}
    made = 0
    for text, values in formulas(symbols, size=9):
        made += 1
        for part, (mark, grid) in marks.items():
            if part not in found and fingerprint(values, grid, case.salt) == mark:
                found[part] = text
        if made >= guesses or len(found) == len(marks):
            break
    return len(marks), found, made


def main() -> int:
    """Print what is found of each formula task."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("topic", nargs="*")
    parser.add_argument("--guesses", type=int, default=100_000)
    options = parser.parse_args()
    course = Course(ROOT)
    tasks = whole = 0
    print("| task | parts | found | guesses | CPU s | formulas |\n|---|--:|--:|--:|--:|---|")
    for topic in options.topic or course.topics():
        key = read_key(course.exercises / topic / f"{topic}.key.json")
        for name, task in key.tasks.items():
            if task.kind != "sym":
                continue
            started = time.process_time()
            parts, found, made = guess(task, options.guesses)
            seconds = time.process_time() - started
            tasks, whole = tasks + 1, whole + (len(found) == parts)
            shown = ", ".join(f"`{text}`" for text in found.values()).replace("|", "/")
            print(
                f"| {topic}.{name} | {parts} | {len(found)} | {made} | {seconds:.1f} | {shown} |", flush=True
            )
    print(f"{whole} of {tasks} formula tasks found whole")
    return 0


if __name__ == "__main__":
    sys.exit(main())
