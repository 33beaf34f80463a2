"""Faults of a course whose parts do not fit together: table of contents, pages, exercises, library.

Faults stop what is made of them. Remarks do not: a chapter that was taken out of the table of contents keeps its
exercises.
"""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from autograder.course import contents
from autograder.course.course import Course
from autograder.course.digests import ENGINE_ROOT, module_imports
from autograder.errors import CourseError
from autograder.program import program_name


def require_sound(course: Course) -> None:
    """Raise CourseError with the first fault of a course."""
    for fault in find_faults(course):
        raise CourseError(fault)
    if not course.all_topics():
        raise CourseError(
            next(
                find_remarks(course),
                f"this course has no exercises: `{program_name()} new topic NAME` writes some",
            )
        )


def find_faults(course: Course) -> Iterator[str]:
    """Describe what stops a course from being made, one line each."""
    try:
        contents.book_settings(course.root)
    except CourseError as error:
        yield str(error)
    yield from _faults_of_pages(course)
    yield from _faults_of_library(course)


def find_remarks(course: Course) -> Iterator[str]:
    """Describe exercises that no page leads to, and tasks without a text."""
    listed = {Path(entry).name for entry in contents.contents_entries(course.root)}
    for folder in sorted((course.root / "solutions").iterdir()):
        if course.is_overlay and not course.own(folder).is_dir():
            continue  # a chapter of the base that the overlay leaves out
        has_text = (folder / "notebook.md").is_file()
        if has_text and folder.name not in listed:
            yield (
                f"solutions/{folder.name} has exercises, and {contents.CONTENTS_FILE} names no page for them: add the "
                f"line `- file: book/{folder.name}`"
            )
        elif not has_text and any(path.name != "__init__.py" for path in folder.glob("*.py")):
            yield f"solutions/{folder.name} has tasks and no text: write solutions/{folder.name}/notebook.md"


def _faults_of_pages(course: Course) -> Iterator[str]:
    entries = contents.contents_entries(course.root)
    for topic in dict.fromkeys(course.all_topics()):
        pages = [entry for entry in entries if Path(entry).name == topic]
        if len(pages) > 1:
            yield (
                f"{contents.CONTENTS_FILE} names two pages for the exercises in solutions/{topic}: "
                f"{' and '.join(pages)}; rename one of them"
            )
        elif pages != [f"{course.book.name}/{topic}"]:
            yield f"{contents.CONTENTS_FILE} names {pages[0]}: pages with exercises lie in {course.book.name}/"
        elif not (course.book / f"{topic}.md").is_file():
            yield (
                f"{contents.CONTENTS_FILE} names {pages[0]}, and there is no {pages[0]}.md: "
                "write it, or take the line out"
            )


def _faults_of_library(course: Course) -> Iterator[str]:
    library = str(course.settings["library"])
    if not library:
        return
    folder = course.root / library
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    if not files[:1] or not files[0].is_file():
        if importlib.util.find_spec(library) is None:
            yield f'course.toml: there is no package {library!r}: write {library}/__init__.py, or set library = ""'
        return
    for path in files:
        if any(name.partition(".")[0] == ENGINE_ROOT.name for name in module_imports(path)):
            yield (
                f"{course.short(path)} imports {ENGINE_ROOT.name}: a reference works without the engine; "
                "move what needs it to solutions/"
            )
