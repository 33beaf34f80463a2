"""People with accounts of their own on this machine, as on a teaching server: each runs commands as themselves."""

import contextlib
import os
import pwd
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

needs_accounts = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or not shutil.which("useradd"),
    reason="making accounts needs root and useradd",
)


class Person:
    """Somebody with an account, a home and a Python that has the course installed."""

    def __init__(self, name, python):
        self.name, self.python = name, python
        self.home = Path(pwd.getpwnam(name).pw_dir)

    def runs(self, *command, at=None, expect=0):
        """Run a Python module's command as this person; return what it said."""
        return self._starts("-m", *command, at=at, expect=expect)

    def does(self, code, *arguments):
        """Run a text of Python as this person; return what it printed."""
        return self._starts("-c", code, *arguments)

    def _starts(self, *command, at=None, expect=0):
        account = pwd.getpwnam(self.name)
        environment = {
            "HOME": str(self.home),
            "USER": self.name,
            "PATH": f"{self.python.parent}:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
        }
        done = subprocess.run(
            [str(self.python), *map(str, command)],
            cwd=at or self.home,
            env=environment,
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expect, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def password(self):
        """A new password, with which this person logs in."""
        word = secrets.token_urlsafe()
        subprocess.run(["chpasswd"], input=f"{self.name}:{word}", text=True, check=True)
        return word

    def owns(self, folder):
        """Give a folder and all that is in it to this person, and to nobody else."""
        account = pwd.getpwnam(self.name)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid)
        folder.chmod(0o700)
        return folder


@contextlib.contextmanager
def people(python, *roles):
    """Accounts made for a test and removed afterwards."""
    names = [f"{role}{secrets.token_hex(3)}" for role in roles]
    try:
        for name in names:
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/sh", name], check=True)
            Path(pwd.getpwnam(name).pw_dir).chmod(0o700)
        yield [Person(name, python) for name in names]
    finally:
        for name in names:
            subprocess.run(["userdel", "--force", "--remove", name], capture_output=True, check=False)


@contextlib.contextmanager
def group(name, members):
    """A Unix group of these people, removed afterwards."""
    subprocess.run(["groupadd", name], check=True)
    try:
        for one in members:
            subprocess.run(["usermod", "--append", "--groups", name, one.name], check=True)
        yield
    finally:
        subprocess.run(["groupdel", name], capture_output=True, check=False)


def python_for_everyone(folder):
    """An environment with this course that other accounts may use; skips where no Python allows that."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [
        Path(sys.executable).resolve(),
        Path("/usr/bin") / version,
        Path("/usr/local/bin") / version,
    ]
    base = next((one for one in candidates if one.is_file() and _open_to_all(one)), None)
    if base is None or not _open_to_all(ROOT):
        pytest.skip(f"no {version} with this course that another account may start")
    subprocess.run([base, "-m", "venv", "--without-pip", folder], check=True)
    packages = next((folder / "lib").glob("python*/site-packages"))
    installed = [one for one in sys.path if one.endswith("site-packages")]
    (packages / "course.pth").write_text("\n".join([str(ROOT), *installed]) + "\n")
    made = folder / "bin" / "python"
    for name, module in (("alembic", "alembic.config"), ("dimred", "autograder.__main__")):  # started by name
        program = made.with_name(name)
        program.write_text(f"#!{made}\nimport sys\nfrom {module} import main\nsys.exit(main())\n")
        program.chmod(0o755)
    for name in ("etc", "share"):  # where Jupyter looks for what was installed
        (folder / name).symlink_to(Path(sys.prefix) / name)
    return made


def _open_to_all(path):
    """May somebody else reach and read it?"""
    return all(one.stat().st_mode & 0o005 == 0o005 for one in (path, *path.parents))
