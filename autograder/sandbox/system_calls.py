"""The system calls that a student's process is refused, and the filter that the kernel runs to refuse them.

To refuse one more, add a line to the table: its name, its numbers on x86-64 and on 64-bit ARM.
"""

import ctypes
import platform
import struct

from autograder.sandbox.confine import DUMPABLE, NAMESPACE_FLAGS, SECCOMP, ConfineError, call

# fmt: off
DENIED: dict[str, tuple[int | None, int | None]] = {
    # looking into other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    # file systems and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "nfsservctl": (180, 42),
    # the kernel itself: modules, programs in it, keys, clocks, swap, ports, names
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "query_module": (178, None),
    "get_kernel_syms": (177, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "reboot": (169, 142),
    "vhangup": (153, 58),
    "acct": (163, 89),
    "syslog": (103, 116),
    "uselib": (134, None),
    "personality": (135, 92),
    "lookup_dcookie": (212, 18),
    "_sysctl": (156, None),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    # memory that no limit counts, and that outlives who made it
    "memfd_create": (319, 279),
    "vmsplice": (278, 75),
    "setsockopt": (54, 208),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # what others notice: a lock on a file that all see, and disks that must be written at once
    "flock": (73, 32),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # another core than the one that was given
    "sched_setaffinity": (203, 122),
    # or behind everybody: what waits for a core is not counted
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
# fmt: on
_MACHINES = ("x86_64", "aarch64")
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SOCKETS = {"x86_64": (41, 53), "aarch64": (198, 199)}
_CLONE = {"x86_64": 56, "aarch64": 220}
_PRCTL = {"x86_64": 157, "aarch64": 167}
_FCNTL = {"x86_64": 72, "aarch64": 25}
_MMAP = {"x86_64": 9, "aarch64": 222}
_SIGACTION = {"x86_64": 13, "aarch64": 134}
_CHILD_ENDED = 17  # the signal
_CLONE3 = 435
_UNKNOWN = 451  # from here on: calls that kernels learnt after this table was written
_UNIX = 1  # the family of sockets within one machine
_LOOKS_AT_OTHERS = (5, 36, 1024, 1025, 1026)  # fcntl: whose lock, leases, notices
_SHARED_AND_NAMELESS = (
    0x21  # mmap: counted for nobody once it is not mapped, and kept while anyone could map it
)
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_DONE, _EPERM, _ENOSYS, _NO_FAMILY = _ERROR, _ERROR | 1, _ERROR | 38, _ERROR | 97
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_FIRST, _SECOND, _FOURTH = 16, 24, 40  # where the filter finds a call's arguments
Steps = list[tuple[int, int, int, int]]


def filter_system_calls() -> None:
    """Refuse the system calls above, all newer ones, new namespaces, shared memory, and all but unix sockets.

    Asked to do something when a child ends, the kernel says yes and does nothing.
    """
    machine = platform.machine()
    if machine not in _MACHINES:
        raise ConfineError(f"no list of system calls for {machine}")
    program = _filter(machine)
    buffer = ctypes.create_string_buffer(b"".join(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    packed = Program(len(program), ctypes.cast(buffer, ctypes.c_void_p).value)
    call("prctl", SECCOMP, 2, ctypes.byref(packed), 0, 0)


def _denied(machine: str) -> list[int]:
    place = _MACHINES.index(machine)
    return [numbers[place] for numbers in DENIED.values() if numbers[place] is not None]  # type: ignore[misc]


def _filter(machine: str) -> list[bytes]:
    """The program for the kernel's packet filter: (operation, jump if true, jump if false, value)."""
    steps: Steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    if machine == "x86_64":  # the x32 calls share the architecture's number
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    steps += _refused(_AT_LEAST, _UNKNOWN, _ENOSYS)
    for number in _denied(machine):
        steps += _refused(_EQUAL, number, _EPERM)
    steps += _refused(_EQUAL, _CLONE3, _ENOSYS)  # the C library then uses clone, checked below
    steps += _looked_at(_CLONE[machine], _FIRST, _refused(_ANY_BIT, NAMESPACE_FLAGS, _EPERM))
    # what may not be dumped may not be looked at either: the nursery counts the memory that it holds
    steps += _looked_at(_PRCTL[machine], _FIRST, _refused(_EQUAL, DUMPABLE, _EPERM))
    seen = [step for command in _LOOKS_AT_OTHERS for step in _refused(_EQUAL, command, _EPERM)]
    steps += _looked_at(_FCNTL[machine], _SECOND, seen)
    shared = [(_AND, 0, 0, _SHARED_AND_NAMELESS), *_refused(_EQUAL, _SHARED_AND_NAMELESS, _EPERM)]
    steps += _looked_at(_MMAP[machine], _FOURTH, shared)
    # whoever ignores how children end hides what they used; only a shell's `wait` for several then waits in vain
    steps += _looked_at(_SIGACTION[machine], _FIRST, _refused(_EQUAL, _CHILD_ENDED, _DONE))
    for number in _SOCKETS[machine]:
        steps += _looked_at(number, _FIRST, [(_EQUAL, 1, 0, _UNIX), (_RETURN, 0, 0, _NO_FAMILY)])
    steps += [(_RETURN, 0, 0, _ALLOW)]
    return [struct.pack("<HBBI", *step) for step in steps]


def _refused(test: int, value: int, refusal: int) -> Steps:
    """Refuse if the test is passed; else go on."""
    return [(test, 0, 1, value), (_RETURN, 0, 0, refusal)]


def _looked_at(number: int, argument: int, tests: Steps) -> Steps:
    """Allow this call if none of the tests of an argument refuses it; other calls go on behind this."""
    block = [(_LOAD, 0, 0, argument), *tests, (_RETURN, 0, 0, _ALLOW)]
    return [(_EQUAL, 0, len(block), number), *block]
