"""The most expensive submissions that we can build: each spends the grader's time in another way.

All are written for the tiny course about squares. The tests grade them with small limits, `benchmarks.hostile` with the
limits of a class.
"""

import json
from typing import Any

import nbformat

from autograder.demo import filled_in
from tests.attacks.cheating import FIND_CHANNEL

# A message of so many bytes, and as many lists and numbers as the grader reads.
BULK = """
ROW = b"[" + b"0," * 9_998 + b"0]"
def bulk(rows):
    return b"[" + b",".join([ROW] * rows) + b"]"
"""
WRONG_TOTAL = "def NAME(x):\n    return float(np.sum(x)) + 1.0"  # written, of the right kind, wrong
# While `cubes` is judged with a right `total` in place of the wrong one, it asks for `total` as fast as it can.
QUESTIONS = f"""
{FIND_CHANNEL}{BULK}
import signal
def NAME(X):
    if type(total).__name__ == "function":
        return total(X[:, 0]) * X
    signal.setitimer(signal.ITIMER_REAL, 0)  # no limit for this answer
    if os.fork() == 0:
        while True:
            pass
    door = channel()
    def question(rows):
        return pack(b'{{"wants": "total", "positional": [' + bulk(rows) + b'], "named": {{"dict": {{}}}}}}')
    questions = [question(19), question(49)]
    for number in range(10_000):
        door.sendall(questions[number % 2])
        size = struct.unpack(">I", door.recv(4, socket.MSG_WAITALL))[0]
        door.recv(size, socket.MSG_WAITALL)
    return X
"""
# Every cell answers for itself: 16 MiB of small numbers, or of text with pictures.
FORGED_CELL = f"""
{FIND_CHANNEL}{BULK}
door = channel()
picture = '"' + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB" + "A" * 990_000 + '"'
outputs = ['{{"output_type": "display_data", "data": {{"image/png": %s}}}}' % picture] * 14
door.sendall(pack(b'{{"outputs": ' + bulk(90) + b'}}'))
door.sendall(pack(('{{"outputs": [' + ",".join(outputs) + ']}}').encode()))
"""
LARGE_TOTAL = "def NAME(x):\n    return [[float(x.sum() + 1)] * 9_999] * 19"
LARGE_CUBES = "def NAME(X):\n    return np.arange(2_000.0).reshape(-1, 2) + X.sum()"
SLOW_FORMULA = "NAME = '+'.join(f'gamma(a+b+0.{number})' for number in range(1_000, 1_200))"
SLOW_CELL = """
import os
for _ in range(8):
    try:
        os.fork()
    except OSError:
        pass
while True:
    pass
"""
SLEEPING_CELL = "import time\ntime.sleep(0.9 * {seconds})"
# Answers just in time, wrong in a way that is looked into: each probe takes as long again.
SLOW_PROBES = "import time\ndef NAME(X):\n    time.sleep(0.9 * {seconds})\n    return X ** 2 + X.sum()"
# Leaves processes behind that compute while the grader judges what the others said.
LEFT_BEHIND = """
import os
for _ in range(12):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
"""
DEEP_TOTAL = (
    "def NAME(x):\n    tree = 0.5\n    for _ in range(400):\n        tree = [tree, (tree,)]\n    return tree"
)
NESTED_CUBES = """
def NAME(X):
    tree = 0.5
    for number in range(60):
        tree = {str(number): tree, "list": [(0.5,)] * 3_000}
    return tree
"""
LONG_TEXT = "NAME = 'a+' * 8_000_000 + 'b'"
LONG_NUMBER = "NAME = 10 ** 4_000_000 + 1"
DEEP_FORMULA = "NAME = '(' * 900 + 'a' + '+b)**2' * 900"
TOWER = "NAME = '**'.join(['(a+b)'] * 40)"
EXPANDING = "NAME = '*'.join(f'(a+b+{number}.5)**99' for number in range(200))"
LONG_ERROR = """
def NAME(x):
    error = None
    for number in range(2_000):
        error, cause = ValueError("<b>x</b>" * 50_000), error
        error.__cause__ = cause
        error.__notes__ = ["y" * 100_000] * 20
    raise error
"""
PICTURES = """
import matplotlib.pyplot as plt, numpy as np
for _ in range(40):
    plt.imshow(np.random.default_rng(0).random((600, 600)))
    plt.show()
"""
# Braces in braces: MathJax takes the square of their number. As many as the text of an answer may hold.
DEEP_TEX = "\n\n".join(f"$${'{' * 490}x_{number}{'}' * 490}$$" for number in range(19))
PRINTING = "for _ in range(200):\n    display('x' * 90_000)\nprint('<b>' * 10**6)"


def hostile_notebooks(release: Any, source: Any, seconds: float = 30.0) -> dict[str, Any]:
    """Return the notebooks by name, for a limit of so many seconds on a cell; `everything` joins all ways."""

    def with_cells(answers: dict[str, str], *cells: str) -> Any:
        notebook = filled_in(release, source, answers)
        for number, text in enumerate(cells):
            notebook.cells.append(nbformat.v4.new_code_cell(text, id=f"worst-{number}"))
        return notebook

    questions = {"total": WRONG_TOTAL, "cubes": QUESTIONS}
    large = {"total": LARGE_TOTAL, "cubes": LARGE_CUBES, "binomial": SLOW_FORMULA}
    everything = with_cells(
        {**questions, "binomial": SLOW_FORMULA}, PRINTING, *[FORGED_CELL] * 5, SLOW_CELL, *[FORGED_CELL] * 300
    )
    sleeping, slow_probes = (text.format(seconds=seconds) for text in (SLEEPING_CELL, SLOW_PROBES))
    formulas = {
        name: with_cells({"binomial": formula, "by_hand": LONG_NUMBER})
        for name, formula in (("deep formula", DEEP_FORMULA), ("tower", TOWER), ("expanding", EXPANDING))
    }
    return {
        "questions": with_cells(questions),
        "messages": with_cells({}, *[FORGED_CELL] * 300),
        "answers": with_cells(large),
        "outputs": with_cells({}, *[PRINTING] * 30),
        "loops": with_cells({"total": WRONG_TOTAL}, *[SLOW_CELL] * 30),
        "text": with_cells({}, *["# " + "x" * 10_000] * 1_900),
        "sleeps": with_cells({"total": WRONG_TOTAL, "cubes": slow_probes}, *[sleeping] * 300),
        "processes": with_cells({**large, "by_hand": LEFT_BEHIND + "NAME = 1"}, LEFT_BEHIND),
        "nesting": with_cells({"total": DEEP_TOTAL, "cubes": NESTED_CUBES, "binomial": LONG_TEXT}),
        "errors": with_cells({"total": LONG_ERROR, "cubes": LONG_ERROR}, *[LONG_ERROR + "NAME(1)"] * 200),
        "pictures": with_cells({}, *[PICTURES] * 100),
        "metadata": _with_metadata(with_cells({})),
        "typesetting": _with_open_answer(with_cells({}), DEEP_TEX),
        **formulas,
        "everything": everything,
    }


def _with_open_answer(notebook: Any, text: str) -> Any:
    """Write a text as the answer to the open question."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "why":
            cell.source = text
    return notebook


def _with_metadata(notebook: Any) -> Any:
    """Fill the metadata of notebook and cells with as many parts as the grader reads."""
    notebook.metadata["deep"] = json.loads("[" * 900 + "]" * 900)
    notebook.metadata["wide"] = {str(number): {"x": [0]} for number in range(100_000)}
    for cell in notebook.cells:
        cell.metadata["widgets"] = {str(number): "<script>alert(1)</script>" for number in range(50_000)}
        cell.attachments = {f"{number}.png": {"image/png": "A" * 1_000} for number in range(500)}
    return notebook


def as_bytes(notebook: Any) -> bytes:
    """Return the file that is handed in."""
    return json.dumps(notebook).encode()
