"""The analysis of real tables: right numbers, contracts that speak up, and a script that repeats everything."""

import json
import runpy

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.datasets import load_diabetes, load_iris, load_wine

from autograder.book.labels import labels
from dimred_ref.clinic.maps import METHODS
from dimred_ref.clinic.session import Session, answer
from dimred_ref.datasets import penguins, swiss_roll
from dimred_ref.pca import pca
from dimred_ref.practice import standardised
from tests.conftest import ROOT

RNG = np.random.default_rng(8)


def as_csv(X, names=None):
    header = [",".join(names)] if names is not None else []
    return "\n".join([*header, *(",".join(repr(float(x)) for x in row) for row in X)]).encode()


def ask(content, session, step, **request):
    return json.loads(answer(json.dumps({"step": step, **request}), content, session))


def analysed(content, *, name="table.csv", **choices):
    """Return all results of a whole analysis by step, and by the map's name."""
    session = Session()
    results = {"read": ask(content, session, "read", file=name, choices=choices)}
    for step in results["read"]["plan"]:
        request = {key: value for key, value in step.items() if key != "step"}
        results[step["step"] + step.get("map", "")] = ask(
            content, session, step["step"], choices=choices, **request
        )
    return results


TABLES = {
    "penguins.csv": lambda: (ROOT / "dimred_ref/data/penguins.csv").read_bytes(),
    "iris.csv": lambda: as_csv(load_iris().data, load_iris().feature_names),
    "wine.csv": lambda: as_csv(load_wine().data, load_wine().feature_names),
    "diabetes.csv": lambda: as_csv(load_diabetes().data, load_diabetes().feature_names),
}


@pytest.fixture(scope="module")
def real():
    return {name: (content(), analysed(content(), name=name)) for name, content in TABLES.items()}


@pytest.mark.parametrize("name", TABLES)
def test_a_real_table_gets_every_part(real, name):
    results = real[name][1]
    assert not [step for step, result in results.items() if "error" in result]
    for method in METHODS:
        result = results[f"map{method}"]
        assert "refused" not in result, result
        assert len(result["embedding"]) == len(result["rows"]) >= 40
        assert -0.1 < result["area"] <= 1
    assert results["mapMVU"]["facts"]["gap"] < 1e-6
    assert {finding["level"] for finding in results["report"]["findings"]} >= {"good"}


@pytest.mark.parametrize("name", TABLES)
def test_the_script_repeats_the_analysis(real, name, tmp_path, monkeypatch):
    content, results = real[name]
    (tmp_path / name).write_bytes(content)
    (tmp_path / "repeat.py").write_text(results["report"]["script"], "utf-8")
    monkeypatch.chdir(tmp_path)
    program = runpy.run_path("repeat.py", run_name="repeat")
    shares = program["fit"].variances / program["fit"].total_variance
    np.testing.assert_allclose(
        shares[: len(results["linear"]["shares"])], results["linear"]["shares"], rtol=1e-12
    )
    for method in METHODS:
        result = results[f"map{method}"]
        kept = program["rows"][method]
        assert (
            np.array(results["linear"]["rows"])[kept].tolist()
            == np.array(results["linear"]["rows"])[result["rows"]].tolist()
        )
        shown = pdist(result["embedding"])
        np.testing.assert_allclose(pdist(program["maps"][method]), shown, atol=1e-4 * shown.max())
        assert program["areas"][method] == pytest.approx(result["area"], abs=1e-12)
    differences = program["by_scikit_learn"]()
    if results["distances"]["copies"]:  # iris has a copy, whose edge of length 0 scikit-learn drops
        assert differences.pop("Isomap") < 1e-2
    assert max(differences.values()) < 1e-8


def test_pca_of_a_table_is_that_of_the_reference(real):
    linear = real["penguins.csv"][1]["linear"]
    fit = pca(standardised(penguins().X), 4)
    np.testing.assert_allclose(linear["variances"], fit.variances, rtol=1e-12)
    np.testing.assert_allclose(np.abs(linear["scores"]), np.abs(fit.embedding[:, :2]), atol=1e-5)
    Z = standardised(penguins().X)
    expected = [abs(np.corrcoef(Z[:, j], fit.embedding[:, 0])[0, 1]) for j in range(4)]
    np.testing.assert_allclose(np.abs(linear["correlations"])[:, 0], expected, rtol=1e-10)


def test_the_paragraph_has_the_numbers(real):
    results = real["wine.csv"][1]
    paragraph = results["report"]["paragraph"]
    assert "178 observations of 13 variables" in paragraph
    assert f"{100 * results['linear']['shares'][0]:.1f} %" in paragraph
    assert f"k = {results['distances']['k']}" in paragraph


def words_of(results):
    return "\n".join(finding["words"] for finding in results["report"]["findings"])


def spoken(content, maps=("PCA",), **choices):
    """Return the words of all findings after a few steps only."""
    session = Session()
    return words_of({"report": ask(content, session, "report", maps=maps, stableMaps=[], choices=choices)})


def test_outliers_that_carry_an_axis_are_named():
    X = RNG.normal(size=(120, 5))
    X[[3, 50, 77, 110], 0] = 30
    words = spoken(as_csv(X), scaling="centre")
    assert "4 outliers carry axis 1" in words
    assert all(f" {row}" in words for row in (4, 51, 78, 111))
    assert "carry axis" not in spoken(as_csv(RNG.normal(size=(120, 5))), scaling="centre").replace(
        "No few points carry", ""
    )


def test_a_missing_gap_makes_the_plane_arbitrary():
    ball, flat = RNG.normal(size=(200, 4)), RNG.normal(size=(200, 4)) * (5, 4, 0.5, 0.4)
    assert "the plane of PCA is arbitrary" in spoken(as_csv(ball), scaling="centre")
    assert "the plane of PCA is determined" in spoken(as_csv(flat), scaling="centre")


def test_pieces_of_the_graph_are_counted_and_the_joining_k_is_named():
    X = RNG.normal(size=(90, 3)) + 20 * np.repeat(np.eye(3), 30, axis=0)
    words = spoken(as_csv(X), scaling="centre", n_neighbors=8)
    assert "k = 8 gives 3 pieces (of 30, 30, 30 points)" in words
    assert "connected from k = 30 on" in words


def test_a_column_in_a_large_unit_is_named():
    X = RNG.normal(size=(100, 3)) * (1, 1, 100)
    assert "Column 'grams' alone has 100.0 %" in spoken(as_csv(X, ["a", "b", "grams"]), scaling="centre")
    assert "grams" not in spoken(as_csv(X, ["a", "b", "grams"]))


def test_fewer_rows_than_columns_are_named():
    assert "rank at most 9" in spoken(as_csv(RNG.normal(size=(10, 30))))


def test_copies_are_counted():
    X = RNG.normal(size=(50, 3))
    assert "5 rows are copies" in spoken(as_csv(np.vstack([X, X[:5]])))


def test_yes_and_no_answers_are_neither_bent_nor_of_impossible_dimension():
    content = as_csv(np.random.default_rng(0).integers(0, 2, size=(60, 4)))
    results = ask(content, Session(), "distances")
    assert results["stretch"] < 1.3
    assert all(value is None or value <= 6 for value in results["dimensions"])
    words = spoken(content)
    assert "hardly bent" in words
    assert "kept best by PCA" in words
    assert "no other map keeps more" in words


def test_rows_on_a_line_are_told_that_there_is_no_second_coordinate():
    results = analysed(as_csv(np.outer(np.random.default_rng(0).normal(size=40), [1.0, 2.0, 3.0])))
    for method in ("classical MDS", "Isomap"):
        assert (
            results[f"map{method}"]["refused"]
            == "the rows lie on one line, and there is no second coordinate"
        )
    assert "1 axis reaches 90 %" in words_of(results)


def test_a_roll_is_bent_and_isomap_keeps_its_neighbours_best():
    results = analysed(as_csv(swiss_roll(400, seed=3).X), scaling="centre")
    assert "bent: a nonlinear map may pay" in words_of(results)
    assert results["mapIsomap"]["area"] > results["mapPCA"]["area"] + 0.05
    assert results["distances"]["stretch"] > 1.5


def test_what_a_method_refuses_is_said_and_the_others_go_on():
    results = analysed(as_csv(np.repeat(RNG.normal(size=(2, 3)), 10, axis=0)))
    assert not [step for step, result in results.items() if "error" in result and step != "report"]
    assert any("refused" in results[f"map{method}"] for method in METHODS)


def test_a_restart_between_two_steps_changes_nothing(real):
    content, results = real["iris.csv"]
    fresh = ask(content, Session(), "mapIsomap"[:3], map="Isomap")
    assert fresh == results["mapIsomap"]


def test_every_finding_leads_to_a_place_of_the_book(real):
    places = labels(ROOT / "book")
    for _, results in real.values():
        for finding in results["report"]["findings"]:
            page, _, label = finding["see"].partition("#")
            assert label in places, finding
            assert places[label].href.rpartition("/")[2].startswith(f"{page}.html"), (places[label], finding)


def test_a_large_table_is_analysed_in_parts_that_are_bounded():
    X = np.random.default_rng(2).normal(size=(5000, 100))
    content = as_csv(X.round(2))
    session = Session()
    assert ask(content, session, "read")["rows"] == 5000
    assert len(ask(content, session, "linear")["scores"]) == 5000
    assert ask(content, session, "distances", choices={"n_neighbors": 10})["mapped"] == 800
    assert len(ask(content, session, "map", map="LLE", choices={"n_neighbors": 10})["rows"]) <= 800
