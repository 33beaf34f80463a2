"""Time a midterm of six tasks for a class on paper: compose, certify, print, enter, grade, report.

    python -m benchmarks.midterm [--students 180] [--forms 4]

Without `--forms` each student has numbers of her own. Every student writes right answers and, one time in four, a
foreseen wrong one; the gradebook must hold the points that the marking key names.
"""

import argparse
import csv
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.bank.marking import mark_sheet
from autograder.bank.sheets import read_sheet
from autograder.course.course import Course
from autograder.course.handout import read_handout
from autograder.grading.gradebook import scores

ROOT = Path(__file__).resolve().parents[1]
FRACTION_AND_DECIMAL = re.compile(r"(-?\d+/\d+) \([^)]*\)")  # 276/25 (11.04), as marking keys write numbers
NEEDED = ("book", "solutions", "dimred_ref", "exercises")
FILES = ("_toc.yml", "_config.yml", "pyproject.toml", "course.toml", "nbgrader_config.py")
MIDTERM = """
title = "Midterm"
text = "Ninety minutes."

[[task]]
task = "pca.variance_along"

[[task]]
task = "classical_mds.double_centre"
points = 2

[[task]]
name = "formula"
one_of = ["pca.multiplier", "covariance.triangle_determinant"]
points = 2

[[task]]
task = "isomap.shortest_walks"

[[task]]
task = "covariance.squared_distances"
points = 2

[[task]]
task = "pca.first_component"
"""


def run(root: Path, *arguments: str) -> float:
    """Run a verb in the course; return its seconds."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *arguments], cwd=root, capture_output=True, text=True
    )
    seconds = time.monotonic() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stdout[-500:]}{done.stderr[-500:]}")
    print(f"{seconds:7.1f} s  dimred {' '.join(arguments)}", flush=True)
    return seconds


def fill(course: Course) -> dict[str, float]:
    """Write right and wrong answers into the table; return the points that each student should get."""
    table = course.paths.exam("midterm") / "entry.csv"
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    handout, luck, expected = read_handout(course, "midterm"), random.Random(1), {}
    assert handout
    for row in rows:
        form = str(handout.students[row["id"]].get("form", ""))
        sheet = read_sheet(course, "midterm", row["id"], row["name"], row["code"])
        points = 0.0
        for marked in mark_sheet(course, "midterm", sheet, form):
            wrong = [answer for answer in marked.wrong if "no single" not in answer.text]
            answer = luck.choice(wrong) if wrong and luck.random() < 0.25 else None
            text = answer.text if answer else marked.right
            row[marked.question.slot] = FRACTION_AND_DECIMAL.sub(r"\1", text)
            points += answer.points if answer else marked.question.points
        expected[row["id"]] = points
    with (course.root / "entered.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return expected


def main() -> None:
    """Run the midterm and print its times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=180)
    parser.add_argument("--forms", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for folder in NEEDED:
            shutil.copytree(ROOT / folder, root / folder)
        for file in FILES:
            shutil.copy(ROOT / file, root)
        (root / "midterm.toml").write_text(MIDTERM, "utf-8")
        ids = [f"student{number:03}" for number in range(1, options.students + 1)]
        (root / "class.csv").write_text("id\n" + "\n".join(ids) + "\n", "utf-8")
        forms = ("--forms", str(options.forms)) if options.forms else ()
        total = run(root, "exam", "midterm.toml", "--seed", "benchmark", "--roster", "class.csv", *forms)
        course = Course(root)
        expected = fill(course)
        total += run(root, "enter", "midterm", "entered.csv")
        total += run(root, "report", "midterm")
        total += run(root, "feedback", "midterm")
        book = scores(course, "midterm")
        agree = sum(abs(book[student]["score"] - points) < 0.01 for student, points in expected.items())
        certificate = json.loads(course.paths.certificate("midterm").read_text("utf-8"))
        pdf = course.paths.exam("midterm") / "exam.pdf"
        print(
            f"{total:7.1f} s in all; {len(certificate['tasks'])} tasks, {pdf.stat().st_size / 1e6:.1f} MB of sheets"
        )
        print(f"{agree} of {len(expected)} students have the points that the marking key names")
        for student, points in expected.items():
            if abs(book[student]["score"] - points) >= 0.01:
                print(f"  {student}: {book[student]['scores']} sum {book[student]['score']}, key {points}")


if __name__ == "__main__":
    main()
