"""Two graders and an owner on one classroom: rights, roles, a lock that names its holder, who did what."""

import fcntl
import grp
import os
import pwd
import shutil
import stat
import subprocess
import sys
import traceback

import pytest

from autograder import doctor
from autograder.cli import main
from autograder.course.accounts import account_name, require_role
from autograder.course.course import Course
from autograder.course.files import exclusive_lock
from autograder.errors import CourseError
from tests.conftest import ROOT
from tests.grading.small_class import hand_in

ME = account_name(os.getuid())
ROLES = {"owner": "ann", "graders": ["ben", "cyd"]}
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def test_a_grader_grades_and_the_owner_decides():
    for verb in ("grade", "collect", "feedback", "report", "regrade"):
        require_role(ROLES, verb, "ben")
    for verb in ("regenerate", "roster", "distribute"):
        require_role(ROLES, verb, "ann")
        with pytest.raises(
            CourseError, match=f"`dimred {verb}` is for the owner of this course, ann; ben is"
        ):
            require_role(ROLES, verb, "ben")
    with pytest.raises(CourseError, match="dan is neither owner nor grader"):
        require_role(ROLES, "grade", "dan")
    require_role({"owner": "", "graders": []}, "regenerate", "dan")


def test_the_command_line_asks_for_the_role(classroom, monkeypatch, capsys):
    monkeypatch.chdir(classroom.root)
    settings = classroom.root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + f'owner = "somebody"\ngraders = ["{ME}"]\n', "utf-8")
    assert main(["regenerate"]) == 1
    assert "is for the owner of this course, somebody" in capsys.readouterr().err
    hand_in(classroom, "ada")
    assert main(["grade"]) == 0


def test_a_lock_names_its_holder(tmp_path):
    path = tmp_path / "grading.lock"
    words = rf"\({ME}.*, process {os.getpid()}, since \d{{4}}-"
    with exclusive_lock(path), pytest.raises(CourseError, match=words), exclusive_lock(path):
        pass
    assert path.read_text("utf-8") == ""
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CourseError, match=r"is writing in .*: wait"), exclusive_lock(path):
            pass


def test_who_did_what_to_the_class_is_in_the_audit(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    (sample_course.root / "class.csv").write_text("id,name,email\nada,Ada,a@x\n")
    assert main(["roster", "class.csv"]) == 0
    assert main(["regenerate", "--seed", "one-two"]) == 0
    capsys.readouterr()
    assert main(["audit"]) == 0
    printed = capsys.readouterr().out
    assert f"roster: 1 students, 1 of them new ({ME}" in printed
    assert "regenerate squares with a seed" in printed
    log = sample_course.classroom / "audit" / ".class.jsonl"
    log.write_text(log.read_text("utf-8").replace("1 of them", "9 of them"), "utf-8")
    assert main(["audit"]) == 1


def run_as(account, words):
    """Run a command in a child of this process that has become another account, and return its exit code."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setgroups([])
            os.setgid(account.pw_gid)
            os.setuid(account.pw_uid)
            code = main(words)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@as_root
def test_a_grader_of_the_group_reads_and_writes_what_the_owner_made(folder_for_all, monkeypatch):
    """As two accounts: root makes the class for the group of `nobody`, who then grades; `daemon` may not look."""
    nobody = pwd.getpwnam("nobody")
    group = grp.getgrgid(nobody.pw_gid).gr_name
    root = folder_for_all / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    root.chmod(0o2775)
    shutil.chown(root, group=group)
    settings = root / "course.toml"
    settings.write_text(
        settings.read_text("utf-8") + f'owner = "root"\ngraders = ["nobody"]\ngroup = "{group}"\n'
    )
    program = [sys.executable, "-m", "autograder.cli"]
    path = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder_for_all)}
    (root / "class.csv").write_text("id,name\nada,Ada Lovelace\nbob,Bob Bee\n")
    for words in (["regenerate", "--seed", "own"], ["roster", "class.csv"]):
        done = subprocess.run([*program, *words], cwd=root, env=path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    course = Course(root)
    assert stat.S_IMODE(course.classroom.stat().st_mode) == 0o2770
    for file in (course.paths.secret_word, course.paths.gradebook, course.paths.secret_key("squares")):
        status = file.stat()
        assert (status.st_gid, stat.S_IMODE(status.st_mode)) == (nobody.pw_gid, 0o660), file
    look = [
        "/bin/sh",
        "-c",
        'test -r "$0" && test -w "$1"',
        course.paths.secret_word,
        course.paths.gradebook,
    ]
    ids = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    assert subprocess.run(look, check=False, **ids).returncode == 0
    release = (course.paths.release("squares") / "squares.ipynb").read_bytes()
    for name in ("Bob Bee", "Ada Lovelace"):
        (root / name).mkdir()
        (root / name / f"{name} - squares.ipynb").write_bytes(release)
        (root / name).chmod(0o755)
        (root / name / f"{name} - squares.ipynb").chmod(0o644)
    monkeypatch.chdir(root)
    umask = os.umask(0o022)
    try:
        # first as root, so that all is imported: the grader may not be able to read the folder of this environment
        assert main(["collect", "Bob Bee", "--yes"]) == 0
        assert run_as(nobody, ["collect", "Ada Lovelace", "--yes"]) == 0
    finally:
        os.umask(umask)
    handed_in = course.paths.submission("ada", "squares").stat()
    assert (handed_in.st_uid, handed_in.st_gid) == (nobody.pw_uid, nobody.pw_gid)
    assert stat.S_IMODE(handed_in.st_mode) == 0o660
    daemon = {"user": 1, "group": 1, "extra_groups": []}
    assert subprocess.run(look, check=False, **daemon).returncode != 0


def test_a_group_that_is_not_there_is_one_line(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    monkeypatch.setattr("os.umask", lambda mask: mask)
    settings = sample_course.root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + 'group = "no-such-group"\n')
    (sample_course.root / "class.csv").write_text("id\nada\n")
    assert main(["roster", "class.csv"]) == 1
    assert "names 'no-such-group', which is no group of this machine" in capsys.readouterr().err


def test_a_date_without_a_time_names_its_line_once(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    settings = sample_course.root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + "\n[due]\nsquares = 2026-12-08\n", "utf-8")
    assert main(["doctor"]) == 1
    printed = capsys.readouterr().out
    line = "course.toml, line 5: squares = 2026-12-08 has no time of day: write squares = 2026-12-08T23:59:00"
    assert printed.count("has no time of day") == 1
    assert line in printed


@pytest.mark.parametrize(("ignored", "tracked"), [("", False), ("", True), ("/class.csv\n", False)])
def test_a_class_list_that_git_would_publish_is_found(sample_course, ignored, tracked):
    root = sample_course.root
    (root / "class.csv").write_text("id,name\nada,Ada\nbob,Bob\n")
    (root / "data.csv").write_text("x,y\n1,2\n")
    (root / ".gitignore").write_text(ignored)
    for words in (["init", "-q"], *([["add", "class.csv"]] if tracked else [])):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    findings = "\n".join(map(str, doctor._class_lists(sample_course)))
    assert ("names 2 students" in findings) == (not ignored)
    assert ("git rm --cached class.csv" in findings) == tracked
    assert "data.csv" not in findings


def test_this_repository_ignores_class_lists_and_downloads():
    for name in ("class.csv", "2026-11-18_grades.csv", "submissions.zip"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT, check=False).returncode == 0
