"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, bracketed, eq, row, steps, tex, total


def energy_by_hand(W: Array, y: Array) -> Worked:
    """Row sums; each edge counted twice."""
    degrees = W.sum(axis=1)
    edges = [(i, j) for i in range(len(W)) for j in range(i + 1, len(W)) if W[i, j] > 0]
    terms = [float(W[i, j] * (y[i] - y[j]) ** 2) for i, j in edges]
    written = "+".join(rf"{tex(W[i, j])}\cdot{bracketed(y[i] - y[j])}^2" for i, j in edges)
    return steps(
        rf"The degrees are the sums of the rows: ${row(degrees)}$.",
        rf"Edge by edge, $w_{{ij}}(y_i-y_j)^2$ gives ${written}={total(terms)}={tex(sum(terms))}$.",
        rf"The sum over all $i$ and $j$ meets every edge twice: ${tex(2 * sum(terms))}$.",
    ), (degrees, 2 * sum(terms))


def triangle_spectrum(W: Array) -> Worked:
    """An odd and an even vector; the vertex between the equal sides is the special one."""
    apex = next(i for i in range(3) if np.isclose(W[i, (i + 1) % 3], W[i, (i + 2) % 3]))
    one, other = [i for i in range(3) if i != apex]
    side, base = float(W[apex, one]), float(W[one, other])
    plain = [side + 2 * base, 3 * side]
    wheel = [(side + 2 * base) / (side + base), 1 + side / (side + base)]
    odd, even = np.zeros(3), np.ones(3)
    odd[one], odd[other], even[apex] = 1, -1, -2
    return steps(
        rf"Vertex {apex + 1} has two equal edges of weight ${tex(side)}$; the third edge has ${tex(base)}$. The "
        rf"degrees are "
        rf"${row(W.sum(axis=1))}$.",
        rf"The odd vector ${row(odd)}$: $L$ multiplies it by ${tex(side)}+2\cdot{tex(base)}={tex(plain[0])}$. Both its "
        rf"entries have the degree ${tex(side + base)}$, so for the pair it is "
        rf"${tex(plain[0])}/{tex(side + base)}{eq(wheel[0])}$.",
        rf"The even vector ${row(even)}$, orthogonal to the constant: $L$ multiplies it by "
        rf"$3\cdot{tex(side)}={tex(plain[1])}$.",
        rf"For the pair the even vector is $(1,1,-t)$, with $-t$ at vertex {apex + 1}. There, $Ly=\lambda Dy$ reads "
        rf"$2\cdot{tex(side)}(-t-1)=-\lambda\cdot{tex(2 * side)}\,t$, so $\lambda t=t+1$; beside it, "
        rf"${tex(side)}(1+t)=\lambda\cdot{tex(side + base)}$. So "
        rf"$\lambda\,t=\lambda\cdot{tex(side + base)}/{tex(side)}$, "
        rf"$t{eq((side + base) / side)}$, and $\lambda=1+1/t{eq(wheel[1])}$.",
        rf"The lists are ${row(plain)}$ and ${row(wheel)}$.",
    ), (plain, wheel)


def two_pairs(pair: float, bridge: float) -> Worked:
    """The end gives 1 − λ = t, the vertex beside it a quadratic equation."""
    t = pair / (pair + bridge)
    return steps(
        r"By symmetry the smoothest coordinate is odd: $(1,t,-t,-1)$.",
        r"$Ly=\lambda Dy$ says that the mean of the neighbours is $1-\lambda$ times the own value. An end has one "
        r"neighbour: $t=1-\lambda$.",
        rf"At the second vertex: $\dfrac{{{tex(pair)}\cdot1+{tex(bridge)}\cdot(-t)}}{{{tex(pair + bridge)}}}"
        rf"=(1-\lambda)t=t^2$, "
        rf"so ${tex(pair + bridge)}t^2+{tex(bridge)}t-{tex(pair)}=0$, whose roots are $-1$ and "
        rf"${tex(pair)}/{tex(pair + bridge)}{eq(t)}$. The first belongs to a rougher vector.",
        rf"So $\lambda=1-{tex(t)}{eq(1 - t)}$, and the vector is ${row([1, t, -t, -1])}$.",
    ), (1 - t, [1.0, t, -t, -1.0])


def strip_tones(length: float, width: float) -> Worked:
    """m² + (n a/b)², sorted."""
    ratio = (length / width) ** 2
    tones = sorted((m * m + n * n * ratio, m, n) for m in range(6) for n in range(6))[1:6]
    along = [m for m in range(1, 9) if m * m < ratio]
    written = ", ".join(rf"${tex(value)}$ ($m={m}$, $n={n}$)" for value, m, n in tones)
    values = [value for value, _, _ in tones]
    return steps(
        rf"In units of $\pi^2/a^2$ the eigenvalues are $m^2+n^2(a/b)^2=m^2+{tex(ratio)}\,n^2$, with "
        rf"$(a/b)^2=({tex(length)}/{tex(width)})^2$.",
        rf"The five smallest positive ones are {written}.",
        rf"The first that depends on the position across is $m=0$, $n=1$, with ${tex(ratio)}$. Before it come those "
        rf"along the strip with $m^2<{tex(ratio)}$, up to $m={len(along)}$, so it is number ${len(along) + 1}$.",
    ), (values, len(along) + 1)
