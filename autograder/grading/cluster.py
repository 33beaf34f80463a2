"""Examiners on other machines, through Dask distributed (the extra `cluster`).

A job carries all that examining needs, the key included, so a worker needs only this package and a sandbox.
Results come back as data and are written by the side that sent the jobs: workers never see the gradebook. Dask
gives the jobs of a lost worker to another one; a job has one result however often it was begun.

Jobs hold the secret key, and who may send a job may run any code on the workers. So a scheduler has a `tls://` address,
and both ends of every connection show a certificate of the cluster (`autograder.grading.certificates`).
"""

import itertools
import os
import threading
import uuid
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, UnsafeError
from autograder.grading import workers
from autograder.grading.assignment import engine_digest
from autograder.grading.certificates import AUTHORITY, certificate_of, key_of, require_certificates
from autograder.grading.submission import Job, Result
from autograder.grading.workers import Nurseries
from autograder.sandbox.nursery import Nursery

CONNECT = 10.0
TLS = "tls://"

_nurseries: dict[bool, Nurseries] = {}
_making = threading.Lock()


def worker_nursery(*, allow_unsafe: bool) -> Nursery:
    """Start the sandbox of a worker; UnsafeError without walls, for root even where that is allowed."""
    nursery = Nursery(allow_unsafe=allow_unsafe)
    if nursery.protections.missing and os.geteuid() == 0:
        missing = "; ".join(nursery.protections.missing)
        nursery.close()
        raise UnsafeError(f"a worker of root cannot enforce: {missing}; start it as an ordinary user")
    return nursery


def _here(allow_unsafe: bool) -> Nurseries:
    """The one nursery of this worker process, made on first use; it ends when the worker does."""
    with _making:
        if allow_unsafe not in _nurseries:
            _nurseries[allow_unsafe] = Nurseries(lambda: worker_nursery(allow_unsafe=allow_unsafe))
        return _nurseries[allow_unsafe]


def examined(job: Job, allow_unsafe: bool) -> Result:
    """Run by a worker: examine one submission."""
    return workers.examined(job, _here(allow_unsafe))


def introduction(allow_unsafe: bool) -> tuple[str, str, str]:
    """Run by a worker: its engine, what protects it, and why it cannot examine, if it cannot."""
    try:
        return engine_digest(), workers.describe(_here(allow_unsafe).living()), ""
    except UnsafeError as error:
        return engine_digest(), "", str(error)


class ClusterExaminers:
    """Workers of a Dask scheduler, as many jobs at a time as they have threads."""

    def __init__(self, client: Any, *, allow_unsafe: bool = False) -> None:
        """Meet the workers; CourseError if there are none, or one that must not examine."""
        self._client, self._allow_unsafe = client, allow_unsafe
        self._run, self._numbers = uuid.uuid4().hex, itertools.count()
        self._sent: set[Any] = set()
        self.protections = _agreed(client.run(introduction, allow_unsafe))

    def submit(self, job: Job) -> Future[Result]:
        """Send the job to whichever worker is free; its result, or its error, arrives in the future."""
        promised: Future[Result] = Future()
        promised.set_running_or_notify_cancel()
        # a name of its own: Dask would give two jobs of one name one result, or an old one
        name = f"examine-{self._run}-{next(self._numbers)}"
        sent = self._client.submit(examined, job, self._allow_unsafe, key=name, pure=False)
        self._sent.add(sent)
        sent.add_done_callback(lambda done: self._deliver(done, promised))
        return promised

    def _deliver(self, done: Any, promised: Future[Result]) -> None:
        try:
            promised.set_result(done.result())
        except BaseException as error:  # CancelledError is no Exception
            promised.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
        self._sent.discard(done)  # the cluster forgets a result that nobody holds

    def cancel(self) -> None:
        """Drop what has not been examined."""
        self._client.cancel(list(self._sent), force=True)
        self._sent.clear()


def _agreed(introductions: Mapping[str, tuple[str, str, str]]) -> str:
    """What protects every worker; CourseError names the worker that must not examine, and why."""
    if not introductions:
        raise CourseError("the scheduler has no workers: start one with `dimred cluster worker ADDRESS`")
    for address, (engine, _, problem) in sorted(introductions.items()):
        require_encrypted(address)
        if engine != engine_digest():
            raise CourseError(f"worker {address} has another version of this package: install the same one")
        if problem:
            raise CourseError(f"worker {address}: {problem}")
    found = sorted({protections for _, protections, _ in introductions.values()})
    return f"{len(introductions)} workers; " + " / ".join(found)


def require_dask() -> None:
    """Raise CourseError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise CourseError("a cluster needs the extra `cluster`: install dimred-course[cluster]") from None


def require_encrypted(address: str) -> None:
    """Raise CourseError unless the address demands certificates of both ends."""
    if not address.startswith(TLS):
        raise CourseError(
            f"{address} lets everybody in who can reach it: make certificates with `dimred cluster certificates`, "
            f"start scheduler and workers with `dimred cluster`, and use their {TLS} address"
        )


@contextmanager
def cluster_examiners(
    address: str, certificates: Path, *, allow_unsafe: bool = False
) -> Iterator[ClusterExaminers]:
    """Examiners on the workers of the scheduler at this address; on leaving, what is not done is dropped."""
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
        client = Client(address, timeout=CONNECT, set_as_default=False, security=security)
    except (OSError, TimeoutError, ValueError) as error:
        raise CourseError(
            f"no scheduler answers at {address} to the certificates of {certificates} ({type(error).__name__})"
        ) from None
    with client:
        examiners = ClusterExaminers(client, allow_unsafe=allow_unsafe)
        try:
            yield examiners
        finally:
            examiners.cancel()
