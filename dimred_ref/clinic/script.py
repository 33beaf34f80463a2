"""The Python that repeats an analysis: the functions of dimred_ref, and scikit-learn beside them."""

from collections.abc import Mapping

from dimred_ref.clinic.evidence import Evidence
from dimred_ref.clinic.maps import (
    MAX_SLOW_ROWS,
    NEED_CONNECTED,
    TSNE_STEPS,
    Map,
    Setting,
    neighbors_for,
    perplexity_for,
)
from dimred_ref.clinic.preparation import SEED, Prepared

HEAD = '''"""Repeat the analysis of the data clinic: {file_name}, {n_rows} rows, {n_columns} columns.

Run it in the folder of the file. It needs dimred_ref (numpy, scipy); scikit-learn, if there, does the same beside it.
"""

from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist, squareform

import dimred_ref as dr
from dimred_ref.clinic.table import read_table

COLUMNS = {names}

table = read_table(Path({file_name!r}).read_bytes(), header={header!r})
values = table.matrix(COLUMNS)
'''
CALLS = {  # map: the call of dimred_ref on the rows X
    "PCA": "dr.pca(X, 2).embedding",
    "classical MDS": "dr.classical_mds(squareform(pdist(X)), 2).embedding",
    "Isomap": "dr.isomap(X, 2, n_neighbors={k}).embedding",
    "LLE": "dr.lle(X, 2, n_neighbors={k}).embedding",
    # a third coordinate is computed for its eigenvalue and not shown
    "Laplacian eigenmaps": "dr.laplacian_eigenmaps(X, {n_values}, n_neighbors={k}, gamma=0.0).embedding[:, :2]",
    "kernel PCA": "dr.rbf_kernel_pca(X, 2, gamma={gamma!r}).embedding",
    "diffusion maps": "dr.diffusion_maps(X, 2, gamma={gamma4!r}).embedding",
    "MVU": "dr.mvu(X, 2, n_neighbors={k}).embedding",
    "t-SNE": "dr.tsne(X, 2, perplexity={perplexity!r}, n_steps={n_steps}).embedding",
}
TAIL = """
areas = {name: dr.rank_curves(Z[rows[name]], Y).area for name, Y in maps.items()}
if __name__ == "__main__":
    print("shares of the variance:", (fit.variances / fit.total_variance).round(4)[:5])
    for name, area in areas.items():
        print(f"{name:20} {len(maps[name]):5} points, area under R_NX {area:.4f}")
"""
SKLEARN_HEAD = '''

def by_scikit_learn():
    """Return the largest difference of scikit-learn's answers, where it has the same method."""
    from sklearn.decomposition import PCA, KernelPCA
    from sklearn.manifold import Isomap

    differences = {}
    other = PCA(fit.embedding.shape[1], svd_solver="full").fit(Z)
    # scikit-learn divides by N - 1
    shares = fit.variances / fit.total_variance
    differences["PCA"] = float(np.abs(other.explained_variance_ratio_ - shares).max())
'''
SKLEARN_KERNEL = """    X = Z[rows["kernel PCA"]]
    other = KernelPCA(2, kernel="rbf", gamma={gamma!r}, eigen_solver="dense").fit_transform(X)
    differences["kernel PCA"] = float(np.abs(pdist(other) - pdist(maps["kernel PCA"])).max())
"""
SKLEARN_ISOMAP = """    X = Z[rows["Isomap"]]
    other = Isomap(n_neighbors={k}, n_components=2, eigen_solver="dense").fit_transform(X)
    differences["Isomap"] = float(np.abs(pdist(other) - pdist(maps["Isomap"])).max() / pdist(other).max())
"""
SKLEARN_TAIL = """    return differences


if __name__ == "__main__":
    try:
        print("scikit-learn differs by at most:", by_scikit_learn())
    except ModuleNotFoundError:
        print("scikit-learn is not installed: its comparison is left out")
"""


def reproduction_script(evidence: Evidence, file_name: str) -> str:
    """Return a program that computes `fit` (PCA), `maps` and `areas` of an analysis again."""
    prepared, setting = evidence.prepared, evidence.setting
    n_rows, n_columns = prepared.X.shape
    head = HEAD.format(
        file_name=file_name,
        n_rows=n_rows,
        n_columns=n_columns,
        names=list(prepared.names),
        header=prepared.choices.header,
    )
    parts = [head, _preparation(prepared), _maps(evidence.maps, setting), TAIL]
    parts += [SKLEARN_HEAD]
    if "kernel PCA" in evidence.maps:
        parts.append(SKLEARN_KERNEL.format(gamma=setting.gamma))
    if "Isomap" in evidence.maps:
        parts.append(SKLEARN_ISOMAP.format(k=setting.n_neighbors))
    return "".join([*parts, SKLEARN_TAIL])


def _preparation(prepared: Prepared) -> str:
    lines = []
    if any("at random" in note for note in prepared.notes):
        lines += [
            f"drawn = np.random.default_rng({SEED}).choice(len(values), 5000, replace=False)",
            "values = values[np.sort(drawn)]",
        ]
    if prepared.choices.missing == "mean":
        lines.append("values = np.where(np.isnan(values), np.nanmean(values, axis=0), values)")
    else:
        lines.append("values = values[~np.isnan(values).any(axis=1)]  # rows with missing entries")
    scaled = {
        "centre": "values - values.mean(axis=0)",
        "standardise": "dr.standardised(values)",
        "log": "dr.standardised(np.log(values))",
    }[prepared.choices.scaling]
    n_axes = min(20, prepared.X.shape[1], len(prepared.X) - 1)
    return "\n".join([*lines, f"Z = {scaled}", f"fit = dr.pca(Z, {n_axes})", ""])


def _maps(maps: Mapping[str, Map], setting: Setting) -> str:
    lines = _sample_lines(setting)
    for name, fit in maps.items():
        lines += _map_lines(name, fit, setting)
    return "\n".join([*lines, ""])


def _sample_lines(setting: Setting) -> list[str]:
    size = len(setting.rows)
    return [
        "",
        "",
        "def draw(places, size):",
        '    """Return at most `size` of some rows, drawn at random, ascending."""',
        "    if len(places) <= size:",
        "        return places",
        f"    return places[np.sort(np.random.default_rng({SEED}).choice(len(places), size, replace=False))]",
        "",
        "",
        f"sample = draw(np.arange(len(Z)), {size})  # what every map shows",
        "maps, rows = {}, {}",
        f"members = sample[dr.largest_component(dr.knn_graph(Z[sample], {setting.n_neighbors}))]  # of one piece",
    ]


def _map_lines(name: str, fit: Map, setting: Setting) -> list[str]:
    source = "members" if name in NEED_CONNECTED else "sample"
    size = MAX_SLOW_ROWS.get(name)
    k = neighbors_for(name, setting, len(fit.rows))
    places = f"draw({source}, {size})" if size else source
    lines = [f"rows[{name!r}] = {places}"]
    if size and name in NEED_CONNECTED:
        lines += [
            f"X = Z[rows[{name!r}]]  # a draw may fall apart",
            f"piece = dr.largest_component(dr.knn_graph(X, min({k}, len(X) - 1)))",
            f"rows[{name!r}] = rows[{name!r}][piece]",
        ]
    call = CALLS[name].format(
        k=k,
        gamma=setting.gamma,
        gamma4=4 * setting.gamma,
        n_values=min(3, len(fit.rows) - 2),
        perplexity=perplexity_for(len(fit.rows)),
        n_steps=TSNE_STEPS,
    )
    return [*lines, f"X = Z[rows[{name!r}]]", f"maps[{name!r}] = {call}"]
