"""What a release publishes: two builds are the same bytes, and an index would take them."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser

import pytest
import yaml
from packaging.requirements import Requirement

from autograder.book.distributions import BILL, SUMS, build_distribution, build_distributions, read_package
from autograder.book.wheel import EPOCH, installed_wheel, run_backend
from autograder.errors import BookError
from autograder.program import ENGINE, ENGINE_VERSION
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build_distributions(ROOT, folder)
    return folder


DISTRIBUTIONS = {
    ENGINE: {"autograder", "coursewright.py"},
    "dimred_ref": {"dimred_ref"},
    "dimred_course": {"dimred_course"},
}
PROGRAMS = sorted({*DISTRIBUTIONS} - {"dimred_course"})
RECORD = f"{ENGINE}-{ENGINE_VERSION}.dist-info/RECORD"


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def metadata_of(folder, name=ENGINE):
    """The metadata of a wheel in a folder."""
    with zipfile.ZipFile(next(folder.glob(f"{name}-*.whl"))) as packed:
        name = next(name for name in packed.namelist() if name.endswith("METADATA"))
        return Parser().parsestr(packed.read(name).decode())


def test_two_builds_are_the_same_bytes(built, tmp_path):
    build_distributions(ROOT, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(built)


def test_the_date_inside_is_the_one_that_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv(EPOCH, "1767225600")  # 2026-01-01
    wheel, source = build_distribution(ROOT / "packaging" / "reference" / "pyproject.toml", tmp_path)
    with zipfile.ZipFile(wheel) as packed:
        assert {entry.date_time[:3] for entry in packed.infolist()} == {(2026, 1, 1)}
    with tarfile.open(source) as packed:
        assert {entry.mtime for entry in packed} == {1767225600}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_source_archive_builds_the_same_wheel(built, tmp_path, name):
    with tarfile.open(next(built.glob(f"{name}-*.tar.gz"))) as packed:
        packed.extractall(tmp_path, filter="data")
    run_backend(next(tmp_path.glob(f"{name}-*")), "build_wheel", tmp_path)
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == (built / again.name).read_bytes()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_each_package_is_alone_in_its_wheel_and_programs_are_typed(built, name):
    with zipfile.ZipFile(next(built.glob(f"{name}-*.whl"))) as packed:
        names = packed.namelist()
    folders = {name.split("/")[0] for name in names}
    assert {name for name in folders if not name.endswith(".dist-info")} == DISTRIBUTIONS[name]
    assert any(name.endswith("/py.typed") for name in names) == (name in PROGRAMS)
    assert [name for name in names if "__pycache__" in name] == []


def test_the_engine_has_every_file_of_its_package(built):
    """Pages, scripts, skeletons and templates too: a file that is missing in the wheel is there in a checkout."""
    with zipfile.ZipFile(next(built.glob(f"{ENGINE}-*.whl"))) as packed:
        names = set(packed.namelist())
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "autograder").rglob("*") if path.is_file()}
    assert {name for name in files if "__pycache__" not in name} - names == set()


def test_the_course_has_the_files_of_git_and_no_others(built):
    with zipfile.ZipFile(next(built.glob("dimred_course-*.whl"))) as packed:
        names = {name for name in packed.namelist() if name.startswith("dimred_course/")}
    project = tomllib.loads((ROOT / "packaging" / "course" / "pyproject.toml").read_text("utf-8"))
    command = ["git", "ls-files", "-z", *project["tool"]["course"]["content"]]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    assert names == {f"dimred_course/{name}" for name in files if name}


def test_the_course_requires_engine_and_reference_of_its_version(built):
    required = metadata_of(built, "dimred_course").get_all("Requires-Dist")
    assert f"dimred-ref[sklearn]=={ENGINE_VERSION}" in required
    (engine,) = [Requirement(text) for text in required if text.startswith(f"{ENGINE}[book,grade]")]
    assert engine.specifier.contains(ENGINE_VERSION)


def test_an_installed_engine_is_packed_again_as_it_was(built, tmp_path, monkeypatch):
    """A course that has the engine from an index publishes this wheel for its students."""
    wheel = next(built.glob(f"{ENGINE}-*.whl"))
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    again = tmp_path / wheel.name
    again.write_bytes(installed_wheel(ENGINE))
    assert installed_wheel(ENGINE) == again.read_bytes()
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        contents = [{name: file.read(name) for name in file.namelist()} for file in (first, second)]
    assert set(contents[0]) == set(contents[1])
    assert {name for name in contents[0] if contents[0][name] != contents[1][name]} <= {RECORD}


def test_all_distributions_have_the_version_of_the_checkout():
    places = [
        "pyproject.toml",
        *(f"packaging/{part}/pyproject.toml" for part in ("engine", "reference", "course")),
    ]
    assert {read_package(ROOT / place).version for place in places} == {ENGINE_VERSION}


FOREIGN = "Metadata-Version: 2.1\nName: autograder\nVersion: 3.7.7\n"


@pytest.mark.parametrize("installed", [True, False])
def test_the_command_recognises_a_foreign_package_of_its_import_name(tmp_path, installed):
    if installed:
        (tmp_path / "autograder-3.7.7.dist-info").mkdir()
        (tmp_path / "autograder-3.7.7.dist-info" / "METADATA").write_text(FOREIGN)
    shutil.copy(ROOT / "packaging" / "engine" / "coursewright.py", tmp_path)
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, tmp_path / "coursewright.py", "--version"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == installed
    assert done.stdout == ("" if installed else f"coursewright {ENGINE_VERSION}\n")
    assert ("pip uninstall --yes autograder" in done.stderr) == installed
    assert len(done.stderr.splitlines()) == installed


def test_an_index_finds_what_it_shows(built):
    told = metadata_of(built)
    assert told["Description-Content-Type"] == "text/markdown"
    assert told["License-Expression"] == "BSD-3-Clause"
    said = told.get_all("Classifier")
    for python in ("3.11", "3.12", "3.13", "3.14"):
        assert f"Programming Language :: Python :: {python}" in said
    assert {"Typing :: Typed", "Operating System :: OS Independent"} <= set(said)


def test_a_release_names_its_book_and_repository(built, tmp_path, monkeypatch):
    assert metadata_of(built, "dimred_ref").get_all("Project-URL") is None
    monkeypatch.setenv("COURSE_BOOK_URL", "https://example.org/x")
    monkeypatch.setenv("COURSE_REPOSITORY", "https://example.com/y")
    build_distribution(ROOT / "packaging" / "reference" / "pyproject.toml", tmp_path)
    assert metadata_of(tmp_path, "dimred_ref").get_all("Project-URL") == [
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
    assert citation["version"] == ENGINE_VERSION
    assert ENGINE_VERSION in (ROOT / "CHANGELOG.md").read_text("utf-8")


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


def test_an_engine_that_is_installed_under_no_name_of_its_own_is_told_in_one_line():
    with pytest.raises(BookError, match=r"^students install no-such-engine, which is not installed here"):
        installed_wheel("no-such-engine")
