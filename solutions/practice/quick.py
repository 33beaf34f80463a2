"""Quick questions on PCA in practice."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.numbers import Array
from solutions.practice.strange_sample import (
    did_not_divide,
    divided_by_deviations,
    forgot_the_mean,
    gave_the_root,
    strange_sample,
)


def _table(rng: np.random.Generator) -> Array:
    return rng.normal(size=(12, 3)) @ rng.normal(size=(3, 3)) + rng.normal(size=3) * 4


def _standardised(X: Array) -> Array:
    return (X - X.mean(axis=0)) / X.std(axis=0)


standardising = question.claims(
    "After standardising",
    "Every feature of a table was standardised: mean 0, standard deviation 1 with divisor N. Which statements are "
    "always true?",
    see="thm-practice-standardised",
    explanation="Standardised data have the correlation matrix as covariance, so units no longer matter.",
)
standardising.holds(
    "correlations",
    "The covariance matrix is the correlation matrix of the raw data.",
    lambda rng: (lambda X: np.allclose(np.cov(_standardised(X).T, ddof=0), np.corrcoef(X.T)))(_table(rng)),
)
standardising.holds(
    "units",
    "The result would be the same if a feature had been measured in grams in place of kilograms.",
    lambda rng: (lambda X: np.allclose(_standardised(X), _standardised(X * [1, 1000, 1])))(_table(rng)),
)
standardising.holds(
    "total_variance",
    "The total variance is the number of features.",
    lambda rng: np.isclose(_standardised(_table(rng)).var(axis=0).sum(), 3),
)
standardising.fails(
    "took_it_for_whitening",
    "The features are uncorrelated.",
    "Dividing each feature changes lengths, not angles. Which operation makes features uncorrelated?",
    lambda rng: np.allclose(np.corrcoef(_table(rng).T), np.eye(3)),
)
standardising.fails(
    "thought_axes_stay",
    "The first principal axis is that of the raw data.",
    "Standardised data are other data: the feature that varied most counts as much as any other now.",
    lambda rng: (lambda X: _same_axis(X, _standardised(X)))(_table(rng)),
)


def _same_axis(X: Array, Z: Array) -> bool:
    first, second = (np.linalg.svd(table - table.mean(axis=0))[2][0] for table in (X, Z))
    return bool(abs(first @ second) > 1 - 1e-9)


strange = question.predict(
    "How strange is a sample?",
    "Data have the mean ${{ mean }}$ and the covariance ${{ C }}$. What is the squared normalised score of $x={{ x "
    "}}$ along the first principal axis?",
    of=strange_sample,
    among={
        forgot_the_mean: "This is how far the sample is from the origin. From which point are scores measured?",
        did_not_divide: "This is the squared score in the units of the data. A normalised score is measured in "
        "standard deviations.",
        divided_by_deviations: "A squared score was divided by a deviation that is not squared. Compare the units "
        "above and below the line.",
        gave_the_root: "This is the normalised score itself; its square was asked for.",
    },
    part=0,
    see="eq-practice-outlier",
)

whitening = question.proof(
    "Whitened data have unit covariance",
    r"Let $C=V\Lambda V^\top$ be the invertible covariance of centred data $X_c$, and $Z=X_cV\Lambda^{-1/2}$. "
    r"Put the "
    "steps in order that prove: $Z$ has covariance $I$.",
    see="thm-practice-whitening",
)


def _white(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    X = _table(rng)
    X = X - X.mean(axis=0)
    values, V = np.linalg.eigh(X.T @ X / len(X))
    return X, values, V


whitening.step(
    "insert",
    r"The covariance of $Z$ is "
    r"$\frac1NZ^\top Z=\Lambda^{-1/2}V^\top(\frac1NX_c^\top X_c)V\Lambda^{-1/2}$.",
)
whitening.step("name", r"The matrix in brackets is the covariance $C=V\Lambda V^\top$.", after=("insert",))
whitening.step(
    "cancel",
    r"Because $V^\top V=I$, what stands between the outer factors is $\Lambda$.",
    after=("name",),
    true=lambda rng: (lambda X, values, V: np.allclose(V.T @ X.T @ X @ V / len(X), np.diag(values)))(
        *_white(rng)
    ),
)
whitening.step(
    "unit",
    r"So the covariance is $\Lambda^{-1/2}\Lambda\Lambda^{-1/2}=I$.",
    after=("cancel",),
    true=lambda rng: (
        lambda X, values, V: np.allclose(np.cov((X @ V / np.sqrt(values)).T, ddof=0), np.eye(3))
    )(*_white(rng)),
)
whitening.wrong_step(
    r"The covariance of $Z$ is $\frac1NZ^\top Z=\Lambda^{-1}V^\top(\frac1NX_c^\top X_c)V\Lambda^{-1}$.",
    "Each of the two factors $Z$ brings one factor of the eigenvalues: which power?",
    false=lambda rng: (
        lambda X, values, V: np.allclose(V.T @ X.T @ X @ V / len(X) / np.outer(values, values), np.eye(3))
    )(*_white(rng)),
    name="divided_by_variances",
)
whitening.wrong_step(
    r"Because $V^\top V=I$, what stands between the outer factors is $I$.",
    "The eigenvalues do not vanish: they are what the outer factors must cancel.",
    false=lambda rng: (lambda X, values, V: np.allclose(V.T @ X.T @ X @ V / len(X), np.eye(3)))(*_white(rng)),
    name="lost_the_eigenvalues",
)


@question.order(
    "Components above the mean",
    "A function `kept_by_the_mean(X)` shall return how many principal axes of the standardised features have more "
    "than the mean variance. Choose four lines of its body and order them.",
    see="eq-practice-explained",
)
def kept_by_the_mean(X: Array) -> int:
    """Eigenvalues of the correlations above one."""
    deviations = X - X.mean(axis=0)
    Z = deviations / deviations.std(axis=0)
    values = np.linalg.svd(Z, compute_uv=False) ** 2 / len(Z)
    return np.sum(values > 1)


@kept_by_the_mean.draw
def draw_kept(rng: np.random.Generator) -> Cases:
    """Features of very different units; two and one axes are kept."""
    base = rng.normal(size=(30, 2))
    two = np.column_stack([base, base + 0.1 * rng.normal(size=(30, 2)), rng.normal(size=30)])
    column = rng.normal(size=(20, 1))
    one = np.hstack([column, column, column]) + 0.3 * rng.normal(size=(20, 3))
    return {"two kept": {"X": two * [1, 100, 1, 5, 1] + 3}, "one kept": {"X": one * [0.05, 0.001, 0.001] - 7}}


kept_by_the_mean.wrong_line(
    "Z = deviations",
    "Without a common scale the feature with the largest unit decides.",
    name="kept_the_units",
)
kept_by_the_mean.wrong_line(
    "values = np.linalg.svd(Z, compute_uv=False) / len(Z)",
    "Variances are squares of singular values, over the number of samples.",
    name="forgot_to_square",
)
kept_by_the_mean.wrong_line(
    "return np.sum(values)", "The variances are counted, not added.", name="added_instead"
)


@question.fault(
    "How many components?",
    "`values` holds variances in descending order. The function shall return the smallest number of components whose "
    "variances together are at least `share` of the total.",
    see="eq-practice-n-components",
)
def number_for(values, share):
    """The first place where the cumulative share reaches the given one."""
    shares = np.cumsum(values) / np.sum(values)
    return np.argmax(shares >= share - 1e-12) + 1


@number_for.shown("Is a share reached exactly in one of the tests? What must happen then?")
def went_one_too_far(values, share):
    """Misses a share that is met exactly."""
    shares = np.cumsum(values) / np.sum(values)
    return np.argmax(shares > share + 1e-12) + 1


@number_for.valid
def are_variances(values, share):
    """Descending, not negative; a share below one."""
    if np.any(values < 0) or np.any(np.diff(values) > 0) or values[0] <= 0:
        return "variances are in descending order, not negative, and not all zero"
    return None if 0 < share < 1 else "the share lies between 0 and 1"


number_for.passes(
    {"values": np.array([6.0, 3, 1]), "share": 0.7},
    {"values": np.array([5.0, 1, 1]), "share": 0.5},
    {"values": np.array([1.0, 1, 1, 1]), "share": 0.9},
)
number_for.hides(
    {"values": np.array([8.0, 2]), "share": 0.85}, {"values": np.array([4.0, 3, 2]), "share": 0.4}
)
number_for.reveals(
    {"values": np.array([6.0, 3, 1]), "share": 0.9}, {"values": np.array([1.0, 1]), "share": 0.5}
)


@question.fault(
    "Standardising new data",
    "The function shall standardise the numbers `new` as the numbers `old` were standardised: by the mean and the "
    "standard deviation of the *old* ones.",
    see="eq-practice-standardised",
)
def standardised_like(new, old):
    """Mean and deviation of the old."""
    mean = np.mean(old)
    return (new - mean) / np.std(old)


@standardised_like.shown("Compare the means of both lists in each test.")
def used_the_new_mean(new, old):
    """A mean of the wrong list."""
    mean = np.mean(new)
    return (new - mean) / np.std(old)


@standardised_like.valid
def varies(new, old):
    """The old numbers differ."""
    return None if np.ptp(old) > 1e-9 else "the old numbers must not be all the same"


standardised_like.passes(
    {"new": np.array([1.0, 3]), "old": np.array([0.0, 4])},
    {"new": np.array([2.0]), "old": np.array([1.0, 3])},
    {"new": np.array([-1.0, 0, 1]), "old": np.array([-5.0, 5])},
)
standardised_like.hides(
    {"new": np.array([0.0, 10]), "old": np.array([3.0, 7])},
    {"new": np.array([6.0]), "old": np.array([5.0, 7])},
)
standardised_like.reveals(
    {"new": np.array([5.0]), "old": np.array([1.0, 3])},
    {"new": np.array([1.0, 2]), "old": np.array([0.0, 1])},
)
