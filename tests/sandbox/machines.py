"""Machines other than this one: without the right to mount, as in an ordinary container, or of an ordinary user."""

import subprocess
import sys
import sysconfig

import pytest

from tests.conftest import ROOT

VERSION = f"python3.{sys.version_info[1]}"
PACKAGES = f"/media/lib/{VERSION}/site-packages"
PYTHON = "/media/bin/python"  # of an environment that exists in the changed machine only
CODE = "/opt"  # the checkout there


def run_without_walls(command, *, is_closed=False, user=()):
    """Run a command as root without the right to mount; with `is_closed`, other users cannot read Python's library."""
    return _run(["setpriv", "--bounding-set=-sys_admin", *user, *command], CODE, is_closed=is_closed)


def run_as_user(command, number, folder):
    """Run a command in a folder as an ordinary user, who may build walls and whose Python everybody can read."""
    user = ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups"]
    user += ["env", "HOME=/tmp", "LD_LIBRARY_PATH=/mnt/lib"]  # a Python that was moved finds its own library
    return _run([*user, *command], folder)


def _run(command, folder, *, is_closed=False):
    home = "/media/closed/python" if is_closed else "/mnt"
    script = f"""set -e
mount -t tmpfs -o mode=755 none /media
mkdir -p -m 700 /media/closed
mkdir -p /media/closed/python /media/bin {PACKAGES}
mount --bind {sys.base_prefix} {home}
mount --bind {sysconfig.get_path("purelib")} /srv
mount --bind {ROOT} {CODE}
ln -s {home}/bin/{VERSION} {PYTHON}
echo home = {home}/bin > /media/pyvenv.cfg
echo /srv > {PACKAGES}/all.pth
echo {CODE} >> {PACKAGES}/all.pth
cd {folder}
exec "$@"
"""
    changed = ["unshare", "--mount", "sh", "-c", script, "sh", *command]
    run = subprocess.run(changed, capture_output=True, text=True, check=False)
    if run.stderr.startswith(("unshare:", "mount:", "setpriv:")):
        pytest.skip(run.stderr)  # a root who may not do so much, as in some containers
    return run
