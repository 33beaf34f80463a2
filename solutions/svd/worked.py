"""Worked solutions of the tasks that are solved with a pencil."""

import numpy as np

from solutions.numbers import Array
from solutions.steps import Worked, eq, matrix, pair_of, row, steps, tex


def dimensions(m: int, n: int, singular_values: Array) -> Worked:
    """The rank, and what is left on either side."""
    rank = int(np.count_nonzero(singular_values))
    return steps(
        rf"The rank is the number of singular values that are not zero: $r={rank}$.",
        rf"Column space and row space have the dimension $r={rank}$.",
        rf"The left null space fills the rest of $\R^{{{m}}}$: ${m}-{rank}={m - rank}$; the null space the rest of "
        rf"$\R^{{{n}}}$: ${n}-{rank}={n - rank}$.",
    ), [rank, m - rank, rank, n - rank]


def singular_pair(A: Array) -> Worked:
    """The smaller product, its eigenpair, and A times the vector."""
    G = A.T @ A
    text, large, small, v = pair_of(G)
    values = [float(np.sqrt(large)), float(np.sqrt(small))]
    return steps(
        rf"The smaller product is $A^\top A={matrix(G)}$.",
        rf"{text}.",
        rf"The singular values are the roots: $\sigma_1{eq(values[0])}$ and $\sigma_2{eq(values[1])}$.",
        rf"The first row of $(A^\top A-\lambda_1I)v=0$ is solved by $v_1={row(v)}$, up to its length.",
        rf"$u_1$ points along $Av_1={row(A @ v)}$.",
    ), (values, A @ v, v)


def rank_one_by_hand(A: Array) -> Worked:
    """Project the rows on the first right singular vector."""
    G = A.T @ A
    text, _, small, v = pair_of(G)
    closest = np.outer(A @ v, v) / (v @ v)
    return steps(
        rf"$A^\top A={matrix(G)}$: {text}.",
        rf"For $\lambda_1$: $v={row(v)}$, with $v^\top v={tex(v @ v)}$, and $Av={row(A @ v)}$.",
        rf"The closest matrix of rank one is $\sigma_1u_1v_1^\top=\dfrac{{(Av)v^\top}}{{v^\top v}}={matrix(closest)}$.",
        rf"Its distance is the next singular value, $\sigma_2=\sqrt{{{tex(small)}}}{eq(np.sqrt(small))}$.",
    ), (closest, float(np.sqrt(small)))


def null_projector(U: Array, singular_values: Array, V: Array) -> Worked:
    """The columns of V that A forgets."""
    rank = int(np.count_nonzero(singular_values))
    P = V[:, rank:] @ V[:, rank:].T / 4
    forgotten = ", ".join(f"v_{column + 1}" for column in range(rank, 4))
    return steps(
        rf"$Av_i=\sigma_iu_i$, and a $3\times4$ matrix has no fourth singular value: $A$ forgets ${forgotten}$. The "
        rf"dimension of the null space is $4-{rank}={4 - rank}$.",
        "As rows, these vectors are "
        + " and ".join(rf"$\tfrac12{row(column)}$" for column in V.T[rank:])
        + ".",
        rf"The sum of their products $v_iv_i^\top$ is ${matrix(P)}$. Its trace is ${tex(np.trace(P))}$, the dimension.",
    ), (4 - rank, P)
