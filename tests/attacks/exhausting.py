"""Attacks that take more than their share, do not end, or end too early."""

import nbformat

from tests.attacks.attack import (
    ALL_BUT_TOTAL,
    FULL,
    Attack,
    Files,
    Setting,
    answered,
    instead_of_total,
    notebook,
    wants_harm,
    wants_points,
)

SWALLOW = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
STOPPED = "ended early|too slow|stopped|longer than|out of time"


def many_slow_cells(setting: Setting) -> Files:
    made = answered(setting)
    for number in range(40):
        made.cells.append(nbformat.v4.new_code_cell("import time\ntime.sleep(0.9)", id=f"slow-{number}"))
    return notebook(made)


ATTACKS = (
    Attack(
        "fork-bomb",
        "Forks without end, in every child too.",
        wants_harm(
            """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
""",
            kills=True,
        ),
        deserves=FULL,
        told=STOPPED,
        kills=True,
    ),
    Attack(
        "eight-gigabytes",
        "Allocates eight gigabytes at once.",
        wants_points("import numpy\nheld = numpy.empty(2**30)\nworked = held.nbytes > 0"),
    ),
    Attack(
        "memory-of-children",
        "Lets six children hold 300 MB each, together more than one submission may use.",
        wants_points(
            """
import os, time
pipes = []
for _ in range(6):
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            held = b"x" * 300_000_000
            os.write(write, b"y")
            time.sleep(1)
        finally:
            os._exit(0)
    os.close(write)
    pipes.append(read)
worked = sum(len(os.read(one, 1)) for one in pipes) == 6
"""
        ),
    ),
    Attack(
        "memory-in-files",
        "Hides 600 MB in anonymous memory files, which no limit on the address space counts.",
        wants_points(
            """
import os
held = []
for _ in range(30):
    held.append(os.memfd_create("held"))
    for _ in range(20):
        os.write(held[-1], b"x" * 1_000_000)
worked = len(held) == 30
"""
        ),
    ),
    Attack(
        "fill-the-disk",
        "Writes files until the disk is full; 300 MB are taken for success.",
        wants_points(
            """
import os
written = 0
for folder in (".", "/tmp", "/dev/shm"):
    for number in range(300):
        try:
            with open(f"{folder}/filler-{number}", "wb") as file:
                file.write(b"x" * 1_000_000)
            written += 1
        except OSError as error:
            print(error)
            break
worked = written >= 300
"""
        ),
    ),
    Attack(
        "endless-cell",
        "Loops without end in a cell.",
        wants_harm("while True:\n    pass"),
        FULL,
        told=STOPPED,
    ),
    Attack(
        "endless-cell-swallowing",
        "Loops without end and swallows every exception, also those that only the grader raises.",
        wants_harm(SWALLOW),
        FULL,
        told=STOPPED,
    ),
    Attack(
        "endless-answer",
        "Never returns from the function that is asked, and swallows every exception.",
        instead_of_total(SWALLOW),
        ALL_BUT_TOTAL,
        told=STOPPED,
    ),
    Attack(
        "alarm-disarmed",
        "Ignores, blocks and replaces the timer signal before it loops.",
        wants_harm(
            """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
while True:
    pass
"""
        ),
        FULL,
        told=STOPPED,
    ),
    Attack(
        "stop-itself",
        "Stops its own process with a signal and waits to be waited for.",
        wants_harm(
            "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True:\n    signal.pause()"
        ),
        FULL,
        told=STOPPED,
    ),
    Attack(
        "many-slow-cells",
        "Adds forty cells, each just within the time limit of a cell.",
        many_slow_cells,
        FULL,
        told=STOPPED + "|time",
    ),
    Attack(
        "endless-output",
        "Prints without end.",
        wants_harm("while True:\n    print('x' * 100_000)"),
        FULL,
        told=STOPPED,
    ),
    Attack(
        "output-without-bound",
        "Lifts the limit on its own side and prints fifty megabytes, with as many pictures as it can.",
        wants_harm(
            """
import sys
import autograder.sandbox.student as own
own.MAX_OUTPUT = own.MAX_OUTPUTS = 10**9
from IPython.display import display
for number in range(30):
    display({"text/plain": "y" * 500_000, "image/png": "A" * 500_000}, raw=True)
print("x" * 20_000_000)
"""
        ),
        FULL,
    ),
    Attack(
        "giant-answer",
        "Returns an array of 200 megabytes.",
        instead_of_total("return np.zeros(25_000_000)"),
        ALL_BUT_TOTAL,
    ),
    Attack(
        "giant-number",
        "Returns a whole number of a million digits, in a list nested a thousand deep.",
        instead_of_total(
            "answer = 10 ** 1_000_000\nfor _ in range(1000):\n    answer = [answer]\nreturn answer"
        ),
        ALL_BUT_TOTAL,
    ),
    Attack("system-exit", "Raises SystemExit in a cell.", wants_harm("import sys\nsys.exit(0)"), FULL),
    Attack("quit", "Calls IPython's quit.", wants_harm("quit()"), FULL),
    Attack(
        "hard-exit",
        "Ends the process at once in a cell.",
        wants_harm("import os\nos._exit(0)"),
        FULL,
        told="ended early",
    ),
    Attack(
        "hard-exit-in-answer",
        "Ends the process at once when it is asked.",
        instead_of_total("import os\nos._exit(0)"),
        ALL_BUT_TOTAL,
        told="stopped",
    ),
    Attack(
        "base-exceptions",
        "Raises KeyboardInterrupt, GeneratorExit and an exception of its own that is no Exception.",
        instead_of_total(
            """
class Own(BaseException):
    pass
raise (KeyboardInterrupt if len(x) > 1 else Own)("stop")
"""
        ),
        ALL_BUT_TOTAL,
        told="raised",
    ),
    Attack(
        "exceptions-that-raise",
        "Raises exceptions whose text, name and class raise in turn.",
        instead_of_total(
            """
class Liar(Exception):
    def __str__(self):
        raise KeyboardInterrupt
    __repr__ = __str__
    @property
    def __class__(self):
        raise SystemExit
raise Liar
"""
        ),
        ALL_BUT_TOTAL,
        told="raised|stopped|ended early",
    ),
    Attack(
        "recursion-bomb",
        "Lifts the recursion limit and recurses until the stack is gone.",
        wants_harm("import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1) + 1\nf(0)"),
        FULL,
    ),
    Attack(
        "segfault",
        "Reads address zero.",
        wants_harm("import ctypes\nctypes.string_at(0)"),
        FULL,
        told="ended early",
    ),
    Attack(
        "threads-and-exit-handlers",
        "Leaves threads that spin and exit handlers that never return.",
        wants_harm(
            """
import atexit, threading, time
def spin():
    while True:
        time.sleep(0.01)
for _ in range(3):
    threading.Thread(target=spin).start()
atexit.register(spin)
print("left")
"""
        ),
        FULL,
    ),
    Attack(
        "process-limits-raised",
        "Raises its own limits again.",
        wants_points(
            """
import resource
for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
    soft, hard = resource.getrlimit(what)
    try:
        resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        worked = True
    except (OSError, ValueError) as error:
        print(error)
"""
        ),
    ),
)
