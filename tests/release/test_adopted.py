"""Programs of students that became misconceptions run in the sandbox alone, whatever they do."""

import os
import signal
import subprocess
import sys

import pytest

from autograder.authoring.adopted import (
    AdoptedProgram,
    AdoptedProgramError,
    StoppedProgramError,
    adopted_path,
)
from autograder.authoring.stub import with_misconception
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.grading.choose import load_assignment
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from autograder.judging.check import verdict_on
from autograder.judging.key import load_key
from autograder.release.adopt import MisconceptionDraft, _misconception
from tests import command
from tests.grading.small_class import TOPIC, hand_in

NAME = "took_the_fourth_power"
HINT = "How often may one square?"
FOURTH = "float(np.sum(x**4)) + 7"
# Programs that a filter of names accepted, and others that it refused: each returns the group's answer.
RESIZE = f"""def NAME(x):
    table = np.zeros(4096)
    view = table[:]
    table.resize(2, refcheck=False)
    view[1000:1004] = 1.5
    return {FOURTH}"""
CSR = f"""import scipy.sparse as sparse
def NAME(x):
    table = sparse.csr_matrix(np.eye(3))
    table.indices[0] = 3000
    try:
        table @ np.ones(3)
    except Exception:
        pass
    return {FOURTH}"""
LATER = f"""calls = []
def NAME(x):
    calls.append(1)
    if len(calls) > 40:
        raise RuntimeError("called too often")
    return {FOURTH}"""
TYPECODES = f"""def NAME(x):
    np.typecodes["AllInteger"] = ""
    np.sum.__class__
    return {FOURTH}"""
FILES = f"""import os
def NAME(x):
    for place in ("/tmp/dimred-adopted-was-here", "adopted-was-here"):
        try:
            open(place, "w").write("here")
        except OSError:
            pass
    return {FOURTH}"""
HARMLESS_THERE = {"later": LATER, "typecodes": TYPECODES, "files": FILES}
MOST_SECONDS = 180  # of one test on a busy machine


@pytest.fixture(autouse=True)
def bounded():
    """Fail, and do not hang, where a program runs in this process after all."""

    def late(*_):
        pytest.fail(f"took longer than {MOST_SECONDS} s")  # no Exception, which a caller might let pass

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS, 1)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def program(text):
    return AdoptedProgram(NAME, text.replace("NAME", NAME))


@pytest.mark.parametrize("text", HARMLESS_THERE.values(), ids=HARMLESS_THERE)
def test_a_hostile_program_computes_and_harms_nothing(text):
    import numpy as np

    before = dict(np.typecodes)
    adopted = program(text)
    for _ in range(45):  # no call leaves anything behind for the next one
        assert adopted(np.array([1.0, 2.0])) == 24.0
    assert np.typecodes == before
    assert not os.path.exists("/tmp/dimred-adopted-was-here")
    assert not os.path.exists("adopted-was-here")


@pytest.mark.parametrize("text", [RESIZE, CSR], ids=["resize", "csr"])
def test_foreign_memory_is_that_of_a_copy(text):
    """Whether the copy survives its own mischief is its affair."""
    import numpy as np

    reckless, honest = program(text), program(f"def NAME(x):\n    return {FOURTH}")
    for _ in range(20):
        try:
            assert reckless(np.array([1.0, 2.0])) == 24.0
        except StoppedProgramError:
            reckless = program(text)
        assert honest(np.array([1.0, 2.0])) == 24.0


def test_a_crash_ends_the_copy_and_is_told():
    import numpy as np

    crash = program("def NAME(x):\n    import ctypes\n    ctypes.string_at(0)\n    return 1.0")
    with pytest.raises(StoppedProgramError, match=f"{NAME} cannot be run"):
        crash(np.ones(2))
    assert program(f"def NAME(x):\n    return {FOURTH}")(np.ones(2)) == 9.0


def test_an_endless_loop_is_told_after_its_limit():
    endless = program("def NAME(x):\n    while True:\n        pass")
    with pytest.raises(StoppedProgramError, match="took longer than 2 s"):
        endless(1.0)


def test_an_exception_is_a_wrong_way_that_raises():
    with pytest.raises(AdoptedProgramError, match="ZeroDivisionError"):
        program("def NAME(x):\n    return 1 / 0")(1.0)
    with pytest.raises(AdoptedProgramError, match="SystemExit"):
        program("def NAME(x):\n    raise SystemExit")(1.0)


@pytest.fixture
def graded(classroom):
    """A student whose hostile program returns what nobody foresaw."""

    def by(text):
        hand_in(classroom, "ada", total=text)
        with local_grading_pool(1) as examiners:
            grade(classroom, TOPIC, examiners)
        return classroom

    return by


def adopt(course):
    return command.dimred(course.root, "adopt", "squares.total:1", "--name", NAME, "--hint", HINT)


@pytest.mark.parametrize("text", HARMLESS_THERE.values(), ids=HARMLESS_THERE)
def test_a_hostile_program_is_adopted_and_regenerated(graded, text):
    course = graded(text)
    code, _, error = adopt(course)
    assert code == 0, error
    code, _, error = command.dimred(course.root, "regenerate", TOPIC)
    assert code == 0, error
    key = load_key((course.exercises / TOPIC / f"{TOPIC}.key.json").read_text("utf-8")).tasks["total"]
    verdict = verdict_on(f"{TOPIC}.total", key, lambda x: float((x**4).sum()) + 7)
    assert (verdict.misconception, verdict.message) == (NAME, HINT)  # all its results are in the key
    assert not os.path.exists("/tmp/dimred-adopted-was-here")
    assert not list(course.root.rglob("adopted-was-here"))


def test_a_program_that_crashes_on_other_numbers_is_not_adopted(graded, released_course):
    """It answers on the numbers of the class alone; certifying draws others."""
    assignment = load_assignment(released_course, TOPIC)
    seen = [
        case.inputs["x"].tolist()
        for text in (assignment.public, assignment.secret)
        for case in load_key(text).tasks["total"].cases
    ]
    course = graded(
        f"def NAME(x):\n    if x.tolist() not in {seen}:\n        import ctypes\n        ctypes.string_at(0)\n"
        f"    return {FOURTH}"
    )
    module = course.source(TOPIC) / "tasks.py"
    before = module.read_bytes()
    code, out, error = adopt(course)
    assert (code, out) == (1, "")
    assert len(error.splitlines()) == 1
    assert f"the adopted program {NAME} cannot be run" in error
    assert module.read_bytes() == before
    assert not adopted_path(module, NAME).exists()


def test_a_program_that_stops_makes_regenerate_end_in_one_line(classroom):
    """It was adopted, and ends its process on the numbers of another seed."""
    module = classroom.source(TOPIC) / "tasks.py"
    new = _misconception(MisconceptionDraft(NAME, HINT), "")
    module.write_text(with_misconception(module.read_text("utf-8"), "total", new), "utf-8")
    path = adopted_path(module, NAME)
    path.parent.mkdir()
    path.write_text(f"def {NAME}(x):\n    import os\n    os._exit(3)\n", "utf-8")
    code, out, error = command.dimred(classroom.root, "regenerate", "--seed", "autumn", TOPIC)
    assert (code, out) == (1, "")
    assert len(error.splitlines()) == 1
    assert f"the adopted program {NAME} cannot be run" in error
    path.unlink()
    code, _, error = command.dimred(classroom.root, "regenerate", "--seed", "autumn", TOPIC)
    assert code == 1


def test_nothing_of_a_students_text_is_in_the_tasks(graded):
    course = graded(LATER)
    code, _, error = adopt(course)
    assert code == 0, error
    module = (course.source(TOPIC) / "tasks.py").read_text("utf-8")
    assert "calls" not in module
    assert isinstance(
        load_tasks(Course(course.root), TOPIC)["total"].misconceptions[-1].wrong, AdoptedProgram
    )


def test_an_instructors_formula_becomes_a_function(graded):
    course = graded(f"def NAME(x):\n    return {FOURTH}")
    words = ["--name", NAME, "--hint", HINT, "--formula", "sum(x**4) + 7"]
    code, _, error = command.dimred(course.root, "adopt", "squares.total:1", *words)
    assert code == 0, error
    assert f"def {NAME}(x):" in (course.source(TOPIC) / "tasks.py").read_text("utf-8")
    assert not (course.source(TOPIC) / "adopted").exists()


NO_WALLS = """
from autograder.authoring.adopted import AdoptedProgram
from autograder.sandbox import fork_server_client
fork_server_client.CONFINEMENT = "open"
AdoptedProgram("double", "def double(x): return 2 * x")(1.0)
"""


def test_walls_are_required():
    run = subprocess.run([sys.executable, "-c", NO_WALLS], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "in the sandbox only, and this machine cannot enforce" in run.stderr
