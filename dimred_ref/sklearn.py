"""The methods as scikit-learn estimators: for pipelines, grid searches, and whoever thinks in fit and transform.

    from sklearn.pipeline import make_pipeline
    from dimred_ref.sklearn import MVU
    make_pipeline(StandardScaler(), MVU(n_components=2, n_neighbors=10), KNeighborsClassifier()).fit(X, y)

An estimator calls the function of its method and keeps what that returns as `result_`; `embedding_` is its first
field. A neighbourhood graph must be connected, as everywhere here: data in separate clusters are refused with their
sizes. Needs scikit-learn. To add a method, write a class with its options and the call.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dimred_ref import (
    conformal_eigenmaps,
    isomap,
    landmark_isomap,
    laplacian_eigenmaps,
    lle,
    mvu,
    pca,
    rbf_kernel_pca,
)
from dimred_ref._arrays import Array

__all__ = [
    "LLE",
    "MVU",
    "PCA",
    "ConformalEigenmaps",
    "Isomap",
    "KernelPCA",
    "LandmarkIsomap",
    "LaplacianEigenmaps",
]


class _Method(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: check the data, call the method, place new points."""

    n_components: int

    def fit(self, X: ArrayLike, y: object = None) -> Any:
        """Fit the method to samples X (rows); y is not used."""
        samples: Array = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        try:
            self.result_ = self._call(samples)
        except ValueError as refused:
            # scikit-learn's checks look for the sizes in the words of an error
            sizes = f"n_samples={len(samples)}, n_features={samples.shape[1]}"
            raise ValueError(f"{refused} ({sizes})") from refused
        self.embedding_ = self.result_.embedding
        return self

    def fit_transform(self, X: ArrayLike, y: object = None, **options: object) -> Array:
        """Fit the method to X and return its embedding."""
        embedding: Array = self.fit(X, y).embedding_
        return embedding

    def transform(self, X: ArrayLike) -> Array:
        """Place new samples, as the result of the method does."""
        check_is_fitted(self)
        placed: Array = self.result_.transform(validate_data(self, X, dtype=np.float64, reset=False))
        return placed

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _call(self, X: Array) -> Any:
        raise NotImplementedError


class PCA(_Method):
    """dimred_ref.pca as an estimator."""

    def __init__(self, n_components: int = 1, *, ddof: int = 1) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.ddof = ddof

    def inverse_transform(self, Z: ArrayLike) -> Array:
        """Return the points of the fitted flat that have the scores Z."""
        check_is_fitted(self)
        points: Array = self.result_.inverse_transform(Z)
        return points

    def _call(self, X: Array) -> Any:
        return pca(X, self.n_components, ddof=self.ddof)


class KernelPCA(_Method):
    """dimred_ref.rbf_kernel_pca as an estimator; gamma=None is 1 / n_features."""

    def __init__(self, n_components: int = 1, *, gamma: float | None = None) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.gamma = gamma

    def inverse_transform(self, Z: ArrayLike) -> Array:
        """Return pre-images of the coordinates Z."""
        check_is_fitted(self)
        points: Array = self.result_.inverse_transform(Z)
        return points

    def _call(self, X: Array) -> Any:
        return rbf_kernel_pca(X, self.n_components, gamma=_or_default(self.gamma, X))


class Isomap(_Method):
    """dimred_ref.isomap as an estimator."""

    def __init__(self, n_components: int = 1, *, n_neighbors: int = 10) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors

    def _call(self, X: Array) -> Any:
        return isomap(X, self.n_components, n_neighbors=_at_most(self.n_neighbors, X))


class LandmarkIsomap(_Method):
    """dimred_ref.landmark_isomap as an estimator; no more landmarks than samples are taken."""

    def __init__(
        self, n_components: int = 1, *, n_neighbors: int = 10, n_landmarks: int = 100, seed: int = 0
    ) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.n_landmarks = n_landmarks
        self.seed = seed

    def _call(self, X: Array) -> Any:
        k, m = _at_most(self.n_neighbors, X), min(self.n_landmarks, len(X))
        return landmark_isomap(X, self.n_components, n_neighbors=k, n_landmarks=m, seed=self.seed)


class LLE(_Method):
    """dimred_ref.lle as an estimator."""

    def __init__(self, n_components: int = 1, *, n_neighbors: int = 10, regularisation: float = 1e-3) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.regularisation = regularisation

    def _call(self, X: Array) -> Any:
        k = _at_most(self.n_neighbors, X)
        return lle(X, self.n_components, n_neighbors=k, regularisation=self.regularisation)


class LaplacianEigenmaps(_Method):
    """dimred_ref.laplacian_eigenmaps as an estimator; gamma=None is 1 / n_features."""

    def __init__(self, n_components: int = 1, *, n_neighbors: int = 10, gamma: float | None = None) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.gamma = gamma

    def _call(self, X: Array) -> Any:
        k, gamma = _at_most(self.n_neighbors, X), _or_default(self.gamma, X)
        return laplacian_eigenmaps(X, self.n_components, n_neighbors=k, gamma=gamma)


class MVU(_Method):
    """dimred_ref.mvu as an estimator; transform is an approximation, by local weights."""

    def __init__(self, n_components: int = 1, *, n_neighbors: int = 10) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors

    def _call(self, X: Array) -> Any:
        return mvu(X, self.n_components, n_neighbors=_at_most(self.n_neighbors, X))


class ConformalEigenmaps(_Method):
    """dimred_ref.conformal_eigenmaps as an estimator; transform is an approximation, by local weights."""

    def __init__(self, n_components: int = 1, *, n_neighbors: int = 10, n_eigenvectors: int = 10) -> None:
        """Keep the options; they are checked by fit."""
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.n_eigenvectors = n_eigenvectors

    def _call(self, X: Array) -> Any:
        k, m = _at_most(self.n_neighbors, X), max(1, min(self.n_eigenvectors, len(X) - 2))
        return conformal_eigenmaps(X, self.n_components, n_neighbors=k, n_eigenvectors=m)


def _at_most(n_neighbors: int, X: Array) -> int:
    """Return no more neighbours than there are others: a fold of a cross-validation may be small."""
    return min(n_neighbors, len(X) - 1)


def _or_default(gamma: float | None, X: Array) -> float:
    return 1 / X.shape[1] if gamma is None else gamma
