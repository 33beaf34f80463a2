"""Files that the engine writes say their version, keep to their schema, and are refused in one line if of another."""

import json

import jsonschema
import pytest

from autograder import formats
from autograder.errors import FormatError
from autograder.judging.key import Key, dump_key
from autograder.release.practice import practice_data, practice_json
from tests.conftest import ROOT
from tests.judging import structured_tasks
from tests.judging.test_structures import key_of
from tests.test_cli import dimred

GUIDE = ROOT / "book" / "instructor_formats.md"


def errors(kind, tree):
    """Violations of a file's schema."""
    validator = jsonschema.Draft202012Validator(kind.schema())
    return [
        f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in validator.iter_errors(tree)
    ]


@pytest.mark.parametrize("kind", formats.ALL_FORMATS, ids=lambda kind: kind.name)
def test_a_schema_is_one_and_is_explained_in_the_guide(kind):
    jsonschema.Draft202012Validator.check_schema(kind.schema())
    words = GUIDE.read_text("utf-8")
    assert f"`{kind.name}`" in words
    assert {name for name in kind.schema()["properties"] if f"`{name}`" not in words} == set()


@pytest.mark.parametrize("kind", formats.ALL_FORMATS, ids=lambda kind: kind.name)
def test_older_versions_are_read_and_all_others_refused_in_one_line(kind):
    for version in kind.readable:
        kind.require_readable({"format": version} if version else {}, "f.json")
    for tree in (
        {"format": kind.version + 1},
        {"format": -1},
        {"format": "1"},
        {"format": True},
        [],
        None,
        "x",
    ):
        with pytest.raises(FormatError, match=r"f\.json") as refused:
            kind.require_readable(tree, "f.json")
        assert "\n" not in str(refused.value)
    with pytest.raises(FormatError, match="newer version"):
        kind.require_readable({"format": kind.version + 1}, "f.json")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "exercises").glob("*/*.key.json"))[:3], ids=lambda path: path.name
)
def test_keys_of_the_course_keep_to_the_schema_and_to_the_version_of_arrays(path):
    tree = json.loads(path.read_text("utf-8"))
    assert tree["format"] == 3
    assert errors(formats.KEY, tree) == []


def test_a_key_with_other_answers_than_arrays_has_a_later_version_and_keeps_to_the_schema():
    for builder in structured_tasks.TASKS:
        tree = json.loads(dump_key(Key("t", "seed", {builder.name: key_of(builder)})))
        assert tree["format"] == 4
        assert errors(formats.KEY, tree) == []
    (task,) = tree["tasks"].values()
    task["cases"][0]["inputs"]["names"] = {"pickle": "x"}
    assert errors(formats.KEY, tree)


def test_what_a_class_leaves_behind_keeps_to_the_schemas(released_course):
    course = released_course
    certificate = json.loads(course.paths.certificate("squares").read_text("utf-8"))
    assert errors(formats.CERTIFICATE, certificate) == []
    assert (
        errors(formats.PRACTICE, json.loads(practice_json(practice_data(course, "squares", "by_hand", 2))))
        == []
    )


def test_a_certificate_of_a_newer_version_stops_a_release_in_one_line(classroom):
    path = classroom.paths.certificate("squares")
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "format": 99}), "utf-8")
    code, _, error = dimred(classroom, "regenerate")
    assert code
    assert "squares.certificate.json has certificate format 99, made by a newer version" in error
    assert "Traceback" not in error
