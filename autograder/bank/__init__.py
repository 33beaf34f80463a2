"""The bank of tasks: measure and list it, compose assignments from it, print exams and enter what was written.

Imports `course`, `judging`, `authoring`, `sandbox`, `grading`, `release`, `book` and `reports`.
"""
