"""Adopted programs: students' programs that serve as misconceptions, run in the sandbox.

NumPy is not memory-safe, so no filter of names makes a student's program harmless. `dimred adopt` keeps it as text in
`solutions/<topic>/adopted/<name>.py.txt`. Whenever exercises are made, a confined process with limits calls it. An
instructor can replace `name = adopted("name", __file__)` by a function of the same name; then the text is not run.
"""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.answers.attempt import Call, CallResult
from autograder.errors import CourseError
from autograder.sandbox.fork_server_client import ForkServerClient, hide_paths
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import StudentProcess

ADOPTED_FOLDER = "adopted"
ADOPTED_SUFFIX = ".py.txt"  # not .py, so that it cannot be imported by accident
# A call takes milliseconds; all calls of one release together have the time of one notebook.
LIMITS = Limits(cell_seconds=2.0, notebook_seconds=120.0, memory_bytes=2**30)
FATAL = ("too slow", "stopped")  # problems of the process, not of the mistake


class AdoptedProgramError(Exception):
    """An adopted program raised, as wrong programs may."""


class StoppedProgramError(BaseException):
    """An adopted program cannot be run to its end.

    It is no Exception: certification lets wrong programs raise, and would otherwise leave the misconception out.
    """


class AdoptedProgram:
    """An adopted program as a function, computed by a confined process."""

    def __init__(self, name: str, text: str) -> None:
        """Store the text; the first call starts a process."""
        self.__name__ = name
        self.source = text
        self._process: tuple[int, StudentProcess] | None = None
        self._lock = threading.Lock()

    def __call__(self, *inputs: object) -> Any:
        """Return what the program returns for these inputs.

        Raise AdoptedProgramError or StoppedProgramError.
        """
        (attempt,) = self.attempts([Call({f"input_{place}": value for place, value in enumerate(inputs)})])
        if attempt.problem:
            raise AdoptedProgramError(attempt.error.name if attempt.error else attempt.message)
        return attempt.value

    def attempts(self, calls: list[Call]) -> list[CallResult]:
        """Call the program in forks of its process, which share no state."""
        with self._lock:
            process = self._running_process()
            try:
                attempts = process.ask_in_fork(self.__name__, calls)
            except BaseException:  # a time limit of the caller: part of an answer may be in the pipe
                process.close()
                self._process = None
                raise
        for attempt in attempts:
            if attempt.problem in FATAL:
                raise StoppedProgramError(
                    f"the adopted program {self.__name__} cannot be run ({attempt.message or attempt.problem}): "
                    "replace it by a function of your own, or remove the misconception"
                )
        return attempts

    def _running_process(self) -> StudentProcess:
        """Return the process of this program, started on first use.

        A forked worker starts its own.
        """
        if self._process is None or self._process[0] != os.getpid():
            process = _fork_server().start({}, LIMITS)
            process.run(f"import numpy as np\n\n{self.source}")
            self._process = os.getpid(), process
        return self._process[1]


@contextmanager
def stopped_programs_told() -> Iterator[None]:
    """Convert StoppedProgramError to CourseError; also a decorator."""
    try:
        yield
    except StoppedProgramError as error:
        raise CourseError(str(error)) from None


def adopted(name: str, module: str) -> AdoptedProgram:
    """Read the adopted program of this name in a module's folder."""
    path = adopted_path(Path(module), name)
    hide_paths(path.parents[3])
    try:
        return AdoptedProgram(name, path.read_text("utf-8"))
    except OSError:
        raise CourseError(
            f"{path} is missing: put it back, or remove the misconception {name} from its task"
        ) from None


def adopted_path(module: Path, name: str) -> Path:
    """Return the path of an adopted program."""
    return module.resolve().parent / ADOPTED_FOLDER / f"{name}{ADOPTED_SUFFIX}"


_clients: dict[int, ForkServerClient] = {}


def _fork_server() -> ForkServerClient:
    """Return the fork server for adopted programs, one per process.

    Raise StoppedProgramError if the sandbox is incomplete on this machine.
    """
    if os.getpid() not in _clients:
        client = ForkServerClient(trusted=True)  # a missing protection raises below, with another message
        if client.protections.missing:
            client.close()
            missing = "; ".join(client.protections.missing)
            raise StoppedProgramError(
                f"programs of students run in the sandbox only, and this machine cannot enforce: {missing}; "
                "replace adopted programs by functions of your own"
            )
        _clients[os.getpid()] = client
        atexit.register(client.close)
    return _clients[os.getpid()]
