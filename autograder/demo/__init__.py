"""A made-up class that exercises the whole course.

It records which answer each student was meant to give. May import all rooms above it: the class is made from tasks and
releases.
"""

from autograder.demo.classroom import make_class
from autograder.demo.notebook import filled_in
from autograder.demo.ways import typed

__all__ = ["filled_in", "make_class", "typed"]
