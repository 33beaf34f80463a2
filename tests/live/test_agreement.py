"""The browser's Python says of every known answer what this one says, in every field; a sample of the topics.

`python -m benchmarks.live agreement` compares all of them.
"""

import pytest

from autograder.book.live.packages import require_node
from autograder.book.live.runtime import python_folder
from autograder.errors import LiveError
from benchmarks.live import differences

SAMPLE = [
    "pca",
    "lle",
]  # code, formulas and numbers; on no answer of these does another library choose otherwise


@pytest.fixture(scope="module")
def found():
    try:
        require_node(), python_folder()
    except LiveError as error:
        pytest.skip(f"the files of live pages cannot be had: {error}")
    return differences(SAMPLE)


def test_every_known_answer_is_judged_the_same_in_the_browsers_python(found):
    judged, different = found
    assert judged > 200
    assert [one for one in different if not one.is_other_answer] == []


def test_no_answer_passes_here_and_fails_there(found):
    assert [one for one in found[1] if one.field == "passed"] == []
