"""Run the cells of chapters one by one, as a reader would: each with what it needs of the page above it.

The same file runs here, to start it, and in the browser's Python under node, where the cells run.
"""

import json
import sys
from pathlib import Path
from typing import Any

SITE = "/lib/python3.14/site-packages"
MOUNTS = {
    f"{SITE}/autograder": "autograder",
    f"{SITE}/dimred_ref": "dimred_ref",
    f"{SITE}/_figures": "book/_figures",
}
PACKAGES = ("numpy", "scipy", "sympy", "matplotlib")


def outcomes(root: Path, topic: str) -> list[dict[str, Any]]:
    """What every cell of a chapter that does not verify a theorem gave in the browser's Python, and its CPU seconds."""
    from autograder.book import myst
    from autograder.book.live.node_python import run_in_python
    from autograder.book.live.runtime import python_folder

    text = (root / "book" / f"{topic}.md").read_text("utf-8")
    cells = [
        {"source": cell.body, "is_run": "verify" not in str(cell.options.get("tags", ""))}
        for cell in myst.cells(text)
    ]
    mounts = {place: root / layer for place, layer in MOUNTS.items()}
    printed = run_in_python(python_folder(), Path(__file__), mounts, cells, PACKAGES)
    found: list[dict[str, Any]] = json.loads(printed.splitlines()[-1])
    return found


def _processor_seconds() -> float:
    """What node has used: on a machine that is busy with other work, the clock says little."""
    import js  # type: ignore[import-not-found]

    used = js.process.cpuUsage()
    return float(used.user + used.system) / 1e6


def _run(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    from autograder.live import cell

    found = []
    for number, one in enumerate(cells):
        if not one["is_run"]:
            continue
        before = [earlier["source"] for earlier in cells[:number]]
        started = _processor_seconds()
        outcome = json.loads(cell.run(json.dumps({"code": one["source"], "before": before})))
        seconds = _processor_seconds() - started
        outcome["figures"] = len(outcome["figures"])
        found.append({"cell": number, "seconds": seconds, **outcome})
    return found


if sys.platform == "emscripten":
    print(json.dumps(_run(json.loads(job))))  # type: ignore[name-defined]  # noqa: F821
