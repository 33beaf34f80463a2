"""Data sets with known truth: each function draws one from a seed and returns what it was made of.

Every result holds the samples X (rows) first, then the truth a method should recover. Four sets are
real: penguins, digits, the picture that is turned, and airports, which are given by their distances only.
"""

import csv
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import map_coordinates

from dimred_ref._arrays import Array, as_count, as_generator, as_positive, as_symmetric, as_vector
from dimred_ref._eigen import top_eigenpairs
from dimred_ref._faces import render_faces
from dimred_ref._result import Result

Labels = NDArray[np.int64]
MANY = 10**7  # more samples than any example of the course needs
EARTH_RADIUS = 6371.0  # km, the mean radius


@dataclass(frozen=True, eq=False, repr=False)
class Cloud(Result):
    """Samples of a Gaussian, and the mean and covariance they were drawn with."""

    X: Array  # (N, D)
    mean: Array  # (D,)
    covariance: Array  # (D, D)


@dataclass(frozen=True, eq=False, repr=False)
class HiddenPlane(Result):
    """Samples near a flat of a larger space: X = mean + coordinates basisᵀ + noise."""

    X: Array  # (N, D)
    coordinates: Array  # (N, d)
    basis: Array  # (D, d), orthonormal columns
    mean: Array  # (D,)


@dataclass(frozen=True, eq=False, repr=False)
class Images(Result):
    """Square grey images as rows of pixels, and the degrees of freedom they were made from."""

    X: Array  # (N, side²)
    coefficients: Array  # (N, number of degrees of freedom)
    side: int


@dataclass(frozen=True, eq=False, repr=False)
class Documents(Result):
    """Word counts of documents on two topics, and which words can tell the topics apart."""

    X: Array  # (N, vocabulary size), whole numbers
    labels: Labels  # (N,), the topic
    vocabulary: tuple[str, ...]
    informative: NDArray[np.bool_]  # (vocabulary size,)


@dataclass(frozen=True, eq=False, repr=False)
class Manifold(Result):
    """Points of a curve or surface in space, and their coordinates on it."""

    X: Array  # (N, D)
    coordinates: Array  # (N, d)


@dataclass(frozen=True, eq=False, repr=False)
class ClosedCurve(Result):
    """Points of a closed curve, in their order along it, and where they belong on a circle."""

    X: Array  # (N, D)
    coordinates: Array  # (N, 2), on a circle as long as the curve, the same distances along it
    angles: Array  # (N,), ascending in [0, 2π)
    length: float


@dataclass(frozen=True, eq=False, repr=False)
class TurnedImages(Result):
    """One grey picture, turned by each of the angles: square images as rows of pixels."""

    X: Array  # (N, side²), grey values from 0 to 255
    coordinates: Array  # (N, 2), the angles on the unit circle
    angles: Array  # (N,), ascending in [0, 2π), anticlockwise
    side: int


@dataclass(frozen=True, eq=False, repr=False)
class Penguins(Result):
    """Measurements of penguins, one bird per row, and what each bird is."""

    X: Array  # (333, 4)
    features: tuple[str, ...]  # (4,)
    units: tuple[str, ...]  # (4,)
    species: Labels  # (333,), positions in species_names
    species_names: tuple[str, ...]
    islands: Labels  # (333,), positions in island_names
    island_names: tuple[str, ...]
    sexes: Labels  # (333,), positions in sex_names
    sex_names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Airports(Result):
    """A table of distances with nothing behind it but a globe, and where on the globe the places are."""

    distances: Array  # (26, 26), kilometres along great circles
    names: tuple[str, ...]  # (26,), the city
    codes: tuple[str, ...]  # (26,), three letters
    positions: Array  # (26, 2), latitude and longitude in degrees, north and east positive


@dataclass(frozen=True, eq=False, repr=False)
class Labelled(Result):
    """Samples, and the group each belongs to."""

    X: Array  # (N, D)
    labels: Labels  # (N,)


@dataclass(frozen=True, eq=False, repr=False)
class BatchEffect(Result):
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


def face_images(n_samples: int, *, side: int = 24, seed: int = 0) -> Images:
    """Render pictures of one head, turned and lit from up to 45° to the left or right.

    The coefficients are the two angles in radians, pose and light, both positive to the right.
    """
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    side = as_count(side, "side", low=2, high=512)
    angles = as_generator(seed).uniform(-np.pi / 4, np.pi / 4, size=(n_samples, 2))
    return Images(render_faces(angles[:, 0], angles[:, 1], side), angles, side)


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


def closed_curve(n_samples: int, *, noise: float = 0.0, seed: int = 0) -> ClosedCurve:
    """Draw points of (½ e^it, e^2it, ⅓ e^3it), a closed curve in six real dimensions, run at constant speed.

    The part e^2it is the largest and takes t and t + π to the same point, so the best plane shows the
    curve as a circle covered twice; the curve itself never comes near itself again.
    """
    angles, rng = _angles_all_round(n_samples, seed)
    sizes, speeds = np.array([1 / 2, 1, 1 / 3]), np.array([1, 2, 3])
    turning = np.outer(angles, speeds)
    points = np.stack([sizes * np.cos(turning), sizes * np.sin(turning)], axis=2).reshape(len(angles), 6)
    length = float(2 * np.pi * np.linalg.norm(sizes * speeds))
    return ClosedCurve(
        _blurred(points, noise, rng), length / (2 * np.pi) * _on_circle(angles), angles, length
    )


def turned_image(n_samples: int, *, noise: float = 0.0, seed: int = 0) -> TurnedImages:
    """Turn a small picture of a cat through all angles: a closed curve in the space of 24 × 24 pixels.

    What lies outside the largest circle of the picture is black, so that only the cat turns, not a frame.
    """
    angles, rng = _angles_all_round(n_samples, seed)
    with resources.files("dimred_ref").joinpath("data/cat.csv").open() as file:
        picture = np.loadtxt(file, delimiter=",")
    side = len(picture)
    across, down = np.meshgrid(np.arange(side) - (side - 1) / 2, np.arange(side) - (side - 1) / 2)
    inside = np.hypot(across, down) <= (side - 1) / 2
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    # The pixel at (across, down) shows what was there before the turn, found by turning back.
    sources = [
        cos * down[inside] + sin * across[inside] + (side - 1) / 2,
        cos * across[inside] - sin * down[inside] + (side - 1) / 2,
    ]
    images = np.zeros((len(angles), side, side))
    images[:, inside] = map_coordinates(picture, sources, order=1, mode="nearest")
    return TurnedImages(
        _blurred(images.reshape(len(angles), side**2), noise, rng), _on_circle(angles), angles, side
    )


def penguins() -> Penguins:
    """Return four measurements of 333 penguins of three species on three islands; see data/README.md."""
    rows = _stored_rows("data/penguins.csv")
    measured = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    X = np.array([[float(row[column]) for column in measured] for row in rows])
    features = tuple(column.rsplit("_", 1)[0].replace("_", " ") for column in measured)
    species, species_names = _coded([row["species"] for row in rows])
    islands, island_names = _coded([row["island"] for row in rows])
    sexes, sex_names = _coded([row["sex"] for row in rows])
    return Penguins(
        X,
        features,
        tuple(column.rsplit("_", 1)[1] for column in measured),
        species,
        species_names,
        islands,
        island_names,
        sexes,
        sex_names,
    )


def airports() -> Airports:
    """Return the distances between 26 airports of the United States along great circles; see data/README.md.

        d = 2 R arcsin √(sin²(Δφ/2) + cos φ cos φ′ sin²(Δλ/2))

    of latitudes φ and longitudes λ on a ball of radius R = 6371 km: not a table of Euclidean distances.
    """
    rows = _stored_rows("data/airports.csv")
    positions = np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows])
    latitude, longitude = np.radians(positions).T
    squared = np.sin((latitude[:, None] - latitude) / 2) ** 2
    squared += (
        np.outer(np.cos(latitude), np.cos(latitude)) * np.sin((longitude[:, None] - longitude) / 2) ** 2
    )
    distances = 2 * EARTH_RADIUS * np.arcsin(np.sqrt(squared))
    names, codes = tuple(row["city"] for row in rows), tuple(row["code"] for row in rows)
    return Airports(distances, names, codes, positions)


def _stored_rows(name: str) -> list[dict[str, str]]:
    with resources.files("dimred_ref").joinpath(name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _coded(words: list[str]) -> tuple[Labels, tuple[str, ...]]:
    names, positions = np.unique(words, return_inverse=True)
    return positions.astype(np.int64), tuple(str(name) for name in names)


def _angles_all_round(n_samples: int, seed: int) -> tuple[Array, np.random.Generator]:
    """Draw one angle in each N-th of a turn: random, so that no two distances tie, yet without wide gaps."""
    n_samples = as_count(n_samples, "n_samples", high=MANY)
    rng = as_generator(seed)
    angles: Array = 2 * np.pi * (np.arange(n_samples) + rng.uniform(size=n_samples)) / n_samples
    return angles, rng


def _on_circle(angles: Array) -> Array:
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _spiral_length(t: Array) -> Array:
    """Return the arc length of (t cos t, t sin t) from 0 to t: ½ (t √(1 + t²) + arsinh t)."""
    length: Array = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2
    return length


def _blurred(points: Array, noise: float, rng: np.random.Generator) -> Array:
    """Add Gaussian noise of the given deviation to every coordinate in space."""
    noise = as_positive(noise, "noise", zero_allowed=True)
    return points + noise * rng.normal(size=points.shape)
