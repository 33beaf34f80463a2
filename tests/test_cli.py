"""The command line as an instructor uses it: one clear line for everything that can go wrong."""

import ast
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from autograder import cli
from autograder.book.serve import free_port
from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from tests import command
from tests.conftest import ROOT


def dimred(course, *arguments):
    """Run the command in a course's folder; returns (exit code, standard output, standard error)."""
    return command.dimred(course.root, *arguments)


def hand_in(course, student, text):
    path = course.paths.submission(student, "squares")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def solved(course, **answers):
    release = nbformat.reads(load_assignment(course, "squares").release, as_version=4)
    source = nbformat.read(course.classroom / "source" / "squares" / "squares.ipynb", as_version=4)
    return json.dumps(filled_in(release, source, answers))


def test_help_lists_every_verb():
    code, out, _ = command.program(ROOT, "--help")
    assert code == 0
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != "-"]
    verbs = cli._parser()._subparsers._group_actions[0].choices
    assert sorted(listed[1:]) == sorted(verbs)  # the first is the placeholder `verb`
    assert listed.index("roster") < listed.index("grade") < listed.index("regrade")  # as in a term
    assert max(map(len, out.splitlines())) < 90


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["regenerate", "circles"], "unknown topic 'circles'; the topics are squares"),
        (["grade"], "nothing to grade: collect notebooks into classroom/submitted/<student>/<topic>/"),
        (["report", "squares"], "run `dimred regenerate --seed … squares` first"),
        (["grade", "circles"], "unknown topic"),
        (["check", "missing.ipynb"], "missing.ipynb is not a file: give the path of the notebook to check"),
        (["check", "."], "is not a file: give the path of the notebook to check"),
        (["book", "--serve"], "dimred:"),
    ],
)
def test_a_wrong_call_is_one_line(sample_course, arguments, said):
    code, _, error = dimred(sample_course, *arguments)
    assert code == 1
    assert said in error
    assert "Traceback" not in error
    assert len(error.strip().splitlines()) == 1


def test_outside_a_course_it_says_so(tmp_path):
    code, _, error = command.program(tmp_path, "grade")
    assert (code, "is not inside a course" in error) == (1, True)


def test_grading_before_releasing_says_what_to_run(sample_course):
    hand_in(sample_course, "ada", "{}")
    code, _, error = dimred(sample_course, "grade")
    assert code == 1
    assert "run `dimred regenerate --seed … squares` first" in error


def test_a_missing_secret_key_says_what_to_run(classroom):
    hand_in(classroom, "ada", solved(classroom))
    (classroom.classroom / "keys" / "squares.secret.json").write_text("{")
    code, _, error = dimred(classroom, "grade")
    assert code == 1
    assert "squares.secret.json is damaged" in error.splitlines()[-1]


def test_a_class_is_graded_with_feedback_and_report(classroom):
    hand_in(classroom, "ada", solved(classroom))
    hand_in(classroom, "bob", solved(classroom, total="def NAME(x):\n    return x.sum()", by_hand=None))
    hand_in(classroom, "eve", "not a notebook")
    (classroom.classroom / "submitted" / "ada" / "circles").mkdir()
    code, out, error = dimred(classroom, "grade", "--verbose")
    assert code == 0, error
    assert "skipped ada/circles: this course has no such assignment" in error
    lines = {line.split()[1]: line for line in out.splitlines()}
    assert "; 8 points, 3 of them given by a person" in out
    assert "5.00" in lines["ada"]
    assert "2.50" in lines["bob"]
    assert "not a notebook (not JSON)" in lines["eve"]
    assert dimred(classroom, "feedback")[0] == 0
    assert dimred(classroom, "report")[0] == 0
    page = (classroom.classroom / "feedback" / "bob" / "squares" / "squares.html").read_text("utf-8")
    assert "Nothing was squared." in page
    assert "://" not in re.sub(r"http://127\.0\.0\.1:8000/(?:book|install)/", "", page)
    report = (classroom.classroom / "report" / "squares.html").read_text("utf-8")
    assert "forgot to square" in report
    assert "eve" in report


def test_grading_twice_gives_the_same_scores(classroom):
    hand_in(classroom, "bob", solved(classroom, total="def NAME(x):\n    return x.sum()"))
    first, second = (
        next(line for line in graded.splitlines() if "bob" in line)
        for _, graded, _ in (dimred(classroom, "grade", "--force", "--verbose") for _ in range(2))
    )
    assert "3.50" in first
    assert first == second


def test_new_numbers_under_graded_work_are_refused(classroom):
    hand_in(classroom, "ada", solved(classroom))
    assert dimred(classroom, "grade")[0] == 0
    code, _, error = dimred(classroom, "regenerate", "--seed", "two")
    assert code == 1
    assert "squares has 1 graded submissions with other numbers" in error


def test_an_empty_class_has_a_report_that_says_so(classroom):
    assert dimred(classroom, "report")[0] == 0
    assert "Nobody has handed in" in (classroom.classroom / "report" / "squares.html").read_text("utf-8")


def test_check_shows_what_a_student_would_see(classroom):
    folder = classroom.classroom / "release" / "squares"
    code, out, error = dimred(classroom, "check", folder / "squares.ipynb")
    assert code == 0, error
    assert "Not written yet" in out
    assert "0 of 5 points that a check can give" in out
    (folder / "squares.key.json").rename(folder / "lost")
    code, _, error = dimred(classroom, "check", folder / "squares.ipynb")
    assert code == 1
    assert "squares.key.json is missing: it belongs beside the notebook" in error


def test_a_notebook_is_checked_wherever_it_lies(classroom, tmp_path):
    alone = tmp_path / "downloads"
    shutil.copytree(classroom.classroom / "release" / "squares", alone)
    code, out, error = dimred(Course(alone), "check", "squares.ipynb")
    assert code == 0, error
    assert "0 of 5 points that a check can give" in out


def test_an_old_python_is_refused_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(cli.sys, "version_info", (3, 10, 0))
    assert cli.main(["grade"]) == 2
    assert "Python 3.11 or newer is needed" in capsys.readouterr().err


def test_a_taken_port_gives_way_to_the_next():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(port) > port


def test_serving_shows_the_book_and_the_report_and_stops_on_ctrl_c(classroom):
    built = classroom.root / "_build" / "html"
    built.mkdir(parents=True)
    (built / "index.html").write_text("the book")
    (classroom.classroom / "report").mkdir()
    (classroom.classroom / "report" / "squares.html").write_text("the report")
    code = (
        "from autograder.book.serve import serve_folders; from autograder.course.course import find_course; "
    )
    code += "serve_folders(find_course(), 8765, print)"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code], cwd=classroom.root, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            said = [server.stdout.readline() for _ in range(3)]
            address = said[0].split()[1]
            assert urllib.request.urlopen(address).read() == b"the book"
            assert urllib.request.urlopen(said[1].split()[1]).read() == b"the report"
            for outside in (
                "report/../course.secret",
                "report/%2e%2e/course.secret",
                "report/../../pyproject.toml",
            ):
                with pytest.raises(urllib.error.HTTPError):
                    urllib.request.urlopen(address + outside)
            time.sleep(0.1)
            os.kill(server.pid, 2)
            assert server.wait(10) == 0
            assert "stopped" in server.stdout.read()
        finally:
            server.kill()  # otherwise a failure would wait for it for ever


def test_the_demo_class_leaves_the_classroom_to_a_real_class(sample_course):
    """What a newcomer does: the demo first, then the README's next command."""
    code, out, error = dimred(sample_course, "demo")
    assert code == 0, error
    assert not sample_course.classroom.exists()
    assert (sample_course.root / "demo" / "report" / "squares.html").is_file()
    code, out, error = dimred(sample_course, "regenerate", "--seed", "spring-27")
    assert code == 0, error
    assert "the release of the class is in classroom/release/<topic>" in out
    assert not any(sample_course.classroom.glob("submitted/demo*"))


def with_a_topic_to_come(course):
    """Add a second topic to the course, which nobody has released."""
    shutil.copytree(course.root / "solutions" / "squares", course.root / "solutions" / "cubes")
    shutil.copy(course.root / "book" / "squares.md", course.root / "book" / "cubes.md")
    toc = course.root / "_toc.yml"
    toc.write_text(toc.read_text("utf-8") + "chapters:\n  - file: book/cubes\n", "utf-8")
    assert course.topics() == ["squares", "cubes"]


def test_in_mid_term_feedback_and_report_speak_of_what_was_released(classroom):
    with_a_topic_to_come(classroom)
    hand_in(classroom, "ada", solved(classroom))
    assert dimred(classroom, "grade")[0] == 0
    for verb in ("feedback", "report"):
        code, out, error = dimred(classroom, verb)
        assert code == 0, error
        assert "squares" in out
        assert error == "not released yet: cubes\n"
        code, _, error = dimred(classroom, verb, "cubes")
        assert code == 1
        assert "run `dimred regenerate --seed … cubes` first" in error


def test_regrading_after_a_task_was_edited_says_what_to_run(sample_course):
    assert dimred(sample_course, "regenerate", "--seed", "two")[0] == 0
    hand_in(sample_course, "ada", solved(sample_course))
    assert dimred(sample_course, "grade")[0] == 0
    code, out, error = dimred(sample_course, "regrade")
    assert (code, "edited since" in error) == (0, False)
    assert "nothing to examine again" in out
    tasks = sample_course.root / "solutions" / "squares" / "tasks.py"
    tasks.write_text(
        tasks.read_text("utf-8").replace("Nothing was squared.", "You squared nothing."), "utf-8"
    )
    _, _, error = dimred(sample_course, "regrade")
    assert "run `dimred regenerate --seed two squares` first" in error
    # a process reads a task once
    assert command.program(sample_course.root, "regenerate", "--seed", "two")[0] == 0
    _, out, error = dimred(sample_course, "regrade")
    assert "edited since" not in error
    assert "squares: 1 examined again, 0 scores change" in out


def test_a_class_list_of_a_platform_gives_the_gradebook_its_names(sample_course):
    from autograder.course.people import person
    from autograder.grading.gradebook_tables import open_gradebook
    from tests.course.test_roster import CANVAS

    (sample_course.root / "canvas.csv").write_text(CANVAS, "utf-8")
    code, out, error = dimred(sample_course, "roster", "canvas.csv")
    assert code == 0, error
    assert out == "2 students (1 in Monday, 1 in Tuesday), 0 with an extension\n"
    assert person(sample_course, "ada").section == "Monday"
    with open_gradebook(sample_course) as gradebook:
        found = gradebook.find_student("cb")
        assert (found.first_name, found.last_name) == ("Charles", "Babbage")


def test_a_class_list_says_who_has_another_name_in_folders(sample_course):
    (sample_course.root / "class.csv").write_text("id,first_name\nada,Ada\nb/1,Bob\n", "utf-8")
    code, out, error = dimred(sample_course, "roster", "class.csv")
    assert code == 0, error
    assert "student id 'b/1' cannot be a folder name: folders and gradebook use b%2F1" in out


def test_a_notebook_that_lies_where_nothing_is_graded_is_named(classroom):
    path = classroom.paths.submission("ada", "squares")
    path.parent.parent.mkdir(parents=True)
    path.parent.with_suffix(".ipynb").write_text(solved(classroom), "utf-8")
    code, _, error = dimred(classroom, "grade")
    assert code == 1
    assert "skipped ada/squares.ipynb: it belongs into <student>/<topic>/<topic>.ipynb" in error
    assert "nothing to grade" in error
    hand_in(classroom, "bob", solved(classroom))
    code, out, error = dimred(classroom, "grade")
    assert (code, "1 submissions: 1 graded" in out, "skipped ada/squares.ipynb" in error) == (0, True, True)


def test_closed_pipe_ends_a_command_without_traceback():
    """As with `dimred audit pca | head`."""
    command = f'"{sys.executable}" -m autograder doctor | head -n 1'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert len(done.stdout.splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


COMMAND = re.compile(r"\bdimred (?:[a-z-]+\b)")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def texts_of(path):
    """The texts in a module, without docstrings, which are for developers."""
    tree = ast.parse(path.read_text("utf-8"))
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and node.body]
    docstrings = {id(node.value) for node in first if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [node.value for node in constants if isinstance(node.value, str) and id(node) not in docstrings]


def test_a_message_names_the_command_as_it_was_called():
    """The engine knows no course: `program_name()` says what its user typed."""
    modules = sorted((ROOT / "autograder").rglob("*.py"))
    found = {(path.name, text) for path in modules for text in texts_of(path) if COMMAND.search(text)}
    pages = [*(ROOT / "autograder").rglob("*.html"), *(ROOT / "autograder").rglob("*.*js")]
    found |= {(path.name, "dimred") for path in pages if COMMAND.search(path.read_text("utf-8"))}
    assert found == set()


def test_a_package_that_is_not_installed_is_named_in_one_line():
    """The distribution without its extras has the command, but not all that it imports."""
    program = "import sys; sys.modules['yaml'] = None; sys.argv[1:] = ['doctor']\n"
    program += "from autograder.__main__ import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the package yaml is not installed here: python -m pip install" in done.stderr
    assert len(done.stderr.splitlines()) == 1
