"""Task `triangle_spectrum`: the eigenvalues of a triangle with two equal sides, plain and with degrees, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import up_to_order
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, graph_laplacian
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of

Answer = tuple[Array, Array]
SAME = (up_to_order, up_to_order)
SUMS = (4, 5, 8, 10, 20)


def draw(rng: np.random.Generator) -> Cases:
    """Two equal sides and a third; the vertex between the equal ones may be any. The sum of both divides well."""
    while True:
        total = one_of(rng, SUMS)
        side = int(rng.integers(1, total))
        base = total - side
        W = np.full((3, 3), float(side))
        first, second = rng.permutation(3)[:2]
        W[first, second] = W[second, first] = base
        np.fill_diagonal(W, 0)
        if side != base and max(side, base) < 15 and told_apart(WAYS, (W,), SAME):
            return {"the numbers of the text": {"W": W}}


def _plain(W: Array) -> Array:
    return np.linalg.eigvalsh(graph_laplacian(W).toarray())[1:]


def answer(W: Array) -> Answer:
    """Of L, and of L y = λ D y (eq-laplacian-eigenmaps-eigenproblem)."""
    return _plain(W), eigenmaps_of_graph(W, 2).eigenvalues


def gave_the_walks_eigenvalues(W: Array) -> Answer:
    """1 − λ, of D⁻¹W."""
    plain, pair = answer(W)
    return plain, 1 - pair


def changed_the_sign(W: Array) -> Answer:
    """W − D."""
    plain, pair = answer(W)
    return -plain, -pair


def solved_one_problem_twice(W: Array) -> Answer:
    """The eigenvalues of L for both."""
    return _plain(W), _plain(W)


def took_the_number_of_neighbors(W: Array) -> Answer:
    """D = 2I in the second problem."""
    return _plain(W), _plain(W) / 2


def divided_by_the_degrees_twice(W: Array) -> Answer:
    """D⁻¹LD⁻¹."""
    degrees = W.sum(axis=1)
    return _plain(W), np.linalg.eigvalsh((np.diag(degrees) - W) / np.outer(degrees, degrees))[1:]


def left_out_the_third_edge(W: Array) -> Answer:
    """The path of the two equal sides."""
    sides = W[np.triu_indices(3, 1)]
    equal = float(np.median(sides))
    return equal * np.array([1.0, 3.0]), np.array([1.0, 2.0])


WAYS = (
    answer,
    gave_the_walks_eigenvalues,
    changed_the_sign,
    solved_one_problem_twice,
    took_the_number_of_neighbors,
    divided_by_the_degrees_twice,
    left_out_the_third_edge,
)


def by_symmetry(W: Array) -> Answer:
    """An odd vector and an even one."""
    sides = np.sort(W[np.triu_indices(3, 1)])
    side = sides[1]
    base = sides[0] + sides[2] - side
    plain = np.array([side + 2 * base, 3 * side])
    return plain, np.array([side + 2 * base, 2 * side + base]) / (side + base)


def by_the_walk(W: Array) -> Answer:
    """Eigenvalues of D⁻¹W, and of L, by a solver for general matrices."""
    degrees = W.sum(axis=1)
    plain = np.sort(np.linalg.eigvals(np.diag(degrees) - W).real)[1:]
    return plain, np.sort(1 - np.linalg.eigvals(W / degrees[:, None]).real)[1:]


triangle_spectrum = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="sec-laplacian-eigenmaps-by-hand",
    same=SAME,
    parts=("eigenvalues of L", "eigenvalues of the pair"),
    misconceptions=(
        Misconception(
            gave_the_walks_eigenvalues,
            hint="The eigenvalues of L are right. The others belong to the random walk, D⁻¹W; those of the pair are "
            "one minus these.",
            see="thm-laplacian-eigenmaps-walk",
        ),
        Misconception(
            changed_the_sign,
            hint="A Laplacian has no negative eigenvalue. Which of D and W has the minus sign?",
            see="eq-laplacian-eigenmaps-laplacian",
        ),
        Misconception(
            solved_one_problem_twice,
            hint="The eigenvalues of L are right. In the second problem D stands on the right side, and no eigenvalue "
            "exceeds 2.",
            see="eq-laplacian-eigenmaps-eigenproblem",
        ),
        Misconception(
            took_the_number_of_neighbors,
            hint="The eigenvalues of L are right. In the second problem you took two for every degree: each vertex has "
            "two edges, but their weights count.",
            see="eq-laplacian-eigenmaps-degree",
        ),
        Misconception(
            divided_by_the_degrees_twice,
            hint="The eigenvalues of L are right. In the second problem you divided by the degrees on both sides; from "
            "each side only their roots belong there.",
            see="eq-laplacian-eigenmaps-symmetric",
        ),
        Misconception(
            left_out_the_third_edge,
            hint="These are the eigenvalues of a path of three vertices. The triangle has a third edge.",
            see="sec-laplacian-eigenmaps-by-hand",
        ),
    ),
    alternatives=(by_symmetry, by_the_walk),
)
