"""Quick questions on principal component analysis."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.question import are_same, mistake_of
from autograder.authoring.task import Cases
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.pca import pca
from solutions.numbers import Array, cloud
from solutions.pca.scores import (
    forgot_the_singular_values,
    forgot_to_centre,
    left_the_order_ascending,
    scores,
    standardised_the_features,
)


@question.choice(
    "Changes that PCA does not see",
    "Every sample of a cloud with three features is changed in the same way. After which of these changes are the "
    "scores along all three principal axes the same as before, up to the signs of their columns?",
    see="eq-pca-scores",
    several=True,
    explanation="Centring removes a shift, and an orthogonal change such as a permutation of the features turns data "
    "and axes together. A change of units does neither.",
)
def keeps_the_scores(changed: Array, X: Array) -> bool:
    """Compare the scores before and after."""
    return are_same(pca(changed, 3).embedding, pca(X, 3).embedding, up_to_column_signs)


@keeps_the_scores.draw
def draw_keeps(rng: np.random.Generator) -> dict[str, Array]:
    """A cloud far from the origin."""
    return {"X": cloud(rng, 9, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))}


@keeps_the_scores.right("The same vector is added to every sample.")
def shifted(X: Array) -> Array:
    """Shift the cloud."""
    return X + np.array([4.0, -1.0, 2.0])


@keeps_the_scores.right("The first two features trade places.")
def exchanged_features(X: Array) -> Array:
    """Permute the columns, which is orthogonal."""
    return X[:, [1, 0, 2]]


@keeps_the_scores.wrong(
    "The variance of that feature grows a hundredfold, so the first axis turns towards it. PCA depends on units.",
    "The first feature is written in millimetres instead of centimetres.",
    see="eq-pca-covariance",
)
def changed_a_unit(X: Array) -> Array:
    """Scale one column."""
    return X * np.array([10.0, 1.0, 1.0])


@keeps_the_scores.wrong(
    "The axes stay, but each score is a length along them. What happens to lengths?",
    "Every number of the table is doubled.",
)
def doubled(X: Array) -> Array:
    """Scale everything."""
    return 2 * X


@keeps_the_scores.wrong(
    mistake_of(scores, standardised_the_features), "Every feature is divided by its standard deviation."
)
def standardised(X: Array) -> Array:
    """Divide by the standard deviations."""
    return X / X.std(axis=0)


@question.choice(
    "A picture of the scores",
    "The picture shows ten samples with two features; the axes are those of the features. Which picture shows the "
    "scores along both principal axes, the first to the right and the second upwards?",
    see="eq-pca-scores",
    picture=True,
    figure="X",
    same=up_to_column_signs,
    explanation="The scores are the cloud, moved to the origin and turned so that it is widest to the right.",
)
def picture_of_the_scores(points: Array, X: Array) -> bool:
    """Compare with the scores."""
    return are_same(points, scores(X, 2), up_to_column_signs)


@picture_of_the_scores.draw
def draw_picture(rng: np.random.Generator) -> dict[str, Array]:
    """A slanted cloud beside the origin, not along an axis."""
    turn = float(rng.uniform(0.6, 1.0))
    along, across = np.linspace(-4, 4, 10), rng.permutation(np.linspace(-1.2, 1.2, 10))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return {"X": np.round(np.column_stack([along, across]) @ axes + [3.0, -2.0], 2)}


@picture_of_the_scores.right()
def true_scores(X: Array) -> Array:
    """The scores."""
    return scores(X, 2)


for wrong_way in (
    forgot_to_centre,
    left_the_order_ascending,
    forgot_the_singular_values,
    standardised_the_features,
):
    picture_of_the_scores.wrong(mistake_of(scores, wrong_way))(lambda X, wrong_way=wrong_way: wrong_way(X, 2))


largest_variance = question.proof(
    "No direction has more variance",
    r"Prove that $v^\top Cv\le\lambda_1$ for every unit vector $v$, with equality at the eigenvector $v_1$. Here $C$ "
    r"is symmetric with eigenvalues $\lambda_1\ge\dots\ge\lambda_D$ and orthonormal eigenvectors $v_1,\dots,v_D$. "
    "Put the steps that belong to the proof in an order in which each follows from those before it.",
    see="thm-pca-first-direction",
)


def _drawn(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Eigenvalues in descending order, the coefficients of a unit vector, and its variance."""
    values, c = np.sort(rng.uniform(0.5, 5.0, size=4))[::-1], rng.normal(size=4)
    c = c / np.linalg.norm(c)
    V = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    v = V @ c
    return values, c, v @ (V * values) @ V.T @ v


def _close(a: float, b: float) -> bool:
    return bool(abs(a - b) < 1e-9)


largest_variance.step(
    "expand",
    r"Write $v=c_1v_1+\dots+c_Dv_D$. Because the $v_i$ are orthonormal and $v$ is a unit vector, $\sum_ic_i^2=1$.",
    true=lambda rng: _close(float(np.sum(_drawn(rng)[1] ** 2)), 1.0),
)
largest_variance.step(
    "form",
    r"Put this in, and use $Cv_i=\lambda_iv_i$: $v^\top Cv=\sum_i\lambda_ic_i^2$.",
    after=("expand",),
    true=lambda rng: (lambda values, c, variance: _close(values @ c**2, variance))(*_drawn(rng)),
)
largest_variance.step(
    "bound",
    r"No eigenvalue is larger than $\lambda_1$, so $\sum_i\lambda_ic_i^2\le\lambda_1\sum_ic_i^2=\lambda_1$: the "
    "variance just found is at most the first eigenvalue.",
    after=("form",),
    true=lambda rng: (lambda values, c, variance: values @ c**2 <= values[0])(*_drawn(rng)),
)
largest_variance.step("attain", r"At the first eigenvector, $v_1^\top Cv_1=\lambda_1v_1^\top v_1=\lambda_1$.")
largest_variance.step(
    "conclude",
    r"So $\lambda_1$ is the largest variance along any direction, and $v_1$ is a direction that has it.",
    after=("bound", "attain"),
)
largest_variance.wrong_step(
    r"Put this in, and use $Cv_i=\lambda_iv_i$: $v^\top Cv=\sum_i\lambda_ic_i$.",
    "The vector enters the quadratic form twice, so each coefficient does, too.",
    false=lambda rng: (lambda values, c, variance: _close(values @ c, variance))(*_drawn(rng)),
    name="lost_a_square",
)
largest_variance.wrong_step(
    r"Write $v=c_1v_1+\dots+c_Dv_D$. Because $v$ is a unit vector, $\sum_ic_i=1$.",
    "These would be weights of a mean. What is the length of a vector with coefficients $c_i$ in an "
    "orthonormal basis?",
    false=lambda rng: _close(float(np.sum(_drawn(rng)[1])), 1.0),
    name="took_weights_for_coefficients",
)


@question.order(
    "Distances from the first principal axis",
    "A function `off_axis(X)` shall return, for each sample, its distance from the straight line through the mean "
    "along the first principal axis. Choose the five lines of its body that belong in it and put them in an "
    "order that runs and is right.",
    see="eq-pca-reconstruction",
)
def off_axis(X: Array) -> Array:
    """The length of what is left of each sample."""
    centred = X - X.mean(axis=0)
    axis = np.linalg.svd(centred)[2][0]
    along = centred @ axis
    rest = centred - np.outer(along, axis)
    return np.linalg.norm(rest, axis=1)


@off_axis.draw
def draw_off_axis(rng: np.random.Generator) -> Cases:
    """Two clouds beside the origin."""
    return {
        "more samples": {"X": cloud(rng, 8, (6.0, 2.5, 0.8), (0.5, 1.5, 2.0))},
        "more features": {"X": cloud(rng, 4, (5.0, 2.0, 0.6, 0.0, 0.0), (3.0, -2.0, 1.0, 1.0, 2.0))},
    }


off_axis.wrong_line(
    "centred = X - X.mean()",
    "`X.mean()` is one number for the whole table. Each feature has its own mean.",
    name="subtracted_one_number",
    see="eq-pca-covariance",
)
off_axis.wrong_line(
    "axis = np.linalg.svd(centred)[0][0]",
    "The first factor of the decomposition has a row for each sample. Which factor has the axes?",
    name="took_a_row_of_U",
    see="eq-pca-singular-values",
)
off_axis.wrong_line(
    "return np.linalg.norm(rest, axis=0)",
    "This adds the squares down each column: a number for each feature. One for each sample was asked for.",
    name="summed_over_samples",
)


@question.fault(
    "The largest variance",
    "The function shall return the largest variance that data have along any direction: rows of `X` are samples, "
    "and the divisor is their number.",
    see="eq-pca-covariance",
)
def largest_variance_of(X):
    """The largest eigenvalue of the covariance."""
    deviations = X - X.mean(axis=0)
    C = deviations.T @ deviations / len(X)
    return np.linalg.eigvalsh(C)[-1]


@largest_variance_of.shown("What is the mean of each column in the tables of the tests?")
def without_centring(X):
    """Scatter about the origin."""
    deviations = X
    C = deviations.T @ deviations / len(X)
    return np.linalg.eigvalsh(C)[-1]


@largest_variance_of.valid
def is_a_table(X):
    """Any table of two samples or more."""
    return None if len(X) > 1 else "X needs two samples or more"


largest_variance_of.passes(
    {"X": np.array([[1.0, 0], [-1, 0]])},
    {"X": np.array([[2.0, 1], [0, -2], [-2, 1]])},
    {"X": np.array([[3.0], [1], [-4]])},
)
largest_variance_of.hides(
    {"X": np.array([[1.0, 5], [-1, -5]])},
    {"X": np.array([[0.0, 0, 0], [0, 0, 0]])},
    {"X": np.array([[4.0, -3], [-3, 1], [-1, 2]])},
)
largest_variance_of.reveals({"X": np.array([[1.0, 1], [3, 1]])}, {"X": np.array([[0.0], [1]])})


@question.fault(
    "The first axis of a covariance",
    "The function shall return the share of the total variance that the first principal axis carries. `C` is a "
    "covariance matrix, that is, symmetric, and no variance along any direction is negative.",
    see="eq-pca-eigenproblem",
)
def first_share(C):
    """The largest eigenvalue over the trace."""
    largest = np.linalg.eigvalsh(C)[-1]
    return largest / np.trace(C)


@first_share.shown(
    "Where in `C` does its largest eigenvalue stand in each test? Think of other matrices, or of another order of the "
    "features."
)
def first_diagonal_entry(C):
    """The upper left entry, which is the largest eigenvalue of the matrices tested."""
    largest = C[0, 0]
    return largest / np.trace(C)


@first_share.valid
def is_a_covariance(C):
    """Symmetric, positive semidefinite and not zero."""
    if C.shape[0] != C.shape[1] or not np.allclose(C, C.T):
        return "C must be square and symmetric"
    if np.linalg.eigvalsh(C)[0] < -1e-9:
        return "the variance along some direction would be negative"
    return None if np.trace(C) > 0 else "there must be some variance"


first_share.passes(
    {"C": np.array([[4.0, 0], [0, 1]])},
    {"C": np.array([[9.0, 0, 0], [0, 2, 1], [0, 1, 2]])},
    {"C": np.array([[5.0]])},
)
first_share.hides(
    {"C": np.array([[2.0, 0], [0, 2]])},
    {"C": np.array([[7.0, 0, 0], [0, 3, 0], [0, 0, 1]])},
)
first_share.reveals({"C": np.array([[1.0, 0], [0, 4]])}, {"C": np.array([[2.0, 1], [1, 2]])})
