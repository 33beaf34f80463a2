"""Task `vector_norms`: four lengths of one vector, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.toolkit import pnorm
from solutions.toolkit.numbers import WHOLE_LENGTHS, Array, one_of

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


def draw(rng: np.random.Generator) -> Cases:
    """A whole vector of whole length, with zeros, whose largest modulus belongs to a negative entry."""
    moduli = np.array(one_of(rng, WHOLE), dtype=float)
    signs = np.where(moduli == moduli.max(), -1.0, rng.choice([-1.0, 1.0], size=len(moduli)))
    zeros = np.zeros(int(rng.integers(1, 3)))
    return {"the numbers of the text": {"x": rng.permutation(np.concatenate([signs * moduli, zeros]))}}


def answer(x: Array) -> Array:
    """‖x‖₀, ‖x‖₁, ‖x‖₂, ‖x‖_∞ (eq-toolkit-pnorm)."""
    return np.array([pnorm(x, p) for p in (0, 1, 2, np.inf)])


def _with(x: Array, place: int, value: float) -> Array:
    changed = answer(x)
    changed[place] = value
    return changed


def forgot_the_moduli(x: Array) -> Array:
    """Sum and largest entry with their signs."""
    count, _, length, _ = answer(x)
    return np.array([count, x.sum(), length, x.max()])


def added_with_signs(x: Array) -> Array:
    """The sum of the entries for p = 1."""
    return _with(x, 1, float(x.sum()))


def took_the_largest_entry(x: Array) -> Array:
    """The largest entry, not the largest modulus."""
    return _with(x, 3, float(x.max()))


def forgot_the_root(x: Array) -> Array:
    """The sum of squares for the length."""
    return _with(x, 2, float(x @ x))


def counted_the_zeros(x: Array) -> Array:
    """The number of entries that vanish."""
    return _with(x, 0, float(np.count_nonzero(x == 0)))


def counted_all_entries(x: Array) -> Array:
    """The number of entries."""
    return _with(x, 0, float(len(x)))


def swapped_sum_and_maximum(x: Array) -> Array:
    """The largest modulus for p = 1, the sum for p = ∞."""
    return answer(x)[[0, 3, 2, 1]]


def with_numpy(x: Array) -> Array:
    """The norms of numpy."""
    return np.array([np.linalg.norm(x, p) for p in (0, 1, 2, np.inf)])


vector_norms = Task(
    kind="hand",
    points=2,
    minutes=6,
    draw=draw,
    answer=answer,
    same=(exactly,) * 4,
    parts=("p = 0", "p = 1", "p = 2", "p = ∞"),
    see="eq-toolkit-pnorm",
    misconceptions=(
        Misconception(
            forgot_the_moduli,
            hint="Two of your four numbers let entries of opposite signs cancel, or overlook a large negative "
            "entry. What do the bars in the formulas do?",
            see="eq-toolkit-pnorm",
            credit=0.5,
        ),
        Misconception(
            added_with_signs,
            hint="Three numbers are right. For p = 1 your entries of opposite signs cancel. What do the bars in the "
            "formula do?",
            see="eq-toolkit-pnorm",
            credit=0.75,
        ),
        Misconception(
            took_the_largest_entry,
            hint="Three numbers are right. For p = ∞ you overlooked a large negative entry. What do the bars in the "
            "formula do?",
            see="eq-toolkit-pnorm",
            credit=0.75,
        ),
        Misconception(
            forgot_the_root,
            hint="Three numbers are right. One of them grows fourfold when x is doubled; a length should only "
            "double.",
            see="eq-toolkit-euclidean",
            credit=0.75,
        ),
        Misconception(
            counted_the_zeros,
            hint="Three numbers are right. For p = 0 you counted entries, but the other kind.",
            see="eq-toolkit-zero-norm",
            credit=0.75,
        ),
        Misconception(
            counted_all_entries,
            hint="Three numbers are right. For p = 0 not every entry counts.",
            see="eq-toolkit-zero-norm",
            credit=0.75,
        ),
        Misconception(
            swapped_sum_and_maximum,
            hint="All four numbers occur, two of them in each other's place. Which norm is the smallest of all?",
            see="thm-toolkit-norm-limit",
            credit=0.5,
        ),
    ),
    alternatives=(with_numpy,),
)
