"""The head of a signed log: nobody without the secret can write one, and it belongs to one log only."""

import json
import re

import pytest

from autograder.errors import CourseError
from autograder.grading.signed_log import SignedLog

SECRET = "of the tests"


def log_of(folder, *words, name="squares", secret=SECRET):
    """A log with one line for each word."""
    folder.mkdir(exist_ok=True)
    log = SignedLog(folder / f"{name}.jsonl", folder / f"{name}.head.json", secret)
    log.append([{"word": word} for word in words])
    return log


def cut(log, number):
    """Keep only the first lines; return the MAC of the last of them."""
    lines = log.path.read_text("utf-8").splitlines(keepends=True)[:number]
    log.path.write_text("".join(lines), "utf-8")
    return json.loads(lines[-1])["mac"]


def test_whoever_lacks_the_secret_cannot_write_a_head(tmp_path):
    """It fits the cut log in every way but its signature."""
    log = log_of(tmp_path / "log", "a", "b", "c")
    last = cut(log, 2)
    SignedLog(log.path, log.head, "a guess")._write_head(2, last)
    with pytest.raises(CourseError, match="is not as it was written, or was signed with another course"):
        log.read()


@pytest.mark.parametrize("changed", [{"number": 2}, {"last": "0" * 32}, {"mac": "0" * 32}, {"mac": ""}])
def test_no_field_of_a_head_can_be_changed(tmp_path, changed):
    log = log_of(tmp_path / "log", "a", "b", "c")
    head = json.loads(log.head.read_text("utf-8"))
    log.head.write_text(json.dumps({**head, **changed}), "utf-8")
    with pytest.raises(CourseError, match=f"{re.escape(log.head.name)} is not as it was written"):
        log.read()


def test_a_head_of_another_topic_is_refused(tmp_path):
    log = log_of(tmp_path / "log", "a", "b", "c")
    other = log_of(tmp_path / "log", "a", "b", name="circles")
    log.head.write_bytes(other.head.read_bytes())
    with pytest.raises(CourseError, match="is not as it was written"):
        log.read()


def test_a_head_of_another_log_of_the_topic_is_refused(tmp_path):
    """Both are signed with the secret, and equally long."""
    log, other = log_of(tmp_path / "log", "a", "b"), log_of(tmp_path / "other", "a", "c")
    log.head.write_bytes(other.head.read_bytes())
    with pytest.raises(CourseError, match="is another log than"):
        log.read()


def test_a_line_of_another_history_is_refused(tmp_path):
    """Signed with the same secret under the same number, as after a backup was played back and work went on."""
    log, other = log_of(tmp_path / "log", "a", "b", "c"), log_of(tmp_path / "other", "a", "x", "c")
    lines, others = (each.path.read_text("utf-8").splitlines(keepends=True) for each in (log, other))
    log.path.write_text("".join([lines[0], others[1], lines[2]]), "utf-8")
    with pytest.raises(CourseError, match="line 3, is not as it was written"):
        log.read()
