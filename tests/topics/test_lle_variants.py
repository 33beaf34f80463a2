"""Claims about modified LLE, Hessian LLE and local tangent space alignment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.manifold import LocallyLinearEmbedding

from dimred_ref.datasets import sheet_with_hole, swiss_roll
from dimred_ref.graph import nearest_neighbors
from dimred_ref.lle_variants import hessian_lle, ltsa, modified_lle, weight_vectors

seeds = st.integers(0, 10_000)
few = settings(max_examples=15, deadline=None)


def projector(Y):
    basis = np.linalg.qr(Y)[0]
    return basis @ basis.T


def affine_error(Y, truth):
    frame = np.column_stack([np.ones(len(Y)), Y])
    residual = truth - frame @ np.linalg.lstsq(frame, truth, rcond=None)[0]
    return np.linalg.norm(residual) / np.linalg.norm(truth - truth.mean(axis=0))


@pytest.mark.parametrize("size", [120, 350])
@pytest.mark.parametrize(("ours", "theirs"), [(modified_lle, "modified"), (ltsa, "ltsa"), (ltsa, "hessian")])
def test_maps_agree_with_scikit_learn(ours, theirs, size):
    """Their "hessian" takes all columns of a full QR factorisation: it is LTSA."""
    X = sheet_with_hole(size, seed=4).X
    peer = LocallyLinearEmbedding(n_neighbors=10, n_components=2, method=theirs, eigen_solver="dense")
    np.testing.assert_allclose(
        projector(ours(X, 2, n_neighbors=10).embedding), projector(peer.fit_transform(X)), atol=1e-8
    )


@pytest.mark.claim("thm-lle-variants-null")
@few
@given(seeds, st.integers(6, 11))
def test_charges_are_residuals_and_hessian_charges_no_more(seed, k):
    rng = np.random.default_rng(seed)
    chart = rng.random((60, 2))
    X = np.column_stack([chart, np.sin(2 * chart[:, 0])])
    y = rng.normal(size=60)
    try:
        tangents, curved = ltsa(X, 2, n_neighbors=k), hessian_lle(X, 2, n_neighbors=k)
    except ValueError:
        return  # several pieces
    charge = least = 0.0
    for around in nearest_neighbors(X, k)[1]:
        T = np.linalg.svd(X[around] - X[around].mean(axis=0))[0][:, :2]
        affine = np.column_stack([np.ones(k), T])
        quadratic = np.column_stack([affine, T**2, T[:, 0] * T[:, 1]])
        straight, bent = (
            y[around] - A @ np.linalg.lstsq(A, y[around], rcond=None)[0] for A in (affine, quadratic)
        )
        charge += straight @ straight
        least += straight @ straight - bent @ bent
    assert y @ (tangents.matrix @ y) == pytest.approx(charge)
    assert y @ (curved.matrix @ y) == pytest.approx(least)
    if k == 6:
        np.testing.assert_allclose(tangents.matrix.toarray(), curved.matrix.toarray(), atol=1e-9)


@pytest.mark.claim("thm-lle-variants-null")
@pytest.mark.parametrize("method", [ltsa, hessian_lle])
@pytest.mark.parametrize("seed", range(5))
def test_flat_data_come_back_up_to_an_affine_map(method, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((120, 2)) @ rng.normal(size=(2, 6))
    assert affine_error(method(X, 2, n_neighbors=14).embedding, X) < 1e-5


@pytest.mark.claim("thm-lle-variants-modified")
@few
@given(seeds, st.integers(1, 4))
def test_weight_vectors_sum_to_one_and_mix_perfectly(seed, count):
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(6, 2))  # k = 6 neighbours in the plane: four null directions
    values, vectors = np.linalg.eigh(differences @ differences.T)
    values = np.maximum(values, 0)
    W = weight_vectors(values[::-1], vectors[:, ::-1], count, 1e-10)
    np.testing.assert_allclose(W.sum(axis=0), 1)
    np.testing.assert_allclose(differences.T @ W, 0, atol=1e-6)
    assert W.shape == (6, count)


def test_modified_lle_unrolls_in_at_least_nine_of_ten_samples():
    recovered = []
    for seed in range(10):
        roll = swiss_roll(800, seed=seed)
        near = nearest_neighbors(roll.X, 8)[1]
        if np.abs(roll.coordinates[near, 0] - roll.coordinates[:, None, 0]).max() < 8:
            recovered.append(
                affine_error(modified_lle(roll.X, 2, n_neighbors=8).embedding, roll.coordinates) < 0.1
            )
    assert len(recovered) >= 5
    assert np.mean(recovered) >= 0.9


def test_holes_are_kept_in_at_least_nine_of_ten_samples():
    sheets = [sheet_with_hole(500, seed=seed) for seed in range(10)]
    for method in (modified_lle, ltsa):
        errors = [affine_error(method(s.X, 2, n_neighbors=12).embedding, s.coordinates) for s in sheets]
        assert np.sum(np.array(errors) < 0.02) >= 9


def test_too_few_neighbours_for_a_hessian_are_refused():
    with pytest.raises(ValueError, match="n_neighbors must be between 6"):
        hessian_lle(sheet_with_hole(50).X, 2, n_neighbors=5)
