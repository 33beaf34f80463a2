"""The engine of a course you can run, in rooms along the way of the data.

    course → answers → book → judging → authoring → sandbox → grading → release → reports → demo; `cli` above all

Each room says in its docstring whom it may import; a test holds it to that. The engine knows no subject: a course
brings its tasks (`solutions/`), its pages (`book/`) and whatever they import.
"""

from typing import Any

__all__ = ["case", "check", "hint"]


def __getattr__(name: str) -> Any:
    """`check` on demand: a process that runs students' code imports this package, but nothing of the judging side."""
    if name == "case":
        from autograder.answers.example import case

        return case
    if name == "hint":
        from autograder.judging.hint import hint

        return hint
    if name != "check":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from autograder.judging.check import check

    return check
