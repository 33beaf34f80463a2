"""Fixtures that several test files share."""

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.cpu_features import pin_blas_kernels

os.environ["COURSE_COMMAND"] = "dimred"  # the name of the command in messages, as this course installs it
pin_blas_kernels()  # before numpy is imported

from autograder.release import variant as generate  # noqa: E402
from tests.warm import WarmPython  # noqa: E402

# Started in the background by a shell, we would ignore Ctrl-C, and so would all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[1]

# Machines differ in speed: a slow example is no failure. Every run tries the same examples.
settings.register_profile(
    "course", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "course"))


BUILDS_THE_BOOK = "tests/browser/test_book_in_browser.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process build the book first, while the others do what needs none.

    Names must not hold addresses in memory: processes that collect other names run no test at all.
    """
    unstable = [item.nodeid for item in items if " at 0x" in item.nodeid]
    assert not unstable, f"an address in memory is no name of a test: {unstable[0]}"
    needs_book = {item.path for item in items if "built_book" in getattr(item, "fixturenames", ())}
    first = ROOT / BUILDS_THE_BOOK
    items.sort(key=lambda item: (item.path != first, item.path in needs_book))


def settings_of_the_process() -> dict[str, object]:
    """What one test can change for all that come after it: digits of numbers, places, rights."""
    mpmath, numpy = sys.modules.get("mpmath"), sys.modules.get("numpy")
    os.umask(mask := os.umask(0o077))
    return {
        "digits of mpmath": mpmath.mp.dps if mpmath else 15,
        "what numpy does about overflow": numpy.geterr() if numpy else None,
        "how numpy prints": numpy.get_printoptions() if numpy else None,
        "the folder": Path.cwd(),
        "rights of new files": mask,
        "who hears Ctrl-C": signal.getsignal(signal.SIGINT),
    }


@pytest.fixture(autouse=True, scope="module")
def leaves_nothing_behind() -> Iterator[None]:
    """A file of tests that would make others fail is named here, not found in one of them."""
    before = settings_of_the_process()
    yield
    after = settings_of_the_process()
    assert {name: (before[name], now) for name, now in after.items() if now != before[name]} == {}


WALLS = ("attacks", "sandbox")  # folders of tests in which nurseries start as a grader starts them


@pytest.fixture(scope="session")
def warm_python() -> Iterator[WarmPython]:
    """One Python with all that notebooks import, for the nurseries of this process."""
    with contextlib.closing(WarmPython()) as warm:
        yield warm


@pytest.fixture(autouse=True, scope="module")
def forked_nurseries(request: pytest.FixtureRequest, warm_python: WarmPython) -> Iterator[None]:
    """Nurseries that are ready at once."""
    if request.path.parent.name in WALLS:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.sandbox.fork_server_client._start_fork_server", warm_python.begin)
        yield


@pytest.fixture(scope="session")
def course() -> Course:
    """The course itself; tests must not write into it."""
    return Course(ROOT)


@pytest.fixture
def sample_course(tmp_path: Path) -> Course:
    """A copy of the tiny course about squares, with nothing generated yet."""
    root = tmp_path / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    return Course(root)


@pytest.fixture
def folder_for_all() -> Iterator[Path]:
    """A folder that every user of the machine may enter; pytest's own are its user's alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="session")
def released_course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The tiny course, generated and released to a class; tests copy it before they write."""
    root = tmp_path_factory.mktemp("released") / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    made = Course(root)
    made.paths.enter()
    write_text(made.paths.secret_word, "a secret word\n")
    variant = generate.make_variant(made, "squares", "one", made.secret())
    generate.write_classroom(made, variant)
    return made


@pytest.fixture
def classroom(released_course: Course, tmp_path: Path) -> Course:
    """A class of the tiny course, ready to hand in and to be graded."""
    root = tmp_path / "class"
    shutil.copytree(released_course.root, root)
    return Course(root)


@pytest.fixture
def fast_seals(monkeypatch):
    """Fingerprints that are quick to compute, where how slow they are is not the subject."""
    monkeypatch.setattr("autograder.judging.fingerprints.PBKDF2_ITERATIONS", 3)
