"""Name and version of the engine, and name of the command by which it was called.

The engine's own command is `coursewright`. A course may install another name for it, as this repository does with
`dimred`. Messages name the command as the user typed it.
"""

import os
from pathlib import Path

ENGINE = "coursewright"  # the distribution and its command; the import name is `autograder`
ENGINE_VERSION = (
    "0.1.0"  # the same as in packaging/engine/pyproject.toml; a copy in an archive has no metadata
)
CALLED_BY = "COURSE_COMMAND"  # the environment variable that tells processes of ours the name
_UNNAMED = ("__main__", "-c", "-m", "")  # Python was called, and no command


def remember_name(argument: str) -> None:
    """Keep the name of the command from its first argument, for this process and those that it starts."""
    name = Path(argument).stem
    if name not in _UNNAMED:
        os.environ[CALLED_BY] = name


def program_name() -> str:
    """Return the name by which the command line was called; the engine's if there is none."""
    return os.environ.get(CALLED_BY) or ENGINE
