"""Worked solutions of the tasks that are solved with a pencil."""

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, row, steps, tex


def line_by_hand(x: Array, y: Array) -> Worked:
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


def rank_one_by_hand(X: Array, y: Array, penalty: float) -> Worked:
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


def factors_by_hand(singular_values: Array, penalty: float) -> Worked:
    """σ/(σ² + ε), and σ times that."""
    below = singular_values**2 + penalty
    return steps(
        rf"$\sigma_i^2+\varepsilon$ is ${row(below)}$.",
        rf"The filter factors are $f_i=\dfrac{{\sigma_i}}{{\sigma_i^2+\varepsilon}}$: "
        rf"${row(singular_values / below)}$.",
        rf"The shares are $\sigma_if_i=\dfrac{{\sigma_i^2}}{{\sigma_i^2+\varepsilon}}$: "
        rf"${row(singular_values**2 / below)}$.",
        "A direction whose singular value is zero gets nothing from ridge, and nothing from the shortest solution.",
    ), (singular_values / below, singular_values**2 / below)
