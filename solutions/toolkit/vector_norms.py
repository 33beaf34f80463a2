"""Task `vector_norms`: four lengths of one vector, by hand."""

import numpy as np

from autograder.authoring import task
from dimred_ref.toolkit import pnorm
from solutions.numbers import Array
from solutions.steps import Worked, eq, squares, steps, tex, total
from solutions.toolkit.numbers import WHOLE_LENGTHS, one_of

# Moduli of three and of four entries whose length is whole, and no two of whose four lengths are equal.
WHOLE = (
    *WHOLE_LENGTHS[1:],
    (1, 1, 3, 5),
    (2, 2, 4, 5),
    (1, 3, 3, 9),
    (2, 4, 5, 6),
    (1, 2, 4, 10),
    (1, 5, 5, 7),
)


@task.hand(points=2, minutes=6, see="eq-toolkit-pnorm", parts=("p = 0", "p = 1", "p = 2", "p = ∞"))
def vector_norms(x: Array) -> Array:
    """‖x‖₀, ‖x‖₁, ‖x‖₂, ‖x‖_∞ (eq-toolkit-pnorm)."""
    return np.array([pnorm(x, p) for p in (0, 1, 2, np.inf)])


@vector_norms.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A whole vector of whole length, with zeros, whose largest modulus belongs to a negative entry."""
    moduli = np.array(one_of(rng, WHOLE), dtype=float)
    signs = np.where(moduli == moduli.max(), -1.0, rng.choice([-1.0, 1.0], size=len(moduli)))
    zeros = np.zeros(int(rng.integers(1, 3)))
    return {"the numbers of the text": {"x": rng.permutation(np.concatenate([signs * moduli, zeros]))}}


def _with(x: Array, place: int, value: float) -> Array:
    changed = vector_norms(x)
    changed[place] = value
    return changed


@vector_norms.wrong(
    "Two of your four numbers let entries of opposite signs cancel, or overlook a large negative entry. What do the "
    "bars in the formulas do?",
    credit=0.5,
)
def forgot_the_moduli(x: Array) -> Array:
    """Sum and largest entry with their signs."""
    count, _, length, _ = vector_norms(x)
    return np.array([count, x.sum(), length, x.max()])


@vector_norms.wrong(
    "Three numbers are right. For p = 1 your entries of opposite signs cancel. What do the bars in the formula do?",
    credit=0.75,
)
def added_with_signs(x: Array) -> Array:
    """The sum of the entries for p = 1."""
    return _with(x, 1, float(x.sum()))


@vector_norms.wrong(
    "Three numbers are right. For p = ∞ you overlooked a large negative entry. What do the bars in the formula do?",
    credit=0.75,
)
def took_the_largest_entry(x: Array) -> Array:
    """The largest entry, not the largest modulus."""
    return _with(x, 3, float(x.max()))


@vector_norms.wrong(
    "Three numbers are right. One of them grows fourfold when x is doubled; a length should only double.",
    see="eq-toolkit-euclidean",
    credit=0.75,
)
def forgot_the_root(x: Array) -> Array:
    """The sum of squares for the length."""
    return _with(x, 2, float(x @ x))


@vector_norms.wrong(
    "Three numbers are right. For p = 0 you counted entries, but the other kind.",
    see="eq-toolkit-zero-norm",
    credit=0.75,
)
def counted_the_zeros(x: Array) -> Array:
    """The number of entries that vanish."""
    return _with(x, 0, float(np.count_nonzero(x == 0)))


@vector_norms.wrong(
    "Three numbers are right. For p = 0 not every entry counts.", see="eq-toolkit-zero-norm", credit=0.75
)
def counted_all_entries(x: Array) -> Array:
    """The number of entries."""
    return _with(x, 0, float(len(x)))


@vector_norms.wrong(
    "All four numbers occur, two of them in each other's place. Which norm is the smallest of all?",
    see="thm-toolkit-norm-limit",
    credit=0.5,
)
def swapped_sum_and_maximum(x: Array) -> Array:
    """The largest modulus for p = 1, the sum for p = ∞."""
    return vector_norms(x)[[0, 3, 2, 1]]


@vector_norms.also
def with_numpy(x: Array) -> Array:
    """The norms of numpy."""
    return np.array([np.linalg.norm(x, p) for p in (0, 1, 2, np.inf)])


@vector_norms.worked
def worked(x: Array) -> Worked:
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
