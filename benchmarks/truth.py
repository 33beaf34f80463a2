"""How often grading tells the truth, on the answers in tests/truth: `python -m benchmarks.truth [topic …]`.

With `--set second`, `third`, `fourth` or `fifth` on later sets, written by readers of exercise and chapter alone.

Prints a table by topic: right answers that lose points, wrong ones with full marks, wrong ones whose reason is named
(a misconception, a slip, a part's slip), or which are told a property, those told only which parts are right, and
those told nothing but that they are wrong, or by how much. With --list every wrong answer is shown with what it is
told: whether that is the true reason, a person must say.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

from autograder.course.course import Course
from autograder.judging.verdict import Verdict
from tests.truth.answers import SETS, answers, names, public_key, topics, verdict

COURSE = Course(Path(__file__).resolve().parents[1])
NOTHING = (
    "is not the right value: check each step",
    "is not equal to the right formula: check each step",
    "is not right.",
    "is not right: it ",  # differs by so much
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


def count(topic: str, which: str, *, listed: bool) -> Counter[str]:
    key, called, found = public_key(COURSE, topic), names(COURSE, topic), Counter[str]()
    for one in answers(topic, which):
        said = verdict(one, key, called[one.task])
        found["right" if one.is_right else "wrong"] += 1
        if one.is_right:
            found["rejected"] += not said.passed
        else:
            found[told(said)] += 1
        found["fault"] += bool(said.fault)
        if listed and (not one.is_right or not said.passed):
            print(f"{topic}.{one.task} [{one.why}] {told(said)}: {said.message}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("topics", nargs="*")
    parser.add_argument("--list", action="store_true", help="show what each wrong answer is told")
    parser.add_argument("--set", choices=SETS, default="first", help="which set of answers")
    options = parser.parse_args()
    columns = (
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
    print("| topic | " + " | ".join(columns) + " |\n|---" + "|--:" * len(columns) + "|")
    total = Counter[str]()
    for topic in options.topics or topics(options.set):
        found = count(topic, options.set, listed=options.list)
        total += found
        print(f"| {topic} | " + " | ".join(str(found[column]) for column in columns) + " |")
    print("| all | " + " | ".join(str(total[column]) for column in columns) + " |")
    wrong = max(total["wrong"], 1)
    met = total["named"] + total["property"] + total["error"]
    print(f"\nnamed {total['named'] / wrong:.0%}, named or told a property {met / wrong:.0%}", end=", ")
    print(f"with those told which parts are right {(met + total['parts']) / wrong:.0%}")


if __name__ == "__main__":
    main()
