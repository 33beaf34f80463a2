"""The gallery is computed, and what it says about its pictures is true of them."""

import numpy as np
import pytest
from sklearn.manifold import trustworthiness as peer

from dimred_ref.datasets import penguins
from dimred_ref.lle import lle
from dimred_ref.procrustes import similarity_alignment
from tests.conftest import ROOT
from tests.test_layout import code_of

GRAPHLESS = ("PCA", "kernel PCA")
EIGHT = (
    "swiss roll",
    "sheet with a hole",
    "closed curve",
    "twin peaks",
    "turned cat",
    "digits",
    "penguins",
    "nothing",
)


@pytest.fixture(scope="module")
def page():
    """All that the cells of the page define, run in their order."""
    names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "book"))
        patch.setenv("OPENBLAS_NUM_THREADS", "1")
        exec(compile(code_of(ROOT / "book" / "gallery.md"), "gallery.md", "exec"), names)
    return names


def column(page, cloud, measure):
    return {name: getattr(shown, measure) for name, shown in page["RESULTS"][cloud].items()}


def test_every_method_was_run_on_every_cloud(page):
    assert set(page["RESULTS"]) == {*EIGHT, "airports"}
    for cloud in EIGHT:
        assert set(page["RESULTS"][cloud]) == set(page["METHODS"])
    assert len(page["METHODS"]) == 7
    assert len(page["RESULTS"]["airports"]) == 7


def test_every_number_is_a_measurement_of_its_map(page):
    for cloud in EIGHT:
        X, chart, _ = page["CAST"][cloud]
        truth = X if chart is None else chart
        for shown in page["RESULTS"][cloud].values():
            assert shown.embedding.shape == (len(X), 2)
            assert shown.T == pytest.approx(peer(truth, shown.embedding, n_neighbors=10), abs=2e-3)  # ties
            assert shown.C == pytest.approx(peer(shown.embedding, truth, n_neighbors=10), abs=2e-3)
            assert (shown.P is None) == (chart is None)
            assert 0 <= shown.R <= 1
            assert shown.seconds >= 0


def test_the_walls_show_the_numbers_and_as_many_pictures_as_methods(page):
    wall = page["hang"]("twin peaks", "", page["peaks"].coordinates[:, 0]).data
    assert wall.count("<svg") == 8
    for shown in page["RESULTS"]["twin peaks"].values():
        assert f"T {shown.T:.2f} · C {shown.C:.2f}" in wall
        assert f"P {shown.P:.2f}" in wall


def test_three_methods_unroll_the_roll_to_scale_and_two_look_at_it_from_the_side(page):
    errors, residuals = column(page, "swiss roll", "P"), column(page, "swiss roll", "R")
    assert max(errors[name] for name in ("Isomap", "conformal eigenmaps", "MVU")) < 0.1
    assert min(errors[name] for name in GRAPHLESS) > 0.9
    for name in ("LLE", "Laplacian eigenmaps"):
        assert errors[name] > 0.5
        assert residuals[name] < 0.5 * residuals["PCA"]
    trust, kept = column(page, "swiss roll", "T"), column(page, "swiss roll", "C")
    assert all(trust[name] < kept[name] for name in GRAPHLESS)
    assert trust["PCA"] > trust["Laplacian eigenmaps"]


def test_the_hole_hurts_isomap_most_of_the_three(page):
    errors = column(page, "sheet with a hole", "P")
    assert errors["conformal eigenmaps"] < 0.5 * errors["MVU"] < errors["MVU"] < errors["Isomap"]


def test_without_a_graph_the_closed_curve_is_covered_twice(page):
    trust, kept, errors = (column(page, "closed curve", measure) for measure in "TCP")
    for name in trust:
        if name in GRAPHLESS:
            assert trust[name] < 0.5 < 0.95 < kept[name]
        else:
            assert min(trust[name], kept[name]) > 0.99
            assert errors[name] < 0.1


def test_of_twin_peaks_conformal_eigenmaps_come_nearest_to_the_square(page):
    errors = column(page, "twin peaks", "P")
    assert min(errors, key=errors.get) == "conformal eigenmaps"


def test_the_cat_turns_in_a_circle_for_three_methods_and_not_for_lle(page):
    trust, errors = column(page, "turned cat", "T"), column(page, "turned cat", "P")
    assert all(trust[name] < 0.5 for name in GRAPHLESS)
    assert max(errors[name] for name in ("Isomap", "Laplacian eigenmaps", "MVU")) < 0.05
    assert errors["LLE"] > 0.5
    regularised = lle(page["cat"].X, 2, n_neighbors=6, regularisation=0.1).embedding
    assert similarity_alignment(regularised, page["cat"].coordinates).error < 0.05


def test_on_digits_neighbours_and_distances_choose_different_methods(page):
    trust, residuals = column(page, "digits", "T"), column(page, "digits", "R")
    assert set(sorted(trust, key=trust.get)[-2:]) == {"Isomap", "Laplacian eigenmaps"}
    assert max(trust, key=trust.get) == "Laplacian eigenmaps"
    assert min(residuals, key=residuals.get) == "PCA"


def test_the_graph_of_the_penguins_parts_the_gentoo_from_the_others(page):
    birds = penguins()
    kept = np.zeros(len(birds.X), dtype=bool)
    kept[page["together"]] = True
    assert np.array_equal(kept, birds.species != birds.species_names.index("Gentoo"))
    assert kept.sum() == 214


def test_for_the_penguins_pca_is_as_good_as_anything(page):
    trust, residuals = column(page, "penguins", "T"), column(page, "penguins", "R")
    assert trust["PCA"] > max(trust.values()) - 0.005
    assert min(residuals, key=residuals.get) == "PCA"


def test_nothing_is_trusted_less_than_the_best_map_of_any_cloud(page):
    best = {cloud: max(column(page, cloud, "T").values()) for cloud in page["RESULTS"]}
    assert best.pop("nothing") < 0.8
    assert min(best.values()) > 0.9


def test_classical_scaling_draws_the_map_and_mvu_does_with_a_quarter_of_the_distances(page):
    residuals = column(page, "airports", "R")
    assert residuals["classical scaling"] < 0.001
    assert residuals["MVU"] < 0.001
    assert min(residuals["kernel PCA"], residuals["Laplacian eigenmaps"]) > 0.5
    assert 0.2 < len(page["pairs"]) / (26 * 25 / 2) < 0.3


def test_one_neighbour_too_many_folds_isomap(page):
    isomap_errors = {k: errors[0] for k, errors in page["errors"].items()}
    assert max(isomap_errors[k] for k in (5, 6, 7)) < 0.2
    assert min(isomap_errors[k] for k in (8, 10, 14, 20)) > 0.5


def test_shuffled_digits_are_as_untrustworthy_as_nothing(page):
    X, _, k = page["CAST"]["digits"]
    shuffled = np.random.default_rng(1).permuted(X, axis=0)
    for name in ("PCA", "Isomap", "Laplacian eigenmaps"):
        assert peer(shuffled, page["METHODS"][name](shuffled, k).embedding, n_neighbors=10) < 0.7


def test_tsne_and_umap_keep_neighbours_of_digits_best_and_lose_the_shape_of_the_roll(page):
    maps = page["LATER_RESULTS"]
    assert {len(row) for row in maps.values()} == {5}
    for name in ("t-SNE", "UMAP"):
        assert maps["digits"][name].T > max(column(page, "digits", "T").values())
        assert maps["swiss roll"][name].R > 0.1 > column(page, "swiss roll", "R")["Isomap"]
        assert maps["nothing"][name].T < 0.95
