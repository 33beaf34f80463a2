"""Parse replies of a student's process as untrusted data.

Only exact types, known problems, and bounded text and pictures are accepted.
"""

from typing import Any

from autograder.answers.attempt import CallResult
from autograder.answers.raised import plain_line, read_error
from autograder.answers.values import UnsupportedAnswerError, decode
from autograder.sandbox.pictures import is_png

MAX_OUTPUT_TEXT_CHARACTERS = 100_000
MAX_PICTURE_CHARACTERS = 1_000_000
MAX_NOTEBOOK_OUTPUTS, MAX_NOTEBOOK_CHARACTERS = 1_000, 6_000_000  # outputs of one notebook
MAX_CHANGED_NAMES = 50  # number of names, and length of each
QUOTA_NOTE = (
    "[The outputs of this notebook are too many or too long together: from here on they are not kept. "
    "This costs no points.]"
)
KNOWN_PROBLEMS = ("", "missing", "not written", "raised", "too slow", "wrong form", "stopped")


def read_attempts(trees: object, n_calls: int, end_reason: str | None) -> list[CallResult]:
    """Return the results of `n_calls` calls from a reply.

    `end_reason` says why there is no reply.
    """
    if trees is None:
        why = end_reason or "it ended itself"
        return [
            CallResult(problem="stopped", message=f"the program ended before it answered ({why})")
        ] * n_calls
    if not isinstance(trees, list) or len(trees) != n_calls:
        return [CallResult(problem="wrong form", message="the program did not answer as asked")] * n_calls
    return [_read_attempt(tree) for tree in trees]


def too_slow(seconds: float, n_calls: int = 1) -> list[CallResult]:
    """Return 'too slow' results for calls with this limit."""
    return [CallResult(problem="too slow", message=f"your answer took longer than {seconds:g} s")] * n_calls


def _read_attempt(tree: object) -> CallResult:
    """Return one result; 'wrong form' if it is not valid."""
    if not isinstance(tree, dict) or tree.get("problem") not in KNOWN_PROBLEMS:
        return CallResult(problem="wrong form", message="the program did not answer as asked")
    message = plain_line(_bounded_text(tree.get("message", ""), 500), 500)
    if tree["problem"]:
        error = read_error(tree.get("error")) if tree["problem"] == "raised" else None
        return CallResult(problem=tree["problem"], message=message if error is None else "", error=error)
    try:
        return CallResult(
            decode(tree.get("value")),
            changed=_read_names(tree.get("changed")),
        )
    except UnsupportedAnswerError as error:
        return CallResult(problem="wrong form", message=str(error))


def _read_names(tree: object) -> tuple[str, ...]:
    """Return the names of changed arguments; the judge checks that they exist."""
    if not isinstance(tree, list) or len(tree) > MAX_CHANGED_NAMES:
        return ()
    return tuple(
        name for name in tree if type(name) is str and name.isidentifier() and len(name) <= MAX_CHANGED_NAMES
    )


def read_outputs(trees: object) -> list[dict[str, object]]:
    """Return the outputs, with only the notebook fields of text and pictures."""
    if not isinstance(trees, list):
        return []
    return [output for output in (_read_output(tree) for tree in trees[:60]) if output]


class OutputQuota:
    """Limit the outputs of one notebook, so that the graded notebook stays small."""

    def __init__(self) -> None:
        """Start with nothing used."""
        self._number, self._characters = MAX_NOTEBOOK_OUTPUTS, MAX_NOTEBOOK_CHARACTERS

    def trim(self, outputs: list[dict[str, object]]) -> list[dict[str, object]]:
        """Return the outputs of a cell that fit, and a note in place of the rest."""
        trimmed: list[dict[str, object]] = []
        for output in outputs:
            self._number -= 1
            self._characters -= _count_characters(output)
            if self._number < 0 or self._characters < 0:
                self._number = 0
                return [*trimmed, {"output_type": "stream", "name": "stdout", "text": QUOTA_NOTE}]
            trimmed.append(output)
        return trimmed


def _count_characters(tree: Any) -> int:
    """Count the characters of an output at all levels."""
    if isinstance(tree, dict):
        return sum(map(_count_characters, tree.values()))
    return sum(map(_count_characters, tree)) if isinstance(tree, list) else len(tree or "")


def _read_output(tree: Any) -> dict[str, object] | None:
    kind = tree.get("output_type") if isinstance(tree, dict) else None
    if kind == "stream":
        name = "stderr" if tree.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": _bounded_text(tree.get("text", ""))}
    if kind in ("display_data", "execute_result") and isinstance(tree.get("data"), dict):
        return _read_rich_output(kind, tree["data"])
    if kind == "error":
        return _read_error_output(tree)
    return None


def _bounded_text(value: object, max_characters: int = MAX_OUTPUT_TEXT_CHARACTERS) -> str:
    """Return bounded text without lone surrogates; empty if it is no text."""
    return value[:max_characters].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _read_rich_output(kind: str, bundle: dict[str, Any]) -> dict[str, object]:
    data = {"text/plain": _bounded_text(bundle["text/plain"])} if "text/plain" in bundle else {}
    if _is_png(bundle.get("image/png")):
        data["image/png"] = "".join(bundle["image/png"].split())
    number = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **number}


def _is_png(value: object) -> bool:
    """Return whether it is a base64 PNG picture of acceptable size."""
    return isinstance(value, str) and len(value) <= MAX_PICTURE_CHARACTERS and is_png(value)


def _read_error_output(tree: dict[str, object]) -> dict[str, object]:
    name, text = _bounded_text(tree.get("ename", ""), 100), _bounded_text(tree.get("evalue", ""), 2000)
    lines = tree.get("traceback")
    if not isinstance(lines, list):
        lines = []
    traceback = [_bounded_text(line, 2000) for line in lines[:40]] or [f"{name}: {text}"]
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": traceback}
