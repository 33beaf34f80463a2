"""Task `ridge_lengths`: squared length and squared residual of a ridge estimate, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import ridge
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """A stretch beside the stretch 1, three entries of y, and a penalty."""
    return {
        "at sample points": sample_points(
            rng, s=(2.0, 3.5), p=(1.0, 3.0), q=(1.0, 3.0), w=(0.7, 2.0), eps=(0.3, 0.8)
        )
    }


def answer(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Both lines of eq-least-squares-ridge-lengths, for the singular values s and 1."""
    first, second = s**2 + eps, 1 + eps
    length = (s * p / first) ** 2 + (q / second) ** 2
    return np.column_stack([length, (eps * p / first) ** 2 + (eps * q / second) ** 2 + w**2])


def forgot_what_no_column_reaches(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """The residual without w."""
    return answer(s, p, q, 0 * w, eps)


def measured_the_fit(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """‖Xa‖² in the place of ‖a‖²."""
    fit = (s**2 * p / (s**2 + eps)) ** 2 + (q / (1 + eps)) ** 2
    return np.column_stack([fit, answer(s, p, q, w, eps)[:, 1]])


def squared_the_penalty(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """ε² throughout."""
    return answer(s, p, q, w, eps**2)


def gave_the_whole_cost(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Misfit plus penalty as the second answer."""
    length, misfit = answer(s, p, q, w, eps).T
    return np.column_stack([length, misfit + eps * length])


def took_the_limits(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """The minimum-norm solution and its residual."""
    return answer(s, p, q, w, 0 * eps)


def took_roots(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Lengths that are not squared."""
    return np.sqrt(answer(s, p, q, w, eps))


def by_fitting(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Fit at each point, and measure."""
    rows = []
    for stretch, penalty, y in zip(s, eps, np.column_stack([p, q, w]), strict=True):
        X = np.array([[stretch, 0], [0, 1], [0, 0]])
        a = ridge(X, y, penalty)
        rows.append([a @ a, np.sum((y - X @ a) ** 2)])
    return np.array(rows)


ridge_lengths = Task(
    kind="sym",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the squared length", "the squared residual"),
    see="eq-least-squares-ridge-lengths",
    misconceptions=(
        Misconception(
            forgot_what_no_column_reaches,
            hint="The length is right. Part of y cannot be fitted by any coefficients, and it is left in "
            "the residual.",
            see="eq-least-squares-ridge-lengths",
            credit=2 / 3,
        ),
        Misconception(
            measured_the_fit,
            hint="The residual is right. You measured the fitted values, not the coefficients.",
            see="eq-least-squares-ridge-svd",
            credit=1 / 2,
        ),
        Misconception(
            squared_the_penalty,
            hint="A penalty of ε in the sum stays an ε in the equations: write them down for this X.",
            see="eq-least-squares-ridge",
        ),
        Misconception(
            gave_the_whole_cost,
            hint="The length is right. Your second formula is what ridge minimises, but the task asks for one of "
            "its two terms.",
            see="eq-least-squares-ridge",
            credit=1 / 2,
        ),
        Misconception(
            took_the_limits,
            hint="These are the formulas without a penalty. With one, the coefficients are shorter and the "
            "residual is longer.",
            see="thm-least-squares-ridge-limit",
        ),
        Misconception(
            took_roots,
            hint="Right, but for the squares: both were asked for squared.",
            see="eq-least-squares-parseval",
            credit=2 / 3,
        ),
    ),
    alternatives=(by_fitting,),
)
