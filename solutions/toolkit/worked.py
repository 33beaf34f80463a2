"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, matrix, products, row, squares, steps, tex, total


def vector_norms(x: Array) -> Worked:
    """Count, sum, root of squares, largest."""
    sizes = np.abs(x)
    norms = [float(np.count_nonzero(x)), float(sizes.sum()), float(np.sqrt(x @ x)), float(sizes.max())]
    return steps(
        rf"$\lVert x\rVert_0$ counts the entries that are not zero: ${tex(norms[0])}$.",
        rf"$\lVert x\rVert_1={total(sizes)}={tex(norms[1])}$.",
        rf"$\lVert x\rVert_2=\sqrt{{{squares(x)}}}=\sqrt{{{tex(x @ x)}}}{eq(norms[2])}$.",
        rf"$\lVert x\rVert_\infty$ is the largest size: ${tex(norms[3])}$.",
        r"The first is not a norm: doubling $x$ does not double it.",
    ), norms


def nearest_point(x: Array, a: Array, b: Array) -> Worked:
    """Make b orthogonal to a, then add two shadows."""
    factor = float(a @ b) / float(a @ a)
    straight = b - factor * a
    along, across = float(a @ x) / float(a @ a), float(straight @ x) / float(straight @ straight)
    shadow = along * a + across * straight
    rest = x - shadow
    return steps(
        rf"$a^\top b={products(a, b)}={tex(a @ b)}$ is not zero, so the shadows on $a$ and $b$ must not be added. "
        rf"With $a^\top a={tex(a @ a)}$, take $c=b-{bracketed(factor)}\,a={row(straight)}$, orthogonal to $a$.",
        rf"$a^\top x={tex(a @ x)}$, so the shadow on $a$ is ${tex(along)}\,a={row(along * a)}$.",
        rf"$c^\top x={tex(straight @ x)}$ and $c^\top c={tex(straight @ straight)}$, so the shadow on $c$ is "
        rf"${tex(across)}\,c={row(across * straight)}$.",
        rf"The nearest point is their sum ${row(shadow)}$.",
        rf"$x-{row(shadow)}={row(rest)}$ has the length $\sqrt{{{tex(rest @ rest)}}}{eq(np.sqrt(rest @ rest))}$.",
    ), (shadow, float(np.sqrt(rest @ rest)))


def rank_one_change(b: int, t: int, q: Array) -> Worked:
    """What C does to q, and to what is orthogonal to q."""
    square = float(q @ q)
    along = b + t * square
    values = sorted([float(b), float(b), along], reverse=True)
    norm = max(abs(value) for value in values)
    return steps(
        rf"$q^\top q={squares(q)}={tex(square)}$, so $Cq={b}\,q+{bracketed(t)}\cdot{tex(square)}\,q={tex(along)}\,q$.",
        rf"If $q^\top z=0$, then $Cz={b}\,z$; such $z$ fill a plane, so ${b}$ occurs twice.",
        rf"In descending order: ${row(values)}$.",
        rf"$C$ is symmetric, so $\lVert C\rVert_2$ is the largest modulus of an eigenvalue: ${tex(norm)}$.",
    ), (values, norm)


def second_eigenpair(A: Array, v: Array) -> Worked:
    """The trace gives the other eigenvalue, one row its vector."""
    place = int(np.flatnonzero(v)[0])
    given = float((A @ v)[place] / v[place])
    other = float(np.trace(A)) - given
    rows = A - other * np.eye(2)
    used = int(np.argmax(np.abs(rows).sum(axis=1)))
    w = np.array([-rows[used, 1], rows[used, 0]])
    return steps(
        rf"$Av={row(A @ v)}={tex(given)}\,v$: the given vector belongs to ${tex(given)}$.",
        rf"The eigenvalues add up to the trace ${tex(np.trace(A))}$, so the other is "
        rf"${tex(np.trace(A))}-{bracketed(given)}={tex(other)}$.",
        rf"$A-{bracketed(other)}I={matrix(rows)}$; a vector orthogonal to its rows is $w={row(w)}$. "
        rf"Check: $Aw={row(A @ w)}={tex(other)}\,w$.",
    ), (other, w)


def extremes_of_a_form(p: int, q: int, r: int) -> Worked:
    """The eigenvalues of the symmetric matrix with q/2 beside the diagonal."""
    middle, swing = (p + r) / 2, float(np.hypot((p - r) / 2, q / 2))
    return steps(
        rf"$f=v^\top Av$ with the symmetric matrix $A={matrix([[p, q / 2], [q / 2, r]])}$: the coefficient of $xy$ is "
        r"shared by two entries.",
        rf"On the circle $f$ lies between the eigenvalues of $A$, which are $\tfrac12(p+r)\pm"
        rf"\sqrt{{\tfrac14(p-r)^2+\tfrac14q^2}}={tex(middle)}\pm"
        rf"\sqrt{{{tex((p - r) ** 2 / 4)}+{tex(q * q / 4)}}}$.",
        rf"The largest is ${tex(middle)}+{tex(swing)}={tex(middle + swing)}$, the smallest "
        rf"${tex(middle)}-{tex(swing)}={tex(middle - swing)}$.",
    ), [middle + swing, middle - swing]
