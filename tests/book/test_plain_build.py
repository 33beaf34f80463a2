"""`jupyter-book build .` and `dimred book` make the same book, file by file."""

import json
import shutil
import subprocess
import sys

from tests.book.tiny import TinyCourse
from tests.conftest import ROOT

PAGES = {
    "start": "# Start\n\nA first page.\n",
    "areas": """\
# Areas

```{prf:theorem} Squares
:label: thm-areas-square
The area of a square is $s^2$.
```

```{code-cell} python
# thm-areas-square
from shapes.square import area
assert area(3) == 9
print("area", area(3))
```
""",
}
CONTENTS = """\
format: jb-book
root: book/start
chapters: [{file: book/areas}, {file: book/coverage}, {file: book/errata}]
"""
ROWS = [
    {
        "row": "S0.1",
        "kind": "theorem",
        "note": "a.txt",
        "lines": "L1",
        "chapters": [1],
        "slip": "A",
        "says": "Areas add up.",
    }
]


def plain_build(root):
    """What a reader who knows only Jupyter Book would type."""
    entry_point = "from jupyter_book.cli.main import main; main()"  # of `jupyter-book`, in this environment
    command = [sys.executable, "-c", entry_point, "build", "."]
    result = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def site(root):
    """Every file that readers get, but for what holds the time of the build, and for the wheel that we add."""
    folder = root / "_build" / "html"
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if not name.endswith(("objects.inv", ".pickle", ".whl"))
    }


def test_a_plain_build_makes_the_same_book(tiny, tmp_path_factory):
    tiny.write_pages(**PAGES)
    tiny.write("_toc.yml", CONTENTS)
    tiny.write("book/coverage.md", "stale")
    tiny.write("book/errata.md", "stale")
    tiny.write("tests/test_areas.py", "")
    shutil.copytree(
        ROOT / "book" / "_ledger",
        tiny.book / "_ledger",
        ignore=lambda folder, names: set(names) - {"pages.json"},
    )
    tiny.write("book/_ledger/rows.json", json.dumps(ROWS))
    tiny.write("book/_ledger/areas.json", json.dumps([{"row": "S0.1", "label": "thm-areas-square"}]))
    plain = TinyCourse(tmp_path_factory.mktemp("plain") / "course")
    shutil.copytree(tiny.root, plain.root)

    plain_build(plain.root)
    tiny.build()
    ours, theirs = site(tiny.root), site(plain.root)
    assert set(ours) == set(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []
    assert "Squares" in theirs["book/coverage.html"].decode(), "the derived page was not written again"
    assert "area 9" in theirs["_sources/book/areas.ipynb"].decode()

    plain.write("shapes/power.py", "def squared(x):\n    return x * x + 0.0\n")
    assert "areas.md: Executing notebook" in plain_build(plain.root)
    assert "area 9.0" in plain.html("areas")


def test_a_page_that_warned_in_a_plain_build_is_an_error_in_ours(tiny):
    tiny.write_pages(start="# Start\n\nSee {eq}`eq-areas-missing`.\n")
    assert "eq-areas-missing" in plain_build(tiny.root)
    assert "eq-areas-missing" in plain_build(tiny.root), "it does not say so a second time"
