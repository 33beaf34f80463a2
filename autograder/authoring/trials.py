"""Mutation testing of tasks: find wrong programs that the cases let pass.

Every correct program (reference, alternatives, the notebook's own solution) is changed in one place, or given a false
assumption. Each mutant is judged on several draws as a student's program would be. A mutant that survives all of them
is tried on the task's `hard` inputs. If it fails there, the cases are too weak to tell it from a correct program. If
not, it is taken for an equivalent mutant. One that survives only some draws is called lucky.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from autograder.authoring.mutants import Mutant, assuming, mutants
from autograder.authoring.task import Task

Fate = Literal["killed", "lucky", "weak", "equal"]
Passes = Callable[[Callable[..., object]], bool]


@dataclass(frozen=True)
class Survivor:
    """A mutant that was not killed.

    `way` names the correct program and `word` the change, `passed` counts the draws that it survived, `killed_by` names
    the hard input that tells it apart, and `number` counts the changes of this program with the same word.
    """

    way: str
    word: str
    passed: int
    killed_by: str = ""
    number: int = 1


@dataclass
class Trial:
    """The fates of the mutants of one task."""

    name: str
    draws: int
    fates: dict[Fate, int] = field(default_factory=lambda: {"killed": 0, "lucky": 0, "weak": 0, "equal": 0})
    weak: list[Survivor] = field(default_factory=list)
    lucky: list[Survivor] = field(default_factory=list)

    @property
    def made(self) -> int:
        """Return the number of mutants that were tried."""
        return sum(self.fates.values())


CorrectPrograms = Sequence[
    tuple[str, Callable[..., object]]
]  # correct programs, each with the name that it has on file
REFERENCE = "answer"  # name on file of a task's reference answer


def correct_programs(task: Task, solution: Callable[..., object] | None) -> CorrectPrograms:
    """Return the correct programs of a task, each with its name."""
    others = [way for way in task.alternatives if callable(way)]
    written = [solution] if solution is not None and task.kind == "code" else []
    return [(REFERENCE, task.answer), *((way.__name__, way) for way in [*others, *written])]


def all_mutants(ways: CorrectPrograms, kind: str) -> Iterator[tuple[str, Mutant]]:
    """Yield every mutant of every correct program.

    False assumptions are added for `code` tasks only.
    """
    for name, way in ways:
        for mutant in mutants(way):
            yield name, mutant
        for mutant in assuming(way) if kind == "code" else ():
            yield name, mutant


def judge_mutants(
    name: str, candidates: Iterator[tuple[str, Mutant]], draws: Sequence[Passes], hard: Mapping[str, Passes]
) -> Trial:
    """Judge mutants on the draws, and the survivors on the hard inputs."""
    trial = Trial(name, len(draws))
    for way, mutant, number in numbered(candidates):
        passed = _try_on_draws(mutant, draws)
        if not any(passed):
            trial.fates["killed"] += 1
        elif not all(passed):
            trial.fates["lucky"] += 1
            trial.lucky.append(Survivor(way, mutant.word, sum(passed), number=number))
        else:
            killer = next((where for where, passes in hard.items() if not passes(mutant.function)), "")
            trial.fates["weak" if killer else "equal"] += 1
            if killer:
                trial.weak.append(Survivor(way, mutant.word, len(draws), killer))
    return trial


def numbered(candidates: Iterator[tuple[str, Mutant]]) -> Iterator[tuple[str, Mutant, int]]:
    """Yield mutants with their number among those of the same word."""
    seen = Counter[tuple[str, str]]()
    for way, mutant in candidates:
        seen[way, mutant.word] += 1
        yield way, mutant, seen[way, mutant.word]


def _try_on_draws(mutant: Mutant, draws: Sequence[Passes]) -> list[bool]:
    """Return for each draw whether the mutant passes.

    If the first two draws kill it, the others are left out.
    """
    results = [passes(mutant.function) for passes in draws[:2]]
    return results + [passes(mutant.function) for passes in draws[2:]] if any(results) else results
