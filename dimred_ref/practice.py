"""PCA at work: scores and loadings, how many components, scaling, outliers, nuisance directions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_generator, as_matrix, as_new_samples, as_samples, as_vector
from dimred_ref._result import Result
from dimred_ref.covariance import centred, column_means, covariance_rank
from dimred_ref.least_squares import pinv
from dimred_ref.pca import pca

MANY = 10**6  # more features, or shuffled copies, than any example of the course needs


@dataclass(frozen=True, eq=False, repr=False)
class Biplot(Result):
    """Samples as points and features as arrows in one drawing: their inner products rebuild the table."""

    points: Array  # (N, d), uncorrelated columns of variance 1
    arrows: Array  # (D, d), covariances of the features with those columns


def scores(X: ArrayLike, n_components: int) -> Array:
    """Return the coordinates of the samples along the principal directions, a column per component.

    Z = X_c V_d,   zⱼ = σⱼ uⱼ          (eq-practice-scores)
    """
    return pca(X, n_components).embedding


def loadings(X: ArrayLike, n_components: int) -> Array:
    """Return the weights of the features in the principal directions, a unit column per component.

        V_d = [v₁ … v_d]          (eq-practice-loadings)

    Some authors call √λⱼ vⱼ the loadings: multiply by the square roots of the variances to get those.
    """
    return pca(X, n_components).axes


def normalised_scores(X: ArrayLike, n_components: int) -> Array:
    """Return the scores scaled to unit columns: eigenvectors of the Gram matrix.

        uⱼ = X_c vⱼ / ‖X_c vⱼ‖,   σⱼ > 0          (eq-practice-normalised-scores)

    Refused beyond the rank, where it is 0/0.
    """
    Z = _scores_within_rank(X, n_components)
    unit_columns: Array = Z / np.linalg.norm(Z, axis=0)
    return unit_columns


def cumulative_variance_ratio(variances: ArrayLike) -> Array:
    """Return the share of the total that the first 1, 2, … components explain; needs all variances.

    r_d = Σ_{j≤d} λⱼ / Σⱼ λⱼ          (eq-practice-explained)
    """
    spectrum = np.sort(as_vector(variances, "variances"))[::-1]
    total = float(spectrum.sum())
    if total <= 0 or spectrum[-1] < -1e-12 * total:
        raise ValueError(f"variances must be non-negative and not all zero, got {spectrum}")
    shares: Array = np.cumsum(spectrum) / total
    return shares


def n_components_for(variances: ArrayLike, share: float) -> int:
    """Return the least number of components that explain at least the given share of the variance.

        d = min{d : r_d ≥ share}          (eq-practice-n-components)

    Shares are of variances λ = σ², neither of σ nor of λ²; a shortfall of 1e-12 is rounding.

    Parameters
    ----------
    variances : all of them
    share : in (0, 1]

    Returns
    -------
    int

    Cost
    ----
    O(D) time for D variances.

    Counterpart
    -----------
    sklearn.decomposition.PCA with a share as n_components.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.n_components_for([6.0, 3.0, 1.0], share=0.85)
    2
    """
    shares = cumulative_variance_ratio(variances)
    if not (isinstance(share, int | float | np.number) and 0 < share <= 1):
        raise ValueError(f"share must be in (0, 1], got {share}")
    return int(np.argmax(shares >= share - 1e-12)) + 1


def broken_stick(n_features: int) -> Array:
    """Return the mean lengths of the pieces of a unit stick that is broken at random, longest first.

        b_j = (1/D) Σ_{i≥j} 1/i          (eq-practice-broken-stick)

    A component that explains a smaller share than its piece explains less than chance would share out.
    """
    n_features = as_count(n_features, "n_features", high=MANY)
    reciprocals = 1 / np.arange(1, n_features + 1)
    lengths: Array = np.cumsum(reciprocals[::-1])[::-1] / n_features
    return lengths


def shuffled_variances(X: ArrayLike, *, n_draws: int, seed: int = 0) -> Array:
    """Return the variances of tables whose features were shuffled one by one, a row of them per draw.

        X^(b) = [π₁ x₁ … π_D x_D],   random orders π_a of the samples          (eq-practice-shuffled)

    Shuffling keeps every feature's mean and variance and destroys all that ties features together.
    """
    X = as_matrix(X, min_rows=2)
    rng = as_generator(seed)
    n_draws = as_count(n_draws, "n_draws", high=MANY)
    count = min(X.shape)
    return np.array([pca(rng.permuted(X, axis=0), count).variances for _ in range(n_draws)])


def permutation_p_values(X: ArrayLike, *, n_draws: int = 99, seed: int = 0) -> Array:
    """Return, per component, how rarely features without ties would give it so large a variance.

        pⱼ = (1 + #{b : λⱼ^(b) ≥ λⱼ}) / (1 + B)          (eq-practice-p-value)

    Exact for the first component. A strong first one takes its variance from the total, so that the
    later values err on the side of caution. A shortfall of 1e-12 counts as a tie, being rounding.
    """
    draws = shuffled_variances(X, n_draws=n_draws, seed=seed)
    observed = pca(X, draws.shape[1]).variances
    reached = np.count_nonzero(draws >= observed * (1 - 1e-12), axis=0)
    p_values: Array = (1 + reached) / (1 + len(draws))
    return p_values


def standardised(X: ArrayLike, *, ddof: int = 0) -> Array:
    """Centre every feature and give it standard deviation 1, so that units do not matter.

        x_ia ← (x_ia − μ_a) / s_a          (eq-practice-standardised)

    PCA of the result is PCA of the correlation matrix. A constant feature becomes 0.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    ddof : subtracted from N in the divisor of the variances

    Returns
    -------
    (N, D) array

    Cost
    ----
    O(N D) time and memory.

    Counterpart
    -----------
    sklearn.preprocessing.scale, with ddof=0.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.standardised([[0, 10], [2, 30]]).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    X_c = centred(X)
    divisor = len(X_c) - as_count(ddof, "ddof", low=0, high=len(X_c) - 1)
    largest = np.abs(X_c).max(axis=0)
    X_c /= np.where(largest > 0, largest, 1.0)  # first, because squares of tiny units would vanish
    deviations = np.sqrt(np.sum(X_c**2, axis=0) / divisor)
    scaled: Array = X_c / np.where(deviations > 0, deviations, 1.0)
    return scaled


def whitened(X: ArrayLike, n_components: int) -> Array:
    """Return the scores divided by their standard deviations: uncorrelated columns of variance 1.

        wⱼ = zⱼ / √λⱼ = √N uⱼ          (eq-practice-whitened)

    Refused beyond the rank, where it is 0/0; just within it, noise is blown up to the size of signal.
    """
    Z = _scores_within_rank(X, n_components)
    scaled: Array = Z / np.sqrt(np.mean(Z**2, axis=0))
    return scaled


def zca_whitened(X: ArrayLike) -> Array:
    """Whiten and turn back: of all white versions of the samples, the one nearest to them.

        W = X_c C^−½ = X_c V Λ^−½ Vᵀ          (eq-practice-zca)

    Needs a covariance of full rank.
    """
    X = as_samples(X)
    both = biplot(X, X.shape[1])
    # V from the arrows V Λ^½, not from another PCA, whose signs might differ
    axes = both.arrows / np.linalg.norm(both.arrows, axis=0)
    nearest: Array = both.points @ axes.T
    return nearest


def biplot(X: ArrayLike, n_components: int = 2) -> Biplot:
    """Return points for the samples and arrows for the features, whose inner products approximate X_c.

        P = √N U_d,   A = V_d Λ_d^½,   P Aᵀ ≈ X_c,   A Aᵀ ≈ C          (eq-practice-biplot)

    Both are as good as approximations of rank d can be.
    """
    points = whitened(X, n_components)
    X_c = centred(X)
    arrows: Array = X_c.T @ points / len(points)
    return Biplot(points, arrows)


@dataclass(frozen=True, eq=False, repr=False)
class Standardisation(Result):
    """Standardised samples, and the mean and the scale that make new samples comparable with them."""

    embedding: Array  # (N, D), mean 0 and standard deviation 1 in every column that varies
    mean: Array  # (D,)
    scale: Array  # (D,), standard deviations; 1 for a constant feature

    def transform(self, new: ArrayLike) -> Array:
        """Standardise new samples with the mean and the scale of the fit, never with their own."""
        return (as_new_samples(new, n_columns=len(self.mean)) - self.mean) / self.scale

    def inverse_transform(self, Z: ArrayLike) -> Array:
        """Return samples in the units of the fit."""
        return as_new_samples(Z, "Z", n_columns=len(self.mean)) * self.scale + self.mean


def standardisation(X: ArrayLike, *, ddof: int = 0) -> Standardisation:
    """Standardise X as standardised does, and keep mean and scale for test data.

        x_ia ← (x_ia − μ_a) / s_a          (eq-practice-standardised)

    Parameters
    ----------
    X : (N, D) samples
    ddof : subtracted from N in the divisor of the variances

    Returns
    -------
    Standardisation

    Cost
    ----
    O(N D) time and memory.

    Counterpart
    -----------
    sklearn.preprocessing.StandardScaler, with ddof=0.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.standardisation([[0, 10], [2, 30]]).transform([[4, 20]]).tolist()
    [[3.0, 0.0]]
    """
    X = as_samples(X, min_rows=1)
    mean = column_means(X)
    embedding = standardised(X, ddof=ddof)
    deviations = np.abs(X - mean)
    at = deviations.argmax(axis=0), np.arange(X.shape[1])
    largest = deviations[at]
    # the entry farthest from the mean tells the scale without squaring: tiny units do not vanish
    scale = np.where(largest > 0, largest / np.where(largest > 0, np.abs(embedding[at]), 1.0), 1.0)
    return Standardisation(embedding, mean, scale)


def outlier_scores(X: ArrayLike, n_components: int) -> Array:
    """Return how far each sample lies from the centre of the leading components, in standard deviations.

        tᵢ = √Σ_{j≤d} z_ij² / λⱼ          (eq-practice-outlier)

    The mean of tᵢ² is d, and no tᵢ² exceeds N − 1, whatever the data: with few samples an outlier
    inflates the λⱼ it is measured by. Look for gaps between scores rather than for fixed thresholds.
    """
    Z = _scores_within_rank(X, n_components)
    lengths: Array = np.sqrt(np.sum(Z**2 / np.mean(Z**2, axis=0), axis=1))
    return lengths


def regress_out(X: ArrayLike, nuisance: ArrayLike) -> Array:
    """Remove from every feature what is a linear function of the nuisance variables; keep its mean.

        X ← 1μᵀ + (I − B B⁺) X_c,   B = the centred nuisance variables          (eq-practice-regress-out)

    The nuisance variables may be known (laboratory, camera) or leading scores.
    """
    X = as_samples(X)
    B = as_matrix(nuisance, "nuisance")
    if len(B) != len(X):
        raise ValueError(f"nuisance must have {len(X)} rows, got {len(B)}")
    B, X_c = centred(B), centred(X)
    cleaned: Array = column_means(X) + X_c - B @ (pinv(B) @ X_c)
    return cleaned


def without_leading_components(X: ArrayLike, n_components: int) -> Array:
    """Remove the leading components, for data whose strongest directions are artefacts.

        X ← X − Z_d V_dᵀ          (eq-practice-without-leading)

    The same as regressing out their scores.
    """
    X = as_samples(X)
    fit = pca(X, n_components)
    cleaned: Array = X - fit.embedding @ fit.axes.T
    return cleaned


def _scores_within_rank(X: ArrayLike, n_components: int) -> Array:
    rank = covariance_rank(X)
    fit = pca(X, n_components)
    if n_components > rank:
        raise ValueError(
            f"n_components must be at most the rank {rank} of the covariance, got {n_components}"
        )
    return fit.embedding
