"""Task `all_solutions`: the shortest solution, and a basis of all directions that change nothing."""

import numpy as np
import scipy.linalg

from autograder.authoring.task import Cases, Follows, Misconception, Task
from autograder.judging.sameness import exactly, up_to_basis
from dimred_ref.least_squares import min_norm_solution, pinv, solution_set
from dimred_ref.svd import four_subspaces, numerical_rank, thin_svd
from solutions.least_squares.numbers import basic_solution, dependent_leaders, design, response
from solutions.numbers import Array
from solutions.svd.numbers import null_space_in_parts

Answer = tuple[Array, Array]


def draw(rng: np.random.Generator) -> Cases:
    """Free directions of both kinds: singular values that vanish, and vectors without a singular value."""
    shapes = {
        "dependent columns": ((6, 4), 2),
        "more features than samples": ((3, 5), 3),
        "both at once": ((3, 6), 2),
    }
    cases = {}
    for name, (shape, rank) in shapes.items():
        X = design(rng, shape, rank)
        cases[name] = {"X": X, "y": response(rng, X)}
    return cases


def answer(X: Array, y: Array) -> Answer:
    """a⁺ and null X (eq-least-squares-solution-set)."""
    everything = solution_set(X, y)
    return everything.particular, everything.null_basis


def gave_the_left_null_space(X: Array, y: Array) -> Answer:
    """null Xᵀ: combinations of samples, not of features."""
    return min_norm_solution(X, y), four_subspaces(X).left_null_space


def cut_the_basis_short(X: Array, y: Array) -> Answer:
    """Only the vectors of the thin decomposition."""
    return min_norm_solution(X, y), thin_svd(X).V[:, numerical_rank(X) :]


def started_from_another_solution(X: Array, y: Array) -> Answer:
    """The right null space, but a particular solution that is not the shortest."""
    return basic_solution(X, y), four_subspaces(X).null_space


def gave_the_row_space(X: Array, y: Array) -> Answer:
    """The directions that matter."""
    return min_norm_solution(X, y), four_subspaces(X).row_space


def looked_at_the_last_sample_only(X: Array, y: Array) -> Answer:
    """The directions that leave the last fitted value alone."""
    return min_norm_solution(X, y), four_subspaces(X[-1:]).null_space


def by_library(X: Array, y: Array) -> Answer:
    """Library routines; the basis is another one."""
    return np.linalg.lstsq(X, y, rcond=1e-10)[0], scipy.linalg.null_space(X)[:, ::-1]


def by_eigenvectors(X: Array, y: Array) -> Answer:
    """Eigenvectors of XᵀX to the eigenvalue zero, stretched: any basis will do."""
    free = X.shape[1] - np.linalg.matrix_rank(X)
    return np.linalg.pinv(X, rcond=1e-10) @ y, 3 * np.linalg.eigh(X.T @ X)[1][:, :free]


all_solutions = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-least-squares-solution-set",
    same=(exactly, up_to_basis),
    follows=(
        Follows("pseudo_inverse", pinv, lambda X, y: {"A": X}),
        Follows("shortest_solution", min_norm_solution, lambda X, y: {"X": X, "y": y}),
    ),
    misconceptions=(
        Misconception(
            gave_the_left_null_space,
            hint="The first part is right. The second should be a set of coefficient vectors: has each of "
            "yours one entry for every feature?",
            see="eq-svd-subspaces",
            credit=1 / 3,
        ),
        Misconception(
            cut_the_basis_short,
            hint="The first part is right. Count the directions: there should be D − r of them, and "
            "a thin decomposition does not return them all.",
            see="thm-least-squares-solution-set",
            credit=1 / 3,
            indefinite=null_space_in_parts,
        ),
        Misconception(
            started_from_another_solution,
            hint="The set is right, and so is the basis. But of all its points the one nearest to the "
            "origin was asked for.",
            see="thm-least-squares-minimum-norm",
            credit=2 / 3,
        ),
        Misconception(
            gave_the_row_space,
            hint="The first part is right. Adding one of your directions changes the fit; it should not.",
            see="thm-least-squares-coordinates",
            credit=1 / 3,
        ),
        Misconception(
            looked_at_the_last_sample_only,
            hint="The first part is right. Your directions leave one sample's fit alone, but not all of them.",
            see="eq-least-squares-solution-set",
            credit=1 / 3,
        ),
    ),
    alternatives=(by_library, by_eigenvectors),
    ill_posed=dependent_leaders,
)
