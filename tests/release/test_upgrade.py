"""Another version of the course that an overlay is based on: what changes for whom, and one number."""

import json

import pytest

from autograder.course.course import find_course
from autograder.course.files import write_text
from autograder.release import upgrade
from tests import command
from tests.course.installed_course import NAME, install, overlay, pack
from tests.grading.small_class import hand_in

NEW_TASK = """

@task.hand(points=2, minutes=3, see="eq-squares-sum")
def side(area):
    return float(area**0.5)


@side.draw
def draw_area(rng):
    return {"the printed number": {"area": float(rng.integers(2, 9)) ** 2}}


@side.wrong("Half is no root.")
def halved_the_area(area):
    return area / 2
"""

OWN_PAGE = """# Squares of mine

$$
s = x^2
$$ (eq-squares-sum)

$$
(a + b)^2
$$ (eq-squares-binomial)
"""
OWN_TEXT = """## Formula

Mine.

```{code-cell} ipython3
binomial = None  # your answer: a formula in a and b
### BEGIN SOLUTION
binomial = "(a + b)**2"
### END SOLUTION
```

```{code-cell} ipython3
check("squares.binomial", binomial)
```
"""


def edit(folder, name, old, new):
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text, old
    write_text(path, text.replace(old, new))


def next_version(site):
    """Install a version that differs in points, a hint, a mistake, a task, a page, a section and a setting."""
    folder = install(site, "0.2.0")
    tasks = "solutions/squares/tasks.py"
    edit(folder, tasks, "@task.code(points=2,", "@task.code(points=4,")
    edit(folder, tasks, "Nothing was squared.", "You squared nothing.")
    edit(folder, tasks, '@cubes.wrong("One power too few.")\ndef squared_only(X):\n    return X**2\n', "")
    with (folder / tasks).open("a", encoding="utf-8") as file:
        file.write(NEW_TASK)
    edit(folder, "solutions/squares/notebook.md", "## Formula", "How many?\n\n## Formula")
    edit(folder, "solutions/squares/notebook.md", "Expand $", "Please expand $")
    edit(folder, "book/squares.md", "# Squares", "# Squares of numbers")
    edit(folder, "course.toml", "8000", "9000")
    publish(folder, total=[1.0, 2.0], by_hand=[3.0])
    return folder


def publish(folder, **inputs):
    """Write the public exercises of a version, as far as they are compared."""
    tasks = {name: {"cases": [{"inputs": {"x": numbers}}]} for name, numbers in inputs.items()}
    write_text(folder / "exercises" / "squares" / "squares.key.json", json.dumps({"tasks": tasks}))


@pytest.fixture
def wheels(tmp_path):
    """The folder of wheels in which the next version lies."""
    elsewhere = tmp_path / "elsewhere"
    next_version(elsewhere)
    return pack(elsewhere, tmp_path / "wheels").parent


@pytest.fixture
def home(tmp_path, monkeypatch):
    site = tmp_path / "packages"
    publish(install(site), total=[1.0, 2.0], by_hand=[4.0])
    monkeypatch.syspath_prepend(str(site))
    changes = {
        "solutions/squares/notebook.changes.md": OWN_TEXT,
        "book/squares.md": OWN_PAGE,
    }
    return overlay(tmp_path / "my term", **changes)


def files_of(home):
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_dry_run_says_what_changes_and_writes_nothing(home, wheels):
    course = find_course(home)
    publish(course.root, total=[7.0])  # the exercises of another seed
    before = files_of(home)
    code, out, error = command.dimred(home, "upgrade", "0.2.0", "--dry-run", "--wheels", wheels)
    assert code == 0, error
    lines = [line.strip() for line in out.splitlines()]
    assert lines[0] == f"{NAME}==0.1.0 → {NAME}==0.2.0"
    assert "squares: for nobody yet: it is not released" in lines
    assert "side is a new task of 2 points" in lines
    assert "total: 2 points become 4" in lines
    assert "total: hints in other words: forgot_to_square" in lines
    assert "cubes: mistakes no longer known: squared_only" in lines
    assert "by_hand: its numbers are drawn in another way" in lines
    assert "total: its program differs, its numbers do not" in lines
    assert "cubes: its program differs" in lines
    assert "the text of the exercise differs" in lines
    assert "the setting book_url: 'http://127.0.0.1:8000' becomes 'http://127.0.0.1:9000'" in lines
    changed = "of the base, which has changed: compare both"
    assert f"!! book/squares.md replaces the file {changed}" in lines
    assert f"!! solutions/squares/notebook.changes.md replaces 'Formula (1 point)' {changed}" in lines
    assert not any("pages that differ" in line for line in lines)  # the page is the overlay's own
    assert lines[-1].startswith("nothing was written: ")
    assert files_of(home) == before


def test_without_the_dry_run_the_number_is_changed(home, wheels, tmp_path, monkeypatch):
    installed = []

    def into_this_environment(requirements, source, *options):
        if "--target" in options:
            return really(requirements, source, *options)
        installed.extend(requirements)
        next_version(tmp_path / "packages")

    really = upgrade.install
    monkeypatch.setattr(upgrade, "install", into_this_environment)
    find_course(home)
    code, out, error = command.dimred(home, "upgrade", "0.2.0", "--wheels", wheels)
    assert code == 0, error
    assert installed == [f"{NAME}==0.2.0"]
    text = (home / "course.toml").read_text("utf-8")
    assert text == f'base = "{NAME}==0.2.0"\npublic_seed = "mine"\n'
    assert "9000" in find_course(home).settings["book_url"]
    code, out, _ = command.dimred(home, "upgrade", "--dry-run")
    assert out.startswith(f"{NAME}==0.2.0 is in use already\nnothing changes in this course\n")


def test_a_number_changed_by_hand_is_compared_with_what_was_in_use(home, tmp_path):
    find_course(home)
    next_version(tmp_path / "packages")  # and the first version is gone
    edit(home, "course.toml", "0.1.0", "0.2.0")
    code, out, error = command.dimred(home, "upgrade", "--dry-run")
    assert code == 0, error
    assert "total: 2 points become 4" in out


def test_a_class_that_has_the_exercises_is_named(home, wheels):
    code, _, error = command.dimred(home, "regenerate", "--seed", "spring")
    assert code == 0, error
    course = find_course(home)
    assert upgrade.describe_audience(course, "squares").startswith(
        "released for the class and not handed out"
    )
    code, _, error = command.dimred(home, "distribute")
    assert code == 0, error
    hand_in(course, "ada")
    told = upgrade.describe_audience(course, "squares")
    assert told.startswith("the class has it, 1 handed in, 0 graded: exercises and keys stay")


@pytest.mark.parametrize(
    ("version", "words"), [("0.3.0", "squares-course==0.3.0 cannot be installed"), ("x y", "base must be")]
)
def test_a_version_that_is_not_there_is_one_line(home, wheels, version, words):
    code, _, error = command.dimred(home, "upgrade", version, "--dry-run", "--wheels", wheels)
    assert code
    assert words in error
    assert len(error.splitlines()) == 1


def test_a_folder_without_a_base_is_one_line(tmp_path):
    code, _, error = command.dimred(tmp_path, "upgrade")
    assert code
    assert "is not inside an overlay" in error
