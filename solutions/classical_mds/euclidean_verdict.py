"""Task `euclidean_verdict`: how many dimensions a table needs, and how far it is from having a map at all."""

import numpy as np

from autograder.authoring.task import Cases, Follows, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.classical_mds import double_centred, gram_spectrum
from solutions.classical_mds import double_centre
from solutions.classical_mds.numbers import random_table, table_of
from solutions.numbers import Array, parts_right_by_luck

Answer = tuple[int, int, float]
TOLERANCE = 1e-6  # of the largest absolute value, as the text says


def draw(rng: np.random.Generator) -> Cases:
    """Whole points of a plane, of a line, a table that is nobody's distances, and a ring.

    Counts are small, so a wrong way is often right by luck: only so often as `RIGHT_BY_LUCK` says.
    """
    while True:
        cases = _some(rng)
        if parts_right_by_luck(answer, tuple(RIGHT_BY_LUCK), cases) == tuple(RIGHT_BY_LUCK.values()):
            return cases


def _some(rng: np.random.Generator) -> Cases:
    size = int(rng.integers(5, 8))
    return {
        "points of a plane": {"distances": _whole_plane(rng)},
        "points of a line": {"distances": table_of(np.round(rng.uniform(-9, 9, size=(4, 1)), 1))},
        "nobody's distances, in small units": {"distances": random_table(rng, 5) * 1e-6},
        "hops around a ring": {"distances": np.round(rng.uniform(2.0, 9.0), 3) * _ring(size)},
    }


def _whole_plane(rng: np.random.Generator) -> Array:
    """Multiples of a 3-4-5 rectangle, its corners and its centre: all distances are short decimals."""
    unit = rng.integers(1, 9) / 2
    corners = np.array([[0, 0], [3, 0], [0, 4], [3, 4], [1.5, 2]]) * unit
    return table_of(rng.permutation(corners))


def _ring(size: int) -> Array:
    hops = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    return np.minimum(hops, size - hops).astype(float)


def hard(rng: np.random.Generator) -> Cases:
    """Two points, other units, an integer array."""
    return {
        "two points": {"distances": np.array([[0.0, 3.0], [3.0, 0.0]])},
        "small units": {"distances": random_table(rng, 5) * 1e-6},
        "large units": {"distances": random_table(rng, 6) * 1e6},
        "integers": {"distances": _ring(4).astype(int)},
    }


def answer(distances: Array) -> Answer:
    """Numbers of positive and negative eigenvalues, and Σ|λ| over these (eq-classical-mds-negative-mass)."""
    return _counted(gram_spectrum(distances))


def _counted(spectrum: Array) -> Answer:
    threshold = TOLERANCE * np.abs(spectrum).max()
    negative = spectrum[spectrum < -threshold]
    return int(np.sum(spectrum > threshold)), len(negative), float(np.abs(negative).sum())


def is_ill_posed(distances: Array) -> str | None:
    """An eigenvalue at the tolerance would be counted by luck."""
    sizes = np.abs(gram_spectrum(distances)) / np.abs(gram_spectrum(distances)).max()
    return "an eigenvalue is nearly zero" if np.any((sizes > 1e-9) & (sizes < 1e-3)) else None


def forgot_to_square(distances: Array) -> Answer:
    """The spectrum that the recipe gives for the distances themselves."""
    values = np.linalg.eigvalsh(double_centred(distances))
    return _counted(values)


def forgot_to_centre(distances: Array) -> Answer:
    """The spectrum of −½Δ⁽²⁾."""
    return _counted(np.linalg.eigvalsh(-(distances**2) / 2))


def exchanged_the_signs(distances: Array) -> Answer:
    """The spectrum of ½ J Δ⁽²⁾ J."""
    return _counted(-gram_spectrum(distances))


def counted_the_zeros_as_dimensions(distances: Array) -> Answer:
    """Not negative in the place of positive."""
    _, n_negative, mass = answer(distances)
    return len(distances) - n_negative, n_negative, mass


def kept_the_sign_of_the_mass(distances: Array) -> Answer:
    """Σλ over the negative eigenvalues."""
    n_positive, n_negative, mass = answer(distances)
    return n_positive, n_negative, -mass


def summed_the_squares(distances: Array) -> Answer:
    """Σλ² over the negative eigenvalues."""
    n_positive, n_negative, _ = answer(distances)
    spectrum = gram_spectrum(distances)
    negative = np.minimum(spectrum, 0) * (n_negative > 0)
    return n_positive, n_negative, float(negative @ negative)


def by_the_centring_matrix(distances: Array) -> Answer:
    """With J written out."""
    N = len(distances)
    J = np.eye(N) - 1 / N
    values = np.linalg.eigvalsh(-J @ distances**2 @ J / 2)
    zero = 1e-6 * max(abs(values))
    return sum(values > zero), sum(values < -zero), -sum(value for value in values if value < -zero)


def through_the_trace(distances: Array) -> Answer:
    """Σ_{λ<0}|λ| = Σ_{λ>0} λ − tr G."""
    squared = np.asarray(distances, dtype=float) ** 2
    G = -(squared - squared.mean(axis=0) - squared.mean(axis=1, keepdims=True) + squared.mean()) / 2
    values = np.linalg.eigvalsh(G)
    values = np.where(np.abs(values) < 1e-6 * np.abs(values).max(), 0.0, values)
    mass = values[values > 0].sum() - values.sum()
    return int((values > 0).sum()), int((values < 0).sum()), float(mass) if (values < 0).any() else 0.0


RIGHT_BY_LUCK = {forgot_to_square: 7, exchanged_the_signs: 0}  # of the twelve parts

euclidean_verdict = Task(
    kind="code",
    points=2,
    minutes=12,
    draw=draw,
    hard=hard,
    answer=answer,
    see="thm-classical-mds-schoenberg",
    parts=("number of positive eigenvalues", "number of negative eigenvalues", "negative mass"),
    same=(exactly, exactly, exactly),
    misconceptions=(
        Misconception(
            forgot_to_square,
            hint="These are the counts for points whose squared distances are the entries of the table.",
            see="sec-classical-mds-products",
        ),
        Misconception(
            forgot_to_centre,
            hint="These are the counts for the table of squares as it is, not for the Gram matrix.",
            see="eq-classical-mds-gram",
        ),
        Misconception(
            exchanged_the_signs,
            hint="Positive and negative have changed places: the Gram matrix of points of a line has one "
            "positive eigenvalue.",
            see="eq-classical-mds-gram",
        ),
        Misconception(
            counted_the_zeros_as_dimensions,
            hint="The negative ones are right. An eigenvalue zero gives no dimension, and the vector of ones "
            "always has it.",
            see="thm-classical-mds-exact",
        ),
        Misconception(
            kept_the_sign_of_the_mass,
            hint="Both counts are right. The mass is a sum of absolute values.",
            see="eq-classical-mds-negative-mass",
        ),
        Misconception(
            summed_the_squares,
            hint="Both counts are right. Your last number is a part of the strain; the negative mass has no "
            "squares.",
            see="eq-classical-mds-negative-mass",
        ),
    ),
    alternatives=(by_the_centring_matrix, through_the_trace),
    follows=(Follows("double_centre", double_centre.answer, lambda distances: {"distances": distances}),),
    ill_posed=is_ill_posed,
)
