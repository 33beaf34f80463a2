"""When is an answer right, and why is it wrong? Sameness, keys, seals, judge, diagnosis, `check`, how a verdict looks.

May import `answers`.
"""
