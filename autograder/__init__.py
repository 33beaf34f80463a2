"""The engine of a course you can run: tasks, keys, checks, generation, grading, reports.

It knows no subject. A course brings its tasks (`solutions/`), its pages (`book/`) and whatever they import.
"""

from autograder.checking import check

__all__ = ["check"]
