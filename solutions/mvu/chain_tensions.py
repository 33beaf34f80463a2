"""Task `chain_tensions`: the multipliers that prove a straight chain to be the widest, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.mvu.numbers import straight
from solutions.numbers import Array

LENGTHS = (1.0, 2.0, 4.0, 5.0, 8.0)  # fifths divided by these are short decimals


def draw(rng: np.random.Generator) -> Cases:
    """Four links of different lengths whose mean is far from their middle, and multipliers below ten."""
    while True:
        lengths = rng.permutation(LENGTHS)[:4]
        p = np.append(0.0, np.cumsum(lengths))
        if abs(p.mean() - p[-1] / 2) >= 0.5 and answer(lengths).max() < 10:
            return {"the numbers of the text": {"lengths": lengths}}


def answer(lengths: Array) -> Array:
    """w = T/ℓ with T the running sums of −y (eq-mvu-chain)."""
    return _forces(lengths) / lengths


def _forces(lengths: Array) -> Array:
    return -np.cumsum(straight(lengths))[:-1]


def gave_the_forces(lengths: Array) -> Array:
    """T, not yet divided by the length."""
    return _forces(lengths)


def divided_by_the_square(lengths: Array) -> Array:
    """T/ℓ²."""
    return _forces(lengths) / lengths**2


def lost_the_sign(lengths: Array) -> Array:
    """Links that push."""
    return -answer(lengths)


def held_every_link_alone(lengths: Array) -> Array:
    """1/2 each, as for a chain of one link."""
    return np.full(len(lengths), 0.5)


def looked_at_one_end_only(lengths: Array) -> Array:
    """The pull on the left end of each link for the force in it."""
    return np.abs(straight(lengths)[:-1]) / lengths


def balanced_about_the_middle(lengths: Array) -> Array:
    """The running sums of positions about the middle of the chain."""
    p = np.append(0.0, np.cumsum(lengths)) - lengths.sum() / 2
    return -np.cumsum(p)[:-1] / lengths


def from_the_right(lengths: Array) -> Array:
    """The pull of all points on the right of a link."""
    y = straight(lengths)
    return np.array([y[link + 1 :].sum() / lengths[link] for link in range(len(lengths))])


def by_balance_of_forces(lengths: Array) -> Array:
    """Solve L(w)y = y for w: one equation for each point."""
    n_links = len(lengths)
    y = straight(lengths)
    B = np.eye(n_links, n_links + 1) - np.eye(n_links, n_links + 1, k=1)
    return np.linalg.lstsq((B * (B @ y)[:, None]).T, y, rcond=None)[0]


chain_tensions = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    same=(exactly,) * 4,
    parts=("first link", "second link", "third link", "fourth link"),
    see="eq-mvu-chain",
    misconceptions=(
        Misconception(
            gave_the_forces,
            hint="These are forces. The multiplier of a link is multiplied by its length to give a force.",
            see="eq-mvu-equilibrium",
        ),
        Misconception(
            divided_by_the_square,
            hint="Your numbers times the lengths do not balance the pull on the points. How often does a length "
            "enter the force of a link?",
            see="eq-mvu-equilibrium",
        ),
        Misconception(
            lost_the_sign,
            hint="Negative multipliers belong to rods that push. Here every link pulls, and the dual program "
            "allows nothing else.",
            see="eq-mvu-dual",
        ),
        Misconception(
            held_every_link_alone,
            hint="One half is right for a chain of one link. Here a link also holds everything behind it.",
            see="thm-mvu-chain-tensions",
        ),
        Misconception(
            looked_at_one_end_only,
            hint="The first link holds the first point only. What does the second link hold?",
            see="eq-mvu-equilibrium",
        ),
        Misconception(
            balanced_about_the_middle,
            hint="Each point is pulled away from the mean of the points, which is not the middle of the chain.",
            see="thm-mvu-chain",
        ),
    ),
    alternatives=(from_the_right, by_balance_of_forces),
)
