"""Task `line_by_hand`: intercept and slope of the best line through four points."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import min_norm_solution
from solutions.numbers import Array, are_apart, one_of

# deviations from the mean, and a residual that is orthogonal to them and to the ones
# (the deviations are lopsided, so that the median of x is not its mean)
SHAPES = (
    ((-3, -1, 0, 4), (1, 1, -3, 1)),
    ((-4, 0, 1, 3), (1, -3, 1, 1)),
    ((-2, -2, 1, 3), (1, -1, 0, 0)),
    ((-3, -1, 2, 2), (0, 0, 1, -1)),
)


def draw(rng: np.random.Generator) -> Cases:
    """A line with a whole slope, and whole residuals, on which every way to be wrong shows."""
    while True:
        deviations, pattern = one_of(rng, SHAPES)
        x = float(rng.integers(4, 8)) + np.array(deviations, dtype=float)
        slope, intercept = one_of(rng, (-3, -2, 2, 3)), int(rng.integers(3, 12))
        y = intercept + slope * x + one_of(rng, (1, 2, -1, -2)) * np.array(pattern)
        slopes = [way(x, y)[1] for way in (answer, left_out_the_intercept, exchanged_x_and_y)]
        starts = [way(x, y)[0] for way in (answer, gave_the_mean_as_intercept, added_instead_of_subtracting)]
        if are_apart(*slopes) and are_apart(*starts) and slope != intercept:
            order = rng.permutation(4)
            return {"the numbers of the text": {"x": x[order], "y": y[order]}}


def answer(x: Array, y: Array) -> list[float]:
    """b = ȳ − a μ, and a from the centred data (eq-least-squares-intercept)."""
    (slope,) = min_norm_solution((x - x.mean())[:, None], y - y.mean())
    return [float(y.mean() - slope * x.mean()), float(slope)]


def left_out_the_intercept(x: Array, y: Array) -> list[float]:
    """The best line through the origin."""
    return [0.0, float(x @ y / (x @ x))]


def exchanged_x_and_y(x: Array, y: Array) -> list[float]:
    """Divide by the scatter of y."""
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dy @ dy))
    return [float(y.mean() - slope * x.mean()), slope]


def gave_the_mean_as_intercept(x: Array, y: Array) -> list[float]:
    """ȳ, the height of the line at the mean and not at zero."""
    return [float(y.mean()), answer(x, y)[1]]


def added_instead_of_subtracting(x: Array, y: Array) -> list[float]:
    """b = ȳ + a μ."""
    slope = answer(x, y)[1]
    return [float(y.mean() + slope * x.mean()), slope]


def swapped_the_two(x: Array, y: Array) -> list[float]:
    """Slope first."""
    return answer(x, y)[::-1]


def took_the_median(x: Array, y: Array) -> list[float]:
    """Medians in the place of means."""
    dx, dy = x - np.median(x), y - np.median(y)
    slope = float(dx @ dy / (dx @ dx))
    return [float(np.median(y) - slope * np.median(x)), slope]


def started_at_the_medians(x: Array, y: Array) -> list[float]:
    """The right slope, through the medians."""
    slope = answer(x, y)[1]
    return [float(np.median(y) - slope * np.median(x)), slope]


def by_normal_equations(x: Array, y: Array) -> list[float]:
    """A column of ones, and the two normal equations."""
    X = np.column_stack([np.ones_like(x), x])
    return np.linalg.solve(X.T @ X, X.T @ y).tolist()


line_by_hand = Task(
    kind="hand",
    points=1,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the intercept", "the slope"),
    see="thm-least-squares-intercept",
    misconceptions=(
        Misconception(
            left_out_the_intercept,
            hint="This is the best line that passes through the origin. Nobody asked it to.",
            see="thm-least-squares-intercept",
        ),
        Misconception(
            exchanged_x_and_y,
            hint="Your line passes through the mean. For its slope, which of the two variables has the "
            "residuals, and whose scatter belongs in the denominator?",
            see="eq-least-squares-inverse",
        ),
        Misconception(
            gave_the_mean_as_intercept,
            hint="The slope is right. The height you give is reached at the mean of x; the intercept is "
            "the height at another place.",
            see="eq-least-squares-intercept",
            credit=0.5,
        ),
        Misconception(
            added_instead_of_subtracting,
            hint="The slope is right. Does your line pass through the mean of the points?",
            see="eq-least-squares-intercept",
            credit=0.5,
        ),
        Misconception(
            swapped_the_two,
            hint="Both numbers are right, but the list was to start with the other one.",
            see="thm-least-squares-intercept",
            credit=0.5,
        ),
    ),
    alternatives=(by_normal_equations,),
    must_fail=(took_the_median, started_at_the_medians),
)
