"""Task `rank_one_change`: eigenvalues and spectral norm of b I + t qqᵀ, by hand."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.toolkit.numbers import Array, are_apart, one_of

Answer = tuple[Array, float]
VECTORS = (
    (1, 2, 2),
    (2, -1, 2),
    (2, 2, -1),
    (1, 1, 2),
    (1, -2, 1),
    (-2, 1, 1),
    (0, 2, 1),
    (2, 0, -1),
    (1, 0, 3),
)


def draw(rng: np.random.Generator) -> Cases:
    """A negative t, so large that the eigenvalue along q is the largest in modulus."""
    b, t, q = one_of(rng, _choices())
    return {"the numbers of the text": {"b": b, "t": t, "q": np.array(q, dtype=float)}}


@cache
def _choices() -> list[tuple[int, int, tuple[int, ...]]]:
    """Every such triple with small numbers on which no two ways agree."""
    choices = []
    for b, t, q in product(range(2, 10), (-1, -2, -3), VECTORS):
        vector = np.array(q, dtype=float)
        along = b + t * float(vector @ vector)
        answers = [np.append(*way(b, t, vector)) for way in WAYS]
        if along < -1.2 * b and along > -30 and are_apart(answers):
            choices.append((b, t, q))
    return choices


def _ordered(b: float, along: float) -> Array:
    return np.sort([b, b, along])[::-1]


def answer(b: float, t: float, q: Array) -> Answer:
    """b across q, b + t‖q‖² along q; and the largest modulus (thm-toolkit-spectral)."""
    values = _ordered(b, b + t * float(q @ q))
    return values, float(np.abs(values).max())


def left_them_ascending(b: float, t: float, q: Array) -> Answer:
    """The smallest first."""
    values, norm = answer(b, t, q)
    return values[::-1], norm


def took_the_largest_eigenvalue(b: float, t: float, q: Array) -> Answer:
    """λ₁ for the norm."""
    values, _ = answer(b, t, q)
    return values, float(values[0])


def forgot_to_square_the_length(b: float, t: float, q: Array) -> Answer:
    """b + t‖q‖ along q."""
    values = _ordered(b, b + t * float(np.sqrt(q @ q)))
    return values, float(np.abs(values).max())


def forgot_the_identity(b: float, t: float, q: Array) -> Answer:
    """The eigenvalues of t qqᵀ."""
    values = _ordered(0, t * float(q @ q))
    return values, float(np.abs(values).max())


def doubled_the_wrong_one(b: float, t: float, q: Array) -> Answer:
    """The eigenvalue along q twice."""
    values, norm = answer(b, t, q)
    return values[[0, 2, 2]], norm


def read_the_diagonal(b: float, t: float, q: Array) -> Answer:
    """The diagonal entries, in order."""
    values = np.sort(b + t * q**2)[::-1]
    return values, float(np.abs(values).max())


def took_q_for_a_unit_vector(b: float, t: float, q: Array) -> Answer:
    """b + t along q."""
    values = _ordered(b, b + t)
    return values, float(np.abs(values).max())


WAYS = (
    answer,
    left_them_ascending,
    took_the_largest_eigenvalue,
    forgot_to_square_the_length,
    forgot_the_identity,
    doubled_the_wrong_one,
    read_the_diagonal,
)


def with_numpy(b: float, t: float, q: Array) -> Answer:
    """Eigenvalues and norm of the matrix written out."""
    C = b * np.eye(len(q)) + t * np.outer(q, q)
    return np.linalg.eigvalsh(C)[::-1], float(np.linalg.norm(C, 2))


rank_one_change = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-toolkit-spectral",
    same=(exactly, exactly),
    parts=("the eigenvalues", "the spectral norm"),
    misconceptions=(
        Misconception(
            left_them_ascending,
            hint="All numbers are right. The eigenvalues were asked for in the order of the book.",
            see="eq-toolkit-eigenpairs",
            credit=0.75,
        ),
        Misconception(
            took_the_largest_eigenvalue,
            hint="The eigenvalues are right. A vector that is turned round is stretched too: does the sign of an "
            "eigenvalue matter for a length?",
            see="thm-toolkit-induced-norm",
            credit=0.5,
        ),
        Misconception(
            forgot_to_square_the_length,
            hint="Work out qqᵀq once more: which number stands in front of q?",
            see="eq-toolkit-outer-product",
        ),
        Misconception(
            took_q_for_a_unit_vector,
            hint="Right if q had length one. Work out qqᵀq: which number stands in front of q?",
            see="eq-toolkit-outer-product",
        ),
        Misconception(
            forgot_the_identity,
            hint="These belong to t qqᵀ alone. What does adding b I do to Cv = λv?",
            see="def-toolkit-eigenpair",
        ),
        Misconception(
            doubled_the_wrong_one,
            hint="Two eigenvalues and the norm are right. How many directions are orthogonal to q, and what "
            "does C do to them? The trace tells too.",
            see="eq-toolkit-decomposition",
            credit=0.5,
        ),
        Misconception(
            read_the_diagonal,
            hint="The diagonal of C has the right sum, but its entries are eigenvalues only if all the others "
            "vanish.",
            see="eq-toolkit-decomposition",
        ),
    ),
    alternatives=(with_numpy,),
)
