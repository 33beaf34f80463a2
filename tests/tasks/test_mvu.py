"""The exercises on unfolding: right answers pass in any honest form, and the numbers are those of the program."""

import functools

import numpy as np
import pytest
import sympy as sp

from autograder.judging.check import verdict_on
from dimred_ref.mvu import certify_gram, certify_mvu, exact_mvu_small, mvu_on_graph
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("mvu")


def path_edges(n_points):
    return np.column_stack([np.arange(n_points - 1), np.arange(1, n_points)])


@every_seed
def test_the_solver_finds_the_multipliers_of_a_chain(seed):
    task, key = drawn("chain_tensions", seed)
    (lengths,) = numbers_of(key)
    n_points = len(lengths) + 1
    found = mvu_on_graph(path_edges(n_points), lengths**2, 1, n_points=n_points)
    np.testing.assert_allclose(found.multipliers, task.answer(lengths), rtol=1e-3)


@every_seed
def test_no_map_is_wider_than_its_dual_bound(seed):
    """A map that breaks no string bounds the trace from below, tensions bound it from above."""
    task, key = drawn("shrunk_map", seed)
    bound = drawn("dual_bound", seed)[0].answer
    for case in key.cases:
        Y, edges, squared = case.inputs.values()
        Z, trace = task.answer(Y, edges, squared)
        apart = ((Z[edges[:, 0]] - Z[edges[:, 1]]) ** 2).sum(axis=1)
        assert np.max(apart / squared) == pytest.approx(1)
        assert trace <= bound(edges, squared, np.ones(len(edges)))


@every_seed
def test_the_multipliers_of_the_key_prove_the_straight_chain(seed):
    task, key = drawn("chain_tensions", seed)
    (lengths,) = numbers_of(key)
    p = np.append(0, np.cumsum(lengths))
    y = (p - p.mean())[:, None]
    assert certify_mvu(y, path_edges(5), lengths**2, task.answer(lengths)).proves_optimality()


@pytest.mark.parametrize("q", [3.2, 3.5, 3.75])
def test_a_solver_with_rods_finds_the_trace_and_the_pressure(q):
    task, _ = drawn("rod_under_pressure", "seed 0")
    arms = [[0, 1], [0, 2], [0, 3], [1, 2]]
    found = exact_mvu_small(arms, [1, 1, 1, q], 2, n_points=4)
    np.testing.assert_allclose(
        task.answer(np.array([q]))[0], [found.objective, found.multipliers[3]], atol=1e-3
    )


@every_seed
def test_the_unfolded_wire_is_feasible_and_as_wide_as_the_solver_finds(seed):
    task, key = drawn("unfold_wire", seed)
    for case in key.cases:
        X = case.inputs["X"]
        squared = np.sum(np.diff(X, axis=0) ** 2, axis=1)
        K = task.answer(X)
        found = mvu_on_graph(path_edges(len(X)), squared, 1, n_points=len(X))
        proof = certify_gram(K, path_edges(len(X)), squared, found.multipliers)
        assert np.trace(K) == pytest.approx(found.certificate.objective, rel=1e-5)
        assert proof.gap < 1e-4


@every_seed
def test_the_bound_lies_above_the_widest_unfolding_and_does_not_change_with_the_unit_of_tension(seed):
    task, key = drawn("dual_bound", seed)
    for case in key.cases:
        edges, squared, w = case.inputs.values()
        widest = mvu_on_graph(edges, squared, 2, n_points=edges.max() + 1).certificate.objective
        assert widest <= task.answer(edges, squared, w) * (1 + 1e-6)
        assert task.answer(edges, squared, 7 * w) == pytest.approx(task.answer(edges, squared, w))


@every_seed
def test_situations_of_the_audit_are_what_their_names_say(seed):
    task, key = drawn("audit", seed)
    slack, moved, indefinite, tiny = (task.answer(*case.inputs.values()) for case in key.cases)
    assert slack[3] < 0
    assert slack[1:3] == pytest.approx((0, 0), abs=1e-9)
    assert moved[1] > 1
    assert indefinite[2] < -1e-3
    assert -1e-4 < tiny[2] < 0


@every_seed
def test_a_tuple_a_list_and_an_array_of_four_numbers_pass(seed):
    task, key = drawn("audit", seed)
    for form in (list, np.array, tuple):
        assert verdict_on("", key, lambda *inputs, form=form: form(task.answer(*inputs))).passed


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    p, q, t = sp.symbols("p q t", real=True)
    y = sp.Matrix([p + t, q + t, t - p - q])
    K = y * y.T
    spread = sum((a - b) ** 2 for a in y for b in y) / 6
    c = sp.sqrt(q) / 2  # half of the chord
    points = sp.Matrix([[0, 0], [c, sp.sqrt(1 - c**2)], [-c, sp.sqrt(1 - c**2)], [0, -1]])
    mean = sp.Matrix([[sum(points[:, 0]) / 4, sum(points[:, 1]) / 4]])
    centred = points - sp.ones(4, 1) * mean
    trace = sum(entry**2 for entry in centred)
    return {
        "moved_away": ([sum(K), K.trace(), spread], [sum(K), K.trace(), 2 * spread], "forgot_the_half"),
        "rod_under_pressure": ([trace, sp.diff(trace, q)], [trace, -sp.diff(trace, q)], "lost_the_sign"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("shrunk_map", "took_the_average", 1 / 2),
    ("shrunk_map", "only_shrank", 2 / 3),
    ("shrunk_map", "left_the_centre", 0),
    ("audit", "took_the_entries_for_the_spectrum", 3 / 4),
    ("audit", "took_rods_for_strings", 3 / 4),
    ("audit", "clipped_the_excess", 13 / 16),
    ("audit", "took_the_smallest_modulus", 13 / 16),
    ("unfold_wire", "kept_the_bend", 0),
    ("dual_bound", "left_the_tensions_as_they_are", 0),
]
