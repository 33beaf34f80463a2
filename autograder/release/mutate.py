"""Mutation testing of tasks: find mutants that the cases do not reject."""

import copy
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.authoring.mutation_record import write_beside
from autograder.authoring.task import Cases, Task
from autograder.authoring.topic import load_tasks, solutions
from autograder.authoring.trials import Passes, Trial, all_mutants, correct_programs, judge_mutants
from autograder.course.course import Course
from autograder.errors import CourseError, TimeLimitError
from autograder.judging.key import TaskKey
from autograder.release.draw import rng_from_words, task_key, usual_shares
from autograder.release.quiet import quiet
from autograder.release.rules import broken_rules, judge_solution
from autograder.release.time_limit import cpu_time_limit

MUTATION_DRAWS = 5
MUTANT_TIMEOUT_SECONDS = 2.0  # for a mutant on one draw


def mutate(course: Course, names: list[str], draws: int = MUTATION_DRAWS) -> Iterator[Trial]:
    """Test public tasks named `topic` or `topic.task`, or all of them."""
    course = course.published  # records lie beside the public tasks
    chosen: dict[str, list[str]] = {topic: [] for topic in course.topics()} if not names else {}
    for name in names:
        topic, _, task = name.partition(".")
        chosen.setdefault(topic, []).extend([task] if task else [])
    for topic, task_names in chosen.items():
        course.require_topics([topic])
        tasks = load_tasks(course, topic)
        for name in task_names or tasks:
            if name not in tasks:
                raise CourseError(f"{topic}.{name} is not a task; its tasks are {', '.join(tasks)}")
            yield try_task(f"{topic}.{name}", tasks[name], solutions(course, topic).get(name), draws)


def remembered(course: Course, trials: Iterator[Trial]) -> Iterator[Trial]:
    """Yield the trials, and record them beside the tasks of each topic."""
    course = course.published
    for topic, group in itertools.groupby(trials, key=lambda trial: trial.name.partition(".")[0]):
        done = []
        for trial in group:
            done.append(trial)
            yield trial
        programs, tasks = solutions(course, topic), load_tasks(course, topic)
        ways = {
            name: {way for way, _ in correct_programs(task, programs.get(name))}
            for name, task in tasks.items()
        }
        write_beside(course.source(topic), done, ways)


def try_task(
    name: str, task: Task, solution: Callable[..., object] | None, draws: int = MUTATION_DRAWS
) -> Trial:
    """Run mutation testing on one task."""
    keys = list(_certified_keys(name, task, draws))
    hard = _hard_judges(task, solution)
    passes = [_judge_of(task, key) for key in keys]
    return judge_mutants(name, all_mutants(correct_programs(task, solution), task.kind), passes, hard)


def _certified_keys(name: str, task: Task, number: int) -> Iterator[TaskKey]:
    """Yield keys of draws that pass every rule."""
    certified = 0
    for attempt in range(20 * number):
        key = task_key(task, task.draw(rng_from_words("mutate", name, str(attempt))), "salt")
        if not broken_rules(task, key, usual_shares(task)):
            yield key
            certified += 1
        if certified == number:
            return
    raise CourseError(f"{name}: fewer than {number} draws in {20 * number} could be certified")


def _hard_judges(task: Task, solution: Callable[..., object] | None) -> dict[str, Passes]:
    """Return judges on the task's hard inputs.

    Raise CourseError if a correct solution fails on one of them.
    """
    if task.hard is None or task.kind != "code":
        return {}
    cases: Cases = task.hard(np.random.default_rng(0))
    judges: dict[str, Passes] = {}
    for name, inputs in cases.items():
        key = task_key(task, {name: _copied(inputs)}, "salt")
        rejected = [
            way for way, program in correct_programs(task, solution) if not _judge_of(task, key)(program)
        ]
        if rejected:
            raise CourseError(f"hard input {name!r}: the correct way {rejected[0]!r} fails on it")
        judges[name] = _judge_of(task, key)
    return judges


def _copied(inputs: Mapping[str, object]) -> Mapping[str, Any]:
    return copy.deepcopy(dict(inputs))


def _judge_of(task: Task, key: TaskKey) -> Passes:
    def passes(way: Callable[..., object]) -> bool:
        try:
            with quiet(), cpu_time_limit(MUTANT_TIMEOUT_SECONDS):
                return judge_solution(task, key, way).passed
        except (Exception, TimeLimitError):
            return False

    return passes
