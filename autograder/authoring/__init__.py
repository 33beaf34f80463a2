"""Tasks and texts of exercises as authors write them, and nbgrader's metadata.

May import `course`, `answers`, `judging` and `sandbox`.
"""
