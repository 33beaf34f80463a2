"""Write the open benchmark into a folder: `python -m benchmarks.open_benchmark --to FOLDER`.

The folder gets `seen.jsonl` and `kept.jsonl` (the newest set), the rules that all exercises share, both schemas, the
datasheet with the counts of these very files, and the licence. With --counts only the table in the datasheet of the
repository is brought up to date.
"""

import argparse
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.open_benchmark.exercises import COURSE
from benchmarks.open_benchmark.records import HERE, SCHEMA, VERDICT_SCHEMA, Record, labels, records, schema
from tests.truth.answers import SETS, topics

SPLITS = ("seen", "kept")
DATASHEET = HERE / "README.md"
COUNTS = re.compile(r"(?<=<!-- counts -->\n).*?(?=<!-- end of counts -->)", re.DOTALL)


def write(folder: Path) -> list[Record]:
    """Write all files; every record is validated first."""
    lines = [record for which in SETS for topic in topics(which) for record in records(which, topic)]
    for record in lines:
        schema().validate(record)
    folder.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        text = "".join(
            json.dumps(record, ensure_ascii=False) + "\n" for record in lines if record["split"] == split
        )
        (folder / f"{split}.jsonl").write_text(text, "utf-8")
    for path in (
        SCHEMA,
        VERDICT_SCHEMA,
        COURSE.root / "solutions" / "rules.md",
        COURSE.root / "LICENSE-text",
    ):
        shutil.copyfile(path, folder / path.name)
    (folder / "README.md").write_text(datasheet(lines), "utf-8")
    return lines


def datasheet(lines: Iterable[Record]) -> str:
    """Return the text of the datasheet with the counts of these lines."""
    table = f"\n{counts_table(list(lines))}\n\n"
    return COUNTS.sub(lambda _: table, DATASHEET.read_text("utf-8"))


def counts_table(lines: list[Record]) -> str:
    """Return the numbers of right and wrong answers by topic and set, as a Markdown table."""
    counts = Counter((record["topic"], record["set"], record["label"]) for record in lines)
    rows = [f"| topic | {' | '.join(SETS)} | all |", "|---" + "|--:" * (len(SETS) + 1) + "|"]
    for topic in [*sorted({record["topic"] for record in lines}), "all"]:
        cells = [_cell(counts, topic, {which}) for which in SETS]
        rows.append(f"| {topic} | {' | '.join(cells)} | {_cell(counts, topic, set(SETS))} |")
    return "\n".join(rows)


def _cell(counts: Counter[tuple[str, str, str]], topic: str, which: set[str]) -> str:
    """Return right + wrong answers."""
    chosen = Counter[str]()
    for (its_topic, its_set, label), count in counts.items():
        if topic in ("all", its_topic) and its_set in which:
            chosen[label] += count
    return f"{chosen['right']} + {chosen['wrong']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--to", type=Path, metavar="FOLDER", help="where the files go")
    task.add_argument("--counts", action="store_true", help="update the table of the datasheet")
    options = parser.parse_args()
    if options.counts:
        DATASHEET.write_text(datasheet(labels()), "utf-8")
        return
    folder = options.to
    lines = write(folder)
    splits = Counter(record["split"] for record in lines)
    print(f"{folder}: {len(lines)} answers, {splits['seen']} seen, {splits['kept']} kept")


if __name__ == "__main__":
    main()
