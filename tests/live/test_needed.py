"""What stands above a cell is run before it as far as the cell leans on it, and no further."""

import pytest

from autograder.live.dependencies import required_statements

GIVEN = "import numpy as np\nimport sympy as sp\nfrom autograder import check"


def test_a_library_that_a_cell_does_not_name_is_not_imported():
    assert required_statements([GIVEN], "def area(a):\n    return np.sum(a)") == "import numpy as np"


def test_what_is_needed_may_need_something_itself_and_keeps_its_order():
    before = [GIVEN, "p, q = sp.symbols('p q')", "half = p / 2", "unused = q"]
    assert required_statements(before, "half + 1").splitlines() == [
        "import sympy as sp",
        "p, q = sp.symbols('p q')",
        "half = p / 2",
    ]


@pytest.mark.parametrize(
    "change",
    ["a[0] = 5", "a += 1", "a.x = 2", "for i in range(3):\n    a = i", "a.sort()", "(a[0].append(1), b())"],
)
def test_a_statement_that_changes_a_thing_comes_with_it(change):
    assert required_statements(["a = [1, 2]", change], "a") == f"a = [1, 2]\n{change}"


def test_an_earlier_answer_that_is_not_python_yet_is_left_out():
    assert required_statements(["def area(:", "b = 2"], "area(b)") == "b = 2"


def test_random_numbers_are_drawn_in_the_order_of_the_page():
    before = [
        "rng = np.random.default_rng(1)",
        "first = rng.normal()",
        "second = rng.normal()",
        "third = rng.normal()",
    ]
    assert required_statements(before, "second").splitlines() == before[:3]
    assert required_statements(before, "first").splitlines() == before[:2]


def test_a_function_that_draws_moves_the_generator_when_it_is_called_and_not_when_it_is_defined():
    drawer = "def cloud():\n    return rng.normal()"
    before = ["rng = default_rng(1)", drawer, "unused = cloud()", "x = rng.normal()"]
    assert required_statements(before, "x").splitlines() == [before[0], *drawer.splitlines(), *before[2:]]
    assert required_statements([*before[:2], before[3]], "x").splitlines() == [before[0], before[3]]


def test_a_module_is_not_changed_by_what_it_draws():
    assert required_statements(["import figures", "figures.draw(1)"], "figures.draw(2)") == "import figures"


def test_a_function_may_name_what_is_defined_between_it_and_its_call():
    before = ["def f():\n    return g() + k", "def g():\n    return 1", "k = 2", "total = f()", "unused = 3"]
    assert required_statements(before, "total").splitlines() == "\n".join(before[:4]).splitlines()
    assert required_statements(before, "f()").splitlines() == "\n".join(before[:3]).splitlines()


def test_the_variables_of_a_function_are_its_own():
    before = ["X = 1", "def f(X):\n    y = [i for i in X]\n    return y", "y = 2", "i = 3"]
    assert required_statements(before, "f([4])") == before[1]


def test_a_name_is_of_the_page_where_a_function_inside_has_one_of_its_own():
    before = ["x = 1", "def f():\n    def g(x):\n        return x\n    return g(2) + x"]
    assert required_statements(before, "f()").splitlines()[:2] == ["x = 1", "def f():"]


def test_a_function_with_a_generator_of_its_own_does_not_move_that_of_the_page():
    own = "def cloud(seed):\n    rng = default_rng(seed)\n    return rng.normal()"
    before = ["rng = default_rng(1)", own, "unused = cloud(2)", "x = rng.normal()"]
    assert required_statements(before, "x").splitlines() == [before[0], before[3]]


def test_a_list_is_made_where_it_stands():
    before = ["X = [1]", "pairs = [[x + y for x in X] for y in X]", "X = [2]"]
    assert required_statements(before, "pairs").splitlines() == before[:2]


@pytest.mark.parametrize(
    "code",
    [
        "a = 1\nprint(a)",
        "rng, a = 1, 2\nf(a, rng)",
        "for a in (1, 2):\n    print(a)",
        "print([a for a in (1, 2) if a])",
        "if f:\n    a = 1\nelse:\n    a = 2\na",
        "import a\na.b",
        "def a():\n    return a()\na()",
        "def g(a):\n    return a\ng(1)",
        "f(key=lambda a: a)",
    ],
)
def test_what_a_cell_binds_itself_is_not_run_before_it(code):
    assert required_statements(["a = slow()", "f = print"], code) in ("f = print", "")


@pytest.mark.parametrize(
    "code",
    [
        "print(a)\na = 1",
        "a = a + 1",
        "a += 1",
        "a[0] = 1",
        "a.x = 1",
        "for i in range(0):\n    a = i\na",
        "if f:\n    a = 1\na",
        "for a in a:\n    pass",
        "[b for b in a for a in b]",
        "def g():\n    return a\na = 1",
        "with f as b:\n    a",
        "while f():\n    a = 1\na",
        "del a",
        "f(lambda: a)",
    ],
)
def test_what_a_cell_may_look_up_before_it_binds_it_is_run_before_it(code):
    assert "a = slow()" in required_statements(["a = slow()", "f = print"], code)


def test_a_cell_with_a_generator_of_its_own_draws_nothing_of_the_page():
    before = ["rng = default_rng(1)", "x = rng.normal()"]
    assert required_statements(before, "rng = default_rng(2)\nrng.normal()") == ""
    assert required_statements(before, "rng.normal()").splitlines() == before
