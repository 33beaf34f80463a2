"""Claims about t-SNE and UMAP."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import TSNE

from dimred_ref.datasets import digits
from dimred_ref.neighbor_embeddings import (
    conditional_affinities,
    neighbor_affinities,
    tsne,
    tsne_cost,
    tsne_gradient,
)
from dimred_ref.umap import fuzzy_weights, membership_curve, repulsion_weights, umap, umap_cost, umap_gradient

seeds = st.integers(0, 10_000)
few = settings(max_examples=15, deadline=None)


def groups(seed, size=25):
    rng = np.random.default_rng(seed)
    return np.repeat(np.eye(3, 5) * 12, size, axis=0) + rng.normal(size=(3 * size, 5))


@pytest.mark.claim("thm-neighbor-embeddings-perplexity")
@few
@given(seeds, st.floats(1.5, 15))
def test_every_row_has_the_asked_perplexity(seed, perplexity):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 3)) * 10.0 ** rng.integers(-3, 4)
    rows = conditional_affinities(squareform(pdist(X, "sqeuclidean")), perplexity)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    entropy = -np.sum(rows * np.log(np.where(rows > 0, rows, 1)), axis=1)
    np.testing.assert_allclose(np.exp(entropy), perplexity, rtol=1e-6)
    # Larger probabilities for nearer points, in every row.
    order = np.argsort(squareform(pdist(X)), axis=1)[:, 1:]
    assert np.all(np.diff(np.take_along_axis(rows, order, 1), axis=1) <= 1e-15)


def test_affinities_agree_with_scikit_learn_by_their_cost():
    X = groups(0)
    theirs = TSNE(2, perplexity=10, init="pca", method="exact", max_iter=300, random_state=0).fit(X)
    P = neighbor_affinities(X, 10)
    assert tsne_cost(P, theirs.embedding_.astype(float)) == pytest.approx(theirs.kl_divergence_, rel=1e-3)


@pytest.mark.parametrize("draw", range(3))
def test_the_cost_reached_is_that_of_scikit_learn(draw):
    X = digits().X[200 * draw : 200 * draw + 150]
    theirs = TSNE(2, perplexity=15, init="pca", method="exact", random_state=0).fit(X).kl_divergence_
    assert tsne(X, 2, perplexity=15).cost < 1.15 * theirs


@pytest.mark.claim("thm-neighbor-embeddings-gradient")
@few
@given(seeds)
def test_the_gradient_is_that_of_the_cost_and_sums_to_zero(seed):
    rng = np.random.default_rng(seed)
    P, Y = neighbor_affinities(rng.normal(size=(9, 3)), 3), rng.normal(size=(9, 2))
    off = check_grad(
        lambda y: tsne_cost(P, y.reshape(9, 2)),
        lambda y: tsne_gradient(P, y.reshape(9, 2)).ravel(),
        Y.ravel(),
    )
    assert off < 1e-6
    np.testing.assert_allclose(tsne_gradient(P, Y).sum(axis=0), 0, atol=1e-12)


@pytest.mark.claim("thm-neighbor-embeddings-exaggeration")
@few
@given(seeds, st.floats(1, 40))
def test_the_exaggerated_step_is_linear_up_to_third_order(seed, alpha):
    rng = np.random.default_rng(seed)
    P = neighbor_affinities(rng.normal(size=(30, 4)), 8)
    N, degrees = 30, P.sum(axis=1)
    L = np.diag(degrees) - P
    values, vectors = np.linalg.eigh(L)
    h = 1 / (4 * alpha * values[-1])
    T = np.eye(N) - 4 * h * alpha * L + 4 * h / (N - 1) * (np.eye(N) - 1 / N)
    for size in (1.0, 0.1):
        Y = rng.normal(size=(N, 2))
        Y *= size / pdist(Y).max()
        rest = Y - h * tsne_gradient(P, Y, exaggeration=alpha) - T @ Y
        bound = 4 * h * size**3 * (alpha * degrees + 2 / N)
        assert np.all(np.linalg.norm(rest, axis=1) <= bound + 1e-14)
    tau = 1 - 4 * h * alpha * values + 4 * h / (N - 1)
    start = rng.normal(size=(N, 2))
    start -= start.mean(axis=0)

    def tangent(Y):
        return np.linalg.norm(vectors[:, 3:].T @ Y @ np.linalg.inv(vectors[:, 1:3].T @ Y), 2)

    after = np.linalg.matrix_power(T, 20) @ start
    assert tangent(after) <= (tau[3] / tau[2]) ** 20 * tangent(start) * (1 + 1e-6)


@pytest.mark.claim("thm-neighbor-embeddings-umap")
@few
@given(seeds)
def test_the_forces_of_umap_are_those_of_its_cost(seed):
    rng = np.random.default_rng(seed)
    W = fuzzy_weights(rng.normal(size=(12, 3)), 4).toarray()
    omega, Y = repulsion_weights(W), rng.normal(size=(12, 2))
    curve = membership_curve(0.1)
    gradient = umap_gradient(W, omega, Y, curve)
    for i in (0, 5):
        step = np.zeros_like(Y)
        step[i, 1] = 1e-6
        change = umap_cost(W, omega, Y + step, curve) - umap_cost(W, omega, Y - step, curve)
        assert change / 2e-6 == pytest.approx(gradient[i, 1], rel=1e-4, abs=1e-5)


def test_memberships_are_a_fuzzy_union_with_the_asked_sums():
    X = groups(1)
    W = fuzzy_weights(X, 8).toarray()
    np.testing.assert_allclose(W, W.T)
    assert W.min() >= 0
    assert W.max() <= 1 + 1e-12
    far = squareform(pdist(X))
    nearest = np.sort(far, axis=1)[:, 1]
    joined = far == nearest[:, None]
    np.testing.assert_allclose(W[joined], 1)  # the nearest neighbour is a neighbour for sure
    assert membership_curve(0.1) == pytest.approx((1.577, 0.895), abs=1e-3)  # as printed by umap-learn


@pytest.mark.parametrize(
    "method", [lambda X: tsne(X, 2, perplexity=10), lambda X: umap(X, 2, n_neighbors=30)]
)
def test_groups_are_separated_in_at_least_nine_of_ten_samples(method):
    separated = 0
    for seed in range(10):
        Y = method(groups(seed)).embedding
        far = squareform(pdist(Y))
        np.fill_diagonal(far, np.inf)
        labels = np.repeat(np.arange(3), 25)
        separated += np.all(labels[far.argmin(axis=1)] == labels)
    assert separated >= 9


@pytest.mark.parametrize("perplexity", [0.5, 75, float("nan"), "ten"])
def test_impossible_perplexities_are_refused(perplexity):
    with pytest.raises(ValueError, match="perplexity must be"):
        tsne(groups(0), 2, perplexity=perplexity)


def test_affinities_that_are_no_distribution_are_refused():
    with pytest.raises(ValueError, match="affinities must be"):
        tsne_cost(np.ones((4, 4)), np.ones((4, 2)))
