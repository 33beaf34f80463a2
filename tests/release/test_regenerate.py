"""`dimred regenerate` for a class and for each student: certified first, then written, or one clear line."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from autograder.authoring.topic import load_tasks
from autograder.errors import CourseError
from autograder.release import regenerate
from autograder.release import workers as variant_workers
from autograder.release.regenerate import ReleaseRequest
from autograder.release.variant import make_variant
from autograder.release.workers import silent_libraries
from tests import command
from tests.grading.own_variants import everything, give, hands, students
from tests.release.test_variant import edit

TOPIC = "squares"


def dimred(course, *arguments):
    """Run the command; returns (exit code, standard output, standard error)."""
    return command.dimred(course.root, "regenerate", *arguments)


def written(course):
    """Everything below the course but the class list and the text of the exercise."""
    room = everything(course) if course.classroom.exists() else {}
    for name in ("course.secret", ".gitignore"):
        room.pop(name, None)
    return {
        **room,
        **{str(path): path.read_bytes() for path in course.exercises.rglob("*") if path.is_file()},
    }


def without_progress(error):
    """The lines on standard error but those that say how far the command is."""
    return [line for line in error.splitlines() if not line.startswith("trying mistakes: ")]


def class_list(course, text="id\nada\nbob\n"):
    path = course.root / "class.csv"
    path.write_text(text, "utf-8")
    return path


NEVER = (
    "if abs(np.sum(x)) < 0.1",
    "if True",
    r"squares.total: no draw in 200 tries .* is ill-posed: the entries",
)
RAISES = (
    "return float(np.sum(x**2))",
    "return 1 / 0",
    r"squares.total: its draw or its reference raised ZeroDi",
)
ODD_RULE = (
    "if abs(np.sum(x)) < 0.1",
    "if 1 / 0",
    r"squares.total: one of its programs or its test .* raised ZeroDi",
)
BROKEN = (
    "import numpy as np",
    "import numpy_ as np",
    r"squares/tasks.py cannot be imported: ModuleNotFoundError",
)
TWINS = (
    "return float(np.sum(x))",
    "return float(np.sum(x) ** 2)",
    r"'forgot_to_square' is taken for 'squared_the",
)


@pytest.mark.parametrize(("old", "new", "said"), [NEVER, RAISES, ODD_RULE, BROKEN, TWINS])
def test_a_task_that_cannot_be_certified_is_one_line_and_nothing_is_written(sample_course, old, new, said):
    edit(sample_course.root / "solutions" / TOPIC / "tasks.py", old, new)
    code, out, error = dimred(sample_course, "--roster", class_list(sample_course))
    assert (code, out) == (1, "")
    (line,) = without_progress(error)
    assert re.match(f"dimred: .*{said}", line)
    assert written(sample_course) == {}


def test_a_placeholder_without_a_number_is_one_line_and_nothing_is_written(sample_course):
    edit(sample_course.root / "solutions" / TOPIC / "notebook.md", "{{ by_hand.u }}", "{{ by_hand.v }}")
    code, _, error = dimred(sample_course, "--roster", class_list(sample_course))
    assert code == 1
    assert without_progress(error) == ["dimred: {{ by_hand.v }} has no number; task by_hand has u, answer"]
    assert written(sample_course) == {}


NO_ID = (
    "class.csv has no column 'id'; its first line is 'name,email'. Canvas, Moodle, Blackboard and "
    "Brightspace are recognised by theirs; --id-column names another"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\nada\nada\n", "class.csv, line 3: the id 'ada' is also on line 2: give everyone one line"),
        ("id,email\n,a@x\n", "class.csv, line 2: the id is empty"),
        ("name,email\nAda,a@x\n", NO_ID),
        ("id\n", "class.csv names no students"),
    ],
)
def test_a_bad_roster_is_one_line_and_nothing_is_written(sample_course, text, said):
    code, out, error = dimred(sample_course, "--roster", class_list(sample_course, text))
    assert (code, out, error) == (1, "", f"dimred: {said}\n")
    assert not sample_course.classroom.exists()


class FailsAt:
    """VariantWorkers who cannot certify one of the variants."""

    def __init__(self, variant_workers, number):
        self.variant_workers, self.number = variant_workers, number

    def make(self, orders):
        for done, made in enumerate(self.variant_workers.make(orders), start=1):
            if done == self.number:
                raise CourseError("squares.total: no draw in 200 tries could be certified")
            yield made


def test_one_student_who_cannot_be_served_leaves_everything_as_it_was(sample_course):
    give(sample_course, "ada", "bob")
    before = everything(sample_course)
    request = ReleaseRequest("one", students("ada", "bob", "cyd"), answers=True)
    failing = FailsAt(hands(sample_course), 4)
    with pytest.raises(CourseError, match="no draw in 200 tries"):
        regenerate.regenerate(sample_course, TOPIC, request, failing, lambda: None)
    assert everything(sample_course) == before


def test_a_release_that_nbgrader_refuses_leaves_everything_as_it_was(sample_course, monkeypatch):
    give(sample_course, "ada")
    before = everything(sample_course)

    def refuse(*_):
        raise CourseError("nbgrader could not release squares")

    monkeypatch.setattr("autograder.grading.nbgrader_release.release_assignment", refuse)
    with pytest.raises(CourseError, match="could not release"):
        give(sample_course, "ada", seed="two")
    assert everything(sample_course) == before


def test_answers_are_solved_run_and_only_on_the_instructors_side(sample_course):
    roster = class_list(sample_course, "id\na/b\n")
    code, out, error = dimred(sample_course, "--roster", roster, "--answers")
    assert code == 0, error
    assert (
        "solved notebooks, for you only, are in classroom/answers/<topic> and classroom/answers_for/" in out
    )
    assert "student id 'a/b' cannot be a folder name: folders and gradebook use a%2Fb" in out
    assert "making squares: 2 of 2 variants, " in error
    for folder in ("answers/squares", "answers_for/a%2Fb/squares"):
        text = (sample_course.classroom / folder / "squares.ipynb").read_text("utf-8")
        assert "SOLUTION" not in text
        cells = json.loads(text)["cells"]
        checks = [cell for cell in cells if "".join(cell["source"]).startswith("check(")]
        points = [check["outputs"][-1]["data"]["text/plain"] for check in checks]
        assert [float("".join(one)) for one in points] == [2.0, 1.0, 1.0, 1.0]
    for path in (*sample_course.exercises.rglob("*"), *(sample_course.classroom / "release_for").rglob("*")):
        assert not path.is_file() or "np.sum(x**2)" not in path.read_text("utf-8")
    before = everything(sample_course)
    assert dimred(sample_course, "--roster", roster)[0] == 0
    after = everything(sample_course)
    del after["keys/squares.digests.json"]  # knows whether there are solved notebooks
    assert {path for path in before if path not in after} == {
        path for path in before if "answers" in path or "digests" in path
    }
    changed = {path for path in after if after[path] != before[path]}
    who_did_what = {"audit/.class.jsonl", "keys/.class.audit.json"}
    assert changed == who_did_what, "the same seed gives the same bytes"


def test_refused_draws_are_counted_and_named_on_request(sample_course):
    edit(
        sample_course.root / "solutions" / TOPIC / "tasks.py",
        "return float(np.sum(x))",
        "return float(np.sum(x) ** 2 if x[0] < 4 else np.sum(x))",
    )
    seed = next(word for word in map(str, range(50)) if _refusals(sample_course, word))
    code, out, error = dimred(sample_course, "--seed", seed)
    assert code == 0, error
    assert "; 1 draws refused" in out
    assert "drawn again" not in out
    code, out, error = dimred(sample_course, "--seed", seed, "--force", "--verbose")
    assert code == 0, error
    assert "drawn again (1): squares.total: the misconception 'forgot_to_square' is taken for 'squared" in out


def _refusals(course, seed):
    from autograder.release.draw import draw_task

    root = variant_workers.VariantJob(TOPIC, seed).origin(course, course.secret()).root
    refused = draw_task("squares.total", load_tasks(course, TOPIC)["total"], root, course.secret()).refused
    return len(refused) == 1 and "taken for" in refused[0]


def test_workers_make_what_one_makes_alone(sample_course):
    orders = [variant_workers.VariantJob(TOPIC, f"seed {number}", str(number)) for number in range(5)]
    with variant_workers.variant_workers(sample_course, len(orders), 2) as pool:
        together = dict(pool.make(orders))
    alone = make_variant(sample_course, TOPIC, "seed 3", sample_course.secret())
    assert together[orders[3]].student == alone.student_files()
    assert together[orders[3]].secret == alone.files().secret
    assert len({made.secret for made in together.values()}) == 5


def test_an_error_of_a_worker_is_the_same_one_line(sample_course):
    edit(sample_course.root / "solutions" / TOPIC / "tasks.py", NEVER[0], NEVER[1])
    orders = [variant_workers.VariantJob(TOPIC, f"seed {number}") for number in range(4)]
    with (
        variant_workers.variant_workers(sample_course, 4, 2) as pool,
        pytest.raises(CourseError, match="no draw in 200 tries"),
    ):
        list(pool.make(orders))


def test_ctrl_c_leaves_everything_as_it_was(sample_course):
    give(sample_course, "ada", answers=False)
    before = everything(sample_course)
    names = "".join(f"s{number}\n" for number in range(300))
    started = [sys.executable, "-m", "autograder.cli", "regenerate", "--seed", "two", "--roster"]
    making = subprocess.Popen(
        [*started, class_list(sample_course, f"id\n{names}")],
        cwd=sample_course.root,
        stderr=subprocess.PIPE,
        text=True,
    )
    staged, deadline = sample_course.classroom / "new.tmp" / TOPIC / "release_for", time.monotonic() + 120
    while not (staged.is_dir() and any(staged.iterdir())) and time.monotonic() < deadline:
        time.sleep(0.01)
    making.send_signal(signal.SIGINT)
    error = making.communicate(timeout=120)[1]
    assert making.returncode == 130
    assert error.splitlines()[-1] == "dimred: stopped; what was finished is kept"
    assert "Traceback" not in error
    assert everything(sample_course) == before


def test_what_linear_algebra_says_of_wrong_programs_is_not_shown(capfd):
    """LAPACK writes to standard output by itself, past Python, when a wrong program hands it what is not finite."""
    nothing = np.full((3, 3), np.nan)
    with silent_libraries(), pytest.raises(np.linalg.LinAlgError):
        np.linalg.lstsq(nothing, nothing, rcond=None)
    os.write(1, b"the rest is shown\n")
    assert capfd.readouterr().out == "the rest is shown\n"
