"""What a release publishes: two builds are the same bytes, and an index would take them."""

import hashlib
import json
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser

import pytest
import yaml

from autograder.book.distributions import BILL, SUMS, build_distributions
from autograder.book.wheel import EPOCH, copied_sources, package_sources, run_backend
from autograder.course.package import package
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build_distributions(ROOT, folder)
    return folder


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def metadata_of(folder):
    """The metadata of the wheel in a folder."""
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as packed:
        name = next(name for name in packed.namelist() if name.endswith("METADATA"))
        return Parser().parsestr(packed.read(name).decode())


def test_two_builds_are_the_same_bytes(built, tmp_path):
    build_distributions(ROOT, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(built)


def test_the_date_inside_is_the_one_that_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv(EPOCH, "1767225600")  # 2026-01-01
    wheel, source, *_ = build_distributions(ROOT, tmp_path)
    with zipfile.ZipFile(wheel) as packed:
        assert {entry.date_time[:3] for entry in packed.infolist()} == {(2026, 1, 1)}
    with tarfile.open(source) as packed:
        assert {entry.mtime for entry in packed} == {1767225600}


def test_the_source_archive_builds_the_same_wheel(built, tmp_path):
    found = package(ROOT)
    with tarfile.open(next(built.glob("*.tar.gz"))) as packed:
        packed.extractall(tmp_path, filter="data")
    inside = tmp_path / f"dimred_course-{found.version}"
    with copied_sources(inside, package_sources(inside)) as work:
        run_backend(work, "build_wheel", tmp_path)
    assert (tmp_path / found.wheel).read_bytes() == (built / found.wheel).read_bytes()


def test_both_packages_are_typed_and_nothing_of_tests_or_solutions_is_inside(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as packed:
        names = packed.namelist()
    assert {"autograder/py.typed", "dimred_ref/py.typed"} <= set(names)
    folders = {name.split("/")[0] for name in names}
    assert {name for name in folders if not name.endswith(".dist-info")} == {"autograder", "dimred_ref"}


def test_an_index_finds_what_it_shows(built):
    told = metadata_of(built)
    assert told["Description-Content-Type"] == "text/markdown"
    assert told["License-Expression"] == "BSD-3-Clause"
    said = told.get_all("Classifier")
    for python in ("3.11", "3.12", "3.13", "3.14"):
        assert f"Programming Language :: Python :: {python}" in said
    assert {"Typing :: Typed", "Operating System :: OS Independent"} <= set(said)


def test_a_release_names_its_book_and_repository(built, tmp_path, monkeypatch):
    assert metadata_of(built).get_all("Project-URL") is None
    monkeypatch.setenv("DIMRED_BOOK_URL", "https://example.org/x")
    monkeypatch.setenv("DIMRED_REPOSITORY", "https://example.com/y")
    build_distributions(ROOT, tmp_path)
    assert metadata_of(tmp_path).get_all("Project-URL") == [
        "Documentation, https://example.org/x",
        "Repository, https://example.com/y",
    ]


def test_the_citation_is_that_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    needed = {
        "cff-version",
        "message",
        "title",
        "authors",
        "abstract",
        "keywords",
        "license",
        "date-released",
    }
    assert needed < set(citation)
    assert citation["version"] == package(ROOT).version
    assert package(ROOT).version in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_an_index_would_take_them(built):
    pytest.importorskip("twine", reason="twine is installed by the release workflow")
    files = [*built.glob("*.whl"), *built.glob("*.tar.gz")]
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_checksums_and_software_are_listed(built):
    for line in (built / SUMS).read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((built / name).read_bytes()).hexdigest() == digest
    bill = json.loads((built / BILL).read_text())
    versions = {one["name"]: one["version"] for one in bill["components"]}
    lock = (ROOT / "requirements" / "course.lock").read_text()
    assert f"numpy=={versions['numpy']}" in lock
    assert len(bill["components"]) == sum(
        "==" in line and not line.startswith((" ", "#")) for line in lock.splitlines()
    )
    assert all(one["hashes"] for one in bill["components"])
