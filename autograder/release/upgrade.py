"""Compare an overlay on the version of its base that is in use with the same overlay on another version.

The other version is installed into a scratch folder, with what it requires and this environment does not have. Both
merged courses are compared file by file, and the topics that differ task by task.
"""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.course import contents
from autograder.course.course import Course
from autograder.course.files import scratch_folder, write_text
from autograder.course.handout import last_handout
from autograder.course.overlay import (
    MERGED_FOLDER,
    OVERLAY_SETTINGS,
    Base,
    base_of,
    find_base,
    merge,
    merged_base,
    parse_base,
    read_merge_record,
)
from autograder.course.settings import read_settings
from autograder.errors import CourseError
from autograder.grading.recorder import graded_students, has_assignment
from autograder.program import program_name
from autograder.release.course_summary import published_inputs, summarise_elsewhere

NEW_FOLDER = f"{MERGED_FOLDER}.new"
MAX_LISTED_FILES = 8
_BASE_LINE = re.compile(r"""^(base\s*=\s*["'][^"'\n]*==\s*)[^"'\s]+""", re.MULTILINE)
_GENERATED = re.compile(
    r"(?:^|/)(?:exercises|practice|questions|katas|page_seconds\.json|m(?:istakes|utants)\.json)"
)


@dataclass(frozen=True)
class TopicChange:
    """A topic that differs, in lines, and those whom it concerns."""

    topic: str
    lines: tuple[str, ...]
    audience: str


@dataclass(frozen=True)
class Upgrade:
    """The changes between two versions of a base.

    `attention` names differences of the overlay that no longer meet what they were written for.
    """

    before: str
    after: str
    topics: tuple[TopicChange, ...]
    course: tuple[str, ...]
    attention: tuple[str, ...]


def find_overlay(start: Path) -> Path:
    """Return the nearest parent whose `course.toml` names a base."""
    for folder in (start, *start.parents):
        if base_of(folder):
            return folder
    raise CourseError(f"{start} is not inside an overlay: no course.toml above it has a line `base = …`")


def target_version(home: Path, version: str) -> str:
    """Return the base that an overlay shall have: of this version or, without one, as `course.toml` says."""
    name, written = parse_base(base_of(home))
    return f"{name}=={version or written}"


@contextlib.contextmanager
def other_version(requirement: str, source: Path | None = None) -> Iterator[Base]:
    """Yield a version of a base: the installed one, or one in a scratch folder that is removed afterwards.

    `source` is a folder of wheels to take it from, without an index.
    """
    parse_base(requirement)
    try:
        installed = find_base(requirement)
    except CourseError:
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            install([requirement], source, "--target", str(site))
            base = find_base(requirement, site)
            missing = [text for text in _requirements(base) if not _is_met(text)]
            if missing:
                install(missing, source, "--target", str(site), "--upgrade")
            yield base
    else:
        yield installed


def install(requirements: Sequence[str], source: Path | None, *options: str) -> None:
    """Install distributions, without what they require, by pip or uv."""
    if any(metadata.distributions(name="pip")):  # looking for its module would change how setuptools works
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    elif uv := shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv"):
        command = [uv, "pip", "install", "--quiet", "--python", sys.executable]
    else:
        raise CourseError("pip is needed to install another version: python -m ensurepip")
    places = ["--no-index", "--find-links", str(source)] if source else []
    done = subprocess.run(
        [*command, "--no-deps", *places, *options, *requirements], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise CourseError(f"{', '.join(requirements)} cannot be installed: {last}")


def _requirements(base: Base) -> list[str]:
    """Return what a base requires, without extras of its own."""
    (distribution,) = metadata.distributions(name=base.name, path=[str(base.site)])
    return [text for text in distribution.requires or [] if "extra ==" not in text]


def missing_requirements(base: Base) -> list[str]:
    """Return the requirements of a base that this environment does not meet."""
    return [text for text in _requirements(base) if not _is_met(text)]


def _is_met(text: str) -> bool:
    from packaging.requirements import Requirement

    requirement = Requirement(text)
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def compare_versions(home: Path, base: Base) -> Upgrade:
    """Compare the merged course of an overlay with what it becomes on another version of its base."""
    old = _merged_now(home)
    with scratch_folder(home / NEW_FOLDER) as new:
        merge(home, base, new)
        records = [read_merge_record(folder) for folder in (old, new)]
        changed = _changed_files(*(record["files"] for record in records))
        site = base.site if base.site not in map(Path, sys.path) else None
        return Upgrade(
            before=str(records[0]["base"]),
            after=str(records[1]["base"]),
            topics=tuple(
                _compare_topics((old, new), changed, site, _redrawn_tasks(records[0]["base"], base))
            ),
            course=tuple(_compare_courses(old, new, changed)),
            attention=tuple(_unmet_differences(*(record["differences"] for record in records))),
        )


def _merged_now(home: Path) -> Path:
    """Return the merged folder, brought up to date if its base is still installed."""
    folder = home / MERGED_FOLDER
    try:
        return merge(home, find_base(merged_base(folder) or base_of(home)))
    except CourseError:
        if merged_base(folder):
            return folder
        raise


def _changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the places of files that differ, without what commands generate."""
    places = sorted({*before, *after})
    return [
        place for place in places if before.get(place) != after.get(place) and not _GENERATED.search(place)
    ]


def _redrawn_tasks(before: str, base: Base) -> Callable[[str], dict[str, bool]]:
    """Return a function that tells of the tasks of a topic whether their numbers are drawn in another way.

    It compares the exercises that both versions were published with. Tasks of which this cannot be told are left out.
    """
    try:
        folder = find_base(before).folder
    except CourseError:  # no longer installed
        return lambda topic: {}

    def compare(topic: str) -> dict[str, bool]:
        inputs = published_inputs(folder, topic), published_inputs(base.folder, topic)
        return {name: inputs[0][name] != inputs[1][name] for name in inputs[0].keys() & inputs[1].keys()}

    return compare


def _compare_topics(
    folders: tuple[Path, Path],
    changed: Sequence[str],
    site: Path | None,
    redrawn_tasks: Callable[[str], dict[str, bool]],
) -> Iterator[TopicChange]:
    """Yield the topics that differ."""
    courses = [Course(folder) for folder in folders]
    known = [course.topics() for course in courses]
    shared = [topic for topic in known[0] if topic in known[1]]
    points = [course.settings["points"] for course in courses]
    concerned = shared if points[0] != points[1] else _concerned_topics(shared, changed)
    before = summarise_elsewhere(folders[0], concerned)
    after = summarise_elsewhere(folders[1], concerned, site)
    for topic in [*known[0], *(topic for topic in known[1] if topic not in known[0])]:
        if topic not in shared:
            line = "is new" if topic in known[1] else "is no topic any more"
            yield TopicChange(topic, (line,), describe_audience(courses[0], topic))
        elif topic in concerned:
            lines = tuple(_compare_tasks(before[topic], after[topic], redrawn_tasks(topic)))
            if lines:
                yield TopicChange(topic, lines, describe_audience(courses[0], topic))


def _compare_tasks(
    before: Mapping[str, Any], after: Mapping[str, Any], redrawn: Mapping[str, bool]
) -> Iterator[str]:
    """Describe how the tasks of a topic differ."""
    for name in before["tasks"].keys() - after["tasks"].keys():
        yield f"{name} is no task any more"
    for name, task in after["tasks"].items():
        earlier = before["tasks"].get(name)
        if earlier is None:
            yield f"{name} is a new task of {task['points']:g} points"
        else:
            yield from (f"{name}: {words}" for words in _compare_task(earlier, task, redrawn.get(name)))
    if before["text"] != after["text"]:
        yield "the text of the exercise differs"


def _compare_task(before: Mapping[str, Any], after: Mapping[str, Any], redrawn: bool | None) -> Iterator[str]:
    """Describe how a task differs; `redrawn` says whether its numbers do, None that this is not known."""
    if before["points"] != after["points"]:
        yield f"{before['points']:g} points become {after['points']:g}"
    if redrawn:
        yield "its numbers are drawn in another way"
    elif before["program"] != after["program"]:
        yield "its program differs" if redrawn is None else "its program differs, its numbers do not"
    hints = before["hints"], after["hints"]
    for sign, names in (("new", hints[1].keys() - hints[0]), ("no longer known", hints[0].keys() - hints[1])):
        if names:
            yield f"mistakes {sign}: {', '.join(sorted(names))}"
    reworded = [name for name, hint in hints[0].items() if hints[1].get(name, hint) != hint]
    if reworded:
        yield f"hints in other words: {', '.join(reworded)}"


def describe_audience(course: Course, topic: str) -> str:
    """Describe who has a topic, and what an upgrade means for them."""
    if not course.paths.certificate(topic).is_file() and not last_handout(course, topic):
        return "for nobody yet: it is not released"
    handout = last_handout(course, topic)
    n_submitted = len(course.paths.students_with(topic))
    n_graded = len(graded_students(course, topic)) if has_assignment(course, topic) else 0
    who = (
        f"{len(handout.students)} students with variants of their own"
        if handout and handout.students
        else "the class"
    )
    state = "has" if who == "the class" else "have"
    if not (n_submitted or n_graded or course.was_handed_out(topic)):
        return f"released for {who} and not handed out: `{program_name()} regenerate` takes the change in"
    name = program_name()
    return (
        f"{who} {state} it, {n_submitted} handed in, {n_graded} graded: exercises and keys stay as they were handed "
        f"out; `{name} regenerate` takes in what changes no number, then `{name} regrade` shows scores"
    )


def _concerned_topics(topics: Sequence[str], changed: Sequence[str]) -> list[str]:
    """Return the topics whose tasks may differ: all, if a module changed that all of them use."""
    if any(re.fullmatch(r"solutions/\w+\.(?:py|md)", place) for place in changed):
        return list(topics)
    folders = {place.split("/")[1] for place in changed if place.startswith("solutions/")}
    return [topic for topic in topics if topic in folders]


def _compare_courses(old: Path, new: Path, changed: Sequence[str]) -> Iterator[str]:
    """Describe pages, library, settings and other files that differ."""
    entries = {f"{entry}.md" for folder in (old, new) for entry in contents.contents_entries(folder)}
    pages = [place for place in changed if place in entries]
    library = str(read_settings(new)["library"])
    modules = [place for place in changed if library and place.startswith(f"{library}/")]
    rest = [
        place
        for place in changed
        if place not in {*pages, *modules, OVERLAY_SETTINGS} and not place.startswith("solutions/")
    ]
    for words, places in (("pages", pages), ("modules of the reference", modules), ("other files", rest)):
        if places:
            yield f"{words} that differ: {_listed(places)}"
    yield from _compare_settings(read_settings(old), read_settings(new))


def _compare_settings(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[str]:
    for name in old:
        if old[name] != new[name]:
            yield f"the setting {name}: {old[name]!r} becomes {new[name]!r}"


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - MAX_LISTED_FILES} more" if len(places) > MAX_LISTED_FILES else ""
    return ", ".join(places[:MAX_LISTED_FILES]) + more


def _unmet_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Describe differences of the overlay whose counterparts in the base changed or are gone."""
    for place, now in after.items():
        earlier = before.get(place, now)
        for name, digest in earlier["replaces"].items():
            what = f"{name!r}" if name else "the file"
            if name not in now["replaces"]:
                yield f"{place} replaced {what} of the base, which is gone: what you wrote is added now"
            elif now["replaces"][name] != digest:
                yield f"{place} replaces {what} of the base, which has changed: compare both"
        for name in now["replaces"].keys() - earlier["replaces"].keys():
            what = f"{name!r}" if name else "a file"
            yield f"{place} was new, and the base now has {what} of its own: yours replaces it"


def write_version(home: Path, requirement: str) -> None:
    """Change the number in `course.toml`; everything else stays as it is written."""
    path = home / OVERLAY_SETTINGS
    text = path.read_text("utf-8")
    _, version = parse_base(requirement)
    changed, n_lines = _BASE_LINE.subn(lambda match: f"{match[1]}{version}", text)
    if n_lines != 1:
        raise CourseError(
            f'{path.name} must have one line `base = "name==version"`: write {requirement} there'
        )
    if changed != text:
        write_text(path, changed)
