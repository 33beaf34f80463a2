"""Draw a task's cases for a test, with fingerprints that are quick to compute."""

from autograder.task import Task
from autograder.variant import stream, task_key

SEEDS = [f"seed {number}" for number in range(5)]


def tasks_of(module):
    """The tasks that a topic's tasks.py names."""
    return {name: task for name, task in vars(module).items() if isinstance(task, Task)}


def key_of(name, task, seed):
    """The key of one draw."""
    return task_key(task, task.draw(stream(seed, name)), salt="s")
