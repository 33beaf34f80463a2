"""A course whose parts do not fit together is told so in one line, before anything is made."""

import shutil

import pytest

from autograder.book.build import build_book
from autograder.book.labels import labels
from autograder.cli import main
from autograder.course.contents import book_settings
from autograder.course.course import Course
from autograder.course.faults import find_faults, find_remarks
from autograder.errors import BookError
from autograder.release.course_skeleton import write_course
from tests import command


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults") / "a course"
    folder.mkdir()
    write_course(folder / "stats")
    return folder / "stats"


@pytest.fixture
def course(written, tmp_path, monkeypatch):
    root = tmp_path / "my course" / "stats"
    shutil.copytree(written, root)
    monkeypatch.chdir(root)
    return Course(root)


def edit(course, name, old, new):
    path = course.root / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def without_library(course):
    shutil.rmtree(course.root / "stats_ref")


def importing_library(course):
    edit(course, "stats_ref/lists.py", "import numpy", "import autograder\nimport numpy")


def two_pages(course):
    (course.book / "more").mkdir()
    shutil.copy(course.book / "lists.md", course.book / "more")
    edit(course, "_toc.yml", "  - file: book/lists", "  - file: book/lists\n  - file: book/more/lists")


def page_elsewhere(course):
    (course.book / "lists.md").rename(course.root / "lists.md")
    edit(course, "_toc.yml", "book/lists", "lists")


def no_page(course):
    (course.book / "lists.md").unlink()


FAULTS = {
    without_library: "course.toml: there is no package 'stats_ref': write stats_ref/__init__.py, or set library",
    importing_library: "stats_ref/lists.py imports autograder: a reference works without the engine",
    two_pages: "_toc.yml names two pages for the exercises in solutions/lists: book/lists and book/more/lists",
    page_elsewhere: "_toc.yml names lists: pages with exercises lie in book/",
    no_page: "_toc.yml names book/lists, and there is no book/lists.md",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_nothing_is_written(course, capsys, fault):
    assert list(find_faults(course)) == []
    fault(course)
    before = sorted(course.root.rglob("*"))
    assert main(["regenerate"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"dimred: {FAULTS[fault]}")
    with pytest.raises(BookError, match="^" + FAULTS[fault].partition(":")[0]):
        build_book(course.root)
    assert [path for path in sorted(course.root.rglob("*")) if path.suffix != ".pyc"] == before


def tasks_without_page(course):
    edit(course, "_toc.yml", "chapters:\n  - file: book/lists\n", "")


def tasks_without_text(course):
    (course.source("lists") / "notebook.md").unlink()


REMARKS = {
    tasks_without_page: "solutions/lists has exercises, and _toc.yml names no page for them: add the line",
    tasks_without_text: "solutions/lists has tasks and no text: write solutions/lists/notebook.md",
}


@pytest.mark.parametrize("remark", REMARKS)
def test_exercises_that_nothing_leads_to_are_named(course, capsys, remark):
    remark(course)
    assert [text.startswith(REMARKS[remark]) for text in find_remarks(course)] == [True]
    assert main(["regenerate"]) == 1
    assert capsys.readouterr().err.startswith(f"dimred: {REMARKS[remark]}")


@pytest.mark.parametrize("name", ["_config.yml", "_toc.yml"])
def test_a_file_of_jupyter_book_that_is_no_yaml_is_one_line(course, capsys, name):
    (course.root / name).write_text("sphinx: [", "utf-8")
    for verb in ("regenerate", "book"):
        assert main([verb]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"dimred: {name} cannot be read: ")


def test_tables_of_a_configuration_may_be_empty(course):
    (course.root / "_config.yml").write_text("sphinx:\nexecute:\n", "utf-8")
    assert book_settings(course.root, "sphinx", "config") == {}
    assert labels(course.book)


def test_a_page_without_exercises_is_a_page(course):
    (course.book / "reading.md").write_text("# Reading\n", "utf-8")
    edit(course, "_toc.yml", "  - file: book/lists", "  - file: book/lists\n  - file: book/reading")
    assert [*find_faults(course), *find_remarks(course)] == []


def test_modules_that_import_each_other_are_named(course):
    for name, there in (("spread", "farthest"), ("farthest", "spread")):
        module = f"solutions/lists/{name}.py"
        edit(course, module, "import numpy", f"from solutions.lists.{there} import {there}\nimport numpy")
    code, _, error = command.program(course.root, "regenerate")
    assert code == 1
    assert error.splitlines() == [
        "dimred: solutions/lists/farthest.py cannot be imported: solutions/lists/farthest.py imports "
        "solutions/lists/spread.py imports solutions/lists/farthest.py; move what they share into a module of its own"
    ]


def test_another_version_of_the_engine_is_refused(course, capsys):
    edit(course, "course.toml", 'engine = "0.1"', 'engine = "0.7"')
    assert main(["regenerate"]) == 1
    assert capsys.readouterr().err.startswith(
        "dimred: course.toml asks for coursewright 0.7, and this is 0.1.0: "
    )
    assert main(["doctor"]) == 1
    assert "!!  course.toml asks for coursewright 0.7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "told"),
    [("Two Words", "a course is named by small letters"), (".", "stats is there already: name a new folder")],
)
def test_a_new_course_writes_over_nothing(course, capsys, name, told):
    before = sorted(course.root.rglob("*"))
    assert main(["new", "course", name]) == 1
    assert told in capsys.readouterr().err
    assert sorted(course.root.rglob("*")) == before


def test_a_new_course_may_be_written_into_a_new_repository(tmp_path, monkeypatch, capsys):
    root = tmp_path / "stats"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    assert main(["new", "course", "."]) == 0
    assert "written: course.toml" in capsys.readouterr().out
    assert Course(root).topics() == ["lists"]
    assert sorted(path.name for path in root.glob(".*")) == [".git", ".github", ".gitignore"]
