"""The verb `upgrade`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands.common import AddVerb
from autograder.program import program_name
from autograder.terminal import print

if TYPE_CHECKING:
    from autograder.release.upgrade import Upgrade


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("upgrade", upgrade)
    parser.add_argument("version", nargs="?", default="", help="default: the one that course.toml names")
    parser.add_argument("--dry-run", action="store_true", help="show what changes, for whom; write nothing")
    parser.add_argument(
        "--wheels",
        type=Path,
        metavar="FOLDER",
        help="take it from a folder of wheels, not from the package index",
    )


def upgrade(options: argparse.Namespace) -> None:
    """Take another version of the course that an overlay is based on; show what changes, and for whom."""
    from autograder.course.overlay import find_base, merge
    from autograder.release import upgrade as work

    home = work.find_overlay(Path.cwd().resolve())
    requirement = work.target_version(home, options.version)
    with work.other_version(requirement, options.wheels) as base:
        comparison = work.compare_versions(home, base)
        _print_upgrade(comparison)
        missing = work.missing_requirements(base)
    if options.dry_run:
        print(f"nothing was written: `{program_name()} upgrade {base.version}` does it")
        return
    work.install([requirement, *missing], options.wheels, "--upgrade")
    work.write_version(home, requirement)
    merge(home, find_base(requirement))
    print(f"course.toml names {requirement}: `{program_name()} regenerate` makes what has changed")


def _print_upgrade(upgrade: "Upgrade") -> None:
    """Print what changes, for whom."""
    if upgrade.before == upgrade.after:
        print(f"{upgrade.before} is in use already")
    else:
        print(f"{upgrade.before} → {upgrade.after}")
    for change in upgrade.topics:
        print(f"{change.topic}: {change.audience}")
        for line in change.lines:
            print(f"  {line}")
    for line in upgrade.course:
        print(line)
    for line in upgrade.attention:
        print(f"!! {line}")
    if not (upgrade.topics or upgrade.course or upgrade.attention):
        print("nothing changes in this course")
