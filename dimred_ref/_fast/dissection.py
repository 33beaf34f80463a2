"""An order in which sparse factors of a graph's matrix fill in little although no layer of it is small.

Nested dissection: cut the points in two across their widest coordinate, number a smallest set of points that meets
every edge across last, and cut the halves before it again. A minimum-degree order sees one step ahead and is better on
curves and surfaces; with six dimensions and 16,000 points its factors are twice as large and take four times as long.
Any order gives the same answer, so the clear version is a factorisation in the order of the samples.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from dimred_ref._arrays import Array

Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]

LEAST = 100  # points that are not cut any more


def dissection_order(graph: csr_array, X: Array) -> Indices:
    """Return the vertices of a symmetric graph in an order of elimination; X has a row of coordinates for each."""
    parts, waiting = [], [np.arange(len(X))]
    while waiting:  # the last piece found is numbered last: pieces are collected from the end
        piece = waiting.pop()
        if len(piece) <= LEAST:
            parts.append(piece)
            continue
        is_low = _low_half(X[piece])
        is_between = separator(graph[piece][:, piece], is_low)
        parts.append(piece[is_between])
        waiting += [piece[is_low & ~is_between], piece[~is_low & ~is_between]]
    return np.concatenate(parts[::-1])


def separator(graph: csr_array, is_low: Flags) -> Flags:
    """Mark a smallest set of vertices without which no edge joins the low ones to the others."""
    low, high = np.flatnonzero(is_low), np.flatnonzero(~is_low)
    across = csr_array(graph[low][:, high])
    covers_low, covers_high = smallest_cover(across)
    is_between = np.zeros(len(is_low), dtype=bool)
    is_between[low[covers_low]] = True
    is_between[high[covers_high]] = True
    return is_between


def smallest_cover(across: csr_array) -> tuple[Flags, Flags]:
    """Return rows and columns, as few as possible, that together meet every entry.

    As many as a largest matching has pairs (Kőnig): from the rows without a partner walk along any entry to a column
    and along a matched one back; what is wanted are the columns that were reached and the rows that were not.
    """
    partner_of_row = maximum_bipartite_matching(across, perm_type="column")
    paired = np.flatnonzero(partner_of_row >= 0)
    partner_of_column = np.full(across.shape[1], -1)
    partner_of_column[partner_of_row[paired]] = paired
    reached_rows, reached_columns = partner_of_row < 0, np.zeros(across.shape[1], dtype=bool)
    newly = reached_rows
    while newly.any():
        reached_columns |= across.T @ newly.astype(np.float64) != 0
        before, reached_rows = reached_rows, reached_rows.copy()
        back = partner_of_column[reached_columns]
        reached_rows[back[back >= 0]] = True
        newly = reached_rows & ~before
    return ~reached_rows, reached_columns


def _low_half(points: Array) -> Flags:
    """Mark about half of the points, those low along the coordinate that varies most; equal ones in any way."""
    along = points[:, points.var(axis=0).argmax()]
    is_low = np.zeros(len(points), dtype=bool)
    is_low[np.argsort(along, kind="stable")[: len(points) // 2]] = True
    return is_low
