"""Task `triangle_map`: eigenvalues and map of an isosceles triangle from its squared sides, by hand."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_rigid_motion
from dimred_ref.classical_mds import classical_mds, double_centred
from solutions.classical_mds.numbers import pairs_by_value
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, row, squares, steps, tex

Answer = tuple[Array, Array]
# Half the base and a third of the height. With (1, 1) two mistakes would agree: λ times a unit vector is then √λ times
# a vector of whole numbers. The others keep their places, so that numbers once drawn stay.
SIZES = ((2, 2), (2, 1), (3, 1), (1, 2), (2, 2))


@task.hand(
    points=2,
    minutes=15,
    see="thm-classical-mds-exact",
    same=(exactly, up_to_rigid_motion),
    parts=("eigenvalues", "map"),
)
def triangle_map(squared: Array) -> Answer:
    """Both positive eigenvalues of G and the map (thm-classical-mds-exact)."""
    model = classical_mds(np.sqrt(squared), 2)
    return model.eigenvalues, model.embedding


@triangle_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A triangle with base 2m and height 3k, any corner first; eigenvalues 2m² and 6k²."""
    m, k = one_of(rng, SIZES)
    corners = rng.permutation(np.array([[m, 0], [-m, 0], [0, 3 * k]], dtype=float))
    differences = corners[:, None] - corners[None]
    return {"the numbers of the text": {"squared": (differences**2).sum(axis=2)}}


@triangle_map.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """Larger triangles with base 2m and height 3k; eigenvalues 2m² and 6k², apart by a half at least."""
    while True:
        m, k = (int(size) for size in rng.integers(1, 10, size=2))
        if max(2 * m * m, 6 * k * k) >= 1.5 * min(2 * m * m, 6 * k * k):
            corners = rng.permutation(np.array([[m, 0], [-m, 0], [0, 3 * k]], dtype=float))
            differences = corners[:, None] - corners[None]
            return {"the numbers of the text": {"squared": (differences**2).sum(axis=2)}}


def _scaled(G: Array) -> Answer:
    values, vectors = pairs_by_value(G)
    return values[:2], vectors[:, :2] * np.sqrt(np.maximum(values[:2], 0))


@triangle_map.wrong("The table of this task holds squared distances already.", see="eq-classical-mds-gram")
def squared_again(squared: Array) -> Answer:
    """Take the table for distances."""
    return _scaled(double_centred(squared**2))


@triangle_map.wrong(
    "Your eigenvalues are twice those of the Gram matrix, and your triangle is too large by √2.",
    see="eq-classical-mds-law",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(squared: Array) -> Answer:
    """−J Δ⁽²⁾ J."""
    return _scaled(2 * double_centred(squared))


@triangle_map.wrong(
    "The eigenvalues are right. A squared column length of the map is an eigenvalue; yours are squares of "
    "eigenvalues.",
    see="eq-classical-mds-embedding",
)
def forgot_the_roots_of_the_eigenvalues(squared: Array) -> Answer:
    """λv in the place of √λ v."""
    values, Y = triangle_map(squared)
    return values, Y * np.sqrt(values)


@triangle_map.wrong(
    "The eigenvalues are right. Both columns of your map have length one, whatever the sides of the triangle are.",
    see="eq-classical-mds-embedding",
)
def left_unit_vectors(squared: Array) -> Answer:
    """v, of length one."""
    values, Y = triangle_map(squared)
    return values, Y / np.sqrt(values)


@triangle_map.wrong(
    "The eigenvalues are right. The root of an eigenvalue multiplies an eigenvector of length one, and whole numbers "
    "that one guesses are longer.",
    see="eq-classical-mds-embedding",
)
def did_not_normalise_the_guess(squared: Array) -> Answer:
    """√λ times the whole numbers that one guesses, such as (1, −1, 0), which are not of length one."""
    values, Y = triangle_map(squared)
    guesses = [column / np.abs(column)[np.abs(column) > 1e-6].min() for column in Y.T]
    return values, np.column_stack(guesses) * np.sqrt(values)


@triangle_map.wrong(
    "The map is right. Your numbers are the variances of its columns; the Gram matrix has no divisor.",
    see="eq-classical-mds-scaling",
)
def gave_the_variances(squared: Array) -> Answer:
    """λ/N, as for PCA."""
    values, Y = triangle_map(squared)
    return values / len(squared), Y


@triangle_map.wrong(
    "The map is right. Your numbers are the lengths of its columns; the eigenvalues are their squares.",
    see="eq-classical-mds-embedding",
)
def took_the_roots(squared: Array) -> Answer:
    """√λ in the place of λ."""
    values, Y = triangle_map(squared)
    return np.sqrt(values), Y


@triangle_map.also
def by_compass(squared: Array) -> Answer:
    """Put two corners on a line, find the third by the law of cosines; the scatter matrix has the eigenvalues."""
    base = np.sqrt(squared[0, 1])
    x = (squared[0, 2] + squared[0, 1] - squared[1, 2]) / (2 * base)
    corners = np.array([[0, 0], [base, 0], [x, np.sqrt(squared[0, 2] - x**2)]])
    centred = corners - corners.mean(axis=0)
    return np.linalg.eigvalsh(centred.T @ centred)[::-1], corners


@triangle_map.worked
def worked(squared: Array) -> Worked:
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
