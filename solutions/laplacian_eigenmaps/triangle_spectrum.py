"""Task `triangle_spectrum`: the eigenvalues of a triangle with two equal sides, plain and with degrees, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_order
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, graph_laplacian
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, row, steps, tex

Answer = tuple[Array, Array]
SAME = (up_to_order, up_to_order)
SUMS = (4, 5, 8, 10, 20)


def _plain(W: Array) -> Array:
    return np.linalg.eigvalsh(graph_laplacian(W).toarray())[1:]


@task.hand(
    points=2,
    minutes=12,
    see="sec-laplacian-eigenmaps-by-hand",
    same=SAME,
    parts=("eigenvalues of L", "eigenvalues of the pair"),
)
def triangle_spectrum(W: Array) -> Answer:
    """Of L, and of L y = λ D y (eq-laplacian-eigenmaps-eigenproblem)."""
    return _plain(W), eigenmaps_of_graph(W, 2).eigenvalues


@triangle_spectrum.draw
def draw(rng: np.random.Generator) -> task.Cases:
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


@triangle_spectrum.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """Larger weights whose sums divide well."""
    while True:
        total = one_of(rng, SUMS) * int(rng.integers(1, 5))
        side = int(rng.integers(1, total))
        base = total - side
        W = np.full((3, 3), float(side))
        first, second = rng.permutation(3)[:2]
        W[first, second] = W[second, first] = base
        np.fill_diagonal(W, 0)
        if side != base and max(side, base) < 60 and told_apart(WAYS, (W,), SAME):
            return {"the numbers of the text": {"W": W}}


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. The others belong to the random walk, D⁻¹W; those of the pair are one minus "
    "these.",
    see="thm-laplacian-eigenmaps-walk",
)
def gave_the_walks_eigenvalues(W: Array) -> Answer:
    """1 − λ, of D⁻¹W."""
    plain, pair = triangle_spectrum(W)
    return plain, 1 - pair


@triangle_spectrum.wrong(
    "A Laplacian has no negative eigenvalue. Which of D and W has the minus sign?",
    see="eq-laplacian-eigenmaps-laplacian",
)
def changed_the_sign(W: Array) -> Answer:
    """W − D."""
    plain, pair = triangle_spectrum(W)
    return -plain, -pair


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. In the second problem D stands on the right side, and no eigenvalue exceeds 2.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def solved_one_problem_twice(W: Array) -> Answer:
    """The eigenvalues of L for both."""
    return _plain(W), _plain(W)


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. In the second problem you took two for every degree: each vertex has two edges, "
    "but their weights count.",
    see="eq-laplacian-eigenmaps-degree",
)
def took_the_number_of_neighbors(W: Array) -> Answer:
    """D = 2I in the second problem."""
    return _plain(W), _plain(W) / 2


def _degrees(W: Array) -> tuple[float, float]:
    """The degree between the equal sides, and that of the two other vertices."""
    degrees = np.sort(W.sum(axis=1))
    return float(degrees[0] + degrees[2] - degrees[1]), float(degrees[1])


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. For the pair you divided both by one degree, that of the vertex between the "
    "equal sides; the vertices have different degrees, so D is no multiple of I.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def divided_by_the_degree_between(W: Array) -> Answer:
    """Eigenvalues of L divided by the degree of the vertex between the equal sides."""
    return _plain(W), _plain(W) / _degrees(W)[0]


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. For the pair you divided both by the degree that two vertices share. That is "
    "right for the odd vector, which is zero at the third vertex, and for no other.",
)
def divided_by_the_equal_degrees(W: Array) -> Answer:
    """Eigenvalues of L divided by the degree that two vertices share."""
    return _plain(W), _plain(W) / _degrees(W)[1]


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. For the pair you divided both by the mean degree; each equation has the degree "
    "of its own vertex.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def divided_by_the_mean_degree(W: Array) -> Answer:
    """Eigenvalues of L divided by the mean of the degrees."""
    return _plain(W), _plain(W) / W.sum(axis=1).mean()


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. For the pair you took quotients of the eigenvectors of L; the even eigenvector "
    "of the pair is another one, orthogonal to the constant with the degrees as weights.",
)
def kept_the_vectors_of_the_laplacian(W: Array) -> Answer:
    """The quotients yᵀLy/yᵀDy of the eigenvectors of L."""
    degrees = W.sum(axis=1)
    vectors = np.linalg.eigh(np.diag(degrees) - W)[1][:, 1:]
    return _plain(W), _plain(W) / (degrees @ vectors**2)


@triangle_spectrum.wrong(
    "The eigenvalues of L are right. In the second problem you divided by the degrees on both sides; from each side "
    "only their roots belong there.",
    see="eq-laplacian-eigenmaps-symmetric",
)
def divided_by_the_degrees_twice(W: Array) -> Answer:
    """D⁻¹LD⁻¹."""
    degrees = W.sum(axis=1)
    return _plain(W), np.linalg.eigvalsh((np.diag(degrees) - W) / np.outer(degrees, degrees))[1:]


@triangle_spectrum.wrong(
    "These are the eigenvalues of a path of three vertices. The triangle has a third edge."
)
def left_out_the_third_edge(W: Array) -> Answer:
    """The path of the two equal sides."""
    sides = W[np.triu_indices(3, 1)]
    equal = float(np.median(sides))
    return equal * np.array([1.0, 3.0]), np.array([1.0, 2.0])


@triangle_spectrum.wrong(
    "The zero is an eigenvalue, but not a positive one. Each list lacks its largest.",
)
def listed_the_zero(W: Array) -> Answer:
    """Zero and the smaller positive one."""
    plain, pair = triangle_spectrum(W)
    return np.array([0.0, plain.min()]), np.array([0.0, pair.min()])


WAYS = (
    triangle_spectrum,
    divided_by_the_degree_between,
    divided_by_the_equal_degrees,
    divided_by_the_mean_degree,
    kept_the_vectors_of_the_laplacian,
    gave_the_walks_eigenvalues,
    changed_the_sign,
    solved_one_problem_twice,
    took_the_number_of_neighbors,
    divided_by_the_degrees_twice,
    left_out_the_third_edge,
)


@triangle_spectrum.also
def by_symmetry(W: Array) -> Answer:
    """An odd vector and an even one."""
    sides = np.sort(W[np.triu_indices(3, 1)])
    side = sides[1]
    base = sides[0] + sides[2] - side
    plain = np.array([side + 2 * base, 3 * side])
    return plain, np.array([side + 2 * base, 2 * side + base]) / (side + base)


@triangle_spectrum.also
def by_the_walk(W: Array) -> Answer:
    """Eigenvalues of D⁻¹W, and of L, by a solver for general matrices."""
    degrees = W.sum(axis=1)
    plain = np.sort(np.linalg.eigvals(np.diag(degrees) - W).real)[1:]
    return plain, np.sort(1 - np.linalg.eigvals(W / degrees[:, None]).real)[1:]


@triangle_spectrum.worked
def worked(W: Array) -> Worked:
    """An odd and an even vector; the vertex between the equal sides is the special one."""
    apex = next(i for i in range(3) if np.isclose(W[i, (i + 1) % 3], W[i, (i + 2) % 3]))
    one, other = [i for i in range(3) if i != apex]
    side, base = float(W[apex, one]), float(W[one, other])
    plain = [side + 2 * base, 3 * side]
    wheel = [(side + 2 * base) / (side + base), 1 + side / (side + base)]
    odd, even = np.zeros(3), np.ones(3)
    odd[one], odd[other], even[apex] = 1, -1, -2
    return steps(
        rf"Vertex {apex + 1} has two equal edges of weight ${tex(side)}$; the third edge has ${tex(base)}$. The "
        rf"degrees are "
        rf"${row(W.sum(axis=1))}$.",
        rf"The odd vector ${row(odd)}$: $L$ multiplies it by ${tex(side)}+2\cdot{tex(base)}={tex(plain[0])}$. Both its "
        rf"entries have the degree ${tex(side + base)}$, so for the pair it is "
        rf"${tex(plain[0])}/{tex(side + base)}{eq(wheel[0])}$.",
        rf"The even vector ${row(even)}$, orthogonal to the constant: $L$ multiplies it by "
        rf"$3\cdot{tex(side)}={tex(plain[1])}$.",
        rf"For the pair the even vector is $(1,1,-t)$, with $-t$ at vertex {apex + 1}. There, $Ly=\lambda Dy$ reads "
        rf"$2\cdot{tex(side)}(-t-1)=-\lambda\cdot{tex(2 * side)}\,t$, so $\lambda t=t+1$; beside it, "
        rf"${tex(side)}(1+t)=\lambda\cdot{tex(side + base)}$. So "
        rf"$\lambda\,t=\lambda\cdot{tex(side + base)}/{tex(side)}$, "
        rf"$t{eq((side + base) / side)}$, and $\lambda=1+1/t{eq(wheel[1])}$.",
        rf"The lists are ${row(plain)}$ and ${row(wheel)}$.",
    ), (plain, wheel)
