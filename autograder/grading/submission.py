"""One submission's work, as data in and data out: the same on this machine and on another.

A job holds everything that examining a submission needs, the key included, and nothing else of the course. Its
result is plain data; whoever sent the job writes the gradebook.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import nbformat

from autograder.errors import UnreadableError
from autograder.grading.assignment import Assignment
from autograder.grading.examine import Material, examine
from autograder.grading.repair import parse_notebook, repair
from autograder.judging.calculator import elsewhere
from autograder.judging.key import Key, load_key
from autograder.judging.verdict import Verdict
from autograder.sandbox.budget import Budget
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery


@dataclass(frozen=True)
class Job:
    """One submission of an assignment."""

    assignment: Assignment
    name: str
    submitted: bytes
    limits: Limits

    @property
    def digest(self) -> str:
        """What the outcome depends on; equal digests need no second run."""
        return hashlib.sha256(self.assignment.digest.encode() + self.submitted).hexdigest()


@dataclass
class Result:
    """What became of a job: the graded notebook (None if it could not be read), verdicts, notes."""

    notebook: dict[str, Any] | None
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    repaired: bool = False
    returned: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)  # for the instructor only


def run(job: Job, nursery: Nursery) -> Result:
    """Examine one submission in children of the nursery: repair, run, ask, judge, record."""
    given, budget = job.assignment, Budget(job.limits)  # first: what follows is counted
    try:
        repaired = repair(parse_notebook(job.submitted, job.name), _notebook(given.release))
    except UnreadableError as error:
        return Result(None, notes=[str(error)])
    common = _key(given.common) if given.common else None
    material = Material(_key(given.public), _key(given.secret), _notebook(given.source), common)
    with nursery.seat(given.files_at_hand(), job.limits, budget) as seat, elsewhere(budget):
        examined = examine(repaired.notebook, material, seat)
    verdicts = {name: summary(verdict) for name, verdict in examined.verdicts.items()}
    notes = [*repaired.repairs, *examined.notes]
    return Result(
        examined.notebook,
        verdicts,
        notes,
        bool(repaired.repairs),
        dict(examined.returned),
        list(examined.remarks),
    )


def summary(verdict: Verdict) -> dict[str, Any]:
    """What reports need of a verdict; nothing from a secret case."""
    names = ("passed", "fraction", "points", "misconception", "slip", "see", "problem", "error", "fault")
    return {name: getattr(verdict, name) for name in names}


@lru_cache(maxsize=8)
def _key(text: str) -> Key:
    return load_key(text)


@lru_cache(maxsize=8)
def _notebook(text: str) -> Any:
    return nbformat.from_dict(_with_joined_sources(json.loads(text)))


def _with_joined_sources(tree: dict[str, Any]) -> dict[str, Any]:
    """Files keep a cell's text as a list of lines; programs want the text."""
    for cell in tree["cells"]:
        if isinstance(cell["source"], list):
            cell["source"] = "".join(cell["source"])
    return tree
