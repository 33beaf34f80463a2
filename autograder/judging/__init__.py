"""Judge answers: comparison by sameness, answer keys, diagnosis, `check` and verdicts.

May import `answers`.
"""
