"""Grading pools: a protocol, and the pool of workers on this machine.

`autograder.grading.cluster` has the pool of a cluster.
"""

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from autograder.errors import CourseError, UnsafeError
from autograder.grading.submission import Job, Result, grade_submission
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.process import StartError

MAX_TRIES_PER_JOB = 3  # for a job whose fork server was killed, for example by the out-of-memory killer


class GradingPool(Protocol):
    """A pool that takes jobs and returns futures of their results."""

    protections: str

    def submit(self, job: Job) -> "Future[Result]":
        """Start or queue a job."""


class RestartingForkServer:
    """A fork server that is restarted after it was killed."""

    def __init__(self, make: Callable[[], ForkServerClient]) -> None:
        """Start the fork server."""
        self._make, self._lock, self._closed = make, threading.Lock(), False
        self.now = make()

    def get(self) -> ForkServerClient:
        """Return the running fork server; raise RuntimeError after `close`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("grading was stopped")
            if not is_alive(self.now):
                self.now.close()
                self.now = self._make()
            return self.now

    def close(self) -> None:
        """Close the fork server for good."""
        with self._lock:
            self._closed = True
            self.now.close()


def is_alive(fork_server: ForkServerClient) -> bool:
    """Tell whether the fork server still holds its control socket open.

    A fork server that is killed closes the socket before its children end.
    """
    try:
        poller = select.poll()
        poller.register(fork_server.control, select.POLLIN)
        return not poller.poll(0) or fork_server.control.recv(1, socket.MSG_PEEK) != b""
    except (OSError, ValueError):  # the grader has closed its end
        return False


def grade_with_retries(job: Job, server: RestartingForkServer) -> Result:
    """Grade a job and retry if the fork server was killed.

    Discard a result if the server died before the job was done.
    """
    for attempt in range(MAX_TRIES_PER_JOB):
        fork_server = server.get()
        try:
            result = grade_submission(job, fork_server)
        except (StartError, OSError):  # the student's code has not run
            if attempt == MAX_TRIES_PER_JOB - 1:
                raise
            continue
        if is_alive(fork_server):
            return result
    raise RuntimeError(f"students' processes were ended from outside {MAX_TRIES_PER_JOB} times")


class LocalGradingPool:
    """Threads on this machine that drive children of a fork server."""

    def __init__(self, server: RestartingForkServer, pool: ThreadPoolExecutor) -> None:
        """Use `local_grading_pool` to create a pool."""
        self._server, self._pool = server, pool
        self.protections = describe_protections(server.now)

    def submit(self, job: Job) -> Future[Result]:
        """Queue a job for the next free thread."""
        return self._pool.submit(grade_with_retries, job, self._server)


def describe_protections(fork_server: ForkServerClient) -> str:
    """Describe the active protections of the sandbox and the missing ones."""
    missing = (
        f"; MISSING: {'; '.join(fork_server.protections.missing)}" if fork_server.protections.missing else ""
    )
    return ", ".join(fork_server.protections.enforced) + missing


@contextmanager
def local_grading_pool(
    workers: int | None = None, *, allow_unsafe: bool = False
) -> Iterator[LocalGradingPool]:
    """Open a grading pool on this machine.

    By default it has a thread per core. On exit, jobs that have not started are cancelled.
    """
    try:
        server = RestartingForkServer(lambda: ForkServerClient(allow_unsafe=allow_unsafe))
    except UnsafeError as error:
        raise CourseError(str(error)) from error
    pool = ThreadPoolExecutor(max_workers=workers or os.cpu_count() or 1)
    try:
        yield LocalGradingPool(server, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        server.close()
