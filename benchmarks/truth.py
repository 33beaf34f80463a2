"""How often grading tells the truth, on the answers in tests/truth: `python -m benchmarks.truth [topic …]`.

With `--set second` and so on, or `--set all`, on later sets, written by readers of exercise and chapter alone. With
`--jsonl FILE` every verdict is written as `python -m benchmarks.score_judge FILE` reads it.

Prints a table by topic: right answers that lose points, wrong ones with full marks, wrong ones whose reason is named
(a misconception, a slip, a part's slip), or which are told a property, those told only which parts are right, and
those told nothing but that they are wrong, or by how much. With --list every wrong answer is shown with what it is
told: whether that is the true reason, a person must say.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from autograder.course.course import Course
from autograder.judging.verdict import Verdict
from benchmarks.open_benchmark.records import answer_id
from tests.truth.answers import SETS, Answer, answers, given_symbols, names, public_key, topics, verdict

COURSE = Course(Path(__file__).resolve().parents[1])
NOTHING = (
    "is not the right value: check each step",
    "is not equal to the right formula: check each step",
    "is not right.",
    "is not right: it ",  # differs by so much
)


COLUMNS = (
    "right",
    "rejected",
    "wrong",
    "accepted",
    "named",
    "property",
    "error",
    "parts",
    "nothing",
    "fault",
)
PARTS = re.compile(r"^(Part|Entr)[^.]*\b(is|are) right\.")  # only which parts are right


def told(said: Verdict) -> str:
    """How a wrong answer was met."""
    if said.passed:
        return "accepted"
    if said.misconception or said.slip:
        return "named"
    if said.problem:
        return "error"
    if not any(words in said.message for words in NOTHING):
        return "property"
    return "parts" if PARTS.search(said.message) else "nothing"


Judged = list[tuple[Answer, Verdict]]


def judged(topic: str, which: str) -> Judged:
    """Judge the answers of a topic in a set."""
    key, called, symbols = (
        public_key(COURSE, topic, which),
        names(COURSE, topic),
        given_symbols(COURSE, topic),
    )
    return [
        (answer, verdict(answer, key, called[answer.task], symbols[answer.task]))
        for answer in answers(topic, which)
    ]


def count(results: Judged) -> Counter[str]:
    """Count how answers were met."""
    counts = Counter[str]()
    for answer, result in results:
        counts["right" if answer.is_right else "wrong"] += 1
        if answer.is_right:
            counts["rejected"] += not result.passed
        else:
            counts[told(result)] += 1
        counts["fault"] += bool(result.fault)
    return counts


def listing(results: Judged) -> Iterator[str]:
    """Yield every wrong answer, and every right one that lost points, with what it is told."""
    for answer, result in results:
        if not answer.is_right or not result.passed:
            yield f"{answer.topic}.{answer.task} [{answer.why}] {told(result)}: {result.message}"


def verdict_lines(results: Judged, which: str) -> Iterator[str]:
    """Yield the verdicts as lines of the open benchmark's format; saying only "not right" is no reason."""
    for answer, result in results:
        how = None if result.passed else told(result)
        line = {
            "id": answer_id(answer, which),
            "verdict": "right" if result.passed else "wrong",
            "reason": None if how in (None, "nothing") else result.message,
            "told": how,
            "fault": result.fault or None,
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def table_row(name: str, counts: Counter[str]) -> str:
    return f"| {name} | " + " | ".join(str(counts[column]) for column in COLUMNS) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("topics", nargs="*")
    parser.add_argument("--list", action="store_true", help="show what each wrong answer is told")
    parser.add_argument("--set", choices=[*SETS, "all"], default="first", help="which set of answers")
    parser.add_argument("--jsonl", type=Path, metavar="FILE", help="write every verdict as a line of JSON")
    options = parser.parse_args()
    sets = list(SETS) if options.set == "all" else [options.set]
    chosen = [
        (which, topic) for which in sets for topic in topics(which) if topic in (options.topics or [topic])
    ]
    if unknown := sorted(set(options.topics) - {topic for _, topic in chosen}):
        parser.error(f"no answers to {unknown[0]} in this set")
    print("| topic | " + " | ".join(COLUMNS) + " |\n|---" + "|--:" * len(COLUMNS) + "|")
    total, lines = Counter[str](), list[str]()
    for which, topic in chosen:
        results = judged(topic, which)
        counts = count(results)
        total += counts
        lines += verdict_lines(results, which)
        if options.list:
            print(*listing(results), sep="\n")
        print(table_row(topic if len(sets) == 1 else f"{which}: {topic}", counts), flush=True)
    if options.jsonl:
        options.jsonl.write_text("".join(lines), "utf-8")
    print(table_row("all", total))
    wrong = max(total["wrong"], 1)
    met = total["named"] + total["property"] + total["error"]
    print(f"\nnamed {total['named'] / wrong:.0%}, named or told a property {met / wrong:.0%}", end=", ")
    print(f"with those told which parts are right {(met + total['parts']) / wrong:.0%}")


if __name__ == "__main__":
    main()
