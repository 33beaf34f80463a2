"""Differences to a text of another course, section by section.

A section is a heading and the lines up to the next heading. A section of the differences replaces the one that asks the
same tasks or, without tasks, has the same heading. A heading alone changes nothing: it is the place for the new
sections that follow it. New sections without such a place come at the end.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.errors import CourseError

_HEADING = re.compile(r"#{1,6} +(?P<words>.+?)\s*$")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})")
_CHECK = re.compile(r"""^check\(\s*["']\w+\.(?P<task>\w+)["']""", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A heading and the lines below it."""

    heading: str
    text: str

    @property
    def tasks(self) -> frozenset[str]:
        """Tasks that the section asks."""
        return frozenset(_CHECK.findall(self.text))

    @property
    def is_place(self) -> bool:
        """Return whether there is only the heading."""
        return len(self.text.strip().splitlines()) == 1

    def replaces(self, section: "Section") -> bool:
        """Return whether this section asks the same tasks as another or, without tasks, has the same heading."""
        if self.is_place or not self.tasks:
            return self.heading == section.heading
        return self.tasks == section.tasks


@dataclass(frozen=True)
class ChangedText:
    """A text with differences: the sections that were replaced, as they were, and the headings of new ones."""

    text: str
    replaced: tuple[Section, ...]
    added: tuple[str, ...]


def split_sections(text: str) -> tuple[str, list[Section]]:
    """Return the text above the first heading, and the sections; headings inside code do not count."""
    blocks: list[list[str]] = [[]]
    headings: list[str] = []
    fence = ""
    front_matter = _FRONT_MATTER.match(text)
    top = front_matter[0] if front_matter else ""
    for line in text[len(top) :].splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark["mark"].startswith(fence) and not line.strip().strip(fence[0]))):
            fence = "" if fence else mark["mark"]
        elif not fence and (heading := _HEADING.match(line)):
            headings.append(heading["words"])
            blocks.append([])
        blocks[-1].append(line)
    sections = [Section(heading, "".join(lines)) for heading, lines in zip(headings, blocks[1:], strict=True)]
    return top + "".join(blocks[0]), sections


def apply_changes(text: str, changes: str, name: str) -> ChangedText:
    """Return a text with the sections of `changes`, the file of this name."""
    top, sections = split_sections(text)
    above, differences = split_sections(changes)
    if _FRONT_MATTER.sub("", above).strip():
        raise CourseError(f"{name} must begin with a heading: it holds whole sections")
    place, replaced, added = len(sections), list[Section](), list[str]()
    for section in differences:
        _require_whole_tasks(section, sections, name)
        matches = [number for number, other in enumerate(sections) if section.replaces(other)]
        if len(matches) > 1:
            raise CourseError(f"{name}: the text has {len(matches)} sections {section.heading!r}")
        if matches and not section.is_place:
            replaced.append(sections[matches[0]])
            sections[matches[0]] = section
        elif not matches:
            if section.is_place:
                raise CourseError(f"{name}: the text has no section {section.heading!r}")
            sections.insert(place, section)
            added.append(section.heading)
        place = (matches[0] if matches else place) + 1
    texts = [top, *(section.text for section in sections)]
    whole = "".join(part if part.endswith("\n\n") else f"{part.rstrip()}\n\n" for part in texts if part)
    return ChangedText(whole.rstrip() + "\n", tuple(replaced), tuple(added))


def _require_whole_tasks(section: Section, sections: list[Section], name: str) -> None:
    """Raise CourseError if a section asks some of the tasks of another and not the others."""
    for other in sections:
        if section.tasks & other.tasks and section.tasks != other.tasks:
            both = ", ".join(sorted(other.tasks))
            raise CourseError(
                f"{name}: the section {section.heading!r} must ask {both}, as the one that it replaces"
            )


def merge_tables(table: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with the entries of another, tables inside merged likewise."""
    merged = dict(table)
    for name, value in changes.items():
        before = merged.get(name)
        is_table = isinstance(value, Mapping) and isinstance(before, Mapping)
        merged[name] = merge_tables(before, value) if is_table else value  # type: ignore[arg-type]
    return merged
