"""What stands above a cell is run before it as far as the cell leans on it, and no further."""

import pytest

from autograder.live.needed import needed

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


@pytest.mark.parametrize(
    "change",
    ["a[0] = 5", "a += 1", "a.x = 2", "for i in range(3):\n    a = i", "a.sort()", "(a[0].append(1), b())"],
)
def test_a_statement_that_changes_a_thing_comes_with_it(change):
    assert needed(["a = [1, 2]", change], "a") == f"a = [1, 2]\n{change}"


def test_an_earlier_answer_that_is_not_python_yet_is_left_out():
    assert needed(["def area(:", "b = 2"], "area(b)") == "b = 2"


def test_random_numbers_are_drawn_in_the_order_of_the_page():
    before = [
        "rng = np.random.default_rng(1)",
        "first = rng.normal()",
        "second = rng.normal()",
        "third = rng.normal()",
    ]
    assert needed(before, "second").splitlines() == before[:3]
    assert needed(before, "first").splitlines() == before[:2]


def test_a_function_that_draws_moves_the_generator_when_it_is_called_and_not_when_it_is_defined():
    drawer = "def cloud():\n    return rng.normal()"
    before = ["rng = default_rng(1)", drawer, "unused = cloud()", "x = rng.normal()"]
    assert needed(before, "x").splitlines() == [before[0], *drawer.splitlines(), *before[2:]]
    assert needed([*before[:2], before[3]], "x").splitlines() == [before[0], before[3]]


def test_a_module_is_not_changed_by_what_it_draws():
    assert needed(["import figures", "figures.draw(1)"], "figures.draw(2)") == "import figures"
