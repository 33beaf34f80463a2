"""An overlay: an installed course, and the differences that an instructor keeps in a folder of their own."""

import json

import pytest

from autograder.authoring.topic import load_tasks, read_notebook_text, task_modules
from autograder.course.course import find_course
from autograder.course.faults import find_remarks
from autograder.course.files import write_text
from autograder.course.overlay import MERGED_FOLDER, base_of, find_base, merge, read_merge_record
from autograder.doctor import COURSE
from autograder.errors import CourseError
from autograder.grading.student_packages import packages_to_hide
from autograder.release.freshness import sources_digest
from autograder.release.skeleton import write_task, write_topic
from tests import command
from tests.course.installed_course import NAME, install, overlay
from tests.grading.small_class import hand_in

OWN_MISTAKE = """
import numpy as np
from solutions.squares.tasks import total

@total.wrong("That is their mean.")
def took_the_mean(x):
    return float(np.mean(x**2))
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "packages"
    install(folder)
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def home(tmp_path, site):
    return overlay(tmp_path / "my term (ä)")


def test_without_differences_it_is_the_base_with_a_classroom_of_its_own(home, site):
    course = find_course(home)
    assert course.topics() == ["squares"]
    assert course.public_seed == "mine"
    assert course.root == home / MERGED_FOLDER
    assert course.classroom == home / "classroom"
    assert course.exchange == home / "exchange"
    assert course.demo.classroom == home / "demo"
    assert course.short(course.exercises) == f"{MERGED_FOLDER}/exercises"
    assert sorted(path.name for path in home.iterdir()) == [MERGED_FOLDER, "course.toml"]
    base = site / "squares_course"
    for path in base.rglob("*.md"):
        assert (course.root / path.relative_to(base)).read_bytes() == path.read_bytes()


def test_settings_of_the_base_hold_where_the_overlay_says_nothing(home):
    text = (home / "course.toml").read_text("utf-8")
    assert find_course(home).settings["book_url"] == "http://127.0.0.1:8000"
    write_text(home / "course.toml", text + 'book_url = "https://example.org/x"\n')
    assert find_course(home).settings["book_url"] == "https://example.org/x"


def test_points_are_those_of_the_overlay(home):
    before = sources_digest(find_course(home), "squares")
    with (home / "course.toml").open("a", encoding="utf-8") as file:
        file.write('[points]\n"squares.total" = 7\n')
    course = find_course(home)
    assert load_tasks(course, "squares")["total"].points == 7
    assert load_tasks(course, "squares")["total"] is load_tasks(course, "squares")["total"]  # caches go by it
    assert sources_digest(course, "squares") != before


def test_points_of_an_unknown_task_are_one_line(home):
    with (home / "course.toml").open("a", encoding="utf-8") as file:
        file.write('[points]\n"squares.sums" = 7\n')
    code, _, error = command.dimred(home, "bank")
    assert code
    assert "points names squares.sums, which is not a task of squares" in error


def test_a_mistake_of_ones_own_joins_the_task_of_the_base(home):
    earlier = [mistake.name for mistake in load_tasks(find_course(home), "squares")["total"].misconceptions]
    write_text(home / "solutions" / "squares" / "a_module_before_tasks.py", OWN_MISTAKE)
    course = find_course(home)
    names = [mistake.name for mistake in load_tasks(course, "squares")["total"].misconceptions]
    assert names == [*earlier, "took_the_mean"]
    modules = [path.name for path in task_modules(course, "squares")["total"]]
    assert modules == ["tasks.py", "a_module_before_tasks.py"]
    assert [path.name for path in task_modules(course, "squares")["cubes"]] == ["tasks.py"]


def test_texts_are_replaced_section_by_section(home):
    write_text(home / "book" / "squares.changes.md", "## Our room\n\nRoom 5.\n")
    write_text(home / "solutions" / "squares" / "notebook.changes.md", "## Formula (1 point)\n\nWords.\n")
    course = find_course(home)
    assert (course.book / "squares.md").read_text("utf-8").endswith("## Our room\n\nRoom 5.\n")
    assert "Words." in read_notebook_text(course, "squares")
    assert "Expand $" not in read_notebook_text(course, "squares")


def test_a_skeleton_is_written_into_the_overlay(home):
    course = find_course(home)
    files = [*write_task(course, "squares", "first_try", "code"), *write_topic(course, "circles")]
    assert all(path.is_relative_to(home) for path in files)
    assert not any(path.is_relative_to(course.root) for path in files)
    course = find_course(home)
    assert course.topics() == ["squares", "circles"]
    assert list(load_tasks(course, "squares")) == ["total", "cubes", "by_hand", "binomial", "first_try"]
    assert list(load_tasks(course, "circles")) == ["spread"]


def test_what_is_taken_out_of_the_overlay_gives_place_to_the_base(home):
    path = home / "book" / "squares.md"
    write_text(path, "# Mine\n")
    course = find_course(home)
    assert (course.book / "squares.md").read_text("utf-8") == "# Mine\n"
    path.unlink()
    write_text(home / "book" / "more.md", "# More\n")
    find_course(home)
    assert (course.book / "squares.md").read_text("utf-8").startswith("# Squares")
    (home / "book" / "more.md").unlink()
    find_course(home)
    assert not (course.book / "more.md").exists()


def test_what_commands_have_made_stays(home):
    course = find_course(home)
    made = course.exercises / "squares" / "squares.ipynb"
    write_text(made, "{}")
    write_text(home / "book" / "more.md", "# More\n")
    find_course(home)
    assert made.read_text("utf-8") == "{}"


def test_what_was_removed_by_hand_is_laid_there_again(home):
    course = find_course(home)
    (course.book / "squares.md").unlink()
    assert (find_course(home).book / "squares.md").is_file()


def test_a_text_of_another_encoding_is_one_line(home):
    (home / "book").mkdir()
    (home / "book" / "squares.changes.md").write_bytes(b"## \xfc\n")
    with pytest.raises(CourseError, match=r"^book/squares\.changes\.md is not UTF-8 text"):
        merge(home)


def test_nothing_is_written_where_nothing_has_changed(home):
    folder = merge(home)
    record = folder / "merged.json"
    before = record.stat().st_mtime_ns
    merge(home)
    assert record.stat().st_mtime_ns == before


def test_students_programs_see_neither_base_nor_overlay(home):
    assert "squares_course" in packages_to_hide(find_course(home))


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("squares-course", "base must be a course and its version"),
        (f"{NAME}==0.2.0", "names the course squares-course 0.2.0, and 0.1.0 is installed"),
        ("no-such-course==1.0", r'not installed: python -m pip install "no-such-course==1.0"'),
        ("numpy==0", "names the course numpy 0, and"),
    ],
)
def test_a_base_that_is_not_there_is_one_line(home, base, words):
    write_text(home / "course.toml", f'base = "{base}"\n')
    code, _, error = command.dimred(home, "bank")
    assert code
    assert len(error.splitlines()) == 1
    with pytest.raises(CourseError, match=words):
        find_base(base)


def test_a_course_that_is_no_overlay_says_itself_what_is_wrong_in_its_settings(home, tmp_path):
    write_text(tmp_path / "course.toml", '# base = ""\n[[[')
    assert base_of(tmp_path) == ""
    write_text(home / "course.toml", 'base = "x"\n[[[')
    with pytest.raises(CourseError, match=r"^course\.toml cannot be read"):
        base_of(home)


def test_a_package_without_a_course_is_no_base():
    from importlib.metadata import version

    with pytest.raises(CourseError, match="holds no course"):
        find_base(f"numpy=={version('numpy')}")


def test_differences_to_a_page_that_the_base_does_not_have_are_one_line(home):
    write_text(home / "book" / "circles.changes.md", "# A\n\nx\n")
    code, _, error = command.dimred(home, "bank")
    assert code
    assert (
        "book/circles.changes.md changes book/circles.md, which squares-course 0.1.0 does not have" in error
    )


def test_the_record_names_what_was_replaced(home):
    write_text(home / "_config.changes.yml", "title: Mine\n")
    with pytest.raises(CourseError, match=r"changes _config\.yml"):
        merge(home)
    (home / "_config.changes.yml").unlink()
    write_text(home / "solutions" / "squares" / "notebook.changes.md", "## Formula (1 point)\n\nWords.\n")
    (difference,) = read_merge_record(merge(home))["differences"].values()
    assert list(difference["replaces"]) == ["Formula (1 point)"]


def test_doctor_names_the_base_and_counts_the_differences(home):
    write_text(home / "book" / "squares.changes.md", "## Our room\n\nRoom 5.\n")
    course = find_course(home)
    said = f"the course is {NAME}==0.1.0, with 1 files of your own"
    assert said in [finding.what for look in COURSE for finding in look(course)]


def test_chapters_that_an_overlay_leaves_out_are_no_remark(home):
    write_text(home / "book" / "reading.md", "# Reading\n")
    write_text(home / "_toc.yml", "format: jb-book\nroot: book/reading\n")
    assert list(find_remarks(find_course(home))) == []
    write_text(home / "solutions" / "squares" / "more.md", "")
    assert len(list(find_remarks(find_course(home)))) == 1


def test_an_overlay_is_written_by_new(tmp_path, site):
    code, out, error = command.dimred(tmp_path, "new", "overlay", "spring", "--base", NAME)
    assert code == 0, error
    assert "written: spring/course.toml" in out
    assert find_course(tmp_path / "spring").topics() == ["squares"]
    code, _, error = command.dimred(tmp_path, "new", "overlay", "autumn", "--base", "nothing")
    assert code
    assert f"--base must name one installed course; installed: {NAME}==0.1.0" in error


def test_what_a_class_invents_is_written_into_the_overlay(home, site, monkeypatch):
    """The module of the base's task stays as it is; the mistake gets a module of its own. Points are the overlay's."""
    with (home / "course.toml").open("a", encoding="utf-8") as file:
        file.write('[points]\n"squares.total" = 7\n')
    for arguments in (["regenerate", "--seed", "spring"], ["grade"]):
        code, _, error = command.dimred(home, *arguments)
        assert code == 0, error
        course = find_course(home)
        for student in ("ada", "bob") if arguments[0] == "regenerate" else ():
            hand_in(course, student, total="def NAME(x):\n    return float(np.sum(x**4)) + 7")
    before = (course.source("squares") / "tasks.py").read_bytes()
    words = ["--name", "took_the_fourth_power", "--hint", "How often may one square?"]
    monkeypatch.setenv("PYTHONPATH", str(site))  # a process of its own has one course only
    code, out, error = command.program(home, "adopt", "squares.total:1", *words)
    assert code == 0, error
    assert "solutions/squares/own_mistakes.py" in out
    folder = home / "solutions" / "squares"
    assert sorted(path.name for path in folder.rglob("*.*")) == [
        "own_mistakes.py",
        "took_the_fourth_power.py.txt",
    ]
    text = (folder / "own_mistakes.py").read_text("utf-8")
    assert "from solutions.squares.tasks import total" in text
    assert 'took_the_fourth_power = adopted("took_the_fourth_power", __file__)' in text
    assert (course.source("squares") / "tasks.py").read_bytes() == before
    certificate = json.loads(course.paths.certificate("squares").read_text("utf-8"))
    assert certificate["tasks"]["total"]["misconceptions recognised"][-1] == "took_the_fourth_power"
    notebook = json.loads((course.paths.release("squares") / "squares.ipynb").read_text("utf-8"))
    texts = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert any("## Sum (8 points)" in text for text in texts)  # with cubes, one point
    key = json.loads((course.paths.release("squares") / "squares.key.json").read_text("utf-8"))
    assert key["tasks"]["total"]["points"] == 7
