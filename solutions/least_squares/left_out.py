"""Tasks `left_out_by_hand` and `left_out_residuals`: errors of ridge regression on samples that were left out."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import leave_one_out_residuals
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short
from solutions.steps import Worked, bracketed, eq, products, squares, steps, tex

Pair = tuple[float, float]
SAME = (exactly, exactly)


@task.hand(
    points=2,
    minutes=8,
    see="thm-least-squares-leave-one-out",
    same=SAME,
    parts=("the leverage", "the left-out residual"),
)
def left_out_by_hand(x: Array, y: Array, penalty: float) -> Pair:
    """Return h and the left-out residual of the last of a few samples of one feature."""
    column = np.asarray(x, dtype=float)[:, None]
    leverage = float(x[-1] ** 2 / (x @ x + penalty))
    return leverage, float(leave_one_out_residuals(column, y, penalty)[-1])


@left_out_by_hand.draw
def draw_samples(rng: np.random.Generator) -> task.Cases:
    """Draw four whole samples and a whole penalty with short coefficients."""
    while True:
        x = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=4).astype(float)
        y = rng.integers(-6, 9, size=4).astype(float)
        penalty = int(rng.integers(1, 13))
        short = is_short(float(x @ y / (x @ x + penalty)), 2)
        if short and all(map(is_short, left_out_by_hand(x, y, penalty))):
            if told_apart(PAIRS, (x, y, penalty), SAME):
                return {"the numbers of the text": {"x": x, "y": y, "penalty": penalty}}


def _residual(x: Array, y: Array, penalty: float) -> float:
    """Return the residual of the last sample in the fit to all."""
    return float(y[-1] - x[-1] * (x @ y) / (x @ x + penalty))


@left_out_by_hand.wrong(
    "The leverage is right. Your residual is that of the fit to all samples, in which the last has had a say."
)
def gave_the_plain_residual(x: Array, y: Array, penalty: float) -> Pair:
    """Give the residual of the fit to all samples."""
    return left_out_by_hand(x, y, penalty)[0], _residual(x, y, penalty)


@left_out_by_hand.wrong(
    "The leverage is right. You multiplied by 1 − h; without its own say a sample is fitted worse, not better."
)
def multiplied_by_one_minus_h(x: Array, y: Array, penalty: float) -> Pair:
    """Multiply in the place of dividing."""
    h = left_out_by_hand(x, y, penalty)[0]
    return h, _residual(x, y, penalty) * (1 - h)


@left_out_by_hand.wrong("The leverage is right. You divided by h; the formula divides by 1 − h.")
def divided_by_h(x: Array, y: Array, penalty: float) -> Pair:
    """Divide by h."""
    h = left_out_by_hand(x, y, penalty)[0]
    return h, _residual(x, y, penalty) / h


@left_out_by_hand.wrong(
    "Your numbers are those of plain least squares: the penalty belongs to the denominator."
)
def forgot_the_penalty(x: Array, y: Array, penalty: float) -> Pair:
    """Set the penalty to zero."""
    h = float(x[-1] ** 2 / (x @ x))
    return h, _residual(x, y, 0.0) / (1 - h)


@left_out_by_hand.wrong(
    "In the leverage x is squared: it comes in once from the row and once from the prediction.",
)
def forgot_the_square(x: Array, y: Array, penalty: float) -> Pair:
    """Use x in the place of x² in h."""
    h = float(x[-1] / (x @ x + penalty))
    return h, _residual(x, y, penalty) / (1 - h)


PAIRS = (
    left_out_by_hand,
    gave_the_plain_residual,
    multiplied_by_one_minus_h,
    divided_by_h,
    forgot_the_penalty,
    forgot_the_square,
)


@left_out_by_hand.also
def by_leaving_it_out(x: Array, y: Array, penalty: float) -> Pair:
    """Fit the other samples and predict the last."""
    a = (x[:-1] @ y[:-1]) / (x[:-1] @ x[:-1] + penalty)
    return float(x[-1] * x[-1] / (x @ x + penalty)), float(y[-1] - x[-1] * a)


@left_out_by_hand.worked
def worked_pair(x: Array, y: Array, penalty: float) -> Worked:
    """Fit all samples, then correct by the leverage."""
    whole = float(x @ x + penalty)
    h, residual = float(x[-1] ** 2 / whole), _residual(x, y, penalty)
    a = float(x @ y / whole)
    return steps(
        rf"$X^\top X+\varepsilon={squares(x)}+{tex(penalty)}={tex(whole)}$, so "
        rf"$h={bracketed(x[-1])}^2/{tex(whole)}{eq(h)}$.",
        rf"The fit to all samples is $\hat a=({products(x, y)})/{tex(whole)}{eq(a)}$, and its residual at the last "
        rf"is ${tex(y[-1])}-{bracketed(x[-1])}\cdot{bracketed(a)}{eq(residual)}$.",
        rf"Left out, it is ${tex(residual)}/(1-{tex(h)}){eq(residual / (1 - h))}$.",
    ), (h, residual / (1 - h))


@task.code(points=3, minutes=12, see="eq-least-squares-leave-one-out")
def left_out_residuals(X: Array, y: Array, penalty: float) -> Array:
    """Return for each sample its residual in the fit to the others (eq-least-squares-leave-one-out)."""
    return leave_one_out_residuals(X, y, penalty)


def _table(rng: np.random.Generator, shape: tuple[int, int], penalty: float) -> task.Inputs:
    X = np.round(rng.normal(size=shape) * 2 + 0.5, 2)
    y = np.round(X @ rng.normal(size=shape[1]) + rng.normal(size=shape[0]), 2)
    return {"X": X, "y": y, "penalty": penalty}


def _small(inputs: task.Inputs) -> task.Inputs:
    """Measure the features in a unit ten thousand times as large."""
    return inputs | {"X": 1e-4 * np.asarray(inputs["X"]), "penalty": 1e-8 * float(inputs["penalty"])}


@left_out_residuals.draw
def draw_tables(rng: np.random.Generator) -> task.Cases:
    """Draw a tall table, a wide one, and one feature, with several penalties."""
    return {
        "more samples than features": _table(rng, (9, 3), 0.5),
        "more features than samples": _table(rng, (5, 8), 2.0),
        "one feature, in a small unit": _small(_table(rng, (6, 1), 10.0)),
    }


@left_out_residuals.hard
def hard_tables(rng: np.random.Generator) -> task.Cases:
    """Draw other units, tiny and huge penalties, whole numbers."""
    given = _table(rng, (8, 3), 1.0)
    X, y = np.asarray(given["X"]), np.asarray(given["y"])
    return {
        "large unit": {"X": 1e4 * X, "y": y, "penalty": 1e8},
        "small unit": {"X": 1e-4 * X, "y": y, "penalty": 1e-8},
        "tiny penalty": given | {"penalty": 1e-6},
        "huge penalty": given | {"penalty": 1e6},
        "whole numbers": {"X": np.round(10 * X).astype(int), "y": np.round(y).astype(int), "penalty": 3},
    }


def _fitted(X: Array, y: Array, penalty: float) -> tuple[Array, Array]:
    """Return residuals of the fit to all samples, and leverages."""
    hat = X @ np.linalg.solve(X.T @ X + penalty * np.eye(X.shape[1]), X.T)
    return np.asarray(y - hat @ y), np.asarray(np.diag(hat))


@left_out_residuals.wrong("These are the residuals of the fit to all samples, in which each has had a say.")
def fitted_all_samples(X: Array, y: Array, penalty: float) -> Array:
    """Leave nothing out."""
    return _fitted(X, y, penalty)[0]


@left_out_residuals.wrong("You divided by h; the formula divides by 1 − h.")
def divided_by_the_leverage(X: Array, y: Array, penalty: float) -> Array:
    """Divide by h."""
    residuals, h = _fitted(X, y, penalty)
    return residuals / h


@left_out_residuals.wrong("You multiplied by 1 − h; the formula divides by it.")
def multiplied_by_the_rest(X: Array, y: Array, penalty: float) -> Array:
    """Multiply by 1 − h."""
    residuals, h = _fitted(X, y, penalty)
    return residuals * (1 - h)


@left_out_residuals.wrong(
    "The residuals are those of ridge, the leverages those of plain least squares. Both need the penalty."
)
def forgot_the_penalty_in_h(X: Array, y: Array, penalty: float) -> Array:
    """Take leverages without a penalty."""
    residuals = _fitted(X, y, penalty)[0]
    return residuals / (1 - np.minimum(np.diag(X @ np.linalg.pinv(X)), 0.999))


@left_out_residuals.wrong(
    "Your signs are those of prediction minus answer. A residual is answer minus prediction."
)
def changed_the_sign(X: Array, y: Array, penalty: float) -> Array:
    """Return predictions minus answers."""
    return -left_out_residuals(X, y, penalty)


@left_out_residuals.also
def by_leaving_out(X: Array, y: Array, penalty: float) -> Array:
    """Fit once for every sample."""
    errors = []
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        A, b = X[others], y[others]
        a = np.linalg.solve(A.T @ A + penalty * np.eye(X.shape[1]), A.T @ b)
        errors.append(y[i] - X[i] @ a)
    return np.array(errors)


@left_out_residuals.also
def by_the_gram_matrix(X: Array, y: Array, penalty: float) -> Array:
    """Use the dual form of ridge."""
    K = X @ X.T
    inverse = np.linalg.inv(K + penalty * np.eye(len(K)))
    return np.asarray(inverse @ y / np.diag(inverse))
