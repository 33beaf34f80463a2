"""Task `chain_tensions`: the multipliers that prove a straight chain to be the widest, by hand."""

import numpy as np

from autograder.authoring import task
from solutions.mvu.numbers import straight
from solutions.numbers import Array
from solutions.steps import Worked, eq, row, squares, steps, total

LENGTHS = (1.0, 2.0, 4.0, 5.0, 8.0)  # fifths divided by these are short decimals


@task.hand(
    points=2, minutes=10, see="eq-mvu-chain", parts=("first link", "second link", "third link", "fourth link")
)
def chain_tensions(lengths: Array) -> Array:
    """w = T/ℓ with T the running sums of −y (eq-mvu-chain)."""
    return _forces(lengths) / lengths


@chain_tensions.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Four links of different lengths whose mean is far from their middle, and multipliers below ten."""
    while True:
        lengths = rng.permutation(LENGTHS)[:4]
        p = np.append(0.0, np.cumsum(lengths))
        if abs(p.mean() - p[-1] / 2) >= 0.5 and chain_tensions(lengths).max() < 10:
            return {"the numbers of the text": {"lengths": lengths}}


@chain_tensions.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """One more length, and multipliers below twenty."""
    while True:
        lengths = rng.permutation((*LENGTHS, 10.0))[:4]
        ends = np.append(0.0, np.cumsum(lengths))
        if abs(ends.mean() - ends[-1] / 2) >= 0.5 and chain_tensions(lengths).max() < 20:
            return {"the numbers of the text": {"lengths": lengths}}


def _forces(lengths: Array) -> Array:
    return -np.cumsum(straight(lengths))[:-1]


@chain_tensions.wrong(
    "These are forces. The multiplier of a link is multiplied by its length to give a force.",
    see="eq-mvu-equilibrium",
)
def gave_the_forces(lengths: Array) -> Array:
    """T, not yet divided by the length."""
    return _forces(lengths)


@chain_tensions.wrong(
    "Your numbers times the lengths do not balance the pull on the points. How often does a length enter the force of "
    "a link?",
    see="eq-mvu-equilibrium",
)
def divided_by_the_square(lengths: Array) -> Array:
    """T/ℓ²."""
    return _forces(lengths) / lengths**2


@chain_tensions.wrong(
    "Negative multipliers belong to rods that push. Here every link pulls, and the dual program allows nothing else.",
    see="eq-mvu-dual",
)
def lost_the_sign(lengths: Array) -> Array:
    """Links that push."""
    return -chain_tensions(lengths)


@chain_tensions.wrong(
    "One half is right for a chain of one link. Here a link also holds everything behind it.",
    see="thm-mvu-chain-tensions",
)
def held_every_link_alone(lengths: Array) -> Array:
    """1/2 each, as for a chain of one link."""
    return np.full(len(lengths), 0.5)


@chain_tensions.wrong(
    "The first link holds the first point only. What does the second link hold?", see="eq-mvu-equilibrium"
)
def looked_at_one_end_only(lengths: Array) -> Array:
    """The pull on the left end of each link for the force in it."""
    return np.abs(straight(lengths)[:-1]) / lengths


@chain_tensions.wrong(
    "Each point is pulled away from the mean of the points, which is not the middle of the chain.",
    see="thm-mvu-chain",
)
def balanced_about_the_middle(lengths: Array) -> Array:
    """The running sums of positions about the middle of the chain."""
    p = np.append(0.0, np.cumsum(lengths)) - lengths.sum() / 2
    return -np.cumsum(p)[:-1] / lengths


@chain_tensions.wrong(
    "Forces were multiplied by the lengths. The multiplier of a link times its length is the force: a division leads "
    "back.",
    see="eq-mvu-equilibrium",
)
def multiplied_by_the_lengths(lengths: Array) -> Array:
    """T ℓ."""
    return _forces(lengths) * lengths


@chain_tensions.also
def from_the_right(lengths: Array) -> Array:
    """The pull of all points on the right of a link."""
    y = straight(lengths)
    return np.array([y[link + 1 :].sum() / lengths[link] for link in range(len(lengths))])


@chain_tensions.also
def by_balance_of_forces(lengths: Array) -> Array:
    """Solve L(w)y = y for w: one equation for each point."""
    n_links = len(lengths)
    y = straight(lengths)
    B = np.eye(n_links, n_links + 1) - np.eye(n_links, n_links + 1, k=1)
    return np.linalg.lstsq((B * (B @ y)[:, None]).T, y, rcond=None)[0]


def _straight(lengths: Array) -> tuple[Array, Array]:
    places = np.concatenate([[0.0], np.cumsum(lengths)])
    return places, places - places.mean()


@chain_tensions.worked
def worked(lengths: Array) -> Worked:
    """Forces balance at every point; a multiplier is a force divided by a length."""
    places, centred = _straight(lengths)
    forces = -np.cumsum(centred)[:-1]
    weights = forces / lengths
    return steps(
        rf"The straight chain has its points at ${row(places)}$, centred at ${row(centred)}$.",
        rf"A link holds everything on its left together: $T_i=-\sum_{{j\le i}}y_j$, which is ${row(forces)}$.",
        rf"The multipliers are $w_i=T_i/\ell_i$: ${row(weights)}$.",
        rf"Test: $\sum w_i\ell_i^2={total(weights * lengths**2)}{eq(weights @ lengths**2)}$, and the trace is "
        rf"${squares(centred)}{eq(centred @ centred)}$.",
    ), weights
