"""Task `ridge_path`: ridge coefficients for several penalties."""

import numpy as np

from autograder.authoring import task
from dimred_ref import least_squares
from dimred_ref.svd import thin_svd
from solutions.announced import is_in_no_order
from solutions.least_squares.numbers import design, response
from solutions.numbers import Array, one_of
from solutions.svd.numbers import vanishing_values


@task.code(points=2, minutes=10, see="thm-least-squares-ridge")
def ridge_path(X: Array, y: Array, penalties: Array) -> Array:
    """A row for each penalty (eq-least-squares-ridge-svd)."""
    return least_squares.ridge_path(X, y, penalties)


@ridge_path.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Every rank, and penalties from nearly nothing to more than the design can bear."""
    shapes = {
        "independent columns": ((6, 3), 3, 4),
        "dependent columns, one penalty twice": ((7, 4), 2, 5),
        "more features than samples": ((3, 5), 3, 2),
    }
    cases = {}
    for name, (shape, rank, count) in shapes.items():
        X = design(rng, shape, rank) / one_of(rng, (2, 4))
        penalties = np.array([6.0, one_of(rng, (0.3, 0.5, 0.7)), 40.0, one_of(rng, (1e-3, 2e-3)), 6.0])
        cases[name] = {"X": X, "y": response(rng, X), "penalties": penalties[:count]}
    return cases


@ridge_path.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One penalty, one feature, one sample, other units, integers."""
    designs = {
        "one sample": np.array([[2.0, -1.0, 0.5]]),
        "one feature": np.array([[-2.0], [0.25], [1.0]]),
        "large units": 100 * design(rng, (5, 2), 2),
        "integers": design(rng, (5, 3), 3).astype(int),
    }
    some = np.array([3.0, 0.25, 9.0])
    return {name: {"X": X, "y": response(rng, X), "penalties": some} for name, X in designs.items()}


@ridge_path.wrong(
    "Your penalties act as if squared. If you added rows to X: which number must stand in them so that its square is "
    "ε?",
    see="thm-least-squares-augmented",
)
def squared_the_penalties(X: Array, y: Array, penalties: Array) -> Array:
    """ε² in the place of ε, as from extra rows that hold ε and not its root."""
    return ridge_path(X, y, penalties**2)


@ridge_path.wrong(
    "Your penalties act N times too strong. The criterion of the chapter adds the squared residuals; does yours "
    "average them?",
    see="eq-least-squares-ridge",
)
def averaged_the_misfit(X: Array, y: Array, penalties: Array) -> Array:
    """Nε: the misfit divided by the number of samples, the penalty not."""
    return ridge_path(X, y, len(X) * penalties)


@ridge_path.wrong(
    "The penalty is added to an eigenvalue of XᵀX. To what did you add it?",
    see="eq-least-squares-filter",
    indefinite=vanishing_values,
)
def added_to_the_singular_values(X: Array, y: Array, penalties: Array) -> Array:
    """1/(σ + ε)."""
    parts = thin_svd(X)
    sums = parts.singular_values + penalties[:, None]
    return (parts.U.T @ y / sums) @ parts.V.T


@ridge_path.wrong(
    "These are the fitted values: as many numbers as samples. What is wanted is a number for each feature.",
    see="eq-least-squares-ridge",
)
def gave_fitted_values(X: Array, y: Array, penalties: Array) -> Array:
    """X â for each penalty."""
    return ridge_path(X, y, penalties) @ X.T


@ridge_path.wrong(
    "All numbers are right; rows and columns are exchanged.", see="eq-least-squares-ridge", credit=0.5
)
def listed_penalties_as_columns(X: Array, y: Array, penalties: Array) -> Array:
    """A column for each penalty."""
    return ridge_path(X, y, penalties).T


@ridge_path.wrong(
    "You shortened every direction by the same factor. Ridge shortens weak directions more than strong ones.",
    see="eq-least-squares-shrinkage",
)
def shrank_everything_alike(X: Array, y: Array, penalties: Array) -> Array:
    """a⁺/(1 + ε)."""
    return least_squares.min_norm_solution(X, y) / (1 + penalties[:, None])


@ridge_path.also
def by_linear_equations(X: Array, y: Array, penalties: Array) -> Array:
    """One system for each penalty."""
    square = X.T @ X
    return np.array([np.linalg.solve(square + e * np.eye(len(square)), X.T @ y) for e in penalties])


@ridge_path.also
def by_extra_rows(X: Array, y: Array, penalties: Array) -> Array:
    """Least squares with D more samples."""
    D = X.shape[1]
    target = np.append(y, np.zeros(D))
    return np.array(
        [np.linalg.lstsq(np.vstack([X, np.sqrt(e) * np.eye(D)]), target, rcond=None)[0] for e in penalties]
    )


@ridge_path.also
def by_the_dual(X: Array, y: Array, penalties: Array) -> Array:
    """Xᵀ(XXᵀ + εI)⁻¹y."""
    gram = X @ X.T
    return np.array([X.T @ np.linalg.solve(gram + e * np.eye(len(gram)), y) for e in penalties])


@ridge_path.must_fail
def sorted_the_penalties(X: Array, y: Array, penalties: Array) -> Array:
    """Rows in the order of the penalties' sizes."""
    return ridge_path(X, y, np.sort(penalties))


@ridge_path.must_fail
def dropped_repeated_penalties(X: Array, y: Array, penalties: Array) -> Array:
    """Each penalty once."""
    return ridge_path(X, y, np.array(list(dict.fromkeys(penalties))))


ridge_path.announces(
    "in any order", "dependent columns, one penalty twice", lambda X, y, penalties: is_in_no_order(penalties)
)
