"""The archive that makes Gradescope grade a topic: `setup.sh`, `run_autograder`, the package, the keys."""

import io
import zipfile
from pathlib import Path

from autograder.book.wheel import publish_wheel
from autograder.course.course import Course
from autograder.course.files import write_bytes
from autograder.course.people import person
from autograder.errors import CourseError
from autograder.grading.assignment import Assignment
from autograder.grading.choose import load_assignments
from autograder.grading.gradescope import CLASS, pack

# Gradescope's images have an older Python: uv brings one of its own.
SETUP = """\
#!/usr/bin/env bash
set -e
export UV_PYTHON_INSTALL_DIR=/autograder/python  # where students' programs, which are another user's, can read it
apt-get update -qq
apt-get install -y -qq python3-pip
python3 -m pip install --quiet uv || python3 -m pip install --quiet --break-system-packages uv
python3 -m uv venv --quiet --python 3.12 /autograder/env
python3 -m uv pip install --quiet --python /autograder/env/bin/python "/autograder/source/{wheel}[grading]"
"""
RUN = """\
#!/usr/bin/env bash
chmod -R go= "${1:-/autograder}"/source "${1:-/autograder}"/results 2>/dev/null
exec ${PYTHON:-/autograder/env/bin/python} -m autograder.grading.gradescope "${1:-/autograder}"
"""


def write_archive(course: Course, topic: str) -> Path:
    """Write the archive of a topic and return its path; it holds secret keys, so it is for the instructor only."""
    wheel = publish_wheel(course.root)
    if wheel is None:
        raise CourseError("this course builds no package (pyproject.toml), so Gradescope cannot install it")
    files = {
        "setup.sh": SETUP.format(wheel=wheel.name).encode(),
        "run_autograder": RUN.encode(),
        "assignments.json": pack(_assignments(course, topic)).encode(),
        wheel.name: wheel.read_bytes(),
    }
    target = course.places.exports / f"{topic}.gradescope.zip"
    write_bytes(target, _zip(files))
    return target


def _assignments(course: Course, topic: str) -> dict[str, Assignment]:
    """The class's variant, and each student's own by everything that Gradescope may know the student by."""
    every = load_assignments(course, topic)
    found = {CLASS: every.shared}
    for folder in every.handout.students if every.handout else ():
        one = person(course, folder)
        own = every.of(folder)
        found |= {name: own for name in (one.id, folder, one.email) if name}
    return found


def _zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16  # scripts must be executable
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
