"""Task `shrunk_map`: make any map an unfolding, as wide as its strings allow; on airports."""

import numpy as np

from autograder.authoring import task
from solutions.isomap.numbers import eliminated
from solutions.mvu.numbers import Edges
from solutions.numbers import Array
from solutions.real_data import on_the_ball, some_airports

Answer = tuple[Array, float]


def _scaled(Y: Array, factor: float) -> Answer:
    Z = factor * (Y - Y.mean(axis=0))
    return Z, float((Z**2).sum())


@task.code(points=3, minutes=15, see="eq-mvu-inequality", parts=("map", "trace"))
def shrunk_map(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Centred, times the smallest of the factors (eq-mvu-inequality)."""
    return _scaled(Y, float(_factors(Y, edges, squared_lengths).min()))


@shrunk_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Other airports in every draw, on maps of one, two and three coordinates; one map is too small, two too large."""
    while True:
        line = _net(rng, 9, 2)
        line["Y"] = np.round(line["Y"][:, 1:], 0)
        first, second = rng.choice(line["edges"])  # the ends of a string
        line["Y"][first] = line["Y"][second]
        ball = _net(rng, 8, 2)
        ball["Y"] = np.round(on_the_ball(ball["Y"]) * 1e-3, 6)
        cases = {
            "latitudes and longitudes": _net(rng, 12, 3),
            "longitudes only, two places on one": line,
            "a tiny ball": ball,
        }
        if all(_is_telling(*inputs.values()) for inputs in cases.values()):
            return cases


def _net(rng: np.random.Generator, n_places: int, k: int) -> dict[str, Array]:
    """Some airports, each with strings to its nearest ones, as long as the way through the air."""
    while True:
        positions, table = some_airports(rng, n_places)
        near = table <= np.sort(table, axis=1)[:, [k]]
        first, second = np.nonzero(np.triu(near | near.T, 1))
        edges = np.column_stack([first, second])
        flipped = rng.permutation(np.arange(len(edges)) % 2 == 0)
        edges[flipped] = edges[flipped][:, ::-1]
        if np.isfinite(eliminated(np.where(near | near.T, table, 0.0))).all():
            squared = np.round(table[first, second] ** 2, 4)
            return {"Y": positions, "edges": edges, "squared_lengths": squared}


def _factors(Y: Array, edges: Edges, squared_lengths: Array) -> Array:
    """By which factor each string would become taut; infinite if its ends coincide on the map."""
    apart = ((Y[edges[:, 0]] - Y[edges[:, 1]]) ** 2).sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(squared_lengths / apart))


def _is_telling(Y: Array, edges: Edges, squared_lengths: Array) -> bool:
    """Is the tightest string alone, and no factor near one?"""
    factors = np.sort(_factors(Y, edges, squared_lengths))
    return bool(factors[1] > 1.005 * factors[0] and abs(np.log(factors[0])) > 0.2)


@shrunk_map.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, and two points."""
    two = {"Y": np.array([[0, 0], [3, 4]]), "edges": np.array([[1, 0]]), "squared_lengths": np.array([100])}
    return {"two points": two, "a plane": _net(rng, 7, 2)}


@shrunk_map.ill_posed
def _ill_posed(Y: Array, edges: Edges, squared_lengths: Array) -> str | None:
    return None if _is_telling(Y, edges, squared_lengths) else "two strings are nearly equally tight"


@shrunk_map.wrong(
    "A map whose strings are all slack was left as it is. It may be enlarged until the first string is taut, and its "
    "trace grows.",
    see="eq-mvu-program",
)
def only_shrank(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """A map that is too small stays so."""
    return _scaled(Y, min(1.0, float(_factors(Y, edges, squared_lengths).min())))


@shrunk_map.wrong(
    "The factor is right. The program asks for centred points: move their mean to the origin, too.",
    see="eq-mvu-program",
)
def left_the_centre(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The right factor, about the origin."""
    Z = _factors(Y, edges, squared_lengths).min() * Y
    return Z, float((Z**2).sum())


@shrunk_map.wrong(
    "With this factor the loosest string is just taut, and all the others are too long. Which string decides?"
)
def took_the_loosest_string(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The largest of the factors."""
    factors = _factors(Y, edges, squared_lengths)
    return _scaled(Y, float(factors[np.isfinite(factors)].max()))


@shrunk_map.wrong(
    "With the mean of the factors some strings are longer than they may be. Every single one must hold."
)
def took_the_mean_factor(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The mean of the factors: some strings are too long."""
    factors = _factors(Y, edges, squared_lengths)
    return _scaled(Y, float(factors[np.isfinite(factors)].mean()))


@shrunk_map.wrong("The ratio of squared lengths was used as a factor of lengths.")
def forgot_the_root(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The ratio of squares as factor of lengths."""
    return _scaled(Y, float(_factors(Y, edges, squared_lengths).min() ** 2))


@shrunk_map.wrong("The lengths of strings come squared; those of the map were not squared.")
def took_squares_for_lengths(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Squared lengths compared with lengths of the map."""
    return _scaled(Y, float(_factors(Y, edges, squared_lengths**2).min()))


@shrunk_map.wrong(
    "The map is right. This is its variance; the trace is a sum over the points.", see="eq-mvu-trace"
)
def took_the_average(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The variance in the place of the trace."""
    Z, trace = shrunk_map(Y, edges, squared_lengths)
    return Z, trace / len(Z)


@shrunk_map.wrong(
    "Your strings have the right squared lengths on the whole, so some of them are longer than they may be. No string "
    "may be.",
    see="eq-mvu-inequality",
)
def kept_the_total_of_squares(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """One factor from the sums over all strings."""
    steps = Y[edges[:, 0]] - Y[edges[:, 1]]
    return _scaled(Y, float(np.sqrt(squared_lengths.sum() / np.sum(steps**2))))


@shrunk_map.also
def string_by_string(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Loops."""
    factor = np.inf
    for (i, j), squared in zip(edges, squared_lengths, strict=True):
        apart = np.linalg.norm(Y[i] - Y[j])
        if apart > 0:
            factor = min(factor, squared**0.5 / apart)
    Z = factor * (Y - Y.mean(axis=0))
    return Z, np.trace(Z @ Z.T)


@shrunk_map.also
def through_the_gram_matrix(Y: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The largest ratio of squares, from K."""
    centred = Y - np.mean(Y, axis=0)
    K = centred @ centred.T
    i, j = edges.T
    ratio = np.max((K[i, i] + K[j, j] - 2 * K[i, j]) / squared_lengths)
    return centred / np.sqrt(ratio), np.trace(K) / ratio


SHRINK_OR_GROW = "may have to shrink or to grow"


def _squares(Y: Array, edges: Edges) -> Array:
    """Return the squared lengths of the strings on the map."""
    return np.asarray(((Y[edges[:, 0]] - Y[edges[:, 1]]) ** 2).sum(axis=1))


shrunk_map.announces(
    SHRINK_OR_GROW,
    "latitudes and longitudes",
    lambda Y, edges, squared_lengths: np.any(_squares(Y, edges) > squared_lengths),
)
shrunk_map.announces(
    SHRINK_OR_GROW,
    "a tiny ball",
    lambda Y, edges, squared_lengths: np.all(_squares(Y, edges) < squared_lengths),
)
shrunk_map.announces(
    "Two ends of a string may coincide on the map",
    "longitudes only, two places on one",
    lambda Y, edges, squared_lengths: np.any(_squares(Y, edges) == 0),
)
