"""Attacks on classmates' time, on the trusted side, and on what the walls are built of."""

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
from tests.attacks.cheating import FIND_CHANNEL, formulas
from tests.attacks.exhausting import STOPPED, SWALLOW


def many_cells(number: int, source: str):
    """Honest work, and after it so many cells of the same text."""

    def build(setting: Setting) -> Files:
        made = answered(setting)
        for place in range(number):
            made.cells.append(nbformat.v4.new_code_cell(source, id=f"many-{place}"))
        return notebook(made)

    return build


def late_everywhere(setting: Setting) -> Files:
    """Every cell and every answer takes all the time that it can get."""
    wait = "import time\nbegun = time.monotonic()\nwhile time.monotonic() < begun + 1.2:\n    pass\n"
    body = "    import time\n    time.sleep(1.2)\n    return 0.0"
    made = answered(setting, total=f"{wait}def NAME(x):\n{body}", cubes=f"{wait}def NAME(X):\n{body}")
    for place in range(30):
        made.cells.insert(1, nbformat.v4.new_code_cell(wait, id=f"late-{place}"))
    return notebook(made)


PICTURES = """
import base64
from IPython.display import display
header = bytes([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]) + b"IHDR" + bytes([0, 0, 0, 1] * 2)
picture = base64.b64encode(header + bytes(600_000)).decode()
for _ in range(8):
    display({"image/png": picture, "text/plain": "p"}, raw=True)
"""
FILL_SOCKETS = """
import contextlib, os, socket, time
def fill(held):
    while True:
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        held.append(pair)
        for one in pair:
            with contextlib.suppress(PermissionError):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**30)
            one.setblocking(False)
            try:
                while True:
                    held.append(one.send(b"x" * 50_000))
            except BlockingIOError:
                pass
total, pipes = 0, []
for _ in range(28):
    read, write = os.pipe()
    try:
        child = os.fork()
    except OSError:
        break
    if child == 0:
        held = []
        try:
            fill(held)
        except OSError:
            pass
        os.write(write, str(sum(one for one in held if isinstance(one, int))).encode().rjust(20))
        time.sleep(2)
        os._exit(0)
    os.close(write)
    pipes.append(read)
"""

LOAD = (
    Attack(
        "busy-processes",
        "Keeps as many processes busy as it may start, while classmates work.",
        wants_harm(
            """
import os
while True:
    try:
        if os.fork() == 0:
            while True:
                pass
    except OSError:
        break
while True:
    pass
""",
            kills=True,
        ),
        FULL,
        told=STOPPED,
        kills=True,
    ),
    Attack(
        "busy-and-unaccounted",
        "Keeps children busy that nobody waits for, each too short-lived to be looked at.",
        wants_harm(
            """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    try:
        if os.fork() == 0:
            begun = time.monotonic()
            while time.monotonic() < begun + 0.05:
                pass
            os._exit(0)
    except OSError:
        pass
""",
            kills=True,
        ),
        FULL,
        told=STOPPED,
        kills=True,
    ),
    Attack(
        "late-everywhere",
        "Takes nearly all its time in thirty cells and in every answer, so that all is run again.",
        late_everywhere,
        (0.0, 2.0),
        told=STOPPED,
    ),
    Attack(
        "swallows-in-every-answer",
        "Never returns from any function that is asked.",
        lambda setting: notebook(
            answered(
                setting,
                total="def NAME(x):\n" + SWALLOW.replace("\n", "\n    "),
                cubes="def NAME(X):\n" + SWALLOW.replace("\n", "\n    "),
            )
        ),
        (0.0, 2.0),
        told=STOPPED,
    ),
    Attack(
        "another-core",
        "Moves to the cores that classmates use, before them in the queue, or behind everybody, where no time passes.",
        wants_points(
            """
import os
try:
    os.sched_setaffinity(0, range(os.cpu_count()))
    worked = len(os.sched_getaffinity(0)) > 1
except OSError as error:
    print(error)
for place in (
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
    lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
    lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
    lambda: os.sched_setparam(0, os.sched_param(0)),
):
    try:
        place()
        worked = True
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "system-v-memory",
        "Holds memory in System V segments and messages in queues, which no limit counts.",
        wants_points(
            """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
made = [libc.shmget(0, 2**30, 0o1600), libc.msgget(0, 0o1600), libc.semget(0, 250, 0o1600)]
made.append(libc.mq_open(b"/held", 0o102, 0o600, None))
worked = any(one >= 0 for one in made)
print(made)
"""
        ),
    ),
    Attack(
        "hidden-memory",
        "Asks not to be dumped, so that nobody may look at what it holds.",
        wants_points("import ctypes\nworked = ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0"),
    ),
    Attack(
        "memory-in-sockets",
        "Fills the buffers of sockets in all its processes; a quarter of a gigabyte is taken for success.",
        wants_points(FILL_SOCKETS + "worked = sum(int(os.read(one, 20)) for one in pipes) > 2.5 * 10**8"),
    ),
)

BURDENS = (
    Attack(
        "outputs-of-eighty-cells",
        "Shows eight pictures of 800 kB in each of eighty cells.",
        many_cells(80, PICTURES),
        FULL,
    ),
    Attack(
        "outputs-of-a-thousand-cells",
        "Prints as much as one cell may, a thousand times.",
        many_cells(1000, "print('x' * 99_000)"),
        (0.0, FULL),
    ),
    Attack(
        "formulas-of-tiny-numbers",
        "Gives powers of tiny numbers and logarithms of them.",
        formulas("'(1e-299)**9999'", "'log((1e-299)**9999) + (a*1e-300)**9999 * (b*1e-300)**-9999'"),
        3.0,
    ),
    Attack(
        "formulas-that-recur",
        "Gives functions at orders and arguments where libraries never come to an end.",
        formulas("'polygamma(-1e5, 0.5)'", "'polygamma(-2**900, a) + Mod(I*a, b) + beta(-2**900, I*2**900)'"),
        3.0,
    ),
    Attack(
        "formulas-by-the-thousand",
        "Gives ten thousand formulas where one is asked for.",
        formulas("['gamma(0.1)'] * 10_000", "[['gamma(a)**b' * 1] * 100] * 100"),
        3.0,
    ),
    Attack(
        "formulas-that-are-deep",
        "Gives sums of ten thousand terms, chains of attributes, and brackets in brackets.",
        formulas("'+'.join(['1'] * 9_000)", "'a' + '.real' * 3_000"),
        3.0,
    ),
    Attack(
        "formulas-in-a-function",
        "Returns long formulas, each as large as may be, from a function that is asked many times.",
        instead_of_total("return '+'.join(['gamma(1.5)**loggamma(2.5)'] * 240)"),
        ALL_BUT_TOTAL,
    ),
    Attack(
        "formulas-of-many-digits",
        "Gives numbers of twenty thousand digits, each of which might begin another number.",
        formulas("'9' * 19_900", "'1' * 19_900 + '0 %'"),
        3.0,
    ),
    Attack(
        "shapes-that-are-squared",
        "Returns tables whose products with themselves take gigabytes, or hours.",
        lambda setting: notebook(
            answered(
                setting,
                total="def NAME(x):\n    return np.ones((1, 10**6))",
                cubes="def NAME(X):\n    return np.ones((20_000 if X[0, 0] > 0 else 10**6, 1))",
            )
        ),
        2.0,
    ),
    Attack(
        "outputs-that-are-no-text",
        "Sends lists in lists where a text belongs, as deep as they can be read.",
        wants_harm(
            FIND_CHANNEL
            + """
deep = "[" * 900 + "]" * 900
for kind in ('"stream", "text"', '"error", "evalue"', '"error", "traceback"'):
    channel().sendall(pack(('{"outputs": [{"output_type": %s: %s}]}' % (kind, deep)).encode()))
"""
        ),
        (0.0, FULL),  # a reply too many confuses its own answers
    ),
    Attack(
        "reply-impossible-numbers",
        "Sends numbers of four hundred digits and infinities as sizes, rows and values.",
        instead_of_total(
            """
door = channel()
huge = 10 ** 400
def forged(value):
    return {"value": value, "problem": "", "message": "", "half": True}
values = [{"array": "<f8", "shape": [huge], "rows": [huge]}, {"array": "<f8", "shape": [1], "rows": [huge]},
          {"array": "<i8", "shape": [float("inf")], "rows": [float("inf")]},
          {"array": "<i8", "shape": [2], "rows": [float("nan"), float("inf")]}]
door.sendall(pack({"attempts": [forged(value) for value in values]}))
door.sendall(pack({"attempts": [forged(value) for value in values[:2]]}))
os._exit(0)
""",
            first=FIND_CHANNEL,
        ),
        (0.0, ALL_BUT_TOTAL),  # a reply too many confuses its own answers
    ),
    Attack(
        "reply-claims-to-be-coarse",
        "Claims half precision for an answer that is off by one in a hundred.",
        instead_of_total("return np.float16((x * x).sum() * 1.01)"),
        ALL_BUT_TOTAL,
    ),
)

WALLS = (
    Attack(
        "write-into-mounts",
        "Writes into everything that is mounted, wherever it is.",
        wants_points(
            """
import os
own = ("/box", "/tmp", "/dev/shm", "/proc")
places = {line.split()[4] for line in open("/proc/self/mountinfo")}
for place in places:
    inside = [os.path.join(place, name) for name in os.listdir(place)] if os.path.isdir(place) else []
    for folder in [place, *inside]:
        if not folder.startswith(own) and os.path.isdir(folder):
            try:
                with open(f"{folder}/{TOKEN}", "w"):
                    print("wrote", folder)
                    worked = True
            except OSError:
                pass
"""
        ),
    ),
    Attack(
        "find-the-public-key",
        "Looks for the public key beside the notebook, to try all answers by hand.",
        wants_points(
            """
import glob, os
found = [path for folder in (".", "/tmp", ROOT) for path in glob.glob(f"{folder}/**/*.key.json", recursive=True)]
worked = bool(found)
"""
        ),
    ),
    Attack(
        "reference-beside-the-engine",
        "Looks for whatever was installed or checked out beside the engine.",
        wants_points(
            """
import autograder, os, sys
beside = os.path.dirname(os.path.dirname(autograder.__file__))
for name in ("dimred_ref", "solutions", "classroom", "tests", "exercises"):
    if os.path.isdir(f"{beside}/{name}") and os.listdir(f"{beside}/{name}"):
        worked = True
for folder in sys.path:
    worked = worked or os.path.exists(os.path.join(folder, "dimred_ref", "__init__.py"))
"""
        ),
    ),
    Attack(
        "new-users",
        "Makes users of its own, in whose space it would be root and its limits begin anew.",
        wants_points(
            """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
worked = libc.unshare(0x10000000) == 0 or libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0) > 0
try:
    open("/proc/self/uid_map", "w").write("0 0 1")
    worked = True
except OSError as error:
    print(error)
"""
        ),
    ),
)

SIGNS = (
    Attack(
        "memory-without-a-name",
        "Asks for memory that is held without being mapped: shared and nameless, or in pipes.",
        wants_points(
            """
import ctypes, mmap, os
try:
    mmap.mmap(-1, 2**20)
    worked = True
except OSError as error:
    print(error)
class Piece(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t))
room = ctypes.create_string_buffer(4096)
piece = Piece(ctypes.addressof(room), 4096)
if ctypes.CDLL(None).vmsplice(os.pipe()[1], ctypes.byref(piece), 1, 0) > 0 or os.path.exists("/dev/zero"):
    worked = True
"""
        ),
    ),
    Attack(
        "signs-for-an-accomplice",
        "Looks for what another student's program would notice: locks, leases, the load of the machine.",
        wants_points(
            """
import fcntl, os, struct
file = os.open("/usr/bin/env", os.O_RDONLY)
own = os.open("own", os.O_CREAT | os.O_RDWR)
query = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
for sign in (
    lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
    lambda: fcntl.fcntl(file, fcntl.F_GETLK, query),
    lambda: fcntl.fcntl(file, 36, query),
    lambda: fcntl.fcntl(own, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    lambda: fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, 1),
    *(lambda name=name: os.stat(f"/proc/{name}") for name in ("loadavg", "meminfo", "stat", "locks", "sys")),
):
    try:
        print("left", sign())
        worked = True
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "calls-of-tomorrow",
        "Tries system calls that kernels learnt lately, and those that keep all disks busy.",
        wants_points(
            """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for number in (*range(451, 475), 162, 306):
    ctypes.set_errno(0)
    if libc.syscall(number, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        print(number)
        worked = True
"""
        ),
    ),
)

ATTACKS = LOAD + BURDENS + WALLS + SIGNS
