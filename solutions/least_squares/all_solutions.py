"""Task `all_solutions`: the shortest solution, and a basis of all directions that change nothing."""

import numpy as np
import scipy.linalg

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_basis
from dimred_ref.least_squares import min_norm_solution, solution_set
from dimred_ref.svd import four_subspaces, numerical_rank, thin_svd
from solutions.least_squares.numbers import (
    basic_solution,
    dependent_leaders,
    design,
    near_the_tolerance,
    response,
)
from solutions.least_squares.pseudo_inverse import pseudo_inverse
from solutions.least_squares.shortest_solution import shortest_solution
from solutions.numbers import Array, one_of
from solutions.svd.numbers import ZERO, close_to, null_space_in_parts

Answer = tuple[Array, Array]


@task.code(
    points=3,
    minutes=12,
    see="thm-least-squares-solution-set",
    same=(exactly, up_to_basis),
    parts=("the shortest solution", "the basis"),
)
def all_solutions(X: Array, y: Array) -> Answer:
    """a⁺ and null X (eq-least-squares-solution-set)."""
    everything = solution_set(X, y, rtol=ZERO)
    return everything.particular, everything.null_basis


@all_solutions.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Free directions of both kinds, singular values that vanish and vectors without one; and no free direction."""
    shapes = {
        "dependent columns": (one_of(rng, ((6, 4), (5, 4), (6, 5))), 2, 0.25),
        "more features than samples, in small units": (one_of(rng, ((3, 5), (3, 6), (3, 4))), 3, 1e-13),
        "both at once, in large units": (one_of(rng, ((3, 6), (3, 5), (4, 6))), 2, 1e7),
    }
    cases = {}
    for name, (shape, rank, unit) in shapes.items():
        X = unit * design(rng, shape, rank)
        cases[name] = {"X": X, "y": response(rng, X) * (1e-9 if unit < 1e-9 else 1)}
    cases["singular values near zero"] = near_the_tolerance(rng, one_of(rng, ((5, 4), (6, 4), (6, 5))))
    X = design(rng, (5, 3), 3)
    cases["independent columns: nothing is free"] = {"X": X, "y": response(rng, X)}
    return cases


@all_solutions.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One sample, one feature, rank one, a square design, integers."""
    designs = {
        "one sample": np.array([[2.0, -1.0, 0.5]]),
        "one feature": np.array([[-2.0], [0.25], [1.0]]),
        "rank one": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0]),
        "a square design": design(rng, (4, 4), 4),
        "integers": design(rng, (5, 3), 2).astype(int),
    }
    return {name: {"X": X, "y": response(rng, X)} for name, X in designs.items()}


all_solutions.ill_posed(close_to(ZERO))


@all_solutions.follows(pseudo_inverse)
def inputs_of_pseudo_inverse(X: Array, y: Array) -> task.Inputs:
    """Return the inputs of `pseudo_inverse`."""
    return {"A": X, "rtol": ZERO}


@all_solutions.follows(shortest_solution)
def inputs_of_shortest_solution(X: Array, y: Array) -> task.Inputs:
    """Return the inputs of `shortest_solution`."""
    return {"X": X, "y": y}


def _shortest(X: Array, y: Array) -> Array:
    return min_norm_solution(X, y, rtol=ZERO)


@all_solutions.wrong(
    "The first part is right. The second should be a set of coefficient vectors: has each of yours one entry for "
    "every feature?",
    see="eq-svd-subspaces",
    credit=1 / 3,
)
def gave_the_left_null_space(X: Array, y: Array) -> Answer:
    """null Xᵀ: combinations of samples, not of features."""
    return _shortest(X, y), four_subspaces(X, rtol=ZERO).left_null_space


@all_solutions.wrong(
    "The first part is right. Count the directions: there should be D − r of them, and a thin decomposition does not "
    "return them all.",
    credit=1 / 3,
    indefinite=null_space_in_parts,
)
def cut_the_basis_short(X: Array, y: Array) -> Answer:
    """Only the vectors of the thin decomposition."""
    return _shortest(X, y), thin_svd(X).V[:, numerical_rank(X, rtol=ZERO) :]


@all_solutions.wrong(
    "The set is right, and so is the basis. But of all its points the one nearest to the origin was asked for.",
    see="thm-least-squares-minimum-norm",
    credit=2 / 3,
    indefinite=dependent_leaders,
)
def started_from_another_solution(X: Array, y: Array) -> Answer:
    """The right null space, but a particular solution that is not the shortest."""
    return basic_solution(X, y), four_subspaces(X, rtol=ZERO).null_space


@all_solutions.wrong(
    "The first part is right. Adding one of your directions changes the fit; it should not.",
    see="thm-least-squares-coordinates",
    credit=1 / 3,
)
def gave_the_row_space(X: Array, y: Array) -> Answer:
    """The directions that matter."""
    return _shortest(X, y), four_subspaces(X, rtol=ZERO).row_space


@all_solutions.wrong(
    "The first part is right. Your directions leave one sample's fit alone, but not all of them.",
    see="eq-least-squares-solution-set",
    credit=1 / 3,
)
def looked_at_the_last_sample_only(X: Array, y: Array) -> Answer:
    """The directions that leave the last fitted value alone."""
    return _shortest(X, y), four_subspaces(X[-1:]).null_space


@all_solutions.wrong(
    "The first part is right. The columns of your D × D matrix span the right space, but they depend on one another: "
    "a basis has D − r vectors.",
    credit=1 / 3,
)
def gave_the_projector(X: Array, y: Array) -> Answer:
    """I − X⁺X: its columns span the right space, but there are D of them."""
    null_space = four_subspaces(X, rtol=ZERO).null_space
    return _shortest(X, y), null_space @ null_space.T


@all_solutions.also
def by_library(X: Array, y: Array) -> Answer:
    """Library routines; the basis is another one."""
    return np.linalg.lstsq(X, y, rcond=1e-10)[0], scipy.linalg.null_space(X, rcond=1e-10)[:, ::-1]


@all_solutions.also
def by_left_vectors(X: Array, y: Array) -> Answer:
    """Left singular vectors of the transpose, stretched: any basis will do."""
    U, sigma, _ = np.linalg.svd(X.T)
    rank = np.sum(sigma > 1e-10 * sigma[0])
    return np.linalg.pinv(X, rcond=1e-10) @ y, 3 * U[:, rank:]


@all_solutions.must_fail
def compared_with_rounding(X: Array, y: Array) -> Answer:
    """Only what vanishes but for rounding counts as zero: the libraries' default."""
    everything = solution_set(X, y)
    return everything.particular, everything.null_basis


@all_solutions.must_fail
def took_an_absolute_tolerance(X: Array, y: Array) -> Answer:
    """σ > 0.01, whatever the unit."""
    everything = solution_set(X, y, rtol=1e-2 / np.linalg.norm(X, 2))
    return everything.particular, everything.null_basis
