"""What a student's process can see and hold: on machines that are set up in ways a checkout does not expect."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from autograder.sandbox import cores
from autograder.sandbox.confine import ConfineError
from autograder.sandbox.file_system import plan_mounts
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits
from tests.conftest import ROOT
from tests.sandbox.test_sandbox import MEMORY_OF_MANY, error, printed

only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can set such a machine up")
ASK = """
import json, sys
from autograder.sandbox.limits import Limits
from autograder.sandbox.fork_server_client import ForkServerClient
with ForkServerClient() as nursery, nursery.start({}, Limits(memory_bytes=2**29)) as process:
    for source in json.loads(sys.argv[1]):
        outputs = process.run(source)
        print("".join(one.get("text", "") or one.get("ename", "") for one in outputs).strip() or process.end_reason)
"""


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient() as warm:
        yield warm


def asked(*sources, machine="", cwd=ROOT, python=sys.executable, before=()):
    """What cells print, in a student's process on a machine that a few commands have changed, for itself only."""
    text = f"set -e\n{machine}\ncd {cwd}\n" + 'exec "$@"'
    changed = ["unshare", "--mount", "sh", "-c", text, "sh"] if machine else []
    command = [*changed, *before, python, "-c", ASK, json.dumps(sources)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT if machine else cwd)
    if run.stderr.startswith(("unshare:", "mount:", "setpriv:")):
        pytest.skip(run.stderr)  # a root who may not do so much, as in some containers
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_what_is_hidden_in_what_is_shown_is_covered_and_what_is_needed_in_it_is_shown_again(tmp_path):
    folder = tmp_path.resolve()
    course, environment = folder / "src" / "app", folder / "src" / "app" / ".venv"
    environment.mkdir(parents=True)
    shown = [str(folder), str(environment), str(environment / "bin")]
    steps = plan_mounts(shown, [str(course), str(course / "classroom")])
    assert steps == [(str(folder), True), (str(course), False), (str(environment), True)]


def test_what_lies_outside_of_all_that_is_shown_needs_no_cover(tmp_path):
    assert plan_mounts([str(tmp_path / "usr")], [str(tmp_path)]) == [(str(tmp_path / "usr"), True)]


def test_a_course_in_a_place_that_must_be_shown_is_refused_in_one_line(tmp_path):
    with pytest.raises(ConfineError, match=r"holds the course.*move the course elsewhere"):
        plan_mounts([str(tmp_path.resolve())], [str(tmp_path)])


@only_root
def test_a_course_below_a_visible_path_is_not_visible():
    place = "/usr/share"
    machine = f"mount -t tmpfs none {place}\nmkdir {place}/app {place}/other\n"
    machine += f"echo secret > {place}/app/key\necho free > {place}/other/text"
    seen = asked(
        f"import os; print(sorted(os.listdir('{place}')), os.listdir('{place}/app'))",
        f"print(open('{place}/other/text').read())",
        machine=machine,
        cwd=f"{place}/app",
    )
    assert seen == ["['app', 'other'] []", "free"]


@only_root
def test_the_sources_of_the_system_are_not_visible():
    seen = asked("import os; print(os.path.exists('/usr/src'))", machine="mount -t tmpfs none /usr/src")
    assert seen == ["False"]


@only_root
def test_what_is_mounted_below_a_visible_path_cannot_be_written():
    place = "/usr/share"
    machine = (
        f"mount -t tmpfs none {place}\nmkdir '{place}/a b'\nmount -t tmpfs -o mode=777 none '{place}/a b'"
    )
    seen = asked(f"open('{place}/a b/note', 'w')", f"open('{place}/note', 'w')", machine=machine)
    assert seen == ["OSError", "OSError"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment into which the packages were copied, as a normal installation does."""
    folder = tmp_path_factory.mktemp("installed")
    folder.chmod(0o755)
    venv.create(folder, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for name in ("autograder", "dimred_ref"):
        shutil.copytree(ROOT / name, site / name)
    record = site / "dimred_course-0.1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("autograder/__init__.py,,\ndimred_ref/__init__.py,,\n../../../bin/dimred,,\n")
    (site / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder


def test_a_normal_installation_does_not_show_the_reference(installed, tmp_path):
    seen = asked(
        "import autograder, os; print(os.path.dirname(autograder.__file__))",
        "site = os.path.dirname(os.path.dirname(autograder.__file__))",
        "print(os.listdir(site + '/dimred_ref'), len(os.listdir(site + '/autograder')) > 5)",
        "from dimred_ref.pca import pca",
        python=str(installed / "bin" / "python"),
        cwd=tmp_path,
    )
    assert seen[0].startswith(str(installed))
    assert seen[2:] == ["[] True", "ModuleNotFoundError"]


SHARED_MEMORY = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print([libc.shmget(0, 4096, 0o1600), libc.semget(0, 1, 0o1600), libc.msgget(0, 0o1600),
       libc.mq_open(b"/queue", 0o102, 0o600, None), libc.syscall(447, 0)])
"""


def test_memory_that_no_limit_counts_is_refused(nursery):
    with nursery.start({}, Limits()) as process:
        assert printed(process, SHARED_MEMORY) == "[-1, -1, -1, -1, -1]"


def test_a_student_stays_on_one_core(nursery):
    with nursery.start({}, Limits()) as process:
        assert printed(process, "import os; print(len(os.sched_getaffinity(0)))") == "1"
        assert error(process, "os.sched_setaffinity(0, range(os.cpu_count()))") == "PermissionError"


def test_the_least_used_core_is_lent_next():
    lender = cores.Cores()
    number = len(os.sched_getaffinity(0))
    first = [lender.acquire(borrower).number for borrower in range(number)]
    assert sorted(first) == sorted(os.sched_getaffinity(0))
    lender.release(0)
    assert lender.acquire(number).number == first[0]


HIDES_ITSELF = "import ctypes\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
AS_USER = [
    *("setpriv", "--reuid=1234", "--regid=1234", "--clear-groups"),
    *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),  # the interpreter may be root's
    *("env", "HOME=/tmp"),
]
FORKS = """
import os, time
number = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        number += 1
except BlockingIOError:
    print(number)
"""
TWO_STUDENTS = """
import sys
from autograder.sandbox.limits import Limits
from autograder.sandbox.fork_server_client import ForkServerClient
with ForkServerClient() as nursery, nursery.start({}, Limits()) as one, nursery.start({}, Limits()) as other:
    print(one.run(sys.argv[1])[0]["text"].strip(), other.run(sys.argv[1])[0]["text"].strip())
"""


@only_root
def test_an_ordinary_users_students_cannot_hide_their_memory():
    seen = asked(HIDES_ITSELF + MEMORY_OF_MANY, before=AS_USER)
    assert seen == ["the process ended"]


@only_root
def test_an_ordinary_users_students_share_no_limit_on_processes():
    command = [*AS_USER, sys.executable, "-c", TWO_STUDENTS, FORKS]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if run.stderr.startswith("setpriv:"):
        pytest.skip(run.stderr)
    assert run.stdout.split() == [str(Limits.processes - 1)] * 2, run.stderr


PAGE_TABLES = """
import ctypes, time
mmap = ctypes.CDLL(None).mmap
mmap.restype, mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
for number in range(25_000):
    ctypes.string_at(mmap(2**44 + number * 2**30, 4096, 1, 0x100022, -1, 0), 1)
time.sleep(5)
"""


def test_the_tables_by_which_memory_is_found_are_counted_as_memory(nursery):
    """A page that was only read costs nothing, the way to it eight kilobytes."""
    with nursery.start({}, Limits(memory_bytes=2**27)) as process:
        process.run(PAGE_TABLES)
        assert process.end_reason == "the process ended"
