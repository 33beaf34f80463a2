"""Only plain data travels: exact types, bounded sizes, nothing evaluated."""

import json
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.answers.attempt import value
from autograder.answers.values import Expression, UnsupportedAnswerError, decode, encode, to_plain_data

leaves = (
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=4), elements=st.floats(-1e9, 1e9))
)
names = (
    st.text(max_size=5) | st.integers(-(2**59), 2**59) | st.tuples(st.text(max_size=3), st.integers(-9, 9))
)
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(names, inner, max_size=3)
        | st.frozensets(names, max_size=3)
    ),
    max_leaves=8,
)


def assert_same(one, other):
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_same(left, right)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        assert_same(list(one.values()), list(other.values()))
    else:
        assert one == other


@given(trees, st.booleans())
def test_plain_data_survives_the_journey(tree, readable):
    assert_same(
        decode(json.loads(json.dumps(encode(to_plain_data(tree), readable=readable)))), to_plain_data(tree)
    )


class Agreeable:
    """An object that claims to be equal to everything."""

    def __eq__(self, other):
        return True

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)

    __hash__ = None


class Subclass(np.ndarray):
    pass


class Liar(float):
    pass


def boxed(thing):
    array = np.empty(1, dtype=object)
    array[0] = thing
    return array


@pytest.mark.parametrize(
    "thing",
    [
        Agreeable(),
        np.ma.masked_array([1.0, 2.0], mask=[True, False]),
        np.datetime64("2027-01-01"),
        {b"bytes"},
        (x for x in [1]),
        {frozenset(): 2},
        {2**70: 1},
        1j,
        np.array([1j]),
        boxed(Agreeable()),
        b"bytes",
        lambda: 3,
        "half \ud800",
        {"half \udfff": 1.0},
        10**400,
        "x" * 30_000,
        [0] * 20_000,
        sp.Symbol,
        sp.true,
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_merely_acts_like_an_answer_is_refused(thing):
    with pytest.raises(UnsupportedAnswerError):
        to_plain_data(thing)


def test_an_object_that_raises_when_looked_at_is_only_a_wrong_form():
    class Trap:
        @property
        def __module__(self):
            raise RuntimeError("no")

    attempt = value(Trap())
    assert attempt.problem == "wrong form"


@pytest.mark.parametrize(
    ("given_answer", "plain_answer"),
    [
        (Fraction(1, 4), 0.25),
        (np.float32(0.5), 0.5),
        (np.int8(3), 3),
        (sp.Rational(1, 4), Expression("1/4")),
        (sp.sqrt(2) * sp.Symbol("a"), Expression("sqrt(2)*a")),
        (sp.Matrix([1, 2]), [[Expression("1")], [Expression("2")]]),
        (sp.Matrix([[1, 2]]), [[Expression("1"), Expression("2")]]),
        (np.array([sp.Integer(1)], dtype=object), [Expression("1")]),
    ],
    ids=str,
)
def test_ordinary_ways_of_writing_numbers_are_read(given_answer, plain_answer):
    assert to_plain_data(given_answer) == plain_answer


@pytest.mark.parametrize(
    "message",
    [
        {"array": "|O", "shape": [1], "data": ""},
        {"array": "<f8", "shape": [2], "data": "AAAA"},
        {"array": "<f8", "shape": [-1, 10**9], "data": ""},
        {"array": "<f8", "shape": [1], "rows": [["x"]]},
        {"unknown": 1},
        {"tuple": 3},
        {"dict": [1]},
        {"float": "not a number"},
        {"expression": "a + \ud800"},
        {"dict": {"\ud800": 1.0}},
    ],
    ids=str,
)
def test_a_damaged_message_is_refused(message):
    with pytest.raises(UnsupportedAnswerError):
        decode(message)


def test_nesting_has_an_end():
    deep: list = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(UnsupportedAnswerError, match="deep"):
        to_plain_data(deep)
    with pytest.raises(UnsupportedAnswerError, match="deep"):
        decode(deep)
