"""A topic's assignment is a page of the site, and its archive runs where nothing of the course is installed."""

import io
import json
import subprocess
import sys
import zipfile

import pytest
from bs4 import BeautifulSoup

from autograder.authoring.first_lines import GUARDED
from autograder.book.assignments import AssignmentPage, assignments, write_assignments
from autograder.book.labels import Label
from autograder.course.course import Course
from tests.conftest import ROOT


def cell(kind, source, **marking):
    metadata = {"nbgrader": marking} if marking else {}
    return {"cell_type": kind, "source": source.splitlines(keepends=True), "metadata": metadata}


CELLS = [
    cell(
        "markdown",
        "# Exercises: areas of squares\n\n**Before you start**, install it.\n\nBy hand and by machine, with SciPy.",
    ),
    cell("code", "import numpy as np\n\n" + GUARDED),
    cell(
        "markdown",
        "## Warm-up\n\n### One (2 points, about 40 minutes)\n\nSee equation `eq-areas-square` and `areas`.",
    ),
    cell("code", "def area(side):\n    # YOUR CODE HERE\n    ...", solution=True),
    cell("code", 'check("areas.area", area)', grade=True, points=2.0),
    cell(
        "markdown",
        "### Two (1.5 points, about 30 minutes)\n\n[Reread](http://127.0.0.1:8000/book/areas.html#x).",
    ),
    cell("code", 'check("areas.other", area)', grade=True, points=1.5),
]
KEY = {"topic": "areas", "seed": "2027", "tasks": {}, "pages": {}}
PLACES = {"eq-areas-square": Label("areas", "equation-eq-areas-square", "Areas", "Equation (1.1)")}


def write_topic(tiny, cells=CELLS):
    tiny.write("course.toml", 'book_url = "http://127.0.0.1:8000"\n')
    tiny.write("solutions/areas/notebook.md", "")
    tiny.write("exercises/areas/areas.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    tiny.write("exercises/areas/areas.key.json", json.dumps(KEY))


@pytest.fixture
def one(tiny):
    write_topic(tiny)
    return AssignmentPage("areas", tiny.root / "exercises" / "areas")


def test_points_time_and_needs_are_read_from_the_notebook(one):
    assert (one.title, one.short_title) == ("Exercises: areas of squares", "Areas of squares")
    assert (one.tasks, one.points) == (2, 3.5)
    assert one.time == "about 1 hour and 10 minutes"
    assert one.needs == ["mpmath", "numpy", "scipy", "sympy"]  # SciPy is named in the text


def test_the_text_is_shown_with_the_numbers_of_the_book_and_without_the_checks(one):
    page = one.page(PLACES)
    assert 'See <a href="../areas.html#equation-eq-areas-square">Equation (1.1)</a> and `areas`.' in page
    assert '<a href="../areas.html#x">Reread</a>' in page
    assert page.count("\n# ") + page.startswith("# ") == 1
    assert "check(" not in page
    assert "```python\nimport numpy as np\n\nfrom autograder import check\n```" in page
    assert "Before you start" not in page
    assert "YOUR CODE HERE" in page
    assert "{doc}`/book/areas`\n" in page
    assert "{doc}`/book/areas`, {doc}`/book/areas_more`\n" in one.page(PLACES, ["areas", "areas_more"])


def test_the_archive_is_the_same_at_every_build_and_holds_what_it_needs(one):
    assert one.archive() == one.archive()
    names = zipfile.ZipFile(io.BytesIO(one.archive())).namelist()
    assert {
        "areas/README.md",
        "areas/areas.ipynb",
        "areas/areas.key.json",
        "areas/autograder/__init__.py",
    } <= set(names)
    assert not [name for name in names if "sandbox" in name or "release" in name or "secret" in name]


def test_pages_of_topics_that_are_gone_are_removed(tiny):
    write_topic(tiny)
    tiny.write_pages(areas="# Areas\n")
    tiny.write("book/assignments/volumes.md", "of another day")
    course = Course(tiny.root)
    assert [one.topic for one in write_assignments(course)] == ["areas"]
    assert {path.name for path in (tiny.book / "assignments").iterdir()} == {"areas.md", "areas.zip"}


def test_the_bank_of_tasks_stands_beside_its_guide_with_previews_and_no_answers(tiny):
    write_topic(tiny)
    record = {"kind": "code", "misconceptions recognised": ["added_the_sides"]}
    tiny.write("exercises/areas/areas.certificate.json", json.dumps({"tasks": {"area": record}}))
    tiny.write_pages(start="# Start\n", areas="# Areas\n\n$$\na = s^2\n$$ (eq-areas-square)\n")
    for name in ("start", "instructor_bank"):
        tiny.write(f"book/{name}.md", f"# {name}\n")
    contents = (tiny.root / "_toc.yml").read_text("utf-8").replace("chapters:\n", "parts:\n- chapters:\n")
    tiny.write("_toc.yml", f"{contents}- caption: Teachers\n  chapters:\n  - file: book/instructor_bank\n")
    tiny.build()
    page = BeautifulSoup(tiny.html("assignments/bank"), "html.parser")
    rows = [[cell.get_text() for cell in row.select("td")] for row in page.select("tbody tr")]
    assert rows[0] == ["areas.area", "One", "a function", "2", "40", "1"]
    (preview,) = [fold for fold in page.select("details") if "areas.area" in fold.get_text()]
    assert "Recognised mistakes: added the sides." in preview.get_text()
    assert preview.select_one("a")["href"] == "../areas.html#equation-eq-areas-square"
    assert "YOUR CODE HERE" not in page.get_text()
    assert "check(" not in page.get_text()


def test_chapter_and_assignment_lead_to_each_other_and_to_the_archive(tiny):
    write_topic(tiny, [*CELLS[:2], cell("markdown", "See `eq-areas-square`."), *CELLS[-4:-2]])
    tiny.write_pages(
        start="# Start\n", areas="# Areas\n\n$$\na = s^2\n$$ (eq-areas-square)\n", areas_of_disks="# Disks\n"
    )
    tiny.build()
    chapter = BeautifulSoup(tiny.html("areas"), "html.parser")
    door = chapter.select_one(".assignment-door a")
    assert (door["href"], door.get_text()) == ("assignments/areas.html", "Exercises: areas of squares")
    continued = BeautifulSoup(tiny.html("areas_of_disks"), "html.parser")
    assert continued.select_one(".assignment-door a")["href"] == door["href"]
    assert BeautifulSoup(tiny.html("start"), "html.parser").select_one(".assignment-door") is None
    page = BeautifulSoup(tiny.html("assignments/areas"), "html.parser")
    assert page.select_one("article .assignment-facts a")["href"] == "../areas.html"
    assert page.find("a", string="Equation (1)")["href"] == "../areas.html#equation-eq-areas-square"
    archive = tiny.root / "_build/html/book/assignments" / page.select_one("a.download")["href"]
    assert zipfile.is_zipfile(archive)
    assert "Areas of squares" in chapter.select_one("nav.bd-links").get_text()

    # More points make another door, though the chapter itself did not change.
    write_topic(tiny)
    tiny.build()
    assert (
        "3.5 points"
        in BeautifulSoup(tiny.html("areas"), "html.parser").select_one(".assignment-door").get_text()
    )


@pytest.mark.parametrize("topic", [one.topic for one in assignments(Course(ROOT))])
def test_a_real_archive_checks_answers_where_nothing_of_the_course_is(course, tmp_path, topic):
    one = AssignmentPage(topic, course.exercises / topic)
    zipfile.ZipFile(io.BytesIO(one.archive())).extractall(tmp_path)
    name = next(iter(json.loads((tmp_path / topic / f"{topic}.key.json").read_text("utf-8"))["tasks"]))
    program = (
        "import sys; sys.path[:] = ['.', *(p for p in sys.path if p and 'site-packages' in p or 'python3' in p)]\n"
        "import autograder; print(autograder.__file__)\n"
        f"from autograder import check; check({topic + '.' + name!r}, None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / topic, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    where, verdict = done.stdout.split("\n", 1)
    assert str(tmp_path) in where or where.startswith(".")
    assert topic in verdict
    assert 0 < one.points < 100
    assert one.minutes > 10
