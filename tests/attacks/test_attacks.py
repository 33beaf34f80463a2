"""A class of attackers among honest students: nobody gains, nobody loses, nothing leaks, and the instructor is told."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time

import pytest
from nbgrader.apps import NbGraderAPI

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading.nbgrader_settings import nbgrader_config
from autograder.reports.mathml import ELEMENTS
from tests.attacks.battle import ATTACKS, HONEST, doors, fight, prepare
from tests.attacks.pages import Page, Scripts
from tests.conftest import ROOT

BY_NAME = {attack.name: attack for attack in ATTACKS}
TAGS_OF_REPORTS = {"button", "i", "tbody", "thead"}  # of tables that sort, and their bars
TAGS = ELEMENTS | set(
    "html head meta title style body main h1 h2 h3 p strong span section details summary pre div table caption "
    "thead tbody tr th td ul li a img code em br".split()
)
PICTURE = re.compile(r"[A-Za-z0-9+/=\s]*")
LARGEST_NOTEBOOK = 8 * 2**20


@pytest.fixture(scope="module")
def battle(released_course, tmp_path_factory):
    """The whole class, graded once."""
    root = tmp_path_factory.mktemp("battle") / "course"
    shutil.copytree(released_course.root, root)
    outside = tmp_path_factory.mktemp("outside")
    token = f"mark{secrets.token_hex(5)}"
    with doors(outside, token) as door:
        prepared = prepare(Course(root), door, token, outside)
        begun = time.monotonic()
        try:
            fought = fight(prepared, ATTACKS)
        except CourseError as error:
            pytest.skip(f"this machine cannot confine students' code: {error}")
        fought.heard = list(door.heard)
    print(f"graded {len(fought.outcomes)} submissions in {time.monotonic() - begun:.0f} s")
    return fought


def test_there_are_many_attacks_with_names_of_their_own():
    assert len(ATTACKS) == len(BY_NAME) >= 45
    assert all(attack.tries.endswith(".") for attack in ATTACKS)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_score_is_what_honest_work_deserves(battle, name):
    attack = BY_NAME[name]
    low, high = attack.range
    assert low <= battle.scores.get(attack.handed_in_by, 0.0) <= high, battle.outcomes.get(
        attack.handed_in_by
    )


@pytest.mark.parametrize("student", HONEST)
def test_honest_students_keep_their_points(battle, student):
    assert battle.scores[student] == HONEST[student]
    assert battle.outcomes[student].notes == []


def test_no_submission_ends_the_batch(battle):
    assert battle.crashes == {}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_submission_is_reported(battle, name):
    outcome = battle.outcomes[BY_NAME[name].handed_in_by]
    told = "\n".join(
        [*outcome.notes, *outcome.remarks, *(verdict["problem"] for verdict in outcome.verdicts.values())]
    )
    assert re.search(BY_NAME[name].told, told), f"told only: {told!r}"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", told)


@pytest.mark.parametrize("name", BY_NAME)
def test_nothing_secret_reaches_the_student(battle, name):
    attack = BY_NAME[name]
    for path in battle.files_of(attack.handed_in_by):
        text = path.read_text("utf-8", "replace")
        assert battle.leaks(text) == [], path.name
        for word in attack.forbidden(battle.setting):
            assert word not in text, path.name


def test_nothing_secret_reaches_the_class_report(battle):
    text = (battle.course.classroom / "report" / "squares.html").read_text("utf-8")
    assert battle.leaks(text) == []


def test_the_canaries_sing_when_they_are_let_out(battle):
    """The search for leaks finds each secret where it belongs."""
    classroom = battle.course.classroom
    assert battle.leaks((classroom / "keys" / "squares.secret.json").read_text("utf-8")) == [
        "key",
        "secret numbers",
    ]
    assert "gradebook" in battle.leaks((classroom / "gradebook.db").read_text("utf-8", "replace"))
    assert battle.leaks((battle.course.root / "solutions/squares/tasks.py").read_text("utf-8")) == [
        "solution"
    ]
    own = classroom / "submitted" / "honest-full" / "squares" / "squares.ipynb"
    assert battle.leaks(own.read_text("utf-8")) == ["classmate"]


def test_nobody_calls_home(battle):
    assert battle.heard == []


def test_no_process_survives(battle):
    assert battle.survivors == []


def test_no_file_appears_outside(battle):
    assert battle.strays == []
    assert battle.after == battle.before


def test_pages_are_written_for_everyone(battle):
    assert battle.page_errors == []
    for attack in ATTACKS:
        if attack.name == "id-not-text":  # no gradebook can hold such an id, and the instructor is told
            continue
        assert any(path.suffix == ".html" for path in battle.files_of(attack.handed_in_by)), attack.name


def pages(battle):
    yield battle.course.classroom / "report" / "squares.html"
    for attack in ATTACKS:
        yield from (path for path in battle.files_of(attack.handed_in_by) if path.suffix == ".html")


def test_pages_hold_no_markup_of_the_attackers(battle):
    script = (ROOT / "autograder/reports/templates/tables.js.html").read_text("utf-8").strip()
    for path in pages(battle):
        text = path.read_text("utf-8", "replace")
        is_report = path.parent.name == "report"
        if is_report:
            assert text.count(script) == 1
            text = text.replace(script, "")  # our own; another would be seen
        for tag, attributes in Page(text).seen:
            assert tag in (TAGS | TAGS_OF_REPORTS if is_report else TAGS), path
            assert not [name for name in attributes if name.startswith("on")], path
            for address in (attributes.get("href"), attributes.get("src")):
                assert address is None or re.match(
                    r"(http://|#|index\.html$|\.\./feedback/|data:image/(png|svg\+xml);base64,)", address
                )


def test_the_page_parser_sees_what_a_browser_would_run():
    text = "<p>&lt;script&gt;</p><img src=x onerror=pwned(2)><pwned>"
    assert [tag for tag, _ in Page(text).seen] == ["p", "img", "pwned"]


def outputs_of(battle, attack):
    path = battle.course.classroom / "autograded" / attack.handed_in_by / "squares" / "squares.ipynb"
    if path.is_file():
        tree = json.loads(path.read_text("utf-8"))
        yield from (output for one in tree["cells"] for output in one.get("outputs", []))


@pytest.mark.parametrize("name", BY_NAME)
def test_graded_notebooks_hold_text_and_pictures_only(battle, name):
    """What the instructor opens in formgrader: no script of a student's, no picture that is markup."""
    for output in outputs_of(battle, BY_NAME[name]):
        data = output.get("data", {})
        assert set(data) <= {"text/plain", "image/png", "text/html"}
        assert PICTURE.fullmatch(data.get("image/png", ""))
        if "text/html" in data:
            assert data["text/html"].startswith('<div class="dimred-verdict"')
            assert not [tag for tag, _ in Page(data["text/html"]).seen if tag not in TAGS]


@pytest.mark.parametrize("name", BY_NAME)
def test_graded_notebooks_stay_small(battle, name):
    for path in battle.files_of(BY_NAME[name].handed_in_by):
        assert path.stat().st_size < LARGEST_NOTEBOOK, path.name


def test_nbgraders_own_page_of_an_attacker_runs_nothing_of_theirs(battle, tmp_path):
    """The instructor grades open questions on nbgrader's pages, which are made from what grading wrote."""
    root = tmp_path / "course"
    shutil.copytree(
        battle.course.root, root, symlinks=True, ignore=shutil.ignore_patterns("submitted", "feedback")
    )
    api = NbGraderAPI(config=nbgrader_config(Course(root)))
    assert api.generate_feedback("squares", "markup", force=True)["success"]
    page = root / "classroom" / "feedback" / "markup" / "squares" / "squares.html"
    assert Scripts(page.read_text("utf-8")).found == []


def limited(code, seconds=12, gigabytes=3):
    """Run code that may hang or take all memory in a process with limits of CPU time and memory."""
    guard = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_AS, (int({gigabytes} * 2**30),) * 2)\n"
        f"resource.setrlimit(resource.RLIMIT_CPU, ({seconds},) * 2)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", guard + code], capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize(
    "formula",
    [
        "sin((2**9999)**9999)",
        "exp(exp(exp(exp(3))))",
        "gamma((9**9999)**9999)",
        "((((2**9999)**9999)**9999)**9999)**0.5",
        "log(-1)" + "**9.5" * 400,
        "-" * 3_000 + "1",
        "1" * 15_000,
        "cos(" * 90 + "1" + ")" * 90,
    ],
)
def test_no_formula_keeps_the_trusted_side_busy(formula):
    run = limited(
        "from autograder.judging.expressions import evaluate\n"
        "from autograder.answers.values import UnsupportedAnswerError\n"
        f"try:\n    print(evaluate({formula!r}, {{}}))\nexcept UnsupportedAnswerError as error:\n    print(error)"
    )
    assert run.returncode == 0, run.stderr[-500:]


@pytest.mark.parametrize("shape", ["(1_000_000, 1)", "(1, 1_000_000)", "(0, 3)", "(500, 1_000)"])
def test_no_answer_is_too_large_to_be_compared(shape):
    run = limited(
        "import numpy as np\nfrom autograder.judging.sameness import SAMENESSES, discrepancy\n"
        "from autograder.answers.values import UnsupportedAnswerError\n"
        "for same in SAMENESSES.values():\n"
        "    want = np.arange(6.0).reshape(3, 2) if same.axes != 1 else np.arange(6.0)\n"
        f"    try:\n        assert discrepancy(np.ones({shape}), want, same) > 0\n"
        "    except UnsupportedAnswerError as error:\n        print(error)"
    )
    assert run.returncode == 0, run.stderr[-500:]


@pytest.mark.parametrize("piece", ["{},", "[],", "0,", '"",'])
def test_no_message_takes_much_memory_to_read(piece):
    """The longest message must not become a gigabyte of small objects."""
    run = limited(
        "import socket, struct, threading\nfrom autograder.sandbox import wire\n"
        "ours, theirs = socket.socketpair()\n"
        f"data = b'{{\"outputs\": [' + {piece!r}.encode() * {60_000_000 // len(piece)} + b'0]}}'\n"
        "forged = struct.pack('>I', len(data)) + data\n"
        "threading.Thread(target=theirs.sendall, args=(forged,), daemon=True).start()\n"
        "try:\n    wire.receive(ours, wire.deadline_after(10))\nexcept wire.WireError as error:\n    print(error)",
        gigabytes=1,
    )
    assert run.returncode == 0, run.stderr[-500:]


def test_a_pipe_where_a_file_is_expected_does_not_stop_the_batch(released_course, tmp_path):
    """Whoever opens a pipe that nobody writes to waits for ever."""
    root = tmp_path / "course"
    shutil.copytree(released_course.root, root)
    release = root / "classroom" / "release" / "squares" / "squares.ipynb"
    for student, pipe in (("pipe-as-timestamp", "timestamp.txt"), ("pipe-as-notebook", "squares.ipynb")):
        folder = root / "classroom" / "submitted" / student / "squares"
        folder.mkdir(parents=True)
        shutil.copy(release, folder)
        (folder / pipe).unlink(missing_ok=True)
        os.mkfifo(folder / pipe)
    run = subprocess.run(
        [sys.executable, "-m", "autograder.cli", "grade", "squares"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-500:]
