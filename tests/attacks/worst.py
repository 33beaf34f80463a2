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
picture = '"' + "iVBORw0KGgo" + "A" * 990_000 + '"'
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
    os.fork()
while True:
    pass
"""
PRINTING = "for _ in range(200):\n    display('x' * 90_000)\nprint('<b>' * 10**6)"


def hostile_notebooks(release: Any, source: Any) -> dict[str, Any]:
    """Return the notebooks by name; `everything` joins all ways."""

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
    return {
        "questions": with_cells(questions),
        "messages": with_cells({}, *[FORGED_CELL] * 300),
        "answers": with_cells(large),
        "outputs": with_cells({}, *[PRINTING] * 30),
        "loops": with_cells({"total": WRONG_TOTAL}, *[SLOW_CELL] * 30),
        "text": with_cells({}, *["# " + "x" * 10_000] * 1_900),
        "everything": everything,
    }


def as_bytes(notebook: Any) -> bytes:
    """Return the file that is handed in."""
    return json.dumps(notebook).encode()
