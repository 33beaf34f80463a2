"""Write the archive with which Gradescope grades a topic.

It holds `setup.sh`, `run_autograder`, the package, its locks and the keys. A course without locks gets one with the
versions that are installed here.
"""

import io
import re
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from autograder.book.wheel import publish_wheel
from autograder.course.course import Course
from autograder.course.files import write_bytes
from autograder.course.people import person
from autograder.errors import CourseError
from autograder.grading.assignment import Assignment
from autograder.grading.choose import load_assignments
from autograder.grading.gradescope import ALLOW_UNSAFE, WHOLE_CLASS, pack
from autograder.grading.student_packages import with_requirements
from autograder.program import ENGINE

INSTALLED = "installed.txt"  # of a course without locks
LOCK_FILES = ("installer.lock", "grading.lock")
# Gradescope's images have an older Python, so uv installs one. Every package has the version with which the exercises
# were certified and, with locks, the hash.
SETUP_SCRIPT = """\
#!/usr/bin/env bash
set -e
folder="${{1:-/autograder}}"
export UV_PYTHON_INSTALL_DIR="$folder/python"  # where students' programs, which are another user's, can read it
uv="$folder/installer/bin/uv" python="$folder/env/bin/python"
python3 -m ensurepip --version >/dev/null 2>&1 || {{ apt-get update -qq; apt-get install -y -qq python3-venv; }}
python3 -m venv "$folder/installer"
"$folder/installer/bin/pip" install --quiet {installer}
"$uv" venv --quiet --python "${{PYTHON:-3.12}}" "$folder/env"
"$uv" pip sync --quiet --python "$python" --compile-bytecode {packages}
"$uv" pip install --quiet --python "$python" --no-deps "$folder/source/{wheel}"
"""
WITH_LOCKS = {
    "installer": '--require-hashes --only-binary :all: -r "$folder/source/installer.lock"',
    "packages": '--require-hashes "$folder/source/grading.lock"',
}
WITHOUT_LOCKS = {"installer": "uv", "packages": f'"$folder/source/{INSTALLED}"'}
RUN_SCRIPT = """\
#!/usr/bin/env bash
chmod -R go= "${1:-/autograder}"/source "${1:-/autograder}"/results 2>/dev/null
exec "${PYTHON:-${1:-/autograder}/env/bin/python}" -m autograder.grading.gradescope "${1:-/autograder}" %s
"""


def write_archive(course: Course, topic: str, *, allow_unsafe: bool = False) -> Path:
    """Write the archive of a topic and return its path.

    It holds secret keys, so it is for the instructor only.
    """
    wheel = publish_wheel(course.root)
    locks = _read_locks(course)
    words = WITHOUT_LOCKS if INSTALLED in locks else WITH_LOCKS
    files = {
        "setup.sh": SETUP_SCRIPT.format(wheel=wheel.name, **words).encode(),
        "run_autograder": (RUN_SCRIPT % (ALLOW_UNSAFE if allow_unsafe else "")).encode(),
        "assignments.json": pack(_assignments(course, topic)).encode(),
        wheel.name: wheel.read_bytes(),
        **locks,
    }
    target = course.paths.exports / f"{topic}.gradescope.zip"
    write_bytes(target, _zip(files))
    return target


def _read_locks(course: Course) -> dict[str, bytes]:
    """Return the lock files of a course; without them, one with the versions that are installed here."""
    folder = course.root / "requirements"
    missing = [name for name in LOCK_FILES if not (folder / name).is_file()]
    if not missing:
        return {name: (folder / name).read_bytes() for name in LOCK_FILES}
    if len(missing) < len(LOCK_FILES) or not any(metadata.distributions(name=ENGINE)):
        raise CourseError(f"requirements/{missing[0]} is missing and Gradescope needs it: run `make locks`")
    return {INSTALLED: "".join(f"{line}\n" for line in installed_versions(("check", "grade"))).encode()}


def installed_versions(extras: Sequence[str]) -> list[str]:
    """Return what the engine needs with these extras, each package with the version that is installed."""
    words = {f'extra == "{name}"' for name in extras}
    texts = [
        text.replace("'", '"')
        for text in metadata.distribution(ENGINE).requires or []
        if "extra ==" not in text or any(word in text.replace("'", '"') for word in words)
    ]
    names = with_requirements({re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0] for text in texts})
    return sorted(f"{name}=={metadata.version(name)}" for name in names - {ENGINE})


def _assignments(course: Course, topic: str) -> dict[str, Assignment]:
    """Return the class's assignment and the students' own.

    A student's own assignment is listed under id, folder and e-mail address: Gradescope may know any of them.
    """
    assignments = load_assignments(course, topic)
    by_name = {WHOLE_CLASS: assignments.shared}
    for folder in assignments.handout.students if assignments.handout else ():
        student = person(course, folder)
        assignment = assignments.for_student(folder)
        by_name |= {name: assignment for name in (student.id, folder, student.email) if name}
    return by_name


def _zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16  # scripts must be executable
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
