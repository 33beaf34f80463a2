"""The log of score changes: every change has a line with its cause, and the lines replay to the gradebook."""

import json
from dataclasses import replace

import jsonschema
import pytest

from autograder import doctor, formats
from autograder.cli import main
from autograder.course import accounts
from autograder.errors import CourseError
from autograder.grading import audit
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.nbgrader_settings import directory
from autograder.grading.outcome import outcome_on_file, outcome_path
from autograder.grading.regrade import preview_regrade, write_regrading
from autograder.grading.signed_log import _digest
from autograder.grading.workers import local_grading_pool
from tests import command
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as made:
        yield made


@pytest.fixture
def graded(classroom, examiners):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", total=WRONG)
    grade(classroom, TOPIC, examiners)
    return classroom


def set_by_hand(course, student, cell, score, extra=None):
    with open_gradebook(course) as book:
        grade = book.find_grade(cell, TOPIC, TOPIC, student)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = score, extra, False
        book.db.commit()


def last_lines(course, number):
    return [(one["student"], one["cell"], one["cause"]) for one in audit.log_entries(course, TOPIC)[-number:]]


def test_each_change_has_its_cause_and_all_replay_to_the_gradebook(graded, examiners):
    assert ("bob", "check-total", "graded: forgot_to_square") in last_lines(graded, 99)
    set_by_hand(graded, "ada", "why", 2.5, 0.5)
    hand_in(graded, "bob")
    grade(graded, TOPIC, examiners)
    assert last_lines(graded, 2) == [
        ("ada", "why", audit.EXTERNAL_CHANGE),
        ("bob", "check-total", "graded: right"),
    ]
    key = graded.paths.release(TOPIC) / f"{TOPIC}.key.json"
    tree = json.loads(key.read_text("utf-8"))
    tree["tasks"]["by_hand"]["cases"][0]["expected"] = ["0" * 8]
    key.write_text(json.dumps(tree), "utf-8")
    write_regrading(graded, preview_regrade(graded, TOPIC, examiners, GradingOptions()))
    again = "graded again after a change of key or grader: wrong"
    assert last_lines(graded, 2) == [("ada", "check-by_hand", again), ("bob", "check-by_hand", again)]
    replayed = audit.replay(audit.log_entries(graded, TOPIC))
    assert replayed == audit.scores_now(graded, TOPIC)
    totals = {student: one["score"] for student, one in gradebook(graded).items()}
    assert {student: audit.total(cells) for student, cells in replayed.items()} == totals
    assert audit.log_changes(graded, TOPIC) == 0


def test_outcomes_and_lines_of_the_log_keep_to_their_schemas_and_newer_ones_are_refused(graded):
    path = outcome_path(graded, TOPIC, "bob")
    tree = json.loads(path.read_text("utf-8"))
    jsonschema.validate(tree, formats.OUTCOME.schema())
    audit.log_action(graded, "read a class list")
    for line in (*audit.log_entries(graded, TOPIC), *audit.actions(graded)):
        jsonschema.validate(line, formats.AUDIT.schema())
    older = {name: value for name, value in tree.items() if name != "format"}
    path.write_text(json.dumps(older), "utf-8")
    assert outcome_on_file(graded, TOPIC, "bob").verdicts == tree["verdicts"]
    path.write_text(json.dumps({**tree, "format": 99}), "utf-8")
    with pytest.raises(CourseError, match="outcome format 99, made by a newer version"):
        outcome_on_file(graded, TOPIC, "bob")
    log = audit.audit_path(graded, TOPIC)
    log.write_text(log.read_text("utf-8").replace('"format": 1', '"format": 99'), "utf-8")
    with pytest.raises(CourseError, match=r"jsonl, line 1, has audit format 99"):
        audit.log_entries(graded, TOPIC)


def test_a_lost_gradebook_comes_back_from_the_log(graded, monkeypatch, capsys, examiners):
    set_by_hand(graded, "ada", "why", 2.5)
    audit.log_changes(graded, TOPIC)
    with open_gradebook(graded) as book:
        book.find_submission(TOPIC, "bob").notebooks[0].late_submission_penalty = 1.25
        book.db.commit()
    audit.log_changes(graded, TOPIC)
    before = gradebook(graded)
    with open_gradebook(graded) as book:
        for student in ("ada", "bob"):
            book.remove_submission(TOPIC, student)
    assert gradebook(graded) == {}
    assert directory(graded).db_url
    monkeypatch.chdir(graded.root)
    assert main(["report", TOPIC]) == 1, "whoever runs another command first must not make the log forget"
    assert "the log those of 2 students" in capsys.readouterr().err
    assert [one.state for one in doctor._gradebook(graded)] == ["bad"]
    assert audit.restore(graded, TOPIC) == 2
    assert gradebook(graded) == before
    assert main(["audit", TOPIC, "--student", "bob"]) == 0
    said = capsys.readouterr().out
    assert "bob  late penalty: nothing → 1.25" in said
    assert "ada" not in said
    assert said.endswith("replayed, they give the gradebook's scores\n")


@pytest.mark.parametrize(
    "arguments", [["export"], ["feedback"], ["report"], ["audit", "--restore"], ["regrade"]]
)
def test_without_the_gradebooks_file_every_command_says_what_to_do(graded, monkeypatch, capsys, arguments):
    graded.paths.gradebook.unlink()
    log = audit.audit_path(graded, TOPIC).read_bytes()
    monkeypatch.chdir(graded.root)
    assert main(arguments) == 1
    assert "put the lost" in capsys.readouterr().err
    assert audit.audit_path(graded, TOPIC).read_bytes() == log


def test_an_edited_line_is_noticed_and_a_torn_one_is_dropped(graded):
    path = audit.audit_path(graded, TOPIC)
    text = path.read_text("utf-8")
    path.write_text(text + '{"when": "20', "utf-8")
    assert audit.log_changes(graded, TOPIC) == 0
    assert path.read_text("utf-8") == text
    path.write_text(text.replace("forgot_to_square", "right"), "utf-8")
    with pytest.raises(CourseError, match="not as it was written"):
        audit.log_entries(graded, TOPIC)


def test_a_name_with_signs_that_some_programs_end_lines_at_does_not_tear_the_log(graded):
    log = audit.audit_log(graded, TOPIC)
    line = {**bare(log.read().lines[-1]), "student": "eve\u2028\u2029\x85\x1c"}
    log.append([line])
    assert audit.log_entries(graded, TOPIC)[-1]["student"] == line["student"]


def bare(line):
    """A line without number and signature."""
    return {name: value for name, value in line.items() if name not in ("number", "mac", "digest")}


def rewritten(course, lines, secret):
    """Write a log anew, signed by somebody with another secret, with its head."""
    log = replace(audit.audit_log(course, TOPIC), secret=secret)
    log.path.unlink()
    log.head.unlink()
    log.append([bare(line) for line in lines])
    return log


def as_before(course):
    """The log as an earlier version wrote it: keyless digests, no head."""
    log = audit.audit_log(course, TOPIC)
    last, text = "", ""
    for line in log.read().lines:
        last = _digest(last, bare(line))
        text += json.dumps({**bare(line), "digest": last}, ensure_ascii=False) + "\n"
    log.path.write_text(text, "utf-8")
    log.head.unlink()
    return log


def refusal(course):
    """What `dimred audit` and `dimred doctor` say of a log; both must say it."""
    code, _, error = command.dimred(course.root, "audit", TOPIC)
    assert code == 1
    assert len(error.splitlines()) == 1
    told = [finding.what for finding in doctor._gradebook(course) if finding.state == "bad"]
    assert any(words in error for words in told)
    return error


def test_a_forged_score_with_recomputed_signatures_is_noticed(graded):
    """As an attacker did: score changed in the gradebook, log rewritten to match."""
    set_by_hand(graded, "bob", "check-total", 2.0)
    lines = audit.log_entries(graded, TOPIC)
    forged = [
        {**line, "now": [*line["now"][:1], 2.0, *line["now"][2:]]}
        if (line["student"], line["cell"]) == ("bob", "check-total")
        else line
        for line in lines
    ]
    assert forged != lines
    rewritten(graded, forged, "a guess")
    assert "is not as it was written" in refusal(graded)


def test_cut_lines_are_noticed(graded):
    path = audit.audit_path(graded, TOPIC)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-2]), "utf-8")
    assert "lacks its last 2 lines" in refusal(graded)
    path.unlink()
    assert f"lacks its last {len(lines)} lines" in refusal(graded)


def test_reordered_and_removed_lines_are_noticed(graded):
    path = audit.audit_path(graded, TOPIC)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([lines[1], lines[0], *lines[2:]]), "utf-8")
    assert "line 1, is not as it was written" in refusal(graded)
    path.write_text("".join(lines[1:]), "utf-8")
    assert "line 1, is not as it was written" in refusal(graded)


def test_a_cut_log_with_a_forged_head_is_noticed(graded):
    log = audit.audit_log(graded, TOPIC)
    lines = log.path.read_text("utf-8").splitlines(keepends=True)
    log.path.write_text("".join(lines[:-1]), "utf-8")
    head = json.loads(log.head.read_text("utf-8"))
    last = json.loads(lines[-2])["mac"]
    log.head.write_text(json.dumps({**head, "number": len(lines) - 1, "last": last}), "utf-8")
    assert "is not as it was written" in refusal(graded)
    log.head.unlink()
    assert "is missing, which tells how long" in refusal(graded)


def test_another_secret_is_noticed(graded):
    graded.paths.secret_word.write_text("another\n", "ascii")
    assert "signed with another course.secret" in refusal(graded)


def test_a_log_of_an_earlier_version_is_read_and_told_to_be_unsigned(graded):
    number = len(audit.log_entries(graded, TOPIC))
    log = as_before(graded)
    assert len(audit.log_entries(graded, TOPIC)) == number
    set_by_hand(graded, "ada", "why", 2.5)
    code, out, _ = command.dimred(graded.root, "audit", TOPIC)
    assert code == 0
    assert f"the first {number} of {number + 1} changes are unsigned, by an earlier version" in out
    assert "unsigned" in " ".join(finding.what for finding in doctor._gradebook(graded))
    unsigned = {**bare(log.read().lines[-1]), "digest": "0"}
    with log.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(unsigned) + "\n")
    assert f"line {number + 2}, is not as it was written" in refusal(graded)


def test_a_crash_before_the_head_was_written_loses_nothing(graded):
    log = audit.audit_log(graded, TOPIC)
    before = log.head.read_bytes()
    set_by_hand(graded, "ada", "why", 2.5)
    audit.log_changes(graded, TOPIC)
    log.head.write_bytes(before)
    assert audit.log_changes(graded, TOPIC) == 0
    assert audit.log_entries(graded, TOPIC)[-1]["cell"] == "why"


def test_the_account_is_that_of_the_kernel(graded, monkeypatch):
    import getpass
    import os
    import pwd

    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody-else")
    assert getpass.getuser() == "somebody-else"
    monkeypatch.delenv("SUDO_USER", raising=False)
    account = pwd.getpwuid(os.getuid()).pw_name
    assert accounts.describe_account().partition(",")[0] == account
    monkeypatch.setenv("SUDO_USER", "ada")
    assert "logged in as" in accounts.describe_account()
    assert "ada" in accounts.describe_account()


def test_a_topic_that_nobody_handed_in_has_no_log(classroom):
    assert audit.log_changes(classroom, TOPIC) == 0
    assert audit.log_entries(classroom, TOPIC) == []
