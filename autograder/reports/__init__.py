"""After grading: feedback for each student, the report of a class.

May import `course`, `judging`, `authoring`, `grading`.
"""
