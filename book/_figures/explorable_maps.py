"""Explorables of the chapters on maps: data of the reference, a still of them, question and caption."""

import numpy as np
from IPython.display import HTML

from _figures.explorables import Plane, circles, dots, explorable, rounded, segments, shades_of
from _figures.sliders import Scene, path
from dimred_ref.classical_mds import classical_mds, gram_spectrum
from dimred_ref.datasets import swiss_roll
from dimred_ref.graph import knn_graph, nearest_neighbors
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, laplacian_eigenmaps
from dimred_ref.lle import lle, lle_weights
from dimred_ref.pca import pca

ROLL_SEED = 27  # chosen: of 300 seeds, 11 have no short-cut up to k = 6
CLEAN_K, WRONG_K = 6, 7
NAMES = ("A", "B", "C", "D")
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def roll() -> HTML:
    """Draw a swiss roll with its graph and the map that Isomap makes of it."""
    sample = swiss_roll(300, seed=ROLL_SEED)
    points, sheet = sample.X.round(4), sample.coordinates.round(4)
    pushes = np.random.default_rng(ROLL_SEED).standard_normal(points.shape)
    angles = np.hypot(points[:, 0], points[:, 2])  # the radius of the spiral is its angle
    shades = shades_of(sheet[:, 0])
    graph = knn_graph(points, CLEAN_K).tocoo()
    edges = np.column_stack([graph.row, graph.col])[graph.row < graph.col]
    fit = isomap(points, 2, n_neighbors=CLEAN_K).embedding
    fit *= np.sign(np.sum(fit * (sheet - sheet.mean(axis=0)), axis=0))
    yaw, pitch = 0.4, -1.0  # nearly along the axis, from where the windings are seen
    right = np.array([np.cos(yaw), 0, np.sin(yaw)])
    up = np.array([-np.sin(pitch) * np.sin(yaw), np.cos(pitch), np.sin(pitch) * np.cos(yaw)])
    seen = (points - (0, 10.5, 0)) @ np.column_stack([right, up])
    panels = [
        (Plane(0, 300, 19.5)(seen), "the roll and its graph", 150),
        (Plane(312, 300, 1.06 * np.abs(fit).max())(fit), "its map by Isomap", 462),
    ]
    still = "".join(
        f"{segments(places, edges, 'edges')}{dots(places, shades)}"
        f'<text x="{x}" y="318" text-anchor="middle">{words}</text>'
        for places, words, x in panels
    )
    data = {
        "points": rounded(points),
        "sheet": rounded(sheet),
        "means": rounded(sheet.mean(axis=0)),
        "angles": rounded(angles),
        "pushes": rounded(pushes),
        "k": CLEAN_K,
        "wrong_k": WRONG_K,
    }
    alt = "A swiss roll of 300 points with the edges between neighbours, and the strip that Isomap unrolls it to."
    return explorable(
        "roll",
        data,
        Scene((0, 0, 612, 326), alt, still),
        question="How large may k be before an edge jumps to the next winding, and what does that do to the map?",
        caption="Isomap measures along the edges. The seed of this roll is <em>chosen</em>: of 300 samples of 300 "
        "points, only 11 have no short-cut up to <i>k</i> = 6. <i>Noise</i> pushes each point in its own direction.",
    )


def table() -> HTML:
    """Draw the map of a table of six distances, and the eigenvalues behind it."""
    corners = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]])
    lengths = [float(np.linalg.norm(corners[i] - corners[j])) for i, j in PAIRS]
    wrong = [8.0 if pair == (0, 2) else length for pair, length in zip(PAIRS, lengths, strict=True)]
    square = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    places = Plane(0, 300, 4.6)(corners - corners.mean(axis=0))
    spectrum = gram_spectrum(square)
    bars = "".join(
        _eigenvalue_bar(346 + 66 * a, value)
        for a, value in enumerate(np.where(np.abs(spectrum) < 1e-9, 0, spectrum))
    )
    names = "".join(
        f'<text x="{x + 10:.0f}" y="{y - 8:.0f}">{name}</text>'
        for name, (x, y) in zip(NAMES, places, strict=True)
    )
    still = f"{segments(places, np.array(PAIRS), 'pale')}{circles(places, 'place')}{names}{bars}"
    alt = "The map of a rectangle with sides 4 and 3, and its four eigenvalues: 16, 9, 0 and 0."
    model = classical_mds(square, 2).embedding
    model *= np.sign(np.sum(model * (corners - corners.mean(axis=0)), axis=0))
    return explorable(
        "table",
        {"names": NAMES, "lengths": lengths, "wrong": wrong, "still": rounded(model)},
        Scene((0, 0, 612, 300), alt, still),
        question="Which tables of six distances belong to no four points at all?",
        caption="Classical scaling of six distances: the map, and the eigenvalues of the Gram matrix. A negative "
        "eigenvalue says that no points, in a space of whatever dimension, have these distances.",
    )


def _eigenvalue_bar(left: float, value: float) -> str:
    top, zero = _bar_top(value), _bar_top(0)
    return (
        f'<rect class="bar" x="{left}" y="{top:.1f}" width="36" height="{max(zero - top, 1):.1f}"/>'
        f'<text x="{left + 18}" y="{top - 6:.1f}" text-anchor="middle">{value:.2f}</text>'
    )


def _bar_top(value: float) -> float:
    return 280 - (value + 6) * 260 / 28


def recipe() -> HTML:
    """Draw a point and its three nearest neighbours with the weights that mix it."""
    around = [[0.9, 0.5], [-1.1, 0.6], [0.3, -1.2], [1.7, -0.4], [-0.6, -1.5], [-0.3, 1.9]]
    points = np.array([[0.1, 0.0], *around])
    nearest = nearest_neighbors(points, 3)[1]
    weights = lle_weights(points, nearest, 1e-3)[[0]].toarray()[0]
    places = Plane(0, 420, 2.6)(points)
    lines = "".join(
        f'<path class="column" style="stroke-width: {1 + 7 * weights[j]:.1f}" d="{path(places[[0, j]])}"/>'
        f'<text x="{places[j, 0] + 10:.0f}" y="{places[j, 1] - 10:.0f}">{weights[j]:.2f}</text>'
        for j in nearest[0]
    )
    alt = "A point joined to its three nearest neighbours, with the weights that mix it; three other points stand by."
    return explorable(
        "recipe",
        {"points": rounded(points)},
        Scene((0, 0, 420, 420), alt, lines + circles(places, "point")),
        question="How many recipes are there for one point, and which of them does the ridge take?",
        caption="Locally linear embedding mixes a point from its <i>k</i> nearest neighbours, weights adding up to 1. "
        "With more neighbours than dimensions + 1 many mixtures are perfect; the ridge takes nearly the shortest.",
    )


def modes() -> HTML:
    """Draw two groups of points joined by one edge, and the first mode of their graph."""
    points, edges, bridge = _two_groups()
    weights = np.zeros((len(points), len(points)))
    weights[tuple(edges.T)] = 1
    first = eigenmaps_of_graph(weights + weights.T, 1).embedding[:, 0]
    reach = 1.1 * np.abs(points).max()
    places = Plane(0, 300, reach)(points)
    discs = "".join(
        f'<circle class="{"bar" if value > 0 else "negative"}" cx="{x:.1f}" cy="{y:.1f}" '
        f'r="{2.5 + 9 * np.sqrt(abs(value) / np.abs(first).max()):.1f}"/>'
        for (x, y), value in zip(places, first, strict=True)
    )
    data = {
        "points": rounded(points),
        "edges": edges.tolist(),
        "bridge": bridge,
        "reach": round(float(reach), 4),
    }
    alt = "Two groups of vertices joined by one edge; in the first mode one group goes up while the other goes down."
    return explorable(
        "modes",
        data,
        Scene((0, 0, 300, 300), alt, segments(places, edges, "edges") + discs),
        question="What does the slowest mode of a graph tell about its shape?",
        caption="The eigenvectors of <i>Ly</i> = λ<i>Dy</i> are the modes of the graph, slow ones first. Two "
        "groups joined by one edge have a slow mode that tells them apart; without the edge it costs nothing.",
    )


def _two_groups() -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return 28 points in two groups, the edges between neighbours, and the edge between the groups."""
    rng = np.random.default_rng(4)
    groups = [rng.uniform(-1, 1, (14, 2)) + np.array([centre, 0]) for centre in (-1.5, 1.5)]
    points = np.vstack(groups).round(4)
    edges = []
    for start, group in zip((0, 14), groups, strict=True):
        graph = knn_graph(group, 4).tocoo()
        edges += [
            (start + int(i), start + int(j)) for i, j in zip(graph.row, graph.col, strict=True) if i < j
        ]
    gaps = np.linalg.norm(points[:14, None] - points[None, 14:], axis=2)
    i, j = np.unravel_index(gaps.argmin(), gaps.shape)
    bridge = [int(i), 14 + int(j)]
    return points, np.array([*edges, bridge]), bridge


def kernel() -> HTML:
    """Draw half of the ring and the disc of the chapter, and their map by kernel PCA."""
    rng = np.random.default_rng(14)  # the draws of the page, of which every second point
    turns = rng.uniform(0, 2 * np.pi, 60)
    ring = 2 * np.column_stack([np.cos(turns), np.sin(turns)]) + 0.12 * rng.normal(size=(60, 2))
    points = np.vstack([0.45 * rng.normal(size=(60, 2)), ring])[::2].round(4)
    classes = (np.arange(len(points)) >= 30).astype(int)
    embedding = rbf_kernel_pca(points, 2, gamma=1.0).embedding
    reaches = (2.7, 1.1 * np.abs(embedding).max())
    panels = [
        Plane(left, 300, reach)(X)
        for left, reach, X in zip((0, 312), reaches, (points, embedding), strict=True)
    ]
    crosses = "".join(
        f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10" for places in panels for x, y in places[classes == 0]
    )
    discs = "".join(circles(places[classes == 1], "bar") for places in panels)
    alt = "A disc of crosses inside a ring of dots, and their map by kernel PCA, in which one cut tells them apart."
    data = {"points": rounded(points), "classes": classes.tolist(), "place": 0, "reach": reaches[0]}
    return explorable(
        "kernel",
        data,
        Scene((0, 0, 612, 300), alt, f'<path class="axis thin" d="{crosses}"/>{discs}'),
        question="For which γ does one coordinate tell the colours apart, although nobody told it the colours?",
        caption="Kernel PCA with the kernel exp(−γ‖<i>a</i> − <i>b</i>‖²) of a disc and a "
        "ring (every second point of this page's sample). It sees the points only.",
    )


def linked() -> HTML:
    """Draw one roll under five methods, with some points marked in all of them."""
    sample = swiss_roll(300, seed=ROLL_SEED)
    points, along = sample.X.round(4), sample.coordinates[:, 0]
    scale = 1 / np.mean(nearest_neighbors(points, CLEAN_K)[0][:, -1] ** 2)
    width = np.median(np.linalg.norm(points[:, None] - points[None], axis=2))
    maps = {
        "PCA": pca(points, 2),
        "kernel PCA": rbf_kernel_pca(points, 2, gamma=width**-2),
        "Isomap": isomap(points, 2, n_neighbors=CLEAN_K),
        "LLE": lle(points, 2, n_neighbors=CLEAN_K),
        "Laplacian": laplacian_eigenmaps(points, 2, n_neighbors=CLEAN_K, gamma=scale),
    }
    flat = [(fit.embedding / np.abs(fit.embedding).max()).round(4) for fit in maps.values()]
    on_pca = nearest_neighbors(flat[0], CLEAN_K)[1]
    spreads = np.ptp(sample.coordinates[on_pca], axis=1).max(
        axis=1
    )  # on the sheet, of neighbours on that map
    shades = shades_of(along)
    panels = "".join(
        dots(Plane(200 * at, 170, 1.08)(Y) + np.array([0, 24]), shades)
        + f'<text x="{200 * at + 85}" y="16" text-anchor="middle">{name}</text>'
        for at, (name, Y) in enumerate(zip(maps, flat, strict=True))
    )
    data = {
        "names": list(maps),
        "maps": [rounded(Y) for Y in flat],
        "points": rounded(points),
        "along": rounded(along),
        "k": CLEAN_K,
        "start": {"source": 2, "point": int(np.argsort(along)[150])},
        "wrong": {"source": 0, "point": int(np.argmax(spreads))},
    }
    alt = (
        "A swiss roll of 300 points under five methods, in shades along the sheet; only some maps unroll it."
    )
    return explorable(
        "linked",
        data,
        Scene((0, 0, 980, 196), alt, panels),
        question="Where are the neighbours on one map to be found on the others?",
        caption="Three hundred points of a swiss roll (a <em>chosen</em> seed, <i>k</i> = 6) under five methods. The "
        "brush takes a point and its six nearest neighbours on the map under your hand, and rings them on all maps.",
    )
