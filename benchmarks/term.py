"""From a download to feedback with 180 students: `python -m benchmarks.term [TOPIC] [NUMBER] [PLATFORM …]`.

Works in a copy of this course in a temporary folder. Students are made up: each hands in the demo's answers. Prints the
CPU seconds of every command, for the layouts of five platforms: wall time depends on what else the machine does.
"""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from autograder.course.course import Course
from autograder.demo import filled_in
from tests.grading import downloads

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("book", "solutions", "exercises", "dimred_ref")
FILES = ("_toc.yml", "_config.yml", "nbgrader_config.py", "pyproject.toml", "course.toml")
LAYOUTS = {
    "canvas": (downloads.canvas_list, downloads.canvas_download),
    "moodle": (downloads.moodle_list, downloads.moodle_download),
    "blackboard": (downloads.canvas_list, downloads.blackboard_download),
    "brightspace": (downloads.moodle_list, downloads.brightspace_download),
    "google": (downloads.moodle_list, downloads.google_download),
}


def run(folder: Path, *words: str) -> float:
    """Run a command of the course and return its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "autograder.cli", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        raise SystemExit(f"dimred {' '.join(words)}\n{done.stdout}\n{done.stderr}")
    print(
        f"{seconds:8.1f} CPU s  dimred {' '.join(words)}: {done.stdout.strip().splitlines()[-1][:100]}",
        flush=True,
    )
    return seconds


def term(topic: str, number: int, platform: str) -> float:
    """Go from a class list to feedback and a filled gradebook; return the seconds of all commands."""
    class_list, download = LAYOUTS[platform]
    people = [downloads.Person(place) for place in range(1, number + 1)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in FOLDERS:
            shutil.copytree(ROOT / part, folder / part)
        for part in FILES:
            shutil.copy(ROOT / part, folder)
        (folder / "class.csv").write_text(class_list(people), "utf-8")
        seconds = run(folder, "roster", "class.csv")
        seconds += run(folder, "regenerate", "--seed", "spring-27", topic)
        seconds += run(folder, "distribute", topic)
        (folder / "submissions.zip").write_bytes(download(_solved(Course(folder), topic), people, topic))
        for words in (["collect", "submissions.zip", topic], ["collect", "submissions.zip", topic, "--yes"]):
            seconds += run(folder, *words)
        for verb in ("grade", "feedback", "report"):
            seconds += run(folder, verb, topic)
        seconds += run(folder, "export", "--fill", "class.csv", topic)
        return seconds + run(folder, "return", topic)


def _solved(course: Course, topic: str) -> bytes:
    """Return the class's notebook with the course's own answers."""
    release = nbformat.read(course.paths.release(topic) / f"{topic}.ipynb", as_version=4)
    source = nbformat.read(course.paths.source_notebook(topic), as_version=4)
    return json.dumps(filled_in(release, source, {})).encode()


if __name__ == "__main__":
    chosen_topic = sys.argv[1] if len(sys.argv) > 1 else "pca"
    chosen_number = int(sys.argv[2]) if len(sys.argv) > 2 else 180
    for layout in sys.argv[3:] or LAYOUTS:
        print(
            f"{layout}: {term(chosen_topic, chosen_number, layout):.0f} CPU s in all, {chosen_number} students"
        )
