"""Grade a submission from plain data, on any machine.

A job holds everything that grading needs, including the keys. Its result is plain data. The process that submitted the
job writes the gradebook.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import nbformat

from autograder.errors import UnreadableError
from autograder.grading.assignment import Assignment
from autograder.grading.examine import GradingInputs, grade_notebook
from autograder.grading.repair import parse_notebook, repair
from autograder.judging.formula_process import formulas_in_subprocess
from autograder.judging.key import Key, load_key
from autograder.judging.verdict import Verdict, VerdictRecord
from autograder.sandbox.budget import Budget
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits


@dataclass(frozen=True)
class GradingOptions:
    """The limits of a submission, and whether to run unchanged submissions again."""

    limits: Limits = field(default_factory=Limits)
    force: bool = False


@dataclass(frozen=True)
class Job:
    """A submission to grade, with its assignment."""

    assignment: Assignment
    name: str
    submitted: bytes
    limits: Limits

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the outcome depends on except the limits."""
        return hashlib.sha256(self.assignment.digest.encode() + self.submitted).hexdigest()


@dataclass
class Result:
    """The result of a job.

    `notebook` is None if the submission is unreadable.
    """

    notebook: dict[str, Any] | None
    verdicts: dict[str, VerdictRecord] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    repaired: bool = False
    returned: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)  # for the instructor only


def grade_submission(job: Job, fork_server: ForkServerClient) -> Result:
    """Repair, run and judge a submission in children of the fork server."""
    assignment, budget = (
        job.assignment,
        Budget(job.limits),
    )  # created first, so that it counts all that follows
    try:
        earlier = [json.loads(text) for text in assignment.earlier]
        repaired = repair(parse_notebook(job.submitted, job.name), _notebook(assignment.release), earlier)
    except UnreadableError as error:
        return Result(None, notes=[str(error)])
    common = _key(assignment.common) if assignment.common else None
    inputs = GradingInputs(
        _key(assignment.public), _key(assignment.secret), _notebook(assignment.source), common
    )
    with (
        fork_server.open_session(assignment.data_files(), job.limits, budget) as session,
        formulas_in_subprocess(budget),
    ):
        graded = grade_notebook(repaired.notebook, inputs, session)
    verdicts = {name: verdict_record(verdict) for name, verdict in graded.verdicts.items()}
    notes = [*repaired.repairs, *graded.notes]
    return Result(
        graded.notebook,
        verdicts,
        notes,
        bool(repaired.repairs),
        dict(graded.returned),
        list(graded.remarks),
    )


def verdict_record(verdict: Verdict) -> VerdictRecord:
    """Select the fields of a verdict that reports need."""
    record = VerdictRecord(
        passed=verdict.passed,
        fraction=verdict.fraction,
        points=verdict.points,
        misconception=verdict.misconception,
        slip=verdict.slip,
        see=verdict.see,
        problem=verdict.problem,
        error=verdict.error,
        fault=verdict.fault,
    )
    if verdict.hints:
        record["hints"] = list(verdict.hints)
    return record


@lru_cache(maxsize=8)
def _key(text: str) -> Key:
    return load_key(text)


@lru_cache(maxsize=8)
def _notebook(text: str) -> object:
    return nbformat.from_dict(_with_joined_sources(json.loads(text)))


def _with_joined_sources(tree: dict[str, Any]) -> dict[str, object]:
    """Join the source lines of each cell, in place."""
    for cell in tree["cells"]:
        if isinstance(cell["source"], list):
            cell["source"] = "".join(cell["source"])
    return tree
