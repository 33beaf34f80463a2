"""From a handed-in notebook to a row of the gradebook: choose, repair, run, judge, record; here or on a cluster.

May import `course`, `answers`, `judging`, `authoring`, `sandbox`.
"""
