"""Explain an exception to a student: type, line, and what to do."""

import re
from collections.abc import Callable

from autograder.answers.raised import RaisedError, raised_error

MODULES = "NumPy, SciPy, SymPy, Matplotlib and Python's standard library"
Advice = Callable[[str], str]


def describe_error(error: RaisedError, advice: str = "") -> str:
    """Describe type, message and line of an error, with advice.

    `advice` replaces the usual advice.
    """
    place = f" ({error.place})" if error.place else ""
    end = "" if place or not error.name.endswith((".", "!", "?")) else error.name[-1]
    name = error.name.rstrip(".!?") if end else error.name
    return " ".join(filter(None, [f"{name}{place}{end or '.'}", advice or advice_on(error)]))


def advice_on(error: RaisedError) -> str:
    """Return advice on an error; empty if its message says enough."""
    advice = ADVICE.get(error.type, "")
    return advice if isinstance(advice, str) else advice(error.message)


def advice_on_exception(error: BaseException) -> str:
    """Return advice on an exception of this process."""
    return advice_on(raised_error(error))


def _quoted(message: str) -> str:
    """Return the first quoted name in a message, else nothing."""
    match = re.search(r"'([\w.]{1,60})'", message)
    return match[1] if match else ""


def _on_name(message: str) -> str:
    name = _quoted(message)
    return (
        f"No cell that ran before defines `{name}`: is it misspelt, or has its cell not been run?"
        if name
        else "A name is used that no cell before defines."
    )


def _on_local_name(message: str) -> str:
    name = _quoted(message)
    return f"`{name or 'the variable'}` has no value yet in this line: it is assigned later, or in one branch only."


def _on_module(message: str) -> str:
    name = _quoted(message).partition(".")[0]
    return f"The module `{name or '?'}` cannot be used here. You may use {MODULES}."


def _on_value(message: str) -> str:
    is_shape = re.search(r"broadcast|shape|dimension|mismatch|aligned|matmul|reshape", message)
    return "The shapes of the arrays in this line do not fit: print them." if is_shape else ""


def _on_type(message: str) -> str:
    is_call = re.search(r"\bargument", message)
    return "Compare the call with the definition: how many arguments, in which order?" if is_call else ""


ADVICE: dict[str, str | Advice] = {
    "NameError": _on_name,
    "UnboundLocalError": _on_local_name,
    "ModuleNotFoundError": _on_module,
    "ImportError": f"What is imported does not exist under this name. You may use {MODULES}.",
    "SyntaxError": "Python cannot read this line: look for a missing bracket, quote or colon here or one line above.",
    "IndentationError": "The lines of a block must begin in the same column.",
    "TabError": "Indent with blanks or with tabs, not with both.",
    "ZeroDivisionError": "A divisor is zero here: for which input, and what is the answer then?",
    "IndexError": "An index is too large: the first is 0, so the last is the length minus 1.",
    "KeyError": "The key does not exist.",
    "ValueError": _on_value,
    "TypeError": _on_type,
    "RecursionError": "The function calls itself without end: in which case should it stop?",
    "MemoryError": "An array is far larger than the task needs: print the shapes.",
    "LinAlgError": "Look at this matrix: is it square, and can it be inverted?",
    "SystemExit": "Do not leave Python in an answer: use `return`.",
    "KeyboardInterrupt": "Do not interrupt Python in an answer: use `return`.",
}
