"""Task `triangle_map`: eigenvalues and map of an isosceles triangle from its squared sides, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_rigid_motion
from dimred_ref.classical_mds import classical_mds, double_centred
from solutions.classical_mds.numbers import pairs_by_value
from solutions.numbers import Array, one_of

Answer = tuple[Array, Array]

# Half the base and a third of the height. With (1, 1) two mistakes would agree: λ times a unit vector is then √λ times
# a vector of whole numbers. The others keep their places, so that numbers once drawn stay.
SIZES = ((2, 2), (2, 1), (3, 1), (1, 2), (2, 2))


def draw(rng: np.random.Generator) -> Cases:
    """A triangle with base 2m and height 3k, any corner first; eigenvalues 2m² and 6k²."""
    m, k = one_of(rng, SIZES)
    corners = rng.permutation(np.array([[m, 0], [-m, 0], [0, 3 * k]], dtype=float))
    differences = corners[:, None] - corners[None]
    return {"the numbers of the text": {"squared": (differences**2).sum(axis=2)}}


def answer(squared: Array) -> Answer:
    """Both positive eigenvalues of G and the map (thm-classical-mds-exact)."""
    model = classical_mds(np.sqrt(squared), 2)
    return model.eigenvalues, model.embedding


def _scaled(G: Array) -> Answer:
    values, vectors = pairs_by_value(G)
    return values[:2], vectors[:, :2] * np.sqrt(np.maximum(values[:2], 0))


def squared_again(squared: Array) -> Answer:
    """Take the table for distances."""
    return _scaled(double_centred(squared**2))


def forgot_the_half(squared: Array) -> Answer:
    """−J Δ⁽²⁾ J."""
    return _scaled(2 * double_centred(squared))


def forgot_the_roots_of_the_eigenvalues(squared: Array) -> Answer:
    """λv in the place of √λ v."""
    values, Y = answer(squared)
    return values, Y * np.sqrt(values)


def left_unit_vectors(squared: Array) -> Answer:
    """v, of length one."""
    values, Y = answer(squared)
    return values, Y / np.sqrt(values)


def did_not_normalise_the_guess(squared: Array) -> Answer:
    """√λ times the whole numbers that one guesses, such as (1, −1, 0), which are not of length one."""
    values, Y = answer(squared)
    guesses = [column / np.abs(column)[np.abs(column) > 1e-6].min() for column in Y.T]
    return values, np.column_stack(guesses) * np.sqrt(values)


def gave_the_variances(squared: Array) -> Answer:
    """λ/N, as for PCA."""
    values, Y = answer(squared)
    return values / len(squared), Y


def took_the_roots(squared: Array) -> Answer:
    """√λ in the place of λ."""
    values, Y = answer(squared)
    return np.sqrt(values), Y


def by_compass(squared: Array) -> Answer:
    """Put two corners on a line, find the third by the law of cosines; the scatter matrix has the eigenvalues."""
    base = np.sqrt(squared[0, 1])
    x = (squared[0, 2] + squared[0, 1] - squared[1, 2]) / (2 * base)
    corners = np.array([[0, 0], [base, 0], [x, np.sqrt(squared[0, 2] - x**2)]])
    centred = corners - corners.mean(axis=0)
    return np.linalg.eigvalsh(centred.T @ centred)[::-1], corners


triangle_map = Task(
    kind="hand",
    points=2,
    minutes=15,
    draw=draw,
    answer=answer,
    see="thm-classical-mds-exact",
    parts=("eigenvalues", "map"),
    same=(exactly, up_to_rigid_motion),
    misconceptions=(
        Misconception(
            squared_again,
            hint="The table of this task holds squared distances already.",
            see="eq-classical-mds-gram",
        ),
        Misconception(
            forgot_the_half,
            hint="Your eigenvalues are twice those of the Gram matrix, and your triangle is too large by √2.",
            see="eq-classical-mds-law",
        ),
        Misconception(
            forgot_the_roots_of_the_eigenvalues,
            hint="The eigenvalues are right. A squared column length of the map is an eigenvalue; yours are "
            "squares of eigenvalues.",
            see="eq-classical-mds-embedding",
        ),
        Misconception(
            left_unit_vectors,
            hint="The eigenvalues are right. Both columns of your map have length one, whatever the sides of "
            "the triangle are.",
            see="eq-classical-mds-embedding",
        ),
        Misconception(
            did_not_normalise_the_guess,
            hint="The eigenvalues are right. The root of an eigenvalue multiplies an eigenvector of length one, and "
            "whole numbers that one guesses are longer.",
            see="eq-classical-mds-embedding",
        ),
        Misconception(
            gave_the_variances,
            hint="The map is right. Your numbers are the variances of its columns; the Gram matrix has no "
            "divisor.",
            see="eq-classical-mds-scaling",
        ),
        Misconception(
            took_the_roots,
            hint="The map is right. Your numbers are the lengths of its columns; the eigenvalues are their "
            "squares.",
            see="eq-classical-mds-embedding",
        ),
    ),
    alternatives=(by_compass,),
)
