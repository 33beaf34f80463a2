"""The locks of requirements/: hashes for every package, each lock a part of the next, nothing forgotten."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.book.myst import cell_code
from autograder.course.contents import pages
from tests.conftest import ROOT

PIN = re.compile(
    r"^(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?P<rest>(?:.*\\\n)(?:\s+--hash=sha256:[0-9a-f]{64}.*\n)+)?",
    re.M,
)
PROJECTS = {
    table["project"]["name"]: table
    for path in (
        *(ROOT / "packaging").glob("*/pyproject.toml"),
        ROOT / "pyproject.toml",
    )  # whose name a package has
    for table in [tomllib.loads(path.read_text("utf-8"))]
}
PROJECT = PROJECTS["dimred-course"]
EXTRAS = {"grading": "grading", "course": "course", "test": "dev"}


def pins(name):
    """Name → (versions, does each have a hash)."""
    lock = {}
    for pin in PIN.finditer((ROOT / "requirements" / f"{name}.lock").read_text("utf-8")):
        versions, hashed = lock.get(pin["name"], (set(), True))
        lock[pin["name"]] = (versions | {pin["version"]}, hashed and bool(pin["rest"]))
    return lock


def requirements(extra, project="dimred-course"):
    """Requirements of an extra, including those of the extras that it names."""
    table = PROJECTS[project]["project"]
    for line in table["dependencies"] + table["optional-dependencies"][extra]:
        requirement = Requirement(line)
        if requirement.name not in PROJECTS:
            yield requirement
        for further in requirement.extras if requirement.name in PROJECTS else ():
            yield from requirements(further, requirement.name)


@pytest.mark.parametrize("name", ["installer", "grading", "course", "test"])
def test_every_locked_package_has_a_hash(name):
    lock = pins(name)
    assert lock
    assert [package for package, (_, hashed) in lock.items() if not hashed] == []


@pytest.mark.parametrize(
    ("part", "whole"), [("installer", "course"), ("grading", "course"), ("course", "test")]
)
def test_a_larger_lock_only_adds_packages(part, whole):
    assert pins(part).items() <= pins(whole).items()


@pytest.mark.parametrize("name", EXTRAS)
def test_each_lock_holds_what_pyproject_names(name):
    lock = pins(name)
    for requirement in requirements(EXTRAS[name]):
        versions, _ = lock[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_the_test_lock_covers_every_extra():
    everything = set(pins("test"))
    for name, table in PROJECTS.items():
        for extra in table["project"]["optional-dependencies"]:
            needed = {canonicalize_name(requirement.name) for requirement in requirements(extra, name)}
            assert needed <= everything, (name, extra)


def test_packages_that_nothing_imports_stay_away():
    assert not set(PROJECT["tool"]["uv"]["exclude-dependencies"]) & set(pins("test"))


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.stem)
def test_cells_import_only_what_the_course_installs(page):
    """The tests run with more packages than `make course` has."""
    distributions = packages_distributions()
    names = {name.partition(".")[0] for name in _imported(ast.parse(cell_code(page.read_text("utf-8"))))}
    needed = {
        canonicalize_name(distribution) for name in names for distribution in distributions.get(name, ())
    }
    assert needed - {canonicalize_name(name) for name in PROJECTS} <= set(pins("course"))


def _imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


def test_the_workflow_tries_every_python_that_pyproject_names():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert named[0] == PROJECT["project"]["requires-python"].removeprefix(">=")
    assert [version for version in named if f'"{version}"' not in workflow] == []
