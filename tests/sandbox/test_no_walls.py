"""Where no walls can be built, students' code does not run unless that is allowed, and never as root."""

import os

import pytest

from tests.sandbox.machines import PYTHON, run_without_walls

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can give up the right to mount")
ASK = """
import os, sys
from autograder.errors import UnsafeError
from autograder.sandbox.limits import Limits
from autograder.sandbox.fork_server_client import ForkServerClient
try:
    with ForkServerClient(**{options}) as nursery, nursery.start({{}}, Limits(memory_bytes=2**29)) as process:
        outputs = process.run("import os; print(os.getuid(), os.access({secret!r}, os.R_OK))")
        print(nursery.protections.enforced, outputs[0]["text"])
except UnsafeError as error:
    print("refused:", error)
"""
AS_USER = ("setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", "env", "HOME=/tmp")


@pytest.fixture
def ask(tmp_path):
    """What a student's program sees of itself and of a file that only root may read, or the refusal."""
    secret = tmp_path / "key"
    secret.write_text("7")
    secret.chmod(0o600)

    def asked(options, **machine):
        code = ASK.format(options=options, secret=str(secret))
        run = run_without_walls([PYTHON, "-c", code], **machine)
        assert run.returncode == 0, run.stderr
        assert len(run.stdout.splitlines()) <= 2
        return run.stdout

    return asked


@pytest.mark.parametrize("is_closed", [False, True])
def test_students_code_is_refused_without_walls(ask, is_closed):
    assert ask({}, is_closed=is_closed).startswith(
        "refused: this machine cannot enforce: private file system"
    )


def test_allowed_code_runs_as_another_user(ask):
    said = ask({"allow_unsafe": True})
    assert "another user" in said
    user, can_read = said.split("\n")[0].rpartition(")")[2].split()
    assert int(user) >= 61_000
    assert can_read == "False"


def test_nothing_allows_students_code_to_run_as_root(ask):
    said = ask({"allow_unsafe": True}, is_closed=True)
    assert said.startswith("refused:")
    assert "would run as root" in said
    assert "/media/closed/python" in said, "names what other users cannot read"
    assert "run dimred as an ordinary user" in said


def test_the_courses_own_code_runs_without_walls(ask):
    assert "0 True" in ask({"trusted": True}, is_closed=True)


CHECK = """
import sys
from autograder.cli import main
from autograder.sandbox import fork_server_client
fork_server_client.CONFINEMENT = "open"
sys.exit(main(["check", "exercises/toolkit/toolkit.ipynb", *sys.argv[1:]]))
"""


def test_root_checks_no_notebook_without_walls():
    run = run_without_walls([PYTHON, "-c", CHECK])
    assert run.returncode == 1
    assert run.stdout == ""
    assert "--allow-unsafe runs students' code all the same" in run.stderr.splitlines()[-1]


def test_ordinary_users_check_their_notebooks_without_walls():
    run = run_without_walls([PYTHON, "-c", CHECK], user=AS_USER)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("no sandbox here; the notebook runs with: separate process, limits on time")
    assert "points that a check can give" in run.stdout
