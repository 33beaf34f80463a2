"""`import dimred_ref as dr; dr.pca(X, 2)`: in every order of imports, and what a user sees of the package."""

import ast
import inspect
import pickle
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module

import numpy as np
import pytest

import dimred_ref as dr
from dimred_ref._result import Result
from dimred_ref.datasets import swiss_roll
from tests.conftest import ROOT

ORDERS = {
    "package, then function": "import dimred_ref as dr; from dimred_ref.pca import pca",
    "function, then package": "from dimred_ref.pca import pca; import dimred_ref as dr",
    "module again": "import dimred_ref as dr; dr.pca; import dimred_ref.pca; from dimred_ref.pca import pca",
    "module only": "import dimred_ref.pca; import dimred_ref as dr; from dimred_ref.pca import pca",
    "by its user": "from dimred_ref.practice import scores; import dimred_ref as dr; from dimred_ref.pca import pca",
    "from the package": "from dimred_ref import pca; import dimred_ref as dr",
    "all": "from dimred_ref import *; import dimred_ref as dr",
}


@pytest.mark.parametrize("order", ORDERS)
def test_the_function_has_its_name_in_every_order_of_imports(order):
    code = f"""
{ORDERS[order]}
import sys
from types import FunctionType, ModuleType
assert type(dr.pca) is FunctionType and dr.pca is pca, dr.pca
assert type(sys.modules["dimred_ref.pca"]) is ModuleType
from dimred_ref.pca import PCA
assert type(dr.pca([[0.0, 1], [1, 3], [2, 2]], 1)) is PCA
import importlib
assert importlib.reload(sys.modules["dimred_ref.pca"]).pca and type(dr.pca) is FunctionType
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_importing_the_package_loads_neither_scipy_nor_a_topic():
    code = "import sys, dimred_ref; assert not [m for m in sys.modules if m.startswith(('scipy', 'dimred_ref.'))]"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_every_public_name_is_there_and_in_the_docstring():
    for name in dr.__all__:
        assert callable(getattr(dr, name)), name
        assert re.search(rf"\b{name}\b", dr.__doc__) or name in ("eigenmaps_of_graph", "standardised"), name
        assert name in dir(dr)
    assert re.fullmatch(r"\d+\.\d+.*", dr.__version__)
    assert dr.datasets.swiss_roll is swiss_roll
    with pytest.raises(AttributeError, match="no attribute 'trimap'"):
        dr.trimap  # noqa: B018


def test_type_checkers_see_the_same_names():
    stub = ast.parse((ROOT / "dimred_ref" / "__init__.pyi").read_text("utf-8"))
    seen = {
        alias.asname: node.module.removeprefix("dimred_ref.")
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == dr._MODULE_OF


@pytest.mark.parametrize("name", dr.__all__)
def test_docstrings_name_every_parameter_and_what_is_returned(name):
    function = getattr(dr, name)
    text = inspect.getdoc(function)
    assert re.search(r"^Parameters\n-{10}$", text, re.MULTILINE), name
    assert re.search(r"^Returns\n-{7}$", text, re.MULTILINE), name
    described = text.partition("Parameters\n")[2].partition("Returns\n")[0]
    for parameter in inspect.signature(function).parameters:
        assert re.search(rf"^{parameter}(, \w+)* : ", described, re.MULTILINE) or re.search(
            rf"^(\w+, )*{parameter}(, \w+)* : ", described, re.MULTILINE
        ), f"{name}: {parameter}"


def fits():
    X = swiss_roll(60, seed=0).X
    return {
        "pca": dr.pca(X, 2),
        "dual_pca": dr.dual_pca(X, 2),
        "classical_mds": dr.classical_mds(np.linalg.norm(X[:, None] - X, axis=2), 2),
        "rbf_kernel_pca": dr.rbf_kernel_pca(X, 2, gamma=0.01),
        "isomap": dr.isomap(X, 2, n_neighbors=12),
        "lle": dr.lle(X, 2, n_neighbors=12),
        "laplacian_eigenmaps": dr.laplacian_eigenmaps(X, 2, n_neighbors=12, gamma=0.01),
        "mvu": dr.mvu(X, 2, n_neighbors=12),
        "standardisation": dr.standardisation(X),
        "pca_of_blocks": dr.pca_of_blocks([X], 2),
        "rigid_alignment": dr.rigid_alignment(X, X),
    }


def test_results_are_equal_to_themselves_and_to_their_copies_and_to_nothing_else():
    for name, fit in fits().items():
        assert (fit == fit) is True, name
        assert fit == pickle.loads(pickle.dumps(fit)), name
        assert fit != 3
        assert fit != "PCA"
    assert dr.pca(np.eye(3), 1) != dr.pca(np.eye(3) * 2, 1)
    assert (dr.pca(np.eye(3), 1) == np.eye(3)) is False
    assert (np.eye(3) != dr.pca(np.eye(3), 1)) is True
    assert dr.pca(np.eye(3), 1) != dr.pca(np.eye(3), 2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(dr.pca(np.eye(3), 1))


DATA_SETS = {
    "gaussian_cloud": {"n_samples": 5, "mean": [0, 1], "covariance": np.eye(2)},
    "hidden_plane": {"n_samples": 5, "n_features": 3},
    "batch_effect": {"n_samples": 6, "n_features": 3},
    "genotypes": {"n_samples": 6, "n_variants": 3},
    **{name: {} for name in ("digits", "penguins", "airports")},
}


OWN = [f for f in vars(dr.datasets).values() if getattr(f, "__module__", "") == dr.datasets.__name__]
MAKERS = [f.__name__ for f in OWN if inspect.isfunction(f) and not f.__name__.startswith("_")]


@pytest.mark.parametrize("name", MAKERS)
def test_data_sets_are_equal_when_their_entries_are(name):
    make, options = getattr(dr.datasets, name), DATA_SETS.get(name, {"n_samples": 6})
    data = make(**options)
    assert (data == make(**options)) is True
    assert (data == 3) is False
    assert len(repr(data)) < 400
    if "seed" in inspect.signature(make).parameters:
        assert (data != make(**options, seed=1)) is True


def test_every_record_that_holds_arrays_is_compared_entry_by_entry():
    for module in (
        import_module(f"dimred_ref.{path.stem}") for path in (ROOT / "dimred_ref").glob("[a-z]*.py")
    ):
        for record in filter(is_dataclass, vars(module).values()):
            holds_arrays = any("Array" in str(field.type) for field in fields(record))
            assert issubclass(record, Result) or not holds_arrays, record


def test_the_text_of_a_result_is_short_and_names_its_class():
    for fit in fits().values():
        assert repr(fit).startswith(type(fit).__name__)
        assert len(repr(fit)) < 400
        assert "\n" not in repr(fit)
    assert repr(dr.pca([[0.0, 0], [2, 0]], 1)) == (
        "PCA(embedding=<2 × 1>, axes=<2 × 1>, variances=[1], mean=[1, 0], total_variance=1)"
    )


def test_a_graph_of_scikit_learn_is_accepted_once_it_is_symmetric_and_the_message_says_how():
    neighbors = pytest.importorskip("sklearn.neighbors")
    X = swiss_roll(80, seed=0).X
    directed = neighbors.kneighbors_graph(X, 10, mode="distance")
    with pytest.raises(ValueError, match=r"graph must be symmetric.*graph\.maximum\(graph\.T\)"):
        dr.shortest_paths(directed)
    np.testing.assert_allclose(
        dr.shortest_paths(directed.maximum(directed.T)), dr.shortest_paths(dr.knn_graph(X, 10))
    )


def test_the_share_of_squared_eigenvalues_chooses_the_dimension_of_classical_scaling():
    eigenvalues = [4.0, 2.0, 1.0, -1.0]
    assert [dr.n_components_for_share(eigenvalues, share) for share in (0.1, 16 / 22, 0.8, 21 / 22)] == [
        1,
        1,
        2,
        3,
    ]
    with pytest.raises(ValueError, match=r"share must be at most 0\.954545"):
        dr.n_components_for_share(eigenvalues, 0.99)
    distances = np.linalg.norm(
        np.random.default_rng(0).normal(size=(20, 1, 3)) - np.zeros((1, 20, 3)), axis=2
    )
    distances = np.abs(distances[:, 0, None] - distances[:, 0])
    assert dr.classical_mds(distances, 1).explained_share == pytest.approx(1)
