"""Run the steps of Containerfile in a fresh root, where no container engine is at hand (as root, on Linux).

    unshare --mount --propagation private python3 .github/run_containerfile.py /usr/bin/python3.11

The root is an overlay over that of this machine, in memory: what the steps write is gone afterwards. The base image is
not fetched, so the argument names the Python to use, and steps that install packages of Debian are left out. The last
step is what the workflow runs in the finished container.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMOKE = ".github/container_smoke.sh"


def instructions(text):
    """Yield the instructions of a Containerfile, each on one line."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n", " ", lines).splitlines():
        if line.strip():
            yield line.strip().split(None, 1)


class Container:
    """A root in which steps run, with the user and the folder that earlier steps have set."""

    def __init__(self, root, python):
        """Start as root at the top."""
        self.root, self.python = root, python
        self.user, self.folder = "root", "/"

    def run(self, command):
        """Run a shell command in the root, as the user."""
        inside = f"cd {shlex.quote(self.folder)} && {command}"
        who = (
            ["su", "--shell", "/bin/sh", self.user, "-c", inside]
            if self.user != "root"
            else ["sh", "-c", inside]
        )
        subprocess.run(["chroot", self.root, *who], check=True)

    def copy(self, arguments):
        """Copy files of the repository that git knows, as a container would after its ignore file."""
        *sources, target = [word for word in shlex.split(arguments) if not word.startswith("--")]
        place = Path(self.root, self.folder.lstrip("/"), target)
        named = subprocess.run(
            ["git", "ls-files", "-z", "--", *sources], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for name in filter(None, named.stdout.split("\0")):
            is_folder = len(sources) == 1 and (ROOT / sources[0]).is_dir() and sources[0] != "."
            inner = Path(name).relative_to(sources[0]) if is_folder else Path(name)
            (place / inner).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "--preserve=mode", ROOT / name, place / inner], check=True)
        subprocess.run(["chroot", self.root, "chown", "-R", f"{self.user}:", self.folder], check=True)

    def step(self, word, rest):
        """Follow one instruction."""
        if word == "RUN":
            without_packages = re.sub(r"apt-get.*?(?=&& useradd)", "true ", rest).replace("--uid 1000 ", "")
            self.run(without_packages.replace("PYTHON=python3.12", f"PYTHON={self.python}"))
        elif word == "COPY":
            self.copy(rest)
        elif word == "USER":
            self.user = rest
        elif word == "WORKDIR":
            self.folder = rest
            Path(self.root, rest.lstrip("/")).mkdir(parents=True, exist_ok=True)


DEVICES = {
    "null": 3,
    "zero": 5,
    "full": 7,
    "random": 8,
    "urandom": 9,
}  # the memory devices that programs need


def make_root(work):
    """Make the root of a container below a folder: an overlay over this machine's, with a few devices of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", work], check=True)
    for name in ("upper", "work", "root"):
        Path(work, name).mkdir()
    root = Path(work, "root")
    options = f"lowerdir=/,upperdir={work}/upper,workdir={work}/work"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, root], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", root / "dev"], check=True)
    for name, number in DEVICES.items():
        subprocess.run(["mknod", "-m", "666", root / "dev" / name, "c", "1", str(number)], check=True)
    (root / "dev" / "shm").mkdir()
    for folder in (root / "dev" / "shm", root / "tmp"):
        folder.chmod(0o1777)
    return str(root)


def main(python):
    """Run every step, then the test of the finished container."""
    work = tempfile.mkdtemp()
    try:
        container = Container(make_root(work), python)
        for word, rest in instructions((ROOT / "Containerfile").read_text("utf-8")):
            print(f"{word} {rest}"[:100], flush=True)
            container.step(word, rest)
        container.run(f"./{SMOKE}")
    finally:  # nothing is deleted below a mount: the memory goes with it
        subprocess.run(["umount", "--recursive", work], check=True)
        Path(work).rmdir()


if __name__ == "__main__":
    main(sys.argv[1])
