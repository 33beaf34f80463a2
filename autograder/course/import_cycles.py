"""Find modules of a course that import each other in a circle."""

from pathlib import Path

from autograder.course.digests import imported_modules


def find_cycle(start: Path, root: Path) -> list[Path]:
    """Return the modules of a circle that is reached from a module, in the order of their imports; empty if none."""
    way: list[Path] = []
    finished: set[Path] = set()

    def visit(path: Path) -> list[Path]:
        if path in way:
            return way[way.index(path) :]
        if path in finished:
            return []
        way.append(path)
        cycle = next(filter(None, map(visit, imported_modules(path, root))), [])
        way.pop()
        finished.add(path)
        return cycle

    return visit(start.resolve())
