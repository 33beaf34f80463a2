"""Grade one submission on Gradescope: `run_autograder` of the archive that `dimred gradescope` makes runs this.

    /autograder/source/assignments.json     what submissions are judged by: the class's variant and students' own
    /autograder/submission/*.ipynb          what was handed in
    /autograder/submission_metadata.json    by whom
    /autograder/results/results.json        what we write

A container of Gradescope's is made for one submission and thrown away. Inside it the student's code still runs in a
process of its own. A container that allows no walls is refused, unless the archive was made with `--allow-unsafe`: then
the rights of another user are all that keeps the keys from the student's code, and root's are never given.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.authoring.cells import checked
from autograder.errors import CourseError, UnsafeError
from autograder.grading.assignment import Assignment
from autograder.grading.repair import read_file
from autograder.grading.submission import Job, Result, run
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery

CLASS = "everyone"
ALLOW_UNSAFE = "--allow-unsafe"


def pack(assignments: dict[str, Assignment]) -> str:
    """The assignments of a topic as text, by the addresses and ids of those who have them."""
    return json.dumps({name: _tree(one) for name, one in assignments.items()}, ensure_ascii=False)


def _tree(one: Assignment) -> dict[str, Any]:
    return {**asdict(one), "files": [[name, data.decode("utf-8")] for name, data in one.files]}


def unpack(text: str) -> dict[str, Assignment]:
    """What `pack` wrote."""
    found = {}
    for name, tree in json.loads(text).items():
        files = tuple((file, content.encode("utf-8")) for file, content in tree.pop("files"))
        found[name] = Assignment(**tree, files=files)
    return found


def grade_here(folder: Path, *, allow_unsafe: bool = False) -> dict[str, Any]:
    """Grade what lies in Gradescope's folder; return its results. UnsafeError where that must not be."""
    assignments = unpack((folder / "source" / "assignments.json").read_text("utf-8"))
    given = assignments.get(_who(folder, set(assignments))) or assignments[CLASS]
    notebooks = sorted((folder / "submission").rglob("*.ipynb"))
    wanted = [path for path in notebooks if path.name == f"{given.topic}.ipynb"] or notebooks
    if len(wanted) != 1:
        said = f"hand in one notebook, {given.topic}.ipynb; {len(wanted)} were found"
        return {"score": 0, "output": said, "tests": []}
    try:
        job = Job(given, wanted[0].name, read_file(wanted[0]), Limits())
    except CourseError as error:
        return {"score": 0, "output": str(error), "tests": []}
    with Nursery(allow_unsafe=allow_unsafe) as nursery:
        return results(run(job, nursery))


def _who(folder: Path, known: set[str]) -> str:
    """By what a student with an own variant is known, if one of those who handed in has one."""
    try:
        users = json.loads((folder / "submission_metadata.json").read_text("utf-8"))["users"]
    except (OSError, ValueError, LookupError):
        return CLASS
    names = [str(user.get(word, "")) for user in users for word in ("sid", "email", "name")]
    return next((name for name in names if name in known), CLASS)


def results(result: Result) -> dict[str, Any]:
    """A result as Gradescope reads it: one entry for each task, with the words that the student would see."""
    said = _said(result.notebook)
    tests = [
        {
            "name": name,
            "score": round(verdict["fraction"] * verdict["points"], 2),
            "max_score": verdict["points"],
            "output": said.get(name, ""),
            "visibility": "visible",
        }
        for name, verdict in result.verdicts.items()
    ]
    return {
        "score": round(sum(test["score"] for test in tests), 2),
        "output": "\n".join(result.notes),
        "tests": tests,
    }


def _said(notebook: Any) -> dict[str, str]:
    """The verdict that grading wrote below each check, as plain text."""
    found = {}
    for cell in notebook["cells"] if notebook else []:
        if task := checked(cell):
            shown = [out["data"] for out in cell.get("outputs", []) if out["output_type"] == "display_data"]
            found[task[0]] = "\n".join(_text(data.get("text/plain", "")) for data in shown)
    return found


def _text(value: Any) -> str:
    return "".join(value) if isinstance(value, list) else str(value)


def main(folder: str = "/autograder", option: str = "") -> int:
    """Grade and write the results where Gradescope reads them; without results it asks the instructor to look."""
    target = Path(folder) / "results" / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        graded = grade_here(Path(folder), allow_unsafe=option == ALLOW_UNSAFE)
    except UnsafeError as error:
        print(f"not graded: {error}", file=sys.stderr)
        return 1
    target.write_text(json.dumps(graded, indent=1, ensure_ascii=False), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
