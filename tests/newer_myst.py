"""Build the pages with Jupyter Book 2's MyST and compare its errors with those that are known.

    python -m venv /tmp/newer && /tmp/newer/bin/pip install mystmd==1.11.0
    python -m tests.newer_myst /tmp/newer/bin/myst

The book is built by Jupyter Book 1 (book/decisions says why). This canary keeps a move possible: no page may need more
of the old parser than is listed here. Cells do not run. The theme is fetched, or not: pages are parsed before.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
ERROR = re.compile(r"⛔️?\s*(?:(?P<page>book/\w+\.md)\S*\s+)?(?P<words>.*)")
# What MyST's newer parser does not know, and how often: fewer are welcome, more are not.
KNOWN = {
    "unknown directive: practice": 20,  # ours: a plugin would be needed
    "unknown directive: live-task": 0,
    "unknown directive: eval-rst": 120,  # the pages that autodoc fills
    "unknown role: glue:text": 8,  # numbers of cells within sentences (mystmd#800)
    "Unexpected node as a child of a glossary": 60,  # definition lists need a colon there
}


def macros(config: dict) -> dict[str, str]:
    """Return the book's TeX macros in the form of myst.yml."""
    named = config["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    return {f"\\{name}": text if isinstance(text, str) else text[0] for name, text in named.items()}


def copy_pages(folder: Path) -> None:
    """Copy the pages with what they include, and write the settings."""
    for name in ("book", "dimred_ref"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("assignments", "decisions"))
    for name in ("_toc.yml", "SECURITY.md"):
        shutil.copy(ROOT / name, folder / name)
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    settings = {
        "version": 1,
        "project": {"title": "book", "math": macros(config)},
        "site": {"template": "book-theme"},
    }
    (folder / "myst.yml").write_text(yaml.safe_dump(settings), "utf-8")


def errors(output: str) -> Counter[str]:
    """Count the errors of a build: those that are known by their kinds, others by their words."""
    found: Counter[str] = Counter()
    for line in re.sub(r"\x1b\[[0-9;]*m", "", output).splitlines():
        if (error := ERROR.search(line)) and error["page"]:
            found[next((kind for kind in KNOWN if error["words"].startswith(kind)), error["words"])] += 1
    return found


def pages(output: str) -> int:
    """Return how many pages were parsed."""
    return len(set(re.findall(r"📖 Built (book/\w+\.md)", output)))


def build(myst: str) -> str:
    """Return what MyST says of the pages."""
    with tempfile.TemporaryDirectory() as work:
        copy_pages(Path(work))
        command = [myst, "build", "--site", "--ci"]
        done = subprocess.run(
            command,
            cwd=work,
            env=os.environ | {"NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,  # it fails where the theme cannot be fetched
        )
    return done.stdout + done.stderr


def main(myst: str) -> int:
    """Print the errors by their kinds; return how a program ends."""
    output = build(myst)
    found, n_pages = errors(output), pages(output)
    for kind, number in found.most_common():
        mark = "!!" if number > KNOWN.get(kind, 0) else "ok"
        print(f"{mark}  {number:4} {kind}")
    print(f"{n_pages} pages")
    return 1 if not n_pages or any(number > KNOWN.get(kind, 0) for kind, number in found.items()) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
