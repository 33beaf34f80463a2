"""Live pages against the desktop, and against their budgets.

`python -m benchmarks.live agreement [topic …]`: every known answer of every task, judged by the browser's Python under
node and by this one, all fields compared.
`python -m benchmarks.live chapters [topic …]`: every cell of the chapters that a reader may change, run in the
browser's Python under node with what it needs of its page: which do not run, and why.
`python -m benchmarks.live pages [page …]`: bytes of a first visit to each page of the built book, and two runs of each
of its cells, in headless Chromium.
`python -m benchmarks.live budgets`: bytes before the first verdict, and seconds to the first and to later ones, in
headless Chromium. The budgets are for two idle cores.
"""

import argparse
import itertools
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.book.live.chapters import chapters as with_cells
from autograder.book.live.node_python import run_in_python
from autograder.book.live.runtime import python_folder
from autograder.course.course import Course
from benchmarks import live_chapters, live_verdicts

ROOT = Path(__file__).resolve().parents[1]


def in_the_browser(topics: list[str]) -> dict[str, dict[str, Any]]:
    """What the browser's Python says, under node."""
    mounts = {place: ROOT / layer for place, layer in live_verdicts.MOUNTS.items()}
    script = Path(live_verdicts.__file__)
    packages = ("numpy", "mpmath", "scipy", "sympy")
    printed = run_in_python(python_folder(), script, mounts, topics, packages)
    said: dict[str, dict[str, Any]] = json.loads(printed.splitlines()[-1])
    return said


@dataclass(frozen=True)
class Difference:
    """A field of a verdict that is not the same here and there.

    `is_other_answer` if the program itself gave other numbers: its library chose another sign or basis, or it looks at
    rounding errors.
    """

    answer: str
    field: str
    here: Any
    there: Any
    is_other_answer: bool


def differences(topics: list[str]) -> tuple[int, list[Difference]]:
    """How many answers were judged, and what was said differently of which."""
    here, there = live_verdicts.rows(ROOT, topics), in_the_browser(topics)
    assert list(here) == list(there)
    here = json.loads(json.dumps(here))
    found = [
        Difference(name, field, said.get(field), there[name].get(field), not _agree(said, there[name]))
        for name, said in here.items()
        for field in sorted({*said, *there[name]} - {"answer"})
        if said.get(field) != there[name].get(field)
    ]
    return len(here), found


def _agree(here: dict[str, Any], there: dict[str, Any]) -> bool:
    pairs = itertools.zip_longest(here.get("answer", []), there.get("answer", []), fillvalue=[])
    return all(len(a) == len(b) and np.allclose(a, b, 1e-6, 1e-6, equal_nan=True) for a, b in pairs)


def agreement(topics: list[str]) -> None:
    """Print the table of agreement, and what is said differently of the same answer."""
    total, said = Counter[str](), list[Difference]()
    print("| topic | answers | identical in every field | other numbers there | same numbers, other words |")
    print("|---|---|---|---|---|")
    for topic in topics:
        judged, found = differences([topic])
        others = {one.answer for one in found if one.is_other_answer}
        differing = {one.answer for one in found} - others
        row = Counter(judged=judged, others=len(others), differing=len(differing))
        print(
            f"| {topic} | {judged} | {judged - row['others'] - row['differing']} | {_row(row)} |", flush=True
        )
        total += row
        said += [one for one in found if not one.is_other_answer or one.field in ("passed", "earned")]
    same = total["judged"] - total["others"] - total["differing"]
    print(f"| all | {total['judged']} | {same} | {_row(total)} |")
    for one in said:
        if one.field != "html":  # which shows the text
            here, there = _where_they_part(str(one.here), str(one.there))
            print(f"\n{one.answer}: {one.field}\n    {here!r}\n    {there!r}")


def _where_they_part(here: str, there: str) -> tuple[str, str]:
    """Both texts around the first letter that is not the same."""
    pairs = enumerate(zip(here, there, strict=False))
    start = max(next((place for place, (one, other) in pairs if one != other), 0) - 80, 0)
    return here[start : start + 300], there[start : start + 300]


def _row(counts: Counter[str]) -> str:
    return f"{counts['others']} | {counts['differing']}"


def chapters(topics: list[str]) -> None:
    """Print how many cells of each chapter ran, the slowest, and the reason of each that did not."""
    print("| chapter | cells | ran | slowest, CPU s | its cell |\n|---|---|---|---|---|")
    failed: list[str] = []
    for topic in topics:
        found = live_chapters.outcomes(ROOT, topic)
        failed += [f"{topic}, cell {one['cell']}: {one['error'].strip()}" for one in found if one["error"]]
        ran = sum(not one["error"] for one in found)
        slowest = max(found, key=lambda one: one["seconds"])
        row = [topic, len(found), ran, f"{slowest['seconds']:.1f}", slowest["cell"]]
        print(f"| {' | '.join(map(str, row))} |", flush=True)
    print("\n\n".join(["", *failed]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["agreement", "budgets", "chapters", "pages"])
    parser.add_argument("topics", nargs="*")
    options = parser.parse_args()
    if options.what == "agreement":
        agreement(Course(ROOT).require_topics(options.topics))
    elif options.what == "chapters":
        chapters(options.topics or [page.stem for page in with_cells(ROOT)])
    elif options.what == "pages":
        from benchmarks.live_pages import pages

        sys.exit(not pages(ROOT / "_build" / "html", options.topics))
    else:
        from benchmarks.live_budgets import budgets

        sys.exit(not budgets())


if __name__ == "__main__":
    main()
