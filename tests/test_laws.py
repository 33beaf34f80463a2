"""Laws that every embedding method obeys. To add a method, add one line to METHODS."""

import dataclasses
import importlib
import pickle

import numpy as np
import pytest
from scipy.stats import ortho_group

D = 2  # components asked for


@dataclasses.dataclass(frozen=True)
class Method:
    """Where a method lives, how it is called, and what happens to its answer when the data are rescaled."""

    module: str
    options: dict = dataclasses.field(default_factory=dict)
    function: str = ""  # default: the module's name
    power: int | None = 1  # the embedding of s·X is s**power times that of X; None: neither
    sizes: tuple = (60, 260)  # below and above the switch from dense to iterative eigenproblems
    prepare: object = None  # turns X into what the method takes, when that is not X
    tolerance: float = 1e-6  # of Gram matrices, relative: methods of inverse problems lose digits

    def __call__(self, X):
        module = pytest.importorskip(f"dimred_ref.{self.module}")
        method = getattr(module, self.function or self.module)
        return method(self.prepare(X) if self.prepare else X, D, **self.options)


def distances(X):
    return np.linalg.norm(X[:, None] - X, axis=2)


def unit_graph(X):
    return importlib.import_module("dimred_ref.laplacian_eigenmaps").heat_kernel_weights(
        X, n_neighbors=10, gamma=0
    )


METHODS = {
    "pca": Method("pca"),
    "pca by covariance": Method("pca", function="pca_by_covariance"),
    "pca by svd": Method("pca", function="pca_by_svd"),
    "pca by gram": Method("pca", function="pca_by_gram"),
    "pca by deflation": Method("pca", function="pca_by_deflation"),
    "dual pca": Method("duality", function="dual_pca"),
    "classical mds": Method("classical_mds", prepare=distances),
    "isomap": Method("isomap", {"n_neighbors": 10}),
    "landmark isomap": Method("isomap", {"n_neighbors": 10, "n_landmarks": 25}, "landmark_isomap"),
    "lle": Method("lle", {"n_neighbors": 10}, power=0),
    "laplacian eigenmaps": Method("laplacian_eigenmaps", {"n_neighbors": 10, "gamma": 0.5}, power=None),
    "unweighted eigenmaps": Method("laplacian_eigenmaps", {}, "eigenmaps_of_graph", 0, prepare=unit_graph),
    "kernel pca": Method("kernel_pca", {"gamma": 0.2}, "rbf_kernel_pca", None),
    "mvu": Method("mvu", {"n_neighbors": 6}, sizes=(40,), tolerance=1e-4),
    "t-SNE": Method(
        "neighbor_embeddings", {"perplexity": 10, "n_steps": 120}, "tsne", power=0, tolerance=1e-4
    ),
    "modified LLE": Method("lle_variants", {"n_neighbors": 10}, "modified_lle", power=0),
    "Hessian LLE": Method("lle_variants", {"n_neighbors": 10}, "hessian_lle", power=0),
    "LTSA": Method("lle_variants", {"n_neighbors": 10}, "ltsa", power=0),
    "diffusion maps": Method("diffusion_maps", {"gamma": 0.05}, power=None),
    "metric MDS": Method("metric_mds", {"n_steps": 50}, prepare=distances),
    "UMAP": Method("umap", {"n_neighbors": 10, "n_steps": 100}, power=0, tolerance=1e-4),
    "conformal eigenmaps": Method(
        "conformal_eigenmaps", {"n_neighbors": 10}, power=0, sizes=(60,), tolerance=1e-3
    ),
}

CASES = [pytest.param(name, size, id=f"{name}, N={size}") for name, m in METHODS.items() for size in m.sizes]
# Choosing landmarks is choosing rows: another order of the samples is another choice.
ORDERLESS = [case for case in CASES if case.values[0] != "landmark isomap"]
TAKING_POINTS = [name for name, method in METHODS.items() if method.prepare is None]


def sheet(size, seed=0):
    """A bent sheet with unequal sides: neighbours and eigenvalues without ties."""
    rng = np.random.default_rng(seed)
    chart = rng.random((size, 2)) * [3, 1.3]
    bent = np.stack([2 * np.sin(chart[:, 0]), 2 * np.cos(chart[:, 0]), chart[:, 1]], axis=1)
    return bent + 0.02 * rng.standard_normal((size, 3))


def gram(embedding):
    """Dot products of the centred points: blind to signs, rotations and shifts."""
    centred = embedding - embedding.mean(axis=0)
    return centred @ centred.T


def assert_same(embedding, expected, tolerance, *, scale=1.0):
    target = scale**2 * gram(expected)
    np.testing.assert_allclose(gram(embedding), target, rtol=0, atol=tolerance * np.abs(target).max())


@pytest.mark.parametrize(("name", "size"), CASES)
def test_the_answer_is_a_frozen_record_that_begins_with_the_embedding(name, size):
    answer = METHODS[name](sheet(size))
    assert dataclasses.fields(answer)[0].name == "embedding"
    assert answer.embedding.shape == (size, D)
    assert answer.embedding.dtype == np.float64
    assert np.isfinite(answer.embedding).all()
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.embedding = None


@pytest.mark.parametrize(("name", "size"), CASES)
def test_moving_the_data_changes_nothing(name, size):
    method, X = METHODS[name], sheet(size)
    assert_same(method(X + np.array([3.0, -5.0, 2.0])).embedding, method(X).embedding, method.tolerance)


@pytest.mark.parametrize(("name", "size"), CASES)
def test_rotating_and_reflecting_the_data_changes_nothing(name, size):
    method, X = METHODS[name], sheet(size)
    rotation = ortho_group.rvs(3, random_state=np.random.default_rng(1))
    for turned in (X @ rotation, X * [1, -1, 1]):
        assert_same(method(turned).embedding, method(X).embedding, method.tolerance)


@pytest.mark.parametrize("factor", [1e-3, 7.0])
@pytest.mark.parametrize(("name", "size"), CASES)
def test_rescaling_the_data_rescales_the_embedding_as_declared(name, size, factor):
    method, X = METHODS[name], sheet(size)
    if method.power is None:
        changed = gram(method(7 * X).embedding), gram(method(X).embedding)
        assert np.abs(changed[0] - changed[1]).max() > 1e-3 * np.abs(changed[1]).max()
        return
    scale = factor**method.power
    assert_same(method(factor * X).embedding, method(X).embedding, method.tolerance, scale=scale)


@pytest.mark.parametrize(("name", "size"), ORDERLESS)
def test_reordering_the_samples_reorders_the_embedding(name, size):
    method, X = METHODS[name], sheet(size)
    order = np.random.default_rng(2).permutation(size)
    assert_same(method(X[order]).embedding, method(X).embedding[order], method.tolerance)


@pytest.mark.parametrize(("name", "size"), CASES)
def test_the_same_data_give_the_same_bytes(name, size):
    method, X = METHODS[name], sheet(size)
    assert method(X).embedding.tobytes() == method(X.copy()).embedding.tobytes()


@pytest.mark.parametrize(("name", "size"), CASES)
def test_no_method_writes_into_its_arguments(name, size):
    method, X = METHODS[name], sheet(size)
    before = X.copy()
    X.flags.writeable = False
    method(X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("name", METHODS)
def test_later_changes_of_the_data_change_no_answer(name):
    method, X = METHODS[name], sheet(METHODS[name].sizes[0])
    answer = method(X)
    before = pickle.dumps(answer)
    X[:] = 7.0
    assert pickle.dumps(answer) == before


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int16])
@pytest.mark.parametrize("name", TAKING_POINTS)
def test_other_real_types_are_computed_in_float64(name, dtype):
    method = METHODS[name]
    X = np.round(1000 * sheet(method.sizes[0])).astype(dtype)
    if method.module in ("kernel_pca", "laplacian_eigenmaps", "diffusion_maps"):
        X = (
            (X / 1000).astype(dtype) if dtype == np.float32 else X // 250
        )  # their scale is part of the options
    np.testing.assert_array_equal(method(X).embedding, method(X.astype(np.float64)).embedding)


LAYOUTS = {
    "by columns": np.asfortranarray,
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "every other row and column": lambda X: np.repeat(np.repeat(X, 2, 0), 2, 1)[::2, ::2],
    "other end first": lambda X: X.astype(">f8"),
    "long double": lambda X: X.astype(np.longdouble),
    "masked nowhere": np.ma.masked_array,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", TAKING_POINTS)
def test_how_the_samples_lie_in_memory_does_not_matter(name, layout):
    method, X = METHODS[name], sheet(METHODS[name].sizes[-1])
    assert_same(method(LAYOUTS[layout](X)).embedding, method(X).embedding, method.tolerance)


@pytest.mark.parametrize("name", TAKING_POINTS)
def test_lists_are_accepted(name):
    method = METHODS[name]
    X = sheet(method.sizes[0])
    np.testing.assert_array_equal(method(X.tolist()).embedding, method(X).embedding)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X: np.where(X == X[3, 1], np.nan, X), "X"),
        (lambda X: np.where(X == X[3, 1], np.inf, X), "X"),
        (lambda X: X.astype(complex), "X must hold real numbers"),
        (lambda X: X.astype(str), "X must hold real numbers"),
        (lambda X: X.astype(object), "X must hold real numbers"),
        (lambda X: X[:, 0], r"X must be a matrix"),
        (lambda X: X[None], r"X must be a matrix"),
        (lambda X: X * 1e200, "X must .* squares can be summed"),
        (lambda X: X * 1e-200, "X must .* squares can be summed"),
        (lambda X: np.ma.masked_greater(X, X[3, 1]), "X must have no masked entries"),
        (lambda X: [*X.tolist(), [0.0]], "X must have rows of equal length"),
        (lambda X: X[:1], "X must have at least"),
        (lambda X: X[:0], "X must have at least"),
    ],
    ids=[
        *("nan", "inf", "complex", "strings", "objects", "1-D", "3-D", "huge", "tiny", "masked", "ragged"),
        *("one sample", "no sample"),
    ],
)
@pytest.mark.parametrize("name", TAKING_POINTS)
def test_data_that_are_no_finite_real_matrix_are_refused_by_name(name, spoil, message):
    with pytest.raises(ValueError, match=message):
        METHODS[name](spoil(sheet(METHODS[name].sizes[0])))


@pytest.mark.parametrize("count", [0, -1, 10_000, 1.0, "2", None, True])
@pytest.mark.parametrize("name", METHODS)
def test_a_number_of_components_out_of_bounds_is_refused_by_name(name, count, monkeypatch):
    monkeypatch.setattr(f"{__name__}.D", count)
    with pytest.raises(ValueError, match="n_components must be"):
        METHODS[name](sheet(METHODS[name].sizes[0]))
