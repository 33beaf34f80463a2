"""Task `two_pairs`: the smoothest coordinate of two strong pairs with a bridge between them, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, row, steps, tex

Answer = tuple[np.float64, Array]
SAME = (exactly, exactly)
SUMS = (4, 5, 8, 10, 20, 25, 40)


def _weights(pair: int, bridge: int) -> Array:
    upper = np.diag([pair, bridge, pair], 1).astype(float)
    return upper + upper.T


def _pairs_of(A: Array, position: int) -> Answer:
    values, vectors = np.linalg.eigh(A)
    return np.float64(values[position]), _from_one(vectors[:, position])


def _from_one(vector: Array) -> Array:
    """Scaled so that the first entry is 1."""
    return vector / vector[0]


def _symmetric(pair: int, bridge: int) -> tuple[Array, Array]:
    W = _weights(pair, bridge)
    roots = np.sqrt(W.sum(axis=1))
    return np.eye(4) - W / np.outer(roots, roots), roots


@task.hand(
    points=2, minutes=15, see="thm-laplacian-eigenmaps-walk", same=SAME, parts=("eigenvalue", "coordinate")
)
def two_pairs(pair: int, bridge: int) -> Answer:
    """b/(a + b) and (1, t, −t, −1) with t = a/(a + b) (eq-laplacian-eigenmaps-eigenproblem)."""
    fit = eigenmaps_of_graph(_weights(pair, bridge), 1)
    return np.float64(fit.eigenvalues[0]), _from_one(fit.embedding[:, 0])


@two_pairs.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """The weight within the pairs and the weight of the bridge; their sum divides well."""
    while True:
        total = one_of(rng, SUMS)
        pair = int(rng.integers(1, total))
        inputs = {"pair": pair, "bridge": total - pair}
        if abs(2 * pair - total) > 1 and told_apart(WAYS, tuple(inputs.values()), SAME):
            return {"the numbers of the text": inputs}


@two_pairs.wrong(
    "This is the smoothest coordinate when all vertices have the same mass. Here the masses are the degrees.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def solved_without_the_degrees(pair: int, bridge: int) -> Answer:
    """L y = λ y."""
    W = _weights(pair, bridge)
    return _pairs_of(np.diag(W.sum(axis=1)) - W, 1)


@two_pairs.wrong(
    "The eigenvalue is right. Your vector is that of the symmetric matrix; each entry still has to be divided by "
    "something.",
    see="eq-laplacian-eigenmaps-symmetric",
)
def gave_the_vector_of_the_symmetric_matrix(pair: int, bridge: int) -> Answer:
    """u = D^½ y."""
    return _pairs_of(_symmetric(pair, bridge)[0], 1)


@two_pairs.wrong(
    "A constant coordinate is the smoothest, and it is forbidden: it puts all vertices in one place.",
    see="eq-laplacian-eigenmaps-problem",
)
def kept_the_constant(pair: int, bridge: int) -> Answer:
    """λ = 0."""
    return np.float64(0), np.ones(4)


@two_pairs.wrong(
    "The coordinate is right. Your number is the factor by which the mean over the neighbours shrinks it, one minus "
    "the eigenvalue asked for.",
    see="eq-laplacian-eigenmaps-mean",
)
def gave_the_walks_eigenvalue(pair: int, bridge: int) -> Answer:
    """1 − λ."""
    value, vector = two_pairs(pair, bridge)
    return 1 - value, vector


@two_pairs.wrong(
    "This is an eigenvector, but not the smoothest. A vector that has opposite signs at the two ends does better.",
    see="thm-laplacian-eigenmaps-solution",
)
def took_an_even_vector(pair: int, bridge: int) -> Answer:
    """(1, t, t, 1)."""
    symmetric, roots = _symmetric(pair, bridge)
    value, vector = _pairs_of(symmetric, 2)
    return value, _from_one(vector / roots)


@two_pairs.wrong(
    "The eigenvalue is right. In your vector each pair sits in one place; the mean over the neighbour of an end would "
    "then be the end itself, not shrunk at all.",
)
def made_two_heaps(pair: int, bridge: int) -> Answer:
    """(1, 1, −1, −1)."""
    return two_pairs(pair, bridge)[0], np.array([1.0, 1.0, -1.0, -1.0])


@two_pairs.wrong(
    "This coordinate changes its sign along every edge: it is the roughest one.",
    see="thm-laplacian-eigenmaps-solution",
)
def took_the_largest(pair: int, bridge: int) -> Answer:
    """λ = 2."""
    return np.float64(2), np.array([1.0, -1.0, 1.0, -1.0])


WAYS = (
    two_pairs,
    made_two_heaps,
    solved_without_the_degrees,
    gave_the_vector_of_the_symmetric_matrix,
    kept_the_constant,
    gave_the_walks_eigenvalue,
    took_an_even_vector,
    took_the_largest,
)


@two_pairs.also
def by_symmetry(pair: int, bridge: int) -> Answer:
    """The mean over the only neighbour gives t = 1 − λ."""
    t = pair / (pair + bridge)
    return np.float64(1 - t), np.array([1.0, t, -t, -1.0])


@two_pairs.also
def by_the_walk(pair: int, bridge: int) -> Answer:
    """The second largest eigenvalue of D⁻¹W."""
    W = _weights(pair, bridge)
    values, vectors = np.linalg.eig(W / W.sum(axis=1, keepdims=True))
    second = int(np.argsort(-values.real)[1])
    return 1 - np.float64(values[second].real), _from_one(vectors[:, second].real)


@two_pairs.worked
def worked(pair: float, bridge: float) -> Worked:
    """The end gives 1 − λ = t, the vertex beside it a quadratic equation."""
    t = pair / (pair + bridge)
    return steps(
        r"By symmetry the smoothest coordinate is odd: $(1,t,-t,-1)$.",
        r"$Ly=\lambda Dy$ says that the mean of the neighbours is $1-\lambda$ times the own value. An end has one "
        r"neighbour: $t=1-\lambda$.",
        rf"At the second vertex: $\dfrac{{{tex(pair)}\cdot1+{tex(bridge)}\cdot(-t)}}{{{tex(pair + bridge)}}}"
        rf"=(1-\lambda)t=t^2$, "
        rf"so ${tex(pair + bridge)}t^2+{tex(bridge)}t-{tex(pair)}=0$, whose roots are $-1$ and "
        rf"${tex(pair)}/{tex(pair + bridge)}{eq(t)}$. The first belongs to a rougher vector.",
        rf"So $\lambda=1-{tex(t)}{eq(1 - t)}$, and the vector is ${row([1, t, -t, -1])}$.",
    ), (1 - t, [1.0, t, -t, -1.0])
