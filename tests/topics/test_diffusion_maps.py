"""Claims about diffusion maps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from dimred_ref.diffusion_maps import diffusion_distances, diffusion_maps
from dimred_ref.procrustes import similarity_alignment

seeds = st.integers(0, 10_000)
few = settings(max_examples=20, deadline=None)


@pytest.mark.claim("thm-diffusion-maps-distance")
@few
@given(seeds, st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 6))
def test_map_distances_are_diffusion_distances(seed, alpha, time):
    X = np.random.default_rng(seed).normal(size=(15, 2))
    K = np.exp(-0.5 * cdist(X, X, "sqeuclidean"))
    q = K.sum(axis=1)
    K = K / np.outer(q, q) ** alpha
    P = K / K.sum(axis=1, keepdims=True)
    fit = diffusion_maps(X, 14, gamma=0.5, alpha=alpha, time=time)
    np.testing.assert_allclose(fit.stationary @ P, fit.stationary)
    defined = diffusion_distances(P, fit.stationary, time)
    # the definition, once more, by its sum
    after = np.linalg.matrix_power(P, time)
    assert defined[2, 7] ** 2 == pytest.approx(np.sum((after[2] - after[7]) ** 2 / fit.stationary))
    np.testing.assert_allclose(cdist(fit.embedding, fit.embedding), defined, atol=1e-6)
    short = cdist(fit.embedding[:, :2], fit.embedding[:, :2]) ** 2
    bound = fit.eigenvalues[2] ** (2 * time) * (1 / fit.stationary[:, None] + 1 / fit.stationary)
    rest = defined**2 - short
    off = ~np.eye(15, dtype=bool)
    assert np.all(rest[off] >= -1e-9)
    assert np.all(rest[off] <= bound[off] + 1e-9)


@pytest.mark.claim("thm-diffusion-maps-alpha")
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_the_generator_loses_the_density_as_alpha_says(alpha):
    """By sums over a grid with a Gaussian kernel, without Fourier series."""
    x = 2 * np.pi * np.arange(1500) / 1500
    q, dq = np.exp(0.5 * np.sin(x)), 0.5 * np.cos(x) * np.exp(0.5 * np.sin(x))
    f, df, ddf = np.cos(x), -np.sin(x), -np.cos(x)
    gap = np.abs(x[:, None] - x)
    gap = np.minimum(gap, 2 * np.pi - gap)
    errors = []
    for eps in (0.02, 0.01):
        kernel = np.exp(-(gap**2) / (4 * eps)) * q  # sums against the density
        density = kernel.sum(axis=1)
        kernel = kernel / density**alpha
        walked = (kernel @ f) / kernel.sum(axis=1)
        limit = ddf + 2 * (1 - alpha) * dq / q * df
        errors.append(np.abs((walked - f) / eps - limit).max())
    assert errors[1] < 0.6 * errors[0]
    assert errors[1] < 0.05


def test_alpha_one_restores_an_uneven_circle_in_nine_of_ten_samples():
    better = 0
    for seed in range(10):
        draw = np.random.default_rng(seed)
        angles = draw.uniform(0, 2 * np.pi, size=3000)
        angles = angles[draw.random(3000) < (1 + 0.9 * np.cos(angles)) / 1.9][:300]
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        errors = [
            similarity_alignment(diffusion_maps(circle, 2, gamma=15.0, alpha=a).embedding, circle).error
            for a in (0.0, 1.0)
        ]
        better += errors[1] < errors[0]
    assert better >= 9


@few
@given(seeds, st.sampled_from([0.0, 1.0]))
def test_training_points_stay_where_they_were(seed, alpha):
    X = np.random.default_rng(seed).normal(size=(20, 3))
    fit = diffusion_maps(X, 3, gamma=0.5, alpha=alpha, time=2)
    np.testing.assert_allclose(fit.transform(X), fit.embedding, atol=1e-8)


def test_a_walk_that_falls_apart_is_refused():
    with pytest.raises(ValueError, match="gamma must be smaller"):
        diffusion_maps([[0.0], [1.0], [50.0], [51.0]], 1, gamma=1.0)
