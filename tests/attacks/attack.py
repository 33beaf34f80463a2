"""What an attack is: data. A name, a sentence, the files it hands in, and what the honest part of it deserves.

An attack that wants points defines `worked`; only then do its functions know the right answers. So the score
itself shows whether the attack worked. An attack that wants to do harm comes with honest work, which must keep
its points.
"""

import copy
import json
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from autograder.demo import filled_in

FULL = 5.0  # what grading gives at once; the open question waits for a person
ALL_BUT_TOTAL = 3.0
CANARY = r"canary-[a-z]+-[0-9a-f]{16}"


@dataclass(frozen=True)
class Link:
    """A symbolic link to an absolute path; instead of the student's whole folder, if it says so."""

    target: str
    whole: bool = False


@dataclass(frozen=True)
class Setting:
    """What the best informed attacker could know: where everything is, and which doors there are to try."""

    release: Any
    source: Any
    root: Path  # of the course
    outside: Path  # a folder that is none of the grader's business
    tcp: int
    udp: int
    unix: str
    token: str  # marks files and processes, so that they are recognised afterwards
    namespace: str  # the process space of the machine: attacks that kill refuse to run in it
    numbers: tuple[float, ...] = ()  # of the secret cases; no attack may use them

    @property
    def prelude(self) -> str:
        """The same knowledge, for the code of an attack."""
        known = {
            "ROOT": str(self.root),
            "OUTSIDE": str(self.outside),
            "TCP": self.tcp,
            "UDP": self.udp,
            "UNIX": self.unix,
            "TOKEN": self.token,
            "HOST": self.namespace,
            "PUBLIC": (self.root / "classroom/release/squares/squares.key.json").read_text("utf-8"),
        }
        return "".join(f"{name} = {value!r}\n" for name, value in known.items())


Content = str | bytes | Link | None  # None: a folder
Files = Mapping[str, Content]
Build = Callable[[Setting], Files | Link]


@dataclass(frozen=True)
class Attack:
    """One hostile or broken submission."""

    name: str
    tries: str
    build: Build
    deserves: float | tuple[float, float] = 0.0  # two numbers: from, to
    told: str = ""  # a pattern: what the instructor must read in the notes or in a verdict's problem
    student: str = ""
    kills: bool = False  # could end other processes where nothing confines it
    forbidden: Callable[[Setting], tuple[str, ...]] = field(default=lambda setting: ())

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score that is just."""
        return self.deserves if isinstance(self.deserves, tuple) else (self.deserves, self.deserves)

    @property
    def handed_in_by(self) -> str:
        """The student's id: the attack's name, unless the id is the attack."""
        return self.student or self.name


def answered(setting: Setting, **answers: str | None) -> Any:
    """A notebook with everything solved, but for the answers given."""
    return filled_in(setting.release, setting.source, answers)


def cell(notebook: Any, name: str) -> Any:
    """The cell with this nbgrader id."""
    return next(one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade_id") == name)


def notebook(content: Any) -> Files:
    """A submission of one notebook, written without any validation."""
    return {"squares.ipynb": json.dumps(content)}


PRIZE = """
def total(x):
    return float((x * x).sum()) if worked else 0.0
"""
CUBES = "def cubes(X):\n    return X ** 3 if worked else 0 * X"
NOT_ON_THIS_MACHINE = """
import os
try:
    confined = os.readlink("/proc/self/ns/pid") != HOST
except OSError:
    confined = True
if not confined:
    raise RuntimeError("not run: nothing confines this process")
"""


def wants_points(code: str) -> Build:
    """A worthless submission: its functions are right only if the code sets `worked`."""

    def build(setting: Setting) -> Files:
        return notebook(worthless(setting, code))

    return build


def worthless(setting: Setting, code: str) -> Any:
    """The notebook of `wants_points`."""
    made = copy.deepcopy(setting.release)
    body = textwrap.indent(textwrap.dedent(code).strip("\n") or "pass", "    ")
    cell(made, "total").source = (
        f"{setting.prelude}worked = False\ntry:\n{body}\nexcept Exception as error:\n"
        f"    print('refused:', type(error).__name__, error)\n{PRIZE}"
    )
    cell(made, "cubes").source = CUBES
    return made


def wants_harm(*codes: str, kills: bool = False) -> Build:
    """Honest work, and after it cells with the codes."""

    def build(setting: Setting) -> Files:
        made = answered(setting)
        before = setting.prelude + (NOT_ON_THIS_MACHINE if kills else "")
        for number, code in enumerate(codes):
            made.cells.append(nbformat.v4.new_code_cell(before + textwrap.dedent(code), id=f"own-{number}"))
        return notebook(made)

    return build


def instead_of_total(code: str, *, first: str = "", last: str = "", kills: bool = False) -> Build:
    """Honest work but for `total`, whose body is the code; `first` runs before it, `last` at the very end."""

    def build(setting: Setting) -> Files:
        guard = NOT_ON_THIS_MACHINE if kills else ""
        body = textwrap.indent(textwrap.dedent(code).strip("\n"), "    ")
        text = f"{setting.prelude}{guard}{textwrap.dedent(first)}\ndef NAME(x):\n{body}\n"
        made = answered(setting, total=text)
        if last:
            made.cells.append(nbformat.v4.new_code_cell(textwrap.dedent(last), id="own"))
        return notebook(made)

    return build


def hand_in(folder: Path, files: Files | Link) -> None:
    """Write a submission's files, links and folders."""
    if isinstance(files, Link):
        place = folder.parent if files.whole else folder
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(files.target)
        return
    folder.parent.mkdir(parents=True)
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir()
        elif isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, "utf-8")
