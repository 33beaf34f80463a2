"""Score a judge of student work on the open benchmark: `python -m benchmarks.score_judge VERDICTS.jsonl`.

Each line has an `id`, a `verdict` (right or wrong) and, if the judge gives reasons, a `reason`; further columns stand
in `benchmarks/open_benchmark/verdicts.schema.json`. Labels are read from tests/truth, or with --data from published
files. Choose a part with --split, --set and --topic: every answer of that part must have a verdict.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.open_benchmark.records import SCHEMA, VERDICT_SCHEMA, labels, schema

MARKS = {"N": "names the true reason", "T": "a true property", "G": "generic", "F": "false or misleading"}
TOLD = ("named", "property", "error", "parts", "nothing")
NOT_LETTERS = re.compile(r"[\W_]+")

Line = Mapping[str, Any]


class BadVerdictsError(Exception):
    """A file of verdicts that cannot be scored; the message is one line."""


@dataclass(frozen=True)
class Part:
    """A part of the benchmark; what is None is not restricted."""

    split: str | None = None
    sets: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None

    def __contains__(self, label: Line) -> bool:
        """Does a labelled answer belong to this part?"""
        return (
            self.split in (None, label["split"])
            and (self.sets is None or label["set"] in self.sets)
            and (self.topics is None or label["topic"] in self.topics)
        )


def read_lines(path: Path, form: Path) -> Iterator[tuple[str, Line]]:
    """Yield the lines of a file with their places; the first that breaks the schema raises BadVerdictsError."""
    try:
        rows = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadVerdictsError(f"{path} cannot be read: {error}") from error
    for number, row in enumerate(rows, 1):
        if row.strip():
            where = f"{path}, line {number}"
            yield where, _parsed(row, where, form)


def _parsed(row: str, where: str, form: Path) -> Line:
    import jsonschema

    try:
        line = json.loads(row)
    except (ValueError, RecursionError) as error:
        raise BadVerdictsError(f"{where}: must be a JSON object, not {row[:40]!r}") from error
    if error := jsonschema.exceptions.best_match(schema(form).iter_errors(line)):
        field = "".join(f"{name}: " for name in error.absolute_path)
        raise BadVerdictsError(f"{where}: {field}{' '.join(error.message.split())[:200]}")
    return dict(line)


def read_verdicts(path: Path, known: Mapping[str, Line]) -> dict[str, Line]:
    """Read a judge's verdicts by id; BadVerdictsError says in one line what is wrong where."""
    verdicts: dict[str, Line] = {}
    for where, line in read_lines(path, VERDICT_SCHEMA):
        if line["id"] not in known:
            raise BadVerdictsError(f"{where}: the benchmark has no answer {line['id']!r}")
        if line["id"] in verdicts:
            raise BadVerdictsError(f"{where}: a second verdict on {line['id']!r}")
        verdicts[line["id"]] = line
    return verdicts


def score(verdicts: Mapping[str, Line], chosen: Iterable[Line]) -> Counter[str]:
    """Count what the judge did with the chosen answers; each must have a verdict."""
    counts = Counter[str]()
    for label in chosen:
        verdict = verdicts[label["id"]]
        accepted = verdict["verdict"] == "right"
        counts[label["label"]] += 1
        counts["fault"] += bool(verdict.get("fault"))
        if label["label"] == "right":
            counts["false rejects"] += not accepted
        elif accepted:
            counts["false accepts"] += 1
        else:
            counts.update(_on_reason(verdict, label["reason"]))
    return counts


def _on_reason(verdict: Line, true_reason: str) -> list[str]:
    """Return what is counted of the reason for rejecting a wrong answer."""
    reason = verdict.get("reason") or ""
    counted = {
        "with a reason": bool(reason.strip()),
        "same reason, exactly": reason == true_reason,
        "same reason, normalised": bool(_normalised(reason))
        and _normalised(reason) == _normalised(true_reason),
        f"told {verdict.get('told')}": bool(verdict.get("told")),
        f"mark {verdict.get('mark')}": bool(verdict.get("mark")),
    }
    return [name for name, holds in counted.items() if holds]


def _normalised(reason: str) -> str:
    """Return the words alone, in lower case."""
    return NOT_LETTERS.sub(" ", reason.casefold()).strip()


def report(counts: Counter[str]) -> str:
    """Return the score as a Markdown table; shares of wrong answers are of all wrong ones."""
    right, wrong = counts["right"], counts["wrong"]
    rows = [
        ("right answers rejected", "false rejects", right),
        ("wrong answers accepted", "false accepts", wrong),
        ("wrong answers rejected with a reason", "with a reason", wrong),
        ("the label's reason, word for word", "same reason, exactly", wrong),
        ("the label's reason, but for case and punctuation", "same reason, normalised", wrong),
        *((f"by the judge's own word: {told}", f"told {told}", wrong) for told in TOLD),
        *((f"a reader's mark {mark}: {words}", f"mark {mark}", wrong) for mark, words in MARKS.items()),
        ("faults of the judge", "fault", right + wrong),
    ]
    optional = ("told ", "mark ")
    shown = {word for word in optional if any(counts[name] for name in counts if name.startswith(word))}
    lines = ["| | count | of | share |", "|---|--:|--:|--:|"]
    for words, name, total in rows:
        if name[:5] not in optional or name[:5] in shown:
            lines.append(f"| {words} | {counts[name]} | {total} | {counts[name] / max(total, 1):.1%} |")
    if marked := sum(counts[f"mark {mark}"] for mark in MARKS):
        lines.append(f"\n{marked} reasons were marked by a reader; shares are of all wrong answers.")
    return "\n".join(lines)


def scored(path: Path, part: Part, data: list[Path]) -> Counter[str]:
    """Read verdicts and labels and count."""
    known = {label["id"]: label for label in _labels(data)}
    verdicts = read_verdicts(path, known)
    chosen = [label for label in known.values() if label in part]
    if not chosen:
        raise BadVerdictsError("no answer of the benchmark has this split, set and topic")
    missing = [label["id"] for label in chosen if label["id"] not in verdicts]
    if missing:
        raise BadVerdictsError(
            f"{path}: {len(missing)} of {len(chosen)} answers have no verdict, the first is {missing[0]}; "
            "choose a part with --split, --set or --topic"
        )
    return score(verdicts, chosen)


def _labels(data: list[Path]) -> Iterable[Line]:
    return [line for path in data for _, line in read_lines(path, SCHEMA)] if data else labels()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verdicts", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", default=[], help="seen.jsonl, kept.jsonl")
    parser.add_argument("--split", choices=("seen", "kept"))
    parser.add_argument("--set", nargs="+", help="first, second …")
    parser.add_argument("--topic", nargs="+")
    options = parser.parse_args()
    sets, topics = (tuple(names) if names else None for names in (options.set, options.topic))
    try:
        print(report(scored(options.verdicts, Part(options.split, sets, topics), options.data)))
    except BadVerdictsError as error:
        sys.exit(f"score_judge: {error}")


if __name__ == "__main__":
    main()
