"""Tasks on eigenvalues of small matrices, with a pencil."""

from functools import cache
from itertools import permutations, product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from solutions.numbers import Array
from solutions.steps import Worked, bracketed, matrix, row, squares, steps, tex
from solutions.toolkit.numbers import are_apart, one_of

Answer = tuple[float, Array]
FIRST = ((2, 3), (3, 2), (2, -3), (3, -2), (-2, 5), (5, 2), (3, 4), (-3, 4), (4, -3), (5, 3), (-3, 5))


@cache
def _choices() -> list[tuple[Array, Array]]:
    """Every such matrix with small entries, directions well apart, and eigenvalues that betray mistakes."""
    choices = []
    for (p, q), (r, s), values in product(
        FIRST, permutations(range(-4, 5), 2), permutations(range(-7, 8), 2)
    ):
        det = p * s - q * r
        # a multiple of the determinant between the eigenvalues makes A whole
        if det == 0 or (values[0] - values[1]) % det or 0 in (r, s, *values) or abs(r) == abs(s):
            continue
        P = np.array([[p, r], [q, s]], dtype=float)
        A = np.round(P @ np.diag(np.array(values, dtype=float)) @ np.linalg.inv(P))
        if np.abs(A).max() <= 30 and 0 not in A and _betrays(A, P, values[0]):
            choices.append((A, P[:, 0]))
    return choices


def _betrays(A: Array, P: Array, first: int) -> bool:
    values = [first, *(way(A, P[:, 0])[0] for way in VALUE_WAYS)]
    return _is_telling(A, P) and are_apart(values, 0.05)


def _is_telling(A: Array, P: Array) -> bool:
    """Not symmetric, and no two of the directions that a student might give nearly agree."""
    given, other = (P / np.linalg.norm(P, axis=0)).T
    directions = (other, np.array([-given[1], given[0]]), other * [1.0, -1.0], given)
    overlaps = [abs(u @ v) for i, u in enumerate(directions) for v in directions[:i]]
    return abs(A[0, 1] - A[1, 0]) > 0.5 and max(overlaps) < 0.985


def _given_value(A: Array, v: Array) -> float:
    return float(v @ A @ v / (v @ v))


@task.hand(
    points=2,
    minutes=10,
    see="eq-toolkit-eigen-example",
    same=(exactly, up_to_direction),
    parts=("the eigenvalue", "the eigenvector"),
)
def second_eigenpair(A: Array, v: Array) -> Answer:
    """λ₂ = tr A − λ₁ and a solution of (A − λ₂I)w = 0 (eq-toolkit-eigen-example)."""
    first = _given_value(A, v)
    # every column of A − λ₁I is an eigenvector for λ₂, by Cayley and Hamilton
    columns = A - first * np.eye(2)
    return float(np.trace(A)) - first, columns[:, np.abs(columns).sum(axis=0).argmax()]


@second_eigenpair.draw
def draw_second_eigenpair(rng: np.random.Generator) -> task.Cases:
    """A = P diag(λ₁, λ₂) P⁻¹ with whole P, and A whole too; the first column of P is given."""
    A, v = one_of(rng, _choices())
    return {"the numbers of the text": {"A": A, "v": v}}


@second_eigenpair.wrong(
    "The eigenvalue is right. Your vector is orthogonal to the given one; multiply it by A and look. Which property "
    "of A would have made it an eigenvector?",
    see="thm-toolkit-spectral",
    credit=0.5,
)
def assumed_orthogonal_eigenvectors(A: Array, v: Array) -> Answer:
    """The right eigenvalue, and the vector orthogonal to the given one."""
    return second_eigenpair(A, v)[0], np.array([-v[1], v[0]])


@second_eigenpair.wrong(
    "This is the pair of the given vector. The other one was asked for.", see="def-toolkit-eigenpair"
)
def gave_the_given_pair(A: Array, v: Array) -> Answer:
    """λ₁ and v."""
    return _given_value(A, v), v


@second_eigenpair.wrong(
    "The vector is right. Multiply it by A: does it keep its sense or turn round?",
    see="def-toolkit-eigenpair",
    credit=0.5,
)
def flipped_the_sign(A: Array, v: Array) -> Answer:
    """λ₁ − tr A."""
    value, vector = second_eigenpair(A, v)
    return -value, vector


@second_eigenpair.wrong(
    "The vector is right. Which of trace and determinant is the sum of the eigenvalues?", credit=0.5
)
def took_the_trace_for_a_product(A: Array, v: Array) -> Answer:
    """tr A / λ₁."""
    return float(np.trace(A)) / _given_value(A, v), second_eigenpair(A, v)[1]


@second_eigenpair.wrong(
    "The eigenvalue is right. In the vector one of the two entries has the wrong sign.", credit=0.5
)
def lost_a_sign(A: Array, v: Array) -> Answer:
    """The right eigenvalue, and (w₁, −w₂)."""
    value, vector = second_eigenpair(A, v)
    return value, vector * [1.0, -1.0]


VALUE_WAYS = (second_eigenpair, flipped_the_sign, took_the_trace_for_a_product)


@second_eigenpair.also
def by_null_space(A: Array, v: Array) -> Answer:
    """λ₂ from the trace, and what A − λ₂I sends to zero: its last right singular vector."""
    value = float(np.trace(A)) - _given_value(A, v)
    return value, 5 * np.linalg.svd(A - value * np.eye(2))[2][-1]


@second_eigenpair.also
def by_determinant(A: Array, v: Array) -> Answer:
    """λ₂ = det A / λ₁ and a row of A − λ₂I turned by a right angle."""
    value = float(np.linalg.det(A)) / _given_value(A, v)
    rows = A - value * np.eye(2)
    row = rows[np.abs(rows).sum(axis=1).argmax()]
    return value, np.array([-row[1], row[0]])


@second_eigenpair.must_fail
def exchanged_the_entries(A: Array, v: Array) -> Answer:
    """(w₂, w₁)."""
    value, vector = second_eigenpair(A, v)
    return value, vector[::-1]


@second_eigenpair.must_fail
def forgot_to_divide_by_the_entry(A: Array, v: Array) -> Answer:
    """(Av)₁ for λ₁."""
    value = float(np.trace(A) - A[0] @ v)
    return value, np.array([-A[0, 1], A[0, 0] - value])


@second_eigenpair.worked
def worked_second_eigenpair(A: Array, v: Array) -> Worked:
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


Change = tuple[Array, float]
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


@cache
def _changes() -> list[tuple[int, int, tuple[int, ...]]]:
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


@task.hand(points=2, minutes=10, see="thm-toolkit-spectral", parts=("the eigenvalues", "the spectral norm"))
def rank_one_change(b: float, t: float, q: Array) -> Change:
    """b across q, b + t‖q‖² along q; and the largest modulus (thm-toolkit-spectral)."""
    values = _ordered(b, b + t * float(q @ q))
    return values, float(np.abs(values).max())


@rank_one_change.draw
def draw_rank_one_change(rng: np.random.Generator) -> task.Cases:
    """A negative t, so large that the eigenvalue along q is the largest in modulus."""
    b, t, q = one_of(rng, _changes())
    return {"the numbers of the text": {"b": b, "t": t, "q": np.array(q, dtype=float)}}


@rank_one_change.wrong(
    "All numbers are right. The eigenvalues were asked for in the order of the book.",
    see="eq-toolkit-eigenpairs",
    credit=0.75,
)
def left_them_ascending(b: float, t: float, q: Array) -> Change:
    """The smallest first."""
    values, norm = rank_one_change(b, t, q)
    return values[::-1], norm


@rank_one_change.wrong(
    "The eigenvalues are right. A vector that is turned round is stretched too: does the sign of an eigenvalue matter "
    "for a length?",
    see="thm-toolkit-induced-norm",
    credit=0.5,
)
def took_the_largest_eigenvalue(b: float, t: float, q: Array) -> Change:
    """λ₁ for the norm."""
    values, _ = rank_one_change(b, t, q)
    return values, float(values[0])


@rank_one_change.wrong(
    "Work out qqᵀq once more: which number stands in front of q?", see="eq-toolkit-outer-product"
)
def forgot_to_square_the_length(b: float, t: float, q: Array) -> Change:
    """b + t‖q‖ along q."""
    values = _ordered(b, b + t * float(np.sqrt(q @ q)))
    return values, float(np.abs(values).max())


@rank_one_change.wrong(
    "Right if q had length one. Work out qqᵀq: which number stands in front of q?",
    see="eq-toolkit-outer-product",
)
def took_q_for_a_unit_vector(b: float, t: float, q: Array) -> Change:
    """b + t along q."""
    values = _ordered(b, b + t)
    return values, float(np.abs(values).max())


@rank_one_change.wrong(
    "These belong to t qqᵀ alone. What does adding b I do to Cv = λv?", see="def-toolkit-eigenpair"
)
def forgot_the_identity(b: float, t: float, q: Array) -> Change:
    """The eigenvalues of t qqᵀ."""
    values = _ordered(0, t * float(q @ q))
    return values, float(np.abs(values).max())


@rank_one_change.wrong(
    "Two eigenvalues and the norm are right. How many directions are orthogonal to q, and what does C do to them? The "
    "trace tells too.",
    see="eq-toolkit-decomposition",
    credit=0.5,
)
def doubled_the_wrong_one(b: float, t: float, q: Array) -> Change:
    """The eigenvalue along q twice."""
    values, norm = rank_one_change(b, t, q)
    return values[[0, 2, 2]], norm


@rank_one_change.wrong(
    "The diagonal of C has the right sum, but its entries are eigenvalues only if all the others vanish.",
    see="eq-toolkit-decomposition",
)
def read_the_diagonal(b: float, t: float, q: Array) -> Change:
    """The diagonal entries, in order."""
    values = np.sort(b + t * q**2)[::-1]
    return values, float(np.abs(values).max())


WAYS = (
    rank_one_change,
    left_them_ascending,
    took_the_largest_eigenvalue,
    forgot_to_square_the_length,
    forgot_the_identity,
    doubled_the_wrong_one,
    read_the_diagonal,
)


@rank_one_change.also
def with_numpy(b: float, t: float, q: Array) -> Change:
    """Eigenvalues and norm of the matrix written out."""
    C = b * np.eye(len(q)) + t * np.outer(q, q)
    return np.linalg.eigvalsh(C)[::-1], float(np.linalg.norm(C, 2))


@rank_one_change.worked
def worked_rank_one_change(b: int, t: int, q: Array) -> Worked:
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
