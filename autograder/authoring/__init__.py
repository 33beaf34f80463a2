"""What authors write: tasks, the text of an exercise with its placeholders, and all that knows nbgrader's metadata.

May import `course`, `answers`, `judging` and `sandbox`.
"""
