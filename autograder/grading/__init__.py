"""Grade submissions: choose the variant, repair, run, judge, write the gradebook.

May import `course`, `answers`, `judging`, `authoring`, `sandbox`.
"""
