"""Worked solutions of the tasks that are solved with a pencil."""

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, pair_of, products, row, squares, steps, tex


def best_scale(a: Array, b: Array) -> Worked:
    """Least squares with one unknown."""
    scale = float(a @ b / (b @ b))
    rest = a - scale * b
    return steps(
        r"$\lVert a-s\,b\rVert^2$ is least where $b^\top(a-s\,b)=0$.",
        rf"$a^\top b={products(a, b)}={tex(a @ b)}$ and $b^\top b={squares(b)}={tex(b @ b)}$, so "
        rf"$s={tex(a @ b)}/{tex(b @ b)}{eq(scale)}$.",
        rf"$a-s\,b={row(rest)}$, and its squared length is ${tex(rest @ rest)}$.",
    ), (scale, float(rest @ rest))


def proved_gap(G: Array, T: Array) -> Worked:
    """⟨G, P⟩ is twice the cost, and a gap above the smallest eigenvalue."""
    P = T / 10
    slope = float((G * P).sum())
    text, _, small, _ = pair_of(G)
    return steps(
        rf"$\langle G,P\rangle={products(G.ravel(), P.ravel())}{eq(slope)}$.",
        rf"A quadratic form has $\langle\nabla\mathcal D(P),P\rangle=2\mathcal D(P)$, so the cost is "
        rf"${tex(slope / 2)}$.",
        rf"{text}.",
        rf"Over all admissible matrices $\langle G,\cdot\rangle$ is least at "
        rf"$\lambda_{{\min}}(G)={tex(small)}$: the gap is "
        rf"${tex(slope)}-{bracketed(small)}{eq(slope - small)}$.",
        rf"So the least cost lies between ${tex(slope / 2)}-{tex(slope - small)}{eq(slope / 2 - slope + small)}$ "
        rf"(or $0$, if that is larger) and ${tex(slope / 2)}$.",
    ), (slope / 2, slope - small)
