"""Skeletons of new tasks and topics: small examples that certify at once.

The texts lie in `skeletons/`. Words in angle brackets are replaced.
"""

import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from autograder.authoring.topic import load_tasks, task_modules
from autograder.book.labels import labels
from autograder.course import contents
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.overlay import CHANGES_SUFFIX, merge
from autograder.errors import CourseError
from autograder.judging.key import TaskKind

SKELETONS = Path(__file__).with_name("skeletons")
FIRST_TASK = "spread"
PAGE = re.compile(r"^(?P<indent>\s*)- file: book/(?P<name>\w+)\s*$", re.MULTILINE)


def write_task(course: Course, topic: str, name: str, kind: TaskKind) -> list[Path]:
    """Write a module with an example task and its notebook cells.

    Return both paths. An overlay gets cells that are added to the text of its base.
    """
    course.require_topics([topic])
    _require_name(name)
    source = course.own(course.source(topic))
    module, notebook = source / f"{name}.py", source / "notebook.md"
    if course.is_overlay and not notebook.is_file():
        notebook = source / f"notebook{CHANGES_SUFFIX}"
    if name in load_tasks(course.published, topic):
        path = task_modules(course.published, topic)[name][0]
        raise CourseError(f"{topic}.{name} is a task already, in {course.short(path)}: choose another name")
    if module.exists():
        raise CourseError(f"{course.short(module)} is there already: choose another name")
    words = {"topic": topic, "task": name, "see": _citable_label(course, topic)}
    before = f"{notebook.read_text('utf-8').rstrip()}\n" if notebook.is_file() else ""
    text = before + fill_skeleton(f"{kind}.md", words)
    write_text(module, fill_skeleton(f"{kind}.py.txt", words))
    write_text(notebook, text)
    return [module, notebook]


def write_topic(course: Course, topic: str) -> list[Path]:
    """Write page, reference, claims, notebook and first task of a topic.

    Return all paths.
    """
    _require_name(topic)
    files = _topic_files(course, topic)
    for path in files:
        if path.exists():
            raise CourseError(f"{course.short(path)} is there already: choose another name")
    table = _contents_with_page(course, topic)
    listing = course.own(course.root / contents.CONTENTS_FILE)
    for path, text in {**files, listing: table}.items():
        write_text(path, text)
    if course.is_overlay:
        merge(course.home)
    return [*files, listing, *write_task(course, topic, FIRST_TASK, "code")[:1]]


def _topic_files(course: Course, topic: str) -> dict[Path, str]:
    """Return the texts of a topic's files.

    A course without a library gets no reference and no claims, as the library of a base is not an overlay's.
    """
    library = str(course.settings["library"])
    has_library = bool(library) and (course.root / library).is_dir() and not course.is_overlay
    words = {
        "topic": topic,
        "slug": topic.replace("_", "-"),
        "title": topic.replace("_", " ").capitalize(),
        "library": library,
        "rules": "{{ rules }}\n\n" if (course.root / "solutions" / "rules.md").is_file() else "",
        "import": f"from {library}.{topic} import spread\n"
        if has_library
        else "\n\ndef spread(x):\n    return np.max(x) - np.min(x)\n\n",
    }
    files = {
        course.book / f"{topic}.md": fill_skeleton("page.md", words),
        course.source(topic) / "__init__.py": "",
        course.source(topic) / "notebook.md": fill_skeleton("notebook.md", words),
    }
    if has_library:
        files[course.root / library / f"{topic}.py"] = fill_skeleton("reference.py.txt", words)
        files[course.root / "tests" / "topics" / f"test_{topic}.py"] = fill_skeleton("claims.py.txt", words)
    return {course.own(path): text for path, text in files.items()}


def _require_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise CourseError(f"a name must be of small letters, digits and _, such as first_axis, not {name!r}")


def _citable_label(course: Course, topic: str) -> str:
    """Return the first formula or statement of a topic's page.

    The example task cites it.
    """
    cited = [name for name, label in labels(course.book).items() if label.page == topic and "-" in name]
    if not cited:
        raise CourseError(
            f"book/{topic}.md has no label that a task could cite: label a formula or a statement first"
        )
    return next((name for name in cited if name.startswith("eq-")), cited[0])


def _contents_with_page(course: Course, topic: str) -> str:
    """Return the table of contents with a line for the topic.

    It is placed below the last page that has exercises.
    """
    text = (course.root / contents.CONTENTS_FILE).read_text("utf-8")
    topics = course.all_topics()
    places = [match for match in PAGE.finditer(text) if match["name"] in topics]
    if places:
        last = places[-1]
        return f"{text[: last.end()].rstrip()}\n{last['indent'].strip(chr(10))}- file: book/{topic}{text[last.end() :]}"
    if "chapters:" in text or "parts:" in text:
        raise CourseError(
            f"{contents.CONTENTS_FILE} has no chapter with exercises: add the line `- file: book/{topic}` yourself"
        )
    return f"{text.rstrip()}\nchapters:\n  - file: book/{topic}\n"


def fill_skeleton(name: str, words: Mapping[str, str]) -> str:
    """Return a text of `skeletons/` with words in the place of their names in angle brackets."""
    text = (SKELETONS / name).read_text("utf-8")
    for word, value in words.items():
        text = text.replace(f"<{word}>", value)
    return text
