"""Every student a variant of their own: judged by their own key, whoever's notebook they hand in."""

import json
import shutil
import unicodedata

import pytest

from autograder import cli
from autograder.course.course import Course
from autograder.course.handout import read_handout
from autograder.course.roster import folder_name
from autograder.errors import CourseError
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.outcome import outcomes_on_file
from autograder.grading.regrade import preview_regrade, write_regrading
from autograder.grading.workers import local_grading_pool
from autograder.reports.feedback import write_feedback
from autograder.reports.report import write_report
from tests.conftest import ROOT
from tests.grading.own_variants import ADA, BOB, IDS, everything, give, hand_in_own, solved
from tests.grading.small_class import TOPIC, gradebook
from tests.grading.test_incremental import Counting

FOLDERS = [folder_name(name) for name in IDS]


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as made:
        yield made


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """The class with its variants handed out; tests copy it before they write."""
    root = tmp_path_factory.mktemp("own") / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    course = Course(root)
    give(course, *IDS)
    return course


@pytest.fixture
def own(given, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(given.root, root)
    return Course(root)


def key(course, folder):
    return course.paths.keys(TOPIC) / f"{folder}.secret.json"


def released(course, folder):
    path = course.paths.release(TOPIC, folder) / f"{TOPIC}.ipynb"
    return json.loads(path.read_text("utf-8"))


def test_all_variants_share_cells_and_points_but_not_numbers(given):
    notebooks = [released(given, folder) for folder in FOLDERS]
    frames = [
        [(cell["id"], cell["metadata"].get("nbgrader", {}).get("points")) for cell in one["cells"]]
        for one in notebooks
    ]
    assert all(frame == frames[0] for frame in frames)
    texts = {json.dumps(one["cells"]) for one in notebooks}
    assert len(texts) >= len(IDS) - 1  # small numbers may coincide once
    assert len({key(given, folder).read_text("utf-8") for folder in FOLDERS}) == len(IDS)


def test_no_file_of_a_student_is_outside_its_folder(given):
    room = given.classroom
    assert sorted(path.name for path in (room / "release_for").iterdir()) == sorted(FOLDERS)
    assert sorted(path.name for path in (room / "answers_for").iterdir()) == sorted(FOLDERS)
    for folder in FOLDERS:
        assert sorted(path.name for path in (room / "release_for" / folder / TOPIC).iterdir()) == [
            f"{TOPIC}.ipynb",
            f"{TOPIC}.key.json",
        ]
    assert not (room / "new.tmp").exists()


def test_everybodys_own_work_earns_full_marks(own, examiners):
    for folder in FOLDERS:
        hand_in_own(own, folder)
    outcomes = grade(own, TOPIC, examiners)
    assert {one.student: one.score for one in outcomes} == dict.fromkeys(FOLDERS, 5.0)
    assert not any(one.instructor_notes for one in outcomes)
    assert len(write_feedback(own, TOPIC)) == len(FOLDERS)
    assert set(gradebook(own)) == set(FOLDERS)


def copied(course):
    """Bob's solved notebook, said to be Ada's."""
    notebook = solved(course, BOB)
    notebook.metadata["dimred"]["seed"] = released(course, ADA)["metadata"]["dimred"]["seed"]
    return notebook


def test_a_copied_notebook_is_judged_by_ones_own_numbers_and_noticed(own, examiners):
    hand_in_own(own, ADA, copied(own))
    hand_in_own(own, BOB)
    ada, bob = grade(own, TOPIC, examiners)
    assert (ada.score, bob.score) == (4.0, 5.0)
    assert not ada.verdicts["by_hand"]["passed"]
    assert ada.remarks == ["holds passages of the notebook of bob: judged by this student's own numbers"]
    assert bob.remarks == []
    report = write_report(own, TOPIC).read_text("utf-8")
    assert "holds passages of the notebook of bob" in report
    (page, _) = write_feedback(own, TOPIC)
    assert "bob" not in page.read_text("utf-8"), "who was copied from is the instructor's business"


def test_a_sentence_of_ones_own_in_the_text_is_no_copying(own, examiners):
    notebook = solved(own, ADA)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source += "\n\nMy note."
    hand_in_own(own, ADA, notebook)
    (ada,) = grade(own, TOPIC, examiners)
    assert (ada.score, ada.remarks) == (5.0, [])


def test_who_is_not_on_the_roster_is_judged_by_the_class_variant(own, examiners):
    answers = json.loads((own.classroom / "answers" / TOPIC / f"{TOPIC}.ipynb").read_text("utf-8"))
    hand_in_own(own, "late", answers)
    hand_in_own(own, "mallory", solved(own, ADA))
    late, mallory = grade(own, TOPIC, examiners)
    assert late.score == 5.0
    assert late.remarks == ["not on the roster: judged by the class's own variant"]
    assert mallory.remarks == [f"{late.remarks[0]}; holds passages of the notebook of {ADA}"]


def test_another_spelling_of_an_accent_is_the_same_student(own, examiners):
    zoe = next(folder for folder in FOLDERS if folder.startswith("Zo"))
    hand_in_own(own, unicodedata.normalize("NFD", zoe), solved(own, zoe))
    (one,) = grade(own, TOPIC, examiners)
    assert (one.score, one.remarks) == (5.0, [])


def mend(course, folder):
    """Both keys: the public cases count, too."""
    for path in (key(course, folder), course.paths.release(TOPIC, folder) / f"{TOPIC}.key.json"):
        tree = json.loads(path.read_text("utf-8"))
        tree["tasks"]["total"]["hints"]["forgot_to_square"]["credit"] = 0.5
        path.write_text(json.dumps(tree), "utf-8")


WRONG = "def NAME(x):\n    return float(np.sum(x))"


def test_a_mended_key_of_one_student_runs_and_regrades_that_one_only(own, examiners):
    for folder in (ADA, BOB):
        hand_in_own(own, folder, solved(own, folder, total=WRONG))
    grade(own, TOPIC, examiners)
    mend(own, BOB)
    found = preview_regrade(own, TOPIC, examiners, GradingOptions())
    assert [(one.student, one.before, one.after) for one in found.changes] == [(BOB, 3.5, 4.0)]
    write_regrading(own, found)
    assert gradebook(own)[BOB]["score"] == 4.0
    counting = Counting(examiners)
    grade(own, TOPIC, counting)
    assert counting.ran == []


def test_a_damaged_key_costs_its_student_only(own, examiners):
    for folder in (ADA, BOB):
        hand_in_own(own, folder)
    key(own, ADA).write_text("{")
    ada, bob = grade(own, TOPIC, examiners)
    assert not ada.graded
    assert "ada.secret.json is damaged" in ada.notes[0]
    assert bob.score == 5.0


def test_variants_that_were_not_written_to_the_end_are_not_graded(own, examiners):
    hand_in_own(own, ADA)
    (own.paths.keys(TOPIC) / "roster.json").unlink()
    with pytest.raises(
        CourseError, match=r"own variants of squares are not complete: run `dimred regenerate --ro"
    ):
        grade(own, TOPIC, examiners)


def test_a_job_that_stopped_while_files_were_moved_can_be_done_again_under_graded_work(
    own, examiners, monkeypatch
):
    hand_in_own(own, ADA)
    grade(own, TOPIC, examiners)
    before = everything(own)
    with monkeypatch.context() as broken:
        broken.setattr("autograder.release.regenerate.move_files", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            give(own, *IDS)
    with pytest.raises(CourseError, match="not complete"):
        grade(own, TOPIC, examiners)
    give(own, *IDS)
    assert everything(own) == before


def test_the_command_line_grades_each_by_their_own_key(own, monkeypatch, capsys):
    hand_in_own(own, ADA, copied(own))
    hand_in_own(own, BOB)
    monkeypatch.chdir(own.root)
    assert cli.main(["grade", "--verbose"]) == 0
    lines = {line.split()[1]: line for line in capsys.readouterr().out.splitlines()}
    assert "4.00  holds passages of the notebook of bob" in lines[ADA]
    assert lines[BOB].endswith("5.00")


def test_a_student_can_check_the_own_notebook(own, monkeypatch, capsys):
    path = own.paths.release(TOPIC, ADA) / f"{TOPIC}.ipynb"
    path.write_text(json.dumps(solved(own, ADA)), "utf-8")
    monkeypatch.chdir(own.root)
    assert cli.main(["check", str(path)]) == 0
    assert "5 of 5 points that a check can give" in capsys.readouterr().out


def test_the_roster_may_grow_and_shrink_without_moving_anyones_numbers(own):
    before = everything(own)
    give(own, "new", BOB, ADA)
    after = everything(own)
    moved = {path for path in before if after.get(path) != before[path]}
    assert {path for path in moved if not path.startswith("answers_for/")} == {
        f"keys/{TOPIC}/roster.json",
        f"keys/{TOPIC}.digests.json",  # what the release was made from
    }
    assert set(read_handout(own, TOPIC).students) == {*FOLDERS, "new"}


def test_another_secret_gives_everybody_other_numbers(own):
    before = {folder: read_handout(own, TOPIC).students[folder]["seed"] for folder in FOLDERS}
    (own.classroom / "course.secret").write_text("another word\n")
    give(own, *IDS)
    after = read_handout(own, TOPIC).students
    assert not any(after[folder]["seed"] == before[folder] for folder in FOLDERS)


def test_going_on_without_the_roster_is_refused(own):
    before = everything(own)
    with pytest.raises(
        CourseError, match=r"given to 6 students in variants of their own: say --roster again"
    ):
        give(own)
    assert everything(own) == before


def test_another_seed_replaces_the_variants_of_the_old_one(own):
    give(own, ADA, seed="two")
    assert set(read_handout(own, TOPIC).students) == {ADA}
    assert not own.paths.release(TOPIC, BOB).exists()
    give(own, seed="three", answers=False)
    assert read_handout(own, TOPIC) is None
    assert not own.paths.release(TOPIC, ADA).exists()
    assert not (own.classroom / "answers" / TOPIC).exists()


def test_graded_work_keeps_its_numbers(own, examiners):
    hand_in_own(own, ADA)
    grade(own, TOPIC, examiners)
    before = everything(own)
    with pytest.raises(CourseError, match="squares has 1 graded submissions with other numbers"):
        give(own, *IDS, seed="two")
    assert everything(own) == before
    give(own, ADA, "new")
    assert [one.student for one in outcomes_on_file(own, TOPIC)] == [ADA]
    counting = Counting(examiners)
    grade(own, TOPIC, counting)
    assert counting.ran == []


def test_who_was_graded_by_the_class_variant_gets_no_other_one(own, examiners):
    hand_in_own(own, "late", json.loads((own.classroom / "answers" / TOPIC / f"{TOPIC}.ipynb").read_text()))
    grade(own, TOPIC, examiners)
    with pytest.raises(CourseError, match="1 graded submissions with other numbers"):
        give(own, *IDS, "late")
