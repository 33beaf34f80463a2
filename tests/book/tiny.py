"""A small course on disk, with the settings of the real one."""

from pathlib import Path

from autograder.book.build import build_book

HEADER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""


class TinyCourse:
    """A small course on disk that remembers which pages its last build ran."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.book = root / "book"
        self.ran: list[str] = []

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def write_pages(self, **sources: str) -> None:
        for name, source in sources.items():
            self.write(f"book/{name}.md", HEADER + source)
        first, *others = sources
        toc = [f"format: jb-book\nroot: book/{first}", *(["chapters:"] if others else [])]
        self.write("_toc.yml", "\n".join([*toc, *(f"  - file: book/{name}" for name in others)]) + "\n")

    def build(self) -> Path:
        self.ran = []
        return build_book(self.root, progress=self.note)

    def note(self, step: object) -> None:
        if str(step).startswith("running"):
            self.ran.append(str(step))

    def html(self, name: str) -> str:
        return (self.root / "_build/html/book" / f"{name}.html").read_text("utf-8")
