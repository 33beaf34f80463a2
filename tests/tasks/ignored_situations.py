"""Programs that are right but for one situation that the text of their task announces."""

import numpy as np
import scipy.linalg

PROGRAMS = []  # (topic, task, program)


def wrong_in(*tasks):
    """Register a wrong program for tasks with the same arguments."""

    def register(program):
        PROGRAMS.extend((*task.split("."), program) for task in tasks)
        return program

    return register


# Two successive points of a wire may coincide


def _matrix_of_steps(links):
    p = np.append(0.0, np.cumsum(links))
    return np.outer(p - p.mean(), p - p.mean())


@wrong_in("mvu.unfold_wire")
def divided_by_the_step(X):
    steps = np.diff(X, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    directions = steps / lengths[:, None]
    return _matrix_of_steps((steps * directions).sum(axis=1))


@wrong_in("mvu.unfold_wire")
def dropped_zero_steps(X):
    lengths = np.linalg.norm(np.diff(X, axis=0), axis=1)
    return _matrix_of_steps(lengths[lengths > 0])


@wrong_in("mvu.unfold_wire")
def dropped_repeated_points(X):
    first = np.sort(np.unique(X, axis=0, return_index=True)[1])
    return _matrix_of_steps(np.linalg.norm(np.diff(X[first], axis=0), axis=1))


@wrong_in("mvu.unfold_wire")
def dropped_short_steps(X):
    lengths = np.linalg.norm(np.diff(X, axis=0), axis=1)
    return _matrix_of_steps(np.where(lengths > 1e-6, lengths, 0.0))


# Tensions and their multiples


def _net(edges, w):
    size = edges.max() + 1
    differences = np.eye(size)[edges[:, 0]] - np.eye(size)[edges[:, 1]]
    return differences.T @ (w[:, None] * differences)


@wrong_in("mvu.dual_bound")
def first_eigenvalue_above_a_tenth(edges, squared_lengths, w):
    values = np.linalg.eigvalsh(_net(edges, w))
    return w @ squared_lengths / values[values > 0.1][0]


@wrong_in("mvu.dual_bound")
def first_eigenvalue_above_a_millionth(edges, squared_lengths, w):
    values = np.linalg.eigvalsh(_net(edges, w))
    return w @ squared_lengths / values[values > 1e-6][0]


@wrong_in("mvu.dual_bound")
def edges_written_upwards_only(edges, squared_lengths, w):
    upwards = edges[:, 0] < edges[:, 1]
    L = np.zeros((edges.max() + 1,) * 2)
    for (i, j), weight in zip(edges[upwards], w[upwards], strict=True):
        L[i, i] += weight
        L[j, j] += weight
        L[i, j] = L[j, i] = -weight
    return w @ squared_lengths / np.linalg.eigvalsh(L)[1]


# Matrices in any unit, edges in either direction


def _audited(K, edges, squared_lengths, smallest):
    i, j = edges.T
    excess = K[i, i] + K[j, j] - 2 * K[i, j] - squared_lengths
    return np.trace(K), K.sum(), smallest, excess.max()


@wrong_in("mvu.audit")
def eigenvalues_below_a_half_are_zero(K, edges, squared_lengths):
    values = np.linalg.eigvalsh(K)
    return _audited(K, edges, squared_lengths, np.where(np.abs(values) < 0.5, 0.0, values).min())


@wrong_in("mvu.audit")
def eigenvalues_are_rounded(K, edges, squared_lengths):
    return _audited(K, edges, squared_lengths, np.round(np.linalg.eigvalsh(K)[0], 5))


@wrong_in("mvu.audit")
def reads_upward_edges(K, edges, squared_lengths):
    upwards = edges[:, 0] < edges[:, 1]
    return _audited(K, edges[upwards], squared_lengths[upwards], np.linalg.eigvalsh(K)[0])


@wrong_in("mvu.audit")
def reads_downward_edges(K, edges, squared_lengths):
    downwards = edges[:, 0] > edges[:, 1]
    return _audited(K, edges[downwards], squared_lengths[downwards], np.linalg.eigvalsh(K)[0])


# A point among its own neighbours; neighbours that coincide


def _pairs(Z, X, around):
    z, x = Z[around], X[around]
    return ((z[:, None] - z) ** 2).sum(axis=2).ravel(), ((x[:, None] - x) ** 2).sum(axis=2).ravel()


@wrong_in("conformal_eigenmaps.local_scales")
def scales_without_the_point(Z, X, neighbors):
    lists = [_pairs(Z, X, around[around != i]) for i, around in enumerate(neighbors)]
    return np.array([a @ b / (b @ b) for a, b in lists])


@wrong_in("conformal_eigenmaps.local_scales")
def scales_by_division(Z, X, neighbors):
    scales = []
    for around in neighbors:
        a, b = _pairs(Z, X, around)
        off = ~np.eye(len(around), dtype=bool).ravel()
        scales.append(np.average((a[off] / b[off]), weights=b[off] ** 2))
    return np.array(scales)


@wrong_in("conformal_eigenmaps.angle_cost")
def cost_without_the_point(Z, X, neighbors):
    lists = [_pairs(Z, X, around[around != i]) for i, around in enumerate(neighbors)]
    return sum(np.sum((a - a @ b / (b @ b) * b) ** 2) for a, b in lists)


@wrong_in("conformal_eigenmaps.angle_cost")
def cost_without_coinciding_pairs(Z, X, neighbors):
    total = 0.0
    for around in neighbors:
        a, b = _pairs(Z, X, around)
        a, b = a[b > 0], b[b > 0]
        total += np.sum((a - a @ b / (b @ b) * b) ** 2)
    return total


# Any table with enough positive eigenvalues


def _placed(distances, deltas, values, V):
    squared = distances**2
    return (squared.mean(axis=1) - deltas**2) @ (V * np.sqrt(values)) / (2 * values)


def _gram(distances):
    J = np.eye(len(distances)) - 1 / len(distances)
    return -J @ distances**2 @ J / 2


@wrong_in("classical_mds.place_newcomer")
def newcomers_by_magnitude(distances, deltas, n_components):
    values, V = np.linalg.eigh(_gram(distances))
    best = np.argsort(-np.abs(values))[:n_components]
    return _placed(distances, deltas, np.abs(values[best]), V[:, best])


@wrong_in("classical_mds.place_newcomer")
def newcomers_by_svd(distances, deltas, n_components):
    U, sizes, _ = np.linalg.svd(_gram(distances))
    return _placed(distances, deltas, sizes[:n_components], U[:, :n_components])


@wrong_in("kernel_pca.kernel_scores")
def scores_by_magnitude(K, n_components):
    J = np.eye(len(K)) - 1 / len(K)
    U, sizes, _ = np.linalg.svd(J @ K @ J)
    return U[:, :n_components] * np.sqrt(sizes[:n_components])


@wrong_in("kernel_pca.kernel_scores")
def scores_of_large_eigenvalues(K, n_components):
    J = np.eye(len(K)) - 1 / len(K)
    values, V = np.linalg.eigh(J @ K @ J)
    values = np.where(values > 1e-6, values, 0.0)
    return V[:, ::-1][:, :n_components] * np.sqrt(values[::-1][:n_components])


@wrong_in("classical_mds.euclidean_verdict")
def verdict_by_triangles(distances):
    through = (distances[:, :, None] + distances[None]).min(axis=1)
    values = np.linalg.eigvalsh(_gram(distances))
    zero = 1e-6 * np.abs(values).max()
    if np.all(distances <= through + 1e-12):
        return int(np.sum(values > zero)), 0, 0.0
    return int(np.sum(values > zero)), int(np.sum(values < -zero)), -values[values < -zero].sum()


# Costs and weights may be tiny


@wrong_in("lle.map_from_weights")
def cheap_coordinates_are_constant(W, d):
    A = np.eye(len(W)) - W
    values, vectors = np.linalg.eigh(A.T @ A)
    return np.sqrt(len(W)) * vectors[:, values > 0.01][:, :d]


@wrong_in("lle.map_from_weights")
def nearly_free_coordinates_are_constant(W, d):
    A = np.eye(len(W)) - W
    values, vectors = np.linalg.eigh(A.T @ A)
    return np.sqrt(len(W)) * vectors[:, values > 1e-6][:, :d]


@wrong_in("laplacian_eigenmaps.smooth_coordinates")
def smooth_coordinates_are_constant(W, d):
    values, vectors = scipy.linalg.eigh(np.diag(W.sum(axis=1)) - W, np.diag(W.sum(axis=1)))
    kept = values > 0.05
    return vectors[:, kept][:, :d], values[kept][:d]


@wrong_in("laplacian_eigenmaps.smooth_coordinates")
def nearly_smooth_coordinates_are_constant(W, d):
    values, vectors = scipy.linalg.eigh(np.diag(W.sum(axis=1)) - W, np.diag(W.sum(axis=1)))
    kept = values > 1e-7
    return vectors[:, kept][:, :d], values[kept][:d]


@wrong_in("laplacian_eigenmaps.place_new")
def large_sums_are_divided(edges, Y, eigenvalues):
    sums = edges.sum(axis=1, keepdims=True)
    weights = np.where(sums > 1, edges / sums, edges)
    return weights @ Y / (1 - eigenvalues)


@wrong_in("laplacian_eigenmaps.place_new")
def sums_have_a_floor(edges, Y, eigenvalues):
    return edges @ Y / (edges.sum(axis=1, keepdims=True) + 1e-9) / (1 - eigenvalues)


@wrong_in("pca.scores")
def uneven_features_are_rescaled(X, n_components):
    Z = X - X.mean(axis=0)
    if Z.std(axis=0).max() > 10 * Z.std(axis=0).min() > 0:
        Z = Z / Z.std(axis=0)
    U, sigma, _ = np.linalg.svd(Z, full_matrices=False)
    return (U * sigma)[:, :n_components]


# Units may be tiny or huge


def _walked(paths):
    for v in range(len(paths)):
        paths = np.minimum(paths, paths[:, [v]] + paths[[v]])
    return paths


@wrong_in("isomap.path_lengths")
def a_million_is_far(lengths):
    paths = np.where(lengths > 0, lengths, 1e6)
    np.fill_diagonal(paths, 0.0)
    return _walked(paths)


@wrong_in("isomap.path_lengths")
def a_billion_is_far(lengths):
    paths = np.where(lengths > 0, lengths, 1e9)
    np.fill_diagonal(paths, 0.0)
    return _walked(paths)


@wrong_in("isomap.path_lengths")
def short_edges_are_none(lengths):
    paths = np.where(lengths > 1e-3, lengths, np.inf)
    np.fill_diagonal(paths, 0.0)
    return np.nan_to_num(_walked(paths), posinf=0.0)


@wrong_in("lle.mixture_weights")
def the_ridge_has_a_floor(x, neighbors, ridge):
    C = (x - neighbors) @ (x - neighbors).T
    w = np.linalg.solve(C + max(ridge * np.trace(C), 1e-3) * np.eye(len(C)), np.ones(len(C)))
    return w / w.sum()


@wrong_in("lle.mixture_weights")
def a_little_is_added(x, neighbors, ridge):
    C = (x - neighbors) @ (x - neighbors).T
    w = np.linalg.solve(C + (ridge * np.trace(C) + 1e-9) * np.eye(len(C)), np.ones(len(C)))
    return w / w.sum()


@wrong_in("kernel_pca.new_scores")
def eigenvalues_have_a_floor(Y, K, new_rows):
    centred = new_rows - new_rows.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
    return centred @ Y / np.maximum((Y**2).sum(axis=0), 1e-6)
