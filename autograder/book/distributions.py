"""Build the files of a release: wheel, source archive, checksums and SBOM.

    python -m autograder.book.distributions dist

The same sources give the same bytes, on any machine with the same setuptools; SOURCE_DATE_EPOCH sets the date inside,
DIMRED_BOOK_URL and DIMRED_REPOSITORY the links of the package.
"""

import gzip
import hashlib
import io
import json
import os
import re
import sys
import tarfile
from pathlib import Path
from typing import Any

from autograder.book.wheel import EPOCH, FIRST_DATE, copied_sources, package_sources, run_backend
from autograder.course.package import Package, package
from autograder.errors import BookError

SUMS, BILL = "SHA256SUMS", "sbom.cdx.json"
# Links of the package, by the settings that the workflows take from GitHub. `check` reads the first.
ADDRESSES = {"Documentation": "DIMRED_BOOK_URL", "Repository": "DIMRED_REPOSITORY"}
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)((?:.*\\\n?)*)", re.MULTILINE)
HASH = re.compile(r"sha256:([0-9a-f]{64})")


def build_distributions(root: Path, folder: Path) -> list[Path]:
    """Write all files of a release into a folder; return their paths."""
    course_package = package(root)
    if course_package is None:
        raise BookError(f"{root} builds no package: its pyproject.toml names none")
    folder.mkdir(parents=True, exist_ok=True)
    with copied_sources(root, package_sources(root)) as work:
        add_addresses(work / "pyproject.toml")
        run_backend(work, "build_sdist", folder)
        run_backend(work, "build_wheel", folder)
    name = f"{course_package.name.replace('-', '_')}-{course_package.version}.tar.gz"
    normalise(folder / name)
    (folder / BILL).write_text(json.dumps(bill_of_materials(root, course_package), indent=1) + "\n", "utf-8")
    files = [folder / course_package.wheel, folder / name, folder / BILL]
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS).write_text(sums, "utf-8")
    return [*files, folder / SUMS]


def add_addresses(project: Path) -> None:
    """Write the addresses of book and repository, where the environment has them, into a copy of pyproject.toml."""
    links = {label: os.environ.get(name) for label, name in ADDRESSES.items()}
    lines = [f"{label} = {json.dumps(address)}" for label, address in links.items() if address]
    if lines:
        text = project.read_text("utf-8").rstrip()
        project.write_text("\n".join([text, "", "[project.urls]", *lines, ""]), "utf-8")


def normalise(path: Path) -> None:
    """Repack a source archive reproducibly: fixed dates, owners, modes and order."""
    date = int(os.environ.get(EPOCH, FIRST_DATE))
    packed = io.BytesIO()
    with (
        tarfile.open(path) as before,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as after,
    ):
        for member in sorted(before.getmembers(), key=lambda entry: entry.name):
            content = before.extractfile(member)
            member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
            member.mode, member.pax_headers = (0o755 if member.isdir() else 0o644), {}
            after.addfile(member, content)
    path.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))


def bill_of_materials(root: Path, course_package: Package) -> dict[str, Any]:
    """Return the locked packages with hashes as a CycloneDX SBOM."""
    lock = (root / "requirements" / "course.lock").read_text("utf-8")
    components = [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower()}@{version}",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in HASH.findall(rest)],
        }
        for name, version, rest in PINNED.findall(lock)
    ]
    subject = {"type": "application", "name": course_package.name, "version": course_package.version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": subject | {"purl": f"pkg:pypi/{course_package.name}@{course_package.version}"}
        },
        "components": components,
    }


if __name__ == "__main__":
    for written in build_distributions(Path.cwd(), Path(sys.argv[1])):
        print(written)
