"""Grade on other machines through Dask distributed (the extra `cluster`).

A job holds everything that grading needs, including the secret key. So a worker needs only this package and a sandbox.
Results return as data, and the process that sent the jobs writes them: workers never see the gradebook. If a worker is
lost, Dask runs its jobs on another one.

A client that can send a job can run any code on the workers. So the scheduler must have a `tls://` address, and both
ends of every connection show a certificate of the cluster (`autograder.grading.certificates`).
"""

import itertools
import os
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, UnsafeError
from autograder.grading import workers
from autograder.grading.assignment import scoring_digest
from autograder.grading.certificates import AUTHORITY, certificate_of, key_of, require_certificates
from autograder.grading.submission import Job, Result
from autograder.grading.workers import RestartingForkServer
from autograder.program import ENGINE, program_name
from autograder.sandbox.fork_server_client import ForkServerClient, hide_packages, packages_hidden

CONNECT_TIMEOUT_SECONDS = 10.0
TLS_PREFIX = "tls://"

_fork_servers: dict[tuple[bool, tuple[str, ...]], RestartingForkServer] = {}  # by what they allow and hide
_fork_servers_lock = threading.Lock()


def worker_fork_server(*, allow_unsafe: bool) -> ForkServerClient:
    """Start the fork server of a worker.

    Raise UnsafeError if protections are missing. `allow_unsafe` permits missing protections for ordinary users, never
    for root.
    """
    fork_server = ForkServerClient(allow_unsafe=allow_unsafe)
    if fork_server.protections.missing and os.geteuid() == 0:
        missing = "; ".join(fork_server.protections.missing)
        fork_server.close()
        raise UnsafeError(f"a worker of root cannot enforce: {missing}; start it as an ordinary user")
    return fork_server


def _fork_server_of_this_process(allow_unsafe: bool, hidden: Sequence[str] = ()) -> RestartingForkServer:
    """Return the fork server of this worker process that hides these packages.

    Create it on first use.
    """
    kind = allow_unsafe, tuple(hidden)
    with _fork_servers_lock:
        if kind not in _fork_servers:
            hide_packages(hidden)
            _fork_servers[kind] = RestartingForkServer(lambda: worker_fork_server(allow_unsafe=allow_unsafe))
        return _fork_servers[kind]


def grade_on_worker(job: Job, allow_unsafe: bool, hidden: Sequence[str] = ()) -> Result:
    """Grade one submission. Runs on a worker."""
    return workers.grade_with_retries(job, _fork_server_of_this_process(allow_unsafe, hidden))


def introduction(allow_unsafe: bool, hidden: Sequence[str] = ()) -> tuple[str, str, str]:
    """Return scoring digest, protections and problem of this worker.

    The problem is empty if the worker can grade. The packages in `hidden` are hidden from students' programs there.
    """
    try:
        return (
            scoring_digest(),
            workers.describe_protections(_fork_server_of_this_process(allow_unsafe, hidden).get()),
            "",
        )
    except UnsafeError as error:
        return scoring_digest(), "", str(error)


class ClusterGradingPool:
    """Grading pool on the workers of a Dask scheduler."""

    def __init__(self, client: Any, *, allow_unsafe: bool = False) -> None:
        """Check the workers.

        Raise CourseError if there are none or one is unfit.
        """
        self._client, self._allow_unsafe, self._hidden = client, allow_unsafe, packages_hidden()
        self._run, self._numbers = uuid.uuid4().hex, itertools.count()
        self._pending: set[object] = set()
        self.protections = _check_workers(client.run(introduction, allow_unsafe, self._hidden))

    def submit(self, job: Job) -> Future[Result]:
        """Send the job to the scheduler; return a future of its result."""
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        # a unique key, because Dask returns the earlier result for a key that it knows
        name = f"examine-{self._run}-{next(self._numbers)}"
        remote_future = self._client.submit(
            grade_on_worker, job, self._allow_unsafe, self._hidden, key=name, pure=False
        )
        self._pending.add(remote_future)
        remote_future.add_done_callback(lambda done: self._deliver(done, future))
        return future

    def _deliver(self, remote_future: Any, future: Future[Result]) -> None:
        try:
            future.set_result(remote_future.result())
        except BaseException as error:  # CancelledError is not a subclass of Exception
            future.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
        self._pending.discard(remote_future)  # Dask frees a result when no future refers to it

    def cancel(self) -> None:
        """Cancel all jobs without a result."""
        self._client.cancel(list(self._pending), force=True)
        self._pending.clear()


def _check_workers(introductions: Mapping[str, tuple[str, str, str]]) -> str:
    """Describe the protections of the workers; raise CourseError if one is unfit."""
    if not introductions:
        raise CourseError(
            f"the scheduler has no workers: start one with `{program_name()} cluster worker ADDRESS`"
        )
    for address, (engine, _, problem) in sorted(introductions.items()):
        require_encrypted(address)
        if engine != scoring_digest():
            raise CourseError(f"worker {address} has another version of this package: install the same one")
        if problem:
            raise CourseError(f"worker {address}: {problem}")
    descriptions = sorted({protections for _, protections, _ in introductions.values()})
    return f"{len(introductions)} workers; " + " / ".join(descriptions)


def require_dask() -> None:
    """Raise CourseError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise CourseError(f"a cluster needs the extra `cluster`: install {ENGINE}[cluster]") from None


def require_encrypted(address: str) -> None:
    """Raise CourseError unless the address demands certificates of both ends."""
    if not address.startswith(TLS_PREFIX):
        raise CourseError(
            f"{address} accepts every connection: make certificates with `{program_name()} cluster certificates`, "
            f"start scheduler and workers with `{program_name()} cluster`, and use their {TLS_PREFIX} address"
        )


@contextmanager
def cluster_grading_pool(
    address: str, certificates: Path, *, allow_unsafe: bool = False
) -> Iterator[ClusterGradingPool]:
    """Open a grading pool on the workers of a scheduler.

    Cancel open jobs on exit.
    """
    require_dask()
    require_encrypted(address)
    require_certificates(certificates, "client")
    from distributed import Client
    from distributed.security import Security

    security = Security(
        require_encryption=True,
        tls_ca_file=str(certificates / AUTHORITY),
        tls_client_cert=str(certificate_of(certificates, "client")),
        tls_client_key=str(key_of(certificates, "client")),
    )
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False, security=security)
    except (OSError, TimeoutError, ValueError) as error:
        raise CourseError(
            f"no scheduler answers at {address} to the certificates of {certificates} ({type(error).__name__})"
        ) from None
    with client:
        examiners = ClusterGradingPool(client, allow_unsafe=allow_unsafe)
        try:
            yield examiners
        finally:
            examiners.cancel()
