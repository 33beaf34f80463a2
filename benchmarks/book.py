"""Measure the seconds that a build of the book takes.

    python -m benchmarks.book

The book is built in a temporary copy: from nothing, again without a change, after a change of prose,
and after a change of a module. `python -m benchmarks.live pages` weighs what pages ask for.
"""

import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from autograder.book.build import build_book

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("book", "dimred_ref", "exercises", "solutions", "_config.yml", "_toc.yml", "course.toml")


def main() -> None:
    """Print the table, as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        copy_course(root)
        print("| build | pages that ran | seconds of CPU | seconds |\n|---|---|---|---|")
        print(timed("from nothing", root))
        print(timed("nothing changed", root))
        with (root / "book" / "pca.md").open("a", encoding="utf-8") as page:
            page.write("\nOne more sentence.\n")
        print(timed("a sentence of one page", root))
        with (root / "dimred_ref" / "svd.py").open("a", encoding="utf-8") as module:
            module.write("\n# One more comment.\n")
        print(timed("`dimred_ref/svd.py`", root))
        print(timed("the PDF", root, pdf=True))
        size = (root / "_build" / "book.pdf").stat().st_size
        print(
            f"\nThe PDF has {size / 1e6:.1f} MB, the site {site_size(root / '_build' / 'html') / 1e6:.1f} MB.\n"
        )


def copy_course(root: Path) -> None:
    files = subprocess.run(
        ["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    for name in files.stdout.splitlines():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)


def cpu() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(what: str, root: Path, *, pdf: bool = False) -> str:
    ran: list[str] = []
    before, start = cpu(), time.perf_counter()
    build_book(root, pdf=pdf, progress=lambda step: ran.append(str(step)))
    seconds = time.perf_counter() - start
    count = sum(line.startswith("running") for line in ran)
    return f"| {what} | {count} | {cpu() - before:.0f} | {seconds:.0f} |"


def site_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
