"""Worked solutions of the tasks that are solved with a pencil."""

from itertools import pairwise

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, row, squares, steps, tex, total

NAMES = ("first", "second", "third", "fourth", "fifth")


def shortest_walks(lengths: Array) -> Worked:
    """Dijkstra's order: the nearest point that is not settled yet is settled next."""
    best = np.full(len(lengths), np.inf)
    before = [0] * len(lengths)
    best[0], open_, lines = 0.0, set(range(len(lengths))), []
    while open_:
        here = min(open_, key=lambda point: best[point])
        open_.remove(here)
        if here:
            lines.append(_settled(here, before, lengths, best[here]))
        for there in open_:
            if lengths[here, there] > 0 and best[here] + lengths[here, there] < best[there]:
                best[there], before[there] = best[here] + lengths[here, there], here
    return steps(
        "Settle the points in the order of their distance from the first; a shorter way can then only lead through "
        "settled ones.",
        *lines,
        rf"In the order of the points: ${row(best[1:])}$.",
    ), best[1:]


def _settled(point: int, before: list[int], lengths: Array, distance: float) -> str:
    """The way to a point, and how long it is."""
    way = [point]
    while way[0]:
        way.insert(0, before[way[0]])
    edges = [lengths[one, other] for one, other in pairwise(way)]
    path = "–".join(f"${one + 1}$" for one in way)
    added = f"{total(edges)}{eq(distance)}" if len(edges) > 1 else tex(distance)
    return rf"The {NAMES[point]} point by the way {path}: ${added}$."


def chain_coordinates(X: Array) -> Worked:
    """Edges along the chain, places along it, centred."""
    edges = np.sqrt((np.diff(X, axis=0) ** 2).sum(axis=1))
    along = np.concatenate([[0.0], np.cumsum(edges)])
    centred = along - along.mean()
    return steps(
        rf"With $k=1$ the graph is the chain $1$–$2$–$3$–$4$, with edges of the lengths ${row(edges)}$.",
        rf"So graph distances are distances along the chain, where the points stand at ${row(along)}$.",
        rf"Such distances are those of points on a line, so one coordinate carries them all. The mean is "
        rf"${tex(along.mean())}$; centred, the coordinates are ${row(centred)}$.",
        rf"The eigenvalue is the sum of their squares: ${squares(centred)}{eq(centred @ centred)}$.",
    ), (centred, float(centred @ centred))
