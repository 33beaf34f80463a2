"""The bank of tasks: measure and list it, compose assignments from it, print exams and enter what was written.

Imports `course`, `answers`, `book`, `judging`, `authoring`, `grading`, `release` and `reports`.
"""
