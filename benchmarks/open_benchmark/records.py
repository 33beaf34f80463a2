"""Records of the open benchmark: every labelled answer of tests/truth with its exercise.

`schema.json` beside this module documents the fields.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.open_benchmark.exercises import Exercise, exercises
from tests.truth.answers import NEWEST, SETS, Answer, answers, topics

HERE = Path(__file__).parent
SCHEMA, VERDICT_SCHEMA = HERE / "schema.json", HERE / "verdicts.schema.json"
ID_DIGITS = 8  # hexadecimal; no two answers to a task in a set agree in them

Record = dict[str, Any]


def answer_id(answer: Answer, which: str) -> str:
    """Return the id of an answer: it stays when other answers are added or a label is corrected."""
    digest = hashlib.sha256(answer.code.encode()).hexdigest()[:ID_DIGITS]
    return f"{which}.{answer.topic}.{answer.task}.{digest}"


def labels_of(which: str, topic: str) -> Iterator[tuple[Answer, Record]]:
    """Yield the answers of a topic in a set, each with the fields that a scorer needs."""
    for answer in answers(topic, which):
        yield (
            answer,
            {
                "id": answer_id(answer, which),
                "set": which,
                "split": "kept" if which == NEWEST else "seen",
                "topic": topic,
                "task": answer.task,
                "label": "right" if answer.is_right else "wrong",
                "reason": answer.why,
            },
        )


def labels() -> Iterator[Record]:
    """Yield the labels of all sets."""
    return (label for which in SETS for topic in topics(which) for _, label in labels_of(which, topic))


def records(which: str, topic: str) -> Iterator[Record]:
    """Yield the full records of a topic in a set."""
    sheets = exercises(topic, which)
    for answer, label in labels_of(which, topic):
        yield {**label, **_exercise_fields(sheets[answer.task]), "answer": answer.code}


def _exercise_fields(exercise: Exercise) -> Record:
    return {
        "kind": exercise.kind,
        "exercise": exercise.text,
        "stub": exercise.stub,
        "name": exercise.name,
        "inputs": exercise.inputs,
    }


@cache
def schema(path: Path = SCHEMA) -> Any:
    """Return a validator for the lines of a file."""
    import jsonschema

    tree = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(tree)
    return jsonschema.Draft202012Validator(tree)
