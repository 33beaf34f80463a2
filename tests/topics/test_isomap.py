"""Claims about Isomap, its landmarks and new points."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.stats import ortho_group
from sklearn.manifold import Isomap as PeerIsomap

from dimred_ref import datasets
from dimred_ref.classical_mds import classical_mds, double_centred, extend, gram_spectrum
from dimred_ref.graph import dijkstra_paths, knn_graph, largest_component, shortest_paths
from dimred_ref.isomap import (
    dimension_by_gap,
    isomap,
    landmark_isomap,
    residual_variances,
    stress,
    transform,
)
from dimred_ref.procrustes import rigid_alignment
from dimred_ref.quality import procrustes_error


def cylinder_patch(size, seed=0, width=4.0, height=2.0):
    """A sheet of paper bent to part of a cylinder: isometric to its chart, a rectangle."""
    chart = np.random.default_rng(seed).random((size, 2)) * [width, height]
    return np.stack([np.cos(chart[:, 0]), np.sin(chart[:, 0]), chart[:, 1]], axis=1), chart


def spiral(size, seed=5):
    t = 1.5 * np.pi * (1 + 2 * np.sort(np.random.default_rng(seed).random(size)))
    arc = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2
    return np.stack([t * np.cos(t), t * np.sin(t)], axis=1), np.abs(arc[:, None] - arc)


def gram(Y):
    centred = Y - Y.mean(axis=0)
    return centred @ centred.T


@pytest.mark.parametrize("size", [150, 600])
def test_isomap_is_classical_scaling_of_the_graph_distances(size):
    X, _ = cylinder_patch(size)
    model = isomap(X, 2, n_neighbors=8)
    slow = classical_mds(dijkstra_paths(knn_graph(X, 8)), 2)
    np.testing.assert_allclose(gram(model.embedding), gram(slow.embedding), atol=1e-9)
    np.testing.assert_allclose(model.eigenvalues, slow.eigenvalues, rtol=1e-10)
    assert model.mds.strain == pytest.approx(slow.strain, rel=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_scikit_learn_agrees(seed):
    X, _ = cylinder_patch(400, seed)
    peer = PeerIsomap(n_neighbors=7, n_components=2).fit_transform(X)
    np.testing.assert_allclose(gram(isomap(X, 2, n_neighbors=7).embedding), gram(peer), atol=1e-9)


def test_a_path_graph_is_laid_out_on_a_line():
    """Hops 1, 2, 3 bent in the plane: positions 0, 1, 3, 6 centred, eigenvalue 21 (ledger 11.2)."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [4.0, 2.0]])
    model = isomap(X, 1, n_neighbors=1)
    assert model.eigenvalues[0] == pytest.approx(21)
    expected = np.array([0, 1, 3, 6]) - 2.5
    np.testing.assert_allclose(np.abs(model.embedding[:, 0]), np.abs(expected))
    with pytest.raises(ValueError, match="at most 1, the number of positive eigenvalues"):
        isomap(X, 2, n_neighbors=1)


def test_a_four_cycle_has_negative_mass():
    """A square of side c: spectrum c² (2, 2, 0, −1) (ledger 11.3)."""
    X = 3.0 * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    model = isomap(X, 2, n_neighbors=2)
    np.testing.assert_allclose(model.eigenvalues, [18, 18])
    assert model.mds.negative_mass_at_least == pytest.approx(9)


@pytest.mark.claim("thm-isomap-guarantee")
def test_a_sheet_isometric_to_a_convex_region_is_recovered_as_neighbourhoods_grow():
    errors = []
    for size, bound in ((200, 0.052), (800, 0.014)):
        X, chart = cylinder_patch(size, seed=size)
        model = isomap(X, 2, n_neighbors=int(1.2 * size**0.5))
        errors.append(procrustes_error(model.embedding, chart))
        assert errors[-1] < bound  # twice the errors of the ledger, 11.4
    assert errors[1] < errors[0] / 2


def test_at_a_fixed_number_of_neighbours_graph_distances_stay_too_long():
    """So a fixed k does not converge: the excess hardly changes from 200 to 1500 points (ledger S2.20)."""
    for size in (200, 1500):
        X, chart = cylinder_patch(size, seed=1)
        truth = cdist(chart, chart)
        ratio = shortest_paths(knn_graph(X, 10))[truth > 0] / truth[truth > 0]
        assert 1.03 < ratio.mean() < 1.08


def test_a_hole_breaks_the_guarantee():
    chart = np.random.default_rng(1).random((1500, 2)) * 4
    with_hole = chart[(np.abs(chart - 2) >= 1.3).any(axis=1)]
    assert procrustes_error(isomap(with_hole, 2, n_neighbors=30).embedding, with_hole) > 0.1
    assert procrustes_error(isomap(chart[:600], 2, n_neighbors=30).embedding, chart[:600]) < 0.02


def test_too_many_neighbours_cut_corners():
    """A spiral of 600 points: 6 neighbours leave it in pieces, 20 are right, 60 jump (ledger S2.15)."""
    X, arc = spiral(600)
    with pytest.raises(ValueError, match="must be connected, got"):
        isomap(X, 1, n_neighbors=6)
    errors = [np.abs(shortest_paths(knn_graph(X, k)) - arc).max() / arc.max() for k in (20, 60)]
    assert errors[0] < 0.01
    assert errors[1] > 0.5


def test_two_pieces_are_refused_and_the_larger_can_be_taken():
    X, chart = cylinder_patch(200)
    both = np.concatenate([X, X[:50] + 100])
    with pytest.raises(ValueError, match=r"got 2 components of sizes 200, 50"):
        isomap(both, 2, n_neighbors=8)
    with pytest.raises(ValueError, match=r"got 2 components of sizes 200, 50"):
        landmark_isomap(both, 2, n_neighbors=8, n_landmarks=20)
    kept = largest_component(knn_graph(both, 8))
    assert procrustes_error(isomap(both[kept], 2, n_neighbors=8).embedding, chart) < 0.2


def test_copies_of_a_point_land_on_the_same_spot():
    X, _ = cylinder_patch(100)
    doubled = np.concatenate([X, X])
    model = isomap(doubled, 2, n_neighbors=12)
    np.testing.assert_allclose(model.embedding[:100], model.embedding[100:], atol=1e-8)


@pytest.mark.claim("thm-isomap-out-of-sample")
@pytest.mark.parametrize("size", [120, 500])
def test_training_points_are_reproduced(size):
    X, _ = cylinder_patch(size)
    model = isomap(X, 2, n_neighbors=9)
    np.testing.assert_allclose(transform(model, X), model.embedding, atol=1e-9)


def test_new_points_land_on_their_chart():
    X, chart = cylinder_patch(700)
    model = isomap(X[:600], 2, n_neighbors=30)
    frame = rigid_alignment(model.embedding, chart[:600])
    placed = transform(model, X[600:]) @ frame.rotation + frame.shift
    assert np.linalg.norm(placed - chart[600:], axis=1).max() < 0.1


@pytest.mark.claim("thm-isomap-landmarks")
def test_with_every_point_a_landmark_nothing_changes():
    X, _ = cylinder_patch(150)
    full = isomap(X, 2, n_neighbors=8)
    every = landmark_isomap(X, 2, n_neighbors=8, n_landmarks=150)
    np.testing.assert_allclose(gram(every.embedding), gram(full.embedding), atol=1e-8)
    assert every.strain == pytest.approx(full.mds.strain, rel=1e-8)


def test_landmarks_do_nearly_as_well_and_say_so():
    X, chart = cylinder_patch(800, seed=8)
    full = isomap(X, 2, n_neighbors=30)
    some = landmark_isomap(X, 2, n_neighbors=30, n_landmarks=60)
    assert procrustes_error(some.embedding, chart) < procrustes_error(full.embedding, chart) + 0.01
    geodesics = dijkstra_paths(knn_graph(X, 30))
    assert some.stress == pytest.approx(stress(geodesics, some.embedding, some.landmarks))
    assert abs(some.stress - stress(geodesics, full.embedding, some.landmarks)) < 0.01
    assert stress(geodesics, some.embedding, some.landmarks[::-1]) == pytest.approx(some.stress)
    few = landmark_isomap(X, 2, n_neighbors=30, n_landmarks=4)
    assert few.stress > some.stress


def test_landmarks_alone_make_a_bad_graph():
    """Their geodesics must run through all points (ledger S2.19)."""
    X, chart = cylinder_patch(800, seed=8)
    landmarks = landmark_isomap(X, 2, n_neighbors=30, n_landmarks=60).landmarks
    truth = cdist(chart[landmarks], chart[landmarks])
    through_all = dijkstra_paths(knn_graph(X, 30), landmarks)[:, landmarks]
    alone = dijkstra_paths(knn_graph(X[landmarks], 8))
    assert np.abs(alone - truth).mean() > 3 * np.abs(through_all - truth).mean()


def test_landmarks_are_repeatable_and_differ_between_seeds():
    X, _ = cylinder_patch(100)
    first, again, other = (landmark_isomap(X, 2, n_neighbors=8, n_landmarks=20, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.embedding, again.embedding)
    assert not np.array_equal(first.landmarks, other.landmarks)


@pytest.mark.parametrize("count", [1, 2, 101])
def test_too_few_or_too_many_landmarks_are_refused(count):
    X, _ = cylinder_patch(100)
    with pytest.raises(ValueError, match=r"n_(landmarks|components) must be between"):
        landmark_isomap(X, 2, n_neighbors=8, n_landmarks=count)


def test_the_dimension_shows_in_the_gap_and_in_the_residual_variance():
    X, _ = cylinder_patch(500)
    model = isomap(X, 4, n_neighbors=25)
    assert dimension_by_gap(model.eigenvalues) == 2
    residuals = residual_variances(shortest_paths(knn_graph(X, 25)), model.embedding)
    assert residuals[0] > 0.02
    assert residuals[1] < 0.001
    assert abs(residuals[2] - residuals[1]) < 0.001


@pytest.mark.parametrize("spectrum", [[3.0], [1.0, 2.0], [2.0, -1.0]])
def test_a_gap_needs_a_descending_positive_spectrum(spectrum):
    with pytest.raises(ValueError, match="descending"):
        dimension_by_gap(spectrum)


def test_bounds_are_named():
    X, _ = cylinder_patch(20)
    with pytest.raises(ValueError, match="n_neighbors must be between 1 and 19, got 20"):
        isomap(X, 2, n_neighbors=20)
    with pytest.raises(ValueError, match="n_components must be between 1 and 19, got 20"):
        isomap(X, 20, n_neighbors=5)
    with pytest.raises(ValueError, match="X must have at least 3 rows, got 1"):
        isomap(X[:1], 1, n_neighbors=1)
    with pytest.raises(ValueError, match="seed must be a whole number, got 'a'"):
        landmark_isomap(X, 2, n_neighbors=5, n_landmarks=5, seed="a")
    with pytest.raises(ValueError, match="landmarks must lie between 0 and 19, got 20 … 20"):
        stress(np.ones((20, 20)), X, [20])
    with pytest.raises(ValueError, match="distances must not all be zero"):
        stress(np.zeros((20, 20)), X, [0])


# What the page proves, tried on many draws.

seeds = st.integers(0, 10_000)


def covering_radius(points, sides, step):
    """No point of the box from 0 to sides is farther than this from all the given points."""
    axes = [np.linspace(0, side, int(np.ceil(side / step)) + 1) for side in sides]
    grid = np.stack(np.meshgrid(*axes), -1).reshape(-1, len(sides))
    half_diagonal = np.linalg.norm([axis[1] / 2 for axis in axes])
    return cKDTree(points).query(grid)[0].max() + half_diagonal


def graph_up_to(table, radius):
    return csr_array(np.where(table <= radius, table, 0.0))


@pytest.mark.claim("thm-isomap-isometry")
@given(seeds, st.floats(0.2, 1.2))
def test_bending_changes_no_length_and_stretching_does(seed, bend):
    rng = np.random.default_rng(seed)
    time = np.linspace(0, 1, 4001)[:, None]
    curve = rng.uniform(-1, 1, 2) + rng.uniform(-1, 1, 2) * time + 0.5 * np.sin(rng.uniform(1, 4, 2) * time)
    bent = np.column_stack(
        [np.sin(bend * curve[:, 0]) / bend, curve[:, 1], np.cos(bend * curve[:, 0]) / bend]
    )
    stretched = np.column_stack([curve, curve[:, 0] ** 2])
    flat, on_sheet, on_bowl = (
        np.linalg.norm(np.diff(points, axis=0), axis=1).sum() for points in (curve, bent, stretched)
    )
    assert on_sheet == pytest.approx(flat, rel=1e-6)
    assert on_bowl > flat
    assert flat >= np.linalg.norm(curve[-1] - curve[0]) - 1e-12


@pytest.mark.claim("thm-isomap-chart")
@given(seeds, st.integers(1, 4))
def test_distances_of_a_chart_give_the_chart(seed, d):
    points = np.random.default_rng(seed).standard_normal((d + 8, d))
    centred = points - points.mean(axis=0)
    Y = classical_mds(cdist(points, points), d).embedding
    R = np.linalg.lstsq(centred, Y)[0]
    np.testing.assert_allclose(centred @ R, Y, atol=1e-9)
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=1e-9)


@pytest.mark.claim("thm-isomap-sandwich")
@settings(max_examples=25, deadline=None)
@given(seeds, st.floats(2.05, 8.0), st.sampled_from([0.0, 0.3, 0.7]))
def test_paths_lie_between_the_chords_and_the_bound(seed, reach, bend):
    """A strip of 3 × 1, flat or bent around a cylinder of radius 1 / bend; the reach is in units of the gap."""
    rng = np.random.default_rng(seed)
    sides = np.array([3.0, 1.0])
    chart = rng.random((rng.integers(40, 160), 2)) * sides
    delta = covering_radius(chart, sides, 0.02)
    radius = reach * delta
    apart = cdist(chart, chart)
    X = chart
    if bend:
        X = np.column_stack(
            [np.sin(bend * chart[:, 0]) / bend, chart[:, 1], np.cos(bend * chart[:, 0]) / bend]
        )
    chords = cdist(X, X)
    graph = csr_array(np.where(apart <= radius, chords, 0.0))
    paths = dijkstra_paths(graph)
    eta = (bend * min(radius, sides[0])) ** 2 / 24
    assert (paths >= chords - 1e-12).all()
    assert (paths >= (1 - eta) * apart - 1e-12).all()
    assert (paths <= radius / (radius - 2 * delta) * apart + 1e-12).all()


def test_the_bound_needs_a_reach_of_two_gaps():
    """Evenly spaced points of a segment, joined up to just less than their spacing, fall apart."""
    points = np.arange(11.0)[:, None]  # the largest gap is half the spacing
    table = cdist(points, points)
    assert np.isinf(dijkstra_paths(graph_up_to(table, 0.999))).any()
    np.testing.assert_allclose(dijkstra_paths(graph_up_to(table, 1.001)), table)


@pytest.mark.claim("thm-isomap-cylinder")
@given(st.floats(0.1, 10), st.floats(1e-3, 1), st.floats(-20, 20))
def test_a_chord_of_a_cylinder_is_nearly_as_long_as_its_geodesic(r, share, h):
    s = share * np.pi * r
    chord = np.hypot(2 * r * np.sin(s / (2 * r)), h)
    assert chord >= (1 - s**2 / (24 * r**2)) * np.hypot(s, h) * (1 - 1e-12)
    assert chord <= np.hypot(s, h) * (1 + 1e-12)


@pytest.mark.claim("thm-isomap-fixed-k")
@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=2, max_size=6), st.integers(6, 12))
def test_with_few_directions_some_distances_stay_too_long(steps, size):
    steps = {(1, 0), (0, 1)} | {step for step in steps if step != (0, 0)}
    points = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1).reshape(-1, 2)
    differences = points[None] - points[:, None]
    is_step = np.zeros(differences.shape[:2], dtype=bool)
    for step in steps:
        is_step |= (differences == step).all(axis=2) | (-differences == step).all(axis=2)
    paths = dijkstra_paths(csr_array(np.where(is_step, np.linalg.norm(differences, axis=2), 0.0)))
    angles = np.unique(np.round([np.arctan2(y, x) for x, y in steps | {(-x, -y) for x, y in steps}], 9))
    angles = angles[np.abs(angles + np.pi) > 1e-6]  # −π and π are one direction
    turns = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    middle = angles[turns.argmax()] + turns.max() / 2
    n = np.array([np.cos(middle), np.sin(middle)])
    assert (paths >= np.abs(differences @ n) / np.cos(np.pi / len(angles)) - 1e-9).all()


@pytest.mark.claim("thm-isomap-alignment")
@given(seeds, st.integers(1, 4), st.floats(1e-6, 10))
def test_close_gram_matrices_have_close_points(seed, d, size):
    rng = np.random.default_rng(seed)
    U = rng.standard_normal((d + 6, d))
    Y = U @ ortho_group.rvs(d, random_state=rng) if d > 1 else -U
    Y = Y + size * rng.standard_normal(Y.shape)
    A, _, Bt = np.linalg.svd(U.T @ Y)
    bound = 2**0.5 / np.linalg.svd(U, compute_uv=False)[-1] * np.linalg.norm(Y @ Y.T - U @ U.T)
    assert np.linalg.norm(Y - U @ A @ Bt) <= bound * (1 + 1e-9)


@pytest.mark.claim("thm-isomap-guarantee")
@pytest.mark.parametrize("seed", range(6))
def test_points_are_off_by_no_more_than_the_distances_allow(seed):
    X, chart = cylinder_patch(250, seed, width=3.0)
    U = chart - chart.mean(axis=0)
    for k in (10, 18, 40):
        paths = dijkstra_paths(knn_graph(X, k))
        theta = np.sqrt(np.mean((paths**2 - cdist(U, U) ** 2) ** 2))
        smallest = np.linalg.eigvalsh(U.T @ U / len(U))[0]
        assert theta < 2 * smallest
        error = np.linalg.norm(rigid_alignment(isomap(X, 2, n_neighbors=k).embedding, U).embedding - U)
        assert error / len(U) ** 0.5 <= 2 * np.sqrt(2 / smallest) * theta
        spectrum = gram_spectrum(paths)
        assert np.abs(spectrum[2:]).max() <= len(U) * theta / 2
        assert spectrum[1] >= len(U) * (smallest - theta / 2)


@pytest.mark.claim("thm-isomap-quadrilateral")
@given(seeds)
def test_a_quadrilateral_that_is_too_long_across_has_a_negative_eigenvalue(seed):
    rng = np.random.default_rng(seed)
    table = np.triu(rng.exponential(size=(6, 6)), 1)
    table += table.T
    four = rng.permutation(6)[:4]
    sides, across = table[four, np.roll(four, -1)], table[four[:2], four[2:]]
    excess = (across**2).sum() - (sides**2).sum()
    assert gram_spectrum(table)[-1] <= -excess / 4 + 1e-12


@pytest.mark.parametrize("half", [1, 2, 5])
def test_two_shortest_paths_cost_a_quarter_of_the_square_between_their_middles(half):
    """A cycle of 4·half equal edges: opposite points are joined by two paths, whose middles are 2·half apart."""
    steps = np.abs(np.subtract.outer(np.arange(4 * half), np.arange(4 * half)))
    table = np.minimum(steps, 4 * half - steps).astype(float)
    assert gram_spectrum(table)[-1] <= -((2 * half) ** 2) / 4 + 1e-9


@pytest.mark.claim("thm-isomap-circle")
@pytest.mark.parametrize("size", [200, 301, 500])
def test_waves_of_a_circle_have_eigenvalues_of_both_signs(size):
    t = 2 * np.pi * np.arange(size) / size
    along = np.abs(t[:, None] - t)
    along = np.minimum(along, 2 * np.pi - along)
    gram_matrix = double_centred(along**2)
    for n in range(1, 7):
        for wave in (np.cos(n * t), np.sin(n * t)):
            value = wave @ gram_matrix @ wave / (wave @ wave)
            np.testing.assert_allclose(gram_matrix @ wave, value * wave, atol=1e-8)
            assert value / size == pytest.approx(-((-1) ** n) / n**2, abs=1e-3)


@pytest.mark.claim("thm-isomap-out-of-sample")
@given(seeds, st.integers(1, 3))
def test_euclidean_distances_place_a_new_point_exactly(seed, d):
    rng = np.random.default_rng(seed)
    points, new = rng.standard_normal((d + 6, d)), rng.standard_normal((4, d))
    model = classical_mds(cdist(points, points), d)
    R = np.linalg.lstsq(points - points.mean(axis=0), model.embedding)[0]
    np.testing.assert_allclose(extend(model, cdist(new, points)), (new - points.mean(axis=0)) @ R, atol=1e-8)


@pytest.mark.claim("thm-isomap-landmarks")
@given(seeds, st.integers(1, 3))
def test_one_landmark_more_than_dimensions_is_enough_for_flat_data(seed, d):
    points = np.random.default_rng(seed).standard_normal((20, d))
    model = landmark_isomap(points, d, n_neighbors=19, n_landmarks=d + 1, seed=seed)
    chosen = points[model.landmarks]
    assume(np.linalg.svd(chosen - chosen.mean(axis=0), compute_uv=False)[d - 1] > 0.1)
    assert procrustes_error(model.embedding, points) < 1e-8
    assert model.stress < 1e-8


def test_the_page_says_what_one_short_cut_does_to_the_roll():
    """The figures that the page quotes: the error at k = 12, and at k = 13, when the first edge jumps."""
    roll = datasets.swiss_roll(800, seed=0)
    errors = [
        procrustes_error(isomap(roll.X, 2, n_neighbors=k).embedding, roll.coordinates) for k in (12, 13)
    ]
    assert errors[0] < 0.04
    assert errors[1] == pytest.approx(0.69, abs=0.01)


def test_the_page_says_what_one_short_cut_does_to_the_spiral():
    curve = datasets.spiral(150, seed=0)
    arc = curve.coordinates[:, 0]
    far = [np.abs(shortest_paths(knn_graph(curve.X, k)) - cdist(arc[:, None], arc[:, None])) for k in (9, 10)]
    worst = [float(error.max() / np.ptp(arc)) for error in far]
    assert worst == pytest.approx([0.005, 0.706], abs=1e-3)
    assert np.mean(far[1] > 0.05 * np.ptp(arc)) > 1 / 4


def test_the_page_says_where_the_five_per_cent_of_the_roll_come_from():
    roll = datasets.swiss_roll(800, seed=0)
    truth, graph = cdist(roll.coordinates, roll.coordinates), knn_graph(roll.X, 10)
    apart = ~np.eye(800, dtype=bool)
    assert np.mean(shortest_paths(graph)[apart] / truth[apart]) == pytest.approx(1.04, abs=1e-3)
    assert 0.974 <= (graph.data / truth[graph.nonzero()]).min() < 1
    i, j = knn_graph(roll.X, 13).nonzero()
    assert len(i) == 2 * 5924
    assert np.sum(truth[i, j] > 10) == 2


def test_the_page_says_how_bad_the_chord_across_the_spiral_is():
    curve = datasets.spiral(150, seed=0)
    graph = knn_graph(curve.X, 10)
    i, j = graph.nonzero()
    assert len(i) == 2 * 836
    assert 1 - (graph.data / np.abs(curve.coordinates[i] - curve.coordinates[j])[:, 0]).min() == (
        pytest.approx(0.91, abs=5e-3)
    )


@pytest.mark.parametrize(("last", "positions"), [((1, 5), (0, 1, 3, 6)), ((-2, 2), (0, 1, 3, -(8**0.5)))])
def test_a_chain_is_straightened_as_long_as_its_graph_is_the_same(last, positions):
    y = isomap([[0, 0], [1, 0], [1, 2], last], 1, n_neighbors=1).embedding[:, 0]
    centred = np.array(positions) - np.mean(positions)
    np.testing.assert_allclose(y * np.sign(y @ centred), centred, atol=1e-9)
