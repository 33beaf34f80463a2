"""Tasks `noise_and_share` and `denoised`: probabilistic PCA by hand, and as a way to remove noise."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.ppca import ppca
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, cloud, is_short, small_gap
from solutions.steps import Worked, eq, row, steps, tex, total

SAME = (exactly, exactly)


@task.hand(
    points=2,
    minutes=6,
    see="thm-practice-ppca",
    same=SAME,
    parts=("the noise", "the share of the first score"),
)
def noise_and_share(variances: Array, n_components: int) -> tuple[float, float]:
    """Return s, and 1 − s/λ₁ (eq-practice-ppca-ml, thm-practice-ppca-scores)."""
    noise = float(np.mean(variances[n_components:]))
    return noise, 1 - noise / float(variances[0])


@noise_and_share.draw
def draw_noise(rng: np.random.Generator) -> task.Cases:
    """Draw four or five whole variances whose dropped mean and share are short."""
    while True:
        D = int(rng.integers(4, 6))
        variances = np.sort(rng.choice(np.arange(1, 41), size=D, replace=False))[::-1].astype(float)
        inputs = variances, int(rng.integers(1, D - 1))
        if all(map(is_short, noise_and_share(*inputs))) and told_apart(NOISES, inputs, SAME):
            return {"the numbers of the text": {"variances": variances, "n_components": inputs[1]}}


def _with_noise(variances: Array, noise: float) -> tuple[float, float]:
    return float(noise), 1 - float(noise) / float(variances[0])


@noise_and_share.wrong(
    "You added the dropped variances up. The noise is the variance along each dropped direction: their mean.",
    see="eq-practice-ppca-ml",
)
def added_the_dropped_variances(variances: Array, n_components: int) -> tuple[float, float]:
    """Take the sum in the place of the mean."""
    return _with_noise(variances, np.sum(variances[n_components:]))


@noise_and_share.wrong(
    "You divided by the number of features. Only the dropped directions are averaged.",
    see="eq-practice-ppca-ml",
)
def divided_by_all_features(variances: Array, n_components: int) -> tuple[float, float]:
    """Divide the dropped sum by D."""
    return _with_noise(variances, np.sum(variances[n_components:]) / len(variances))


@noise_and_share.wrong("You averaged the variances that are kept. The noise is the mean of the others.")
def averaged_the_kept_ones(variances: Array, n_components: int) -> tuple[float, float]:
    """Average the first d variances."""
    return _with_noise(variances, np.mean(variances[:n_components]))


@noise_and_share.wrong(
    "You took the largest variance that is dropped. The noise is the mean of all that are dropped."
)
def took_the_largest_dropped(variances: Array, n_components: int) -> tuple[float, float]:
    """Take λ_{d+1}."""
    return _with_noise(variances, variances[n_components])


@noise_and_share.wrong(
    "The noise is right. Your share is that of the noise; the reconstruction keeps the rest.",
    see="thm-practice-ppca-scores",
)
def gave_the_share_of_the_noise(variances: Array, n_components: int) -> tuple[float, float]:
    """Give s/λ₁."""
    noise, share = noise_and_share(variances, n_components)
    return noise, 1 - share


@noise_and_share.wrong(
    "The noise is right. You compared it with the total variance; what counts is the variance along the first "
    "direction.",
    see="thm-practice-ppca-scores",
)
def compared_with_the_total(variances: Array, n_components: int) -> tuple[float, float]:
    """Divide by the sum of all variances."""
    noise, _ = noise_and_share(variances, n_components)
    return noise, 1 - noise / float(np.sum(variances))


NOISES = (
    noise_and_share,
    added_the_dropped_variances,
    divided_by_all_features,
    averaged_the_kept_ones,
    took_the_largest_dropped,
    gave_the_share_of_the_noise,
    compared_with_the_total,
)


@noise_and_share.also
def by_the_total(variances: Array, n_components: int) -> tuple[float, float]:
    """Subtract the kept variances from the total."""
    rest = sum(variances) - sum(variances[:n_components])
    noise = rest / (len(variances) - n_components)
    return float(noise), float((variances[0] - noise) / variances[0])


@noise_and_share.worked
def worked_noise(variances: Array, n_components: int) -> Worked:
    """Average what is dropped, and compare."""
    dropped = variances[n_components:]
    noise = float(np.mean(dropped))
    share = 1 - noise / float(variances[0])
    return steps(
        rf"The dropped variances are ${row(dropped)}$; their mean is "
        rf"$s=({total(dropped)})/{len(dropped)}{eq(noise)}$.",
        rf"Along the first direction the variance is ${tex(variances[0])}$, and the share "
        rf"$1-s/\lambda_1=1-{tex(noise)}/{tex(variances[0])}{eq(share)}$ of it is not noise.",
    ), (noise, share)


@task.code(points=3, minutes=12, see="thm-practice-ppca-scores")
def denoised(X: Array, n_components: int) -> Array:
    """Return μ + W E[z | x] for each sample (eq-practice-ppca-posterior)."""
    model = ppca(X, n_components)
    return np.asarray(model.mean + model.scores(X) @ model.W.T)


@denoised.draw
def draw_table(rng: np.random.Generator) -> task.Cases:
    """Draw clouds with one, two and three strong directions."""
    return {
        "one direction, in a small unit": {
            "X": 1e-6 * cloud(rng, 12, (9.0, 2.0, 1.0), (3.0, -2.0, 4.0)),
            "n_components": 1,
        },
        "two directions": {
            "X": cloud(rng, 15, (12.0, 6.0, 2.0, 1.0), (1.0, 5.0, -3.0, 2.0)),
            "n_components": 2,
        },
        "more features than samples": {
            "X": cloud(rng, 6, (9.0, 5.0, 2.0, 1.0, 0.5, 0.0, 0.0), (2.0, 0.0, -4.0, 1.0, 0.0, 3.0, 0.0)),
            "n_components": 2,
        },
    }


@denoised.hard
def hard_table(rng: np.random.Generator) -> task.Cases:
    """Draw other units and other sizes."""
    X = cloud(rng, 20, (8.0, 4.0, 2.0, 1.0, 0.5), (1.0, -2.0, 3.0, 0.0, 4.0))
    return {
        "three directions": {"X": X, "n_components": 3},
        "large unit": {"X": 1e5 * X, "n_components": 2},
        "small unit": {"X": 1e-5 * X, "n_components": 2},
        "whole numbers": {"X": np.round(10 * X).astype(int), "n_components": 2},
    }


@denoised.ill_posed
def unclear(X: Array, n_components: int) -> str | None:
    """Say that the kept directions are not definite."""
    return small_gap(X, n_components, every_axis=False)


def _shrunk(X: Array, n_components: int, change: str, divisor: str = "dropped") -> Array:
    """Shrink each kept coordinate by a factor, for the mistakes."""
    mean = X.mean(axis=0)
    C = np.cov(X, rowvar=False, ddof=0)
    values, V = np.linalg.eigh(C)
    values, V = values[::-1], V[:, ::-1][:, :n_components]
    dropped = values[n_components:].sum()
    noise = dropped / (len(values) - n_components if divisor == "dropped" else len(values))
    kept = 1 - noise / values[:n_components]
    factor = {"none": np.ones_like(kept), "right": kept, "root": np.sqrt(kept), "noise": 1 - kept}[change]
    return np.asarray(mean + (X - mean) @ V * factor @ V.T)


@denoised.wrong(
    "This is the reconstruction of PCA, with coordinates of full length. Under the model they are shortened.",
    see="thm-practice-ppca-scores",
)
def reconstructed_only(X: Array, n_components: int) -> Array:
    """Project on the flat."""
    return _shrunk(X, n_components, "none")


@denoised.wrong(
    "Your coordinates are shortened by the root of the right factor. Multiply E[z | x] by W once more.",
    see="thm-practice-ppca-scores",
)
def shortened_by_the_root(X: Array, n_components: int) -> Array:
    """Shorten by √(1 − s/λ)."""
    return _shrunk(X, n_components, "root")


@denoised.wrong("You kept the share of the noise, s/λ, and removed the rest.", see="thm-practice-ppca-scores")
def kept_the_noise(X: Array, n_components: int) -> Array:
    """Shorten by s/λ."""
    return _shrunk(X, n_components, "noise")


@denoised.wrong(
    "Your noise is too small: the dropped variances are averaged over the dropped directions only.",
    see="eq-practice-ppca-ml",
)
def averaged_over_all_features(X: Array, n_components: int) -> Array:
    """Divide the dropped variance by D."""
    return _shrunk(X, n_components, "right", "all")


@denoised.wrong("These are deviations from the mean. Add the mean again.", see="eq-practice-ppca-model")
def forgot_to_add_the_mean(X: Array, n_components: int) -> Array:
    """Leave the centre at zero."""
    return denoised(X, n_components) - X.mean(axis=0)


@denoised.wrong(
    "The data were not centred before their directions were found.", see="eq-practice-ppca-likelihood"
)
def forgot_to_centre(X: Array, n_components: int) -> Array:
    """Take second moments about zero for the covariance."""
    values, V = np.linalg.eigh(X.T @ X / len(X))
    values, V = values[::-1], V[:, ::-1][:, :n_components]
    noise = values[n_components:].mean()
    return np.asarray(X @ V * (1 - noise / values[:n_components]) @ V.T)


@denoised.also
def by_eigenvectors(X: Array, n_components: int) -> Array:
    """Shorten the coordinates along the principal directions."""
    return _shrunk(X, n_components, "right")


@denoised.also
def by_the_covariance_of_the_model(X: Array, n_components: int) -> Array:
    """Multiply by WWᵀM⁻¹, the regression of the signal on the sample."""
    mean = np.mean(X, axis=0)
    _, sizes, Vh = np.linalg.svd(X - mean, full_matrices=False)
    variances = sizes**2 / len(X)
    noise = variances[n_components:].sum() / (X.shape[1] - n_components)
    W = Vh[:n_components].T * np.sqrt(variances[:n_components] - noise)
    M = W @ W.T + noise * np.eye(X.shape[1])
    return np.asarray(mean + np.linalg.solve(M, (X - mean).T).T @ W @ W.T)
