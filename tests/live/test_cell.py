"""A cell as it runs in the browser, here on the desktop: what is printed, raised, shown and checked."""

import builtins
import json
import subprocess
import sys

import pytest

from autograder.book.assignments import AssignmentPage
from autograder.book.live.topics import topic_file
from autograder.judging import check as checking
from autograder.live import cell
from autograder.live.shared import Shared
from tests.conftest import ROOT

GIVEN = "import numpy as np\nimport sympy as sp\nfrom autograder import check"
RIGHT = """
def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T
"""


@pytest.fixture
def run(monkeypatch):
    monkeypatch.chdir(ROOT / "exercises" / "pca")
    monkeypatch.delattr(cell, "SHARED")  # made anew, in this folder
    monkeypatch.setattr(cell, "SHARED", Shared(), raising=False)

    def ask(code, before=(GIVEN,), **request):
        return json.loads(cell.run(json.dumps({"code": code, "before": before, **request})))

    return ask


def test_what_is_printed_comes_first_and_the_value_of_the_last_line_below(run):
    assert run("print('one')\n1 + 1")["output"] == "one\n2\n"


def test_a_traceback_shows_the_lines_of_the_reader_alone(run):
    error = run("def f():\n    return 1 / 0\nf()")["error"]
    assert "return 1 / 0" in error
    assert "\nZeroDivisionError: division by zero\nA divisor is zero here" in error
    assert "cell.py" not in error


def test_code_that_is_no_python_is_told_with_its_line(run):
    assert "SyntaxError" in run("def f(:\n  pass")["error"]


def test_leaving_does_not_end_the_page(run):
    assert "SystemExit" in run("raise SystemExit")["error"]


def test_a_stopped_cell_says_so(run):
    assert run("raise KeyboardInterrupt")["error"] == "Stopped."


def test_a_check_is_the_check_of_the_notebook(run, capsys):
    outcome = run(RIGHT, task="pca.scores", answer="scores")
    assert [verdict["passed"] for verdict in outcome["verdicts"]] == [True]
    assert outcome["output"] == ""


def test_what_nobody_wrote_is_told_as_not_written(run):
    outcome = run("other = 1", task="pca.scores", answer="scores")
    assert "PASSED" not in outcome["verdicts"][0]["html"]
    assert not outcome["error"]


def test_an_answer_may_lean_on_earlier_ones(run):
    outcome = run("mine = scores\n", before=[GIVEN, RIGHT], task="pca.scores", answer="mine")
    assert outcome["verdicts"][0]["passed"]


def test_links_lead_to_the_site_that_is_open(run, monkeypatch, tmp_path):
    key = json.loads(topic_file(AssignmentPage("pca", ROOT / "exercises" / "pca")))["key"]
    (tmp_path / "pca.key.json").write_text(key, "utf-8")
    monkeypatch.chdir(tmp_path)
    moved = ["./", "https://example.org/course/"]
    outcome = run(RIGHT.replace("X.mean(axis=0)", "0"), task="pca.scores", answer="scores", moved=moved)
    html = outcome["verdicts"][0]["html"]
    assert 'href="https://example.org/course/book/' in html
    assert "127.0.0.1" not in html


def test_markup_in_an_answer_is_escaped(run):
    outcome = run("multiplier = '<img src=x onerror=alert(1)>'", task="pca.multiplier", answer="multiplier")
    html = outcome["verdicts"][0]["html"]
    assert "<img src=x" not in html


def test_a_figure_is_shown_once_and_not_as_the_value_of_the_last_line(run):
    outcome = run(
        "import matplotlib\nmatplotlib.use('agg')\nfrom matplotlib import pyplot as plt\nplt.plot([1, 2])"
    )
    assert len(outcome["figures"]) == 1
    assert outcome["figures"][0].startswith("data:image/svg+xml;base64,")
    assert outcome["output"] == ""
    assert run("1")["figures"] == []


def test_endless_output_is_cut(run):
    output = run("print('x' * 100_000)")["output"]
    assert len(output) < 25_000
    assert output.endswith("characters more")


def test_nobody_can_be_asked(run):
    before = builtins.input
    error = run("input('Who? ')")["error"]
    assert "write the value into the code" in error
    assert builtins.input is before


def test_checks_show_their_verdict_in_the_usual_way_afterwards(run):
    before = checking.show_verdict
    run(RIGHT, task="pca.scores", answer="scores")
    assert checking.show_verdict is before


def test_a_request_says_what_it_will_import():
    request = {"code": "half = p / 2", "before": [GIVEN, "p = sp.Symbol('p')"]}
    assert cell.imports(json.dumps(request)) == '["sympy"]'
    assert cell.imports(json.dumps({"code": "def f(:", "before": []})) == "[]"
    assert (
        cell.imports(json.dumps({"code": "from a.b import c\nimport d.e as f", "before": []})) == '["a", "d"]'
    )


def test_an_absent_package_that_anything_asks_for_is_missed(run):
    hidden = "try:\n    import swiss_rolls.flat\nexcept ImportError:\n    pass"
    assert run(hidden, absent=["swiss_rolls"])["missing"] == ["swiss_rolls"]
    assert run(hidden)["missing"] == []
    assert run(f"{hidden}\nraise KeyboardInterrupt", absent=["swiss_rolls"])["missing"] == []


def test_what_stands_above_prints_and_draws_nothing_here(run):
    drawing = "import matplotlib\nmatplotlib.use('agg')\nfrom matplotlib import pyplot as plt"
    above = f"{drawing}\nfor i in range(2):\n    print(plt.plot(i))"
    outcome = run("print(i)", before=[above])
    assert (outcome["output"], outcome["figures"]) == ("1\n", [])


def test_what_stands_above_is_run_once_and_given_back_as_it_was(run):
    above = """
import math, time
ran = time.perf_counter_ns()
rng = __import__("numpy").random.default_rng(1)
kept = [1]
def drawn():
    kept.append(2)
    return rng.normal()
"""
    before = [above]
    code = "print(ran, drawn(), kept, math.pi)"
    first = run(code, before=before, again=True)
    assert not first["error"]
    assert run(code, before=before, again=True) == first
    assert run(f"{code}\nkept.clear()", before=before, again=True)["output"] == first["output"]
    assert run(code, before=before, again=True) == first
    assert run(code, before=before) != first


def test_a_generator_that_has_ended_is_no_reason_to_run_again(run):
    numbers = "numbers = (n for n in range(3))\ntotal = sum(numbers)"
    before = [f"import time\nran = time.perf_counter_ns()\n{numbers}"]
    code = "print(ran, total, list(numbers))"
    first = run(code, before=before, again=True)
    assert first["output"].endswith(" 3 []\n")
    assert run(code, before=before, again=True) == first


def test_what_cannot_be_copied_is_run_again(run):
    before = ["numbers = (n for n in range(9))"]
    assert [run("next(numbers)", before=before, again=True)["output"] for _ in range(2)] == ["0\n", "0\n"]


@pytest.mark.parametrize(
    "change",
    [
        "np.mean = None",
        "del np.linalg.svd",
        "import builtins\nbuiltins.sum = max",
        "from autograder.judging import render\nrender.html = lambda *_: 'PASSED'",
        "import sys\ndel sys.modules['json']",
        "import os\nos.chdir('/')",
        "import sys\nsys.setrecursionlimit(9999)",
        "np.set_printoptions(precision=2)",
        "import sys\nclass Finder: pass\nsys.meta_path.append(Finder())",
        "import sys\nsys.meta_path.append(lambda *_: None)",
        "import sys\nimport six\nsys.meta_path.insert(0, sys.meta_path.pop())",
        "import sys\nsys.path_hooks.reverse()",
    ],
)
def test_a_python_that_a_cell_changed_serves_no_other(change):
    outcome = outcome_in_a_new_process(change)
    assert (outcome["error"], outcome["is_spent"]) == ("", True)


def outcome_in_a_new_process(code):
    """The outcome of a cell in a process of its own: it is left as the cell left it."""
    asked = json.dumps({"code": code, "before": ["import numpy as np"]})
    program = f"from autograder.live import cell\nprint(cell.run({asked!r}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("library", ["six", "six.moves", "matplotlib.pyplot"])
def test_a_library_that_appends_a_finder_spends_nothing(library):
    """`six` appends one, and in the browser matplotlib imports `six`."""
    outcome = outcome_in_a_new_process(f"import {library}, sys")
    assert (outcome["error"], outcome["is_spent"]) == ("", False)


def test_what_a_cell_defines_draws_imports_and_checks_changes_nothing(run):
    code = f"import decimal, random, fractions\nimport numpy.fft\nsum = 1\nnp.random.seed(1)\n{RIGHT}"
    for request in ({}, {"task": "pca.scores", "answer": "scores"}):
        outcome = run(code, **request)
        assert (outcome["error"], outcome["is_spent"]) == ("", False)
    assert not run("multiplier = '2*a'", task="pca.multiplier", answer="multiplier")["is_spent"]


def test_a_hint_needs_no_code_but_for_the_failing_case(run):
    """The levels without a case leave the code alone, however broken it is."""
    (verdict,) = run("1 / 0", task="pca.scores", answer="scores", hint=1)["verdicts"]
    assert verdict["said"] == "Hint 1 of 4."
    assert "should double" in verdict["html"]
    broken = run("1 / 0", task="pca.scores", answer="scores", hint=3)
    assert "ZeroDivisionError" in broken["error"]
    assert broken["verdicts"] == []
    code = "def scores(X, n_components):\n    return X[:, :n_components]"
    (verdict,) = run(code, task="pca.scores", answer="scores", hint=3)["verdicts"]
    assert "The smallest case on which your function fails" in verdict["html"]
    assert "a hint has level 1 to 4" in run("", task="pca.scores", answer="scores", hint=9)["error"]


def test_a_hint_leads_to_the_open_site(run):
    moved = ["book/", "https://example.org/book/"]
    (verdict,) = run("", task="pca.first_component", answer="first_component", hint=4, moved=moved)[
        "verdicts"
    ]
    assert 'href="https://example.org/book/pca.html#problem-pca.first_component"' in verdict["html"]


def test_a_value_that_is_asked_for_is_returned_whole_and_not_printed(run):
    outcome = run("print('one')\n'x' * 50_000", value=True)
    assert outcome["output"] == "one\n"
    assert outcome["value"] == "x" * 50_000
    assert run("'x'")["value"] is None
