"""Tasks `turn_bounds` and `sampled_approximation`: how far subspaces turn, and a decomposition from random samples."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.svd_stability import davis_kahan_bound
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short
from solutions.steps import Worked, eq, row, squares, steps, tex


@task.hand(
    points=2, minutes=8, see="thm-svd-davis-kahan", same=(exactly, exactly), parts=("the axis", "the plane")
)
def turn_bounds(spectrum: Array, E: Array) -> tuple[float, float]:
    """Bound the turn of the first axis and of the plane of the first two (eq-svd-davis-kahan)."""
    C = np.diag(np.asarray(spectrum, dtype=float))
    return davis_kahan_bound(C, E, 1), davis_kahan_bound(C, E, 2)


@turn_bounds.draw
def draw_turn(rng: np.random.Generator) -> task.Cases:
    """Draw a perturbation with a whole √2‖E‖, and two gaps that divide it to short decimals below one."""
    while True:
        upper = np.triu(rng.integers(-3, 4, size=(3, 3)))
        E = (upper + np.triu(upper, 1).T).astype(float)
        size = np.sqrt(2 * np.sum(E**2))
        gaps = rng.choice([4, 5, 8, 10, 16, 20, 25], size=2, replace=False)
        smallest = rng.integers(1, 8)
        spectrum = np.array([smallest + gaps.sum(), smallest + gaps[1], smallest], dtype=float)
        short = is_short(size, 0) and all(is_short(size / gap) for gap in gaps)
        if short and 0 < size < gaps.min() and told_apart(TURNS, (spectrum, E), (exactly, exactly)):
            return {"the numbers of the text": {"spectrum": spectrum, "E": E}}


def _bounds(spectrum: Array, size: float) -> tuple[float, float]:
    return float(size / (spectrum[0] - spectrum[1])), float(size / (spectrum[1] - spectrum[2]))


@turn_bounds.wrong(
    "Your numbers are ‖E‖ divided by the gaps. A factor √2 is missing.", see="eq-svd-davis-kahan"
)
def forgot_the_root_of_two(spectrum: Array, E: Array) -> tuple[float, float]:
    """Divide the norm of E by the gaps."""
    return _bounds(spectrum, float(np.linalg.norm(E)))


@turn_bounds.wrong(
    "The gaps are right. The Frobenius norm is the root of the sum of all squared entries; yours lacks the root."
)
def forgot_the_root_of_the_sum(spectrum: Array, E: Array) -> tuple[float, float]:
    """Take the squared norm."""
    return _bounds(spectrum, float(np.sqrt(2) * np.sum(E**2)))


@turn_bounds.wrong(
    "The gaps are right. The Frobenius norm counts all nine entries; those off the diagonal are there twice."
)
def counted_pairs_once(spectrum: Array, E: Array) -> tuple[float, float]:
    """Take the entries on and above the diagonal only."""
    return _bounds(spectrum, float(np.sqrt(2) * np.linalg.norm(np.triu(E))))


@turn_bounds.wrong(
    "You divided by eigenvalues. What keeps a subspace in place is the gap: the difference to the next eigenvalue.",
    see="eq-svd-davis-kahan",
)
def divided_by_eigenvalues(spectrum: Array, E: Array) -> tuple[float, float]:
    """Divide by λ_d in the place of the gap."""
    size = np.sqrt(2) * np.linalg.norm(E)
    return float(size / spectrum[0]), float(size / spectrum[1])


@turn_bounds.wrong(
    "The bound for the axis is right. For the plane, the gap is that between the second and the third eigenvalue.",
    see="thm-svd-davis-kahan",
)
def took_the_first_gap_twice(spectrum: Array, E: Array) -> tuple[float, float]:
    """Use λ₁ − λ₂ for both subspaces."""
    first = turn_bounds(spectrum, E)[0]
    return first, first


@turn_bounds.wrong("Both numbers are right, but exchanged: the axis is protected by the first gap.")
def exchanged_the_gaps(spectrum: Array, E: Array) -> tuple[float, float]:
    """Divide by the other gap."""
    axis, plane = turn_bounds(spectrum, E)
    return plane, axis


TURNS = (
    turn_bounds,
    forgot_the_root_of_two,
    forgot_the_root_of_the_sum,
    counted_pairs_once,
    divided_by_eigenvalues,
    took_the_first_gap_twice,
    exchanged_the_gaps,
)


@turn_bounds.also
def by_the_trace(spectrum: Array, E: Array) -> tuple[float, float]:
    """Take the norm from tr E²."""
    return _bounds(spectrum, float(np.sqrt(2 * np.trace(E @ E))))


@turn_bounds.worked
def worked_turn(spectrum: Array, E: Array) -> Worked:
    """Compute the norm, then the two gaps."""
    square, first, second = float(np.sum(E**2)), spectrum[0] - spectrum[1], spectrum[1] - spectrum[2]
    size = float(np.sqrt(2 * square))
    return steps(
        rf"All nine entries count: $\lVert E\rVert_F^2={squares(np.ravel(E))}={tex(square)}$, so "
        rf"$\sqrt2\,\lVert E\rVert_F=\sqrt{{{tex(2 * square)}}}{eq(size)}$.",
        rf"The gaps of ${row(spectrum)}$ are ${tex(first)}$ and ${tex(second)}$.",
        rf"The bounds are ${tex(size)}/{tex(first)}{eq(size / first)}$ for the axis and "
        rf"${tex(size)}/{tex(second)}{eq(size / second)}$ for the plane.",
    ), (size / first, size / second)


@task.code(points=3, minutes=15, see="eq-svd-randomised")
def sampled_approximation(A: Array, Omega: Array, rank: int) -> Array:
    """Return the best approximation of its rank among matrices with columns in the range of AΩ (eq-svd-randomised)."""
    Q = np.linalg.qr(A @ Omega)[0]
    return Q @ _truncated(Q.T @ A, rank)


def _truncated(A: Array, rank: int) -> Array:
    U, values, Vh = np.linalg.svd(A, full_matrices=False)
    return np.asarray((U[:, :rank] * values[:rank]) @ Vh[:rank])


def _matrix(rng: np.random.Generator, shape: tuple[int, int], decay: float) -> Array:
    """Draw a matrix whose singular values fall by one factor."""
    smaller = min(shape)
    U, V = (np.linalg.qr(rng.normal(size=(side, smaller)))[0] for side in shape)
    return np.round(10 * (U * decay ** np.arange(smaller)) @ V.T, 3)


def _case(
    rng: np.random.Generator, shape: tuple[int, int], rank: int, extra: int, unit: float = 1.0
) -> task.Inputs:
    A = unit * _matrix(rng, shape, 0.6)
    return {"A": A, "Omega": np.round(rng.normal(size=(shape[1], rank + extra)), 2), "rank": rank}


@sampled_approximation.draw
def draw_sample(rng: np.random.Generator) -> task.Cases:
    """Draw tall, wide and square matrices, ranks one to three."""
    return {
        "more rows than columns": _case(rng, (9, 6), 2, 2),
        "more columns than rows": _case(rng, (5, 8), 1, 2),
        "square, in a small unit": _case(rng, (7, 7), 3, 1, 1e-6),
    }


@sampled_approximation.hard
def hard_sample(rng: np.random.Generator) -> task.Cases:
    """Draw other units and other sizes."""
    tall = _case(rng, (12, 5), 2, 1)
    return {
        "large unit": tall | {"A": 1e6 * np.asarray(tall["A"])},
        "small unit": tall | {"A": 1e-6 * np.asarray(tall["A"])},
        "many columns": _case(rng, (6, 20), 2, 3),
        "whole numbers": {
            "A": rng.integers(-9, 10, size=(6, 5)),
            "Omega": rng.integers(-3, 4, size=(5, 3)) + np.eye(5, 3, dtype=int) * 7,
            "rank": 2,
        },
    }


@sampled_approximation.wrong(
    "Your matrix has one rank for each random vector. Of the small matrix QᵀA only the first singular triples are kept."
)
def kept_all_samples(A: Array, Omega: Array, rank: int) -> Array:
    """Project A on the whole sample."""
    Q = np.linalg.qr(A @ Omega)[0]
    return np.asarray(Q @ (Q.T @ A))


@sampled_approximation.wrong(
    "This is the best approximation of A among all matrices of its rank. It needs a decomposition of A itself; here "
    "only QᵀA is decomposed.",
    see="thm-svd-eckart-young",
)
def decomposed_the_whole_matrix(A: Array, Omega: Array, rank: int) -> Array:
    """Ignore the sample."""
    return _truncated(A, rank)


@sampled_approximation.wrong(
    "You threw samples away before the decomposition: the first columns of Q know nothing of the other random vectors.",
    see="alg-svd-randomised",
)
def threw_samples_away(A: Array, Omega: Array, rank: int) -> Array:
    """Project on the first columns of Q."""
    Q = np.linalg.qr(A @ Omega)[0][:, :rank]
    return np.asarray(Q @ (Q.T @ A))


@sampled_approximation.wrong(
    "The columns of AΩ are not orthonormal, so multiplying by them and by their transpose is no projection.",
    see="alg-svd-randomised",
)
def forgot_the_orthonormal_basis(A: Array, Omega: Array, rank: int) -> Array:
    """Use AΩ in the place of Q."""
    sample = A @ Omega
    return np.asarray(sample @ _truncated(sample.T @ A, rank))


@sampled_approximation.also
def by_an_svd_of_the_sample(A: Array, Omega: Array, rank: int) -> Array:
    """Take the basis from a singular value decomposition of the sample."""
    U, values, _ = np.linalg.svd(A @ Omega, full_matrices=False)
    Q = U[:, values > 1e-10 * values[0]]
    return Q @ _truncated(Q.T @ A, rank)


@sampled_approximation.also
def by_a_projection(A: Array, Omega: Array, rank: int) -> Array:
    """Project A first, then truncate the large matrix."""
    sample = A @ Omega
    return _truncated(sample @ np.linalg.lstsq(sample, A, rcond=None)[0], rank)
