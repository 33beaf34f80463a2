"""Task `proved_gap`: cost and gap from the slope, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, one_of
from solutions.steps import Worked, bracketed, eq, pair_of, products, steps, tex

Answer = tuple[float, float]
TOTAL = 10  # the trace of P
Rows = tuple[tuple[int, int], tuple[int, int]]


@cache
def _choices() -> list[tuple[Rows, Rows]]:
    slopes = [
        ((g, h), (h, k))
        for g, k, h in product(range(2, 41), range(2, 41), (3, 4, 6, 8, 12))
        if g != k and _has_whole_eigenvalues(g, k, h)
    ]
    metrics = [
        ((p, r), (r, TOTAL - p))
        for p in (2, 3, 4, 6, 7, 8)
        for r in (-3, -2, 2, 3)
        if p * (TOTAL - p) > r * r
    ]
    return [pair for pair in product(slopes, metrics) if _is_nice(*(np.array(rows, float) for rows in pair))]


def _has_whole_eigenvalues(g: int, k: int, h: int) -> bool:
    root = np.sqrt((g - k) ** 2 + 4 * h * h)
    return bool(root == round(root) and (g + k + root) % 2 == 0 and g + k > root)


def _is_nice(G: Array, P: Array) -> bool:
    """Does the gap prove something, and do all ways differ?"""
    cost, gap = proved_gap(G, P)
    numbers = [way(G, P) for way in WAYS]
    apart = all(are_apart(*(pair[part] for pair in group)) for part, group in _groups(numbers))
    return gap < cost and cost > 1 and gap > 0.5 and apart


def _groups(numbers: list[Answer]) -> list[tuple[int, list[Answer]]]:
    right, cost_only, *gaps = numbers
    return [(0, [right, cost_only]), (1, [right, *gaps])]


@task.hand(points=2, minutes=8, see="thm-conformal-gap", parts=("cost", "gap"))
def proved_gap(G: Array, P: Array) -> Answer:
    """𝒟 = ⟨G, P⟩/2 and gap = ⟨G, P⟩ − λ_min(G) (eq-conformal-gap)."""
    P = P / TOTAL
    slope = float(np.sum(G * P))
    return slope / 2, slope - float(np.linalg.eigvalsh(G)[0])


@proved_gap.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A slope with whole eigenvalues and an admissible matrix in tenths."""
    G, P = one_of(rng, _choices())
    return {"the numbers of the text": {"G": np.array(G, dtype=float), "P": np.array(P, dtype=float)}}


@proved_gap.wrong(
    "The gap is right. A quadratic form and its slope are related by a factor: differentiate x² and multiply by x."
)
def forgot_that_the_cost_is_quadratic(G: Array, P: Array) -> Answer:
    """⟨G, P⟩ as cost."""
    cost, gap = proved_gap(G, P)
    return 2 * cost, gap


@proved_gap.wrong(
    "The cost is right. The tangent at P, not the cost itself, is compared with its lowest value.",
    see="eq-conformal-gap",
)
def subtracted_from_the_cost(G: Array, P: Array) -> Answer:
    """𝒟 − λ_min."""
    cost, gap = proved_gap(G, P)
    return cost, gap - cost


@proved_gap.wrong(
    "The cost is right. This says how far the tangent can rise; a bound from below needs to know how far it can fall.",
    see="eq-conformal-gap",
)
def took_the_largest_eigenvalue(G: Array, P: Array) -> Answer:
    """λ_max − ⟨G, P⟩, which is not negative either."""
    cost, _ = proved_gap(G, P)
    return cost, float(np.linalg.eigvalsh(G)[-1]) - 2 * cost


@proved_gap.wrong(
    "The cost is right. Along the axes the slope is what its diagonal says, but there are other unit vectors, and one "
    "of them goes lower.",
    see="eq-conformal-gap",
)
def took_the_smallest_diagonal_entry(G: Array, P: Array) -> Answer:
    """min Gᵢᵢ for λ_min."""
    cost, _ = proved_gap(G, P)
    return cost, 2 * cost - float(np.diag(G).min())


@proved_gap.wrong(
    "The product of two symmetric matrices adds over all four entries; those off the diagonal come twice."
)
def counted_the_corner_once(G: Array, P: Array) -> Answer:
    """Only one of the two products off the diagonal."""
    slope = float(np.sum(np.triu(G * P)) / TOTAL)
    return slope / 2, slope - float(np.linalg.eigvalsh(G)[0])


@proved_gap.also
def by_trace(G: Array, P: Array) -> Answer:
    """tr(GP) and the roots of λ² − tr(G)λ + det G."""
    slope = float(np.trace(G @ P) / np.trace(P))
    half = (G[0, 0] + G[1, 1]) / 2
    least = half - np.sqrt(half**2 - G[0, 0] * G[1, 1] + G[0, 1] ** 2)
    return slope / 2, float(slope - least)


WAYS = (
    proved_gap,
    forgot_that_the_cost_is_quadratic,
    subtracted_from_the_cost,
    took_the_largest_eigenvalue,
    took_the_smallest_diagonal_entry,
    counted_the_corner_once,
)


@proved_gap.worked
def worked(G: Array, T: Array) -> Worked:
    """⟨G, P⟩ is twice the cost, and a gap above the smallest eigenvalue."""
    P = T / 10
    slope = float((G * P).sum())
    text, _, small, _ = pair_of(G)
    return steps(
        rf"$\langle G,P\rangle={products(G.ravel(), P.ravel())}{eq(slope)}$.",
        rf"A quadratic form has $\langle\nabla\mathcal D(P),P\rangle=2\mathcal D(P)$, so the cost is "
        rf"${tex(slope / 2)}$.",
        rf"{text}.",
        rf"Over all admissible matrices $\langle G,\cdot\rangle$ is least at "
        rf"$\lambda_{{\min}}(G)={tex(small)}$: the gap is "
        rf"${tex(slope)}-{bracketed(small)}{eq(slope - small)}$.",
        rf"So the least cost lies between ${tex(slope / 2)}-{tex(slope - small)}{eq(slope / 2 - slope + small)}$ "
        rf"(or $0$, if that is larger) and ${tex(slope / 2)}$.",
    ), (slope / 2, slope - small)
