"""Task `euclidean_verdict`: how many dimensions a table needs, and how far it is from having a map at all."""

import numpy as np

from autograder.authoring import task
from dimred_ref.classical_mds import double_centred, gram_spectrum
from solutions.classical_mds.double_centre import double_centre
from solutions.classical_mds.numbers import random_table
from solutions.numbers import Array, parts_right_by_luck

Answer = tuple[int, int, float]
TOLERANCE = 1e-6  # of the largest absolute value, as the text says


@task.code(
    points=2,
    minutes=12,
    see="thm-classical-mds-schoenberg",
    parts=("number of positive eigenvalues", "number of negative eigenvalues", "negative mass"),
)
def euclidean_verdict(distances: Array) -> Answer:
    """Numbers of positive and negative eigenvalues, and Σ|λ| over these (eq-classical-mds-negative-mass)."""
    return _counted(gram_spectrum(distances))


@euclidean_verdict.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Points nearly in a plane, and three tables that are nobody's distances, each with several negative eigenvalues.

    Two of the three keep the triangle inequality: it decides nothing. Counts are small, so a wrong way is often right
    by luck: only so often as `RIGHT_BY_LUCK` says.
    """
    while True:
        cases = _some(rng)
        n_negative = [euclidean_verdict(*inputs.values())[1] for inputs in cases.values()]
        if min(n_negative[1:]) < 2 or any(is_ill_posed(*inputs.values()) for inputs in cases.values()):
            continue
        if parts_right_by_luck(euclidean_verdict, tuple(RIGHT_BY_LUCK), cases) == tuple(
            RIGHT_BY_LUCK.values()
        ):
            return cases


def _some(rng: np.random.Generator) -> task.Cases:
    size = int(rng.integers(5, 8))
    return {
        "points nearly in a plane": {"distances": _nearly_plane(rng)},
        "blocks of a city": {"distances": _blocks(rng, 6)},
        "nobody's distances, in small units": {"distances": random_table(rng, 6) * 1e-6},
        "hops around a ring": {"distances": np.round(rng.uniform(2.0, 9.0), 3) * _ring(size)},
    }


def _nearly_plane(rng: np.random.Generator) -> Array:
    """A rectangle with its centre, of which one corner is lifted a little: a small eigenvalue that is not zero."""
    unit = rng.integers(1, 9) / 2
    corners = np.array([[0, 0, 0.04], [3, 0, 0], [0, 4, 0], [3, 4, 0], [1.5, 2, 0]]) * unit
    shuffled = rng.permutation(corners)
    return np.asarray(
        np.linalg.norm(shuffled[:, None] - shuffled, axis=2)
    )  # decimals would hide the small one


def _blocks(rng: np.random.Generator, n_points: int) -> Array:
    """Walks along streets that run north and east: a metric, but not that of points."""
    corners = rng.integers(0, 9, size=(n_points, 2)).astype(float)
    return np.abs(corners[:, None] - corners).sum(axis=2)


def _ring(size: int) -> Array:
    hops = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    return np.minimum(hops, size - hops).astype(float)


@euclidean_verdict.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, other units, an integer array."""
    return {
        "two points": {"distances": np.array([[0.0, 3.0], [3.0, 0.0]])},
        "small units": {"distances": random_table(rng, 5) * 1e-6},
        "large units": {"distances": random_table(rng, 6) * 1e6},
        "integers": {"distances": _ring(4).astype(int)},
    }


def _counted(spectrum: Array) -> Answer:
    threshold = TOLERANCE * np.abs(spectrum).max()
    negative = spectrum[spectrum < -threshold]
    return int(np.sum(spectrum > threshold)), len(negative), float(np.abs(negative).sum())


@euclidean_verdict.ill_posed
def is_ill_posed(distances: Array) -> str | None:
    """An eigenvalue at the tolerance would be counted by luck."""
    sizes = np.abs(gram_spectrum(distances)) / np.abs(gram_spectrum(distances)).max()
    off_diagonal = distances[~np.eye(len(distances), dtype=bool)]
    if off_diagonal.min() <= 0:
        return "two points coincide"
    return "an eigenvalue is nearly zero" if np.any((sizes > 1e-9) & (sizes < 1e-5)) else None


@euclidean_verdict.follows(double_centre)
def inputs_of_double_centre(distances: Array) -> task.Inputs:
    """Return the inputs of `double_centre`."""
    return {"distances": distances}


@euclidean_verdict.wrong(
    "These are the counts for points whose squared distances are the entries of the table.",
    see="sec-classical-mds-products",
)
def forgot_to_square(distances: Array) -> Answer:
    """The spectrum that the recipe gives for the distances themselves."""
    values = np.linalg.eigvalsh(double_centred(distances))
    return _counted(values)


@euclidean_verdict.wrong(
    "These are the counts for the table of squares as it is, not for the Gram matrix.",
    see="eq-classical-mds-gram",
)
def forgot_to_centre(distances: Array) -> Answer:
    """The spectrum of −½Δ⁽²⁾."""
    return _counted(np.linalg.eigvalsh(-(distances**2) / 2))


@euclidean_verdict.wrong(
    "Positive and negative have changed places: the Gram matrix of points of a line has one positive eigenvalue.",
    see="eq-classical-mds-gram",
)
def exchanged_the_signs(distances: Array) -> Answer:
    """The spectrum of ½ J Δ⁽²⁾ J."""
    return _counted(-gram_spectrum(distances))


@euclidean_verdict.wrong(
    "The negative ones are right. An eigenvalue zero gives no dimension, and the vector of ones always has it.",
    see="thm-classical-mds-exact",
)
def counted_the_zeros_as_dimensions(distances: Array) -> Answer:
    """Not negative in the place of positive."""
    _, n_negative, mass = euclidean_verdict(distances)
    return len(distances) - n_negative, n_negative, mass


@euclidean_verdict.wrong(
    "The dimensions are right. A table that is nobody's distances has negative eigenvalues, whether it keeps the "
    "triangle inequality or not, and yours has none.",
)
def saw_no_negative_eigenvalue(distances: Array) -> Answer:
    """Negative eigenvalues set to zero, or left out."""
    return euclidean_verdict(distances)[0], 0, 0.0


@euclidean_verdict.wrong(
    "The dimensions are right. Only the most negative eigenvalue was looked at; there may be several, and all of them "
    "belong to the mass.",
    see="eq-classical-mds-negative-mass",
)
def looked_at_the_most_negative_only(distances: Array) -> Answer:
    """One negative eigenvalue at most, and its size for the mass."""
    n_positive, n_negative, _ = euclidean_verdict(distances)
    return n_positive, min(n_negative, 1), float(max(-gram_spectrum(distances)[-1], 0.0)) * (n_negative > 0)


@euclidean_verdict.wrong(
    "Both counts are right. The mass is a sum of absolute values.", see="eq-classical-mds-negative-mass"
)
def kept_the_sign_of_the_mass(distances: Array) -> Answer:
    """Σλ over the negative eigenvalues."""
    n_positive, n_negative, mass = euclidean_verdict(distances)
    return n_positive, n_negative, -mass


@euclidean_verdict.wrong(
    "Both counts are right. Your last number is a part of the strain; the negative mass has no squares.",
    see="eq-classical-mds-negative-mass",
)
def summed_the_squares(distances: Array) -> Answer:
    """Σλ² over the negative eigenvalues."""
    n_positive, n_negative, _ = euclidean_verdict(distances)
    spectrum = gram_spectrum(distances)
    negative = np.minimum(spectrum, 0) * (n_negative > 0)
    return n_positive, n_negative, float(negative @ negative)


@euclidean_verdict.wrong(
    "The negative ones are counted rightly, but they are counted among the positive ones, too.",
    see="thm-classical-mds-schoenberg",
)
def gave_the_rank(distances: Array) -> Answer:
    """All eigenvalues that are not zero in the place of the positive ones."""
    n_positive, n_negative, mass = euclidean_verdict(distances)
    return n_positive + n_negative, n_negative, mass


@euclidean_verdict.wrong(
    "The positive ones and the mass are right. Eigenvalues that count as zero are not negative: the vector of ones "
    "has one in every table.",
    see="thm-classical-mds-schoenberg",
)
def counted_the_zeros_as_negative(distances: Array) -> Answer:
    """Not positive in the place of negative."""
    n_positive, _, mass = euclidean_verdict(distances)
    return n_positive, len(distances) - n_positive, mass


@euclidean_verdict.wrong(
    "Both counts are right. This is a share; the mass itself, in squared units of the table, was asked for.",
    see="eq-classical-mds-negative-mass",
)
def gave_the_share_of_the_mass(distances: Array) -> Answer:
    """The negative mass divided by Σ|λ|."""
    n_positive, n_negative, mass = euclidean_verdict(distances)
    return n_positive, n_negative, mass / float(np.abs(gram_spectrum(distances)).sum())


@euclidean_verdict.also
def by_the_centring_matrix(distances: Array) -> Answer:
    """With J written out."""
    N = len(distances)
    J = np.eye(N) - 1 / N
    values = np.linalg.eigvalsh(-J @ distances**2 @ J / 2)
    zero = 1e-6 * max(abs(values))
    return sum(values > zero), sum(values < -zero), -sum(value for value in values if value < -zero)


@euclidean_verdict.also
def through_the_trace(distances: Array) -> Answer:
    """Σ_{λ<0}|λ| = Σ_{λ>0} λ − tr G."""
    squared = np.asarray(distances, dtype=float) ** 2
    G = -(squared - squared.mean(axis=0) - squared.mean(axis=1, keepdims=True) + squared.mean()) / 2
    values = np.linalg.eigvalsh(G)
    values = np.where(np.abs(values) < 1e-6 * np.abs(values).max(), 0.0, values)
    mass = values[values > 0].sum() - values.sum()
    return int((values > 0).sum()), int((values < 0).sum()), float(mass) if (values < 0).any() else 0.0


RIGHT_BY_LUCK = {forgot_to_square: 2, exchanged_the_signs: 0}  # of the twelve parts
