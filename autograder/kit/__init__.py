"""Teaching kits: for each chapter objectives, a plan for 50 minutes, slides, questions for the lecture, and solutions.

Slides are made from the built page and lie in the site beside it. The rest has answers and stays in the classroom.

May import `course`, `answers`, `book`, `judging`, `authoring`, `release`, `reports`, `quiz`.
"""
