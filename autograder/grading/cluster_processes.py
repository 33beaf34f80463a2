"""Start the scheduler and the workers of a cluster with mutual TLS.

They run as Dask's programs. Both ends of every connection must show a certificate. Dask's HTTP pages are switched off,
because they do not ask for certificates.
"""

import os
import sys
from pathlib import Path
from typing import NoReturn

from autograder.errors import CourseError
from autograder.grading.certificates import AUTHORITY, certificate_of, key_of, require_certificates
from autograder.grading.cluster import require_dask, require_encrypted, worker_fork_server

DASK_SETTINGS = {
    "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True",
    "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]",
    "DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "[]",
}
NO_DASHBOARD_OPTIONS = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")


def run_scheduler(folder: Path, host: str, port: int) -> NoReturn:
    """Replace this process by the scheduler of a cluster."""
    _replace_process("scheduler", folder, "--host", host, "--port", str(port))


def run_worker(folder: Path, address: str, number: int | None) -> NoReturn:
    """Replace this process by workers, by default one per core.

    Raise UnsafeError first if the sandbox is incomplete.
    """
    require_encrypted(address)
    worker_fork_server(allow_unsafe=False).close()
    workers = str(number or os.cpu_count() or 1)
    _replace_process("worker", folder, address, "--nworkers", workers, "--nthreads", "1")


def _replace_process(role: str, folder: Path, *arguments: str) -> NoReturn:
    """Replace this process by Dask's program for a role."""
    require_dask()
    require_certificates(folder, role)
    certificates = (
        *("--protocol", "tls", "--tls-ca-file", str(folder / AUTHORITY)),
        *("--tls-cert", str(certificate_of(folder, role)), "--tls-key", str(key_of(folder, role))),
    )
    command = [
        sys.executable,
        "-m",
        f"distributed.cli.dask_{role}",
        *arguments,
        *certificates,
        *NO_DASHBOARD_OPTIONS,
    ]
    try:
        os.execve(sys.executable, command, {**os.environ, **DASK_SETTINGS})
    except OSError as error:
        raise CourseError(f"the {role} cannot be started: {error}") from None
