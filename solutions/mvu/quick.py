"""Quick questions on maximum variance unfolding."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.placeholders import latex
from autograder.authoring.task import Cases
from solutions.mvu.chain_tensions import (
    balanced_about_the_middle,
    chain_tensions,
    gave_the_forces,
    held_every_link_alone,
    looked_at_one_end_only,
)
from solutions.numbers import Array


def _points(rng: np.random.Generator) -> Array:
    X = rng.normal(size=(5, 3))
    return X - X.mean(axis=0)


def _distances(X: Array) -> Array:
    return np.linalg.norm(X[:, None] - X[None], axis=2)


@question.choice(
    "Which Gram matrices are admissible?",
    "Three knots on a string: the first and the second are 1 apart, the second and the third, too. Which of these "
    "centred Gram matrices $K$ belong to a position that keeps both links, perhaps in more dimensions?",
    see="thm-mvu-gram",
    several=True,
    show=lambda K: rf"$\frac1{{18}}{latex(np.rint(18 * K))}$",
    explanation="A Gram matrix is positive semidefinite and centred here, and K₁₁ + K₂₂ − 2K₁₂ is a squared distance.",
)
def keeps_the_links(K: Array) -> bool:
    """Positive semidefinite, centred, both links of length one."""
    links = [K[i, i] + K[j, j] - 2 * K[i, j] for i, j in ((0, 1), (1, 2))]
    return bool(np.linalg.eigvalsh(K)[0] > -1e-9 and np.allclose(K.sum(axis=0), 0) and np.allclose(links, 1))


def _gram(points: list[list[float]]) -> Array:
    X = np.array(points)
    X = X - X.mean(axis=0)
    return X @ X.T


@keeps_the_links.right()
def straight(rng: np.random.Generator) -> Array:
    """The unfolded string."""
    return _gram([[0.0], [1], [2]])


@keeps_the_links.right()
def folded(rng: np.random.Generator) -> Array:
    """Both ends in one place."""
    return np.round(_gram([[0.0], [1], [0]]), 12)


@keeps_the_links.right()
def bent(rng: np.random.Generator) -> Array:
    """A right angle."""
    return _gram([[0.0, 1], [0, 0], [1, 0]])


@keeps_the_links.wrong("How long are the links here? Use K₁₁ + K₂₂ − 2K₁₂.")
def stretched(rng: np.random.Generator) -> Array:
    """Twice as long."""
    return _gram([[0.0], [2], [4]])


@keeps_the_links.wrong("The ends would be farther apart than the string is long: one eigenvalue is negative.")
def impossible(rng: np.random.Generator) -> Array:
    """Links kept, ends three apart: no positions."""
    D2 = np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0.0]])
    J = np.eye(3) - 1 / 3
    return -0.5 * J @ D2 @ J


tensions = question.predict(
    "Tensions of a chain",
    "A chain of five knots is unfolded; its links have the lengths ${{ lengths }}$. Which tensions hold it, "
    "link by link?",
    of=chain_tensions,
    among=(gave_the_forces, held_every_link_alone, looked_at_one_end_only, balanced_about_the_middle),
    see="eq-mvu-chain",
)

bound = question.proof(
    "Nothing is farther than along the graph",
    "Put the steps in order that prove: if all edges of a connected graph keep their lengths $d_{ij}$, then "
    "the outputs "
    r"$y_a$, $y_b$ of any two points obey $\|y_a-y_b\|\le g_{ab}$, the length of a shortest path.",
    see="thm-mvu-geodesic-bound",
)
bound.step("path", "Take a shortest path $a=p_0,p_1,\\dots,p_m=b$ of edges.")
bound.step(
    "telescope",
    r"Along it, $y_b-y_a=\sum_l(y_{p_l}-y_{p_{l-1}})$.",
    after=("path",),
    true=lambda rng: (lambda X: np.allclose(X[-1] - X[0], np.diff(X, axis=0).sum(axis=0)))(_points(rng)),
)
bound.step(
    "triangle",
    r"By the triangle inequality, $\|y_b-y_a\|\le\sum_l\|y_{p_l}-y_{p_{l-1}}\|$.",
    after=("telescope",),
    true=lambda rng: (
        lambda X: np.linalg.norm(X[-1] - X[0]) <= np.linalg.norm(np.diff(X, axis=0), axis=1).sum() + 1e-9
    )(_points(rng)),
)
bound.step(
    "edges",
    "Each difference belongs to an edge, whose length is kept, so the sum on the right is $g_{ab}$.",
    after=("triangle",),
)
bound.wrong_step(
    r"By Pythagoras, $\|y_b-y_a\|^2=\sum_l\|y_{p_l}-y_{p_{l-1}}\|^2$.",
    "This needs orthogonal steps. What holds for every path?",
    false=lambda rng: (lambda X: np.isclose(np.sum((X[-1] - X[0]) ** 2), np.sum(np.diff(X, axis=0) ** 2)))(
        _points(rng)
    ),
    name="took_the_steps_for_orthogonal",
)
bound.wrong_step(
    r"Unfolding pulls points apart, so $\|y_a-y_b\|\ge g_{ab}$.",
    "A string can be pulled straight, but not longer than it is.",
    false=lambda rng: (
        lambda X: np.linalg.norm(X[-1] - X[0]) >= np.linalg.norm(np.diff(X, axis=0), axis=1).sum()
    )(_points(rng)),
    name="pulled_without_end",
)


@question.order(
    "The variance of a centred map",
    "`D` holds the distances of a map. A function `variance_of(D)` shall return the sum of squared distances of its "
    "points from their mean, from `D` alone. Choose four lines and order them.",
    see="eq-mvu-trace",
)
def variance_of(D: Array) -> float:
    """Σd²/2N, by the Gram matrix."""
    J = np.eye(len(D)) - 1 / len(D)
    squares = D**2
    K = -0.5 * J @ squares @ J
    return np.trace(K)


@variance_of.draw
def draw_variances(rng: np.random.Generator) -> Cases:
    """Five points."""
    return {"five points": {"D": _distances(_points(rng))}}


variance_of.wrong_line(
    "K = J @ squares @ J", "Its entries are −2 times the inner products.", name="forgot_the_half"
)
variance_of.wrong_line("squares = D", "Inner products come from squared distances.", name="forgot_to_square")
variance_of.wrong_line(
    "return np.sum(K)",
    "The rows of a centred Gram matrix sum to zero. Where are the squared lengths?",
    name="added_every_entry",
)


@question.fault(
    "Are the edges kept?",
    "`X` and `Y` have a row for each point. The function shall return 1 if all distances between consecutive rows of "
    "`Y` are those of `X`, and 0 otherwise.",
    see="eq-mvu-isometry",
)
def keeps_edges(X, Y):
    """Compares lengths of steps."""
    steps, images = np.diff(X, axis=0), np.diff(Y, axis=0)
    return int(np.allclose(np.linalg.norm(steps, axis=1), np.linalg.norm(images, axis=1)))


@keeps_edges.shown(
    "Which number does the function compare? Two links can change their lengths while this number stays the same."
)
def compared_the_total(X, Y):
    """Compares the whole length."""
    steps, images = np.diff(X, axis=0), np.diff(Y, axis=0)
    return int(np.isclose(np.linalg.norm(steps, axis=1).sum(), np.linalg.norm(images, axis=1).sum()))


@keeps_edges.valid
def are_chains(X, Y):
    """Equally many points, two or more."""
    return None if len(X) == len(Y) > 1 else "X and Y need equally many rows, two or more"


keeps_edges.passes(
    {"X": np.array([[0.0, 0], [3, 4]]), "Y": np.array([[0.0], [5]])},
    {"X": np.array([[0.0], [1], [0]]), "Y": np.array([[0.0], [1], [2]])},
    {"X": np.array([[0.0], [1], [3]]), "Y": np.array([[0.0], [2], [6]])},
)
keeps_edges.hides(
    {"X": np.array([[0.0], [1]]), "Y": np.array([[5.0], [4]])},
    {"X": np.array([[0.0], [1], [2]]), "Y": np.array([[0.0], [1], [1]])},
)
keeps_edges.reveals(
    {"X": np.array([[0.0], [1], [3]]), "Y": np.array([[0.0], [2], [3]])},
    {"X": np.array([[0.0], [1], [4]]), "Y": np.array([[0.0], [4], [4]])},
)


@question.fault(
    "A squared distance from a Gram matrix",
    "`K` is a Gram matrix of two points or more. The function shall return the squared distance of the first two.",
    see="eq-mvu-equality",
)
def squared_distance(K):
    """K₁₁ + K₂₂ − 2K₁₂."""
    lengths = K[0, 0] + K[1, 1]
    return lengths - 2 * K[0, 1]


@squared_distance.shown("How long are the first two vectors in each test?")
def doubled_the_first_length(K):
    """Right for equally long vectors."""
    lengths = 2 * K[0, 0]
    return lengths - 2 * K[0, 1]


@squared_distance.valid
def is_gram(K):
    """Symmetric, positive semidefinite, two rows or more."""
    if K.shape[0] != K.shape[1] or len(K) < 2 or not np.allclose(K, K.T):
        return "K must be square and symmetric, with two rows or more"
    return None if np.linalg.eigvalsh(K)[0] > -1e-9 else "K must be positive semidefinite"


squared_distance.passes(
    {"K": np.array([[1.0, -1], [-1, 1]])},
    {"K": np.array([[2.0, 0, 1], [0, 2, 1], [1, 1, 5]])},
    {"K": np.array([[3.0, 3], [3, 3]])},
)
squared_distance.hides({"K": np.array([[1.0, 0], [0, 1]])}, {"K": np.array([[4.0, 2], [2, 4]])})
squared_distance.reveals({"K": np.array([[1.0, 0], [0, 4]])}, {"K": np.array([[0.0, 0], [0, 1]])})
