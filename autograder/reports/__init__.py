"""Feedback for students, and reports on a class.

May import `course`, `judging`, `authoring`, `grading`.
"""
