"""Data sets with known truth: each function draws one from a seed and returns what it was made of.

Every result holds the samples X (rows) first, then the truth a method should recover.
"""

from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dimred_ref._arrays import Array, as_count, as_generator, as_positive, as_symmetric, as_vector
from dimred_ref._eigen import top_eigenpairs

Labels = NDArray[np.int64]
MANY = 10**7  # more samples than any example of the course needs


@dataclass(frozen=True)
class Cloud:
    """Samples of a Gaussian, and the mean and covariance they were drawn with."""

    X: Array  # (N, D)
    mean: Array  # (D,)
    covariance: Array  # (D, D)


@dataclass(frozen=True)
class HiddenPlane:
    """Samples near a flat of a larger space: X = mean + coordinates basisᵀ + noise."""

    X: Array  # (N, D)
    coordinates: Array  # (N, d)
    basis: Array  # (D, d), orthonormal columns
    mean: Array  # (D,)


@dataclass(frozen=True)
class Images:
    """Square grey images as rows of pixels, and the degrees of freedom they were made from."""

    X: Array  # (N, side²)
    coefficients: Array  # (N, number of degrees of freedom)
    side: int


@dataclass(frozen=True)
class Documents:
    """Word counts of documents on two topics, and which words can tell the topics apart."""

    X: Array  # (N, vocabulary size), whole numbers
    labels: Labels  # (N,), the topic
    vocabulary: tuple[str, ...]
    informative: NDArray[np.bool_]  # (vocabulary size,)


@dataclass(frozen=True)
class Manifold:
    """Points of a curve or surface in space, and their coordinates on it."""

    X: Array  # (N, D)
    coordinates: Array  # (N, d)


@dataclass(frozen=True)
class Labelled:
    """Samples, and the group each belongs to."""

    X: Array  # (N, D)
    labels: Labels  # (N,)


@dataclass(frozen=True)
class BatchEffect:
    """Measurements from two laboratories: a strong artefact over a weaker signal."""

    X: Array  # (N, D)
    signal: Array  # (N,), what the study is about
    labels: Labels  # (N,), the laboratory
    signal_direction: Array  # (D,), unit
    batch_direction: Array  # (D,), unit, orthogonal to the other


def gaussian_cloud(n_samples: int, mean: ArrayLike, covariance: ArrayLike, *, seed: int = 0) -> Cloud:
    """Draw samples x = m + C^½ g with standard Gaussian g; C may be singular."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    C = as_symmetric(covariance, "covariance")
    mean = as_vector(mean, "mean", length=len(C))
    eigenvalues, directions = top_eigenpairs(C, len(C))
    if eigenvalues[-1] < -1e-10 * max(eigenvalues[0], 0.0):
        raise ValueError(f"covariance must have no negative eigenvalue, got {eigenvalues[-1]:.3g}")
    noise = as_generator(seed).normal(size=(n_samples, len(C)))
    X = mean + noise * np.sqrt(np.maximum(eigenvalues, 0.0)) @ directions.T
    return Cloud(X, mean, C)


def hidden_plane(
    n_samples: int, n_features: int, *, n_dimensions: int = 2, noise: float = 0.0, seed: int = 0
) -> HiddenPlane:
    """Draw samples of a random flat, which no single column of the table reveals."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    n_features = as_count(n_features, "n_features", high=MANY)
    n_dimensions = as_count(n_dimensions, "n_dimensions", high=n_features)
    noise = as_positive(noise, "noise", zero_allowed=True)
    rng = as_generator(seed)
    basis = np.linalg.qr(rng.normal(size=(n_features, n_dimensions)))[0]
    coordinates = rng.normal(size=(n_samples, n_dimensions)) * np.arange(n_dimensions + 1, 1, -1)
    mean = rng.normal(size=n_features)
    X = mean + coordinates @ basis.T + noise * rng.normal(size=(n_samples, n_features))
    return HiddenPlane(X, coordinates, basis, mean)


def smooth_images(n_samples: int, *, side: int = 16, n_waves: int = 3, seed: int = 0) -> Images:
    """Draw images that are random mixtures of n_waves × n_waves slow cosine patterns."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    side = as_count(side, "side", low=2, high=4096)
    n_waves = as_count(n_waves, "n_waves", high=side)
    positions = (np.arange(side) + 0.5) / side
    waves = np.cos(np.pi * np.outer(np.arange(n_waves), positions))
    patterns = np.einsum("ay,bx->abyx", waves, waves).reshape(n_waves**2, side**2)
    coefficients = as_generator(seed).normal(size=(n_samples, n_waves**2))
    return Images(coefficients @ patterns, coefficients, side)


def noise_images(n_samples: int, *, side: int = 16, seed: int = 0) -> Images:
    """Draw images whose pixels are independent: every pixel is a degree of freedom."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    side = as_count(side, "side", low=2, high=4096)
    pixels = as_generator(seed).normal(size=(n_samples, side**2))
    return Images(pixels, pixels.copy(), side)


def bag_of_words(
    n_samples: int, *, n_common_words: int = 180, n_topic_words: int = 10, length: int = 200, seed: int = 0
) -> Documents:
    """Draw documents as word counts: most words say nothing about the topic, a few do.

    Each document takes 15 % of its words from the list of its topic and the rest from the common
    ones, whose frequencies fall like 1/rank.
    """
    n_samples = as_count(n_samples, "n_samples", low=2, high=MANY)
    n_common_words = as_count(n_common_words, "n_common_words", high=MANY)
    n_topic_words = as_count(n_topic_words, "n_topic_words", high=MANY)
    length = as_count(length, "length", high=MANY)
    rng = as_generator(seed)
    common = 1 / np.arange(1, n_common_words + 1)
    frequencies = np.zeros((2, n_common_words + 2 * n_topic_words))
    frequencies[:, :n_common_words] = 0.85 * common / common.sum()
    for topic in range(2):
        start = n_common_words + topic * n_topic_words
        frequencies[topic, start : start + n_topic_words] = 0.15 / n_topic_words
    labels = (np.arange(n_samples) % 2).astype(np.int64)
    counts = rng.multinomial(length, frequencies[labels])
    names = [f"common{i}" for i in range(n_common_words)]
    names += [f"topic{topic}word{i}" for topic in range(2) for i in range(n_topic_words)]
    return Documents(counts.astype(np.float64), labels, tuple(names), np.arange(len(names)) >= n_common_words)


def swiss_roll(n_samples: int, *, noise: float = 0.0, seed: int = 0) -> Manifold:
    """Draw points of a rolled-up sheet (t cos t, h, t sin t); coordinates are arc length and height.

    The roll is an isometry: distances on the sheet are Euclidean distances of the coordinates.
    """
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    rng = as_generator(seed)
    t = 1.5 * np.pi * (1 + 2 * rng.uniform(size=n_samples))
    height = 21 * rng.uniform(size=n_samples)
    points = np.column_stack([t * np.cos(t), height, t * np.sin(t)])
    return Manifold(_blurred(points, noise, rng), np.column_stack([_spiral_length(t), height]))


def spiral(n_samples: int, *, noise: float = 0.0, seed: int = 0) -> Manifold:
    """Draw points of the plane curve (t cos t, t sin t); the coordinate is arc length."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    rng = as_generator(seed)
    t = 1.5 * np.pi * (1 + 2 * rng.uniform(size=n_samples))
    points = np.column_stack([t * np.cos(t), t * np.sin(t)])
    return Manifold(_blurred(points, noise, rng), _spiral_length(t)[:, None])


def cylinder_patch(n_samples: int, *, angle: float = np.pi, noise: float = 0.0, seed: int = 0) -> Manifold:
    """Draw points of a sheet bent around a cylinder of radius 1 through the given angle, less than 2π.

    Coordinates are arc length and height: the bending is an isometry.
    """
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    angle = as_positive(angle, "angle")
    if angle >= 2 * np.pi:
        raise ValueError(f"angle must be less than 2π, so that the sheet does not close, got {angle}")
    rng = as_generator(seed)
    arc, height = angle * rng.uniform(size=n_samples), 2 * rng.uniform(size=n_samples)
    points = np.column_stack([np.cos(arc), np.sin(arc), height])
    return Manifold(_blurred(points, noise, rng), np.column_stack([arc, height]))


def sheet_with_hole(n_samples: int, *, bend: float = 1.0, noise: float = 0.0, seed: int = 0) -> Manifold:
    """Draw points of a 4 × 2 sheet with a 1 × 1 hole in its middle, bent around a cylinder of radius 1/bend.

    Coordinates are those of the flat sheet; around the hole the shortest path is longer than the
    straight line, so geodesic distances are not Euclidean. bend = 0 leaves the sheet flat.
    """
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    bend = as_positive(bend, "bend", zero_allowed=True)
    if bend >= np.pi / 2:
        raise ValueError(f"bend must be less than π/2, so that the sheet does not close, got {bend}")
    rng = as_generator(seed)
    # A quarter more than the area of the sheet needs on average, again until there are enough.
    flat = np.zeros((0, 2))
    while len(flat) < n_samples:
        drawn = rng.uniform([-2, -1], [2, 1], size=(n_samples + n_samples // 4 + 8, 2))
        flat = np.vstack([flat, drawn[np.abs(drawn).max(axis=1) > 0.5]])
    flat = flat[:n_samples]
    # sin(x·b)/b and (1 − cos(x·b))/b, in forms that also hold at b = 0.
    across = flat[:, 0] * np.sinc(flat[:, 0] * bend / np.pi)
    depth = bend * flat[:, 0] ** 2 / 2 * np.sinc(flat[:, 0] * bend / (2 * np.pi)) ** 2
    return Manifold(_blurred(np.column_stack([across, flat[:, 1], depth]), noise, rng), flat)


def twin_peaks(n_samples: int, *, noise: float = 0.0, seed: int = 0) -> Manifold:
    """Draw points of the surface z = sin(πx) tanh(3y) over a square; coordinates are x and y.

    Not an isometry: no flat map keeps all distances on it.
    """
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    rng = as_generator(seed)
    flat = rng.uniform(-1, 1, size=(n_samples, 2))
    peaks = np.sin(np.pi * flat[:, 0]) * np.tanh(3 * flat[:, 1])
    return Manifold(_blurred(np.column_stack([flat, peaks]), noise, rng), flat)


def batch_effect(n_samples: int, n_features: int, *, strength: float = 5.0, seed: int = 0) -> BatchEffect:
    """Draw measurements whose strongest direction is the laboratory, not the signal.

    x = strength · (±1) · b + 2 · signal · s + noise, with orthonormal b, s and noise of deviation 0.3.
    """
    n_samples = as_count(n_samples, "n_samples", low=2, high=MANY)
    n_features = as_count(n_features, "n_features", low=2, high=MANY)
    strength = as_positive(strength, "strength", zero_allowed=True)
    rng = as_generator(seed)
    batch, along = np.linalg.qr(rng.normal(size=(n_features, 2)))[0].T
    labels = (np.arange(n_samples) % 2).astype(np.int64)
    signal = rng.normal(size=n_samples)
    X = strength * np.outer(2 * labels - 1, batch) + 2 * np.outer(signal, along)
    X += 0.3 * rng.normal(size=X.shape)
    return BatchEffect(X, signal, labels, along, batch)


def genotypes(n_samples: int, n_variants: int, *, divergence: float = 0.1, seed: int = 0) -> Labelled:
    """Draw copies (0, 1 or 2) of the rarer variant at many places of the genome, for two populations.

    Each place has an ancestral frequency, from which both populations have drifted apart by about
    the divergence; given its frequency an entry is binomial. Usually there are far fewer samples
    than variants.
    """
    n_samples = as_count(n_samples, "n_samples", low=2, high=MANY)
    n_variants = as_count(n_variants, "n_variants", high=MANY)
    divergence = as_positive(divergence, "divergence", zero_allowed=True)
    rng = as_generator(seed)
    ancestral = rng.uniform(0.05, 0.5, size=n_variants)
    drifted = np.clip(ancestral + divergence * rng.normal(size=(2, n_variants)), 0.01, 0.99)
    labels = (np.arange(n_samples) % 2).astype(np.int64)
    return Labelled(rng.binomial(2, drifted[labels]).astype(np.float64), labels)


def digits() -> Labelled:
    """Return 1797 handwritten digits, 8 × 8 pixels from 0 to 16 as rows of 64; see data/README.md."""
    with resources.files("dimred_ref").joinpath("data/digits.npz").open("rb") as file:
        stored = np.load(file)
        return Labelled(stored["pixels"].astype(np.float64), stored["labels"].astype(np.int64))


def _spiral_length(t: Array) -> Array:
    """Return the arc length of (t cos t, t sin t) from 0 to t: ½ (t √(1 + t²) + arsinh t)."""
    length: Array = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2
    return length


def _blurred(points: Array, noise: float, rng: np.random.Generator) -> Array:
    """Add Gaussian noise of the given deviation to every coordinate in space."""
    noise = as_positive(noise, "noise", zero_allowed=True)
    return points + noise * rng.normal(size=points.shape)
