"""`dimred mutate`: try the tasks of a topic by mutation, and say what their cases do not notice."""

import copy
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.authoring.lucky import write_beside
from autograder.authoring.task import Cases, Task
from autograder.authoring.topic import load_tasks, solutions
from autograder.authoring.trials import Passes, Trial, all_mutants, tried, ways_of
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.key import TaskKey
from autograder.release.draw import stream, task_key, usual_shares
from autograder.release.quiet import quiet
from autograder.release.rules import broken_rules, verdict_on_way
from autograder.release.time_limit import OutOfTimeError, time_limit

DRAWS = 5
SECONDS = 2.0  # seconds for a mutant on one draw


def mutate(course: Course, names: list[str], draws: int = DRAWS) -> Iterator[Trial]:
    """Try public tasks named `topic` or `topic.task`, or all of them."""
    course = course.published  # what is found is written beside the public tasks
    for topic in course.topics() if not names else dict.fromkeys(name.partition(".")[0] for name in names):
        course.require_topics([topic])
        chosen = [name.partition(".")[2] for name in names if name.partition(".")[0] == topic]
        tasks = load_tasks(course, topic)
        for name in [one for one in chosen if one] or tasks:
            if name not in tasks:
                raise CourseError(f"{topic}.{name} is not a task; its tasks are {', '.join(tasks)}")
            yield try_task(f"{topic}.{name}", tasks[name], solutions(course, topic).get(name), draws)


def remembered(course: Course, trials: Iterator[Trial]) -> Iterator[Trial]:
    """The same trials, written down beside the tasks when those of a topic are done."""
    course = course.published
    for topic, group in itertools.groupby(trials, key=lambda trial: trial.name.partition(".")[0]):
        done = []
        for trial in group:
            done.append(trial)
            yield trial
        own, tasks = solutions(course, topic), load_tasks(course, topic)
        ways = {name: {way.__name__ for way in ways_of(task, own.get(name))} for name, task in tasks.items()}
        write_beside(course.source(topic), done, ways)


def try_task(name: str, task: Task, solution: Callable[..., Any] | None, draws: int = DRAWS) -> Trial:
    """Try one task."""
    keys = list(_certified(name, task, draws))
    hard = _hard(task, solution)
    passes = [_passing(task, key) for key in keys]
    return tried(name, all_mutants(ways_of(task, solution), task.kind), passes, hard)


def _certified(name: str, task: Task, number: int) -> Iterator[TaskKey]:
    """Keys of so many draws that pass every rule."""
    found = 0
    for attempt in range(20 * number):
        key = task_key(task, task.draw(stream("mutate", name, str(attempt))), "salt")
        if not broken_rules(task, key, usual_shares(task)):
            yield key
            found += 1
        if found == number:
            return
    raise CourseError(f"{name}: fewer than {number} draws in {20 * number} could be certified")


def _hard(task: Task, solution: Callable[..., Any] | None) -> dict[str, Passes]:
    """Judges on the task's hard inputs, as far as its own correct ways agree there."""
    if task.hard is None or task.kind != "code":
        return {}
    cases: Cases = task.hard(np.random.default_rng(0))
    made: dict[str, Passes] = {}
    for name, inputs in cases.items():
        key = task_key(task, {name: _as_given(inputs)}, "salt")
        rejected = [way.__name__ for way in ways_of(task, solution) if not _passing(task, key)(way)]
        if rejected:
            raise CourseError(f"hard input {name!r}: the correct way {rejected[0]!r} fails on it")
        made[name] = _passing(task, key)
    return made


def _as_given(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    return copy.deepcopy(dict(inputs))


def _passing(task: Task, key: TaskKey) -> Passes:
    def passes(way: Callable[..., Any]) -> bool:
        try:
            with quiet(), time_limit(SECONDS):
                return verdict_on_way(task, key, way).passed
        except (Exception, OutOfTimeError):
            return False

    return passes
