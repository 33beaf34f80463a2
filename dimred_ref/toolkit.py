"""The linear algebra the course leans on: norms, bases, projectors, eigenpairs, quadratic forms."""

import math

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_matrix, as_square, as_symmetric, as_vector
from dimred_ref._eigen import top_eigenpairs


def pnorm(x: ArrayLike, p: float) -> float:
    """Measure a vector.

        ‖x‖_p = (Σᵢ |xᵢ|ᵖ)^{1/p}          (eq-toolkit-pnorm)
        ‖x‖_∞ = maxᵢ |xᵢ|                 (eq-toolkit-max-norm)
        ‖x‖₀ = #{i : xᵢ ≠ 0}              (eq-toolkit-zero-norm)

    A norm for p ≥ 1 only: below 1 the triangle inequality fails, and at 0 homogeneity.
    """
    moduli = np.abs(as_vector(x, "x"))
    if not (isinstance(p, int | float | np.number) and p >= 0):  # `not >=` also catches nan
        raise ValueError(f"p must be at least 0, got {p}")
    if p == 0:
        return float(np.count_nonzero(moduli))
    largest = float(moduli.max(initial=0.0))
    if largest == 0 or math.isinf(p):
        return largest
    # Powers of ratios: powers of the entries themselves could overflow.
    try:
        return largest * math.pow(float(np.sum((moduli / largest) ** p)), 1 / p)
    except OverflowError as too_small:
        raise ValueError(f"p must be larger for a vector of {len(moduli)} entries, got {p}") from too_small


def induced_norm(A: ArrayLike, p: float) -> float:
    """Return the largest factor by which A stretches a vector, for p = 1, 2 or ∞.

    ‖A‖_p = max_{x≠0} ‖Ax‖_p / ‖x‖_p          (eq-toolkit-induced-norm)
    ‖A‖₁ = maxⱼ Σᵢ |aᵢⱼ|,   ‖A‖_∞ = maxᵢ Σⱼ |aᵢⱼ|,   ‖A‖₂ = σ₁          (eq-toolkit-spectral-norm)
    """
    A = as_matrix(A, "A")
    if p == 1:
        return float(np.abs(A).sum(axis=0).max())
    if p == 2:
        return float(scipy.linalg.svdvals(A)[0])
    if p == math.inf:
        return float(np.abs(A).sum(axis=1).max())
    raise ValueError(f"p must be 1, 2 or inf, got {p}")


def frobenius(A: ArrayLike) -> float:
    """Return the length of A read as one long vector.

    ‖A‖_F = √Σᵢⱼ aᵢⱼ² = √Σᵢ σᵢ²          (eq-toolkit-frobenius)
    """
    return pnorm(as_matrix(A, "A").ravel(), 2)


def orthonormal_basis(A: ArrayLike) -> Array:
    """Return orthonormal columns that span what the columns of A span, as many as the rank.

    QᵀQ = I,   range Q = range A          (eq-toolkit-orthonormal)
    """
    A = as_matrix(A, "A")
    U, sigma, _ = scipy.linalg.svd(A, full_matrices=False)
    rank = np.count_nonzero(sigma > max(A.shape) * np.finfo(float).eps * sigma[0])
    basis: Array = U[:, :rank]
    return basis


def gram_schmidt(A: ArrayLike) -> Array:
    """Straighten independent columns one after the other; each keeps its sign.

        wⱼ = aⱼ − Σ_{i<j} (qᵢᵀaⱼ) qᵢ,   qⱼ = wⱼ / ‖wⱼ‖          (eq-toolkit-gram-schmidt)

    For explaining: when columns are nearly dependent the result is not orthonormal, and `orthonormal_basis` is.
    """
    A = as_matrix(A, "A")
    Q = np.zeros_like(A)
    for j, a in enumerate(A.T):
        made = Q[:, :j]
        w = a - made @ (made.T @ a)
        length = pnorm(w, 2)
        if length <= max(A.shape) * np.finfo(float).eps * pnorm(a, 2):
            raise ValueError(
                f"A must have independent columns, got column {j} in the span of those before it"
            )
        Q[:, j] = w / length
    return Q


def projector(A: ArrayLike) -> Array:
    """Return the orthogonal projector onto the columns of A; it does not depend on their choice.

    P = Q Qᵀ = P² = Pᵀ          (eq-toolkit-projector)
    """
    Q = orthonormal_basis(A)
    onto: Array = Q @ Q.T
    return onto


def quadratic_form(A: ArrayLike, v: ArrayLike) -> float:
    """Return vᵀ A v = Σᵢⱼ aᵢⱼ vᵢ vⱼ.

    vᵀ A v          (eq-toolkit-quadratic-form)
    """
    A = as_square(A, "A")
    v = as_vector(v, "v", length=len(A))
    with np.errstate(over="ignore", invalid="ignore"):
        value = float(v @ A @ v)
    if not math.isfinite(value):
        raise ValueError(
            f"v must be small enough for vᵀAv to be finite, got entries up to {np.abs(v).max():.3g}"
        )
    return value


def quadratic_form_gradient(A: ArrayLike, v: ArrayLike) -> Array:
    """Return the gradient of vᵀAv, which sees only the symmetric part of A.

    ∇(vᵀ A v) = (A + Aᵀ) v          (eq-toolkit-quadratic-gradient)
    """
    A = as_square(A, "A")
    gradient: Array = (A + A.T) @ as_vector(v, "v", length=len(A))
    return gradient


def rayleigh_quotient(A: ArrayLike, v: ArrayLike) -> float:
    """Return the quadratic form of the direction of v.

        R(v) = vᵀ A v / vᵀ v          (eq-toolkit-rayleigh)

    For a symmetric A it lies between the smallest and the largest eigenvalue, and reaches both.
    For another A it need not: take A = [[1, 10], [0, 1]].
    """
    direction = as_vector(v, "v")
    length = pnorm(direction, 2)
    if length == 0:
        raise ValueError("v must not be the zero vector")
    return quadratic_form(A, direction / length)


def eigenpairs(A: ArrayLike) -> tuple[Array, Array]:
    """Return all eigenvalues of a symmetric matrix, descending, and orthonormal eigenvectors as columns.

    A vⱼ = λⱼ vⱼ,   λ₁ ≥ λ₂ ≥ …          (eq-toolkit-eigenpairs)
    """
    A = as_symmetric(A, "A")
    return top_eigenpairs(A, len(A))


def is_positive_semidefinite(A: ArrayLike) -> bool:
    """Tell whether vᵀAv ≥ 0 for every v, that is, whether no eigenvalue is negative beyond rounding.

    vᵀ A v ≥ 0 for all v   ⇔   λ_min ≥ 0          (eq-toolkit-semidefinite)
    """
    eigenvalues, _ = eigenpairs(A)
    rounding = len(eigenvalues) * np.finfo(float).eps * float(np.abs(eigenvalues).max())
    return bool(eigenvalues[-1] >= -rounding)


def is_orthonormal(V: ArrayLike) -> bool:
    """Tell whether the columns of V are unit vectors, orthogonal to one another, to 1e-8.

    VᵀV = I          (eq-toolkit-orthonormal)
    """
    V = as_matrix(V, "V")
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.abs(V.T @ V - np.eye(V.shape[1])).max() <= 1e-8)
