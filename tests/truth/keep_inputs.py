"""Keep the published inputs of hand tasks beside a set of answers: `python -m tests.truth.keep_inputs sixth`.

Run it while `exercises/` holds the variant that the answers of the set were written for. Afterwards the set is judged
on these numbers, whatever is published.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from autograder.course.course import Course
from tests.truth.answers import INPUTS_NAME, SETS, answers, load_tasks, published_key, topics


def hand_inputs(course: Course, topic: str, which: str) -> dict[str, Any]:
    """Return the published cases of the hand tasks that a set answers, as JSON has them."""
    tasks, key = load_tasks(course, topic), published_key(course, topic)
    names = {answer.task for answer in answers(topic, which)}
    return {
        name: {case.name: as_json(case.inputs) for case in key.tasks[name].cases}
        for name, task in tasks.items()
        if task.kind == "hand" and name in names
    }


def as_json(inputs: Any) -> dict[str, Any]:
    """Return inputs with arrays as lists."""
    return {
        name: value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        for name, value in inputs.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=SETS, metavar="set")
    which = parser.parse_args().which
    course = Course(Path(__file__).resolve().parents[2])
    inputs = {topic: hand_inputs(course, topic, which) for topic in topics(which)}
    path = SETS[which] / INPUTS_NAME
    path.write_text(json.dumps(inputs, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{path}: {sum(map(len, inputs.values()))} hand tasks")


if __name__ == "__main__":
    main()
