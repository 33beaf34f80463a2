"""What runs in a reader's browser: one cell of Python, its output and figures, its verdicts.

May import `judging`. Shipped to the browser as it is, so it needs numpy and the standard library only.
"""
