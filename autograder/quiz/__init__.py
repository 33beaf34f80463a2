"""Quiz questions for learning platforms: the hand tasks with certified numbers, as Moodle XML, QTI 2.1 and QTI 1.2.

A medium is a view of a task: the draw, the answer and the judge are those of the notebook. What is written is read back
and compared with the judge before a file is left behind.

May import `course`, `answers`, `book`, `judging`, `authoring`, `release`, `reports`.
"""
