"""Quick questions on the toolkit of linear algebra."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.numbers import Array
from solutions.toolkit.forms import (
    extremes_of_a_form,
    gave_the_smallest_first,
    put_the_coefficient_on_one_side,
    put_the_whole_coefficient_twice,
    tried_the_diagonals,
)


@question.choice(
    "Which are orthogonal projectors?",
    "Which of these matrices $P$ send every vector to the nearest point of some subspace?",
    see="thm-toolkit-projector-unique",
    several=True,
    explanation=r"$P^2=P$ makes it a projector, and $P^\top=P$ an orthogonal one. The identity and zero are such, too.",
)
def is_projector(P: Array) -> bool:
    """P² = P = Pᵀ."""
    return bool(np.allclose(P @ P, P) and np.allclose(P, P.T))


@is_projector.right()
def on_a_line(rng: np.random.Generator) -> Array:
    """qqᵀ of a unit vector with short entries."""
    q = np.array([0.6, 0.8])[rng.permutation(2)]
    return np.round(np.outer(q, q), 4)


@is_projector.right()
def on_everything(rng: np.random.Generator) -> Array:
    """The identity."""
    return np.eye(2)


@is_projector.wrong("Apply it twice. The nearest point of a point of the subspace is that point itself.")
def not_normalised(rng: np.random.Generator) -> Array:
    """aaᵀ of a longer vector."""
    a, b = rng.integers(1, 4, size=2)
    return np.outer([a, b], [a, b])


@is_projector.wrong(
    "Applied twice it gives the same, but it is not symmetric: it moves vectors along a slanted line."
)
def slanted(rng: np.random.Generator) -> Array:
    """An oblique projector."""
    return np.array([[1, int(rng.integers(1, 5))], [0, 0]])


@is_projector.wrong("This mirrors vectors: applied twice it gives each vector back.")
def mirrored(rng: np.random.Generator) -> Array:
    """A reflection."""
    return np.array([[0, 1], [1, 0]])


largest_of_a_form = question.predict(
    "Extremes on the circle",
    r"Let $p={{ p }}$, $q={{ q }}$ and $r={{ r }}$. Which pair holds the largest and the smallest value of "
    r"$px^2+qxy+ry^2$ on the circle "
    "$x^2+y^2=1$?",
    of=extremes_of_a_form,
    among=(
        put_the_whole_coefficient_twice,
        put_the_coefficient_on_one_side,
        gave_the_smallest_first,
        tried_the_diagonals,
    ),
    see="thm-toolkit-rayleigh",
)

cauchy_schwarz = question.proof(
    "The Cauchy–Schwarz inequality",
    r"Let $y\ne0$. Put the steps in order that prove $|x^\top y|\le\|x\|\|y\|$.",
    see="thm-toolkit-cauchy-schwarz",
)


def _two(rng: np.random.Generator) -> tuple[Array, Array, float]:
    x, y = rng.normal(size=(2, 4))
    return x, y, x @ y / (y @ y)


cauchy_schwarz.step("start", r"For the number $t=x^\top y/\|y\|^2$ consider $0\le\|x-ty\|^2$.")
cauchy_schwarz.step(
    "expand",
    r"Expand this square: $0\le\|x\|^2-2t\,x^\top y+t^2\|y\|^2$.",
    after=("start",),
    true=lambda rng: (
        lambda x, y, t: np.isclose(np.sum((x - t * y) ** 2), x @ x - 2 * t * x @ y + t**2 * y @ y)
    )(*_two(rng)),
)
cauchy_schwarz.step(
    "insert",
    r"Put the value of $t$ in: $0\le\|x\|^2-(x^\top y)^2/\|y\|^2$.",
    after=("expand",),
    true=lambda rng: (lambda x, y, t: np.isclose(np.sum((x - t * y) ** 2), x @ x - (x @ y) ** 2 / (y @ y)))(
        *_two(rng)
    ),
)
cauchy_schwarz.step(
    "solve", r"Multiply by $\|y\|^2$ and take roots: $|x^\top y|\le\|x\|\|y\|$.", after=("insert",)
)
cauchy_schwarz.wrong_step(
    r"Expand this square: $0\le\|x\|^2-t\,x^\top y+t^2\|y\|^2$.",
    "The mixed term of a square occurs twice.",
    false=lambda rng: (
        lambda x, y, t: np.isclose(np.sum((x - t * y) ** 2), x @ x - t * x @ y + t**2 * y @ y)
    )(*_two(rng)),
    name="counted_the_mixed_term_once",
)
cauchy_schwarz.wrong_step(
    r"Put the value of $t$ in: $0\le\|x\|^2-(x^\top y)^2$.",
    "What became of the length of $y$? Try $2y$ in place of $y$.",
    false=lambda rng: (lambda x, y, t: np.isclose(np.sum((x - t * y) ** 2), x @ x - (x @ y) ** 2))(
        *_two(rng)
    ),
    name="lost_the_length",
)


@question.order(
    "The distance from a plane",
    "A function `off_plane(x, A)` shall return the distance of `x` from the plane spanned by the two independent "
    "columns of `A`. Choose four lines of its body and order them.",
    see="thm-toolkit-nearest-point",
)
def off_plane(x: Array, A: Array) -> float:
    """The length of the residual."""
    Q = np.linalg.qr(A)[0]
    shadow = Q @ (Q.T @ x)
    rest = x - shadow
    return np.linalg.norm(rest)


@off_plane.draw
def draw_off_plane(rng: np.random.Generator) -> Cases:
    """Columns that are neither orthogonal nor of length one."""
    return {"space": {"x": rng.normal(size=3), "A": rng.normal(size=(3, 2)) * 2}}


off_plane.wrong_line(
    "shadow = A @ (A.T @ x)",
    "This formula needs orthonormal columns. Those of A are not.",
    name="forgot_to_normalise",
)
off_plane.wrong_line("rest = shadow", "This is the part in the plane.", name="gave_the_length_of_the_shadow")
off_plane.wrong_line(
    "return np.sum(rest**2)", "This is the square of the distance.", name="left_the_distance_squared"
)


@question.fault(
    "Is the matrix positive semidefinite?",
    "`A` is symmetric. The function shall return 1 if no value of its quadratic form is negative, and 0 otherwise.",
    see="thm-toolkit-semidefinite",
)
def is_semidefinite(A):
    """The smallest eigenvalue decides."""
    smallest = np.linalg.eigvalsh(A)[0]
    return int(smallest >= -1e-9)


@is_semidefinite.shown("Which entries does the function look at? The form at (1, −1) uses the others, too.")
def looked_at_the_diagonal(A):
    """Necessary, not sufficient."""
    smallest = np.diag(A).min()
    return int(smallest >= -1e-9)


@is_semidefinite.valid
def is_symmetric(A):
    """A symmetric matrix."""
    return None if A.shape[0] == A.shape[1] and np.allclose(A, A.T) else "A must be square and symmetric"


is_semidefinite.passes(
    {"A": np.array([[2.0, 1], [1, 2]])}, {"A": np.array([[1.0, 0], [0, -1]])}, {"A": np.array([[0.0]])}
)
is_semidefinite.hides({"A": np.array([[1.0, 1], [1, 1]])}, {"A": np.array([[-2.0, 5], [5, 3]])})
is_semidefinite.reveals({"A": np.array([[1.0, 2], [2, 1]])}, {"A": np.array([[0.0, 1], [1, 0]])})


@question.fault(
    "The 1-norm",
    "The function shall return the 1-norm of `x`: the sum of the absolute values of its entries.",
    see="eq-toolkit-pnorm",
)
def one_norm(x):
    """Σ|xᵢ|."""
    total = np.sum(np.abs(x))
    return total


@one_norm.shown("Which signs do the entries have within each test?")
def forgot_the_moduli(x):
    """Right where all signs agree."""
    total = np.abs(np.sum(x))
    return total


@one_norm.valid
def any_vector(x):
    """Any list."""
    return None


one_norm.passes({"x": np.array([1.0, 2, 3])}, {"x": np.array([-4.0, -1])}, {"x": np.array([0.0, 7, 0])})
one_norm.hides({"x": np.array([-5.0])}, {"x": np.array([0.0, -2, -2])}, {"x": np.array([3.0, 3])})
one_norm.reveals({"x": np.array([1.0, -1])}, {"x": np.array([2.0, 0, -3])})
