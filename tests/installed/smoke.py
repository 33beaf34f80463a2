"""Try the student's package as it was installed, on any system: `python tests/installed/smoke.py exercises/geometry`.

It uses the standard library and what is installed, so the release workflow runs it on Linux, macOS and Windows with
the built wheel. The folder has spaces and a letter beyond ASCII in its name, the notebook has Windows' line ends, and
the console knows the letters of Western Europe only.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

CONSOLE = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
SCRIPT = "from autograder import check\ncheck({task!r}, None)\n"


def run(folder, *arguments):
    """Run Python in a folder, on a console of cp1252."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | CONSOLE, capture_output=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode("cp1252")


def expect(words, told, code=0):
    """End the program if a command did not say these words."""
    returned, text = told
    if returned != code or words not in text:
        raise SystemExit(f"expected {words!r} and exit code {code}, got {returned}:\n{text}")
    print("ok:", words)
    return text


def in_windows_lines(path):
    """Write a text with the line ends of Windows."""
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def with_key_inside(path, key):
    """Let a notebook carry its key, and remove the file."""
    notebook = json.loads(path.read_text("utf-8"))
    packed = base64.b64encode(zlib.compress(key.read_bytes(), 9)).decode()
    notebook["metadata"].setdefault("dimred", {})["key"] = packed
    path.write_text(json.dumps(notebook), "utf-8")
    key.unlink()


def main(exercise):
    """Check a notebook in every way in which a student may."""
    topic = exercise.name
    task = next(iter(json.loads((exercise / f"{topic}.key.json").read_text("utf-8"))["tasks"]))
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "my course (ä)", topic)
        shutil.copytree(exercise, folder)
        notebook, key = folder / f"{topic}.ipynb", folder / f"{topic}.key.json"
        in_windows_lines(notebook)
        in_windows_lines(key)
        (folder / "script.py").write_text(SCRIPT.format(task=f"{topic}.{task}"), "utf-8")
        expect("points that a check can give", run(folder.parent, "-m", "autograder", "check", str(notebook)))
        expect("TRY AGAIN", run(folder, "script.py"))
        expect("TRY AGAIN", run(folder.parent, str(folder / "script.py")))  # the key lies beside the script
        with_key_inside(notebook, key)
        expect("TRY AGAIN", run(folder, "script.py"))
        expect("points that a check can give", run(folder, "-m", "autograder", "check", notebook.name))
        notebook.unlink()
        text = expect(f"{topic}.key.json is missing", run(folder, "script.py"), code=1)
        assert "beside the notebook" in text.strip().splitlines()[-1]
        if sys.platform != "linux":
            expect("through the container", run(folder, "-m", "autograder", "grade"), code=1)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
