"""What stands above a cell is run before it as far as the cell leans on it, and no further."""

import pytest

from autograder.browser.needed import needed

GIVEN = "import numpy as np\nimport sympy as sp\nfrom autograder import check"


def test_a_library_that_a_cell_does_not_name_is_not_imported():
    assert needed([GIVEN], "def area(a):\n    return np.sum(a)") == "import numpy as np"


def test_what_is_needed_may_need_something_itself_and_keeps_its_order():
    before = [GIVEN, "p, q = sp.symbols('p q')", "half = p / 2", "unused = q"]
    assert needed(before, "half + 1").splitlines() == [
        "import sympy as sp",
        "p, q = sp.symbols('p q')",
        "half = p / 2",
    ]


@pytest.mark.parametrize("change", ["a[0] = 5", "a += 1", "a.x = 2", "for i in range(3):\n    a = i"])
def test_a_statement_that_changes_a_thing_comes_with_it(change):
    assert needed(["a = [1, 2]", change], "a") == f"a = [1, 2]\n{change}"


def test_an_earlier_answer_that_is_not_python_yet_is_left_out():
    assert needed(["def area(:", "b = 2"], "area(b)") == "b = 2"
