"""Forms are forgiven: the same numbers in any container earn the same, in every kind of task."""

from collections import namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from autograder.answers.values import UnsupportedAnswerError, to_plain_data
from autograder.authoring.task import Task
from autograder.judging.check import verdict_on
from autograder.judging.forms import ExpectedForm, read_parts, split_parts
from autograder.judging.sameness import exactly, up_to_basis
from autograder.release.draw import task_key

Pair = namedtuple("Pair", "values vector")

NUMBERS = {
    "int": lambda x: int(x),
    "float": float,
    "0-d": np.array,
    "one entry": lambda x: np.array([x]),
    "(1, 1)": lambda x: np.array([[x]]),
    "list": lambda x: [x],
    "float32": np.float32,
    "float16": np.float16,
    "big-endian": lambda x: np.array(x, dtype=">f8"),
    "complex": lambda x: complex(x, 0.0),
    "Fraction": lambda x: Fraction(int(x * 4), 4),
    "Decimal": lambda x: Decimal(int(x)),
    "sympy": lambda x: sp.Integer(int(x)),
    "text": lambda x: f"{int(x) * 2}/2",
    "root": lambda x: f"sqrt({int(x) ** 2})",
}
VECTORS = {
    "list": list,
    "tuple": tuple,
    "(n, 1)": lambda v: np.array(v)[:, None],
    "(1, n)": lambda v: np.array(v)[None],
    "matrix": np.matrix,
    "column matrix": lambda v: np.matrix(v).T,
    "float32": lambda v: np.array(v, dtype=np.float32),
    "float16": lambda v: np.array(v, dtype=np.float16),
    "big-endian": lambda v: np.array(v, dtype=">f8"),
    "big-endian whole numbers": lambda v: np.array(v, dtype=">i4"),
    "complex": lambda v: np.array(v) + 0j,
    "complex list": lambda v: [complex(x) for x in v],
    "complex objects": lambda v: np.array([complex(x) for x in v], dtype=object),
    "every second": lambda v: np.repeat(v, 2)[::2],
    "reversed twice": lambda v: np.array(v)[::-1][::-1],
    "sympy column": sp.Matrix,
    "sympy row": lambda v: sp.Matrix([list(v)]),
    "read-only": lambda v: np.broadcast_to(np.array(v), (len(v),)),
    "texts": lambda v: [f"{x}/1" for x in v],
    "one text": lambda v: "[" + ", ".join(map(str, v)) + "]",
}
PAIRS = {
    "tuple": tuple,
    "list": list,
    "named tuple": lambda p: Pair(*p),
    "dict": lambda p: {"a": p[0], "b": p[1]},
}


def hand(answer, same=exactly):
    task = Task("hand", 1, 1, draw=dict, answer=lambda u: answer, see="eq-x", same=same)
    return task_key(task, {"printed": {"u": np.array([1.0, 2.0])}}, "salt")


def code(answer, same=exactly):
    task = Task("code", 1, 1, draw=dict, answer=lambda u: answer, see="eq-x", same=same)
    return task_key(task, {"a case": {"u": np.array([1.0, 2.0])}}, "salt")


@pytest.mark.parametrize("kind", [hand, code])
@pytest.mark.parametrize("form", NUMBERS)
def test_a_number_in_any_form_is_the_number(kind, form):
    key, given = kind(7.0), NUMBERS[form](7.0)
    assert verdict_on("t", key, given if kind is hand else lambda u: given).passed
    assert not verdict_on(
        "t", key, NUMBERS[form](8.0) if kind is hand else lambda u: NUMBERS[form](8.0)
    ).passed


@pytest.mark.parametrize("kind", [hand, code])
@pytest.mark.parametrize("form", VECTORS)
def test_a_vector_in_any_form_is_the_vector(kind, form):
    key, given, wrong = kind(np.array([3.0, -1.0, 2.0])), VECTORS[form]([3, -1, 2]), VECTORS[form]([3, 1, 2])
    assert verdict_on("t", key, given if kind is hand else lambda u: given).passed
    assert not verdict_on("t", key, wrong if kind is hand else lambda u: wrong).passed


THIRDS = np.arange(12.0).reshape(3, 4) / 3 - 1
TABLES = {
    "complex": lambda X: X + 0j,
    "big-endian": lambda X: X.astype(">f8"),
    "by columns": np.asfortranarray,
    "transposed twice": lambda X: np.ascontiguousarray(X.T).T,
    "backwards twice": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "out of a larger one": lambda X: np.pad(X, 2)[2:-2, 2:-2],
    "every second of another": lambda X: np.repeat(np.repeat(X, 2, 0), 3, 1)[::2, ::3],
    "big-endian by columns": lambda X: np.asfortranarray(X.astype(">f8")),
    "long doubles": lambda X: X.astype(np.longdouble),
}


@pytest.mark.parametrize("same", [exactly, up_to_basis], ids=lambda same: same.name)
@pytest.mark.parametrize("form", TABLES)
def test_a_table_in_any_form_is_the_table(form, same):
    key = code(THIRDS[:, :2], same)
    assert verdict_on("t", key, lambda u: TABLES[form](THIRDS[:, :2])).passed
    assert not verdict_on("t", key, lambda u: TABLES[form](THIRDS[:, :2] ** 2 + 1)).passed


@pytest.mark.parametrize(
    ("rounded", "how"),
    [
        (lambda x: np.round(x, 3), "rounded to 3 decimals"),
        (lambda x: np.trunc(1000 * x) / 1000, "cut to 3 decimals"),
        (lambda x: np.array([float(f"{entry:.4g}") for entry in x]), "rounded to 4 significant digits"),
        (np.round, "rounded to whole numbers"),
        (np.float16, "stored in half precision (float16, three digits)"),
        (lambda x: [np.float16(entry) for entry in x], "stored in half precision (float16, three digits)"),
    ],
)
def test_a_rounded_answer_is_refused_by_that_name(rounded, how):
    right = np.array([58.342649, 2 / 7, 12.3456789])
    verdict = verdict_on("t", code(right), lambda u: rounded(right))
    assert (verdict.fraction, verdict.message) == (0, f"Your answer is right, but {how}: return all digits.")


def test_an_answer_near_the_right_one_is_not_called_rounded():
    right = np.array([58.342649, 2 / 7, 12.3456789])
    assert "rounded" not in verdict_on("t", code(right), lambda u: np.round(right + 0.01, 3)).message


def test_noise_in_the_imaginary_part_of_zero_is_noise():
    assert verdict_on("t", code(np.zeros(3)), lambda u: np.zeros(3) + 1e-17j).passed
    assert not verdict_on("t", code(np.zeros(3)), lambda u: np.zeros(3) + 1e-3j).passed


def test_whole_numbers_that_need_64_bits_keep_their_sign():
    assert to_plain_data(np.array([2**63 + 5], dtype=np.uint64))[0] > 0


@pytest.mark.parametrize("kind", [hand, code])
@pytest.mark.parametrize("form", PAIRS)
def test_parts_in_any_container_are_the_parts(kind, form):
    key = kind((2.0, np.array([1.0, 5.0])), (exactly, exactly))
    given = PAIRS[form]((2, [1, 5]))
    assert verdict_on("t", key, given if kind is hand else lambda u: given).passed


def test_what_eigh_returns_may_be_returned_as_it_is():
    A = np.diag([1.0, 4.0])
    key = code((np.array([1.0, 4.0]), np.eye(2)), (exactly, up_to_basis))
    assert verdict_on("t", key, lambda u: np.linalg.eigh(A)).passed


def test_several_numbers_may_be_typed_as_one_text():
    key = hand((1.5, 2.0, -3.0), (exactly, exactly, exactly))
    for given in (
        "3/2, 2, -3",
        "(3/2, 2, -3)",
        [1.5, 2, -3],
        np.array([[1.5], [2], [-3]]),
        sp.Matrix([1.5, 2, -3]),
        ([1.5, 2], -3),
        (1.5, np.array([2, -3])),
    ):
        assert verdict_on("t", key, given).passed, given


def test_a_basis_may_be_one_flat_vector():
    key = code(np.array([[1.0], [2.0]]), up_to_basis)
    assert verdict_on("t", key, lambda u: [2, 4]).passed


@pytest.mark.parametrize("kind", [hand, code])
def test_where_form_is_the_point_nothing_is_forgiven(kind):
    from dataclasses import replace

    key = replace(kind(np.array([1.0, 2.0])), exact_form=True)
    column = np.array([[1.0], [2.0]])
    verdict = verdict_on("t", key, column if kind is hand else lambda u: column)
    assert not verdict.passed
    assert "should be a list of 2 numbers" in verdict.message


@pytest.mark.parametrize("ragged", [[[1, 2], [3]], ["a", ["b", "c"]], [1, [2]], [[1], 2]])
def test_a_ragged_answer_is_told_so_and_breaks_nothing(ragged):
    with pytest.raises(UnsupportedAnswerError):
        read_parts(to_plain_data(ragged), ExpectedForm(((2,),)))


def test_a_transposed_table_is_called_transposed():
    key = code(np.arange(6.0).reshape(2, 3))
    assert "transposed" in verdict_on("t", key, lambda u: np.arange(6.0).reshape(2, 3).T).message


@pytest.mark.parametrize("number", [2, 3])
def test_the_number_of_parts_is_told(number):
    with pytest.raises(UnsupportedAnswerError, match=f"should have {number} parts"):
        split_parts([1.0] * 5, number)


FORMULAS = [
    "Max(a, b)", sp.Max(*sp.symbols("a b")), "Piecewise((a, a > b), (b, True))", "(a + b + Abs(a - b))/2",
    sp.Piecewise((sp.Symbol("a"), sp.Symbol("a") > sp.Symbol("b")), (sp.Symbol("b"), True)), "max(a, b)",
]  # fmt: skip


@pytest.mark.parametrize("given", FORMULAS, ids=str)
def test_everything_that_has_real_values_is_a_formula(given):
    task = Task("sym", 1, 1, draw=dict, answer=np.maximum, see="eq-x")
    points = {"a": np.array([1.0, -2.0, 3.5]), "b": np.array([2.0, -4.0, 3.0])}
    assert verdict_on("t", task_key(task, {"at points": points}, "salt"), given).passed


@pytest.mark.parametrize(
    ("typed", "shape", "expected"),
    [
        ("[1 -2]", (2,), [1, -2]),
        ("[[1 -2]\n [3  4]]", (2, 2), [[1, -2], [3, 4]]),
        ("1 - 2", (), -1),
        ("1 + 2 -3", (), 0),
        ("2 sqrt(4)", (), 4),
        ("(1,2)/sqrt(4)", (2,), [0.5, 1]),
        ("-2*(1, 2)^T", (2,), [-2, -4]),
        ("[[1, 2], [3, 4]]ᵀ", (2, 2), [[1, 3], [2, 4]]),
        ("3 1/2", (), 3.5),
        ("−3 1/2", (), -3.5),
        ("1 000 000.5", (), 1000000.5),
        ("3 1/2", (2,), [3, 0.5]),
        ("100 200", (2,), [100, 200]),
    ],
)
def test_numbers_are_read_as_people_type_them(typed, shape, expected):
    (part,) = read_parts(typed, ExpectedForm((shape,)))
    np.testing.assert_allclose(part, expected)


@pytest.mark.parametrize("typed", ["1e", "[1, 2E-]", "-.5e+"])
def test_a_number_without_its_exponent_is_asked_about(typed):
    with pytest.raises(ValueError, match="has no exponent"):
        read_parts(typed, ExpectedForm(((),)))


def test_a_factor_of_a_long_list_must_be_short():
    """Each entry repeats it: the work would grow with the product of both lengths."""
    typed = f"({', '.join('1' * 100)})*({'+'.join('1' * 100)})"
    with pytest.raises(ValueError, match="cannot stand in a formula"):
        read_parts(typed, ExpectedForm(((100,),)))
