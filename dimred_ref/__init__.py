"""Dimensionality reduction, as the book explains it: one module per topic, numpy and scipy only.

    import dimred_ref as dr

    fit = dr.pca(X, 2)         # rows of X are samples: an array, a list, a data frame
    fit.embedding              # (N, 2)
    fit.transform(new)         # the same coordinates for other samples

A method takes its data, then n_components, then options by name. It returns a frozen record whose first
field is `embedding`; what can place new points has `transform`. Bad input is a ValueError that says what is wrong.

    method               keeps                                   needs                  transform
    -------------------  --------------------------------------  ---------------------  --------------------------
    pca                  variance along few axes                                        exact
    dual_pca             the same, from N × N inner products                            exact
    classical_mds        distances, given as a table             distances              exact, from distances
    kernel_pca           variance in the space of features       a kernel matrix        exact, from kernel values
    rbf_kernel_pca       the same, Gaussian kernel               gamma                  exact; pre-images
    isomap               path lengths along the data             n_neighbors            first step, then the paths
    landmark_isomap      the same, from a few points             n_landmarks            as isomap
    lle                  how neighbours mix each point           n_neighbors            by local weights
    laplacian_eigenmaps  who is near whom                        n_neighbors, gamma     Nyström
    mvu                  lengths of edges, most variance         n_neighbors            local weights, approximate
    landmark_mvu         the same, from a few points             n_landmarks            local weights, approximate
    conformal_eigenmaps  angles between neighbours               n_neighbors            local weights, approximate
    modified_lle         several mixtures for each point         n_neighbors
    hessian_lle          straight coordinates (no curvature)     n_neighbors
    ltsa                 local tangent coordinates               n_neighbors
    diffusion_maps       distances of random walks               gamma, alpha, time     Nyström
    metric_mds           distances, squares of their errors      distances
    tsne                 probabilities of being neighbours       perplexity
    umap                 memberships of a fuzzy graph            n_neighbors

Beside them: covariance, pca_of_blocks and covariance_of_blocks (data that do not fit into memory), nystrom_kernel_pca,
kernels (linear_kernel, polynomial_kernel, rbf_kernel), graphs (knn_graph, nearest_neighbors, shortest_paths,
largest_component), choice of dimension (n_components_for, n_components_for_share, dimension_by_gap), standardisation,
quality (trustworthiness, continuity, residual_variance, procrustes_error) and alignment (rigid_alignment,
similarity_alignment).

Own graphs and tables (radius_graph, isomap_of_graph, isomap_of_distances, lle_of_distances), the number of neighbours
(choose_n_neighbors), the dimension of the data (mle_dimension, two_nn_dimension, correlation_dimension) quality
over all numbers of neighbours (rank_curves), and the probabilities that t-SNE keeps (neighbor_affinities).

Everything else is imported from its module: `from dimred_ref.pca import pca_by_svd`. Of a module that is named like
its method, `dimred_ref.pca` is the function; `from dimred_ref.pca import …` reaches the module all the same. Estimators
for scikit-learn's pipelines are in dimred_ref.sklearn, Dask arrays in dimred_ref.dask.
"""

import sys
from importlib import import_module, metadata
from types import ModuleType
from typing import Any

_MODULE_OF = {  # public name: the module it lives in
    **dict.fromkeys(("pca",), "pca"),
    **dict.fromkeys(("covariance",), "covariance"),
    **dict.fromkeys(("pca_of_blocks", "covariance_of_blocks", "nystrom_kernel_pca"), "out_of_core"),
    **dict.fromkeys(("dual_pca",), "duality"),
    **dict.fromkeys(("classical_mds", "n_components_for_share"), "classical_mds"),
    **dict.fromkeys(("kernel_pca", "rbf_kernel_pca"), "kernel_pca"),
    **dict.fromkeys(("linear_kernel", "polynomial_kernel", "rbf_kernel"), "kernel_pca"),
    **dict.fromkeys(("isomap", "landmark_isomap", "dimension_by_gap"), "isomap"),
    **dict.fromkeys(("lle",), "lle"),
    **dict.fromkeys(("laplacian_eigenmaps", "eigenmaps_of_graph"), "laplacian_eigenmaps"),
    **dict.fromkeys(("mvu", "landmark_mvu"), "mvu"),
    **dict.fromkeys(("conformal_eigenmaps",), "conformal_eigenmaps"),
    **dict.fromkeys(("modified_lle", "hessian_lle", "ltsa"), "lle_variants"),
    **dict.fromkeys(("diffusion_maps",), "diffusion_maps"),
    **dict.fromkeys(("metric_mds",), "metric_mds"),
    **dict.fromkeys(("tsne", "neighbor_affinities"), "neighbor_embeddings"),
    **dict.fromkeys(("umap",), "umap"),
    **dict.fromkeys(
        ("radius_graph", "isomap_of_graph", "isomap_of_distances", "lle_of_distances"), "precomputed"
    ),
    **dict.fromkeys(("choose_n_neighbors",), "choose_neighbors"),
    **dict.fromkeys(("mle_dimension", "two_nn_dimension", "correlation_dimension"), "intrinsic_dimension"),
    **dict.fromkeys(("rank_curves",), "rank_curves"),
    **dict.fromkeys(("knn_graph", "nearest_neighbors", "shortest_paths", "largest_component"), "graph"),
    **dict.fromkeys(("n_components_for", "standardised", "standardisation"), "practice"),
    **dict.fromkeys(("trustworthiness", "continuity", "residual_variance", "procrustes_error"), "quality"),
    **dict.fromkeys(("rigid_alignment", "similarity_alignment"), "procrustes"),
}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Import a public function, or a module, when it is first asked for: `import dimred_ref` costs nothing."""
    if name == "__version__":
        installed = {dist.name for dist in metadata.distributions(name="dimred-ref")}
        return metadata.version("dimred-ref" if installed else "dimred-course")  # a checkout has the second
    if name in _MODULE_OF:
        function = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = function
        return function
    if name.startswith("_") or name in ("sklearn", "dask"):  # optional, and imported by those who want them
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as missing:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from missing


def __dir__() -> list[str]:
    return [*__all__, "__version__", "datasets"]


class _Package(ModuleType):
    """A package in which the function `pca` keeps its name when the module `dimred_ref.pca` is imported.

    Python's import system binds an imported module to its name in the package: whichever came last, the function or
    the module, would have it. Here the function always has it, and the module is where imports look, in sys.modules.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _MODULE_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
