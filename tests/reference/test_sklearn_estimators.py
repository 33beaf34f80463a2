"""The estimators obey scikit-learn's contract, and say what the functions say."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import dimred_ref as dr
from dimred_ref import sklearn as estimators
from dimred_ref.datasets import cylinder_patch, swiss_roll

ALL = [getattr(estimators, name) for name in estimators.__all__]


def made(estimator, **options):
    """scikit-learn's checks fit two separate clouds: with few neighbours those are refused, as they should be."""
    known = estimator().get_params()
    return estimator(**{name: value for name, value in options.items() if name in known})


@pytest.mark.parametrize("estimator", ALL)
@pytest.mark.filterwarnings("ignore")
def test_the_contract_of_scikit_learn_is_kept(estimator):
    outcomes = check_estimator(made(estimator, n_neighbors=40), on_fail=None)
    assert len(outcomes) > 40
    assert [outcome for outcome in outcomes if outcome["status"] not in ("passed", "skipped")] == []


@pytest.mark.parametrize("estimator", ALL)
def test_an_estimator_is_its_function(estimator):
    roll = swiss_roll(150, seed=1)
    fit = made(estimator, n_components=2, n_neighbors=12, gamma=0.02)
    embedding = fit.fit_transform(roll.X)
    np.testing.assert_array_equal(embedding, fit.result_.embedding)
    np.testing.assert_allclose(fit.transform(roll.X), embedding, atol=1e-6 * np.abs(embedding).max())
    name = estimator.__name__.lower()
    assert list(fit.get_feature_names_out()) == [f"{name}0", f"{name}1"]


def test_mvu_works_in_a_pipeline_and_in_a_search():
    patch = cylinder_patch(100, seed=0)
    steps = make_pipeline(StandardScaler(), estimators.MVU(n_components=2), KNeighborsRegressor(5))
    search = GridSearchCV(steps, {"mvu__n_neighbors": [8, 12]}, cv=3).fit(patch.X, patch.coordinates[:, 0])
    assert search.best_score_ > 0.9


def test_separate_clouds_are_refused_with_their_sizes():
    X = np.concatenate([np.random.default_rng(0).normal(size=(15, 3)) + shift for shift in (0, 100)])
    with pytest.raises(ValueError, match=r"2 components of sizes 15, 15.*n_samples=30"):
        estimators.Isomap(n_neighbors=5).fit(X)


def test_the_estimator_of_pca_has_the_variances_of_scikit_learn():
    X = np.random.default_rng(0).normal(size=(50, 4)) * [4, 3, 2, 1]
    fit = estimators.PCA(2).fit(X)
    np.testing.assert_allclose(fit.result_.variances, dr.pca(X, 2, ddof=1).variances)
    np.testing.assert_allclose(
        fit.inverse_transform(fit.embedding_), dr.pca(X, 2).inverse_transform(fit.embedding_)
    )
