"""Task `n_components_for`: the least number of components that explain a share of the variance."""

import operator

import numpy as np

from autograder.authoring import task
from dimred_ref import practice
from solutions.announced import is_in_no_order
from solutions.numbers import Array, one_of

CLEAR = 0.004  # how far from the share a sum must be if it is not exactly there
SHARES = (0.6, 0.65, 0.7, 0.8, 0.85, 0.9)
FLAT_TAILS = (
    (4.0, 5),
    (5.0, 6),
    (5.0, 7),
    (4.0, 6),
    (6.0, 7),
)  # the first variance, and how many ones follow


@task.code(points=2, minutes=10, see="eq-practice-n-components")
def n_components_for(variances: Array, share: float) -> int:
    """d(τ) = min{d : r_d ≥ τ} (eq-practice-n-components)."""
    return practice.n_components_for(variances, share)


@n_components_for.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """In order, in no order with zeros, a share that is reached exactly, a flat tail, all: every slip shows.

    Counts are small, so a wrong way is often right by luck: only so often as `RIGHT_BY_LUCK` says.
    """
    while True:
        cases = _some(rng)
        right, *wrong = (
            tuple(way(*inputs.values()) for inputs in cases.values()) for way in (n_components_for, *WRONG)
        )
        luck = tuple(sum(map(operator.eq, right, one)) for one in wrong)
        if (
            luck == RIGHT_BY_LUCK
            and len(set(wrong)) == len(wrong)
            and not any(map(_near_the_edge, cases.values()))
        ):
            return cases


def _some(rng: np.random.Generator) -> task.Cases:
    first, tail = one_of(rng, FLAT_TAILS)
    descending = np.sort(rng.integers(1, 20, size=5))[::-1].astype(float)
    mixed = rng.permutation([*np.round(rng.uniform(0.02, 0.6, size=6), 2), 0.0, 0.0])
    halves = rng.permutation(
        one_of(rng, ((8.0, 4.0, 2.0, 1.0, 1.0), (6.0, 6.0, 2.0, 1.0, 1.0), (7.0, 5.0, 3.0, 1.0)))
    )
    flat = rng.permutation([first] + [1.0] * tail)
    return {
        "in descending order": {"variances": descending, "share": one_of(rng, SHARES)},
        "in no order, some of them zero": {"variances": mixed, "share": one_of(rng, SHARES)},
        "a share that is reached exactly": {"variances": halves, "share": 0.75},
        "one large, the others equal": {"variances": flat, "share": 0.9},
        "all of the variance": {
            "variances": np.array([4.0, 0.0, 8.0, 0.0, *rng.permutation([1.0, 3.0])]),
            "share": 1.0,
        },
    }


def _near_the_edge(inputs: dict[str, float | Array]) -> bool:
    """Is a sum near the share but not on it? Programs that round differently would then disagree."""
    variances = np.sort(inputs["variances"])[::-1]
    gaps = np.abs(np.cumsum(variances) / variances.sum() - inputs["share"])
    return bool(np.any((gaps < CLEAR) & (gaps != 0)))


@n_components_for.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One component, whole numbers, tiny and huge units, zeros, the whole variance."""
    return {
        "a single component": {"variances": np.array([2.5]), "share": 0.3},
        "whole numbers": {"variances": rng.permutation([9, 5, 4, 2]), "share": 0.5},
        "tiny units": {"variances": 1e-6 * np.array([1.0, 5.0, 3.0]), "share": 0.85},
        "huge units": {"variances": 1e6 * np.array([2.0, 9.0, 4.0, 1.0]), "share": 0.6},
        "everything": {"variances": np.array([0.0, 4.0, 0.0, 2.0, 2.0]), "share": 1.0},
    }


@n_components_for.wrong(
    "These are shares of squared variances, in which large components count for more. What is already a square here?",
    see="eq-practice-explained",
)
def squared_the_variances(variances: Array, share: float) -> int:
    """Shares of λ²."""
    return n_components_for(variances**2, share)


@n_components_for.wrong(
    "These are shares of standard deviations, and deviations do not add up to anything. Variances do.",
    see="eq-practice-explained",
)
def took_square_roots(variances: Array, share: float) -> int:
    """Shares of √λ."""
    return n_components_for(np.sqrt(variances), share)


def _nothing_is_more(variances: Array, share: float) -> str | None:
    """Say that no sum exceeds the whole: programs find none, and return the first, the last, or raise."""
    return "no sum is larger than the whole" if share >= 1 else None


@n_components_for.wrong(
    "All is right unless a share is reached exactly. Look at the sign between r_d and τ.",
    credit=0.75,
    indefinite=_nothing_is_more,
)
def asked_for_more_than_the_share(variances: Array, share: float) -> int:
    """r_d > τ; where no r_d is larger, `argmax` says the first."""
    sums = np.cumsum(np.sort(variances)[::-1]) / variances.sum()
    return int(np.argmax(sums > share + 1e-6)) + 1


@n_components_for.wrong(
    "Your components do not reach the share yet: it takes one more. Python counts positions from zero."
)
def counted_those_before(variances: Array, share: float) -> int:
    """The number of components that do not yet explain the share."""
    return n_components_for(variances, share) - 1


@n_components_for.wrong(
    "Your components explain at most the share; at least the share was asked for. Unless it is reached exactly, it "
    "takes one more.",
    credit=0.25,
)
def stayed_within_the_share(variances: Array, share: float) -> int:
    """The largest d with r_d ≤ τ."""
    sums = np.cumsum(np.sort(variances)[::-1]) / variances.sum()
    return int(np.sum(sums <= share + 1e-12))


@n_components_for.wrong(
    "You add the variances up as they come. The first component is the one with the largest variance.",
    see="eq-practice-explained",
    credit=0.25,
)
def left_them_in_the_given_order(variances: Array, share: float) -> int:
    """Add them up as they come."""
    return int(np.argmax(np.cumsum(variances) / variances.sum() >= share - 1e-12)) + 1


@n_components_for.wrong(
    "You begin with the smallest variance. The first component is the one with the largest.",
    see="eq-practice-explained",
    credit=0.25,
)
def began_with_the_smallest(variances: Array, share: float) -> int:
    """Sorted, in ascending order."""
    return left_them_in_the_given_order(np.sort(variances), share)


@n_components_for.wrong(
    "This counts the variances above their average, a rule of its own that does not look at the share.",
    see="sec-practice-number",
)
def kept_those_above_the_average(variances: Array, share: float) -> int:
    """Kaiser's rule, whatever the share."""
    return int(np.sum(variances > variances.mean()))


@n_components_for.wrong(
    "This is the share of the number of components. Components differ in how much they explain: add up their "
    "variances."
)
def took_a_share_of_the_number(variances: Array, share: float) -> int:
    """⌈τ D⌉."""
    return int(np.ceil(share * len(variances) - 1e-12))


WRONG = (
    squared_the_variances,
    took_square_roots,
    asked_for_more_than_the_share,
    counted_those_before,
    stayed_within_the_share,
    left_them_in_the_given_order,
    kept_those_above_the_average,
)
RIGHT_BY_LUCK = (2, 2, 3, 0, 1, 2, 1)  # on how many of the five cases


@n_components_for.also
def by_a_loop(variances: Array, share: float) -> int:
    """Take the largest until there is enough."""
    total, kept = sum(variances), 0.0
    for count, variance in enumerate(sorted(variances, reverse=True), start=1):
        kept += variance
        if kept >= share * total - 1e-12 * total:
            return count
    return len(variances)


@n_components_for.also
def by_counting(variances: Array, share: float) -> int:
    """One more than the number of sums that are too small."""
    ordered = np.sort(variances)[::-1]
    return int(np.sum(np.cumsum(ordered) / np.sum(ordered) < share - 1e-12)) + 1


def _is_reached_exactly(variances: Array, share: float) -> bool:
    sums = np.cumsum(np.sort(variances)[::-1])
    return bool(np.any(sums == share * sums[-1]))


n_components_for.announces("in any order", "in no order, some of them zero", is_in_no_order)
n_components_for.announces(
    "may be zero", "in no order, some of them zero", lambda variances, share: np.any(variances == 0)
)
n_components_for.announces("reached exactly", "a share that is reached exactly", _is_reached_exactly)
