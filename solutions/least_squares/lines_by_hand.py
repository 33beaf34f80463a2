"""Tasks on small least-squares problems, with a pencil."""

import numpy as np

from autograder.authoring import task
from dimred_ref.least_squares import min_norm_solution, ridge
from solutions.numbers import PYTHAGOREAN, Array, are_apart, one_of
from solutions.steps import Worked, bracketed, eq, row, steps, tex
from solutions.svd.numbers import THIRDS, signed_columns

# deviations from the mean, and a residual that is orthogonal to them and to the ones
# (the deviations are lopsided, so that the median of x is not its mean)
SHAPES = (
    ((-3, -1, 0, 4), (1, 1, -3, 1)),
    ((-4, 0, 1, 3), (1, -3, 1, 1)),
    ((-2, -2, 1, 3), (1, -1, 0, 0)),
    ((-3, -1, 2, 2), (0, 0, 1, -1)),
)


@task.hand(points=1, minutes=8, see="thm-least-squares-intercept", parts=("the intercept", "the slope"))
def line_by_hand(x: Array, y: Array) -> list[float]:
    """b = ȳ − a μ, and a from the centred data (eq-least-squares-intercept)."""
    (slope,) = min_norm_solution((x - x.mean())[:, None], y - y.mean())
    return [float(y.mean() - slope * x.mean()), float(slope)]


@line_by_hand.draw
def draw_line_by_hand(rng: np.random.Generator) -> task.Cases:
    """A line with a whole slope, and whole residuals, on which every way to be wrong shows."""
    while True:
        deviations, pattern = one_of(rng, SHAPES)
        x = float(rng.integers(4, 8)) + np.array(deviations, dtype=float)
        slope, intercept = one_of(rng, (-3, -2, 2, 3)), int(rng.integers(3, 12))
        y = intercept + slope * x + one_of(rng, (1, 2, -1, -2)) * np.array(pattern)
        slopes = [way(x, y)[1] for way in (line_by_hand, left_out_the_intercept, exchanged_x_and_y)]
        starts = [
            way(x, y)[0] for way in (line_by_hand, gave_the_mean_as_intercept, added_instead_of_subtracting)
        ]
        if are_apart(*slopes) and are_apart(*starts) and slope != intercept:
            order = rng.permutation(4)
            return {"the numbers of the text": {"x": x[order], "y": y[order]}}


@line_by_hand.wrong("This is the best line that passes through the origin. Nobody asked it to.")
def left_out_the_intercept(x: Array, y: Array) -> list[float]:
    """The best line through the origin."""
    return [0.0, float(x @ y / (x @ x))]


@line_by_hand.wrong(
    "Your line passes through the mean. For its slope, which of the two variables has the residuals, and whose "
    "scatter belongs in the denominator?",
    see="eq-least-squares-inverse",
)
def exchanged_x_and_y(x: Array, y: Array) -> list[float]:
    """Divide by the scatter of y."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dy @ dy))
    return [float(y.mean() - slope * x.mean()), slope]


@line_by_hand.wrong(
    "The slope is right. The height you give is reached at the mean of x; the intercept is the height at another "
    "place.",
    see="eq-least-squares-intercept",
    credit=0.5,
)
def gave_the_mean_as_intercept(x: Array, y: Array) -> list[float]:
    """ȳ, the height of the line at the mean and not at zero."""
    return [float(y.mean()), line_by_hand(x, y)[1]]


@line_by_hand.wrong(
    "The slope is right. Does your line pass through the mean of the points?",
    see="eq-least-squares-intercept",
    credit=0.5,
)
def added_instead_of_subtracting(x: Array, y: Array) -> list[float]:
    """b = ȳ + a μ."""
    slope = line_by_hand(x, y)[1]
    return [float(y.mean() + slope * x.mean()), slope]


@line_by_hand.wrong("Both numbers are right, but the list was to start with the other one.", credit=0.5)
def swapped_the_two(x: Array, y: Array) -> list[float]:
    """Slope first."""
    return line_by_hand(x, y)[::-1]


@line_by_hand.also
def by_normal_equations(x: Array, y: Array) -> list[float]:
    """A column of ones, and the two normal equations."""
    X = np.column_stack([np.ones_like(x), x])
    return np.linalg.solve(X.T @ X, X.T @ y).tolist()


@line_by_hand.must_fail
def took_the_median(x: Array, y: Array) -> list[float]:
    """Medians in the place of means."""
    dx, dy = x - np.median(x), y - np.median(y)
    slope = float(dx @ dy / (dx @ dx))
    return [float(np.median(y) - slope * np.median(x)), slope]


@line_by_hand.must_fail
def started_at_the_medians(x: Array, y: Array) -> list[float]:
    """The right slope, through the medians."""
    slope = line_by_hand(x, y)[1]
    return [float(np.median(y) - slope * np.median(x)), slope]


@line_by_hand.worked
def worked_line_by_hand(x: Array, y: Array) -> Worked:
    """Centre, slope, intercept."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    intercept = float(y.mean() - slope * x.mean())
    return steps(
        rf"The means are $\bar x={tex(x.mean())}$ and $\bar y={tex(y.mean())}$; the deviations "
        rf"$x-\bar x={row(dx)}$ and $y-\bar y={row(dy)}$.",
        rf"Their products add up to ${tex(dx @ dy)}$, the squares of the first to ${tex(dx @ dx)}$: the slope is "
        rf"$a={tex(dx @ dy)}/{tex(dx @ dx)}{eq(slope)}$.",
        rf"The line passes through the means: "
        rf"$b={tex(y.mean())}-{bracketed(slope)}\cdot{bracketed(x.mean())}{eq(intercept)}$.",
    ), [intercept, slope]


Answer = tuple[Array, Array]
SQUARE = 225.0  # σ² of every draw: lengths 3 and 5
# shares 9/10, 3/5, 1/4, 1/5; never a half, nor 3/4: nine times that penalty, |p|² times, has the share that is lost
PENALTIES = (25.0, 150.0, 675.0, 900.0)


@task.hand(
    points=2,
    minutes=12,
    see="thm-least-squares-minimum-norm",
    parts=("the shortest solution", "the ridge estimate"),
)
def rank_one_by_hand(X: Array, y: Array, penalty: float) -> Answer:
    """a⁺ and â_ε (eq-least-squares-minimum-norm, eq-least-squares-ridge-svd)."""
    return min_norm_solution(X, y), ridge(X, y, penalty)


@rank_one_by_hand.draw
def draw_rank_one_by_hand(rng: np.random.Generator) -> task.Cases:
    """X = pqᵀ with lengths 3 and 5; y has a part that no column reaches."""
    thirds = signed_columns(rng, THIRDS)
    p, q = thirds[:, 0], np.array(one_of(rng, PYTHAGOREAN), dtype=float)
    y = one_of(rng, (10.0, 15.0, 20.0)) * p + one_of(rng, (2.0, 4.0, 5.0)) * thirds[:, 1]
    return {"the numbers of the text": {"X": np.outer(p, q), "y": y, "penalty": one_of(rng, PENALTIES)}}


@rank_one_by_hand.wrong(
    "The second vector is right, and the first solves the normal equations. It is not the shortest that does: in "
    "which direction does the shortest one point?",
    credit=0.5,
)
def gave_another_solution(X: Array, y: Array, penalty: float) -> Answer:
    """The solution whose second coefficient is zero."""
    shortest, shrunk = rank_one_by_hand(X, y, penalty)
    return np.array([X[0] @ shortest / X[0, 0], 0.0]), shrunk


@rank_one_by_hand.wrong(
    "Both vectors point the right way, but have the wrong length. How often do the normal equations contain the "
    "stretch σ?",
    see="eq-least-squares-coordinatewise",
)
def forgot_to_square_the_stretch(X: Array, y: Array, penalty: float) -> Answer:
    """σ where σ² belongs."""
    moment = X.T @ y
    return moment / np.sqrt(SQUARE), moment / (np.sqrt(SQUARE) + penalty)


@rank_one_by_hand.wrong(
    "The first vector is right. In the second the penalty is too strong: compare the powers of σ and ε in the "
    "denominator.",
    see="eq-least-squares-filter",
    credit=0.5,
)
def squared_the_penalty(X: Array, y: Array, penalty: float) -> Answer:
    """ε² in the place of ε."""
    return min_norm_solution(X, y), ridge(X, y, penalty**2)


@rank_one_by_hand.wrong(
    "The first vector is right. The second would be, too, if X stretched by the factor 1.",
    see="eq-least-squares-shrinkage",
    credit=0.5,
)
def divided_by_one_plus_the_penalty(X: Array, y: Array, penalty: float) -> Answer:
    """a⁺/(1 + ε)."""
    shortest, _ = rank_one_by_hand(X, y, penalty)
    return shortest, shortest / (1 + penalty)


@rank_one_by_hand.wrong(
    "The first vector is right. The second should come close to it when the penalty is small; yours comes close to "
    "zero.",
    see="thm-least-squares-ridge-limit",
    credit=0.5,
)
def kept_the_other_share(X: Array, y: Array, penalty: float) -> Answer:
    """ε/(σ² + ε) of a⁺: what is taken away."""
    shortest, shrunk = rank_one_by_hand(X, y, penalty)
    return shortest, shortest - shrunk


@rank_one_by_hand.wrong(
    "The ridge estimate is right. The shortest solution was divided by the square of the length of q alone: the "
    "stretch of X is the product of both lengths.",
)
def left_out_the_length_of_p(X: Array, y: Array, penalty: float) -> Answer:
    """Xᵀy/‖q‖², with ‖q‖ = 5."""
    return X.T @ y / 25, ridge(X, y, penalty)


@rank_one_by_hand.wrong(
    "The ridge estimate is right. The shortest solution was divided by the square of the length of p alone: the "
    "stretch of X is the product of both lengths.",
)
def left_out_the_length_of_q(X: Array, y: Array, penalty: float) -> Answer:
    """Xᵀy/‖p‖², with ‖p‖ = 3."""
    return X.T @ y / 9, ridge(X, y, penalty)


@rank_one_by_hand.wrong(
    "The shortest solution is right. The penalty acts N times too strong: squared residuals are added, not averaged.",
)
def multiplied_the_penalty(X: Array, y: Array, penalty: float) -> Answer:
    """Nε in the place of ε."""
    return min_norm_solution(X, y), ridge(X, y, penalty * len(X))


@rank_one_by_hand.also
def by_linear_equations(X: Array, y: Array, penalty: float) -> Answer:
    """The library's least squares, and the shifted normal equations."""
    shortest = np.linalg.lstsq(X, y, rcond=1e-10)[0]
    return shortest, np.linalg.solve(X.T @ X + penalty * np.eye(2), X.T @ y)


@rank_one_by_hand.worked
def worked_rank_one_by_hand(X: Array, y: Array, penalty: float) -> Worked:
    """One singular value, whose square is the sum of all squares."""
    moment, square = X.T @ y, float((X**2).sum())
    return steps(
        rf"$X=pq^\top$ has one singular value, and its square is the sum of all squares: $\sigma^2={tex(square)}$.",
        rf"The right-hand side of the normal equations is $X^\top y={row(moment)}$; it points along $q$.",
        rf"On that line $X^\top X$ multiplies by $\sigma^2$, so $a^+=X^\top y/\sigma^2={row(moment)}/{tex(square)}"
        rf"={row(moment / square)}$.",
        rf"Ridge adds $\varepsilon={tex(penalty)}$: $\hat a_\varepsilon={row(moment)}/{tex(square + penalty)}"
        rf"={row(moment / (square + penalty))}$.",
    ), (moment / square, moment / (square + penalty))
