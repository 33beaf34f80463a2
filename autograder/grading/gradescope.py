"""Grade a submission in a Gradescope container.

The `run_autograder` script of the archive that `dimred gradescope` writes runs this module.

    /autograder/source/assignments.json     the variants of the class and of single students, with keys
    /autograder/submission/*.ipynb          the submission
    /autograder/submission_metadata.json    the submitters
    /autograder/results/results.json        the results, written by this module

Gradescope creates a container for each submission. Inside it the student's code still runs in a sandboxed process. A
container that does not support the sandbox is refused, unless the archive was made with `--allow-unsafe`. Then only the
rights of another user id keep the keys from the student's code, and student code never runs as root.
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
from autograder.grading.submission import Job, Result, grade_submission
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits

WHOLE_CLASS = "everyone"
ALLOW_UNSAFE = "--allow-unsafe"


def pack(assignments: dict[str, Assignment]) -> str:
    """Serialise the assignments of a topic, by e-mail address, id or WHOLE_CLASS."""
    return json.dumps(
        {name: _to_tree(assignment) for name, assignment in assignments.items()}, ensure_ascii=False
    )


def _to_tree(assignment: Assignment) -> dict[str, object]:
    return {**asdict(assignment), "files": [[name, data.decode("utf-8")] for name, data in assignment.files]}


def unpack(text: str) -> dict[str, Assignment]:
    """Parse the text that `pack` returned."""
    assignments = {}
    for name, tree in json.loads(text).items():
        files = tuple((file, content.encode("utf-8")) for file, content in tree.pop("files"))
        assignments[name] = Assignment(**tree, files=files)
    return assignments


def grade_here(folder: Path, *, allow_unsafe: bool = False) -> dict[str, object]:
    """Grade the submission in Gradescope's folder and return its results.

    Raise UnsafeError if the container does not support the sandbox.
    """
    assignments = unpack((folder / "source" / "assignments.json").read_text("utf-8"))
    assignment = assignments.get(_find_submitter(folder, set(assignments))) or assignments[WHOLE_CLASS]
    notebooks = sorted((folder / "submission").rglob("*.ipynb"))
    candidates = [path for path in notebooks if path.name == f"{assignment.topic}.ipynb"] or notebooks
    if len(candidates) != 1:
        problem = f"hand in one notebook, {assignment.topic}.ipynb; {len(candidates)} were found"
        return {"score": 0, "output": problem, "tests": []}
    try:
        job = Job(assignment, candidates[0].name, read_file(candidates[0]), Limits())
    except CourseError as error:
        return {"score": 0, "output": str(error), "tests": []}
    with ForkServerClient(allow_unsafe=allow_unsafe) as fork_server:
        return gradescope_results(grade_submission(job, fork_server))


def _find_submitter(folder: Path, known: set[str]) -> str:
    """Return the identifier of a submitter with a personal variant, else WHOLE_CLASS."""
    try:
        users = json.loads((folder / "submission_metadata.json").read_text("utf-8"))["users"]
    except (OSError, ValueError, LookupError):
        return WHOLE_CLASS
    names = [str(user.get(word, "")) for user in users for word in ("sid", "email", "name")]
    return next((name for name in names if name in known), WHOLE_CLASS)


def gradescope_results(result: Result) -> dict[str, object]:
    """Convert a result to Gradescope's format, with an entry per task."""
    verdict_texts = _verdict_texts(result.notebook)
    tests: list[dict[str, Any]] = [
        {
            "name": name,
            "score": round(verdict["fraction"] * verdict["points"], 2),
            "max_score": verdict["points"],
            "output": verdict_texts.get(name, ""),
            "visibility": "visible",
        }
        for name, verdict in result.verdicts.items()
    ]
    return {
        "score": round(sum(test["score"] for test in tests), 2),
        "output": "\n".join(result.notes),
        "tests": tests,
    }


def _verdict_texts(notebook: Any) -> dict[str, str]:
    """Map each task to its verdict as plain text."""
    texts = {}
    for cell in notebook["cells"] if notebook else []:
        if task := checked(cell):
            shown = [out["data"] for out in cell.get("outputs", []) if out["output_type"] == "display_data"]
            texts[task[0]] = "\n".join(_join_text(data.get("text/plain", "")) for data in shown)
    return texts


def _join_text(value: object) -> str:
    return "".join(value) if isinstance(value, list) else str(value)


def main(folder: str = "/autograder", option: str = "") -> int:
    """Grade and write results.json.

    Return 1 without it if the sandbox is refused. Gradescope reports a missing results.json to the instructor.
    """
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
