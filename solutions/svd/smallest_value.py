"""Task `smallest_value`: the smallest singular value, also where squaring the matrix would lose it."""

import numpy as np
import scipy.linalg

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref.svd import thin_svd
from solutions.numbers import Array, one_of
from solutions.svd.numbers import whole_matrix

VISIBLE = 1e-14  # of the largest eigenvalue: below it an eigenvalue of a product is noise, whatever its sign


def draw(rng: np.random.Generator) -> Cases:
    """Two ordinary matrices, and two whose smallest singular value is real but far below the largest."""
    tiny, large = np.round(rng.uniform(3, 9), 1) * 1e-9, float(one_of(rng, (2.0, 3.0, 4.0)))
    ordinary = whole_matrix(rng, one_of(rng, ((5, 3), (4, 3), (6, 3))), 3) / 4
    columns = np.vstack([np.full(3, 1.0), np.round(rng.uniform(2, 4), 1) * 1e-9 * np.eye(3)])
    return {
        "an ordinary matrix": {"A": ordinary[[0, *range(len(ordinary))]]},  # its first row twice
        "a square matrix": {"A": whole_matrix(rng, (3, 3), 3)},
        "two columns that nearly agree": {
            "A": np.array([[large, large], [large * tiny, 0], [0, large * tiny]])
        },
        "three rows that nearly agree": {"A": -columns.T},
    }


def hard(rng: np.random.Generator) -> Cases:
    """One row, one column, wide, integers, other units."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]])},
        "one column": {"A": np.array([[-2.0], [0.25], [1.0]])},
        "a wide matrix": {"A": whole_matrix(rng, (3, 5), 3)},
        "integers": {"A": whole_matrix(rng, (4, 3), 3).astype(int)},
        "small units": {"A": 1e-6 * whole_matrix(rng, (4, 2), 2)},
        "large units": {"A": 1e6 * whole_matrix(rng, (4, 2), 2)},
    }


def took_entries_for_positive(A: Array) -> float:
    """|A| in the place of A."""
    return answer(np.abs(A))


def answer(A: Array) -> float:
    """The last singular value of A itself (thm-svd-squaring-loses-digits)."""
    return float(thin_svd(A).singular_values[-1])


def squared_the_matrix(A: Array) -> float:
    """√λ of the product, which is zero but for noise when σ is below 1e-8 of the largest."""
    lam = np.linalg.eigvalsh(A.T @ A)
    return float(np.sqrt(lam[0])) if lam[0] > VISIBLE * lam[-1] else 0.0


def gave_the_largest(A: Array) -> float:
    """σ₁."""
    return float(thin_svd(A).singular_values[0])


def gave_the_square(A: Array) -> float:
    """σ²."""
    return answer(A) ** 2


def gave_the_ratio(A: Array) -> float:
    """σ_min/σ₁, the reciprocal of the condition number."""
    sigma = thin_svd(A).singular_values
    return float(sigma[-1] / sigma[0])


def inverted_it(A: Array) -> float:
    """1/σ_min, the norm of the pseudo-inverse."""
    return 1 / answer(A)


def by_scipy(A: Array) -> float:
    """The library."""
    return float(scipy.linalg.svdvals(A).min())


def after_a_qr_step(A: Array) -> float:
    """Triangular first, then the decomposition of the small triangle."""
    tall = A if A.shape[0] >= A.shape[1] else A.T
    return float(np.linalg.svd(np.linalg.qr(tall)[1], compute_uv=False)[-1])


smallest_value = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-svd-squaring-loses-digits",
    tolerance=1e-4,
    misconceptions=(
        Misconception(
            squared_the_matrix,
            hint="Right for an ordinary matrix, but where columns nearly agree the answer drowned in "
            "rounding. What is lost in the computer when a number of size 1e-9 is squared and added to 1?",
            see="thm-svd-squaring-loses-digits",
        ),
        Misconception(
            gave_the_largest,
            hint="This is the largest stretch, not the smallest.",
            see="eq-svd-order",
        ),
        Misconception(
            gave_the_square,
            hint="This is an eigenvalue of a product. How is it related to the singular value?",
            see="eq-svd-thin-products",
        ),
        Misconception(
            gave_the_ratio,
            hint="Your answer does not change when the whole matrix is doubled. A singular value doubles.",
            see="eq-svd-pairs",
        ),
        Misconception(
            inverted_it,
            hint="The smaller the matrix, the larger your answer. It should be the other way round.",
            see="eq-svd-pairs",
        ),
    ),
    alternatives=(by_scipy, after_a_qr_step),
    must_fail=(took_entries_for_positive,),
    hard=hard,
)
