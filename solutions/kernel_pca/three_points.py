"""Task `three_points`: the spectrum of a centred kernel matrix with a symmetry, by hand."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, eq, row, steps, tex

Answer = tuple[float, float, float]


def _matrix(a: float, b: float, c: float, e: float) -> Array:
    return np.array([[a, b, c], [b, a, c], [c, c, e]], dtype=float)


@cache
def _choices() -> list[tuple[int, int, int, int]]:
    """Every positive definite one with short answers on which no two ways agree."""
    choices = []
    for a, b, c, e in product(range(2, 15), range(-4, 6), range(-4, 6), range(2, 20)):
        if abs(b) >= a or c == 0 or b == 0 or np.linalg.eigvalsh(_matrix(a, b, c, e))[0] < 0.1:
            continue
        answers = [way(_matrix(a, b, c, e)) for way in WAYS]
        short = all(is_short(number, 2) for number in answers[0])
        short = short and all(are_apart(answers[2][part], answers[3][part]) for part in range(2))
        first, second = (round(value, 9) for value in answers[0][:2])
        # Eigenvalues that agree with each other, an entry of K or the number of points prove no method.
        short = short and first != second and not {first, second} & {a, b, c, e, 3}
        pairs = combinations(answers, 2)
        if short and all(any(are_apart(*pair) for pair in zip(*two, strict=True)) for two in pairs):
            choices.append((a, b, c, e))
    return choices


def _spectrum(matrix: Array) -> Answer:
    values = np.linalg.eigvalsh(matrix)[::-1]
    return _with_share(values)


def _with_share(values: Array) -> Answer:
    return float(values[0]), float(values[1]), float(values[0] / np.sum(values))


@task.hand(
    points=3,
    minutes=12,
    see="thm-kernel-pca-scores",
    parts=("larger eigenvalue", "smaller eigenvalue", "share"),
)
def three_points(K: Array) -> Answer:
    """λ₁, λ₂ of JKJ, and λ₁/(λ₁ + λ₂) (eq-kernel-pca-eigenproblem)."""
    J = np.eye(3) - 1 / 3
    return _spectrum(J @ K @ J)


@three_points.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A kernel matrix in which the first two points can be exchanged."""
    a, b, c, e = one_of(rng, _choices())
    return {"the numbers of the text": {"K": _matrix(a, b, c, e)}}


@three_points.wrong(
    "These are eigenvalues of K itself, which measures the features from the origin, not from their mean.",
    see="eq-kernel-pca-centring",
)
def forgot_to_centre(K: Array) -> Answer:
    """The two largest eigenvalues of K."""
    return _spectrum(K)


@three_points.wrong(
    "The share is right. These are variances; the eigenvalues of the centred kernel matrix are N times as large.",
    credit=1 / 3,
)
def gave_variances(K: Array) -> Answer:
    """λ/N."""
    first, second, share = three_points(K)
    return first / 3, second / 3, share


@three_points.wrong(
    "The share is right. Roots of eigenvalues scale the coordinates; the eigenvalues were asked for.",
    see="eq-kernel-pca-embedding",
    credit=1 / 3,
)
def gave_lengths(K: Array) -> Answer:
    """√λ."""
    first, second, share = three_points(K)
    return float(np.sqrt(first)), float(np.sqrt(second)), share


@three_points.wrong(
    "An eigenvalue is vᵀKv for a vector of length one. Yours are longer, and each by another factor.",
    see="eq-kernel-pca-eigenproblem",
)
def left_the_vectors_long(K: Array) -> Answer:
    """vᵀKv with (1, −1, 0) and (1, 1, −2) as they are."""
    values = [float(np.array(v) @ K @ np.array(v)) for v in ([1, -1, 0], [1, 1, -2])]
    return _with_share(np.sort(values)[::-1])


@three_points.wrong(
    "Both eigenvalues are right. Your share compares with the trace of K, which is not centred.",
)
def compared_with_the_trace_of_k(K: Array) -> Answer:
    """λ₁/tr K."""
    first, second, _ = three_points(K)
    return first, second, float(first / np.trace(K))


@three_points.wrong(
    "Both eigenvalues are right. They are variances already, up to a common factor: no roots in the share.",
)
def took_roots_for_the_share(K: Array) -> Answer:
    """√λ₁/(√λ₁ + √λ₂)."""
    first, second, _ = three_points(K)
    return first, second, float(np.sqrt(first) / (np.sqrt(first) + np.sqrt(second)))


@three_points.wrong(
    "Both eigenvalues are right. They are variances already, up to a common factor: no squares in the share.",
)
def took_squares_for_the_share(K: Array) -> Answer:
    """λ₁²/(λ₁² + λ₂²)."""
    first, second, _ = three_points(K)
    return first, second, first**2 / (first**2 + second**2)


@three_points.also
def by_symmetry(K: Array) -> Answer:
    """The two vectors that are symmetric or antisymmetric and sum to zero."""
    odd, even = np.array([1, -1, 0]) / np.sqrt(2), np.array([1, 1, -2]) / np.sqrt(6)
    values = sorted([float(odd @ K @ odd), float(even @ K @ even)], reverse=True)
    return values[0], values[1], values[0] / sum(values)


@three_points.also
def by_formulas(K: Array) -> Answer:
    """a − b, and the rest of the trace."""
    odd = K[0, 0] - K[0, 1]
    even = np.trace(K) - K.sum() / 3 - odd
    return float(max(odd, even)), float(min(odd, even)), float(max(odd, even) / (odd + even))


WAYS = (
    three_points,
    forgot_to_centre,
    gave_variances,
    gave_lengths,
    left_the_vectors_long,
    compared_with_the_trace_of_k,
    took_roots_for_the_share,
)


@three_points.worked
def worked(K: Array) -> Worked:
    """An odd and an even vector, both orthogonal to the constant."""
    odd, even = np.array([1.0, -1.0, 0.0]), np.array([1.0, 1.0, -2.0])
    one, other = float(odd @ K @ odd), float(even @ K @ even)
    values = sorted([one / 2, other / 6], reverse=True)
    return steps(
        rf"Exchanging the first two points changes nothing, so the eigenvectors orthogonal to $\mathbf 1$ are "
        rf"$o={row(odd)}$ and $e={row(even)}$. Both add up to zero, so $JKJ$ may be replaced by $K$ between them.",
        rf"$Ko={row(K @ odd)}$, $o^\top Ko={tex(one)}$, $o^\top o=2$: the eigenvalue is ${tex(one / 2)}$.",
        rf"$Ke={row(K @ even)}$, $e^\top Ke={tex(other)}$, $e^\top e=6$: the eigenvalue is ${tex(other / 6)}$.",
        rf"The share of the first is ${tex(values[0])}/{tex(sum(values))}{eq(values[0] / sum(values))}$.",
    ), (values[0], values[1], values[0] / sum(values))
