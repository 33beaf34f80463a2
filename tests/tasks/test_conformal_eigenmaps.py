"""The exercises on conformal eigenmaps: right answers pass in any honest form, and the numbers are true."""

import functools
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import pdist

from autograder.judging.check import verdict_on
from dimred_ref.conformal_eigenmaps import conformal_cost, conformal_map
from solutions.conformal_eigenmaps.stretched_square import OTHERS, SQUARE
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("conformal_eigenmaps")


@every_seed
def test_no_other_scale_leaves_less(seed):
    task, key = drawn("best_scale", seed)
    a, b = numbers_of(key)
    found = minimize_scalar(lambda s: np.sum((a - s * b) ** 2))
    assert task.answer(a, b) == pytest.approx((found.x, found.fun), rel=1e-6)
    scale = Fraction(int(a @ b), int(b @ b))
    assert verdict_on(
        "", key, (scale, sum((int(p) - scale * int(q)) ** 2 for p, q in zip(a, b, strict=True)))
    ).passed


@every_seed
def test_the_lists_are_squared_sides_of_triangles(seed):
    _, key = drawn("best_scale", seed)
    for sides in map(np.sqrt, numbers_of(key)):
        assert 2 * sides.max() < sides.sum()


@every_seed
def test_a_convex_quadratic_with_this_slope_is_nowhere_lower_than_the_gap_says(seed):
    task, key = drawn("proved_gap", seed)
    G, T = numbers_of(key)
    cost, gap = task.answer(G, T)
    P = T / np.trace(T)
    assert np.linalg.eigvalsh(P)[0] > 0
    # the cost ⟨G, Q⟩²/(4𝒟) is convex and quadratic, and has the slope G and the value 𝒟 at P
    for angle in np.linspace(0, np.pi, 50):
        corner = np.outer(*[[np.cos(angle), np.sin(angle)]] * 2)
        assert np.sum(G * corner) ** 2 / (4 * cost) >= cost - gap - 1e-9


@pytest.mark.parametrize("c", [1.3, 2.0, 2.5])
def test_the_solver_undoes_the_stretch(c):
    task, _ = drawn("stretched_square", "seed 0")
    found = conformal_map(SQUARE * [c, 1], SQUARE, 2, neighbors=OTHERS)
    cost, best, gap = (float(part[0]) for part in task.answer(np.array([c])))
    assert found.metric[0, 0] == pytest.approx(best, abs=1e-5)
    assert conformal_cost(SQUARE * [c, 1] / np.sqrt(2), SQUARE, OTHERS) == pytest.approx(cost)
    assert gap >= cost


@every_seed
def test_an_enlarged_copy_has_one_scale_and_its_square(seed):
    task, key = drawn("local_scales", seed)
    [copy] = [case for case in key.cases if case.name == "an enlarged copy"]
    Z, X, neighbors = copy.inputs.values()
    ratio = (pdist(Z) / pdist(X))[0]
    np.testing.assert_allclose(task.answer(Z, X, neighbors), ratio**2)


@every_seed
def test_turned_and_moved_outputs_cost_the_same(seed):
    task, key = drawn("angle_cost", seed)

    def after_a_motion(Z, X, neighbors):
        turn = np.linalg.qr(np.vander(np.arange(1.0, Z.shape[1] + 1)) + 1)[0]
        return task.answer(Z @ turn + 3, X, neighbors)

    assert verdict_on("", key, after_a_motion).passed


@every_seed
def test_signs_of_axes_are_free_and_their_order_is_not(seed):
    task, key = drawn("outputs_of", seed)
    flipped = lambda P, Y, d: (task.answer(P, Y, d)[0] * [-1, 1][:d], task.answer(P, Y, d)[1])  # noqa: E731
    assert verdict_on("", key, flipped).passed
    turned = lambda P, Y, d: (task.answer(P, Y, d)[0][:, ::-1], task.answer(P, Y, d)[1])  # noqa: E731
    assert not verdict_on("", key, turned).passed


@every_seed
def test_outputs_have_the_inner_products_that_the_matrix_prescribes(seed):
    task, key = drawn("outputs_of", seed)
    for case in key.cases:
        P, Y, _ = case.inputs.values()
        Z, dropped = task.answer(P, Y, len(P))
        np.testing.assert_allclose(Z @ Z.T, Y @ P @ Y.T, atol=1e-9)
        assert dropped == 0
        assert np.trace(P) == pytest.approx(1)


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    u, v, k = sp.symbols("u v k", real=True)
    c = sp.symbols("c", positive=True)
    F = sp.Matrix([sp.exp(u) * sp.cos(v + k * u), sp.exp(u) * sp.sin(v + k * u)])
    J = F.jacobian([u, v])
    metric, outer = J.T * J, J * J.T
    p, q = sp.symbols("p q")
    cost = 0
    for corner in range(4):
        pairs = [(j, other) for j in range(4) for other in range(4) if corner not in (j, other)]
        sides = [sp.Matrix(np.rint(SQUARE[j] - SQUARE[other]).astype(int).tolist()) for j, other in pairs]
        a = [p * (c * side[0]) ** 2 + q * side[1] ** 2 for side in sides]
        b = [side.dot(side) for side in sides]
        scale = sum(x * y for x, y in zip(a, b, strict=True)) / sum(y * y for y in b)
        cost += sum((x - scale * y) ** 2 for x, y in zip(a, b, strict=True))
    half = {p: sp.Rational(1, 2), q: sp.Rational(1, 2)}
    at_half = cost.subs(half)
    best = sp.solve(sp.diff(cost.subs(q, 1 - p), p), p)[0]
    gap = 2 * at_half - sp.diff(cost, q).subs(half)
    return {
        "spiral_metric": (
            [metric[0, 0], metric[0, 1], metric[1, 1]],
            [outer[0, 0], outer[0, 1], outer[1, 1]],
            "multiplied_the_other_way",
        ),
        "stretched_square": ([at_half, best, gap], [at_half, 1 / c**2, gap], "forgot_the_trace"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("best_scale", "scaled_the_lengths", 1 / 2),
    ("proved_gap", "forgot_that_the_cost_is_quadratic", 1 / 2),
    ("local_scales", "divided_the_sums", 1 / 5),
    ("local_scales", "left_the_point_out", 4 / 5),
    ("local_scales", "scaled_the_lengths", 0),
    ("angle_cost", "counted_each_pair_once", 1 / 2),
    ("angle_cost", "left_the_scale_at_one", 0),
    ("outputs_of", "gave_the_share_that_is_shown", 1 / 2),
    ("outputs_of", "kept_the_smallest_axes", 0),
]
