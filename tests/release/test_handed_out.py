"""Numbers that somebody works with stay, whatever becomes of the task; and every key ever released is kept."""

import json

import pytest

from autograder.errors import CourseError
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from autograder.release.regenerate import ReleaseRequest, regenerate
from tests.grading.own_variants import everything, give, hand_in_own, hands, students, with_known_secret
from tests.grading.small_class import TOPIC
from tests.release.test_variant import edit

OTHER_DRAW = ("rng.uniform(2, 9, size=1)", "rng.uniform(2, 8, size=1)")


@pytest.fixture(autouse=True)
def tasks_read_anew(monkeypatch):
    """An edited module is another module: the command would be started anew, too."""
    import sys

    for name in [name for name in sys.modules if name.startswith("solutions.squares")]:
        monkeypatch.delitem(sys.modules, name)


def edit_task(course, old, new):
    import sys

    edit(course.root / "solutions" / TOPIC / "tasks.py", old, new)
    for name in [name for name in sys.modules if name.startswith("solutions.squares")]:
        del sys.modules[name]


def again(course, *ids, replace=False):
    with_known_secret(course)
    request = ReleaseRequest("one", students(*ids), replace=replace)
    return regenerate(course, TOPIC, request, hands(course), lambda: None)


def kept(course):
    return sorted(
        str(path.relative_to(course.classroom)) for path in (course.classroom / "kept").rglob("*.json")
    )


def test_a_changed_draw_under_graded_students_is_refused_and_nothing_is_written(sample_course):
    """The same seed, another draw: the student would be judged by numbers that she never saw."""
    give(sample_course, "ada")
    hand_in_own(sample_course, "ada")
    with local_grading_pool(1) as examiners:
        grade(sample_course, TOPIC, examiners)
    edit_task(sample_course, *OTHER_DRAW)
    before = everything(sample_course)
    for replace in (False, True):
        with pytest.raises(
            CourseError, match=r"squares: 1 submissions were handed in .* numbers of total, so"
        ):
            again(sample_course, "ada", replace=replace)
    assert everything(sample_course) == before


def test_a_changed_draw_after_handing_out_asks_and_the_old_keys_are_kept(sample_course):
    give(sample_course, "ada")
    (sample_course.paths.handed_out / TOPIC).mkdir(parents=True)
    old = sample_course.paths.secret_key(TOPIC, "ada").read_text("utf-8")
    edit_task(sample_course, *OTHER_DRAW)
    with pytest.raises(CourseError, match=r"the class was given other numbers of total.*--replace"):
        again(sample_course, "ada")
    assert kept(sample_course) == []
    again(sample_course, "ada", replace=True)
    assert (sample_course.classroom / "kept/squares/1/keys/squares/ada.secret.json").read_text("utf-8") == old
    assert sample_course.paths.secret_key(TOPIC, "ada").read_text("utf-8") != old


def test_before_anything_is_handed_out_the_draw_is_the_authors(sample_course):
    again(sample_course)
    edit_task(sample_course, *OTHER_DRAW)
    again(sample_course)
    assert "kept/squares/1/keys/squares.secret.json" in kept(sample_course)


def test_a_mended_hint_is_no_other_number(sample_course):
    """Text, hints and answers may be mended in mid-term; the replaced key is kept all the same."""
    give(sample_course, "ada")
    hand_in_own(sample_course, "ada")
    edit_task(sample_course, "Nothing was squared.", "You squared nothing.")
    again(sample_course, "ada")
    assert "You squared nothing." in sample_course.paths.secret_key(TOPIC, "ada").read_text("utf-8")
    assert "kept/squares/1/keys/squares/ada.secret.json" in kept(sample_course)


def test_the_same_again_keeps_nothing(sample_course):
    give(sample_course, "ada")
    again(sample_course, "ada")
    assert kept(sample_course) == []


def test_a_kept_release_can_be_read_as_a_key(sample_course):
    give(sample_course, "ada", "bob")
    again(sample_course, "ada")  # bob keeps his: he has left the roster, not the class
    give(sample_course, "ada", seed="two")
    found = [path for path in kept(sample_course) if path.endswith("bob.secret.json")]
    assert found == ["kept/squares/1/keys/squares/bob.secret.json"]
    assert json.loads((sample_course.classroom / found[0]).read_text("utf-8"))["topic"] == TOPIC
