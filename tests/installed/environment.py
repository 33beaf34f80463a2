"""An environment into which wheels are installed, with the packages that are here and without this checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

OURS = ("__editable__*", "dimred_course-*", "coursewright*", "autograder*", "dimred_ref*", "a1_coverage*")


def make_environment(folder: Path, *wheels: Path) -> Path:
    """Return the folder with the programs of a new environment that has these wheels."""
    venv.create(folder, symlinks=True)
    here, site = (Path(sysconfig.get_path("purelib", vars=at)) for at in (None, {"base": str(folder)}))
    site.rmdir()
    links = subprocess.run(["cp", "-al", here, site], capture_output=True, check=False)
    if links.returncode:  # another file system: links are not possible
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(here, site)
    for path in {path for name in OURS for path in site.glob(name)}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    programs = folder / "bin"
    install = [shutil.which("uv", path=Path(sys.executable).parent) or "uv", "pip", "install", "--offline"]
    command = [*install, "--quiet", "--no-deps", "--python", programs / "python", *wheels]
    subprocess.run(command, check=True, env=clean_environment())
    return programs


def clean_environment(programs: Path | None = None) -> dict[str, str]:
    """Return the variables of a user's shell, in which nothing leads to this checkout."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "COURSE_", "VIRTUAL"))
    }
    return kept | ({"PATH": f"{programs}{os.pathsep}{kept['PATH']}"} if programs else {})
