"""Where things are: the folders of a course, its settings, its topics and their tasks."""

import importlib.util
import secrets
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from autograder.task import Task


class CourseError(Exception):
    """Something that the person at the keyboard can mend; the message is one line that says how."""


@dataclass(frozen=True)
class Course:
    """A folder with `_toc.yml`, `solutions/` and a `[tool.dimred]` table in its `pyproject.toml`."""

    root: Path

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The `[tool.dimred]` table."""
        with (self.root / "pyproject.toml").open("rb") as file:
            table: dict[str, Any] = tomllib.load(file).get("tool", {}).get("dimred", {})
        return table

    @property
    def public_seed(self) -> str:
        """The seed of the exercises that everyone may see."""
        return str(self.settings["public_seed"])

    @property
    def classroom(self) -> Path:
        """The instructor's side: nbgrader's folders, secret keys, verdicts, reports. Never committed."""
        return self.root / str(self.settings.get("classroom", "classroom"))

    @property
    def exercises(self) -> Path:
        """What students open, for the public seed."""
        return self.root / "exercises"

    @property
    def book(self) -> Path:
        """The pages of the book."""
        return self.root / "book"

    def topics(self) -> list[str]:
        """The topics that have exercises, in the order of the table of contents."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text("utf-8"))
        pages = [Path(entry).name for entry in _files(toc)]
        return [page for page in pages if (self.root / "solutions" / page / "tasks.py").is_file()]

    def require_topics(self, names: list[str]) -> list[str]:
        """The named topics, or all of them; an unknown name is refused with the names that exist."""
        known = self.topics()
        for name in names:
            if name not in known:
                raise CourseError(f"unknown topic {name!r}; the topics are {', '.join(known)}")
        return names or known

    def tasks(self, topic: str) -> dict[str, Task]:
        """The tasks of a topic: the module-level names of its tasks.py."""
        module = _imported(self.root, topic)
        return {name: value for name, value in vars(module).items() if isinstance(value, Task)}

    def notebook_text(self, topic: str) -> str:
        """The hand-written exercise, with solutions and placeholders."""
        path = self.root / "solutions" / topic / "notebook.md"
        if not path.is_file():
            raise CourseError(f"solutions/{topic}/notebook.md is missing: it holds the text of the exercise")
        return path.read_text("utf-8")

    def secret(self) -> str:
        """The course's secret word, made once; without it secret cases cannot be computed from a seed."""
        path = self.classroom / "course.secret"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
        return path.read_text(encoding="ascii").strip()


def find_course(start: Path | None = None) -> Course:
    """The course that a folder belongs to: the nearest parent with a table of contents and solutions."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / "_toc.yml").is_file() and (folder / "solutions").is_dir():
            return Course(folder)
    raise CourseError(f"{start} is not inside a course: no parent has _toc.yml and solutions/")


def _files(node: Any) -> list[str]:
    """Every `file:` and `root:` of a table of contents, in reading order."""
    if isinstance(node, list):
        return [name for item in node for name in _files(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node[word]) for word in ("root", "file") if word in node]
    return own + [name for word in ("parts", "chapters", "sections") for name in _files(node.get(word, []))]


def _imported(root: Path, topic: str) -> Any:
    """Import solutions/<topic>/tasks.py of this course, and no other course's."""
    path = root / "solutions" / topic / "tasks.py"
    name = f"solutions.{topic}.tasks"
    loaded = sys.modules.get(name)
    if loaded is not None and Path(str(loaded.__file__)) == path:
        return loaded
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CourseError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise CourseError(f"solutions/{topic}/tasks.py cannot be imported: {why}") from error
    return module
