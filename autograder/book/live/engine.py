"""The part of the engine that judges in the browser, as a wheel: the modules that a check imports and no other."""

from pathlib import Path

from autograder.book.imports import ENGINE_PARENT, engine_files_imported_by
from autograder.book.live.wheels import Wheel

WAYS_IN = "from autograder import check\nimport autograder.live.cell"
ENGINE_WHEEL = "autograder_in_the_browser-1-py3-none-any.whl"


def engine_modules() -> list[Path]:
    """The files that run in the browser."""
    return engine_files_imported_by(WAYS_IN)


def engine_wheel() -> Wheel:
    """The wheel; what judges formulas (mpmath) is fetched when a formula is judged."""
    files = {path.relative_to(ENGINE_PARENT).as_posix(): path.read_bytes() for path in engine_modules()}
    return Wheel("autograder-in-the-browser", files, ("autograder",), ("numpy",))
