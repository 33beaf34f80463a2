"""Seccomp filter: the system calls that a student's process may not make.

To deny another call, add a line to the table: its name and its numbers on x86-64 and on 64-bit ARM.
"""

import ctypes
import platform
import struct

from autograder.sandbox.confine import DUMPABLE, NAMESPACE_FLAGS, SECCOMP, ConfineError, call_libc

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
    # the kernel itself: modules, BPF programs, keys, clocks, swap, ports, host names
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
    # shared memory and messages: no limit counts them, and some outlive their process
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
    # side channels between submissions: file locks and disk writes
    "flock": (73, 32),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # leaving the assigned core
    "sched_setaffinity": (203, 122),
    # lowering its own priority: waiting for a core is not charged
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
_SIGCHLD = 17  # number of the signal that tells a parent of the end of a child
_CLONE3 = 435
_FIRST_UNKNOWN_CALL = 451  # this number and above: calls that are newer than this table
_AF_UNIX = 1  # sockets within one machine
_DENIED_FCNTL_COMMANDS = (
    5,
    36,
    1024,
    1025,
    1026,
)  # F_GETLK, OFD F_GETLK, leases, notifications: they show other processes
_MAP_SHARED_ANONYMOUS = (
    0x21  # flags of mmap: shared anonymous memory is charged to no process once it is unmapped
)
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_SUCCEED, _EPERM, _ENOSYS, _EAFNOSUPPORT = _ERROR, _ERROR | 1, _ERROR | 38, _ERROR | 97
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_FIRST_ARGUMENT, _SECOND_ARGUMENT, _FOURTH_ARGUMENT = (
    16,
    24,
    40,
)  # offsets of the arguments in struct seccomp_data
Steps = list[tuple[int, int, int, int]]


def filter_system_calls() -> None:
    """Install the seccomp filter for this process and its children.

    It denies the calls above, newer calls, new namespaces, shared anonymous memory, and all sockets but Unix ones.
    Setting a handler for SIGCHLD reports success and has no effect.
    """
    machine = platform.machine()
    if machine not in _MACHINES:
        raise ConfineError(f"no list of system calls for {machine}")
    program = _build_filter(machine)
    buffer = ctypes.create_string_buffer(b"".join(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    packed = Program(len(program), ctypes.cast(buffer, ctypes.c_void_p).value)
    call_libc("prctl", SECCOMP, 2, ctypes.byref(packed), 0, 0)


def _denied_numbers(machine: str) -> list[int]:
    column = _MACHINES.index(machine)
    return [numbers[column] for numbers in DENIED.values() if numbers[column] is not None]  # type: ignore[misc]


def _build_filter(machine: str) -> list[bytes]:
    """Return the BPF program: (operation, jump if true, jump if false, value)."""
    steps: Steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    if machine == "x86_64":  # x32 calls have the same architecture number
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]
    steps += _refuse_if(_AT_LEAST, _FIRST_UNKNOWN_CALL, _ENOSYS)
    for number in _denied_numbers(machine):
        steps += _refuse_if(_EQUAL, number, _EPERM)
    steps += _refuse_if(_EQUAL, _CLONE3, _ENOSYS)  # the C library then uses clone, checked below
    steps += _check_argument(_CLONE[machine], _FIRST_ARGUMENT, _refuse_if(_ANY_BIT, NAMESPACE_FLAGS, _EPERM))
    # a process must stay dumpable, or the fork server could not read its memory use
    steps += _check_argument(_PRCTL[machine], _FIRST_ARGUMENT, _refuse_if(_EQUAL, DUMPABLE, _EPERM))
    fcntl_tests = [step for command in _DENIED_FCNTL_COMMANDS for step in _refuse_if(_EQUAL, command, _EPERM)]
    steps += _check_argument(_FCNTL[machine], _SECOND_ARGUMENT, fcntl_tests)
    mmap_tests = [(_AND, 0, 0, _MAP_SHARED_ANONYMOUS), *_refuse_if(_EQUAL, _MAP_SHARED_ANONYMOUS, _EPERM)]
    steps += _check_argument(_MMAP[machine], _FOURTH_ARGUMENT, mmap_tests)
    # ignoring SIGCHLD would hide the CPU time of children
    steps += _check_argument(_SIGACTION[machine], _FIRST_ARGUMENT, _refuse_if(_EQUAL, _SIGCHLD, _SUCCEED))
    for number in _SOCKETS[machine]:
        steps += _check_argument(
            number, _FIRST_ARGUMENT, [(_EQUAL, 1, 0, _AF_UNIX), (_RETURN, 0, 0, _EAFNOSUPPORT)]
        )
    steps += [(_RETURN, 0, 0, _ALLOW)]
    return [struct.pack("<HBBI", *step) for step in steps]


def _refuse_if(test: int, value: int, refusal: int) -> Steps:
    """Return the steps that refuse a call if the test is true."""
    return [(test, 0, 1, value), (_RETURN, 0, 0, refusal)]


def _check_argument(number: int, argument: int, tests: Steps) -> Steps:
    """Return the steps that test one argument of one call.

    The call is allowed if no test refuses it. Other calls continue after these steps.
    """
    block = [(_LOAD, 0, 0, argument), *tests, (_RETURN, 0, 0, _ALLOW)]
    return [(_EQUAL, 0, len(block), number), *block]
