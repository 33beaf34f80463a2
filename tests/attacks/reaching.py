"""Attacks that reach for what is not theirs: files, memory, the network, other processes."""

from tests.attacks.attack import Attack, wants_harm, wants_points

SHOW = """
import re
def show(data):
    found = sorted(set(re.findall(rb"canary-[a-z]+-[0-9a-f]{16}", data)))
    print(*[one.decode() for one in found], sep="\\n")
    return bool(found)
"""

ATTACKS = (
    Attack(
        "read-solution",
        "Opens the tasks and the source notebook by their absolute paths and copies the solution.",
        wants_points(
            SHOW
            + """
for path in ("solutions/squares/tasks.py", "classroom/source/squares/squares.ipynb"):
    try:
        worked |= show(open(f"{ROOT}/{path}", "rb").read())
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "read-secret-key",
        "Opens the secret key and prints it.",
        wants_points(
            """
text = open(f"{ROOT}/classroom/keys/squares.secret.json").read()
print(text)
worked = True
"""
        ),
    ),
    Attack(
        "read-gradebook",
        "Opens the gradebook as a database and prints every name in it.",
        wants_points(
            """
import sqlite3
database = sqlite3.connect(f"file:{ROOT}/classroom/gradebook.db?mode=ro", uri=True)
print(database.execute("select * from student").fetchall())
worked = True
"""
        ),
    ),
    Attack(
        "read-classmate",
        "Opens a classmate's notebook and prints it.",
        wants_points(
            """
text = open(f"{ROOT}/classroom/submitted/honest-full/squares/squares.ipynb").read()
print(text)
worked = True
"""
        ),
    ),
    Attack(
        "search-the-disk",
        "Walks the whole file system for keys, notebooks, databases and tasks, and greps them.",
        wants_points(
            SHOW
            + """
import os, time
until = time.monotonic() + 1.2
skipped = {"proc", "sys", "site-packages", "node_modules", "share", "doc", "locale", "lib", ".git"}
for folder, folders, names in os.walk("/"):
    folders[:] = [one for one in folders if one not in skipped]
    for name in names:
        if name.endswith((".json", ".ipynb", ".db", "tasks.py", ".secret", ".txt")):
            try:
                worked |= show(open(os.path.join(folder, name), "rb").read(2_000_000))
            except OSError:
                pass
    if time.monotonic() > until:
        break
"""
        ),
    ),
    Attack(
        "search-proc",
        "Reads the environment, working folder, root and open files of every process in /proc.",
        wants_points(
            SHOW
            + """
import os
for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
    for path in ("environ", "cmdline", f"root{ROOT}/classroom/keys/squares.secret.json", "cwd/pyproject.toml"):
        try:
            data = open(f"/proc/{pid}/{path}", "rb").read()
            worked |= show(data) or path.startswith("root")
        except OSError:
            pass
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
        worked |= any(ROOT in link for link in links)
    except OSError:
        pass
"""
        ),
    ),
    Attack(
        "climb-out",
        "Climbs through parent folders, chroot, a mount, an unshared namespace and file handles.",
        wants_points(
            """
import ctypes, os
C = ctypes.CDLL(None, use_errno=True)
os.makedirs("deep", exist_ok=True)
for escape in (
    lambda: None,
    lambda: os.chroot("deep"),
    lambda: C.unshare(0x10000000 | 0x00020000),
    lambda: C.mount(b"proc", b"/proc", b"proc", 0, None),
    lambda: C.setns(os.open("/proc/1/ns/mnt", os.O_RDONLY), 0),
    lambda: C.umount2(b"/", 2),
):
    try:
        escape()
        for up in range(12):
            worked |= os.path.exists("../" * up + ROOT.lstrip("/") + "/_toc.yml")
    except Exception as error:
        print("refused:", error)
"""
        ),
    ),
    Attack(
        "inherited-files",
        "Looks through every open file descriptor for something that the grader forgot to close.",
        wants_points(
            """
import os, stat
for number in range(3, 1024):
    try:
        kind = os.fstat(number).st_mode
    except OSError:
        continue
    print(number, oct(kind))
    if stat.S_ISDIR(kind):
        worked |= os.path.exists(f"/proc/self/fd/{number}{ROOT}/_toc.yml")
    if stat.S_ISREG(kind):
        worked |= b"canary" in os.pread(number, 10**6, 0)
"""
        ),
    ),
    Attack(
        "inherited-memory",
        "Searches the interpreter's objects and the process's own memory for keys and classmates.",
        wants_points(
            SHOW
            + """
import gc, sys
worked |= any(type(one).__name__ in ("Key", "OpenCase", "Assignment") for one in gc.get_objects())
words = [word for one in gc.get_objects() if type(one) is dict for word in list(one.values()) if type(word) is str]
worked |= show("\\n".join(words).encode("utf-8", "replace"))
for line in open("/proc/self/maps"):
    area, rights, *_ = line.split()
    start, end = (int(edge, 16) for edge in area.split("-"))
    if "rw" in rights and end - start < 2**27:
        with open("/proc/self/mem", "rb") as memory:
            memory.seek(start)
            worked |= show(memory.read(end - start))
"""
        ),
    ),
    Attack(
        "read-environment",
        "Prints the environment, where tokens live.",
        wants_points("import os\nprint(dict(os.environ))\nworked = 'COURSE_TOKEN' in os.environ"),
    ),
    Attack(
        "import-reference",
        "Imports the reference package, the solutions, or the tests, to call the right answer.",
        wants_points(
            """
import importlib, sys
sys.path += [ROOT, ROOT + "/solutions"]
for name in ("dimred_ref.pca", "dimred_ref", "solutions.squares.tasks", "squares.tasks", "tests.conftest"):
    try:
        importlib.import_module(name)
        print("imported", name)
        worked = True
    except ImportError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "write-outside",
        "Writes marked files into the course, the home folder and the machine's temporary folders.",
        wants_harm(
            """
import os
for folder in (ROOT, ROOT + "/classroom", ROOT + "/classroom/keys", OUTSIDE, "/tmp", "/var/tmp", "/dev/shm",
               os.path.expanduser("~"), "/", "..", "../.."):
    try:
        open(f"{folder}/{TOKEN}", "w").write("here")
    except OSError as error:
        print(error)
""",
            kills=True,
        ),
        deserves=5.0,
    ),
    Attack(
        "write-gradebook",
        "Gives everyone three points more, and a classmate's notebook another answer.",
        wants_points(
            """
import sqlite3
try:
    database = sqlite3.connect(f"file:{ROOT}/classroom/gradebook.db?mode=rw", uri=True, timeout=1)
    database.execute("update grade set manual_score = 3")
    database.commit()
finally:
    open(f"{ROOT}/classroom/submitted/honest-full/squares/squares.ipynb", "r+").write("{")
"""
        ),
    ),
    Attack(
        "edit-the-engine",
        "Opens the engine, numpy and the interpreter's start-up files for writing.",
        wants_points(
            """
import autograder.sandbox.wire, numpy, os, site
for path in (autograder.sandbox.wire.__file__, numpy.__file__, site.__file__):
    try:
        os.close(os.open(path, os.O_WRONLY))
        worked = True
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "network-tcp",
        "Connects to a listener on this machine and sends what it has.",
        wants_points(
            """
import socket
with socket.create_connection(("127.0.0.1", TCP), 1) as door:
    door.sendall(TOKEN.encode())
    worked = True
"""
        ),
    ),
    Attack(
        "network-udp",
        "Sends a datagram, as a DNS query would be sent.",
        wants_points(
            """
import socket
door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
door.sendto(TOKEN.encode(), ("127.0.0.1", UDP))
worked = True
"""
        ),
    ),
    Attack(
        "network-unix",
        "Connects to unix sockets, one with a path and one without, that a service of the machine listens on.",
        wants_points(
            """
import socket
for address in (UNIX, "\\0" + TOKEN):
    door = socket.socket(socket.AF_UNIX)
    try:
        door.connect(address)
        door.sendall(TOKEN.encode())
        worked = True
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "network-other-families",
        "Opens raw, packet, netlink, version 6 and virtual-machine sockets.",
        wants_points(
            """
import socket
for family, kind in ((10, 1), (16, 3), (17, 3), (2, 3), (40, 1), (38, 5)):
    try:
        door = socket.socket(family, kind)
        if family == 10:
            door.settimeout(1)
            door.connect(("::1", TCP))
        worked = True
        print("opened", family, kind)
    except OSError as error:
        print(error)
"""
        ),
    ),
    Attack(
        "kill-everyone",
        "Kills its parent, every process it can name, and everything it may signal at once.",
        wants_harm(
            """
import os, signal
for pid in [os.getppid(), *range(2, 40_000), -1]:
    if pid and pid != os.getpid():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
""",
            kills=True,
        ),
        deserves=5.0,
        kills=True,
    ),
    Attack(
        "leave-processes",
        "Leaves processes behind: forked twice, in sessions of their own, with closed files.",
        wants_harm(
            """
import ctypes, os, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 256)
        ctypes.CDLL(None).prctl(15, TOKEN[:15].encode(), 0, 0, 0)
        time.sleep(300)
    os._exit(0)
subprocess.Popen(["/bin/sh", "-c", f"sleep 300; : {TOKEN}"], start_new_session=True)
print("left")
"""
        ),
        deserves=5.0,
    ),
)
