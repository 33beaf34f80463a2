"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, matrix, pair_of, products, row, squares, steps, tex, total


def variance_along(C: Array, w: Array) -> Worked:
    """A quadratic form, divided by the square of the length."""
    Cw, length = C @ w, float(w @ w)
    value = float(w @ Cw)
    return steps(
        r"The formula is for unit vectors, so the variance is $\dfrac{w^\top Cw}{w^\top w}$.",
        rf"$Cw={matrix(C)}{matrix(w)}={matrix(Cw)}$.",
        rf"$w^\top Cw={products(w, Cw)}={tex(value)}$ and $w^\top w={squares(w)}={tex(length)}$.",
        rf"The variance is ${tex(value)}/{tex(length)}{eq(value / length)}$.",
    ), value / length


def first_component(C: Array) -> Worked:
    """The quadratic equation, then one row of (C − λ₁I)v = 0."""
    text, large, small, v = pair_of(C)
    share = large / (large + small)
    return steps(
        rf"The trace is ${tex(C[0, 0] + C[1, 1])}$, the determinant ${tex(np.linalg.det(C))}$: {text}.",
        rf"The first row of $(C-\lambda_1I)v=0$ is ${bracketed(C[0, 0] - large)}v_1+{bracketed(C[0, 1])}v_2=0$, "
        rf"solved by $v={row(v)}$. Check: $Cv={row(C @ v)}={tex(large)}\,v$.",
        rf"The share is $\dfrac{{\lambda_1}}{{\lambda_1+\lambda_2}}"
        rf"=\dfrac{{{tex(large)}}}{{{tex(large + small)}}}{eq(share)}$.",
    ), (v, share)


def centre_first(X: Array) -> Worked:
    """Mean, deviations, covariance, and then as with any covariance."""
    mean = X.mean(axis=0)
    deviations = X - mean
    C = deviations.T @ deviations / len(X)
    text, large, _, v = pair_of(C)
    return steps(
        rf"The mean is $\mu={row(mean)}$; the deviations are ${matrix(deviations)}$.",
        rf"$C=\tfrac14X_c^\top X_c={matrix(C)}$: on the diagonal the mean squares, beside it the mean product.",
        rf"{text}. The variance along the first direction is ${tex(large)}$.",
        rf"The first row of $(C-\lambda_1I)v=0$ is solved by $v={row(v)}$.",
    ), (v, large)


def rebuild_one_point(x: Array, mean: Array, w: Array) -> Worked:
    """Score, back, rest."""
    length = float(np.sqrt(w @ w))
    score = float(w @ (x - mean)) / length
    rebuilt = mean + score * w / length
    rest = x - rebuilt
    return steps(
        rf"$\lVert w\rVert=\sqrt{{{squares(w)}}}{eq(length)}$, so $u={row(w / length)}$.",
        rf"$x-\mu={row(x - mean)}$, and $z=u^\top(x-\mu)={products(w / length, x - mean)}={tex(score)}$.",
        rf"$\hat x=\mu+z\,u={row(mean)}+{bracketed(score)}\cdot{row(w / length)}={row(rebuilt)}$.",
        rf"$x-\hat x={row(rest)}$, and its squared length is ${squares(rest)}={tex(rest @ rest)}$.",
    ), (score, rebuilt, float(rest @ rest))


def error_from_spectrum(singular_values: Array, n_samples: int, n_components: int) -> Worked:
    """Squares divided by N; what is left out is the error."""
    variances = singular_values**2 / n_samples
    lost, kept = variances[n_components:], variances[:n_components]
    return steps(
        rf"The variances are $\lambda_i=\sigma_i^2/N$: ${row(singular_values**2)}/{n_samples}={row(variances)}$.",
        rf"The error is the sum of those that are left out: $J={total(lost)}{eq(lost.sum())}$.",
        rf"All together are ${tex(variances.sum())}$, so the kept share is "
        rf"${tex(kept.sum())}/{tex(variances.sum())}{eq(kept.sum() / variances.sum())}$.",
    ), (float(lost.sum()), float(kept.sum() / variances.sum()))
