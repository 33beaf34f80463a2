"""Task `null_projector`: the projector on the null space of a wide matrix that is given by its factors."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.svd import four_subspaces
from solutions.numbers import Array, one_of
from solutions.svd.numbers import HALVES, THIRDS, signed_columns

Answer = tuple[float, Array]

# of rank one, so that rank and nullity differ
SPECTRA = ((6, 0, 0), (3, 0, 0), (9, 0, 0), (12, 0, 0), (15, 0, 0), (18, 0, 0))


def draw(rng: np.random.Generator) -> Cases:
    """U in thirds and V in halves; drawn again while rows of V would give the projector of some columns."""
    U, V = signed_columns(rng, THIRDS), signed_columns(rng, HALVES)
    while np.abs(V.T @ V[0]).max() == 4:  # the first row is one of the columns, but for its sign
        V = signed_columns(rng, HALVES)
    sigma = np.array(one_of(rng, SPECTRA), dtype=float)
    return {"the numbers of the text": {"U": U, "singular_values": sigma, "V": V}}


def answer(U: Array, singular_values: Array, V: Array) -> Answer:
    """n − r, and V₀V₀ᵀ (eq-svd-subspaces)."""
    A = (U / 3) * singular_values @ (V / 2)[:, :3].T
    null = four_subspaces(A).null_space
    return null.shape[1], null @ null.T


def _onto(columns: Array) -> Array:
    return columns @ columns.T


def used_only_vanishing_values(U: Array, singular_values: Array, V: Array) -> Answer:
    """v₂ and v₃, because their singular values are zero."""
    return 2, _onto(V[:, [1, 2]] / 2)


def used_only_the_vector_beyond(U: Array, singular_values: Array, V: Array) -> Answer:
    """v₄ alone, because it has no singular value."""
    return 1, _onto(V[:, [3]] / 2)


def projected_on_the_row_space(U: Array, singular_values: Array, V: Array) -> Answer:
    """The projector on v₁, with its dimension."""
    return 1, _onto(V[:, :1] / 2)


def took_rows_of_v(U: Array, singular_values: Array, V: Array) -> Answer:
    """The last rows of V instead of its last columns."""
    return 3, _onto(V[1:].T / 2)


def forgot_to_normalise(U: Array, singular_values: Array, V: Array) -> Answer:
    """The printed whole numbers as if they had length one."""
    return 3, _onto(V[:, 1:])


def from_the_identity(U: Array, singular_values: Array, V: Array) -> Answer:
    """Identity minus the projector on the row space."""
    rank = np.sum(singular_values > 0)
    return int(4 - rank), np.eye(4) - _onto(V[:, :rank] / 2)


null_projector = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-svd-subspaces",
    same=(exactly, exactly),
    parts=("the dimension", "the projector"),
    misconceptions=(
        Misconception(
            used_only_vanishing_values,
            hint="You collected the vectors whose singular value is zero. Rank and nullity should add up "
            "to the number of columns of A: do yours?",
            see="eq-svd-subspaces",
            credit=0.5,
        ),
        Misconception(
            used_only_the_vector_beyond,
            hint="The vector without a singular value belongs to the null space, but it is not alone there.",
            see="eq-svd-subspaces",
            credit=0.5,
        ),
        Misconception(
            projected_on_the_row_space,
            hint="Your projector keeps what A keeps, and the dimension is its rank; the question is what A forgets.",
            see="thm-svd-subspaces",
        ),
        Misconception(
            took_rows_of_v,
            hint="The dimension is right. In which direction are the vectors v written in V, and in which "
            "in its transpose?",
            see="def-svd-decomposition",
            credit=0.5,
        ),
        Misconception(
            forgot_to_normalise,
            hint="Apply your matrix twice: a projector should not change anything the second time. What "
            "was printed before the matrix of whole numbers?",
            see="thm-svd-subspaces",
            credit=0.5,
        ),
    ),
    alternatives=(from_the_identity,),
)
