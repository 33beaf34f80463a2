"""The two roads by which a notebook is examined: what each may see, and that both come to the same end."""

import re
import threading
import time
from dataclasses import replace

import nbformat
import numpy as np
import pytest

from autograder.answers.attempt import Call
from autograder.authoring.task import Misconception, Task
from autograder.grading import run as runs
from autograder.grading.examine import GradingInputs, _combine, grade_notebook
from autograder.judging.key import Key, Page
from autograder.judging.sameness import exactly
from autograder.judging.verdict import Verdict
from autograder.release.draw import task_key
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import StudentProcess

SECRET = 7.125  # no public case holds it
LIMITS = Limits(cell_seconds=2.0, notebook_seconds=60.0)


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient(allow_unsafe=True) as warm:
        yield warm


@pytest.fixture
def start(nursery):
    """Begins a student's process and counts how many were begun."""

    class Start:
        begun = 0

        def __init__(self) -> None:
            self.when: list[float] = []

        def __call__(self) -> StudentProcess:
            self.begun += 1
            self.when.append(time.monotonic())
            return nursery.start({}, LIMITS)

    return Start()


def key(x):
    """Two tasks on one number: its double and its triple."""

    def task(answer):
        misconceptions = (Misconception(_squared, hint="that is the square", see="eq-x"),)
        return Task(
            kind="code", points=2, minutes=1, draw=dict, answer=answer, see="eq-x", same=exactly,
            misconceptions=misconceptions,
        )  # fmt: skip

    cases = {"a number": {"x": x}}
    tasks = {"double": task_key(task(_double), cases), "triple": task_key(task(_triple), cases)}
    return Key("numbers", "1", tasks, {"eq-x": Page("book.html")})


def _double(x):
    return 2 * x


def _triple(x):
    return 3 * x


def _squared(x):
    return x * x


def notebook(*sources):
    """Cells; a text of the form `check("numbers.double", double)` becomes a locked test cell."""
    cells = []
    for source in sources:
        cell = nbformat.v4.new_code_cell(source)
        if source.startswith("check("):
            cell.metadata["nbgrader"] = {"grade": True, "locked": True}
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells)


DOUBLE, TRIPLE = 'check("numbers.double", double)', 'check("numbers.triple", triple)'
PUBLIC, HIDDEN = key(3.0), key(SECRET)


def examined(start, *sources):
    return grade_notebook(notebook(*sources), GradingInputs(PUBLIC, HIDDEN), start)


def fractions(found):
    return {name: verdict.fraction for name, verdict in found.verdicts.items()}


def test_right_work_takes_one_process(start):
    found = examined(start, "def double(x): return 2 * x", DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    assert fractions(found) == {"double": 1, "triple": 1}
    assert start.begun == 1


def test_a_mistake_takes_no_second_process(start):
    found = examined(start, "def double(x): return x * x", DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    assert fractions(found) == {"double": 0, "triple": 1}
    assert found.verdicts["double"].misconception == "_squared"
    assert start.begun == 1


def test_a_helper_that_a_later_cell_redefines_costs_nothing(start):
    found = examined(
        start,
        "factor = 2\ndef double(x): return factor * x",
        DOUBLE,
        "factor = 3\ndef triple(x): return factor * x",
        TRIPLE,
    )
    assert fractions(found) == {"double": 1, "triple": 1}
    assert start.begun == 2


def test_a_name_that_a_later_cell_uses_again_costs_nothing(start):
    found = examined(start, "def double(x): return 2 * x", DOUBLE, "double = None", "triple = 1", TRIPLE)
    assert fractions(found) == {"double": 1, "triple": 0}


def test_words_about_visible_cases_never_stand_beside_fewer_points(start):
    both = task_key(
        Task("code", 3, 1, dict, _double, "eq-x"), {"one": {"x": 1.0}, "two": {"x": 2.0}, "three": {"x": 3.0}}
    )
    hidden = task_key(Task("code", 3, 1, dict, _double, "eq-x"), {"one": {"x": 5.0}, "two": {"x": 6.0}})
    public, secret = (Key("numbers", "1", {"double": tasks}, {}) for tasks in (both, hidden))
    cell = "def double(x): return 2 * x if x < 3 else 0.5"
    found = grade_notebook(notebook(cell, DOUBLE), GradingInputs(public, secret), start)
    text = found.notebook.cells[1].outputs[0]["data"]["text/plain"]
    assert "(0 of 3 points)" in text
    assert "Right already" not in text
    assert "The points are those on further cases of the same kind" in text


def test_a_cell_that_makes_a_case_runs_while_grading(nursery):
    inputs = b'{"double": [{"x": 3.0}, {"x": 4.5}]}'

    def start():
        return nursery.start({"numbers.cases.json": inputs}, LIMITS)

    cell = 'from autograder import case; x = case("numbers.double", 2)\ndef double(y): return 2 * y if x == 4.5 else 0'
    found = grade_notebook(
        notebook(cell, DOUBLE, "def triple(x): return 3 * x", TRIPLE), GradingInputs(PUBLIC, HIDDEN), start
    )
    assert fractions(found) == {"double": 1, "triple": 1}


def test_the_public_numbers_alone_earn_nothing(start):
    found = examined(start, "def double(x): return 6.0", DOUBLE, "triple = lambda x: 9.0", TRIPLE)
    assert fractions(found) == {"double": 0, "triple": 0}
    assert any("passes the public cases but not the secret ones" in note for note in found.notes)


@pytest.mark.parametrize("end", ["import os; os._exit(0)", "import sys; sys.exit()", "while True: pass"])
def test_an_answer_that_ends_its_process_costs_one_task(start, end):
    source = f"def double(x):\n    {end}"
    found = examined(start, source, DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    assert fractions(found) == {"double": 0, "triple": 1}


def test_nothing_is_kept_of_what_is_printed_by_a_process_that_began_after_secret_cases_were_asked(start):
    """The first process could leave the second a sign, were it only the moment at which it ended."""
    source = (
        "import os, time\nprint(time.monotonic())\ndef double(x):\n    return 6.0 if x == 3 else os._exit(0)"
    )
    found = examined(start, source, DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    assert start.begun > 1
    assert float(found.notebook.cells[0].outputs[0]["text"]) < start.when[1]


def test_a_fault_of_the_grader_on_public_cases_does_not_make_secret_ones_count_less():
    shown = Verdict("numbers.double", False, 0.5, 2, "half of it", fault="MemoryError")
    assert _combine(shown, replace(shown, fraction=0.0, fault="")).fraction == 0


def test_an_answer_that_ends_its_process_on_secret_cases_only_costs_one_task(start):
    source = "import os\ndef double(x):\n    return 6.0 if x == 3 else os._exit(0)"
    found = examined(start, source, DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    assert fractions(found) == {"double": 0, "triple": 1}


SPIES = {
    "a list": "seen = []\ndef double(x):\n    seen.append(x); return 2 * x",
    "standard output": "import sys\ndef double(x):\n    print(x); sys.__stdout__.write(str(x)); return 2 * x",
    "its error": "def double(x):\n    raise ValueError(f'asked {x}')",
    "the figure": "import matplotlib.pyplot as plt\ndef double(x):\n    plt.title(str(x)); return 2 * x",
    "a thread": (
        "import threading, time\nseen = []\ndef double(x):\n    seen.append(x); return 2 * x\n"
        "def tell():\n    while True:\n        time.sleep(0.01); print(seen)\n"
        "threading.Thread(target=tell, daemon=True).start()"
    ),
    "the end": "import os\ndef double(x):\n    return 6.0 if x == 3 else os._exit(int(x))",
}


@pytest.mark.parametrize("spy", SPIES)
@pytest.mark.parametrize("road", ["quick", "careful"])
def test_what_was_asked_in_secret_reaches_no_output(start, monkeypatch, spy, road):
    if road == "careful":
        monkeypatch.setattr(runs, "_run_in_one_process", lambda *_: runs.NotebookRun(ended="for this test"))
    tell = "try:\n    print(seen)\nexcept NameError:\n    pass"
    found = examined(start, SPIES[spy], DOUBLE, tell, "def triple(x): return print(x)", TRIPLE, tell)
    assert str(SECRET) not in nbformat.writes(found.notebook)
    assert not any(str(SECRET) in note for note in found.notes)


@pytest.mark.parametrize(
    "source", ["def double(x): return 2 * x", "def double(x): return x * x", "double = 1", ""]
)
def test_both_roads_come_to_the_same_verdict(start, monkeypatch, source):
    cells = [source, DOUBLE, "def triple(x):\n    return np.multiply(3, x)", "import numpy as np", TRIPLE]
    quick = examined(start, *cells)
    monkeypatch.setattr(runs, "_run_in_one_process", lambda *_: runs.NotebookRun(ended="for this test"))
    assert quick.verdicts == examined(start, *cells).verdicts


def test_secret_inputs_are_sent_after_the_last_cell(start, monkeypatch):
    order = []
    for name in ("run", "ask", "ask_captured"):
        method = getattr(StudentProcess, name)

        def recorded(self, *arguments, name=name, method=method):
            calls = [] if name == "run" else arguments[-1]
            order.append((name, any(np.any(call.inputs["x"] == SECRET) for call in calls)))
            return method(self, *arguments)

        monkeypatch.setattr(StudentProcess, name, recorded)
    examined(start, "def double(x): return 2 * x", DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    names, secrets = zip(*order, strict=True)
    assert names == ("run", "ask", "run", "ask", "ask_captured", "ask_captured")
    assert secrets == (False, False, False, False, True, True)


RIGHT_DOUBLE, WRONG_DOUBLE = "def double(x):\n    return 2 * x", "def double(x):\n    return x + 100"
TRIPLE_BY_DOUBLE = "def triple(x):\n    return double(x) + x"
CHECKS = ('check("numbers.double", double)', 'check("numbers.triple", triple)')


def leaning(start, double, triple):
    """Examine a notebook whose second function may call the first, with the solution at hand."""
    source = notebook(RIGHT_DOUBLE, CHECKS[0], TRIPLE_BY_DOUBLE, CHECKS[1])
    return grade_notebook(
        notebook(double, CHECKS[0], triple, CHECKS[1]), GradingInputs(PUBLIC, HIDDEN, source), start
    ).verdicts


def test_a_mistake_in_an_earlier_function_costs_once_whatever_it_is_called_with(start):
    verdicts = leaning(start, WRONG_DOUBLE, TRIPLE_BY_DOUBLE)
    assert not verdicts["double"].passed
    assert verdicts["triple"].passed
    assert "Judged with a correct `double`" in verdicts["triple"].message
    halves = "def triple(x):\n    return 3 * double(x=x / 2)"
    assert leaning(start, WRONG_DOUBLE, halves)["triple"].passed


# Each is no function that a later one could be judged with a right one for.
NOT_WRITTEN = {
    "blank": "def double(x):\n    ...",
    "raises": "def double(x):\n    raise ValueError('I do not know')",
    "raises on secret cases": "def double(x):\n    return 6.1 + x - x if x == 3 else 1 / 0",
    "not implemented": "def double(x):\n    raise NotImplementedError",
    "None": "def double(x):\n    return None",
    "NaN": "def double(x):\n    return float('nan')",
    "infinity": "def double(x):\n    return float('inf')",
    "text": "def double(x):\n    return 'double'",
    "wrong shape": "def double(x):\n    return np.array([x, 1.0, 2.0])",
    "no function": "double = 5",
    "missing": "pass",
}


@pytest.mark.parametrize("kind", NOT_WRITTEN)
def test_nothing_stands_in_for_a_function_that_is_not_written(start, kind):
    verdicts = leaning(start, f"import numpy as np\n{NOT_WRITTEN[kind]}", TRIPLE_BY_DOUBLE)
    assert verdicts["double"].fraction == verdicts["triple"].fraction == 0


USES = {
    "by a call": (TRIPLE_BY_DOUBLE, True),
    "by a helper": ("def helper(x):\n    return double(x)\ndef triple(x):\n    return helper(x) + x", True),
    "by an alias": (
        "twice = double\ndef triple(x):\n    return twice(x) + x",
        False,
    ),  # bound before the stub
    "by a name in it": ("def triple(x):\n    twice = double\n    return twice(x) + x", True),
    "beside a command": ("%matplotlib inline\ndef triple(x):\n    return double(x) + x", True),
    "in a comment": ("def triple(x):\n    # double(x)\n    return globals()['dou' + 'ble'](x) + x", False),
    "in a docstring": (
        "def triple(x):\n    'It calls double(x).'\n    return globals()['dou' + 'ble'](x) + x",
        False,
    ),
    "in a text": ("def triple(x):\n    return globals()['double'](x) + x", False),
    "by getattr": (
        "import sys\ndef triple(x):\n    return getattr(sys.modules[triple.__module__], 'double')(x) + x",
        False,
    ),
    "in another function": (
        "def other(x):\n    return double(x)\ndef triple(x):\n    return globals()['double'](x) + x",
        False,
    ),
}


@pytest.mark.parametrize("use", USES)
def test_only_functions_that_are_used_have_stand_ins(start, use):
    text, is_used = USES[use]
    assert leaning(start, WRONG_DOUBLE, text)["triple"].passed is is_used


def test_its_own_mistake_still_counts(start):
    assert not leaning(start, WRONG_DOUBLE, "def triple(x):\n    return double(x) + 2 * x")["triple"].passed


def test_a_stand_in_is_no_oracle_for_the_task_it_stands_for(start):
    """The later function keeps what it hears; the earlier one was asked before, and earns nothing by it."""
    greedy = "heard = {}\ndef triple(x):\n    heard[x] = double(x)\n    return heard[x] + x"
    telling = "def double(x):\n    return globals().get('heard', {}).get(x, 0)"
    assert leaning(start, telling, greedy)["double"].fraction == 0


def test_whoever_asks_without_end_is_stopped(start):
    endless = "def triple(x):\n    for _ in range(10_000):\n        double(x)\n    return 3 * x"
    assert leaning(start, WRONG_DOUBLE, endless)["triple"].fraction in (0, 1)


def test_what_took_too_long_beside_others_runs_again_alone(nursery):
    other = nursery.open_session({}, LIMITS)
    left = []

    def leave():
        left.append(time.monotonic())
        other.close()

    leaves = threading.Timer(6, leave)
    leaves.start()
    with nursery.open_session({}, LIMITS) as seat:
        found = examined(seat, "import time\ntime.sleep(30)\ndef double(x):\n    return 2 * x", DOUBLE)
    leaves.join()
    first, *again = seat.processes
    assert fractions(found) == {"double": 0.0}
    assert not first.is_late  # its cell was, and was stopped
    assert again
    assert again[0].begun >= left[0]


def test_what_took_too_long_alone_does_not_run_again(nursery):
    with nursery.open_session({}, LIMITS) as seat:
        examined(seat, "import time\ntime.sleep(30)\ndef double(x):\n    return 2 * x", DOUBLE)
    assert len(seat.processes) == 1


def test_a_late_cell_that_cost_nothing_is_not_run_again(nursery):
    with nursery.open_session({}, LIMITS), nursery.open_session({}, LIMITS) as seat:
        found = examined(seat, "def double(x):\n    return 2 * x", DOUBLE, "import time\ntime.sleep(30)")
    assert fractions(found) == {"double": 1.0}
    assert len(seat.processes) == 1


def test_a_cell_that_was_late_beside_others_is_replayed_when_it_was_not_late_alone(start):
    before = runs.NotebookRun(slow_cells={0}, is_late=True)
    again = runs._run_with_forks(
        notebook("def double(x):\n    return 2 * x", DOUBLE), PUBLIC, HIDDEN, start, before
    )
    assert again.slow_cells == set()
    assert again.secret_results["double"][0].value == 2 * SECRET


def told(found):
    """The problem and the message of each verdict."""
    return {name: (verdict.problem, verdict.message) for name, verdict in found.verdicts.items()}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "def double(x) return 2 * x",
            r"SyntaxError: expected ':' \(line 1: `def double\(x\) return 2 \* x`\)",
        ),
        ("double = factor * 2", r"NameError: name 'factor' is not defined \(line 1: .*defines `factor`"),
        ("import no_such\ndouble = 1", r"No module named 'no_such' \(line 1: .*You may use NumPy"),
    ],
)
def test_a_cell_that_does_not_run_is_told_as_its_error(start, source, words):
    found = examined(start, source, DOUBLE, "def triple(x): return 3 * x", TRIPLE)
    problem, message = told(found)["double"]
    assert problem == "did not run"
    assert re.search(rf"^The cell that defines `double` did not run: .*{words}", message), message
    assert found.verdicts["triple"].passed
    assert found.returned == {}


def test_a_name_from_a_failed_cell_is_traced_to_it(start):
    found = examined(start, "def helper(x:\n    pass", "def double(x):\n    return helper(x)", DOUBLE)
    problem, message = told(found)["double"]
    assert problem == "raised"
    assert "(line 2: `return helper(x)`)" in message
    assert (
        "`helper` is defined in the cell that begins `def helper(x:`, which did not run: SyntaxError"
        in message
    )


def test_only_what_no_cell_defines_is_called_not_defined(start):
    found = examined(start, "x = 1", DOUBLE, "raise NotImplementedError\ndef triple(x): return 3 * x", TRIPLE)
    assert told(found)["double"] == ("missing", "`double` is not defined: no cell that ran defines it.")
    assert told(found)["triple"][0] == "not written"


def test_an_endless_loop_is_told_and_waited_for_once(start):
    endless = "def double(x):\n    while True:\n        pass"
    found = examined(start, endless, DOUBLE, "while True: pass\ndef triple(x): pass", TRIPLE)
    assert told(found)["double"] == ("too slow", "Your answer took longer than 2 s: does a loop never end?")
    cell = "The cell that defines `triple` took longer than 2 s: does a loop never end?"
    assert told(found)["triple"] == ("too slow", cell)
    assert start.begun == 1


def test_a_loop_that_cannot_be_interrupted_is_told_and_skipped(start):
    deaf = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
    found = examined(start, f"{deaf}while True: pass", "def double(x): return 2 * x", DOUBLE)
    assert found.verdicts["double"].passed
    assert "a cell took longer than its limit (cell 1)" in found.notes
    found = examined(start, f"{deaf}def double(x):\n    while True: pass", DOUBLE)
    assert told(found)["double"][0] == "too slow"


def test_a_function_slow_on_one_case_keeps_its_share_on_others(nursery):
    source = "def f(x):\n    while x == 1.0:\n        pass\n    return x"
    with nursery.start({}, LIMITS) as process:
        process.run(source)
        attempts = process.ask("f", [Call({"x": x}) for x in (1.0, 2.0, 1.0, 3.0)])
    assert [attempt.problem for attempt in attempts] == ["too slow", "", "too slow", ""]
    assert process.running_seconds < 2 * LIMITS.cell_seconds + 2


def test_an_error_on_secret_cases_is_not_told(start):
    found = examined(start, "def double(x):\n    return 2 * x if x == 3.0 else [][int(x)]", DOUBLE)
    assert found.verdicts["double"].error == ""
    shown = str(found.notebook.cells[1].outputs)
    assert "IndexError" not in shown
