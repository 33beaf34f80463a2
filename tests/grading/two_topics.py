"""A tiny course with two topics, both released: the second is the first under another name."""

import shutil

from autograder.release import variant as generate

FIRST, SECOND = "squares", "powers"


def add_second_topic(course):
    """Add the second topic to a course that has the first, and release it to the class."""
    folder = course.source(SECOND)
    shutil.copytree(course.source(FIRST), folder, ignore=shutil.ignore_patterns("__pycache__"))
    notebook = folder / "notebook.md"
    text = notebook.read_text("utf-8").replace(f'check("{FIRST}.', f'check("{SECOND}.')
    notebook.write_text(text, "utf-8")
    (course.book / f"{SECOND}.md").write_text("# Powers\n", "utf-8")
    contents = course.root / "_toc.yml"
    contents.write_text(f"{contents.read_text('utf-8')}chapters:\n  - file: book/{SECOND}\n", "utf-8")
    generate.write_classroom(course, generate.make_variant(course, SECOND, "one", course.secret()))
