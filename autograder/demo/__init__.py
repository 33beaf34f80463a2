"""A made-up class that shows the whole course at work, and what each of its students meant.

May import all rooms above it: the class is made from tasks and releases.
"""

from autograder.demo.classroom import make_class
from autograder.demo.notebook import filled_in
from autograder.demo.ways import typed

__all__ = ["filled_in", "make_class", "typed"]
