"""Quick questions on the duality of samples and features."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from autograder.judging.sameness import up_to_sign
from solutions.duality.sizes import (
    counted_the_zeros_of_the_small_matrix,
    forgot_the_relation_of_centred_rows,
    gave_the_rank,
    sizes,
)
from solutions.numbers import Array


def _centred(rng: np.random.Generator, n: int = 4, d: int = 7) -> Array:
    X = rng.normal(size=(n, d))
    return X - X.mean(axis=0)


def _positive(square: Array) -> Array:
    values = np.linalg.eigvalsh(square)[::-1]
    return values[values > 1e-9]


both_products = question.claims(
    "Two products of one table",
    r"$X_c$ has $N=4$ centred samples with $D=7$ features, in general position. $S=X_c^\top X_c$ and "
    r"$G=X_cX_c^\top$. Which statements are true?",
    see="thm-duality-spectra",
    explanation="Both products have the same positive eigenvalues; only the number of zeros differs.",
)
both_products.holds(
    "same_values",
    "$S$ and $G$ have the same positive eigenvalues.",
    lambda rng: (lambda X: np.allclose(_positive(X.T @ X), _positive(X @ X.T)))(_centred(rng)),
)
both_products.holds(
    "three_positive",
    "$G$ has three positive eigenvalues.",
    lambda rng: len(_positive((lambda X: X @ X.T)(_centred(rng)))) == 3,
)
both_products.holds(
    "same_trace",
    "$S$ and $G$ have the same trace.",
    lambda rng: (lambda X: np.isclose(np.trace(X.T @ X), np.trace(X @ X.T)))(_centred(rng)),
)
both_products.fails(
    "forgot_the_relation_of_centred_rows",
    "$S$ has four positive eigenvalues.",
    "Centred rows sum to zero: how many of the four can be independent?",
    lambda rng: len(_positive((lambda X: X.T @ X)(_centred(rng)))) == 4,
)
both_products.fails(
    "took_both_for_positive_definite",
    "$G$ has an inverse.",
    r"What is $G\mathbf 1$ if the rows of $X_c$ sum to zero?",
    lambda rng: np.linalg.eigvalsh((lambda X: X @ X.T)(_centred(rng)))[0] > 1e-9,
)

zeros_of_the_scatter = question.predict(
    "How many zeros?",
    "${{ n_samples }}$ centred samples in general position have ${{ n_dimensions }}$ features. How often is zero an "
    "eigenvalue of their ${{ n_dimensions }}\\times{{ n_dimensions }}$ scatter matrix?",
    of=sizes,
    among={
        forgot_the_relation_of_centred_rows: "Centred samples sum to zero. How many of them can be independent?",
        counted_the_zeros_of_the_small_matrix: "This is the number of zeros of the matrix of inner products of the "
        "samples. How many eigenvalues has the scatter matrix?",
        gave_the_rank: "So many of its eigenvalues are positive. The others were asked for.",
    },
    part=0,
    see="thm-duality-spectra",
)

lift = question.proof(
    "From an eigenvector of the small matrix to one of the large",
    r"Let $Gu=\lambda u$ with $G=X_cX_c^\top$, $\|u\|=1$ and $\lambda>0$. Put the steps in order that find a unit "
    r"eigenvector of $S=X_c^\top X_c$.",
    see="thm-duality-lift",
)


def _pair(rng: np.random.Generator) -> tuple[Array, Array, float]:
    X = _centred(rng)
    values, vectors = np.linalg.eigh(X @ X.T)
    return X, vectors[:, -1], values[-1]


lift.step(
    "multiply",
    r"Multiply $X_cX_c^\top u=\lambda u$ by $X_c^\top$ from the left: $X_c^\top X_c(X_c^\top u)=\lambda X_c^\top u$.",
    true=lambda rng: (lambda X, u, value: np.allclose(X.T @ X @ (X.T @ u), value * X.T @ u))(*_pair(rng)),
)
lift.step(
    "length",
    r"Its length: $\|X_c^\top u\|^2=u^\top X_cX_c^\top u=\lambda$, which is not zero.",
    true=lambda rng: (lambda X, u, value: np.isclose(np.sum((X.T @ u) ** 2), value))(*_pair(rng)),
)
lift.step(
    "eigenvector",
    r"So $X_c^\top u$, not being zero, is an eigenvector of $S$ for $\lambda$.",
    after=("multiply", "length"),
)
lift.step(
    "unit",
    r"Divided by its length, $v=X_c^\top u/\sqrt\lambda$ is a unit eigenvector.",
    after=("eigenvector",),
)
lift.wrong_step(
    r"Its length: $\|X_c^\top u\|=\|u\|=1$.",
    "Only an orthogonal matrix keeps all lengths. What is the square of this length?",
    false=lambda rng: (lambda X, u, value: np.isclose(np.linalg.norm(X.T @ u), 1))(*_pair(rng)),
    name="took_the_lift_for_a_unit_vector",
)
lift.wrong_step(
    r"Divided by its length, $v=X_c^\top u/\lambda$ is a unit eigenvector.",
    "The eigenvalue is the *square* of the length.",
    false=lambda rng: (lambda X, u, value: np.isclose(np.linalg.norm(X.T @ u / value), 1))(*_pair(rng)),
    name="divided_by_the_square",
)


@question.order(
    "The variance along a lifted direction",
    "There are far more features than samples. `along(X, number)` shall return the variances along the first "
    "`number` "
    "principal axes, with divisor N, without ever making a matrix of features. Choose four lines and order them.",
    see="eq-duality-variances",
)
def along(X: Array, number: int) -> Array:
    """Eigenvalues of the small matrix over N."""
    centred = X - X.mean(axis=0)
    G = centred @ centred.T
    values = np.linalg.eigvalsh(G)[::-1]
    return values[:number] / len(X)


@along.draw
def draw_along(rng: np.random.Generator) -> Cases:
    """Few samples, many features."""
    return {"five samples": {"X": rng.normal(size=(5, 12)) + 2, "number": 2}}


along.wrong_line(
    "return values[:number]",
    "These are sums of squares of scores. What makes a variance of them?",
    name="kept_the_sum_of_squares",
)
along.wrong_line(
    "G = X @ X.T", "Products of raw samples are taken about the origin.", name="left_the_products_uncentred"
)
along.wrong_line(
    "values = np.linalg.eigvalsh(G)", "In which order does `eigvalsh` return them?", name="took_the_smallest"
)


@question.fault(
    "The number of positive eigenvalues",
    "The function shall return the rank of the covariance matrix of the samples, the rows of `X`.",
    see="eq-duality-rank",
)
def rank_of_the_covariance(X):
    """The rank of the centred rows."""
    table = X - X.mean(axis=0)
    return np.linalg.matrix_rank(table)


@rank_of_the_covariance.shown(
    "In each test one sample is zero, or the mean of all samples is. When does centring lower the rank?"
)
def rank_of_the_raw_rows(X):
    """Too many by one where the origin is not among the affine combinations."""
    table = X
    return np.linalg.matrix_rank(table)


@rank_of_the_covariance.valid
def any_table(X):
    """Any table."""
    return None


rank_of_the_covariance.passes(
    {"X": np.array([[0.0, 0, 0], [1, 2, 0], [0, 1, 1]])},
    {"X": np.array([[1.0, 1], [-1, -1]])},
    {"X": np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])},
)
rank_of_the_covariance.hides(
    {"X": np.array([[2.0, 0], [0, 2], [1, 7]])}, {"X": np.array([[0.0, 0, 0]])}, {"X": np.array([[1.0], [2]])}
)
rank_of_the_covariance.reveals(
    {"X": np.array([[1.0, 2, 3]])}, {"X": np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])}
)


@question.fault(
    "A direction from a table",
    "`u` is a list with a number for each row of `X`, and $X^\\top u$ is not zero. The function shall return the "
    "unit vector along $X^\\top u$.",
    see="eq-duality-lift",
    same=up_to_sign,
)
def lifted(X, u):
    """Normalised by its own length."""
    v = X.T @ u
    return v / np.linalg.norm(v)


@lifted.shown("By which length does the function divide? Where does it differ from the length of `v`?")
def divided_by_the_length_of_u(X, u):
    """Right where X keeps the length of u."""
    v = X.T @ u
    return v / np.linalg.norm(u)


@lifted.valid
def is_not_lost(X, u):
    """Sizes fit, and the product is not zero."""
    if len(X) != len(u):
        return "u must have a number for each row of X"
    return None if np.linalg.norm(X.T @ u) > 1e-9 else "the product is zero and has no direction"


lifted.passes(
    {"X": np.array([[1.0, 0], [0, 1]]), "u": np.array([3.0, 4])},
    {"X": np.array([[0.6, 0.8]]), "u": np.array([5.0])},
    {"X": np.array([[0.0, 1], [1, 0]]), "u": np.array([1.0, 2])},
)
lifted.hides(
    {"X": np.array([[0.6, -0.8], [0.8, 0.6]]), "u": np.array([1.0, 1])},
    {"X": np.array([[-1.0]]), "u": np.array([7.0])},
)
lifted.reveals(
    {"X": np.array([[2.0, 0], [0, 1]]), "u": np.array([1.0, 0])},
    {"X": np.array([[1.0, 1]]), "u": np.array([1.0])},
)
