"""Quick questions on Isomap."""

import numpy as np
from scipy.sparse.csgraph import shortest_path

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.isomap.shortest_walks import (
    counted_the_steps,
    shortest_walks,
    summed_the_squares,
    took_the_fewest_steps,
)
from solutions.numbers import Array


def _graph(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Points along a half circle, their distances, and those along edges between neighbours in the list."""
    angles = np.sort(rng.uniform(0, np.pi, size=9))
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    steps = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    return D, shortest_path(np.where(steps == 1, D, 0)), shortest_path(np.where(steps <= 2, D, 0))


graph_distances = question.claims(
    "Distances along a graph",
    "The edges of a connected graph are as long as the Euclidean distances $d_{ij}$ of their ends, and $g_{ij}$ is "
    "the length of a shortest path. Which statements are true for every set of points?",
    see="eq-isomap-geodesic",
    explanation="A path is never shorter than the straight line, and more edges can only shorten paths.",
)
graph_distances.holds(
    "never_shorter", r"$g_{ij}\ge d_{ij}$.", lambda rng: (lambda D, g, h: np.all(g >= D - 1e-9))(*_graph(rng))
)
graph_distances.holds(
    "more_edges_shorten",
    "Adding an edge never makes any $g_{ij}$ larger.",
    lambda rng: (lambda D, g, h: np.all(h <= g + 1e-9))(*_graph(rng)),
)
graph_distances.fails(
    "kept_the_direct_edges",
    "$g_{ij}=d_{ij}$ for all pairs.",
    "This holds for the ends of an edge. What about points that no edge joins?",
    lambda rng: (lambda D, g, h: np.allclose(g, D))(*_graph(rng)),
)
graph_distances.fails(
    "counted_the_steps",
    "$g_{ij}$ is the number of edges of the path with fewest edges.",
    "Edges have lengths here, and those are added.",
    lambda rng: (lambda D, g, h: np.allclose(g, np.abs(np.subtract.outer(np.arange(9), np.arange(9)))))(
        *_graph(rng)
    ),
)
graph_distances.fails(
    "thought_paths_are_straight",
    "The distances $g_{ij}$ are always those of points of some Euclidean space.",
    "Shortest paths obey the triangle inequality. Four points on a circle show that this is not enough.",
    lambda rng: _is_euclidean(
        shortest_path(np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0.0]]))
    ),
)


def _is_euclidean(D: Array) -> bool:
    J = np.eye(len(D)) - 1 / len(D)
    return bool(np.linalg.eigvalsh(-0.5 * J @ D**2 @ J)[0] > -1e-9)


longest_walk = question.predict(
    "A shortest path to the fourth point",
    "Five points are joined by edges of these lengths (0: no edge):\n\n$${{ lengths }}$$\n\nHow long is the shortest "
    "path from the first point to the fourth?",
    of=shortest_walks,
    among={
        took_the_fewest_steps: "This path has the fewest edges. The shortest has the smallest sum of lengths.",
        counted_the_steps: "This is a number of edges. The length of a path is the sum of their lengths.",
        summed_the_squares: "Lengths add up along a path, squares of lengths do not.",
    },
    part=2,
    see="eq-isomap-geodesic",
)

geodesics = question.proof(
    "Why the pieces of a shortest path are shortest",
    "A shortest path from $a$ to $c$ passes through $b$. Put the steps in order that prove: its piece from $a$ to "
    "$b$ is a shortest path, too. (All shortest-path algorithms use this.)",
    see="thm-isomap-shortest-paths",
)
geodesics.step("suppose", "Suppose some other path from $a$ to $b$ were shorter than this piece.")
geodesics.step(
    "replace",
    "Replace the piece by that path. The result still leads from $a$ through $b$ to $c$.",
    after=("suppose",),
)
geodesics.step(
    "shorter",
    "The part from $b$ to $c$ is unchanged, so the result is shorter than the shortest path from $a$ to $c$.",
    after=("replace",),
)
geodesics.step("conclude", "This is impossible. So no path from $a$ to $b$ is shorter.", after=("shorter",))
geodesics.wrong_step(
    "Edges are straight, so the piece from $a$ to $b$ is as long as their Euclidean distance.",
    "One edge is straight. A path of several is usually longer than the straight line between its ends.",
    false=lambda rng: (lambda D, g, h: np.allclose(g, D))(*_graph(rng)),
    name="thought_paths_are_straight",
)
geodesics.wrong_step(
    "The path has fewest edges, so each piece of it has fewest edges.",
    "Shortest means least length. With the lengths [[0, 1, 3], [1, 0, 1], [3, 1, 0]] the path with fewest edges "
    "from the first point to the last is not the shortest.",
    false=lambda rng: shortest_path(np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0.0]]))[0, 2] == 3,
    name="took_the_fewest_steps",
)


@question.order(
    "Distances along the edges of a graph",
    "`D` holds lengths of paths between points. A function `round_of_updates(D)` shall perform one round of the "
    "Floyd–Warshall algorithm for the last point `m`: each length is replaced by that of the way through `m` if this "
    "is shorter. Choose four lines and order them.",
    see="eq-isomap-floyd-warshall",
)
def round_of_updates(D: Array) -> Array:
    """One round of Floyd and Warshall."""
    m = len(D) - 1
    to_middle = D[:, m]
    through = to_middle[:, None] + D[m]
    return np.minimum(D, through)


@round_of_updates.draw
def draw_rounds(rng: np.random.Generator) -> Cases:
    """Ways that violate the triangle inequality, in both directions."""
    return {"five points": {"D": rng.uniform(1, 9, size=(5, 5)) * (1 - np.eye(5))}}


round_of_updates.wrong_line(
    "through = to_middle + D[m]",
    "This adds entry $i$ of one list to entry $i$ of the other. Each start must be combined with each end.",
    name="lost_an_axis",
)
round_of_updates.wrong_line(
    "return np.maximum(D, through)",
    "Which of the two lengths is to be kept, the larger or the smaller?",
    name="kept_the_longer_way",
)
round_of_updates.wrong_line("m = len(D)", "The rows are counted from 0.", name="counted_from_one")


@question.fault(
    "Is the graph connected?",
    "`A` is symmetric, with 1 where two points are joined and 0 elsewhere. The function shall return 1 if every "
    "point can be reached from the first, and 0 otherwise.",
    see="eq-isomap-graph",
)
def is_connected(A):
    """Powers of I + A, as many as there are points."""
    n = len(A)
    reach = np.linalg.matrix_power(np.eye(n) + A, n)
    return int(np.all(reach[0] > 0))


@is_connected.shown(
    "How many edges may a path have that this function finds? Think of a long chain of points."
)
def two_steps_only(A):
    """Ways of two steps."""
    n = len(A)
    reach = np.linalg.matrix_power(np.eye(n) + A, 2)
    return int(np.all(reach[0] > 0))


@is_connected.valid
def is_adjacency(A):
    """Symmetric, zeros and ones, not too many points."""
    if A.shape[0] != A.shape[1] or not np.array_equal(A, A.T):
        return "A must be square and symmetric"
    return None if np.isin(A, [0, 1]).all() else "entries are 0 or 1"


is_connected.passes(
    {"A": np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])},
    {"A": np.array([[0.0, 0], [0, 0]])},
    {"A": np.array([[0.0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]])},
)
is_connected.hides(
    {"A": np.array([[0.0]])},
    {"A": np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]])},
    {"A": np.array([[0.0, 1], [1, 0]])},
)
is_connected.reveals({"A": np.array([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])})


@question.fault(
    "A graph of nearest neighbours",
    "`D` holds distances. Two points shall be joined if one of them is the nearest other point of the other. The "
    "function shall return the number of edges.",
    see="eq-isomap-graph",
)
def number_of_edges(D):
    """Each edge once."""
    far = D + np.diag(np.full(len(D), np.inf))
    A = np.eye(len(D))[far.argmin(axis=1)]
    return np.sum(np.triu(A + A.T) > 0)


@number_of_edges.shown(
    "Is the nearest point of my nearest point always me? Look for a point far from all others."
)
def mutual_edges_only(D):
    """Only where both are nearest to each other."""
    far = D + np.diag(np.full(len(D), np.inf))
    A = np.eye(len(D))[far.argmin(axis=1)]
    return np.sum(np.triu(A * A.T) > 0)


@number_of_edges.valid
def are_clear_distances(D):
    """Symmetric, zero diagonal, no ties for the nearest."""
    if D.shape[0] != D.shape[1] or len(D) < 2 or not np.array_equal(D, D.T):
        return "D must be symmetric, with two points or more"
    if np.any(np.diag(D) != 0) or np.any(D < 0):
        return "no distance is negative, and D[i, i] is 0"
    others = np.sort(D + np.diag(np.full(len(D), np.inf)), axis=1)
    return (
        None
        if len(D) == 2 or np.all(others[:, 0] < others[:, 1])
        else "each point needs one nearest other point"
    )


number_of_edges.passes(
    {"D": np.array([[0.0, 1], [1, 0]])},
    {"D": np.array([[0.0, 1, 8, 9], [1, 0, 7, 8.5], [8, 7, 0, 2], [9, 8.5, 2, 0]])},
    {"D": np.array([[0.0, 3, 9, 9.5], [3, 0, 8, 8.5], [9, 8, 0, 4], [9.5, 8.5, 4, 0]])},
)
number_of_edges.hides(
    {"D": np.array([[0.0, 5], [5, 0]])},
    {"D": np.array([[0.0, 9, 1, 8], [9, 0, 7, 2], [1, 7, 0, 6], [8, 2, 6, 0]])},
)
number_of_edges.reveals(
    {"D": np.array([[0.0, 1, 5], [1, 0, 4], [5, 4, 0]])},
    {"D": np.array([[0.0, 2, 6], [2, 0, 5], [6, 5, 0]])},
)
