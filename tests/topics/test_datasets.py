"""Every data set is reproducible, and its truth is true of it."""

import dataclasses

import numpy as np
import pytest
from sklearn.datasets import load_digits

from dimred_ref import datasets
from dimred_ref._faces import render_faces
from dimred_ref.covariance import covariance, covariance_rank
from dimred_ref.pca import pca
from dimred_ref.practice import cumulative_variance_ratio, scores

SEEDED = {
    "gaussian_cloud": lambda seed: datasets.gaussian_cloud(50, [1, 2], [[5, 2], [2, 8]], seed=seed),
    "hidden_plane": lambda seed: datasets.hidden_plane(50, 8, noise=0.1, seed=seed),
    "smooth_images": lambda seed: datasets.smooth_images(50, seed=seed),
    "noise_images": lambda seed: datasets.noise_images(50, seed=seed),
    "face_images": lambda seed: datasets.face_images(50, side=8, seed=seed),
    "bag_of_words": lambda seed: datasets.bag_of_words(50, seed=seed),
    "swiss_roll": lambda seed: datasets.swiss_roll(50, noise=0.1, seed=seed),
    "spiral": lambda seed: datasets.spiral(50, noise=0.1, seed=seed),
    "cylinder_patch": lambda seed: datasets.cylinder_patch(50, noise=0.1, seed=seed),
    "sheet_with_hole": lambda seed: datasets.sheet_with_hole(50, noise=0.1, seed=seed),
    "twin_peaks": lambda seed: datasets.twin_peaks(50, noise=0.1, seed=seed),
    "closed_curve": lambda seed: datasets.closed_curve(50, noise=0.1, seed=seed),
    "turned_image": lambda seed: datasets.turned_image(50, noise=0.1, seed=seed),
    "batch_effect": lambda seed: datasets.batch_effect(50, 10, seed=seed),
    "genotypes": lambda seed: datasets.genotypes(50, 300, seed=seed),
}


@pytest.mark.parametrize("draw", SEEDED.values(), ids=SEEDED)
def test_a_seed_gives_the_same_data_again_and_another_seed_gives_others(draw):
    one, again, other = draw(1), draw(1), draw(2)
    for field in dataclasses.fields(one):
        assert np.array_equal(getattr(one, field.name), getattr(again, field.name))
    assert not np.array_equal(one.X, other.X)
    assert len(one.X) == 50
    assert one.X.dtype == np.float64
    assert np.isfinite(one.X).all()
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.X = other.X


def test_a_gaussian_cloud_has_the_covariance_asked_for():
    data = datasets.gaussian_cloud(200_000, [1, -2], [[5, 2], [2, 8]])
    assert data.X.mean(axis=0) == pytest.approx([1, -2], abs=0.05)
    assert covariance(data.X) == pytest.approx(np.array([[5, 2], [2, 8]]), abs=0.15)
    flat = datasets.gaussian_cloud(20, [0, 0], [[1, 1], [1, 1]])
    assert covariance_rank(flat.X) == 1


def test_a_hidden_plane_is_found_by_pca_and_by_no_column():
    data = datasets.hidden_plane(200, 30, n_dimensions=3)
    fit = pca(data.X, 3)
    assert covariance_rank(data.X) == 3
    assert fit.axes @ fit.axes.T == pytest.approx(data.basis @ data.basis.T, abs=1e-8)
    assert data.X == pytest.approx(data.mean + data.coordinates @ data.basis.T)
    assert data.X.var(axis=0).max() < fit.variances[0] / 2
    noisy = datasets.hidden_plane(200, 30, noise=0.5, seed=1)
    residuals = noisy.X - noisy.mean - noisy.coordinates @ noisy.basis.T
    assert residuals.std() == pytest.approx(0.5, rel=0.05)


def test_nine_directions_explain_smooth_images_and_hardly_any_noise():
    smooth, noise = datasets.smooth_images(300), datasets.noise_images(300)
    explained = [cumulative_variance_ratio(pca(data.X, 256).variances)[8] for data in (smooth, noise)]
    assert explained[0] == pytest.approx(1)
    assert explained[1] < 0.2
    steps = [
        np.abs(np.diff(data.X.reshape(-1, 16, 16), axis=2)).mean() / data.X.std() for data in (smooth, noise)
    ]
    assert steps[0] < 0.3 < 1 < steps[1]


def test_only_the_informative_words_tell_topics_apart():
    data = datasets.bag_of_words(400)
    assert data.X.shape == (400, 200) == (400, len(data.vocabulary))
    assert np.array_equal(data.X, np.round(data.X))
    assert set(data.X.sum(axis=1)) == {200.0}
    means = np.array([data.X[data.labels == topic].mean(axis=0) for topic in (0, 1)])
    standard_errors = np.sqrt(data.X.var(axis=0) / 100 + 1e-12)
    differences = np.abs(means[0] - means[1]) / standard_errors
    assert differences[data.informative].min() > 8 > 5 > differences[~data.informative].max()
    assert all("topic" in word for word in np.array(data.vocabulary)[data.informative])


@pytest.mark.parametrize("surface", [datasets.swiss_roll, datasets.spiral, datasets.cylinder_patch])
def test_coordinates_of_bent_sheets_are_isometric(surface):
    data = surface(4000)
    rng = np.random.default_rng(0)
    chosen = rng.integers(len(data.X), size=300)
    to_all = np.linalg.norm(data.coordinates[chosen, None] - data.coordinates, axis=2)
    near = (to_all > 0) & (to_all < 0.4)
    chords = np.linalg.norm(data.X[chosen, None] - data.X, axis=2)[near]
    assert near.sum() > 30
    assert np.all(chords <= to_all[near] * (1 + 1e-9))
    assert np.all(chords >= 0.98 * to_all[near])


@pytest.mark.parametrize("bend", [0.0, 0.5, 1.5])
def test_the_sheet_has_its_hole_and_bends_isometrically(bend):
    data = datasets.sheet_with_hole(3000, bend=bend)
    assert len(data.X) == 3000
    assert np.abs(data.coordinates).max(axis=1).min() > 0.5
    assert np.abs(data.coordinates).max(axis=0) == pytest.approx([2, 1], abs=0.02)
    upper = data.coordinates[:, 1] > 0
    assert 0.4 < upper.mean() < 0.6
    if bend:
        radius = np.hypot(data.X[:, 0], data.X[:, 2] - 1 / bend)
        assert radius == pytest.approx(1 / bend)
        angle = np.arctan2(data.X[:, 0], 1 / bend - data.X[:, 2])
        assert angle / bend == pytest.approx(data.coordinates[:, 0], abs=1e-9)
    else:
        assert data.X == pytest.approx(np.column_stack([data.coordinates, np.zeros(3000)]))
    assert data.X[:, 1] == pytest.approx(data.coordinates[:, 1])


def test_twin_peaks_stand_over_their_coordinates():
    data = datasets.twin_peaks(500)
    x, y = data.coordinates.T
    assert data.X == pytest.approx(np.column_stack([x, y, np.sin(np.pi * x) * np.tanh(3 * y)]))
    assert data.X[:, 2].max() > 0.9
    assert data.X[:, 2].min() < -0.9


def test_a_cylinder_patch_covers_the_angle_asked_for_and_no_more():
    for angle in (1.0, 6.0):
        arc, height = datasets.cylinder_patch(2000, angle=angle).coordinates.T
        assert 0.99 * angle < arc.max() <= angle
        assert 0 <= arc.min() < 0.01 * angle
        assert 1.95 < np.ptp(height) <= 2


def test_noise_has_the_deviation_asked_for():
    for surface in (datasets.swiss_roll, datasets.spiral, datasets.cylinder_patch, datasets.twin_peaks):
        blur = surface(3000, noise=0.2, seed=4).X - surface(3000, seed=4).X
        assert blur.std() == pytest.approx(0.2, rel=0.05)


def test_the_batch_is_stronger_than_the_signal_and_both_lie_where_stated():
    data = datasets.batch_effect(300, 20)
    assert data.batch_direction @ data.signal_direction == pytest.approx(0, abs=1e-12)
    along_batch = data.X @ data.batch_direction
    assert np.corrcoef(along_batch, data.labels)[0, 1] > 0.99
    assert np.corrcoef(data.X @ data.signal_direction, data.signal)[0, 1] > 0.95
    assert np.var(along_batch) > 4 * np.var(data.X @ data.signal_direction)


def test_populations_separate_along_the_first_component_of_their_genotypes():
    data = datasets.genotypes(60, 2000)
    assert set(np.unique(data.X)) == {0.0, 1.0, 2.0}
    assert data.X.shape == (60, 2000)
    assert abs(np.corrcoef(scores(data.X, 1)[:, 0], data.labels)[0, 1]) > 0.95
    mixed = datasets.genotypes(60, 2000, divergence=0)
    assert abs(np.corrcoef(scores(mixed.X, 1)[:, 0], mixed.labels)[0, 1]) < 0.6


def test_the_digits_are_those_of_scikit_learn():
    data, peer = datasets.digits(), load_digits()
    assert np.array_equal(data.X, peer.data)
    assert np.array_equal(data.labels, peer.target)
    assert data.X.dtype == np.float64


def test_a_closed_curve_runs_at_constant_speed_and_closes():
    data = datasets.closed_curve(4000)
    steps = np.linalg.norm(np.roll(data.X, -1, axis=0) - data.X, axis=1)
    turns = np.mod(np.roll(data.angles, -1) - data.angles, 2 * np.pi)
    assert steps == pytest.approx(turns * data.length / (2 * np.pi), rel=1e-5)
    assert steps.sum() == pytest.approx(data.length, rel=1e-5)
    on_circle = np.linalg.norm(np.roll(data.coordinates, -1, axis=0) - data.coordinates, axis=1)
    assert on_circle.sum() == pytest.approx(data.length, rel=1e-5)
    assert covariance_rank(data.X) == 6


def test_the_best_plane_lays_opposite_points_of_the_closed_curve_on_each_other_and_the_curve_does_not():
    data = datasets.closed_curve(400)
    flat = scores(data.X, 2)
    half = len(flat) // 2  # the opposite point, up to the jitter of the angles
    spacing = data.length / 400
    assert np.linalg.norm(flat - np.roll(flat, half, axis=0), axis=1).max() < 2 * spacing
    assert np.linalg.norm(data.X - np.roll(data.X, half, axis=0), axis=1).min() > 30 * spacing
    gaps = np.abs(data.angles[:, None] - data.angles)
    far = np.minimum(gaps, 2 * np.pi - gaps) > 0.5
    assert np.linalg.norm(data.X[:, None] - data.X, axis=2)[far].min() > 0.9


def test_one_angle_lies_in_each_part_of_a_turn():
    for draw in (datasets.closed_curve, datasets.turned_image):
        data = draw(60, seed=3)
        assert np.array_equal(np.floor(data.angles * 60 / (2 * np.pi)), np.arange(60))
        angles = np.mod(np.arctan2(data.coordinates[:, 1], data.coordinates[:, 0]), 2 * np.pi)
        assert angles == pytest.approx(data.angles)


def test_a_quarter_turn_of_the_cat_is_the_picture_turned_anticlockwise():
    data = datasets.turned_image(2000)
    images = data.X.reshape(-1, data.side, data.side)
    upright = images[np.argmin(data.angles)]
    quarter = images[np.argmin(np.abs(data.angles - np.pi / 2))]
    assert np.abs(np.rot90(upright) - quarter).max() < 2
    assert np.abs(np.rot90(upright, -1) - quarter).max() > 50


def test_the_turned_cat_has_nearly_constant_speed_and_the_same_black_corners():
    data = datasets.turned_image(200)
    assert data.X.shape == (200, 24 * 24)
    assert data.X.min() >= 0
    assert data.X.max() <= 255
    assert np.all(data.X.reshape(-1, 24, 24)[:, 0, 0] == 0)
    turns = np.mod(np.roll(data.angles, -1) - data.angles, 2 * np.pi)
    speeds = np.linalg.norm(np.roll(data.X, -1, axis=0) - data.X, axis=1) / turns
    assert speeds.max() < 1.6 * speeds.min()


def test_the_penguins_are_complete_and_plausible_birds():
    data = datasets.penguins()
    assert data.X.shape == (333, 4)
    assert np.isfinite(data.X).all()
    assert data.features == ("bill length", "bill depth", "flipper length", "body mass")
    assert data.units == ("mm", "mm", "mm", "g")
    assert data.species_names == ("Adelie", "Chinstrap", "Gentoo")
    assert np.bincount(data.species).tolist() == [146, 68, 119]
    assert data.island_names == ("Biscoe", "Dream", "Torgersen")
    assert np.bincount(data.islands).tolist() == [163, 123, 47]
    assert data.sex_names == ("female", "male")
    assert np.bincount(data.sexes).tolist() == [165, 168]
    assert data.X[0] == pytest.approx([39.1, 18.7, 181, 3750])
    # Gentoo live on Biscoe and Chinstrap on Dream, and nowhere else.
    assert set(data.islands[data.species == 2]) == {0}
    assert set(data.islands[data.species == 1]) == {1}


def test_distances_of_airports_are_angles_between_their_directions():
    data = datasets.airports()
    latitude, longitude = np.radians(data.positions).T
    directions = np.column_stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)]
    )
    angles = np.arccos(np.clip(directions @ directions.T, -1, 1))
    assert data.distances == pytest.approx(datasets.EARTH_RADIUS * angles, abs=0.2)
    assert np.array_equal(data.distances, data.distances.T)
    assert np.all(np.diag(data.distances) == 0)


def test_airports_are_26_places_that_fit_no_flat_map():
    data = datasets.airports()
    assert len(data.names) == len(set(data.codes)) == len(data.positions) == 26
    one, other = data.names.index("New York"), data.names.index("Los Angeles")
    assert (data.codes[one], data.codes[other]) == ("JFK", "LAX")
    assert data.distances[one, other] == pytest.approx(3983, rel=0.005)  # 2475 miles on the flattened Earth
    gram = -(data.distances**2) / 2
    gram -= gram.mean(axis=0)
    gram -= gram.mean(axis=1, keepdims=True)
    eigenvalues = np.linalg.eigvalsh(gram)
    assert eigenvalues[0] < -0.01 * eigenvalues[-1]
    assert eigenvalues[-3] < 0.02 * eigenvalues[-1]
    assert eigenvalues[-2] > 0.1 * eigenvalues[-1]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: datasets.swiss_roll(0), "n_samples must be between 1"),
        (lambda: datasets.swiss_roll(5, noise=-1), "noise must be non-negative"),
        (lambda: datasets.spiral(2.0), "n_samples must be a whole number"),
        (lambda: datasets.hidden_plane(5, 2, n_dimensions=3), "n_dimensions must be between 1 and 2, got 3"),
        (lambda: datasets.cylinder_patch(5, angle=7), "angle must be less than 2π"),
        (lambda: datasets.sheet_with_hole(5, bend=2), "bend must be less than π/2"),
        (lambda: datasets.gaussian_cloud(5, [0], [[-1]]), "no negative eigenvalue, got -1"),
        (lambda: datasets.gaussian_cloud(5, [0, 0], [[1]]), "mean must have 1 entries, got 2"),
        (lambda: datasets.batch_effect(1, 5), "n_samples must be between 2"),
        (lambda: datasets.genotypes(5, 0), "n_variants must be between 1"),
        (lambda: datasets.swiss_roll(5, seed=-1), "seed must be between 0 and .*, got -1"),
        (lambda: datasets.swiss_roll(5, seed=None), "seed must be a whole number, got None"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


def test_a_mirrored_head_in_mirrored_light_gives_the_mirrored_picture():
    angles = np.array([0.5, -0.2])
    faces = render_faces(np.array([angles[0], -angles[0]]), np.array([angles[1], -angles[1]]), 20)
    there, mirrored = faces.reshape(2, 20, 20)
    assert np.allclose(there, mirrored[:, ::-1], atol=1e-12)
    assert np.abs(there - there[:, ::-1]).max() > 0.2


def test_faces_change_little_for_small_angles_and_are_lit_from_the_side_of_the_light():
    pose = np.zeros(3)
    left, right, nearly = render_faces(pose, np.array([-0.7, 0.7, 0.705]), 24).reshape(3, 24, 24)
    assert left[:, :12].sum() > 1.2 * left[:, 12:].sum()
    assert right[:, 12:].sum() > 1.2 * right[:, :12].sum()
    assert 0 < np.abs(right - nearly).max() < 0.02
    assert right.min() >= 0
    assert right.max() <= 1
