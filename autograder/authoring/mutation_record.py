"""Read and write the mutation record of a topic, `solutions/<topic>/mutants.json`.

`dimred mutate --write` writes it. For each task it counts the mutants that were tried, that every draw killed, and that
nothing tells from a correct program. It also lists the *lucky* ones, which survive some draws. From then on these must
fail: a draw that lets one survive is drawn again. A mutant that survives most draws is not listed, because too few
draws would be left. A lucky mutant is stored as the name of the correct program, the word for the change, and the
number of the change among those with this word.
"""

import functools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.authoring.mutants import AnyFunction
from autograder.authoring.task import Task
from autograder.authoring.trials import Trial, all_mutants, correct_programs, numbered
from autograder.errors import CourseError
from autograder.program import program_name

MUTATION_RECORD_FILE = "mutants.json"
Lucky = tuple[str, str, int]  # correct program, word for the change, number of the change with this word
SPELT = re.compile(r"(?P<way>\w+) #(?P<number>\d+): (?P<word>.+)")


@dataclass(frozen=True)
class MutationRecord:
    """The counts of one task's trial, and its lucky mutants."""

    counts: dict[str, int] = field(default_factory=dict)
    lucky: tuple[Lucky, ...] = ()


def load_records(folder: Path) -> dict[str, MutationRecord]:
    """Load the mutation records of a topic's tasks, by name."""
    path = folder / MUTATION_RECORD_FILE
    if not path.is_file():
        return {}
    tree = json.loads(path.read_text("utf-8"))
    return {
        name: MutationRecord(entry["counts"], tuple(map(_read, entry["lucky"])))
        for name, entry in tree.items()
    }


def _read(line: str) -> Lucky:
    spelt = SPELT.fullmatch(line)
    if spelt is None:
        raise CourseError(f"{MUTATION_RECORD_FILE}: {line!r} is not “way #number: word”")
    return spelt["way"], spelt["word"], int(spelt["number"])


def write_beside(folder: Path, trials: Sequence[Trial], ways: dict[str, set[str]]) -> None:
    """Add the results of trials to the record in a folder.

    Lucky mutants on file stay, unless the correct program they were made of is gone.
    """
    known = load_records(folder)
    for trial in trials:
        name = trial.name.partition(".")[2]
        before = [entry for entry in known.get(name, MutationRecord()).lucky if entry[0] in ways[name]]
        now = [
            (entry.way, entry.word, entry.number) for entry in trial.lucky if 2 * entry.passed < trial.draws
        ]
        counts: dict[str, int] = {"tried": trial.made}
        counts.update((fate, number) for fate, number in trial.fates.items() if number)
        known[name] = MutationRecord(counts, tuple(dict.fromkeys([*before, *now])))
    tree = {
        name: {
            "counts": entry.counts,
            "lucky": [f"{way} #{number}: {word}" for way, word, number in entry.lucky],
        }
        for name, entry in known.items()
    }
    (folder / MUTATION_RECORD_FILE).write_text(
        json.dumps(tree, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


@functools.cache
def with_lucky(task: Task, lucky: tuple[Lucky, ...], solution: AnyFunction | None) -> Task:
    """Return a task for which its lucky mutants must fail.

    The result is cached, because other caches are keyed by the task object.
    """
    programs = tuple(_lazy_program(task, solution, entry) for entry in lucky)
    return replace(task, must_fail=(*task.must_fail, *programs))


def _lazy_program(task: Task, solution: AnyFunction | None, entry: Lucky) -> AnyFunction:
    """Return a mutant that is built when it is first called.

    Most callers load a task without drawing it.
    """

    def program(*inputs: object) -> Any:
        return _programs_by_entry(task, solution)[entry](*inputs)

    program.__name__ = f"{entry[0]}, {entry[1].partition('|')[0]}"
    return program


@functools.cache
def _programs_by_entry(task: Task, solution: AnyFunction | None) -> dict[Lucky, AnyFunction]:
    return dict(_programs(task, solution))


def _programs(task: Task, solution: AnyFunction | None) -> Iterator[tuple[Lucky, AnyFunction]]:
    for way, mutant, number in numbered(all_mutants(correct_programs(task, solution), task.kind)):
        yield (way, mutant.word, number), mutant.function


def require_lucky(name: str, task: Task, record: MutationRecord, solution: AnyFunction | None) -> None:
    """Raise CourseError if a lucky mutant on file cannot be built."""
    programs = _programs_by_entry(task, solution)
    for entry in record.lucky:
        if entry not in programs:
            raise CourseError(
                f"{name}: {entry[0]} has no change {entry[1]!r} any more: run {program_name()} mutate --write {name}"
            )
