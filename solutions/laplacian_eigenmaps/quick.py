"""Quick questions on Laplacian eigenmaps."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.laplacian_eigenmaps.energy_by_hand import (
    counted_each_edge_once,
    energy_by_hand,
    forgot_the_squares,
    forgot_the_weights,
    squared_the_weights_too,
)
from solutions.numbers import Array


def _weights(rng: np.random.Generator, n: int = 6) -> Array:
    W = np.triu(rng.integers(1, 5, size=(n, n)), 1).astype(float)
    return W + W.T


def _laplacian(W: Array) -> Array:
    return np.diag(W.sum(axis=1)) - W


graph_laplacian = question.claims(
    "The Laplacian of a graph",
    "$L=D-W$ belongs to a connected graph whose positive weights are not all equal. Which statements are always true?",
    see="eq-laplacian-eigenmaps-laplacian",
    explanation="The energy is a sum of squares of differences: constants cost nothing, everything else something.",
)
graph_laplacian.holds(
    "row_sums", r"$L\mathbf 1=0$.", lambda rng: np.allclose(_laplacian(_weights(rng)) @ np.ones(6), 0)
)
graph_laplacian.holds(
    "zero_is_simple",
    "Zero is an eigenvalue of $L$ exactly once.",
    lambda rng: np.sum(np.linalg.eigvalsh(_laplacian(_weights(rng))) < 1e-9) == 1,
)
graph_laplacian.fails(
    "thought_the_laplacian_is_invertible",
    "$L$ has an inverse.",
    "What does $L$ do to a map that puts all points in one place?",
    lambda rng: np.linalg.eigvalsh(_laplacian(_weights(rng)))[0] > 1e-9,
)
graph_laplacian.fails(
    "took_the_degrees_for_eigenvalues",
    "The eigenvalues of $L$ are the degrees.",
    "The degrees stand on the diagonal. Those are the eigenvalues only of a diagonal matrix.",
    lambda rng: (lambda W: np.allclose(np.linalg.eigvalsh(_laplacian(W)), np.sort(W.sum(axis=1))))(
        _weights(rng)
    ),
)
graph_laplacian.fails(
    "expected_constant_length",
    r"The eigenvectors of $Lf=\lambda Df$ are orthogonal to each other: $f^\top g=0$.",
    r"They are orthogonal in the inner product $f^\top Dg$ of this problem, which weighs each point by its degree.",
    lambda rng: _is_orthogonal(_weights(rng)),
)


def _is_orthogonal(W: Array) -> bool:
    roots = np.sqrt(W.sum(axis=1))
    F = np.linalg.eigh(_laplacian(W) / np.outer(roots, roots))[1] / roots[:, None]
    return bool(np.allclose((F.T @ F)[~np.eye(len(W), dtype=bool)], 0))


energy = question.predict(
    "The energy of a map",
    r"The weights are $W={{ W }}$, and the points lie at $y={{ y }}$ on a line. How large is "
    r"$\sum_{i,j}W_{ij}(y_i-y_j)^2$, over all ordered pairs?",
    of=energy_by_hand,
    among={
        counted_each_edge_once: "Here each edge is counted once. The sum runs over ordered pairs.",
        forgot_the_squares: "Here the differences are not squared.",
        forgot_the_weights: "Here every edge has the weight one.",
        squared_the_weights_too: "Here the weights are squared along with the differences.",
    },
    part=1,
    see="thm-laplacian-eigenmaps-energy",
)

energy_proof = question.proof(
    "The energy is a quadratic form",
    r"Let $W$ be symmetric and $D_{ii}=\sum_jW_{ij}$. Put the steps in order that prove "
    r"$\sum_{i,j}W_{ij}(y_i-y_j)^2=2y^\top(D-W)y$.",
    see="thm-laplacian-eigenmaps-energy",
)


def _drawn(rng: np.random.Generator) -> tuple[Array, Array, float]:
    W, y = _weights(rng), rng.normal(size=6)
    return W, y, float(np.sum(W * np.subtract.outer(y, y) ** 2))


energy_proof.step(
    "expand",
    r"Expand the square: the sum is $\sum_{i,j}W_{ij}y_i^2+\sum_{i,j}W_{ij}y_j^2-2\sum_{i,j}W_{ij}y_iy_j$.",
    true=lambda rng: (lambda W, y, e: np.isclose(e, W.sum(1) @ y**2 + W.sum(0) @ y**2 - 2 * y @ W @ y))(
        *_drawn(rng)
    ),
)
energy_proof.step(
    "first",
    r"In the first of the three sums, sum over $j$: it is $\sum_iD_{ii}y_i^2=y^\top Dy$.",
    after=("expand",),
)
energy_proof.step(
    "second",
    r"The second of them has the same value, because $W$ is symmetric: exchange the names $i$ and $j$.",
    after=("first",),
)
energy_proof.step("third", r"The third of them is $2y^\top Wy$, with a minus sign.", after=("expand",))
energy_proof.step("join", r"Together: $2y^\top Dy-2y^\top Wy=2y^\top(D-W)y$.", after=("second", "third"))
energy_proof.wrong_step(
    r"In the first of the three sums, sum over $j$: it is $N\sum_iy_i^2$.",
    "The summand contains the weights. What is their sum over $j$?",
    false=lambda rng: (lambda W, y, e: np.isclose(W.sum(1) @ y**2, 6 * y @ y))(*_drawn(rng)),
    name="forgot_the_weights",
)
energy_proof.wrong_step(
    r"Together: $y^\top Dy-y^\top Wy=y^\top(D-W)y$.",
    "Every edge occurs twice in the sum, as $(i,j)$ and as $(j,i)$.",
    false=lambda rng: (lambda W, y, e: np.isclose(e, y @ _laplacian(W) @ y))(*_drawn(rng)),
    name="counted_each_edge_once",
)


@question.order(
    "The number of connected pieces",
    "A function `pieces(W)` shall return the number of connected components of a graph with the symmetric weights "
    "`W`. Choose four lines of its body and order them.",
    see="thm-laplacian-eigenmaps-components",
)
def pieces(W: Array) -> int:
    """The multiplicity of the eigenvalue 0."""
    degrees = W.sum(axis=1)
    L = np.diag(degrees) - W
    values = np.linalg.eigvalsh(L)
    return np.sum(values < 1e-9)


@pieces.draw
def draw_pieces(rng: np.random.Generator) -> Cases:
    """Two triangles, and a chain of five."""
    triangle = np.ones((3, 3)) - np.eye(3)
    two = np.block([[triangle, np.zeros((3, 3))], [np.zeros((3, 3)), 2 * triangle]])
    return {"two triangles": {"W": two}, "a chain": {"W": np.eye(5, k=1) + np.eye(5, k=-1)}}


pieces.wrong_line(
    "values = np.linalg.eigvalsh(W)",
    "How often 0 is an eigenvalue of the weights says nothing about components. Of which matrix does it?",
    name="used_the_weights_as_matrix",
)
pieces.wrong_line(
    "L = np.diag(degrees) + W",
    "With which sign does the matrix send a constant vector to zero?",
    name="changed_the_sign",
)
pieces.wrong_line(
    "return np.sum(values > 1e-9)",
    "This counts the eigenvalues that are not zero.",
    name="counted_the_positive_ones",
)


@question.fault(
    "The cost of a map",
    "`W` holds symmetric weights, and `y` has a number for each point. The function shall return the sum over all "
    "edges, each once, of weight times squared difference.",
    see="eq-laplacian-eigenmaps-energy",
)
def cost(W, y):
    """yᵀLy."""
    L = np.diag(W.sum(axis=1)) - W
    return y @ L @ y


@cost.shown("How many neighbours does each point have in the tests, and how heavy are the edges?")
def counted_the_neighbors(W, y):
    """Right where all weights are one."""
    L = np.diag(np.sum(W > 0, axis=1)) - W
    return y @ L @ y


@cost.valid
def are_weights(W, y):
    """Symmetric, not negative, zeros on the diagonal."""
    if W.shape[0] != W.shape[1] or len(W) != len(y):
        return "W must be square, with a row for each entry of y"
    if not np.array_equal(W, W.T) or np.any(W < 0) or np.any(np.diag(W)):
        return "weights are symmetric and not negative, and no point has an edge to itself"
    return None


cost.passes(
    {"W": np.array([[0.0, 1], [1, 0]]), "y": np.array([1.0, 4])},
    {"W": np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]), "y": np.array([0.0, 1, 3])},
    {"W": np.array([[0.0, 5, 0], [5, 0, 0], [0, 0, 0]]), "y": np.array([0.0, 0, 7])},
)
cost.hides(
    {"W": np.array([[0.0, 1, 1], [1, 0, 1], [1, 1, 0]]), "y": np.array([1.0, 2, 4])},
    {"W": np.array([[0.0, 3], [3, 0]]), "y": np.array([0.0, 0])},
)
cost.reveals(
    {"W": np.array([[0.0, 2], [2, 0]]), "y": np.array([1.0, 0])},
    {"W": np.array([[0.0, 3], [3, 0]]), "y": np.array([2.0, 2])},
)


@question.fault(
    "A constant that costs nothing",
    "`W` holds symmetric weights of a connected graph. The function shall return the second smallest eigenvalue of "
    "the Laplacian.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def second_value(W):
    """eigvalsh is ascending."""
    L = np.diag(W.sum(axis=1)) - W
    return np.linalg.eigvalsh(L)[1]


@second_value.shown(
    "Where does the function take its eigenvalue from? With how many points is that the second?"
)
def last_but_one(W):
    """Right with three points."""
    L = np.diag(W.sum(axis=1)) - W
    return np.linalg.eigvalsh(L)[-2]


@second_value.valid
def is_connected_graph(W):
    """Symmetric, connected, three points or more."""
    if W.shape[0] != W.shape[1] or len(W) < 2 or not np.array_equal(W, W.T):
        return "W must be square and symmetric, with two points or more"
    if np.any(W < 0) or np.any(np.diag(W)):
        return "weights are not negative, and no point has an edge to itself"
    reach = np.linalg.matrix_power(np.eye(len(W)) + (W > 0), len(W))
    return None if np.all(reach > 0) else "the graph must be connected"


second_value.passes(
    {"W": np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])},
    {"W": np.array([[0.0, 2, 1], [2, 0, 1], [1, 1, 0]])},
    {"W": np.array([[0.0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])},
)
second_value.hides(
    {"W": np.array([[0.0, 4, 1], [4, 0, 0], [1, 0, 0]])},
    {"W": np.array([[0.0, 3, 3, 3], [3, 0, 3, 3], [3, 3, 0, 3], [3, 3, 3, 0]])},
)
second_value.reveals(
    {"W": np.array([[0.0, 1], [1, 0]])},
    {"W": np.array([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])},
)
