"""The editor of live cells, bundled into one file."""

import subprocess
from pathlib import Path

from autograder.book.live.cache import build_once, digest_of
from autograder.book.live.packages import NPM, npm_packages
from autograder.errors import LiveError

EDITOR_SCRIPT = "editor.js"
SOURCE = NPM / "editor.mjs"


def editor_folder() -> Path:
    """The folder with the bundled editor."""
    modules = npm_packages()

    def make(folder: Path) -> None:
        # esbuild looks for packages beside the file that imports them
        options = [
            "--bundle",
            "--minify",
            "--format=esm",
            f"--outfile={folder / EDITOR_SCRIPT}",
            "--loader=js",
        ]
        command = [str(modules / ".bin" / "esbuild"), *options]
        done = subprocess.run(
            command, input=SOURCE.read_text("utf-8"), cwd=modules, capture_output=True, text=True
        )
        if done.returncode:
            raise LiveError(f"the editor could not be bundled: {done.stderr.strip()[:300]}")

    return build_once(f"editor-{digest_of([SOURCE.read_bytes(), modules.parent.name.encode()])}", make)
