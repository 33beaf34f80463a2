"""Build the files of a release: wheels and source archives of engine and reference, checksums and SBOM.

    python -m autograder.book.distributions dist

The same sources give the same bytes, on any machine with the same setuptools; SOURCE_DATE_EPOCH sets the date inside,
COURSE_BOOK_URL and COURSE_REPOSITORY the links of the packages.
"""

import gzip
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import tomllib
from pathlib import Path

from autograder.book.wheel import EPOCH, FIRST_DATE, copied_sources, package_sources, run_backend
from autograder.course.package import Package

SUMS, BILL = "SHA256SUMS", "sbom.cdx.json"
# Links of the packages, by the settings that the workflows take from GitHub.
ADDRESSES = {"Documentation": "COURSE_BOOK_URL", "Repository": "COURSE_REPOSITORY"}
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)((?:.*\\\n?)*)", re.MULTILINE)
HASH = re.compile(r"sha256:([0-9a-f]{64})")


def build_distributions(root: Path, folder: Path) -> list[Path]:
    """Write all files of a release into a folder; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for project in sorted((root / "packaging").glob("*/pyproject.toml")):
        files += build_distribution(project, folder)
    bill = bill_of_materials(root, read_package(root / "pyproject.toml"))
    (folder / BILL).write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    files.append(folder / BILL)
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS).write_text(sums, "utf-8")
    return [*files, folder / SUMS]


def build_distribution(project: Path, folder: Path) -> list[Path]:
    """Build the wheel and the source archive of one distribution."""
    distribution = read_package(project)
    with copied_sources(package_sources(project)) as work:
        add_addresses(work / "pyproject.toml")
        run_backend(work, "build_sdist", folder)
        run_backend(work, "build_wheel", folder)
    source = folder / f"{distribution.name.replace('-', '_')}-{distribution.version}.tar.gz"
    normalise(source)
    return [folder / distribution.wheel, source]


def read_package(project: Path) -> Package:
    """Return the name and version in a `pyproject.toml`."""
    table = tomllib.loads(project.read_text("utf-8"))["project"]
    return Package(table["name"], table["version"])


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


def bill_of_materials(root: Path, course_package: Package) -> dict[str, object]:
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
