"""Grade open questions of a whole class, deciding equal answers together.

The room may import `course`, `answers`, `book`, `authoring` and `grading`.
"""
