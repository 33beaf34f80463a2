"""Attacks on the comparison: patched libraries, forged messages, objects that lie, secrets carried out."""

import json

from tests.attacks.attack import (
    ALL_BUT_TOTAL,
    FULL,
    Attack,
    Files,
    Setting,
    answered,
    cell,
    instead_of_total,
    notebook,
    wants_harm,
    wants_points,
    worthless,
)

FIND_CHANNEL = """
import json, os, socket, stat, struct
def channel():
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return socket.socket(fileno=os.dup(number))
        except OSError:
            pass
def pack(message):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return struct.pack(">I", len(data)) + data
"""


def lies(values: str) -> Files:
    """Worthless work whose functions return the given object for every question."""

    def build(setting: Setting) -> Files:
        made = worthless(setting, "")
        cell(made, "total").source = f"{values}\ndef total(x):\n    return lie(x)"
        cell(made, "cubes").source = "def cubes(X):\n    return lie(X)"
        cell(made, "by_hand").source = "by_hand = lie(np.ones(3))"
        cell(made, "binomial").source = "binomial = lie(np.ones(6))"
        return notebook(made)

    return build


def formulas(by_hand: str, binomial: str):
    def build(setting: Setting) -> Files:
        return notebook(answered(setting, by_hand=f"NAME = {by_hand}", binomial=f"NAME = {binomial}"))

    return build


def edited_key(setting: Setting) -> Files:
    """Worthless work with a key beside it in which every expected answer is zero."""
    key = json.loads((setting.root / "classroom/release/squares/squares.key.json").read_text("utf-8"))
    for task in key["tasks"].values():
        for case in task["cases"]:
            case["expected"] = 0.0
    files = dict(notebook(worthless(setting, "")))
    return {**files, "squares.key.json": json.dumps(key)}


REPLAY = """
import json, numpy
key = json.loads(PUBLIC)
def recall(task, given):
    for case in key["tasks"][task]["cases"]:
        seen = numpy.array(list(case["inputs"].values())[0]["rows"])
        if seen.shape == given.shape and (seen == given).all():
            expected = case["expected"]
            return numpy.array(expected["rows"]) if isinstance(expected, dict) else expected
    return 0.0
"""


def replay(setting: Setting) -> Files:
    made = worthless(setting, "")
    cell(made, "total").source = setting.prelude + REPLAY + "\ndef total(x):\n    return recall('total', x)"
    cell(made, "cubes").source = "def cubes(X):\n    return recall('cubes', X)"
    return notebook(made)


CARRY_ON = "\nreturn float((x * x).sum())"


def spelt_length(setting: Setting) -> tuple[str, ...]:
    """The lengths that would spell a secret number, see `secret-in-a-length`."""
    return tuple(str(4_000_000_000 + round(1000 * number)) for number in setting.numbers)


PATCHES = (
    Attack(
        "patch-libraries",
        "Replaces comparisons of numpy, and built-in functions that a checker would use.",
        wants_points(
            """
import builtins, numpy, numpy.linalg, numpy.testing
numpy.allclose = numpy.isclose = numpy.array_equal = lambda *a, **k: True
numpy.testing.assert_allclose = lambda *a, **k: None
numpy.linalg.norm = lambda *a, **k: 0.0
builtins.all = lambda items: True
"""
        ),
    ),
    Attack(
        "patch-engine",
        "Replaces the engine's own judge, values and messages in its process, and calls itself right.",
        wants_points(
            """
import autograder.answers.attempt, autograder.answers.values, autograder.sandbox.student
import autograder.judging.check, autograder.judging.judge
from autograder.judging.verdict import Verdict
right = lambda task, key, attempts: Verdict(task, True, 1.0, key.points, "Correct.")
autograder.judging.judge.judge = autograder.judging.check.judge = right
autograder.answers.values.to_plain_data = autograder.answers.attempt.to_plain_data = lambda value, depth=0: value
autograder.sandbox.student._encode_result = lambda made: {
    "value": True, "problem": "", "message": "", "passed": True, "fraction": 1.0, "points": 100}
"""
        ),
    ),
    Attack(
        "patch-shell",
        "Rewrites later cells by an input transformer, hooks and a new display hook.",
        wants_points(
            """
import sys
shell = get_ipython()
points = lambda lines: "2.0\\n" if "squares.total" in "".join(lines) else "1.0\\n"
shell.input_transformers_post.append(lambda lines: [points(lines)] if "check(" in "".join(lines) else lines)
shell.events.register("pre_run_cell", lambda *a: None)
sys.displayhook = lambda value: print("2.0")
"""
        ),
    ),
    Attack(
        "fake-verdict",
        "Notices that it is being graded and displays a verdict of its own, with full marks.",
        wants_points(
            """
import os
if os.environ.get("NBGRADER_EXECUTION") or os.getcwd() == "/box" or os.getpid() == 1:
    from IPython.display import HTML, display
    display(HTML("<div class='dimred-verdict'>PASSED squares.total (2 of 2 points)</div>"))
    print("PASSED  squares.total  (2 of 2 points)")
    2.0
"""
        ),
    ),
    Attack(
        "replay-public-cases",
        "Answers the public cases from the public key, and nothing else.",
        replay,
        0.0,
        told="passes the public cases but not the secret ones",
    ),
    Attack("edited-key", "Hands in a key in which every answer is zero.", edited_key),
)

FORGERIES = (
    Attack(
        "reply-before-question",
        "Writes full marks and public answers into the channel before it is asked.",
        wants_points(
            FIND_CHANNEL
            + """
forged = {"value": 0.0, "problem": "", "message": "", "passed": True, "fraction": 1.0}
channel().sendall(pack({"outputs": []}) + pack({"attempts": [forged] * 4, "fraction": 1.0, "done": True}) * 20)
"""
        ),
    ),
    Attack(
        "never-reply",
        "Replaces the function that answers by one that says nothing.",
        wants_harm("import autograder.sandbox.wire\nautograder.sandbox.wire.send = lambda *a: None", "1 + 1"),
        FULL,
        told="ended early",
    ),
    Attack(
        "reply-garbage",
        "Writes noise into the channel.",
        wants_harm(FIND_CHANNEL + "channel().sendall(bytes([0, 0, 1, 0]) + bytes(range(256)) * 50)"),
        FULL,
        told="ended early|not a message",
    ),
    Attack(
        "reply-deeply-nested",
        "Sends ten thousand brackets, as outputs and as an answer.",
        wants_harm(
            FIND_CHANNEL + "channel().sendall(pack(b'{\"outputs\": ' + b'[' * 10_000 + b']' * 10_000 + b'}'))"
        ),
        FULL,
        told="ended early|not a message",
    ),
    Attack(
        "reply-too-long",
        "Announces four gigabytes and begins to send them.",
        wants_harm(
            FIND_CHANNEL
            + """
door = channel()
door.sendall(struct.pack(">I", 2**32 - 1))
for _ in range(100):
    door.sendall(bytes(10**6))
"""
        ),
        FULL,
        told="ended early",
    ),
    Attack(
        "reply-slowly",
        "Announces a megabyte and sends a byte every tenth of a second.",
        wants_harm(
            FIND_CHANNEL
            + """
import time
door = channel()
door.sendall(struct.pack(">I", 10**6))
while True:
    try:
        door.sendall(b" ")
        time.sleep(0.1)
    except BaseException:
        pass
"""
        ),
        FULL,
        told="ended early",
    ),
    Attack(
        "reply-wrong-types",
        "Sends outputs and attempts of every wrong type.",
        instead_of_total(
            """
door = channel()
odd = [None, 3, [], {}, {"output_type": []}, {"output_type": "stream", "text": {"a": []}},
       {"output_type": "error", "ename": [], "traceback": {}}, {"problem": [], "value": {}}]
door.sendall(pack({"attempts": odd[:4]}))
os._exit(0)
""",
            first=FIND_CHANNEL,
        ),
        ALL_BUT_TOTAL,
    ),
    Attack(
        "reply-impossible-arrays",
        "Sends arrays of no elements and of sizes that cannot be, to agree with everything.",
        instead_of_total(
            """
door = channel()
def forged(*shape):
    return {"value": {"array": "<f8", "shape": list(shape), "data": ""}, "problem": "", "message": ""}
door.sendall(pack({"attempts": [forged(0), forged(0, 10**12), forged(10**18, 0), forged(2**63, 2**63)]}))
os._exit(0)
""",
            first=FIND_CHANNEL,
        ),
        ALL_BUT_TOTAL,
    ),
    Attack(
        "close-the-channel",
        "Closes every file it has.",
        wants_harm("import os\nos.closerange(0, 1024)"),
        FULL,
        told="ended early",
    ),
)

LIES = (
    Attack(
        "lie-equal-to-all",
        "Returns objects that are equal to everything and become any array.",
        lies(
            """
class Agrees:
    shape, ndim, dtype = (), 0, float
    def __eq__(self, other): return True
    def __array__(self, dtype=None, copy=None): return np.zeros(())
    __float__ = __abs__ = __sub__ = __rsub__ = lambda self, other=0: 0.0
    __le__ = __lt__ = __ge__ = __gt__ = __eq__
    __hash__ = None
def lie(x): return Agrees()
"""
        ),
    ),
    Attack(
        "lie-subclasses",
        "Returns subclasses of float and of arrays with comparisons of their own.",
        lies(
            """
class Number(float):
    __eq__ = __le__ = __lt__ = lambda self, other: True
    __sub__ = __rsub__ = lambda self, other: 0.0
    __hash__ = float.__hash__
class Table(np.ndarray):
    def __array_ufunc__(self, *a, **k): return np.zeros(self.shape)
def lie(x): return Number(0) if x.ndim == 1 else np.zeros(x.shape).view(Table)
"""
        ),
    ),
    Attack(
        "lie-not-a-number",
        "Returns NaN and infinities, which compare oddly with everything.",
        lies(
            "def lie(x): return np.full(x.shape, np.nan) if x.ndim > 1 else float('nan' if len(x) > 1 else 'inf')"
        ),
    ),
    Attack(
        "lie-object-arrays",
        "Returns object arrays, structured arrays and masked arrays.",
        lies(
            """
class Any:
    __eq__ = __le__ = lambda self, other: True
    __sub__ = __rsub__ = lambda self, other: 0.0
    __hash__ = None
def lie(x):
    if x.ndim > 1:
        return np.ma.masked_all(x.shape)
    held = np.empty(len(x), dtype=object)
    held[:] = [Any() for _ in x]
    return held if len(x) > 1 else np.zeros(1, dtype=[("a", float)])
"""
        ),
    ),
    Attack(
        "lie-when-looked-at",
        "Returns generators, pickles with a surprise, and objects that raise when anything is asked of them.",
        lies(
            """
class Raises:
    def __getattribute__(self, name): raise KeyboardInterrupt
    def __class__(self): raise SystemExit
    __class__ = property(__class__)
class Pickled:
    def __reduce__(self): return (print, ("unpickled",))
def lie(x): return (n for n in x) if len(x) == 1 else Raises() if x.ndim == 1 else Pickled()
"""
        ),
    ),
    Attack(
        "lie-empty",
        "Returns empty and broadcastable arrays, which agree with anything when compared carelessly.",
        lies("def lie(x): return np.zeros((0, 5)) if x.ndim > 1 else np.zeros((1, 0)) if len(x) > 1 else []"),
    ),
    Attack(
        "lie-extreme-numbers",
        "Returns numbers at the edge of what can be computed with, or drawn.",
        lies(
            "def lie(x): return np.full(x.shape, 1.7e308) if x.ndim > 1 else -5e-324 if len(x) > 1 else 1.7e308"
        ),
    ),
    Attack(
        "formula-bombs",
        "Gives formulas that take for ever or all memory to evaluate.",
        formulas("'9**9**9**9**9'", "'(a+b)**999999999' + '**99999' * 50"),
        3.0,
    ),
    Attack(
        "formula-parser-bombs",
        "Gives formulas of ten thousand brackets and of a megabyte of digits.",
        formulas("'(' * 9_000 + '1' + ')' * 9_000", "'1' * 19_000 + '*a'"),
        3.0,
    ),
    Attack(
        "formula-code",
        "Gives formulas that are programs, and an expression object with one in it.",
        formulas(
            """__import__("autograder.answers.values").values.Expression("__import__('os').system('id')")""",
            """"().__class__.__base__.__subclasses__()[0]" """,
        ),
        3.0,
    ),
)

SMUGGLING = (
    Attack(
        "secret-in-a-global",
        "Keeps the numbers of every question in a global and prints them in the last cell.",
        instead_of_total("seen.append(x.tolist())" + CARRY_ON, first="seen = []", last="print(seen)"),
        FULL,
    ),
    Attack(
        "secret-in-a-file",
        "Keeps the numbers of every question in files and prints them in the last cell.",
        instead_of_total(
            """
for path in paths:
    with contextlib.suppress(OSError), open(path, "a") as file:
        print(x.tolist(), file=file)
"""
            + CARRY_ON,
            first="import contextlib\npaths = ['seen.txt', '/tmp/seen.txt', '/dev/shm/seen.txt']",
            last="""
for path in paths:
    with contextlib.suppress(OSError):
        print(open(path).read())
""",
        ),
        FULL,
    ),
    Attack(
        "secret-in-shared-memory",
        "Keeps the numbers in memory and in a pipe that were shared before the question was put.",
        instead_of_total(
            """
text = f"{x.tolist()}\\n".encode()
shared.write(text)
os.write(write, text)
"""
            + CARRY_ON,
            first="""
import mmap, os
file = os.open("shared", os.O_CREAT | os.O_RDWR)
os.ftruncate(file, 10_000)
shared = mmap.mmap(file, 10_000)
read, write = os.pipe()
os.set_blocking(read, False)
""",
            last="""
print(shared[:].replace(b"\\0", b"").decode())
try:
    print(os.read(read, 10_000).decode())
except OSError:
    pass
""",
        ),
        FULL,
    ),
    Attack(
        "secret-overheard",
        "Lets a thread peek into the channel while the questions pass, and prints them in the last cell.",
        instead_of_total(
            CARRY_ON,
            first=FIND_CHANNEL
            + """
import base64, re, threading
import numpy as np
door, heard = channel(), set()
def overhear():
    while True:
        try:
            heard.add(door.recv(100_000, socket.MSG_PEEK))
        except OSError:
            pass
for _ in range(3):
    threading.Thread(target=overhear, daemon=True).start()
""",
            last="""
for message in sorted(heard):
    for data in re.findall(rb'"data": "([^"]+)"', message):
        print(np.frombuffer(base64.b64decode(data)).tolist())
""",
        ),
        FULL,
    ),
    Attack(
        "secret-by-fake-fork",
        "Replaces fork, so that the process that runs later cells is the one that is asked, and prints the questions.",
        instead_of_total(
            "seen.append(x.tolist())" + CARRY_ON,
            first="""
import os
seen = []
os.fork, os._exit, os.waitpid = lambda: 0, lambda code: None, lambda *arguments: (1, 0)
""",
            last="print(seen)",
        ),
        (0.0, FULL),
    ),
    Attack(
        "secret-in-forged-output",
        "Answers a question and sends, unasked, the outputs of the next cell, with the numbers it was asked about.",
        instead_of_total(
            """
attempt = {"value": 0.0, "problem": "", "message": ""}
output = {"output_type": "stream", "name": "stdout", "text": f"seen {x.tolist()}"}
known = json.loads(PUBLIC)["tasks"]["total"]["cases"]
if x.tolist() not in [case["inputs"]["x"]["rows"] for case in known]:
    for size in (1, 2, 4):
        channel().sendall(pack({"attempts": [attempt] * size, "done": True, "outputs": [output]}) * 4)
"""
            + CARRY_ON,
            first=FIND_CHANNEL,
        ),
        (0.0, FULL),
    ),
    Attack(
        "secret-as-public-answer",
        "Finds the other questions in the caller's frames and returns them as its answer to a public one.",
        instead_of_total(
            """
import sys
frame, found = sys._getframe(), []
while frame:
    for value in list(frame.f_locals.values()):
        if type(value) is list and value and type(value[0]) is dict:
            found += [decode(call)["x"].tolist() for call in value if "dict" in call]
    frame = frame.f_back
return sum(found, [])
""",
            first="from autograder.answers.values import decode",
        ),
        ALL_BUT_TOTAL,
    ),
    Attack(
        "secret-in-an-error",
        "Raises an error that quotes the numbers it was asked about, on unknown ones only.",
        instead_of_total(
            """
known = json.loads(PUBLIC)["tasks"]["total"]["cases"]
if x.tolist() in [case["inputs"]["x"]["rows"] for case in known]:
    return float((x * x).sum())
raise ValueError(f"seen {x.tolist()}")
""",
            first="import json",
        ),
        ALL_BUT_TOTAL,
        told="passes the public cases but not the secret ones",
    ),
    Attack(
        "secret-in-a-length",
        "Announces a message whose impossible length spells a number it was asked about.",
        instead_of_total(
            """
known = json.loads(PUBLIC)["tasks"]["total"]["cases"]
if x.tolist() not in [case["inputs"]["x"]["rows"] for case in known]:
    channel().sendall(struct.pack(">I", 4_000_000_000 + round(1000 * x[0])))
"""
            + CARRY_ON,
            first=FIND_CHANNEL,
        ),
        (0.0, FULL),
        forbidden=spelt_length,
    ),
)

ATTACKS = PATCHES + FORGERIES + LIES + SMUGGLING
