"""Programs of students that `dimred adopt` made misconceptions: text that runs in the sandbox, always.

NumPy is not memory-safe, so no filter of names makes a student's program harmless. A program is kept as text in
`solutions/<topic>/adopted/<name>.py.txt` and called in a confined process, with limits, whenever exercises are made. An
instructor who replaces `name = adopted("name", __file__)` by a function of the same name ends that.
"""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.answers.attempt import Attempt, Call
from autograder.errors import CourseError
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery, keep_private
from autograder.sandbox.process import StudentProcess

FOLDER = "adopted"
ENDING = ".py.txt"  # no module: nothing imports it by accident
# A call takes milliseconds; all calls of one release together have the time of a notebook.
LIMITS = Limits(cell_seconds=2.0, notebook_seconds=120.0, memory_bytes=2**30)
FATAL = ("too slow", "stopped")  # problems of a process, which say nothing about the mistake


class AdoptedProgramError(Exception):
    """A student's program raised, as wrong ways may."""


class StoppedProgramError(BaseException):
    """A student's program cannot be run to its end.

    Not an Exception: certification lets wrong ways raise, and would go on without the misconception.
    """


class AdoptedProgram:
    """A student's program as a function of the task's inputs, computed by a confined process."""

    def __init__(self, name: str, text: str) -> None:
        """Keep the text; a process is started at the first call."""
        self.__name__ = name
        self.source = text
        self._process: tuple[int, StudentProcess] | None = None
        self._lock = threading.Lock()

    def __call__(self, *inputs: Any) -> Any:
        """Return what the program makes of the inputs; raise AdoptedProgramError or StoppedProgramError."""
        (attempt,) = self.attempts([Call({f"input_{place}": value for place, value in enumerate(inputs)})])
        if attempt.problem:
            raise AdoptedProgramError(attempt.error.name if attempt.error else attempt.message)
        return attempt.value

    def attempts(self, calls: list[Call]) -> list[Attempt]:
        """Ask a copy of the process, so that no call leaves anything behind for the next one."""
        with self._lock:
            process = self._living_process()
            try:
                attempts = process.ask_copy(self.__name__, calls)
            except BaseException:  # a time limit of the caller: half an answer may be on its way
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

    def _living_process(self) -> StudentProcess:
        """Start the process, once; a forked worker needs one of its own."""
        if self._process is None or self._process[0] != os.getpid():
            process = _nursery().start({}, LIMITS)
            process.run(f"import numpy as np\n\n{self.source}")
            self._process = os.getpid(), process
        return self._process[1]


@contextmanager
def stopped_programs_told() -> Iterator[None]:
    """Turn a program that cannot be run to its end into one line for the instructor; also a decorator."""
    try:
        yield
    except StoppedProgramError as error:
        raise CourseError(str(error)) from None


def adopted(name: str, module: str) -> AdoptedProgram:
    """Read the program of this name that lies beside a module of tasks."""
    path = adopted_path(Path(module), name)
    keep_private(path.parents[3])
    try:
        return AdoptedProgram(name, path.read_text("utf-8"))
    except OSError:
        raise CourseError(
            f"{path} is missing: put it back, or remove the misconception {name} from its task"
        ) from None


def adopted_path(module: Path, name: str) -> Path:
    """Return where the program of a misconception lies."""
    return module.resolve().parent / FOLDER / f"{name}{ENDING}"


_open: dict[int, Nursery] = {}


def _nursery() -> Nursery:
    """Start the parent of all adopted programs' processes, once in this process; only where walls can be built."""
    if os.getpid() not in _open:
        nursery = Nursery(trusted=True)  # which is refused below, in words of its own
        if nursery.protections.missing:
            nursery.close()
            missing = "; ".join(nursery.protections.missing)
            raise StoppedProgramError(
                f"programs of students run in the sandbox only, and this machine cannot enforce: {missing}; "
                "replace adopted programs by functions of your own"
            )
        _open[os.getpid()] = nursery
        atexit.register(nursery.close)
    return _open[os.getpid()]
