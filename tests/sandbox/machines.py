"""Machines on which no walls can be built: root without the right to mount, as in an ordinary container."""

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
cd {CODE}
exec setpriv --bounding-set=-sys_admin "$@"
"""
    changed = ["unshare", "--mount", "sh", "-c", script, "sh", *user, *command]
    run = subprocess.run(changed, capture_output=True, text=True, check=False)
    if run.stderr.startswith(("unshare:", "mount:", "setpriv:")):
        pytest.skip(run.stderr)  # a root who may not do so much, as in some containers
    return run
