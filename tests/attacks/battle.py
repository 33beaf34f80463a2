"""Grade a class of attackers among honest students, and observe what came of it.

Secrets are marked with canaries: words that occur nowhere but in the file they mark. A canary, or the numbers of
secret cases, in anything that a student gets to see is a leak.
"""

import contextlib
import json
import os
import re
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat

from autograder.course.course import Course
from autograder.grading import gradebook
from autograder.grading.choose import load_assignment
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.outcome import Outcome
from autograder.grading.workers import local_grading_pool
from autograder.reports.feedback import write_feedback
from autograder.reports.report import write_report
from autograder.sandbox.limits import Limits
from tests.attacks import cheating, exhausting, forging, pressing, reaching
from tests.attacks.attack import FULL, Attack, Setting, answered, cell, hand_in, notebook

ATTACKS = reaching.ATTACKS + exhausting.ATTACKS + pressing.ATTACKS + cheating.ATTACKS + forging.ATTACKS
LIMITS = Limits(cell_seconds=1.0, notebook_seconds=10, memory_bytes=512 * 2**20, file_bytes=32 * 2**20)
HONEST = {"honest-full": FULL, "honest-partial": 2.5, "honest-forms": FULL, "honest-busy": FULL}
# what they answer otherwise than the solution does
ANSWERS = {
    "honest-partial": {"total": "def NAME(x):\n    return float(np.sum(x))", "binomial": None},
    "honest-forms": {
        "total": "def NAME(x):\n    return np.array([[np.sum(x * x)]], dtype='>c16')",
        "cubes": "def NAME(X):\n    return np.asfortranarray((X.astype('>f8') ** 3 + 0j))[::-1][::-1]",
    },
    "honest-busy": {  # most of the time that an answer may take, by the clock of its own processor
        "total": "def NAME(x):\n    import time\n    begun = time.process_time()\n"
        "    while time.process_time() < begun + 0.6:\n        pass\n    return float(np.sum(x * x))",
    },
}
WRITTEN_BY_GRADING = (
    "attempts",
    "audit",
    "autograded",
    "verdicts",
    "feedback",
    "report",
    "exchange",
    "grading.lock",
    "squares.audit.json",  # the head of the log of score changes
    "gradebook.db",
    "__pycache__",
)
NUMBER = re.compile(r"-?\d+\.\d+")
SECRETS_THAT_MAKE_A_LEAK = 3  # two decimals coincide by chance, three hardly


@dataclass
class Doors:
    """Listeners that no submission may reach, and what arrived at them."""

    tcp: int
    udp: int
    unix: str
    heard: list[str] = field(default_factory=list)


@contextlib.contextmanager
def doors(folder: Path, token: str) -> Iterator[Doors]:
    """Open a TCP, a UDP and two unix sockets, and listen."""
    path = f"/tmp/{token}.socket"  # the address of a unix socket is at most 107 bytes long
    listeners = [
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX),
    ]
    tcp, udp, unix, abstract = listeners
    udp.bind(("127.0.0.1", 0))
    unix.bind(path)
    abstract.bind("\0" + token)
    opened = Doors(tcp.getsockname()[1], udp.getsockname()[1], path)
    for name, one in zip(("tcp", "udp", "unix", "abstract"), listeners, strict=True):
        if one.type == socket.SOCK_STREAM:
            one.listen()
        threading.Thread(target=_listen, args=(name, one, opened.heard), daemon=True).start()
    try:
        yield opened
    finally:
        for one in listeners:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        Path(path).unlink()


def _listen(name: str, door: socket.socket, heard: list[str]) -> None:
    with contextlib.suppress(OSError):
        while True:
            data = door.recv(100) if door.type == socket.SOCK_DGRAM else door.accept()[0].recv(100)
            heard.append(f"{name}: {data!r}")


@dataclass
class Battle:
    """Everything that was observed."""

    course: Course
    setting: Setting
    attacks: tuple[Attack, ...]
    canaries: dict[str, str]
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    crashes: dict[str, str] = field(default_factory=dict)  # student → what ended the whole batch
    heard: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    before: set[str] = field(default_factory=set)
    after: set[str] = field(default_factory=set)
    page_errors: list[str] = field(default_factory=list)

    def files_of(self, student: str) -> Iterator[Path]:
        """Every file that grading wrote for a student."""
        classroom = self.course.classroom
        for folder in ("autograded", "feedback"):
            yield from sorted(one for one in (classroom / folder / student).rglob("*") if one.is_file())
        verdict = classroom / "verdicts" / "squares" / f"{student}.json"
        with contextlib.suppress(OSError):  # a name can be too long to ask about
            yield from [verdict] if verdict.is_file() else []

    def leaks(self, text: str) -> list[str]:
        """Which canaries, and how many of the secret numbers, a text holds."""
        found = [name for name, canary in self.canaries.items() if canary in text]
        seen = {float(number) for number in NUMBER.findall(text)} & set(self.setting.numbers)
        return [*found, *(["secret numbers"] if len(seen) >= SECRETS_THAT_MAKE_A_LEAK else [])]


def prepare(course: Course, door: Doors, token: str, outside: Path) -> Battle:
    """Mark the secrets of a classroom with canaries and gather what attackers may know."""
    canaries = {
        name: f"canary-{name}-{secrets.token_hex(8)}"
        for name in ("key", "solution", "gradebook", "classmate", "environment", "outside")
    }
    key = course.classroom / "keys" / "squares.secret.json"
    tree = json.loads(key.read_text("utf-8"))
    tree["tasks"]["total"]["cases"][0]["name"] += f" {canaries['key']}"
    key.write_text(json.dumps(tree), "utf-8")
    assignment = load_assignment(course, "squares")
    source_path = course.classroom / "source" / "squares" / "squares.ipynb"
    source = nbformat.read(source_path, as_version=4)
    tasks = course.root / "solutions" / "squares" / "tasks.py"
    tasks.write_text(f"# {canaries['solution']}\n{tasks.read_text('utf-8')}", "utf-8")
    with open_gradebook(course) as book:
        book.update_or_create_student("classmate", first_name=canaries["gradebook"])
    (outside / "diary.txt").write_text(canaries["outside"])
    release = nbformat.reads(assignment.release, as_version=4)
    setting = Setting(
        release,
        source,
        course.root,
        outside,
        door.tcp,
        door.udp,
        door.unix,
        token,
        os.readlink("/proc/self/ns/pid"),
        secret_numbers(tree, assignment.public),
    )
    return Battle(course, setting, (), canaries)


def secret_numbers(secret: Any, public: str) -> tuple[float, ...]:
    """The inputs of secret cases, but for numbers that the public key holds as well."""
    known = {float(number) for number in NUMBER.findall(public)}
    cases = [case for task in secret["tasks"].values() if task["kind"] == "code" for case in task["cases"]]
    texts = [json.dumps(case["inputs"]) for case in cases]
    return tuple(
        float(number) for text in texts for number in NUMBER.findall(text) if float(number) not in known
    )


def hand_in_all(battle: Battle, attacks: tuple[Attack, ...]) -> None:
    """Write the class: the honest students first, because others link to their work."""
    submitted = battle.course.classroom / "submitted"
    for student in HONEST:
        made = answered(battle.setting, **ANSWERS.get(student, {}))
        cell(made, "why").source = f"Because {battle.canaries['classmate']}."
        hand_in(submitted / student / "squares", notebook(made))
    for attack in attacks:
        hand_in(submitted / attack.handed_in_by / "squares", attack.build(battle.setting))


def fight(battle: Battle, attacks: tuple[Attack, ...], limits: Limits = LIMITS) -> Battle:
    """Hand in, grade, write the pages, and look around."""
    hand_in_all(battle, attacks)
    battle = replace(battle, attacks=attacks, before=listing(battle.course))
    os.environ["COURSE_TOKEN"] = battle.canaries["environment"]
    try:
        with local_grading_pool(2) as examiners:
            _grade_to_the_end(battle, examiners, limits)
    finally:
        del os.environ["COURSE_TOKEN"]
    battle.scores = {
        student: one["score"] for student, one in gradebook.scores(battle.course, "squares").items()
    }
    for write in (write_feedback, write_report):
        try:
            write(battle.course, "squares")
        except Exception as error:
            battle.page_errors.append(f"{write.__name__}: {type(error).__name__}: {error}")
    battle.after = listing(battle.course)
    battle.survivors = survivors(battle.setting.token)
    battle.strays = strays(battle)
    return battle


def _grade_to_the_end(battle: Battle, examiners: Any, limits: Limits) -> None:
    """Grade; if one submission ends the batch, remember which, set it aside, and go on with the others."""
    aside = battle.course.root.parent / "aside"
    aside.mkdir()
    while True:
        try:
            for one in grade(battle.course, "squares", examiners, GradingOptions(limits)):
                battle.outcomes[one.student] = one
            break
        except Exception as error:
            student = _culprit(error)
            battle.crashes[student] = f"{type(error).__name__}: {error}"
            (battle.course.classroom / "submitted" / student).rename(aside / f"{len(battle.crashes)}")
    for number, student in enumerate(battle.crashes, start=1):
        (aside / f"{number}").rename(battle.course.classroom / "submitted" / student)
    aside.rmdir()


def _culprit(error: Exception) -> str:
    """The student whose submission the batch was busy with when it ended."""
    trace = error.__traceback__
    found = None
    while trace:
        finished = trace.tb_frame.f_locals.get("finished")
        found = getattr(finished, "student", None) or trace.tb_frame.f_locals.get("student") or found
        trace = trace.tb_next
    if found is None:
        raise error
    return str(found)


def listing(course: Course) -> set[str]:
    """The files of a course but for those that grading writes."""
    paths = (path.relative_to(course.root) for path in course.root.rglob("*"))
    return {str(path) for path in paths if not set(path.parts) & set(WRITTEN_BY_GRADING)}


def survivors(token: str) -> list[str]:
    """Processes that carry the token in their name or command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            texts = (entry / "comm").read_text(), (entry / "cmdline").read_text("utf-8", "replace")
            if int(entry.name) != os.getpid() and (texts[0].strip() == token[:15] or token in texts[1]):
                found.append(entry.name)
    return found


def strays(battle: Battle) -> list[str]:
    """Files that carry the token where nobody but an attacker would write them."""
    places = [
        Path("/"),
        Path.home(),
        Path("/tmp"),
        Path("/var/tmp"),
        Path("/dev/shm"),
        battle.setting.outside,
    ]
    places += [
        battle.course.root,
        battle.course.root.parent,
        *(p for p in battle.course.root.rglob("*") if p.is_dir()),
    ]
    return [str(place) for place in places if (place / battle.setting.token).exists()]
