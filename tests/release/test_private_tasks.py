"""An instructor's private tasks: made and graded for a class, and part of nothing that is published."""

import json
import zipfile

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.sources import sources_changed
from autograder.errors import CourseError
from autograder.release.distribute import distribute
from autograder.release.practice import practice_data
from tests import command
from tests.grading.own_variants import give, hand_in_own, with_known_secret
from tests.grading.small_class import TOPIC

REPLACED = """\
from dataclasses import replace

import numpy as np

from solutions.squares.tasks import total as public


def draw_private(rng):
    return {"a private list": {"x": np.round(rng.uniform(900, 999, size=3), 1)}}


def private_reference(x):
    return 7 * float(np.sum(x**2))


total = replace(
    public.task,
    draw=draw_private,
    answer=private_reference,
    alternatives=(),
    misconceptions=public.task.misconceptions[1:],
)
"""
ADDED = """\
from autograder.authoring import task


@task.hand(points=2, minutes=2, see="eq-squares-sum")
def area(a, b):
    return secret_area(a, b)


def secret_area(a, b):
    return a * b


@area.draw
def draw_sides(rng):
    return {"private sides": {"a": float(rng.integers(11, 49)), "b": float(rng.integers(51, 99))}}


@area.wrong("A product is asked.")
def added_instead_of_multiplying(a, b):
    return a + b
"""
ASKED = """
The area of a rectangle of sides {{ area.a }} and {{ area.b }}?

```{code-cell} ipython3
area = None  # your answer: a number
### BEGIN SOLUTION
area = {{ area.answer }}
### END SOLUTION
```

```{code-cell} ipython3
check("squares.area", area)
```
"""


@pytest.fixture
def course(sample_course):
    """The tiny course with a private folder beside it: one task replaced, one added."""
    public = sample_course.source(TOPIC) / "notebook.md"
    place = sample_course.root.parent / "private" / "solutions" / TOPIC
    place.mkdir(parents=True)
    (place / "replaced.py").write_text(REPLACED, "utf-8")
    (place / "added.py").write_text(ADDED, "utf-8")
    text = public.read_text("utf-8").replace("return np.sum(x**2)", "return 7 * np.sum(x**2)")
    head, mark, tail = text.partition("Why do squares never")
    (place / "notebook.md").write_text(head + ASKED.lstrip() + "\n" + mark + tail, "utf-8")
    with (sample_course.root / "course.toml").open("a", encoding="utf-8") as settings:
        settings.write('private = "../private"\n')
    return Course(sample_course.root)


def test_private_tasks_are_made_and_graded(course):
    with_known_secret(course)
    code, out, error = command.dimred(course.root, "regenerate", "--seed", "spring", "--answers", TOPIC)
    assert code == 0, error
    assert "5 tasks" in out
    solved = json.loads((course.paths.answers(TOPIC) / f"{TOPIC}.ipynb").read_text("utf-8"))
    hand_in_own(course, "ada", solved)
    public_answer = [cell for cell in solved["cells"] if "7 * np.sum" in "".join(cell["source"])]
    assert len(public_answer) == 1
    public_answer[0]["source"] = "".join(public_answer[0]["source"]).replace("7 * ", "")
    hand_in_own(course, "bob", solved)
    code, _, error = command.dimred(course.root, "grade", TOPIC)
    assert code == 0, error
    scores = {
        student: json.loads((course.paths.verdicts(TOPIC) / f"{student}.json").read_text("utf-8"))["score"]
        for student in ("ada", "bob")
    }
    assert scores == {"ada": 7.0, "bob": 5.0}


def test_private_answers_are_in_nothing_handed_out(course):
    give(course, "ada", seed="spring")
    place = distribute(course, TOPIC, "zips").place
    texts = []
    for path in place.glob("*.zip"):
        with zipfile.ZipFile(path) as packed:
            texts += [packed.read(name).decode() for name in packed.namelist()]
    assert len(texts) == 4
    for text in texts:
        assert "squares.area" in text or '"area"' in text
        assert "private_reference" not in text
        assert "7 *" not in text
        assert "secret_area" not in text


def test_the_public_seed_has_no_private_tasks(course, tmp_path):
    before = public_exercises(sample_without_private(course, tmp_path / "plain"))
    assert public_exercises(course) == before
    assert "area" not in load_tasks(course.published, TOPIC)
    assert practice_data(course, TOPIC, "by_hand", 2)
    with pytest.raises(KeyError):
        practice_data(course, TOPIC, "area", 2)


def sample_without_private(course, root):
    import shutil

    shutil.copytree(course.root, root)
    settings = root / "course.toml"
    settings.write_text(settings.read_text("utf-8").replace('private = "../private"\n', ""), "utf-8")
    return Course(root)


def public_exercises(course):
    code, _, error = command.dimred(course.root, "regenerate", TOPIC)
    assert code == 0, error
    return {path.name: path.read_bytes() for path in (course.exercises / TOPIC).iterdir()}


def test_own_variants_of_the_public_seed_are_refused(course):
    (course.root / "class.csv").write_text("id\nada\n", "utf-8")
    code, out, error = command.dimred(course.root, "regenerate", "--roster", "class.csv", TOPIC)
    assert (code, out) == (1, "")
    assert "private tasks, which are never made for the public seed: choose another with --seed" in error


@pytest.mark.parametrize("place", ["private", ".", "../course/book"])
def test_a_private_folder_inside_the_course_is_refused(sample_course, place):
    with (sample_course.root / "course.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'private = "{place}"\n')
    with pytest.raises(CourseError, match="private must be a folder outside the course"):
        load_tasks(Course(sample_course.root), TOPIC)


def test_a_missing_private_folder_is_one_line(sample_course):
    with (sample_course.root / "course.toml").open("a", encoding="utf-8") as settings:
        settings.write('private = "../nowhere"\n')
    code, out, error = command.dimred(sample_course.root, "regenerate", "--seed", "spring", TOPIC)
    assert (code, out, len(error.splitlines())) == (1, "", 1)
    assert "nowhere: create it" in error


def test_an_edited_private_task_makes_the_release_outdated(course):
    give(course, seed="spring")
    assert not sources_changed(course, TOPIC)
    path = course.private_source(TOPIC) / "added.py"
    path.write_text(path.read_text("utf-8") + "\n# mended\n", "utf-8")
    assert sources_changed(course, TOPIC)
