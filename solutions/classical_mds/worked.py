"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, row, squares, steps, tex, total


def triangle_map(squared: Array) -> Worked:
    """Lay the third side on an axis, the height on the other, and centre."""
    apex = next(i for i in range(3) if np.isclose(squared[i, (i + 1) % 3], squared[i, (i + 2) % 3]))
    one, other = [i for i in range(3) if i != apex]
    base, side = float(squared[one, other]), float(squared[apex, one])
    height = float(np.sqrt(side - base / 4))
    half = float(np.sqrt(base) / 2)
    points = np.zeros((3, 2))
    points[apex] = [2 * height / 3, 0]
    points[one], points[other] = [-height / 3, -half], [-height / 3, half]
    values = sorted([2 * height**2 / 3, base / 2], reverse=True)
    return steps(
        rf"Point {apex + 1} is equally far from the two others. Half of the side between those is "
        rf"$\tfrac12\sqrt{{{tex(base)}}}{eq(half)}$; the height on it is "
        rf"$\sqrt{{{tex(side)}-{tex(base / 4)}}}{eq(height)}$.",
        r"Put the centre of gravity at the origin, a third of the height above that side: the points are, in order, "
        + ", ".join(f"${row(point)}$" for point in points)
        + ".",
        rf"By symmetry the axes are principal, and the eigenvalues of $G$ are the sums of squares of the coordinates: "
        rf"${squares(points[:, 0])}{eq(points[:, 0] @ points[:, 0])}$ and "
        rf"${squares(points[:, 1])}{eq(points[:, 1] @ points[:, 1])}$.",
        rf"The larger first: ${row(values)}$.",
    ), (values, points)


def truncation(spectrum: Array, n_components: int) -> Worked:
    """Squares of what is dropped, and the plain sum of it."""
    dropped = spectrum[n_components:]
    strain, whole = float(dropped @ dropped), float(spectrum @ spectrum)
    N = len(spectrum)
    return steps(
        rf"The map drops the eigenvalues ${row(dropped)}$.",
        rf"The strain is the sum of their squares: ${squares(dropped)}={tex(strain)}$.",
        rf"$\lVert G\rVert_F^2={squares(spectrum)}={tex(whole)}$, so the kept share is "
        rf"$1-{tex(strain)}/{tex(whole)}{eq(1 - strain / whole)}$.",
        rf"The squared distances lose $2N$ times the sum of what is dropped: "
        rf"$2\cdot{N}\cdot({total(dropped)}){eq(2 * N * dropped.sum())}$.",
    ), (strain, 1 - strain / whole, 2 * N * float(dropped.sum()))
