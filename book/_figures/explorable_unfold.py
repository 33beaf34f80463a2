"""The explorable of maximum variance unfolding: a net of strings that one pulls, against the certified optimum."""

import numpy as np
from IPython.display import HTML

from _figures.explorables import circles, explorable, rounded
from _figures.sliders import Scene, path
from _figures.style import Array
from dimred_ref.mvu import mvu_on_graph

N_KNOTS = 16
SHORT_CUT = (4, 11)  # knots of neighbouring windings
WIDTH, HEIGHT, REACH = 620, 300, 3.6  # as in unfold.mjs


def unfold() -> HTML:
    """Draw a net on a spiral and the widest shape that its strings allow."""
    points = _spiral()
    strings = [(i, i + 1) for i in range(N_KNOTS - 1)] + [(i, i + 2) for i in range(N_KNOTS - 2)]
    nets = [_net(points, strings), _net(points, [*strings, SHORT_CUT])]
    widest = mvu_on_graph(strings, nets[0]["squares"], 2, n_points=N_KNOTS).embedding
    flat = widest * np.sign(widest[-1, 0]) + np.array([0, -2.9])
    still = "".join(
        "".join(f'<path class="column" d="{path(places[[i, j]])}"/>' for i, j in strings)
        + circles(places, "place")
        for places in (_places(points + np.array([0, 0.9])), _places(flat))
    )
    alt = (
        "A net of 16 knots and 29 strings on a spiral, and below it the straight band that it becomes when it is "
        "pulled apart."
    )
    return explorable(
        "unfold",
        {"points": rounded(points), "nets": nets},
        Scene((0, 0, WIDTH, HEIGHT), alt, still),
        question="How wide can a net of strings become, and how do its tensions prove that it cannot become wider?",
        caption="Each string joins a knot to the next or to the one after. <em>Pull it apart</em> pushes every knot "
        "away from their mean. Tensions (thick lines) hold the net, and they bound the spread of every net with these "
        "strings: that is the certificate of MVU.",
    )


def _spiral() -> Array:
    """Return knots along a spiral, evenly in its area; nothing is random."""
    angles = np.sqrt(np.linspace(4, (3.4 * np.pi) ** 2, N_KNOTS))
    points = angles[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]) / 4
    centred: Array = (points - points.mean(axis=0)).round(4)
    return centred


def _net(points: Array, strings: list[tuple[int, int]]) -> dict[str, object]:
    """Return strings, their squared lengths and the largest spread that they allow."""
    tails, heads = np.array(strings).T
    squares = np.sum((points[tails] - points[heads]) ** 2, axis=1).round(6)
    fit = mvu_on_graph(strings, squares, 2, n_points=N_KNOTS)
    return {"pairs": strings, "squares": squares.tolist(), "best": fit.certificate.objective}


def _places(points: Array) -> Array:
    middle = np.array([WIDTH / 2, HEIGHT / 2])
    return middle + HEIGHT / (2 * REACH) * points * (1, -1)
