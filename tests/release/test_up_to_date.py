"""What is up to date is not made again, and every change that matters is noticed."""

import shutil

import pytest

from autograder.course.course import Course
from autograder.release import variant
from autograder.release.freshness import are_exercises_fresh
from autograder.release.regenerate import ReleaseRequest, is_up_to_date, regenerate_all
from tests.conftest import ROOT
from tests.grading.own_variants import everything

TOPIC = "squares"
TOPICS = sorted(path.parent.name for path in (ROOT / "solutions").glob("*/notebook.md"))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_fresh_clone_need_not_draw_the_exercises(course, topic):
    assert are_exercises_fresh(course, topic), "stale: run `dimred regenerate`"


@pytest.fixture(scope="module")
def once_made(tmp_path_factory):
    """The tiny course, made for the public seed."""
    course = Course(tmp_path_factory.mktemp("made") / "course")
    shutil.copytree(ROOT / "tests" / "sample_course", course.root)
    assert not regenerate_all(course, [TOPIC], public(course))[TOPIC].is_up_to_date
    return course


@pytest.fixture
def made(once_made, tmp_path):
    shutil.copytree(once_made.root, tmp_path / "course")
    return Course(tmp_path / "course")


def public(course, **options):
    return ReleaseRequest(course.public_seed, **options)


def test_what_is_up_to_date_is_left_alone(made):
    before = everything(made)
    done = regenerate_all(made, [TOPIC], public(made))[TOPIC]
    assert done.is_up_to_date
    assert set(done.certificate["tasks"]) == {"binomial", "by_hand", "cubes", "total"}
    assert everything(made) == before
    assert not regenerate_all(made, [TOPIC], public(made, force=True))[TOPIC].is_up_to_date


CHANGED = (
    "solutions/squares/tasks.py",
    "solutions/squares/notebook.md",
    "solutions/squares/mistakes.json",
    "exercises/squares/squares.ipynb",
    "exercises/squares/squares.certificate.json",
    "exercises/made_from.json",
    "classroom/release/squares/squares.ipynb",
    "classroom/keys/squares.secret.json",
    "classroom/keys/squares.digests.json",
    "classroom/course.secret",
)


@pytest.mark.parametrize("path", CHANGED)
def test_a_changed_file_is_noticed(made, path):
    assert is_up_to_date(made, TOPIC, public(made))
    place = made.root / path
    text = place.read_text("utf-8")
    place.write_text(text[: len(text) // 2] if path.endswith("json") else f"{text}\nX = 1\n", "utf-8")
    assert not is_up_to_date(made, TOPIC, public(made))


@pytest.mark.parametrize(
    "path", [*CHANGED, "classroom/gradebook.db", "classroom/source/squares/squares.ipynb"]
)
def test_a_missing_file_is_noticed(made, path):
    if path not in ("solutions/squares/tasks.py", "solutions/squares/notebook.md"):
        (made.root / path).unlink()
        assert not is_up_to_date(made, TOPIC, public(made))


def test_settings_and_words_that_no_file_holds_are_not_noticed(made):
    settings = made.root / "course.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text + 'course_id = "other"\n', "utf-8")
    assert is_up_to_date(Course(made.root), TOPIC, public(made))
    page = made.book / "squares.md"
    words = page.read_text("utf-8")
    page.write_text(words + "\nMore words.\n", "utf-8")
    assert is_up_to_date(Course(made.root), TOPIC, public(made))
    settings.write_text(
        text.replace("book_url", "# book_url") + 'book_url = "https://example.org"\n', "utf-8"
    )
    assert is_up_to_date(Course(made.root), TOPIC, public(made))  # the address comes in at the hand-out


@pytest.mark.parametrize("options", [{"answers": True}, {"seed": "two"}], ids=["answers", "seed"])
def test_another_request_is_not_up_to_date(made, options):
    request = ReleaseRequest(**{"seed": made.public_seed, **options})
    assert not is_up_to_date(made, TOPIC, request)


def test_a_fresh_clone_draws_only_what_is_secret(made, monkeypatch):
    before = {path: path.read_bytes() for path in made.exercises.rglob("*") if path.is_file()}
    shutil.rmtree(made.classroom)
    monkeypatch.setattr(variant, "draw_task", None)
    done = regenerate_all(made.demo, [TOPIC], public(made))[TOPIC]
    assert not done.is_up_to_date
    assert made.demo.paths.secret_key(TOPIC).is_file()
    assert {path: path.read_bytes() for path in before} == before


def test_exercises_changed_by_hand_are_drawn_again(made):
    shutil.rmtree(made.classroom)
    key = made.exercises / TOPIC / f"{TOPIC}.key.json"
    before = key.read_text("utf-8")
    key.write_text(before.replace("[", "[1,", 1), "utf-8")
    regenerate_all(made.demo, [TOPIC], public(made))
    assert key.read_text("utf-8") == before
