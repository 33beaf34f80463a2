"""Scheduler and workers of a cluster, started so that only holders of its certificates can speak to them.

They run as Dask's own programs. Encryption is required, both ends of every connection show a certificate, and no page
is served over HTTP, which knows no certificates.
"""

import os
import sys
from pathlib import Path
from typing import NoReturn

from autograder.errors import CourseError
from autograder.grading.certificates import AUTHORITY, certificate_of, key_of, require_certificates
from autograder.grading.cluster import require_dask, require_encrypted, worker_nursery

SETTINGS = {
    "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True",
    "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]",
    "DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "[]",
}
NO_PAGES = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")


def run_scheduler(folder: Path, host: str, port: int) -> NoReturn:
    """Become the scheduler of a cluster."""
    _become("scheduler", folder, "--host", host, "--port", str(port))


def run_worker(folder: Path, address: str, number: int | None) -> NoReturn:
    """Become the workers of this machine, one for each core unless told; refuse without walls."""
    require_encrypted(address)
    worker_nursery(allow_unsafe=False).close()
    workers = str(number or os.cpu_count() or 1)
    _become("worker", folder, address, "--nworkers", workers, "--nthreads", "1")


def _become(role: str, folder: Path, *arguments: str) -> NoReturn:
    """Replace this process by Dask's program for the role."""
    require_dask()
    require_certificates(folder, role)
    certificates = (
        *("--protocol", "tls", "--tls-ca-file", str(folder / AUTHORITY)),
        *("--tls-cert", str(certificate_of(folder, role)), "--tls-key", str(key_of(folder, role))),
    )
    command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *arguments, *certificates, *NO_PAGES]
    try:
        os.execve(sys.executable, command, {**os.environ, **SETTINGS})
    except OSError as error:
        raise CourseError(f"the {role} cannot be started: {error}") from None
