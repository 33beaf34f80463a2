"""Task `principal_axes`: the directions of largest variance, and how large it is along each."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_column_signs
from dimred_ref.pca import pca
from solutions.numbers import Array, cloud, small_gap

Answer = tuple[Array, Array]


@task.code(
    points=3,
    minutes=12,
    see="eq-pca-eigenproblem",
    same=(up_to_column_signs, exactly),
    parts=("the axes", "the variances"),
)
def principal_axes(X: Array, n_components: int) -> Answer:
    """C vⱼ = λⱼ vⱼ, strongest first (eq-pca-eigenproblem)."""
    fit = pca(X, n_components)
    return fit.axes, fit.variances


@principal_axes.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tall cloud, one far from the origin, and one whose features have very different units."""
    tall = cloud(rng, 24, (7.0, 3.0, 1.0), (1.0, 1.0, 3.0))
    far = cloud(rng, 15, (6.0, 2.5, 1.0, 0.3), (2.0, 10.0, -12.0, 20.0))
    units = np.round(cloud(rng, 16, (3.0, 1.5, 0.5), (0.5, 2.0, 1.0)) * np.array([20.0, 1.0, 4.0]), 2) * 1e-6
    return {
        "a tall cloud, some samples twice": {"X": np.vstack([tall, tall[:3], tall[:1]]), "n_components": 2},
        "a mean far from the origin": {"X": far, "n_components": 3},
        "features in very different units": {"X": units, "n_components": 2},
    }


@principal_axes.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, one axis, all axes, integers, more features than samples, other units."""
    plane = cloud(rng, 9, (4.0, 1.5), (1.0, -2.0))
    return {
        "one feature": {"X": plane[:, :1], "n_components": 1},
        "all axes": {"X": plane, "n_components": 2},
        "integers": {"X": np.round(5 * plane).astype(int), "n_components": 1},
        "small units": {"X": 1e-6 * plane, "n_components": 1},
        "large units": {"X": 1e6 * plane, "n_components": 1},
        "few samples": {
            "X": cloud(rng, 4, (6.0, 2.0, 0.0, 0.0, 0.0), (1.0, 0.0, 2.0, 0.0, 1.0)),
            "n_components": 1,
        },
    }


principal_axes.ill_posed(small_gap)


def _ascending(X: Array) -> tuple[Array, Array]:
    centred = X - X.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred / len(X))


@principal_axes.wrong(
    "These are second moments about the origin. A covariance measures deviations: from what?",
    see="eq-pca-covariance",
)
def forgot_to_centre(X: Array, n_components: int) -> Answer:
    """Diagonalise the second moments about the origin."""
    moments, axes = np.linalg.eigh(X.T @ X / len(X))
    return axes[:, ::-1][:, :n_components], moments[::-1][:n_components]


@principal_axes.wrong(
    "The axes are right. The variances are a little too large, most of all for few samples: compare your divisor with "
    "the one this course uses.",
    see="eq-pca-covariance",
    credit=0.5,
)
def divided_by_n_minus_one(X: Array, n_components: int) -> Answer:
    """Use the estimator with N − 1, as np.cov does."""
    axes, variances = principal_axes(X, n_components)
    return axes, variances * len(X) / (len(X) - 1)


@principal_axes.wrong(
    "The axes are right, but your variances would double if every sample were listed twice. A variance is an average, "
    "not a sum.",
    see="eq-pca-covariance",
    credit=0.5,
)
def forgot_to_divide(X: Array, n_components: int) -> Answer:
    """Diagonalise the scatter matrix."""
    axes, variances = principal_axes(X, n_components)
    return axes, variances * len(X)


@principal_axes.wrong(
    "The right axes, in the wrong order. The first column should be the strongest.", credit=0.5
)
def left_the_order_ascending(X: Array, n_components: int) -> Answer:
    """Keep the strongest axes in the order in which eigh gives them."""
    variances, axes = _ascending(X)
    return axes[:, -n_components:], variances[-n_components:]


@principal_axes.wrong(
    "Along these axes the cloud varies least. In which order does the eigensolver return its pairs?",
    see="thm-pca-first-direction",
)
def kept_the_smallest_axes(X: Array, n_components: int) -> Answer:
    """Take the first pairs that eigh gives."""
    variances, axes = _ascending(X)
    return axes[:, :n_components], variances[:n_components]


@principal_axes.wrong(
    "The variances are right, but they stand beside other axes than their own. Pairs must be sorted together."
)
def sorted_only_the_variances(X: Array, n_components: int) -> Answer:
    """Sort the eigenvalues and leave the eigenvectors where they were."""
    variances, axes = _ascending(X)
    return axes[:, :n_components], variances[::-1][:n_components]


@principal_axes.wrong(
    "These numbers are the singular values of the centred data. How is a singular value related to the variance along "
    "its direction?",
    see="eq-pca-singular-values",
)
def gave_singular_values(X: Array, n_components: int) -> Answer:
    """Return σ where λ was asked for."""
    axes, variances = principal_axes(X, n_components)
    return axes, np.sqrt(variances * len(X))


@principal_axes.wrong("These numbers carry the unit of the data. A variance carries its square.")
def gave_standard_deviations(X: Array, n_components: int) -> Answer:
    """Return √λ."""
    axes, variances = principal_axes(X, n_components)
    return axes, np.sqrt(variances)


@principal_axes.also
def by_svd(X: Array, n_components: int) -> Answer:
    """Right singular vectors of X_c, and λ = σ²/N."""
    _, sigma, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return Vt[:n_components].T, sigma[:n_components] ** 2 / len(X)


@principal_axes.also
def by_np_cov(X: Array, n_components: int) -> Answer:
    """np.cov with bias, then sort in descending order."""
    variances, axes = np.linalg.eigh(np.atleast_2d(np.cov(X, rowvar=False, bias=True)))
    strongest = np.argsort(-variances)[:n_components]
    return axes[:, strongest], variances[strongest]


@principal_axes.must_fail
def samples_once(X: Array, n_components: int) -> Answer:
    """Repeated samples count once."""
    return principal_axes(np.unique(X, axis=0), n_components)
