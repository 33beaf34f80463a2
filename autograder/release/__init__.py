"""New exercises: draw numbers, certify them, write notebooks and keys, for a class or for each student.

May import all rooms above it: a variant is certified by grading its own solution.
"""
