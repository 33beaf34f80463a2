"""Overlays: a course made of an installed course, its base, and the differences that an instructor keeps.

The folder of an overlay has a `course.toml` with a line such as `base = "stats-course==0.1.0"`, and files at the
places of those that they replace or join. `merge` lays both into the folder `_course` beside them, which is an
ordinary course to all other rooms. A file replaces the base's of the same place; `areas.changes.md` replaces sections
of `areas.md`, `_config.changes.yml` entries of `_config.yml`.
"""

import hashlib
import importlib.util
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml

from autograder.course.changes import apply_changes, merge_tables
from autograder.course.contents import parse_yaml
from autograder.course.files import exclusive_lock, write_bytes, write_text
from autograder.errors import CourseError
from autograder.program import program_name

OVERLAY_SETTINGS = "course.toml"
MERGED_FOLDER = "_course"
MERGE_RECORD = "merged.json"  # in the merged folder: what was laid there, by place
COURSES = "coursewright.courses"  # the entry points by which distributions say that they hold a course
OWN_FILES = ("_toc.yml", "_config.yml", "_config.changes.yml", "nbgrader_config.py")
OWN_FOLDERS = ("book", "solutions")
CHANGES_SUFFIX = ".changes.md"  # of the differences to a text
NOT_MERGED = ("__pycache__", ".ipynb_checkpoints")
_BASE_LINE = re.compile(rb"^\s*base\s*=", re.MULTILINE)
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*) *== *(?P<version>[A-Za-z0-9.!+]+)")
_CHANGES = re.compile(r"\.changes(?=\.(?:md|yml)$)")


@dataclass(frozen=True)
class Base:
    """An installed course: name and version of its distribution, its folder, the folder it was installed into."""

    name: str
    version: str
    folder: Path
    site: Path

    def settings(self) -> dict[str, Any]:
        """Return the settings of the base as its file has them."""
        return tomllib.loads((self.folder / OVERLAY_SETTINGS).read_text("utf-8-sig"))


@dataclass(frozen=True)
class Difference:
    """A file of an overlay: its place, and what it does to the base.

    `replaces` holds the digest of what it replaces, by name: a heading, an entry, or "" for the whole file. `added`
    names what is new.
    """

    place: str
    replaces: Mapping[str, str]
    added: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the JSON data of the record of a merge."""
        return {"replaces": dict(self.replaces), "added": [*self.added]}


@dataclass(frozen=True)
class Merged:
    """The files of base and overlay together, by place, and the differences."""

    base: Base
    files: Mapping[str, bytes]
    differences: tuple[Difference, ...]


def base_of(folder: Path) -> str:
    """Return the base that `course.toml` names; empty if the folder is no overlay."""
    path = folder / OVERLAY_SETTINGS
    if not path.is_file() or not _BASE_LINE.search(path.read_bytes()):
        return ""
    try:
        return str(tomllib.loads(path.read_text("utf-8-sig")).get("base", ""))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path.name} cannot be read: {error}") from None


def parse_base(requirement: str) -> tuple[str, str]:
    """Return name and version of `name==version`."""
    match = _REQUIREMENT.fullmatch(requirement.strip())
    if not match:
        raise CourseError(
            f'course.toml: base must be a course and its version, such as "stats-course==0.1.0", not {requirement!r}'
        )
    return match["name"], match["version"]


def find_base(requirement: str, site: Path | None = None) -> Base:
    """Return the installed course of this name and version.

    With `site`, it is looked for in this folder only. Raise CourseError with the command that installs it.
    """
    name, version = parse_base(requirement)
    places = {"path": [str(site)]} if site else {}
    distribution = next(iter(metadata.distributions(name=name, **places)), None)  # type: ignore[call-overload]
    install = f'python -m pip install "{name}=={version}"'
    if distribution is None:
        raise CourseError(f"course.toml names the course {name} {version}, which is not installed: {install}")
    if distribution.version != version:
        raise CourseError(
            f"course.toml names the course {name} {version}, and {distribution.version} is installed: "
            f"`{program_name()} upgrade --dry-run` says what changes, `{program_name()} upgrade` installs it"
        )
    packages = [point.value for point in distribution.entry_points.select(group=COURSES)]
    folder = Path(str(distribution.locate_file(packages[0]))) if packages else None
    if folder is None or not (folder / OVERLAY_SETTINGS).is_file():
        raise CourseError(
            f"{name} {version} is installed, and holds no course: name another base in course.toml"
        )
    return Base(name, version, folder, folder.parent)


def installed_courses() -> list[str]:
    """Return the courses that are installed, each as `name==version`."""
    points = metadata.entry_points(group=COURSES)
    return sorted(f"{point.dist.name}=={point.dist.version}" for point in points if point.dist)


def merge(home: Path, base: Base | None = None, target: Path | None = None) -> Path:
    """Lay an overlay and its base into a folder and return it; only what has changed is written.

    What commands have made there stays until the base or the overlay changes its source; they may remove data (.json).
    """
    merged = merged_files(home, base or find_base(base_of(home)))
    folder = target or home / MERGED_FOLDER
    record = folder / MERGE_RECORD
    before = read_merge_record(folder)
    now = {place: _digest(content) for place, content in merged.files.items()}
    differences = {difference.place: difference.as_data() for difference in merged.differences}
    base_name = f"{merged.base.name}=={merged.base.version}"
    after = {"base": base_name, "differences": differences, "files": now}
    missing = {place for place in now if not place.endswith(".json") and not (folder / place).is_file()}
    if before == after and not missing:
        return folder
    write_text(folder / ".gitignore", "*\n")
    known = before.get("files", {})
    with exclusive_lock(folder / ".lock"):
        for place in known.keys() - now.keys():
            (folder / place).unlink(missing_ok=True)
        for place, content in merged.files.items():
            if known.get(place) != now[place] or place in missing:
                write_bytes(folder / place, content)
        write_text(record, json.dumps(after, indent=1) + "\n")
    return folder


def merged_base(folder: Path) -> str:
    """Return the base, with its version, of which a folder was merged; empty if it was not."""
    return str(read_merge_record(folder).get("base", ""))


def read_merge_record(folder: Path) -> dict[str, Any]:
    """Return what was laid into a merged folder: base, differences, digests of files; empty for another folder."""
    try:
        record = json.loads((folder / MERGE_RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def merged_files(home: Path, base: Base) -> Merged:
    """Return what the files of base and overlay are together."""
    files = {place: path.read_bytes() for place, path in _base_files(base)}
    differences: list[Difference] = []
    for place, path in _own_files(home):
        target = _CHANGES.sub("", place)
        if target == place:
            differences.append(Difference(place, {"": _digest(files[place])} if place in files else {}))
            files[place] = path.read_bytes()
        elif target not in files:
            raise CourseError(f"{place} changes {target}, which {base.name} {base.version} does not have")
        else:
            difference, text = _changed(place, files[target].decode("utf-8"), _read_text(place, path))
            differences.append(difference)
            files[target] = text.encode("utf-8")
    return Merged(base, files, tuple(differences))


def _read_text(place: str, path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise CourseError(f"{place} is not UTF-8 text: save it as UTF-8") from None


def _changed(place: str, text: str, changes: str) -> tuple[Difference, str]:
    """Return what a file of differences does to a text, and the text with them."""
    if place.endswith(".yml"):
        tables = [parse_yaml(part, place) or {} for part in (text, changes)]
        if not all(isinstance(table, dict) for table in tables):
            raise CourseError(f"{place} must hold entries such as `title: My course`")
        merged = merge_tables(*tables)
        entries = {name: _digest(repr(tables[0][name]).encode()) for name in tables[1] if name in tables[0]}
        added = tuple(name for name in tables[1] if name not in tables[0])
        return Difference(place, entries, added), yaml.safe_dump(merged, sort_keys=False, allow_unicode=True)
    changed = apply_changes(text, changes, place)
    sections = {section.heading: _digest(section.text.encode()) for section in changed.replaced}
    return Difference(place, sections, changed.added), changed.text


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _base_files(base: Base) -> Iterator[tuple[str, Path]]:
    """Yield the files of a base, and of the library beside it, by place."""
    yield from _files_below(base.folder, base.folder)
    library = str(base.settings().get("library", ""))
    folder = _library_folder(base, library) if library else None
    if folder:
        yield from _files_below(folder, folder.parent)


def _library_folder(base: Base, library: str) -> Path | None:
    """Return the folder of the library that a base names: installed with it, or elsewhere."""
    if (base.folder / library).is_dir():
        return None
    if (base.site / library).is_dir():
        return base.site / library
    spec = importlib.util.find_spec(library)
    places: Sequence[str] = list(spec.submodule_search_locations or ()) if spec else ()
    if not places:
        raise CourseError(f"{base.name} {base.version} needs the package {library}, which is not installed")
    return Path(places[0])


def _files_below(folder: Path, root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(root)
        if path.is_file() and not {*NOT_MERGED}.intersection(place.parts):
            yield place.as_posix(), path


def _own_files(home: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of an overlay: whole ones first, so that differences are applied to them."""
    files = [(name, home / name) for name in OWN_FILES if (home / name).is_file()]
    for name in OWN_FOLDERS:
        files += _files_below(home / name, home)
    yield from sorted(files, key=lambda file: bool(_CHANGES.search(file[0])))
