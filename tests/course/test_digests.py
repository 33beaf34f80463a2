"""Digests of programs: what they depend on changes them, and nothing else."""

import pytest

from autograder.course.digests import Program, files_digest, program_digest, read_record
from autograder.errors import CourseError

PROGRAM = '''"""What it is for."""

import helper


def area(side):
    """Return the area."""
    # a comment
    text = """first
# no comment
"""
    return helper.square(side), text
'''


@pytest.fixture
def program(tmp_path):
    (tmp_path / "main.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "helper.py").write_text(
        "def square(x):\n    from later import power\n    return power(x, 2)\n"
    )
    (tmp_path / "later.py").write_text("def power(x, n):\n    return x**n\n")
    (tmp_path / "other.py").write_text("UNUSED = 1\n")
    return tmp_path


def digest(folder):
    return program_digest([folder / "main.py"], folder)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("main.py", "What it is for.", "Another sentence."),
        ("main.py", "Return the area.", "Another sentence,\n    on two lines."),
        ("main.py", "    # a comment\n", "\n\n"),
        ("other.py", "1", "2"),
    ],
)
def test_words_and_strangers_do_not_change_a_digest(program, name, old, new):
    before = digest(program)
    path = program / name
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert digest(program) == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("main.py", "square(side)", "square(2 * side)"),
        ("main.py", "# no comment", "# another text"),
        ("helper.py", "2)", "3)"),
        ("later.py", "x**n", "n**x"),
    ],
)
def test_programs_and_their_imports_change_a_digest(program, name, old, new):
    before = digest(program)
    path = program / name
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert digest(program) != before


def test_a_docstring_beside_code_counts():
    assert Program('def f(): "words"; return 1\n').text != Program('def f(): "others"; return 1\n').text


def test_a_file_that_is_no_python_is_one_line(program):
    (program / "helper.py").write_text("def square(:\n")
    with pytest.raises(CourseError, match=r"helper\.py cannot be read as Python: SyntaxError"):
        digest(program)


def test_files_count_with_name_and_bytes(tmp_path):
    paths = [tmp_path / name for name in "ab"]
    digests = [files_digest(tmp_path, paths)]
    for path, text in ((paths[0], "x"), (paths[1], "x"), (paths[0], "y")):
        path.write_text(text)
        digests.append(files_digest(tmp_path, paths))
    paths[0].rename(tmp_path / "c")
    digests.append(files_digest(tmp_path, [tmp_path / "c", paths[1]]))
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("text", ["", '{"engine": "a', "[]", "\x00"])
def test_a_damaged_record_says_nothing(tmp_path, text):
    (tmp_path / "record.json").write_text(text)
    assert read_record(tmp_path / "record.json") == {}
    assert read_record(tmp_path / "missing.json") == {}
