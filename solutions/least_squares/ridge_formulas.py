"""Tasks on the filter factors of ridge regression, as formulas."""

import numpy as np

from autograder.authoring import task
from dimred_ref.least_squares import ridge
from solutions.numbers import Array, in_both_orders, sample_points

STEP = 1e-30  # of a derivative by complex numbers, which is exact to all digits


@task.sym(
    points=2,
    minutes=8,
    see="thm-least-squares-ridge-limit",
    parts=("the limit for λ > 0", "the limit for λ = 0", "the derivative"),
)
def filter_limits(lam: Array, eps: Array) -> Array:
    """1/√λ, 0, −√λ/(λ + ε)² (eq-least-squares-limit)."""
    return np.column_stack([1 / np.sqrt(lam), 0 * lam, -np.sqrt(lam) / (lam + eps) ** 2])


@filter_limits.draw
def draw_filter_limits(rng: np.random.Generator) -> task.Cases:
    """An eigenvalue of XᵀX and a penalty."""
    points = sample_points(rng, lam=(1.5, 6.0), eps=(0.2, 1.4))
    return {"at sample points": in_both_orders(points, "lam", "eps")}


@filter_limits.wrong(
    "Zero and the derivative are right. In the first limit, what is left of √λ/λ?",
    see="eq-least-squares-limit",
    credit=0.5,
)
def forgot_the_root(lam: Array, eps: Array) -> Array:
    """1/λ as limit."""
    right = filter_limits(lam, eps)
    return np.column_stack([1 / lam, right[:, 1:]])


@filter_limits.wrong(
    "The first limit and the derivative are right. For λ = 0 put the zero in first: what is the filter factor then, "
    "for every positive ε?",
    see="eq-least-squares-limit",
    credit=0.5,
)
def gave_the_same_limit_twice(lam: Array, eps: Array) -> Array:
    """1/√λ also where λ is zero."""
    right = filter_limits(lam, eps)
    return right[:, [0, 0, 2]]


@filter_limits.wrong("Both limits are right. Does a larger penalty make the factor larger?", credit=0.5)
def lost_the_sign(lam: Array, eps: Array) -> Array:
    """A filter that grows with the penalty."""
    return filter_limits(lam, eps) * [1, 1, -1]


@filter_limits.wrong(
    "Both limits are right. Your derivative says what happens when λ moves; here only ε moves.", credit=0.5
)
def differentiated_by_the_eigenvalue(lam: Array, eps: Array) -> Array:
    """d/dλ in the place of d/dε."""
    slope = 1 / (2 * np.sqrt(lam) * (lam + eps)) - np.sqrt(lam) / (lam + eps) ** 2
    return np.column_stack([filter_limits(lam, eps)[:, :2], slope])


@filter_limits.wrong(
    "Both limits are right. Check the rule for the derivative of 1/(λ + ε).",
    see="eq-least-squares-filter",
    credit=0.5,
)
def forgot_the_square(lam: Array, eps: Array) -> Array:
    """−√λ/(λ + ε)."""
    return np.column_stack([filter_limits(lam, eps)[:, :2], -np.sqrt(lam) / (lam + eps)])


@filter_limits.wrong(
    "You worked with the share of the fit that is kept. The filter factor is another quotient with the same "
    "denominator.",
    see="eq-least-squares-shrinkage",
)
def took_the_share(lam: Array, eps: Array) -> Array:
    """Limits and slope of λ/(λ + ε)."""
    return np.column_stack([0 * lam + 1, 0 * lam, -lam / (lam + eps) ** 2])


@filter_limits.also
def by_a_complex_step(lam: Array, eps: Array) -> Array:
    """Evaluate at a penalty too small to matter, and differentiate along the imaginary axis."""
    slope = np.imag(np.sqrt(lam) / (lam + eps + 1j * STEP)) / STEP
    return np.column_stack([np.sqrt(lam) / (lam + STEP), np.sqrt(0 * lam) / STEP, slope])


@task.sym(
    points=3,
    minutes=12,
    see="eq-least-squares-ridge-lengths",
    parts=("the squared length", "the squared residual"),
)
def ridge_lengths(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Both lines of eq-least-squares-ridge-lengths, for the singular values s and 1."""
    first, second = s**2 + eps, 1 + eps
    length = (s * p / first) ** 2 + (q / second) ** 2
    return np.column_stack([length, (eps * p / first) ** 2 + (eps * q / second) ** 2 + w**2])


@ridge_lengths.draw
def draw_ridge_lengths(rng: np.random.Generator) -> task.Cases:
    """A stretch beside the stretch 1, three entries of y, and a penalty."""
    points = sample_points(rng, s=(2.0, 3.5), p=(1.0, 3.0), q=(1.0, 3.0), w=(0.7, 2.0), eps=(0.3, 0.8))
    return {"at sample points": in_both_orders(points, "s", "p", "q", "w", "eps")}


@ridge_lengths.wrong(
    "The length is right. Part of y cannot be fitted by any coefficients, and it is left in the residual.",
    credit=2 / 3,
)
def forgot_what_no_column_reaches(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """The residual without w."""
    return ridge_lengths(s, p, q, 0 * w, eps)


@ridge_lengths.wrong(
    "The residual is right. You measured the fitted values, not the coefficients.",
    see="eq-least-squares-ridge-svd",
    credit=1 / 2,
)
def measured_the_fit(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """‖Xa‖² in the place of ‖a‖²."""
    fit = (s**2 * p / (s**2 + eps)) ** 2 + (q / (1 + eps)) ** 2
    return np.column_stack([fit, ridge_lengths(s, p, q, w, eps)[:, 1]])


@ridge_lengths.wrong(
    "A penalty of ε in the sum stays an ε in the equations: write them down for this X.",
    see="eq-least-squares-ridge",
)
def squared_the_penalty(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """ε² throughout."""
    return ridge_lengths(s, p, q, w, eps**2)


@ridge_lengths.wrong(
    "The length is right. Your second formula is what ridge minimises, but the task asks for one of its two terms.",
    see="eq-least-squares-ridge",
    credit=1 / 2,
)
def gave_the_whole_cost(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Misfit plus penalty as the second answer."""
    length, misfit = ridge_lengths(s, p, q, w, eps).T
    return np.column_stack([length, misfit + eps * length])


@ridge_lengths.wrong(
    "These are the formulas without a penalty. With one, the coefficients are shorter and the residual is longer.",
    see="thm-least-squares-ridge-limit",
)
def took_the_limits(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """The minimum-norm solution and its residual."""
    return ridge_lengths(s, p, q, w, 0 * eps)


@ridge_lengths.wrong(
    "Right, but for the squares: both were asked for squared.", see="eq-least-squares-parseval", credit=2 / 3
)
def took_roots(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Lengths that are not squared."""
    return np.sqrt(ridge_lengths(s, p, q, w, eps))


@ridge_lengths.wrong(
    "The residual is right. The squared length of a vector is the sum of the squares, not the square of the sum.",
)
def squared_the_sum(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """(a₁ + a₂)² for the squared length."""
    total = s * p / (s**2 + eps) + q / (1 + eps)
    return np.column_stack([total**2, ridge_lengths(s, p, q, w, eps)[:, 1]])


@ridge_lengths.wrong(
    "The length is right. With a penalty the residual is not orthogonal to the fit, so Pythagoras does not hold for "
    "the two.",
)
def subtracted_the_length_of_the_fit(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """‖y‖² − ‖Xa‖²."""
    fit = (s**2 * p / (s**2 + eps)) ** 2 + (q / (1 + eps)) ** 2
    return np.column_stack([ridge_lengths(s, p, q, w, eps)[:, 0], p**2 + q**2 + w**2 - fit])


@ridge_lengths.also
def by_fitting(s: Array, p: Array, q: Array, w: Array, eps: Array) -> Array:
    """Fit at each point, and measure."""
    rows = []
    for stretch, penalty, y in zip(s, eps, np.column_stack([p, q, w]), strict=True):
        X = np.array([[stretch, 0], [0, 1], [0, 0]])
        a = ridge(X, y, penalty)
        rows.append([a @ a, np.sum((y - X @ a) ** 2)])
    return np.array(rows)
