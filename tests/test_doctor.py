"""`dimred doctor`: each thing that goes wrong is said with what mends it, and a sound classroom has nothing wrong."""

from autograder import doctor
from autograder.cli import main
from autograder.course.course import Course
from autograder.grading import audit
from benchmarks.report import made_up_class

TOPIC = "squares"


def said(looks, course):
    return "\n".join(str(finding) for look in looks for finding in doctor._run_safely(look, course))


def test_a_sound_classroom_has_nothing_wrong(classroom):
    classroom.secret()
    made_up_class(classroom, TOPIC, 3)
    audit.log_changes(classroom, TOPIC)
    text = said((*doctor.COURSE, *doctor.CLASSROOM), classroom)
    assert "!!" not in text
    assert "squares: 3 submissions, all graded" in text
    assert "gives the scores" in text


def test_what_is_wrong_is_said_with_what_mends_it(classroom):
    classroom.secret()
    classroom.paths.secret_word.chmod(0o644)
    (classroom.paths.release(TOPIC) / f"{TOPIC}.key.json").write_text("{}", "utf-8")
    (classroom.paths.submitted / "ada" / "circles").mkdir(parents=True)
    (classroom.paths.submitted / "ada" / TOPIC).mkdir()
    toc = classroom.root / "_toc.yml"
    toc.write_text(toc.read_text("utf-8") + "chapters:\n  - file: book/gone\n", "utf-8")
    settings = classroom.root / "course.toml"
    settings.write_text(settings.read_text("utf-8") + "[due]\nsqares = 2027-03-01T12:00:00Z\n", "utf-8")
    text = said((*doctor.COURSE, *doctor.CLASSROOM), Course(classroom.root))
    for words in (
        "[due] in course.toml names sqares, which is no topic",
        "chmod 600",
        "`dimred regenerate --seed … squares` writes it again",
        "submitted/ada/circles belongs to no assignment",
        "`dimred grade squares`",
        "book/gone, which is no page",
    ):
        assert words in text


def test_due_date_of_another_zone_is_said(classroom, monkeypatch):
    settings = classroom.root / "course.toml"
    text = settings.read_text("utf-8") + 'time_zone = "{}"\n[due]\nsquares = {}\n'
    for zone, due, words in (
        ("UTC", "2026-10-24T23:59:00+02:00", "UTC has the offset +00:00 on that day"),
        ("Europe/Berlin", "2026-10-25T23:59:00+02:00", "has the offset +01:00 on that day"),
        ("Europe/Berlin", "2026-10-24T23:59:00+02:00", ""),
        ("Europe/Berlin", "2026-10-24T21:59:00Z", ""),
        ("Europe/Berlin", "2026-10-24T23:59:00", ""),
    ):
        settings.write_text(text.format(zone, due), "utf-8")
        found = said([doctor._time_zone], Course(classroom.root))
        assert words in found if words else not found


def test_an_exchange_that_students_cannot_use_is_said(classroom, folder_for_all):
    settings = classroom.root / "course.toml"
    settings.write_text(
        settings.read_text("utf-8") + f'exchange = "{folder_for_all / "exchange"}"\n', "utf-8"
    )
    course = Course(classroom.root)
    assert "→ mkdir -m 1777" in said([doctor._exchange], course)
    course.exchange.mkdir()
    assert "→ chmod 1777" in said([doctor._exchange], course)
    course.exchange.chmod(0o1777)
    assert "open to all accounts" in said([doctor._exchange], course)
    folder_for_all.chmod(0o700)
    assert f"{folder_for_all} is closed" in said([doctor._exchange], course)


def test_an_edited_log_and_a_broken_task_are_findings_and_no_tracebacks(classroom):
    made_up_class(classroom, TOPIC, 1)
    audit.log_changes(classroom, TOPIC)
    path = audit.audit_path(classroom, TOPIC)
    path.write_text(path.read_text("utf-8").replace("student0001", "student0002"), "utf-8")
    (classroom.source(TOPIC) / "broken.py").write_text("1 / 0", "utf-8")
    text = said((*doctor.COURSE, *doctor.CLASSROOM), classroom)
    assert "not as it was written" in text
    assert "ZeroDivisionError" in text


def test_a_full_disk_is_noticed(classroom, monkeypatch):
    assert [finding.state for finding in doctor._disk(classroom)] == ["good"]
    monkeypatch.setattr(doctor, "MIN_FREE_BYTES", 1e18)
    assert [finding.state for finding in doctor._disk(classroom)] == ["bad"]


def test_the_command_looks_at_the_machine_too(classroom, monkeypatch, capsys):
    monkeypatch.chdir(classroom.root)
    main(["doctor"])
    printed = capsys.readouterr().out
    assert "students' code" in printed
    assert "numpy" in printed


def test_a_foreign_package_of_our_import_name_is_found(sample_course, tmp_path, monkeypatch):
    information = tmp_path / "site" / "autograder-3.7.7.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: autograder\nVersion: 3.7.7\n")
    assert list(doctor._foreign_package(sample_course)) == []
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    (finding,) = doctor._foreign_package(sample_course)
    assert finding.state == "bad"
    assert "pip uninstall --yes autograder" in finding.fix
