"""Tasks on the axes of small covariance matrices, with a pencil."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.pca import deflated
from solutions.numbers import SMALLEST_RATIO, Array, are_apart, is_short, one_of, orthonormal_columns
from solutions.steps import Worked, bracketed, eq, pair_of, row, steps, tex

Answer = tuple[Array, float]
DIRECTIONS = ((1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1), (1, -3), (3, -1))


@cache
def _choices() -> list[Array]:
    """Every such matrix with small entries, a short share, and shares that differ from mistake to mistake."""
    choices = []
    for q, b, t in product(DIRECTIONS, range(1, 13), range(1, 7)):
        C = b * np.eye(2) + t * np.outer(q, q)
        large, small = b + t * (q[0] ** 2 + q[1] ** 2), b
        if large < SMALLEST_RATIO * small or C.max() > 40 or not is_short(large / (large + small)):
            continue
        if are_apart(*(way(C)[1] for way in WAYS)):
            choices.append(C)
    return choices


@task.hand(
    points=2,
    minutes=10,
    see="thm-pca-first-direction",
    same=(up_to_direction, exactly),
    parts=("the direction", "the share"),
)
def first_component(C: Array) -> Answer:
    """The eigenvector of the larger eigenvalue, and λ₁/(λ₁ + λ₂) (thm-pca-first-direction)."""
    (_, large), vectors = np.linalg.eigh(C)
    return vectors[:, 1], float(large / np.trace(C))


@first_component.draw
def draw_first_component(rng: np.random.Generator) -> task.Cases:
    """C = b I + t q qᵀ: whole-number eigenvalues b + t‖q‖² along q and b across it."""
    return {"the numbers of the text": {"C": one_of(rng, _choices())}}


MORE = ((2, 3), (3, 2), (2, -3), (3, -2), (1, 4), (4, 1), (1, -4), (4, -1))


@cache
def _covariances() -> list[Array]:
    found = []
    for q, small, t in product((*DIRECTIONS, *MORE), range(1, 25), range(1, 10)):
        C = small * np.eye(2) + t * np.outer(q, q)
        large = small + t * (q[0] ** 2 + q[1] ** 2)
        if large >= SMALLEST_RATIO * small and C.max() <= 99 and is_short(large / (large + small)):
            found.append(C)
    return found


@first_component.practice_draw
def practice_draw_first_component(rng: np.random.Generator) -> task.Cases:
    """More directions and larger variances."""
    return {"the numbers of the text": {"C": one_of(rng, _covariances())}}


@first_component.wrong(
    "Along this direction the data vary least. Which eigenvalue belongs to the first principal component?"
)
def chose_the_smaller_eigenvalue(C: Array) -> Answer:
    """The direction of least variance, and its share."""
    (small, _), vectors = np.linalg.eigh(C)
    return vectors[:, 0], float(small / np.trace(C))


@first_component.wrong(
    "The share is right, but the direction belongs to the other eigenvalue. Multiply C by your direction and see how "
    "long it becomes.",
    see="eq-pca-eigenproblem",
    credit=0.5,
)
def mixed_the_two_axes(C: Array) -> Answer:
    """The larger share, but the eigenvector of the smaller eigenvalue."""
    return chose_the_smaller_eigenvalue(C)[0], first_component(C)[1]


@first_component.wrong(
    "The direction is right. The eigenvalues of C are variances already: nothing is left to square.",
    see="eq-pca-captured",
    credit=0.5,
)
def squared_the_eigenvalues(C: Array) -> Answer:
    """λ₁²/(λ₁² + λ₂²)."""
    direction, _ = first_component(C)
    return direction, first_component(C @ C)[1]


@first_component.wrong(
    "The direction is right. Variances of uncorrelated parts add up; their square roots do not.",
    see="eq-pca-captured",
    credit=0.5,
)
def took_square_roots(C: Array) -> Answer:
    """√λ₁/(√λ₁ + √λ₂)."""
    roots = np.sqrt(np.linalg.eigvalsh(C))
    return first_component(C)[0], float(roots[1] / roots.sum())


@first_component.wrong(
    "The direction is right. A share is a part of the whole, not of the rest.",
    see="eq-pca-captured",
    credit=0.5,
)
def compared_with_the_other_axis(C: Array) -> Answer:
    """λ₁/λ₂."""
    small, large = np.linalg.eigvalsh(C)
    return first_component(C)[0], float(large / small)


@first_component.wrong(
    "The share is right. Multiply C by your direction: does the result point the same way? Look for a lost sign.",
    see="eq-pca-eigenproblem",
    credit=0.5,
)
def lost_a_sign(C: Array) -> Answer:
    """The right share, and (v₁, −v₂) for the direction."""
    direction, share = first_component(C)
    return direction * np.array([1.0, -1.0]), share


@first_component.wrong(
    "You chose the feature with the larger variance. That is an axis of the data only if the entries off the diagonal "
    "vanish.",
    see="eq-pca-eigenproblem",
)
def read_the_diagonal(C: Array) -> Answer:
    """The feature of largest variance, as if C were diagonal."""
    variances = np.diag(C)
    return np.eye(2)[variances.argmax()], float(variances.max() / variances.sum())


@first_component.wrong(
    "The direction is right. This is the variance along it; divide by the total to have a share."
)
def gave_the_variance(C: Array) -> Answer:
    """λ₁ in the place of its share."""
    return first_component(C)[0], float(np.linalg.eigvalsh(C)[1])


@first_component.also
def from_trace_and_determinant(C: Array) -> Answer:
    """λ₁ from the quadratic equation, v = (C₁₂, λ₁ − C₁₁)."""
    half, determinant = np.trace(C) / 2, C[0, 0] * C[1, 1] - C[0, 1] ** 2
    large = half + np.sqrt(half**2 - determinant)
    return np.array([C[0, 1], large - C[0, 0]]), float(large / (2 * half))


WAYS = (
    first_component,
    chose_the_smaller_eigenvalue,
    squared_the_eigenvalues,
    took_square_roots,
    compared_with_the_other_axis,
    read_the_diagonal,
)


@first_component.worked
def worked_first_component(C: Array) -> Worked:
    """The quadratic equation, then one row of (C − λ₁I)v = 0."""
    text, large, small, v = pair_of(C)
    share = large / (large + small)
    return steps(
        rf"The trace is ${tex(C[0, 0] + C[1, 1])}$, the determinant ${tex(np.linalg.det(C))}$: {text}.",
        rf"The first row of $(C-\lambda_1I)v=0$ is ${bracketed(C[0, 0] - large)}v_1+{bracketed(C[0, 1])}v_2=0$, "
        rf"solved by $v={row(v)}$. Check: $Cv={row(C @ v)}={tex(large)}\,v$.",
        rf"The share is $\dfrac{{\lambda_1}}{{\lambda_1+\lambda_2}}"
        rf"=\dfrac{{{tex(large)}}}{{{tex(large + small)}}}{eq(share)}$.",
    ), (v, share)


SPECTRA = ((9.0, 4.0, 2.0), (8.0, 5.0, 2.0), (10.0, 6.0, 3.0), (12.0, 5.0, 3.0))
SPACE_DIRECTIONS = ((1.0, 2.0, 2.0), (2.0, -1.0, 2.0), (-2.0, 2.0, 1.0), (2.0, 1.0, -2.0))


@task.code(points=2, minutes=10, see="eq-pca-deflation")
def deflate(C: Array, v: Array) -> Array:
    """C′ = (I − vvᵀ) C (I − vvᵀ) for the unit vector along v (eq-pca-deflation)."""
    return deflated(C, v)


@deflate.draw
def draw_deflate(rng: np.random.Generator) -> task.Cases:
    """The first eigenvector, another unit vector, and a direction of another length."""
    bases = [orthonormal_columns(rng, 3, 3) for _ in range(3)]
    covariances = [np.round((Q * one_of(rng, SPECTRA)) @ Q.T, 6) for Q in bases]
    tilted = orthonormal_columns(rng, 3, 1)[:, 0]
    while np.abs(bases[1].T @ tilted).max() > 0.95:  # too close to an eigenvector to tell the two apart
        tilted = orthonormal_columns(rng, 3, 1)[:, 0]
    long, short = np.array(one_of(rng, SPACE_DIRECTIONS)), orthonormal_columns(rng, 4, 1)[:, 0] / 4
    larger = orthonormal_columns(rng, 4, 4)
    while np.abs(larger.T @ short).max() > 0.22:  # nearly an eigenvector
        larger = orthonormal_columns(rng, 4, 4)
    return {
        "the strongest eigenvector": {"C": covariances[0], "v": bases[0][:, 0]},
        "a unit vector that is no eigenvector": {"C": covariances[1], "v": tilted},
        "a long direction": {"C": covariances[2], "v": long},
        "four features, a short direction": {
            "C": 1e-12 * np.round((larger * np.array([9.0, 5.0, 3.0, 1.0])) @ larger.T, 6),
            "v": short,
        },
    }


@deflate.hard
def hard_deflate(rng: np.random.Generator) -> task.Cases:
    """Two features, five, whole numbers as integers, other units."""
    return {
        "two features": {"C": np.array([[4.5, -1.5], [-1.5, 2.0]]), "v": np.array([0.5, 0.25])},
        "five features": {"C": np.diag([5.0, 4.0, 3.0, 2.0, 1.0]), "v": np.array([1.0, -1.0, 2.0, 0.0, 0.5])},
        "integers": {"C": np.array([[5, 2], [2, 3]]), "v": np.array([1, -2])},
        "small units": {"C": 1e-12 * np.array([[5.0, 2.0], [2.0, 3.0]]), "v": np.array([3e-6, 1e-6])},
    }


@deflate.ill_posed
def is_ill_posed(C: Array, v: Array) -> str | None:
    """The direction must have variance to remove."""
    return "there is no variance along v" if v @ C @ v < 0.01 * np.trace(C) * (v @ v) else None


def _onto(v: Array) -> Array:
    return np.outer(v, v) / (v @ v)


@deflate.wrong("What is left varies only along v. Deflation should leave everything except v.")
def projected_on_the_direction(C: Array, v: Array) -> Array:
    """Keep the variance along v and drop the rest."""
    return _onto(v) @ C @ _onto(v)


@deflate.wrong(
    "Your result is not symmetric in general, so it is not a covariance. When every sample is projected, on how many "
    "sides of C does the projector appear?",
)
def removed_it_on_one_side_only(C: Array, v: Array) -> Array:
    """Multiply by I − P once."""
    return C - _onto(v) @ C


@deflate.wrong(
    "You remove the same amount whatever the variance along v is. Multiply your result by v: what should come out?",
    see="thm-pca-deflation",
)
def subtracted_the_bare_direction(C: Array, v: Array) -> Array:
    """Subtract vvᵀ without its variance."""
    return C - _onto(v)


@deflate.wrong(
    "This shortcut is right for an eigenvector. For another direction v still covaries with the rest: multiply your "
    "result by v and look.",
    see="thm-pca-deflation",
)
def took_it_for_an_eigenvector(C: Array, v: Array) -> Array:
    """Subtract (vᵀCv) vvᵀ, which removes the direction only if it is an eigenvector."""
    P = _onto(v)
    return C - np.trace(P @ C) * P


@deflate.wrong("v vᵀ is a projector only if v has a certain length. Does every v here have it?")
def forgot_to_normalise(C: Array, v: Array) -> Array:
    """Use vvᵀ as a projector whatever the length of v."""
    complement = np.eye(len(C)) - np.outer(v, v)
    return complement @ C @ complement


@deflate.wrong(
    "What can be predicted from the score along v was removed everywhere, by a regression. Only the component along v "
    "is to go.",
)
def removed_what_v_predicts(C: Array, v: Array) -> Array:
    """C − Cvvᵀ C/(vᵀCv)."""
    return C - np.outer(C @ v, C @ v) / float(v @ C @ v)


@deflate.wrong(
    "The strongest eigenvector was removed, whatever v is. Here v is given, and it need not be an eigenvector.",
)
def removed_the_strongest_axis(C: Array, v: Array) -> Array:
    """Deflation by the first eigenvector."""
    u = np.linalg.eigh(C)[1][:, -1]
    without_u = np.eye(len(C)) - np.outer(u, u)
    return without_u @ C @ without_u


@deflate.also
def term_by_term(C: Array, v: Array) -> Array:
    """C − P C − C P + P C P."""
    u = v / np.linalg.norm(v)
    image = C @ u
    return C - np.outer(u, image) - np.outer(image, u) + (u @ image) * np.outer(u, u)


@deflate.also
def through_a_basis_of_the_complement(C: Array, v: Array) -> Array:
    """W (WᵀCW) Wᵀ with W orthonormal and orthogonal to v."""
    W = np.linalg.svd(v[None, :])[2][1:].T
    return W @ (W.T @ C @ W) @ W.T


def _is_no_eigenvector(C: Array, v: Array) -> bool:
    image = C @ v
    return not np.allclose(image * (v @ v), (image @ v) * v, rtol=1e-3)


deflate.announces(
    "need not be an eigenvector, nor have length one",
    "a unit vector that is no eigenvector",
    _is_no_eigenvector,
)
deflate.announces(
    "need not be an eigenvector, nor have length one", "a long direction", lambda C, v: v @ v > 1.5
)
deflate.announces(
    "need not be an eigenvector, nor have length one",
    "four features, a short direction",
    lambda C, v: v @ v < 0.5,
)
