"""Plausible mistakes that no task names: five students of the made-up class share one in each topic.

Each is an edit of the notebook's own solution: task, text to replace, its replacement. `dimred discover` finds them.
A mistake that becomes a misconception of its task is replaced here by another: a test says so.
"""

UNFORESEEN: dict[str, tuple[str, str]] = {
    "geometry.contrast": ("/ distances.min()", "/ distances.mean()"),
    "toolkit.gram_schmidt": ("w / np.sqrt(w @ w)", "w / np.abs(w).max()"),
    "covariance.merged": ("weight * np.outer", "weight**2 * np.outer"),
    "pca.reconstruct": ("mean = X.mean(axis=0)", "mean = (X.min(axis=0) + X.max(axis=0)) / 2"),
    "svd.best_approximation": ("closest, sigma[k],", "closest, sigma[k] / sigma[0],"),
    "least_squares.ridge_path": ("np.asarray(penalties)", "sigma[0] * np.asarray(penalties)"),
    "practice.regress_out": ("return X - fitted", "return (X - fitted) / X.std(axis=0)"),
    "duality.place_new": ("return g @ U", "return np.sqrt(len(H) - 1) * g @ U"),
    "classical_mds.double_centre": ("squared.mean(axis=0)", "np.mean(distances, axis=0) ** 2"),
    "isomap.neighbor_graph": (
        "np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))",
        "np.abs(X[:, None] - X[None]).sum(axis=2)",
    ),
    "lle.mixture_weights": ("w / w.sum()", "w / np.abs(w).max()"),
    "laplacian_eigenmaps.heat_weights": ("np.maximum(W, W.T)", "np.minimum(W + W.T, 1)"),
    "mvu.unfold_wire": ("p - p.mean()", "p - np.median(p)"),
    "conformal_eigenmaps.outputs_of": (
        "np.sum(variances[n_components:])",
        "np.sqrt(np.sum(variances[n_components:]))",
    ),
    "kernel_pca.rbf_kernel": ("np.exp(-gamma * squared)", "1 / (1 + gamma * squared)"),
}
