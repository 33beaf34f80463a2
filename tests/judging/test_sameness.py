"""Does each sameness ignore its freedom, and nothing more?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import sameness as s
from autograder.judging.key import round_values


def rotation(rng, size):
    return np.linalg.qr(rng.normal(size=(size, size)))[0]


def column_signs(rng, Y):
    return Y * rng.choice([-1.0, 1.0], size=Y.shape[1])


# one line per sameness: (sameness, an answer, what it must forgive, what it must not)
TABLE = [
    (s.exactly, lambda r: r.normal(size=(5, 2)), lambda r, Y: Y.copy(), lambda r, Y: -Y),
    (s.up_to_sign, lambda r: r.normal(size=4), lambda r, v: -v, lambda r, v: v[::-1] * 1.01),
    (
        s.up_to_column_signs,
        lambda r: r.normal(size=(5, 3)),
        column_signs,
        lambda r, Y: Y[:, ::-1],
    ),
    (s.up_to_direction, lambda r: r.normal(size=4), lambda r, v: -3.7 * v, lambda r, v: v + 0.1),
    (
        s.up_to_basis,
        lambda r: r.normal(size=(6, 2)),
        lambda r, V: V @ r.normal(size=(2, 2)),
        lambda r, V: V + 0.1 * r.normal(size=V.shape),
    ),
    (
        s.up_to_rotation,
        lambda r: r.normal(size=(6, 2)),
        lambda r, Y: Y @ rotation(r, 2),
        lambda r, Y: Y + 1.0,
    ),
    (
        s.up_to_rigid_motion,
        lambda r: r.normal(size=(6, 2)),
        lambda r, Y: Y @ rotation(r, 2) + r.normal(size=2),
        lambda r, Y: 1.01 * Y,
    ),
    (s.up_to_order, lambda r: r.normal(size=6), lambda r, v: r.permutation(v), lambda r, v: -v),
    (
        s.up_to_row_order,
        lambda r: r.normal(size=(6, 2)),
        lambda r, Y: r.permutation(Y),
        lambda r, Y: Y[:, ::-1],
    ),
    (s.up_to_absolute_value, lambda r: r.normal(size=4), lambda r, v: -v, lambda r, v: v + 0.1),
]
NAMES = [row[0].name for row in TABLE]


def test_every_sameness_is_in_the_table():
    assert sorted(NAMES) == sorted(s.SAMENESSES)


@pytest.mark.parametrize(("same", "answer", "forgiven", "wrong"), TABLE, ids=NAMES)
@given(seed=st.integers(0, 2**32 - 1))
def test_its_freedom_is_forgiven(same, answer, forgiven, wrong, seed):
    rng = np.random.default_rng(seed)
    Y = answer(rng)
    assert s.discrepancy(forgiven(rng, Y), Y, same) < 1e-7


@pytest.mark.parametrize(("same", "answer", "forgiven", "wrong"), TABLE, ids=NAMES)
@given(seed=st.integers(0, 2**32 - 1))
def test_nothing_else_is_forgiven(same, answer, forgiven, wrong, seed):
    rng = np.random.default_rng(seed)
    Y = answer(rng)
    assert s.discrepancy(wrong(rng, Y), Y, same) > 1e-4


@pytest.mark.parametrize(("same", "answer", "forgiven", "wrong"), TABLE, ids=NAMES)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_a_key_writes_down_is_one_of_the_same_answers(same, answer, forgiven, wrong, seed):
    rng = np.random.default_rng(seed)
    Y = answer(rng)
    assert s.discrepancy(same.representative(Y), Y, same) < 1e-12


@pytest.mark.parametrize("same", [s.up_to_sign, s.up_to_column_signs], ids=lambda same: same.name)
def test_a_flipped_answer_is_written_down_with_the_same_bytes(same):
    Y = np.random.default_rng(0).normal(size=(5, 3) if same.axes == 2 else 5)
    np.testing.assert_array_equal(same.representative(-Y), same.representative(Y))


@pytest.mark.parametrize("shape", [(5, 2), (4, 4), (2, 5), (3, 0)])
def test_another_basis_is_written_down_with_the_same_bytes(shape):
    rng = np.random.default_rng(0)
    V = rng.normal(size=shape)
    written = s.up_to_basis.representative(V)
    other = s.up_to_basis.representative(V @ rng.normal(size=(shape[1], shape[1])))
    assert written.shape == shape
    np.testing.assert_array_equal(round_values(other, 10), round_values(written, 10))


@pytest.mark.parametrize("turn", [0.1, 0.7, 2.0])
def test_a_coordinate_plane_is_written_down_by_its_axes(turn):
    V = np.vstack([np.zeros((1, 2)), [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]])
    np.testing.assert_array_equal(round_values(s.up_to_basis.representative(V), 10), [[0, 0], [1, 0], [0, 1]])


@pytest.mark.parametrize(
    "answer", [np.ones(3), np.ones((2, 1)), np.ones((1, 2)), np.array([1.0, np.nan]), np.array([1.0, np.inf])]
)
def test_an_answer_of_another_form_or_without_numbers_is_infinitely_far(answer):
    assert s.discrepancy(answer, np.ones(2), s.exactly) == np.inf


def test_where_zero_is_expected_the_inputs_say_what_is_small():
    assert s.discrepancy(np.array(1e-9), np.array(0.0), s.exactly, zero_scale=1.0) == pytest.approx(1e-9)
    assert s.discrepancy(np.array(1e-9), np.array(0.0), s.exactly, zero_scale=1e3) == pytest.approx(1e-12)


def test_the_zero_vector_has_no_direction():
    with pytest.raises(UnsupportedAnswerError, match="zero vector"):
        s.discrepancy(np.zeros(2), np.ones(2), s.up_to_direction)


def test_columns_too_many_are_no_basis():
    """A projector spans the right space and holds dependent columns; so does a zero matrix for the zero space."""
    V = np.linalg.qr(np.random.default_rng(3).normal(size=(5, 2)))[0]
    assert s.discrepancy(V @ V.T, V, s.up_to_basis) > 0.1
    assert s.discrepancy(np.hstack([V, V[:, :1]]), V, s.up_to_basis) > 0.1
    assert s.discrepancy(np.zeros((5, 5)), np.zeros((5, 0)), s.up_to_basis) > 0.1
    assert s.discrepancy(V @ [[2.0, 1.0], [0.0, 3.0]], V, s.up_to_basis) < 1e-12
