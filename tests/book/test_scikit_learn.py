"""Every box "In scikit-learn" of a chapter runs, and agrees with the reference as it says."""

import re

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from dimred_ref.classical_mds import classical_mds
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import kernel_pca, rbf_kernel
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, heat_kernel_weights
from dimred_ref.least_squares import min_norm_solution, ridge
from dimred_ref.lle import lle
from dimred_ref.lle_variants import ltsa, modified_lle
from dimred_ref.metric_mds import metric_mds
from dimred_ref.neighbor_embeddings import tsne, tsne_cost
from dimred_ref.pca import pca
from dimred_ref.ppca import log_likelihood, ppca
from dimred_ref.practice import standardised
from dimred_ref.svd import thin_svd
from dimred_ref.svd_stability import randomised_svd
from tests.conftest import ROOT

BOX = re.compile(r":::\{admonition\} In scikit-learn\n.*?```python\n(?P<code>.*?)```", re.DOTALL)
rng = np.random.default_rng(4)
X = rng.normal(size=(60, 4)) * [4.0, 2.5, 1.0, 0.5] + [3.0, -2.0, 0.0, 1.0]
GIVEN = {
    "A": X,
    "X": X,
    "Y": standardised(X),
    "y": X @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=60),
    "D": squareform(pdist(X)),
    "start": rng.normal(size=(60, 2)),
    "W": heat_kernel_weights(X, n_neighbors=8, gamma=0.05).toarray(),
}


def boxes():
    """Return the code of the box of each page that has one."""
    found = {}
    for path in sorted((ROOT / "book").glob("*.md")):
        match = BOX.search(path.read_text("utf-8"))
        if match:
            found[path.stem] = match["code"]
    return found


def assert_columns_agree(ours, theirs):
    """Compare columns up to their signs."""
    signs = np.sign(np.sum(ours * theirs, axis=0))
    np.testing.assert_allclose(ours, theirs * signs, rtol=1e-6, atol=1e-8)


def directions(columns):
    return columns / np.linalg.norm(columns, axis=0)


def check_pca_error(names):
    ours = pca(X, 2)
    assert_columns_agree(ours.embedding, names["Z"])
    np.testing.assert_allclose(ours.variances[:2] * 60 / 59, names["variances"])


def check_svd(names):
    parts = thin_svd(X)
    assert_columns_agree(parts.U[:, :2] * parts.singular_values[:2], names["Z"])
    assert np.abs(names["Z"].mean(axis=0)).max() > 1  # not centred


def check_svd_stability(names):
    ours = randomised_svd(X, 2, n_iterations=4)
    np.testing.assert_allclose(ours.singular_values, names["s"])
    assert_columns_agree(ours.V, names["Vh"].T)


def check_practice_model(names):
    model = ppca(names["Y"], 2)
    assert names["noise"] == pytest.approx(60 / 59 * model.noise)
    np.testing.assert_allclose(names["M"], 60 / 59 * model.covariance(), atol=1e-9)
    assert names["score"] < np.mean(log_likelihood(model, names["Y"]))  # ours has the likeliest divisor


def check_least_squares(names):
    np.testing.assert_allclose(min_norm_solution(X, GIVEN["y"]), names["shortest"])
    np.testing.assert_allclose(ridge(X, GIVEN["y"], 0.5), names["ridge"])


def check_practice(names):
    np.testing.assert_allclose(standardised(X), names["Y"])
    np.testing.assert_allclose(names["white"].var(axis=0, ddof=1), 1)


def check_kernel_pca(names):
    assert_columns_agree(kernel_pca(rbf_kernel(X, X, gamma=0.1), 2).embedding, names["Y"])


def check_classical_mds(names):
    assert_columns_agree(classical_mds(GIVEN["D"], 2).embedding, names["Y"])


def check_isomap(names):
    assert_columns_agree(isomap(X, 2, n_neighbors=7).embedding, names["Y"])


def check_lle(names):
    assert_columns_agree(lle(X, 2, n_neighbors=8).embedding, np.sqrt(60) * names["Y"])


def check_laplacian_eigenmaps(names):
    ours = eigenmaps_of_graph(GIVEN["W"], 2).embedding
    assert_columns_agree(directions(ours), directions(names["Y"]))


def check_lle_variants(names):
    for name, ours in (("modified", modified_lle), ("tangents", ltsa), ("hessian", ltsa)):
        assert_columns_agree(ours(X, 2, n_neighbors=10).embedding, np.sqrt(60) * names[name])


def check_metric_mds(names):
    ours = metric_mds(GIVEN["D"], 2, start=GIVEN["start"], n_steps=100, tolerance=0)
    np.testing.assert_allclose(ours.embedding, names["Y"] - names["Y"].mean(axis=0))
    assert np.isclose(ours.stress, names["stress"])


def check_neighbor_embeddings(names):
    ours = tsne(X, 2, perplexity=15)
    assert np.isclose(tsne_cost(ours.affinities, names["Y"].astype(float)), names["cost"], rtol=1e-3)
    assert 0.85 < ours.cost / names["cost"] < 1.15


CHECKS = {
    name.removeprefix("check_"): check for name, check in globals().items() if name.startswith("check_")
}


@pytest.mark.parametrize("page", sorted(CHECKS))
def test_the_call_of_the_box_agrees_with_the_reference(page):
    names = dict(GIVEN)
    exec(compile(boxes()[page], f"{page}.md", "exec"), names)
    CHECKS[page](names)


def test_every_box_has_a_check():
    assert set(boxes()) == set(CHECKS)
