"""What a student's process says, read as untrusted data: exact types, known problems, bounded text and pictures."""

import base64
from typing import Any

from autograder.answers.attempt import Attempt
from autograder.answers.raised import plain_line, read_error
from autograder.answers.values import NotPlainError, decode

MAX_TEXT = 100_000
MAX_PICTURE = 1_000_000
MAX_KEPT, MAX_KEPT_CHARACTERS = 1_000, 6_000_000  # outputs of one notebook
MAX_NAMES = 50  # names, and characters of one
NOT_KEPT = (
    "[The outputs of this notebook are too many or too long together: from here on they are not kept. "
    "This costs no points.]"
)
PROBLEMS = ("", "missing", "not written", "raised", "too slow", "wrong form", "stopped")


def read_attempts(trees: Any, number: int, ended: str | None) -> list[Attempt]:
    """The attempts in a reply to so many questions; `ended` says why there is none."""
    if trees is None:
        why = ended or "it ended itself"
        return [Attempt(problem="stopped", message=f"the program ended before it answered ({why})")] * number
    if not isinstance(trees, list) or len(trees) != number:
        return [Attempt(problem="wrong form", message="the program did not answer as asked")] * number
    return [_attempt(tree) for tree in trees]


def too_slow(seconds: float, number: int = 1) -> list[Attempt]:
    """Return the attempts of a function that had so many seconds."""
    return [Attempt(problem="too slow", message=f"your answer took longer than {seconds:g} s")] * number


def _attempt(tree: Any) -> Attempt:
    """An attempt from untrusted data: exact types, known problems, bounded text."""
    if not isinstance(tree, dict) or tree.get("problem") not in PROBLEMS:
        return Attempt(problem="wrong form", message="the program did not answer as asked")
    message = plain_line(_text(tree.get("message", ""), 500), 500)
    if tree["problem"]:
        error = read_error(tree.get("error")) if tree["problem"] == "raised" else None
        return Attempt(problem=tree["problem"], message=message if error is None else "", error=error)
    try:
        return Attempt(
            decode(tree.get("value")),
            changed=_names(tree.get("changed")),
        )
    except NotPlainError as error:
        return Attempt(problem="wrong form", message=str(error))


def _names(tree: Any) -> tuple[str, ...]:
    """Names of arguments; whether there are such arguments, the judge knows."""
    if not isinstance(tree, list) or len(tree) > MAX_NAMES:
        return ()
    return tuple(
        name for name in tree if type(name) is str and name.isidentifier() and len(name) <= MAX_NAMES
    )


def read_outputs(trees: Any) -> list[dict[str, Any]]:
    """Outputs from untrusted data: only the fields that a notebook's text and pictures have."""
    if not isinstance(trees, list):
        return []
    return [output for output in (_output(tree) for tree in trees[:60]) if output]


class Room:
    """The room for the outputs of one notebook: whatever its cells print, the graded notebook stays small."""

    def __init__(self) -> None:
        """All of it is free."""
        self._number, self._characters = MAX_KEPT, MAX_KEPT_CHARACTERS

    def kept(self, outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """A cell's outputs as far as there is room, and a note in place of the rest."""
        found: list[dict[str, Any]] = []
        for output in outputs:
            self._number -= 1
            self._characters -= _length(output)
            if self._number < 0 or self._characters < 0:
                self._number = 0
                return [*found, {"output_type": "stream", "name": "stdout", "text": NOT_KEPT}]
            found.append(output)
        return found


def _length(tree: Any) -> int:
    """How many characters an output holds, wherever in it."""
    if isinstance(tree, dict):
        return sum(map(_length, tree.values()))
    return sum(map(_length, tree)) if isinstance(tree, list) else len(tree or "")


def _output(tree: Any) -> dict[str, Any] | None:
    kind = tree.get("output_type") if isinstance(tree, dict) else None
    if kind == "stream":
        name = "stderr" if tree.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": _text(tree.get("text", ""))}
    if kind in ("display_data", "execute_result") and isinstance(tree.get("data"), dict):
        return _rich(kind, tree["data"])
    if kind == "error":
        return _error(tree)
    return None


def _text(value: Any, most: int = MAX_TEXT) -> str:
    """Text that every file and page can hold: bounded, and without half characters; nothing of what is no text."""
    return value[:most].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _rich(kind: str, bundle: dict[str, Any]) -> dict[str, Any]:
    data = {"text/plain": _text(bundle["text/plain"])} if "text/plain" in bundle else {}
    if _is_png(bundle.get("image/png")):
        data["image/png"] = "".join(bundle["image/png"].split())
    number = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **number}


def _is_png(value: Any) -> bool:
    """A picture of a sensible size in base64, and nothing that only says it is one."""
    if not isinstance(value, str) or len(value) > MAX_PICTURE:
        return False
    try:
        return base64.b64decode("".join(value.split()), validate=True).startswith(b"\x89PNG\r\n\x1a\n")
    except ValueError:
        return False


def _error(tree: dict[str, Any]) -> dict[str, Any]:
    name, text = _text(tree.get("ename", ""), 100), _text(tree.get("evalue", ""), 2000)
    given = tree.get("traceback")
    lines = given if isinstance(given, list) else []
    traceback = [_text(line, 2000) for line in lines[:40]] or [f"{name}: {text}"]
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": traceback}
