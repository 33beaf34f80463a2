"""`course.toml`: the settings of a course, and one clear line for whatever is wrong in it."""

import pytest

from autograder.course.course import Course
from autograder.course.settings import SETTINGS
from autograder.errors import CourseError
from tests.conftest import ROOT


def course_with(root, text):
    (root / "course.toml").write_text(text, "utf-8")
    return Course(root)


def test_a_course_without_the_file_has_every_default(tmp_path):
    settings = Course(tmp_path).settings
    assert settings == {name: setting.default for name, setting in SETTINGS.items()}
    assert Course(tmp_path).classroom == tmp_path / "classroom"


def test_the_file_of_this_course_names_every_setting():
    """Whoever opens it sees what can be set, if only in a comment."""
    text = (ROOT / "course.toml").read_text("utf-8")
    assert all(name in text for name in SETTINGS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('book_ulr = "x"', "course.toml has no setting 'book_ulr': did you mean 'book_url'?"),
        ("zzz = 1", "course.toml has no setting 'zzz'; its settings are public_seed, book_url"),
        ("public_seed = 2027", "course.toml: public_seed must be text in quotes, not 2027"),
        ('attempts = "first"', 'course.toml: attempts must be one of "last", "best", not \'first\''),
        ("late_penalty_per_day = 10", "must be a share between 0 and 1"),
        ('course_id = "my course"', "course_id must be one word"),
        ('time_zone = "Berlin"', 'time_zone must be a time zone, such as "Europe/Berlin", not'),
        ('[due]\nsquares = "monday"', "due must be a table of topics and times"),
        ("classroom = ", "course.toml cannot be read: Invalid value (at end of document)"),
    ],
)
def test_a_wrong_setting_is_one_line_that_says_what_it_may_be(tmp_path, text, said):
    with pytest.raises(CourseError) as caught:
        _ = course_with(tmp_path, text).settings
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_left_in_pyproject_are_not_ignored_in_silence(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.dimred]\npublic_seed = "1"\n')
    with pytest.raises(CourseError, match=r"move them to course\.toml"):
        _ = Course(tmp_path).settings


def test_a_missing_public_seed_says_which_line_to_write(tmp_path):
    with pytest.raises(CourseError, match=r'write a line such as public_seed = "2027"'):
        _ = Course(tmp_path).public_seed


def test_the_environment_does_not_depend_on_the_settings():
    """Editing them must not install anything anew."""
    makefile = (ROOT / "Makefile").read_text("utf-8").splitlines()
    rules = [line for line in makefile if line.startswith(("$(COURSE):", "$(TESTS):"))]
    assert len(rules) == 2
    assert all("course.toml" not in rule for rule in rules)
    assert "[tool.dimred]" not in (ROOT / "pyproject.toml").read_text("utf-8")
