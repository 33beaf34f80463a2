"""Grade the named students with plain nbgrader: `python plain_nbgrader.py COURSE SECONDS STUDENT…`.

One process, but one call per student, because one bad notebook ends nbgrader's batch. Prints {student: graded?}.
"""

import json
import sys
from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograder.course.course import Course
from autograder.grading.nbgrader_settings import nbgrader_config


def main() -> None:
    root, seconds, *students = sys.argv[1:]
    config = nbgrader_config(Course(Path(root)))
    config.Execute.timeout = int(seconds)
    api = NbGraderAPI(config=config)
    print(json.dumps({student: api.autograde("pca", student, force=True)["success"] for student in students}))


if __name__ == "__main__":
    main()
