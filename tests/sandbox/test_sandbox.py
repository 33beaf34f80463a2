"""The trust boundary, one wall at a time; `tests/attacks` climbs them all at once."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from autograder.answers.attempt import Call
from autograder.errors import UnsafeError
from autograder.sandbox import fork_server_client as sandbox
from autograder.sandbox.fork_server_client import ForkServerClient, prestart_fork_server
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import StartError
from autograder.sandbox.untrusted import OutputQuota, read_attempts
from tests.conftest import ROOT

FORKS = """
import os, time
for _ in range(500):
    if os.fork() == 0:
        time.sleep(60)
"""
SHORT = Limits(cell_seconds=8, notebook_seconds=120)


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient() as warm:
        yield warm


@pytest.fixture
def process(nursery):
    with nursery.start({"data.txt": b"given"}, SHORT) as started:
        yield started


def printed(process, source):
    """What a cell prints."""
    outputs = process.run(source)
    assert not [one for one in outputs if one["output_type"] == "error"], outputs
    return "".join(one["text"] for one in outputs if one["output_type"] == "stream").strip()


def error(process, source):
    """The name of the error that a cell raises."""
    (found,) = [one for one in process.run(source) if one["output_type"] == "error"]
    return found["ename"]


def test_every_protection_is_enforced_on_this_machine(nursery):
    assert nursery.protections.missing == ()
    for wall in ("private file system", "no network", "own process space", "filtered system calls"):
        assert wall in nursery.protections.enforced


def test_given_files_are_there_and_the_course_is_not(process):
    assert printed(process, "print(open('data.txt').read())") == "given"
    assert printed(process, "import os; print(os.getcwd(), os.path.exists('/etc/passwd'))") == "/box False"
    visible = printed(process, f"print(sorted(os.listdir({str(ROOT)!r})))")
    assert visible in ("['.venv', 'autograder']", "['autograder']")  # the environment may lie elsewhere


def test_the_reference_and_the_solutions_cannot_be_imported(process):
    for name in ("dimred_ref", "solutions.pca.tasks", "tests"):
        assert error(process, f"import {name}") == "ModuleNotFoundError"


def test_only_its_own_folders_can_be_written(process):
    own = "import tempfile; open('/box/a', 'w').write('x'); tempfile.TemporaryFile().write(b'x'); print('ok')"
    assert printed(process, own) == "ok"
    for path in ("/usr/a", "/etc/a", "/a", sys.prefix + "/a"):
        assert error(process, f"open({path!r}, 'w')") in ("OSError", "PermissionError", "FileNotFoundError")


def test_there_is_no_network(process):
    assert error(process, "import socket; socket.socket().connect(('127.0.0.1', 9))") == "OSError"
    assert error(
        process, "socket.getaddrinfo('localhost', 80)[0][4]; socket.create_connection(('localhost', 80))"
    )


def test_it_sees_only_its_own_processes_and_is_nobody(process):
    assert (
        printed(
            process,
            "import os; print(os.getpid(), sorted(int(p) for p in os.listdir('/proc') if p.isdigit()))",
        )
        == "1 [1]"
    )
    if os.getuid() == 0:
        assert int(printed(process, "print(os.getuid())")) >= 61_000
        assert error(process, "os.setuid(0)") == "PermissionError"
    environment = printed(process, "print(sorted(os.environ))")
    assert "SECRET" not in environment
    assert "PWD" not in environment


def test_memory_files_and_processes_have_an_end(process):
    assert error(process, "x = bytearray(6 * 2**30)") == "MemoryError"
    assert error(process, "open('big', 'wb').write(bytes(40 * 2**20))") in ("OSError", "MemoryError")
    assert error(process, "handles = [open('data.txt') for _ in range(2000)]") == "OSError"
    assert error(process, FORKS) == "BlockingIOError"


TIMERS = """
import ctypes
libc, timer, number = ctypes.CDLL(None, use_errno=True), ctypes.c_int(), 0
while number < 5_000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
    number += 1
print(number)
"""


def test_timers_and_waiting_signals_have_an_end(process):
    """Each takes memory of the kernel that belongs to no process."""
    assert 0 < int(printed(process, TIMERS)) <= 256


def test_a_closed_output_ends_nothing(process):
    assert printed(process, "import sys\nprint('kept')\nsys.stdout.close()\nsys.stderr.close()") == "kept"
    assert printed(process, "print('still here')") == "still here"


MEMORY_OF_MANY = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        held = bytearray(os.urandom(1)) * (400 * 2**20)
        time.sleep(60)
time.sleep(19)
"""


def test_memory_is_counted_together_with_that_of_descendants(nursery):
    with nursery.start({}, Limits(cell_seconds=20, memory_bytes=2**30)) as process:
        process.run(MEMORY_OF_MANY)
        assert process.end_reason


def test_a_cell_that_takes_too_long_is_stopped_and_the_next_one_runs(process):
    assert error(process, "while True: pass") == "TimeLimitError"
    assert printed(process, "print('still here')") == "still here"


def test_a_loop_that_swallows_everything_ends_with_the_process(nursery):
    source = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True:\n    pass"
    with nursery.start({}, Limits(cell_seconds=1)) as process:
        assert process.run(source) == []
        assert process.running_seconds < 20
        assert process.end_reason
        assert process.ask("x", None)[0].problem == "stopped"


def test_a_notebook_has_a_limit_of_its_own(nursery):
    with nursery.start({}, Limits(cell_seconds=30, notebook_seconds=2)) as process:
        process.run("import time; time.sleep(20)")
        assert process.end_reason


def test_output_is_bounded(process):
    text = printed(process, "for _ in range(200000): print('x' * 100)")
    assert len(text) <= 100_000


def test_the_outputs_of_a_whole_notebook_are_bounded_and_a_note_says_so():
    room, picture = (
        OutputQuota(),
        {"output_type": "display_data", "data": {"image/png": "A" * 900_000}, "metadata": {}},
    )
    cells = [room.trim([picture] * 7) for _ in range(80)]
    assert sum(len(json.dumps(cell)) for cell in cells) < 7_000_000
    assert cells[0][:6] == [picture] * 6
    assert [one["text"] for one in cells[79]] == [cells[0][6]["text"]]
    assert "costs no points" in cells[79][0]["text"]


def test_the_number_of_outputs_of_a_notebook_is_bounded():
    room = OutputQuota()
    cells = [room.trim([{"output_type": "stream", "name": "stdout", "text": "x"}] * 50) for _ in range(100)]
    assert sum(map(len, cells)) <= 1_000 + 100


def test_a_notebooks_usual_figures_are_all_kept():
    room, picture = (
        OutputQuota(),
        {"output_type": "display_data", "data": {"image/png": "A" * 60_000}, "metadata": {}},
    )
    assert all(room.trim([picture] * 2) == [picture] * 2 for _ in range(40))


def test_nothing_survives_it(nursery):
    marker = f"dimred-survivor-{os.getpid()}"
    with nursery.start({}, SHORT) as process:
        process.run(f"""
import os
if os.fork() == 0:
    os.setsid()
    os.execv("/bin/sh", ["sh", "-c", "sleep 300 # {marker}"])
""")
    time.sleep(0.3)
    listed = subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert marker not in listed


def test_what_a_copy_was_asked_is_forgotten_by_the_cells_that_follow(process):
    process.run("seen = []\ndef f(x):\n    seen.append(x)\n    return x")
    (attempt,) = process.ask_in_fork("f", [Call({"x": 41.5})])
    assert attempt.value == 41.5
    assert printed(process, "print(seen)") == "[]"


def test_a_function_that_ends_a_copy_costs_only_its_answer(process):
    process.run("import os\ndef f(x):\n    os._exit(0)\ndef g(x):\n    return 2 * x")
    assert process.ask_in_fork("f", [Call({"x": 1.0})])[0].problem == "stopped"
    assert process.ask_in_fork("g", [Call({"x": 1.0})])[0].value == 2.0


def test_answers_arrive_with_every_bit(process):
    process.run("def f(X):\n    return X, float(X.sum()), [1, 'two'], {'k': X[0]}")
    X = np.random.default_rng(0).normal(size=(5, 3))
    (attempt,) = process.ask("f", [Call({"X": X})])
    np.testing.assert_array_equal(attempt.value[0], X)


def test_what_a_function_changed_is_told_and_believed_only_as_names(process):
    process.run("def f(x, y):\n    x[0] = 7.0\n    return y.sum()")
    inputs = {"x": np.zeros(2), "y": np.ones(2)}
    (made,) = process.ask("f", [Call(inputs)])
    assert (made.value, made.changed) == (2.0, ("x",))
    forged = {"problem": "", "message": "", "value": 1.0, "changed": ["x", 3, "<b>", "y" * 99]}
    assert read_attempts([forged], 1, None)[0].changed == ("x",)


def test_two_students_do_not_meet(nursery):
    with nursery.start({}, SHORT) as one, nursery.start({}, SHORT) as other:
        one.run("open('/box/mine', 'w').write('x'); a = 1")
        assert printed(other, "import os; print(os.listdir('/box'), 'a' in globals())") == "[] False"


def test_a_nursery_begun_early_is_the_next_one_and_ends_when_nobody_takes_it():
    prestart_fork_server()
    prestart_fork_server()
    _, process = sandbox._prestarted[-1]
    with ForkServerClient() as nursery:
        assert nursery.process is process
    control, forgotten = sandbox._prestarted.pop()
    control.close()
    forgotten.wait(30)


def test_without_walls_only_the_courses_own_code_runs(monkeypatch):
    monkeypatch.setattr("autograder.sandbox.fork_server_client.CONFINEMENT", "open")
    with pytest.raises(UnsafeError, match=r"cannot enforce: private file system"):
        ForkServerClient()
    with ForkServerClient(trusted=True) as nursery, nursery.start({"data.txt": b"given"}, SHORT) as process:
        assert printed(process, "print(open('data.txt').read())") == "given"
        assert process.ask("1 + 1", None)[0].value == 2


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give up the right to mount and see it refused")
def test_a_machine_that_cannot_build_the_walls_says_which(tmp_path):
    code = "from autograder.sandbox.fork_server_client import ForkServerClient; ForkServerClient()"
    without_mounting = ["setpriv", "--bounding-set=-sys_admin", sys.executable, "-c", code]
    run = subprocess.run(without_mounting, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert "this machine cannot enforce: private file system" in last
    assert "Operation not permitted" in last


AS_AN_ORDINARY_USER = """
import json
from autograder.errors import UnsafeError
from autograder.sandbox.limits import Limits
from autograder.sandbox.fork_server_client import ForkServerClient
try:
    nursery = ForkServerClient()
except UnsafeError as error:
    print(json.dumps({"refused": str(error)}))
    raise SystemExit
with nursery, nursery.start({}, Limits(cell_seconds=20, memory_bytes=2**29)) as process:
    said = process.run("import os; print(os.getpid())")
    opened = process.run("import socket; socket.socket()")
    process.run(%r)
    print(json.dumps({"said": said[0]["text"], "opened": opened[0]["ename"], "ended": process.end_reason}))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="this is the other side of tests that ran as an ordinary user")
def test_an_ordinary_user_has_the_same_walls(tmp_path):
    user = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups"]
    readable = [
        "--inh-caps=+dac_read_search",
        "--ambient-caps=+dac_read_search",
    ]  # the interpreter may be root's
    code = AS_AN_ORDINARY_USER % MEMORY_OF_MANY
    command = [*user, *readable, sys.executable, "-c", code]
    tmp_path.chmod(0o777)
    environment = {**os.environ, "HOME": str(tmp_path)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    if run.stderr.startswith("setpriv:"):
        pytest.skip(run.stderr)  # a root who may not give so much up, as in some containers
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    if "refused" in found:
        pytest.skip(found["refused"])
    assert found["said"] == "1\n"
    assert found["opened"] == "OSError"
    assert found["ended"]


def test_a_process_that_cannot_start_is_no_fault_of_the_student(nursery):
    with pytest.raises(StartError, match=r"could not be started \(the process ended\)"):
        nursery.start({"no such folder/data.txt": b"given"}, SHORT)
