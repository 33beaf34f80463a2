"""Task `principal_axes`: the directions of largest variance, and how large it is along each."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_column_signs
from dimred_ref.pca import pca
from solutions.numbers import Array, cloud, small_gap

Answer = tuple[Array, Array]


def draw(rng: np.random.Generator) -> Cases:
    """A tall cloud, one far from the origin, and one whose features have very different units."""
    tall = cloud(rng, 24, (7.0, 3.0, 1.0), (1.0, 1.0, 3.0))
    far = cloud(rng, 15, (6.0, 2.5, 1.0, 0.3), (2.0, 10.0, -12.0, 20.0))
    units = np.round(cloud(rng, 16, (3.0, 1.5, 0.5), (0.5, 2.0, 1.0)) * np.array([20.0, 1.0, 4.0]), 2) * 1e-6
    return {
        "a tall cloud, some samples twice": {"X": np.vstack([tall, tall[:3], tall[:1]]), "n_components": 2},
        "a mean far from the origin": {"X": far, "n_components": 3},
        "features in very different units": {"X": units, "n_components": 2},
    }


def hard(rng: np.random.Generator) -> Cases:
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


def samples_once(X: Array, n_components: int) -> Answer:
    """Repeated samples count once."""
    return answer(np.unique(X, axis=0), n_components)


def answer(X: Array, n_components: int) -> Answer:
    """C vⱼ = λⱼ vⱼ, strongest first (eq-pca-eigenproblem)."""
    fit = pca(X, n_components)
    return fit.axes, fit.variances


def _ascending(X: Array) -> tuple[Array, Array]:
    centred = X - X.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred / len(X))


def forgot_to_centre(X: Array, n_components: int) -> Answer:
    """Diagonalise the second moments about the origin."""
    moments, axes = np.linalg.eigh(X.T @ X / len(X))
    return axes[:, ::-1][:, :n_components], moments[::-1][:n_components]


def divided_by_n_minus_one(X: Array, n_components: int) -> Answer:
    """Use the estimator with N − 1, as np.cov does."""
    axes, variances = answer(X, n_components)
    return axes, variances * len(X) / (len(X) - 1)


def forgot_to_divide(X: Array, n_components: int) -> Answer:
    """Diagonalise the scatter matrix."""
    axes, variances = answer(X, n_components)
    return axes, variances * len(X)


def left_the_order_ascending(X: Array, n_components: int) -> Answer:
    """Keep the strongest axes in the order in which eigh gives them."""
    variances, axes = _ascending(X)
    return axes[:, -n_components:], variances[-n_components:]


def kept_the_smallest_axes(X: Array, n_components: int) -> Answer:
    """Take the first pairs that eigh gives."""
    variances, axes = _ascending(X)
    return axes[:, :n_components], variances[:n_components]


def sorted_only_the_variances(X: Array, n_components: int) -> Answer:
    """Sort the eigenvalues and leave the eigenvectors where they were."""
    variances, axes = _ascending(X)
    return axes[:, :n_components], variances[::-1][:n_components]


def gave_singular_values(X: Array, n_components: int) -> Answer:
    """Return σ where λ was asked for."""
    axes, variances = answer(X, n_components)
    return axes, np.sqrt(variances * len(X))


def gave_standard_deviations(X: Array, n_components: int) -> Answer:
    """Return √λ."""
    axes, variances = answer(X, n_components)
    return axes, np.sqrt(variances)


def by_svd(X: Array, n_components: int) -> Answer:
    """Right singular vectors of X_c, and λ = σ²/N."""
    _, sigma, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return Vt[:n_components].T, sigma[:n_components] ** 2 / len(X)


def by_np_cov(X: Array, n_components: int) -> Answer:
    """np.cov with bias, then sort in descending order."""
    variances, axes = np.linalg.eigh(np.atleast_2d(np.cov(X, rowvar=False, bias=True)))
    strongest = np.argsort(-variances)[:n_components]
    return axes[:, strongest], variances[strongest]


principal_axes = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-pca-eigenproblem",
    same=(up_to_column_signs, exactly),
    parts=("the axes", "the variances"),
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="These are second moments about the origin. A covariance measures deviations: from what?",
            see="eq-pca-covariance",
        ),
        Misconception(
            divided_by_n_minus_one,
            hint="The axes are right. The variances are a little too large, most of all for few samples: "
            "compare your divisor with the one this course uses.",
            see="eq-pca-covariance",
            credit=0.5,
        ),
        Misconception(
            forgot_to_divide,
            hint="The axes are right, but your variances would double if every sample were listed twice. A "
            "variance is an average, not a sum.",
            see="eq-pca-covariance",
            credit=0.5,
        ),
        Misconception(
            left_the_order_ascending,
            hint="The right axes, in the wrong order. The first column should be the strongest.",
            see="eq-pca-eigenproblem",
            credit=0.5,
        ),
        Misconception(
            kept_the_smallest_axes,
            hint="Along these axes the cloud varies least. In which order does the eigensolver return its "
            "pairs?",
            see="thm-pca-first-direction",
        ),
        Misconception(
            sorted_only_the_variances,
            hint="The variances are right, but they stand beside other axes than their own. Pairs must be "
            "sorted together.",
            see="eq-pca-eigenproblem",
        ),
        Misconception(
            gave_singular_values,
            hint="These numbers are the singular values of the centred data. How is a singular value related "
            "to the variance along its direction?",
            see="eq-pca-singular-values",
        ),
        Misconception(
            gave_standard_deviations,
            hint="These numbers carry the unit of the data. A variance carries its square.",
            see="eq-pca-eigenproblem",
        ),
    ),
    alternatives=(by_svd, by_np_cov),
    ill_posed=small_gap,
    must_fail=(samples_once,),
    hard=hard,
)
