"""Versions of the files that the engine writes, and refusal of those that it cannot read.

Every file says its version under "format". Older versions are read as long as `readable` names them; any other is
refused with one line. `autograder/schemas` describes the current version of each as a JSON Schema.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import FormatError

WITHOUT_NUMBER = 0  # of files from before versions were numbered
SCHEMAS_FOLDER = Path(__file__).parent / "schemas"


@dataclass(frozen=True)
class FileFormat:
    """A kind of file: its name, the version that is written, and those that are read."""

    name: str
    version: int
    readable: tuple[int, ...]

    def require_readable(self, tree: object, file: str) -> None:
        """Raise FormatError, with one line on what to do, unless a parsed file has a version that is read."""
        version = tree.get("format", WITHOUT_NUMBER) if isinstance(tree, Mapping) else None
        if type(version) is int and version in self.readable:
            return
        if type(version) is not int or version <= WITHOUT_NUMBER:
            raise FormatError(f"{file} is no {self.name} of this engine: take the right file")
        if version > self.version:
            raise FormatError(
                f"{file} has {self.name} format {version}, made by a newer version (this one reads up to "
                f"{self.version}): install the version that made it"
            )
        raise FormatError(
            f"{file} has {self.name} format {version}, which is no longer read (the oldest is {self.readable[0]}): "
            "make it again with this version"
        )

    def schema(self) -> dict[str, object]:
        """Return the JSON Schema of the current version."""
        return dict(json.loads((SCHEMAS_FOLDER / f"{self.name}.schema.json").read_text("utf-8")))


# 2 has no small cases; 4 has answers that are no arrays, and is written for these only, so that other keys stay as
# they were.
KEY = FileFormat("key", 4, (2, 3, 4))
CERTIFICATE = FileFormat("certificate", 1, (WITHOUT_NUMBER, 1))
OUTCOME = FileFormat("outcome", 1, (WITHOUT_NUMBER, 1))
AUDIT = FileFormat("audit", 1, (WITHOUT_NUMBER, 1))
PRACTICE = FileFormat("practice", 1, (WITHOUT_NUMBER, 1))
ALL_FORMATS = (KEY, CERTIFICATE, OUTCOME, AUDIT, PRACTICE)
