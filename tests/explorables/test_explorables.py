"""Pictures that the page computes: laws of their library under node, and agreement with the reference."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from autograder.book.formulas import node_program
from autograder.book.sphinx.explorables import add_loader
from autograder.book.sphinx.practice import published
from dimred_ref.classical_mds import gram_spectrum
from dimred_ref.datasets import digits, swiss_roll
from dimred_ref.graph import knn_graph, largest_component, nearest_neighbors
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import centred_kernel, rbf_kernel, rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph
from dimred_ref.least_squares import min_norm_solution, ridge
from dimred_ref.lle import lle_weights
from dimred_ref.mvu import certify_mvu, mvu_on_graph
from dimred_ref.pca import pca
from dimred_ref.quality import residual_variance
from dimred_ref.svd import thin_svd
from tests.conftest import ROOT

HERE = Path(__file__).parent
SCRIPTS = ROOT / "book/_static/explore"
PICTURES = sorted(path.stem for path in SCRIPTS.glob("*.mjs") if path.stem != "load")
MAX_SCRIPT_BYTES = 6000  # of a picture as readers fetch it, before compression
PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
N_STATES = 20
TOLERANCE = 1e-8

needs_node = pytest.mark.skipif(node_program() is None, reason="node is not installed")


def ask(states):
    """Hand states to the pictures under node and return what they would show."""
    answer = subprocess.run(
        [node_program(), HERE / "answer.mjs"],
        input=json.dumps(states),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return json.loads(answer.stdout)


def close(value, expected):
    np.testing.assert_allclose(value, expected, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@needs_node
def test_laws_of_the_library_hold():
    run = subprocess.run(
        [node_program(), "--test", HERE / "laws.test.mjs"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout[-3000:]


@needs_node
def test_cloud_agrees_with_pca(rng):
    clouds = [rng.standard_normal((40, 2)) @ rng.standard_normal((2, 2)) + 3 for _ in range(N_STATES)]
    answers = ask([{"picture": "cloud", "points": X.ravel().tolist()} for X in clouds])
    for X, answer in zip(clouds, answers, strict=True):
        fit = pca(X, 2)
        close(answer["variances"], fit.variances)
        close(answer["share"], fit.variances[0] / fit.total_variance)
        close(answer["mean"], fit.mean)
        close(np.abs(np.reshape(answer["axes"], (2, 2)).T @ fit.axes), np.eye(2))


@needs_node
def test_roll_agrees_with_isomap(rng):
    states, samples = [], []
    for seed in range(N_STATES):
        sample = swiss_roll(150 + 10 * seed, noise=0.05 * seed, seed=seed)
        k = 6 + seed % 7
        samples.append((sample, k))
        angles = rng.uniform(4, 14, len(sample.X))
        states.append(
            {"picture": "roll", "points": sample.X.ravel().tolist(), "k": k, "angles": angles.tolist()}
        )
        states[-1]["sheet"] = sample.coordinates.ravel().tolist()
    for (sample, k), state, answer in zip(samples, states, ask(states), strict=True):
        graph = knn_graph(sample.X, k)
        upper = graph.tocoo()
        edges = sorted((int(i), int(j)) for i, j in zip(upper.row, upper.col, strict=True) if i < j)
        assert sorted(map(tuple, answer["pairs"])) == edges
        angles = np.array(state["angles"])
        assert len(answer["short"]) == sum(abs(angles[i] - angles[j]) > np.pi for i, j in edges)
        members = largest_component(graph)
        assert answer["members"] == members.tolist()
        if len(members) < len(sample.X):
            continue
        fit = isomap(sample.X, 2, n_neighbors=k)
        close(np.array(answer["values"]) / fit.eigenvalues, 1)
        lengths, expected = pdist(np.reshape(answer["embedding"], (-1, 2))), pdist(fit.embedding)
        close(lengths / expected.max(), expected / expected.max())
        close(answer["lost"], residual_variance(squareform(pdist(sample.coordinates)), fit.embedding))


@needs_node
def test_table_agrees_with_the_spectrum_of_the_gram_matrix(rng):
    states = [{"picture": "table", "lengths": rng.uniform(0.5, 8, 6).tolist()} for _ in range(N_STATES)]
    n_negative = 0
    for state, answer in zip(states, ask(states), strict=True):
        table = np.zeros((4, 4))
        table[tuple(np.transpose(PAIRS))] = state["lengths"]
        table += table.T
        spectrum = gram_spectrum(table)
        close(answer["values"], spectrum)
        n_negative += spectrum[-1] < -1e-6
        Y = np.reshape(answer["embedding"], (4, 2))
        gram = -0.5 * (np.eye(4) - 0.25) @ table**2 @ (np.eye(4) - 0.25)
        values, vectors = np.linalg.eigh(gram)
        close(Y @ Y.T, vectors[:, 2:] * np.maximum(values[2:], 0) @ vectors[:, 2:].T)
        close(answer["mapped"], [np.linalg.norm(Y[i] - Y[j]) for i, j in PAIRS])
    assert 0 < n_negative


@needs_node
def test_spectrum_agrees_with_the_svd(rng):
    images = digits().X[rng.integers(0, 1700, N_STATES)]
    whole = ask([{"picture": "spectrum", "digit": image.tolist()} for image in images])
    cut = [rng.uniform(0, 2, 8) * answer["values"] for answer in whole]
    changed = ask(
        [
            {"picture": "spectrum", "digit": image.tolist(), "values": values.tolist()}
            for image, values in zip(images, cut, strict=True)
        ]
    )
    for image, values, before, after in zip(images, cut, whole, changed, strict=True):
        parts = thin_svd(image.reshape(8, 8))
        close(before["values"], parts.singular_values)
        close(before["rebuilt"], image)
        close(after["error"], np.linalg.norm(values - parts.singular_values))
        close(after["share"], after["error"] ** 2 / (image @ image))


@needs_node
def test_fit_agrees_with_ridge_and_least_squares(rng):
    states = [
        {
            "picture": "fit",
            "t": rng.uniform(-1, 1, 8).tolist(),
            "y": rng.standard_normal(8).tolist(),
            "degree": 1 + i % 5,
            "penalty": 0 if i % 3 == 0 else 10.0 ** (i % 6 - 4),
        }
        for i in range(N_STATES)
    ]
    for state, answer in zip(states, ask(states), strict=True):
        t, y = np.array(state["t"]), np.array(state["y"])
        powers = t[:, None] ** np.arange(1, state["degree"] + 1)
        X, heights = powers - powers.mean(axis=0), y - y.mean()
        a = ridge(X, heights, state["penalty"]) if state["penalty"] else min_norm_solution(X, heights)
        close(answer["coefficients"], a)
        close(answer["error"], np.sum((heights - X @ a) ** 2))
        close(answer["length"], np.linalg.norm(a))


@needs_node
def test_matrix_agrees_with_the_svd(rng):
    matrices = [*rng.standard_normal((N_STATES, 2, 2)), np.array([[1.0, -0.5], [2.0, -1.0]])]
    answers = ask([{"picture": "matrix", "matrix": A.ravel().tolist()} for A in matrices])
    assert {np.sign(answer["determinant"]) for answer in answers} == {-1, 0, 1}
    for A, answer in zip(matrices, answers, strict=True):
        close(answer["values"], thin_svd(A).singular_values)
        close(answer["determinant"], np.linalg.det(A))
        close(answer["whole"], A.ravel())


@needs_node
def test_view_agrees_with_pca(rng):
    clouds = [rng.standard_normal((60, 3)) @ rng.standard_normal((3, 3)) for _ in range(N_STATES)]
    states = [
        {"picture": "view", "points": X.ravel().tolist(), "yaw": rng.normal(), "pitch": rng.normal()}
        for X in clouds
    ]
    for X, answer in zip(clouds, ask(states), strict=True):
        fit = pca(X, 3)
        best = fit.variances[:2].sum() / fit.total_variance
        close([answer["best"], answer["bestShown"]], [best, best])
        axes = np.array(answer["axes"])
        close(axes @ axes.T, np.eye(2))
        close(answer["shown"], np.var(X @ axes.T, axis=0).sum() / fit.total_variance)


@needs_node
def test_recipe_agrees_with_the_weights_of_lle(rng):
    states = [
        {
            "picture": "recipe",
            "points": rng.standard_normal(14).tolist(),
            "k": 1 + i % 6,
            "regularisation": 0 if i % 6 < 2 else 10.0 ** (i % 4 - 4),
        }
        for i in range(N_STATES)
    ]
    for state, answer in zip(states, ask(states), strict=True):
        X, k = np.reshape(state["points"], (7, 2)), state["k"]
        neighbors = nearest_neighbors(X, k)[1]
        assert answer["neighbours"] == neighbors[0].tolist()
        weights = lle_weights(X, neighbors, state["regularisation"])[[0]].toarray()[0]
        close(answer["weights"], weights[neighbors[0]])
        close(answer["error"], np.linalg.norm(X[0] - weights @ X))


@needs_node
def test_recipe_is_unique_inside_a_triangle_and_not_beyond(rng):
    corners = np.array([[0.1, 0.2], [1.0, 0.0], [-1.0, 1.0], [0.0, -1.5], [3.0, 3.0]])
    points = corners.ravel().tolist()
    states = [{"picture": "recipe", "points": points, "k": k, "regularisation": 0} for k in (3, 4)]
    unique, many = ask(states)
    mixture = np.array(unique["weights"]) @ corners[unique["neighbours"]]
    close([*mixture, sum(unique["weights"])], [*corners[0], 1])
    assert many["weights"] is None


@needs_node
def test_modes_agree_with_eigenmaps(rng):
    states, graphs = [], []
    for i in range(N_STATES):
        graph = knn_graph(rng.standard_normal((16 + i, 2)), 5)
        members = largest_component(graph)
        weights = (graph[members][:, members] > 0).astype(float).toarray()
        edges = np.argwhere(np.triu(weights) > 0)
        graphs.append(weights)
        states.append(
            {"picture": "modes", "n": len(members), "edges": edges.tolist(), "vertex": i % 7, "time": 0.3 * i}
        )
    for state, weights, answer in zip(states, graphs, ask(states), strict=True):
        fit = eigenmaps_of_graph(weights, len(weights) - 1)
        close(answer["values"], [0, *fit.eigenvalues])
        degrees = weights.sum(axis=1)
        flat = np.full((len(weights), 1), degrees.sum() ** -0.5)
        Y = np.hstack([flat, fit.embedding])
        vertex = state["vertex"]
        # within an eigenspace of several dimensions a basis is free: compare sums
        spaces = np.cumsum(np.diff(answer["values"], prepend=0) > 1e-6)
        close(np.bincount(spaces, answer["shares"]), np.bincount(spaces, degrees[vertex] * Y[vertex] ** 2))
        close(sum(answer["shares"]), 1)
        frequencies = np.sqrt(np.maximum([0, *fit.eigenvalues], 0))
        close(answer["swing"], Y @ (np.cos(frequencies * state["time"]) * degrees[vertex] * Y[vertex]))


@needs_node
def test_kernel_agrees_with_rbf_kernel_pca(rng):
    samples = [(rng.standard_normal((40, 2)), 10.0 ** rng.uniform(-2, 1)) for _ in range(N_STATES)]
    classes = rng.integers(0, 2, 40)
    states = [
        {"picture": "kernel", "points": X.ravel().tolist(), "gamma": gamma, "classes": classes.tolist()}
        for X, gamma in samples
    ]
    for (X, gamma), answer in zip(samples, ask(states), strict=True):
        fit = rbf_kernel_pca(X, 2, gamma=gamma)
        close(answer["values"][:2], fit.eigenvalues)
        trace = np.trace(centred_kernel(rbf_kernel(X, X, gamma=gamma)))
        close(answer["share"], fit.eigenvalues.sum() / trace)
        close(pdist(np.reshape(answer["embedding"], (-1, 2))), pdist(fit.embedding))
        y = fit.embedding[:, 0]
        rights = np.array([np.mean((y > cut) == classes) for cut in np.array(answer["embedding"][::2])])
        if y @ answer["embedding"][::2] > 0:
            close(answer["cut"], max(rights.max(), 1 - rights.min()))


@needs_node
def test_unfold_agrees_with_the_certificate_of_mvu(rng):
    states = []
    for i in range(N_STATES):
        points = rng.standard_normal((12, 2))
        graph = knn_graph(points, 3).tocoo()
        pairs = np.column_stack([graph.row, graph.col])[graph.row < graph.col]
        squares = graph.data[graph.row < graph.col] ** 2
        tensions = rng.uniform(0, 2, len(pairs)) if i else np.zeros(len(pairs))
        states.append(
            {
                "picture": "unfold",
                "points": (1.3 * points + 0.1 * rng.standard_normal((12, 2))).ravel().tolist(),
                "tensions": tensions.tolist(),
                "pairs": pairs.tolist(),
                "squares": squares.tolist(),
            }
        )
    for state, answer in zip(states, ask(states), strict=True):
        points = np.reshape(state["points"], (-1, 2))
        proof = certify_mvu(points, state["pairs"], state["squares"], state["tensions"])
        close(answer["lower"], proof.lower_bound)
        # JSON has no infinity
        close(answer["upper"] or np.inf, proof.upper_bound)


@needs_node
def test_a_pulled_net_comes_to_the_certified_optimum():
    angles = np.sqrt(np.linspace(4, 110, 14))
    points = angles[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]) / 4
    pairs = [(i, i + 1) for i in range(13)] + [(i, i + 2) for i in range(12)]
    squares = [float(np.sum((points[i] - points[j]) ** 2)) for i, j in pairs]
    state = {"picture": "unfold", "points": points.ravel().tolist(), "tensions": [0.0] * len(pairs)}
    [answer] = ask([{**state, "pairs": pairs, "squares": squares, "isPulled": True}])
    best = mvu_on_graph(pairs, squares, 2, n_points=14).certificate
    assert answer["lower"] <= best.upper_bound * (1 + 1e-9)
    assert best.lower_bound <= answer["upper"] * (1 + 1e-9)
    assert answer["upper"] / answer["lower"] - 1 < 1e-4


@needs_node
def test_linked_neighbours_agree_with_the_reference(rng):
    states = []
    for i in range(N_STATES):
        X, Y = rng.standard_normal((50, 3)), rng.standard_normal((50, 2))
        chosen = rng.choice(50, 7, replace=False).tolist()
        states.append(
            {"picture": "linked", "points": X.ravel().tolist(), "map": Y.ravel().tolist(), "k": 3 + i % 5}
        )
        states[-1]["chosen"] = chosen
    for state, answer in zip(states, ask(states), strict=True):
        k, chosen = state["k"], state["chosen"]
        in_data = nearest_neighbors(np.reshape(state["points"], (-1, 3)), k)[1]
        on_map = nearest_neighbors(np.reshape(state["map"], (-1, 2)), k)[1]
        assert answer["brushed"] == [chosen[0], *on_map[chosen[0]].tolist()]
        n_kept = sum(len(set(in_data[i]) & set(on_map[i])) for i in chosen)
        close(answer["share"], n_kept / (k * len(chosen)))


@needs_node
def test_published_scripts_still_load(tmp_path):
    shutil.copytree(SCRIPTS, tmp_path / "book/_static/explore")
    for path in (tmp_path / "book/_static/explore").rglob("*.mjs"):
        path.write_text(published(path.read_text("utf-8")), "utf-8")
    (tmp_path / "tests/explorables").mkdir(parents=True)
    for name in ("laws.test.mjs", "answer.mjs"):
        shutil.copy(HERE / name, tmp_path / "tests/explorables")
    folder = tmp_path / "tests/explorables"
    run = subprocess.run([node_program(), "--test", folder / "laws.test.mjs"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:]
    answer = subprocess.run(
        [node_program(), folder / "answer.mjs"], input="[]", capture_output=True, text=True, check=False
    )
    assert answer.stdout == "[]", answer.stderr


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_asks_no_other_host(name):
    text = (SCRIPTS / f"{name}.mjs").read_text("utf-8")
    assert len(published(text)) < MAX_SCRIPT_BYTES
    assert "http" not in text
    assert set(re.findall(r'from "([^"]+)"', text)) <= {
        f"./lib/{path.name}" for path in (SCRIPTS / "lib").glob("*.mjs")
    }


@pytest.fixture
def pictures(monkeypatch):
    """The module of the book that draws the stills."""
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    from _figures import explorable_pictures

    yield explorable_pictures
    for name in [name for name in sys.modules if name.partition(".")[0] == "_figures"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_has_a_still_a_question_and_a_wrong_thing(pictures, name):
    text = getattr(pictures, name)().data
    assert f'data-explorable="{name}"' in text
    assert re.search(r'<p class="question">[^<]+\?</p>', text)
    assert re.search(r'<svg class="still" viewBox="[\d .-]+" role="img" aria-label="[^"]{20,}"', text)
    data = re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    assert json.loads(data[1])
    assert "nan" not in text.lower().replace("dominant", "")
    assert "stage.wrong(" in (SCRIPTS / f"{name}.mjs").read_text("utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_stands_on_a_page(name):
    pages = [
        path for path in (ROOT / "book").glob("*.md") if f"explorable_pictures.{name}()" in path.read_text()
    ]
    assert len(pages) == 1


def test_a_seed_that_was_chosen_is_called_chosen(pictures):
    from _figures import explorable_maps as maps

    sample = swiss_roll(300, seed=maps.ROLL_SEED)
    angles = np.hypot(sample.X[:, 0], sample.X[:, 2])

    def n_short_cuts(k):
        graph = knn_graph(sample.X, k).tocoo()
        return int((np.abs(angles[graph.row] - angles[graph.col]) > np.pi).sum()) // 2

    assert [n_short_cuts(k) for k in (4, 5, maps.CLEAN_K)] == [0, 0, 0]
    assert n_short_cuts(maps.WRONG_K) > 0
    assert "<em>chosen</em>" in pictures.roll().data


class Assets:
    """Remember what a page was given."""

    def __init__(self):
        self.files = []

    def add_css_file(self, name):
        self.files.append(name)

    def add_js_file(self, name, **attributes):
        self.files.append((name, attributes))


@pytest.mark.parametrize(("body", "n_files"), [('<figure data-explorable="cloud">', 2), ("<p>text</p>", 0)])
def test_only_a_page_with_an_explorable_gets_the_loader(body, n_files):
    assets = Assets()
    add_loader(assets, "book/pca", "page.html", {"body": body}, None)
    assert len(assets.files) == n_files
