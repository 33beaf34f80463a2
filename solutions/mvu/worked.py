"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, row, squares, steps, total


def _straight(lengths: Array) -> tuple[Array, Array]:
    places = np.concatenate([[0.0], np.cumsum(lengths)])
    return places, places - places.mean()


def widest_chain(lengths: Array) -> Worked:
    """Straight, centred, sum of squares."""
    places, centred = _straight(lengths)
    return steps(
        rf"The widest chain is straight: its points stand at ${row(places)}$.",
        rf"Their mean is $({total(places)})/{len(places)}{eq(places.mean())}$; centred: ${row(centred)}$.",
        rf"The trace is the sum of the squares: ${squares(centred)}{eq(centred @ centred)}$.",
    ), (centred, float(centred @ centred))


def chain_tensions(lengths: Array) -> Worked:
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
