"""Tasks on why no other direction is better, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, one_of, sample_points
from solutions.signs import with_both_signs


@task.code(points=2, minutes=8, see="eq-pca-exchange", picture="bars")
def exchange_step(shares: Array, receiver: int, giver: int) -> Array:
    """a_k + ε, a_k′ − ε with ε = min(1 − a_k, a_k′) (eq-pca-exchange)."""
    return _moved(shares, receiver, giver, min(1 - shares[receiver], shares[giver]))


@exchange_step.draw
def draw_exchange_step(rng: np.random.Generator) -> task.Cases:
    """The receiver is filled, the giver is emptied, both at once, and a giver that has nothing."""
    n, m = one_of(rng, ((5, 6), (6, 7), (6, 5), (7, 5)))
    return {
        "the giver has more than fits": _shares(rng, n, (0.1, 0.3), (0.5, 0.8), late=False),
        "the giver has less than fits": _shares(rng, m, (0.5, 0.8), (0.1, 0.3), late=True),
        "what the giver has fits exactly": _shares(rng, n, (0.4, 0.6), None, late=True),
        "the giver has nothing": _shares(rng, 4, (0.2, 0.6), (0.0, 0.0), late=False),
    }


def _shares(
    rng: np.random.Generator,
    size: int,
    room: tuple[float, float],
    spare: tuple[float, float] | None,
    *,
    late: bool,
) -> task.Inputs:
    """Shares in [0, 1] with this much room at the receiver and this much at the giver; who stands later?"""
    free = np.round(rng.uniform(*room), 2)
    owned = free if spare is None else np.round(rng.uniform(*spare), 2)
    first, second = sorted(rng.choice(np.arange(1, size), size=2, replace=False).tolist())
    receiver, giver = (second, first) if late else (first, second)
    shares = np.zeros(size)
    while not 0.05 < shares[0] < 0.95:
        shares = np.round(rng.uniform(0.1, 0.9, size=size), 2)
        shares[[receiver, giver]] = np.round([1 - free, owned], 2)
        shares[0] = np.round(1 - np.sum(shares[1:]) % 1, 2)  # they add up to a whole number
    return {"shares": shares, "receiver": receiver, "giver": giver}


@exchange_step.hard
def hard_exchange_step(rng: np.random.Generator) -> task.Cases:
    """Two positions, the ends of a long list, a full receiver."""
    return {
        "two positions": {"shares": np.array([0.25, 0.75]), "receiver": 1, "giver": 0},
        "a long list": {
            "shares": np.array([0.5, 0.0, 1.0, 0.25, 0.75, 0.5, 0.0, 0.0]),
            "receiver": 6,
            "giver": 2,
        },
        "a full receiver": {"shares": np.array([0.5, 1.0, 0.5]), "receiver": 1, "giver": 2},
    }


def _moved(shares: Array, receiver: int, giver: int, amount: float) -> Array:
    moved = shares.copy()
    moved[receiver] += amount
    moved[giver] -= amount
    return moved


@exchange_step.wrong(
    "After your step one share can be larger than 1. Which constraint of the linear program does it break?",
    see="eq-pca-lp",
)
def moved_all_the_giver_had(shares: Array, receiver: int, giver: int) -> Array:
    """ε = a_k′: the receiver may overflow."""
    return _moved(shares, receiver, giver, shares[giver])


@exchange_step.wrong(
    "After your step one share can be negative. Which constraint of the linear program does it break?",
    see="eq-pca-lp",
)
def always_filled_the_receiver(shares: Array, receiver: int, giver: int) -> Array:
    """ε = 1 − a_k: the giver may go into debt."""
    return _moved(shares, receiver, giver, 1 - shares[receiver])


@exchange_step.wrong(
    "The shares should add up to the same number before and after the step. Do yours?", see="eq-pca-lp"
)
def forgot_to_take_from_the_giver(shares: Array, receiver: int, giver: int) -> Array:
    """Raise one share and leave the other."""
    moved = exchange_step(shares, receiver, giver)
    moved[giver] = shares[giver]
    return moved


@exchange_step.wrong(
    "Your step lowers the captured variance. Eigenvalues stand in descending order: which of the two positions is "
    "worth more?",
    see="thm-pca-exchange",
)
def moved_it_the_wrong_way(shares: Array, receiver: int, giver: int) -> Array:
    """Give from the strong position to the weak one."""
    return exchange_step(shares, giver, receiver)


@exchange_step.wrong("You made the two shares equal. A step should go on until a constraint forbids more.")
def averaged_the_two(shares: Array, receiver: int, giver: int) -> Array:
    """Make the two shares equal."""
    return _moved(shares, receiver, giver, (shares[giver] - shares[receiver]) / 2)


@exchange_step.wrong(
    "The move is right, but each position is one too small: positions count from 0 here, so `receiver` and `giver` "
    "are indices already.",
)
def counted_positions_from_one(shares: Array, receiver: int, giver: int) -> Array:
    """Both positions one too small."""
    return exchange_step(shares, receiver - 1, giver - 1)


@exchange_step.also
def by_cases(shares: Array, receiver: int, giver: int) -> Array:
    """Fill the receiver or empty the giver, whichever comes first."""
    moved = np.array(shares, dtype=float)
    total = shares[receiver] + shares[giver]
    moved[receiver], moved[giver] = (1, total - 1) if total > 1 else (total, 0)
    return moved


def _along_and_across(p: Array, q: Array, r: Array, t: Array) -> tuple[Array, Array]:
    """vᵀCv and uᵀCv."""
    cosine, sine = np.cos(t), np.sin(t)
    along = p * sine**2 - 2 * r * sine * cosine + q * cosine**2
    across = (q - p) * sine * cosine + r * (cosine**2 - sine**2)
    return along, across


@task.sym(points=2, minutes=10, see="eq-pca-nu")
def multiplier(p: Array, q: Array, r: Array, t: Array) -> Array:
    """ν = −2 uᵀCv (eq-pca-nu)."""
    return -2 * _along_and_across(p, q, r, t)[1]


@multiplier.draw
def draw_multiplier(rng: np.random.Generator) -> task.Cases:
    """Entries of a covariance and an angle."""
    points = sample_points(rng, p=(2.0, 9.0), q=(2.0, 9.0), r=(0.4, 1.6), t=(0.2, 1.3))
    return {"at sample points": with_both_signs(rng, points, *"pqrt")}


@multiplier.wrong(
    "Right up to the sign. Bring the term with ν to the other side once more.",
    see="eq-pca-next-stationarity",
    credit=0.5,
)
def flipped_the_sign(p: Array, q: Array, r: Array, t: Array) -> Array:
    """2 uᵀCv."""
    return -multiplier(p, q, r, t)


@multiplier.wrong(
    "Right up to a factor. The gradient of a quadratic form brings one along.",
    see="eq-pca-next-stationarity",
    credit=0.5,
)
def lost_the_factor_two(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−uᵀCv."""
    return multiplier(p, q, r, t) / 2


@multiplier.wrong(
    "Multiply the whole equation by a vector that isolates ν: with which one does the term in λ vanish and the term "
    "in ν stay?",
    see="eq-pca-next-stationarity",
)
def multiplied_by_the_wrong_vector(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−2 vᵀCv."""
    return -2 * _along_and_across(p, q, r, t)[0]


@multiplier.wrong(
    "This is twice the variance along v. Multiply the equation by a vector with which the term in λ vanishes and the "
    "term in ν stays.",
    see="eq-pca-next-stationarity",
)
def multiplied_by_v_with_a_plus(p: Array, q: Array, r: Array, t: Array) -> Array:
    """2 vᵀCv."""
    return 2 * _along_and_across(p, q, r, t)[0]


@multiplier.wrong(
    "That is what comes out in the end, if u has a certain property. Here u is any unit vector: keep the general "
    "expression.",
    see="thm-pca-next-direction",
)
def assumed_an_eigenvector(p: Array, q: Array, r: Array, t: Array) -> Array:
    """0, which holds only if u is an eigenvector."""
    return np.zeros_like(p)


@multiplier.wrong("The entry r is missing. Multiply out C v in full.")
def treated_the_matrix_as_diagonal(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Without the terms in r."""
    return multiplier(p, q, np.zeros_like(r), t)


@multiplier.wrong(
    "This is the variance along v, which is the other multiplier. Which vector isolates ν?",
    see="eq-pca-next-stationarity",
)
def gave_the_variance_along_v(p: Array, q: Array, r: Array, t: Array) -> Array:
    """vᵀCv, which is λ."""
    return _along_and_across(p, q, r, t)[0]


@multiplier.wrong("Here u stands on both sides of C. The gradient is taken at v, so v stands on one of them.")
def put_u_on_both_sides(p: Array, q: Array, r: Array, t: Array) -> Array:
    """−2 uᵀCu."""
    return -2 * (p * np.cos(t) ** 2 + 2 * r * np.sin(t) * np.cos(t) + q * np.sin(t) ** 2)


@multiplier.wrong(
    "The terms in p and q are right. One of the two terms in r comes from the minus sign of v.", credit=0.5
)
def lost_a_sign_in_the_mixed_term(p: Array, q: Array, r: Array, t: Array) -> Array:
    """r(cos² + sin²) for r(cos² − sin²)."""
    return (p - q) * np.sin(2 * t) - 2 * r


@multiplier.wrong(
    "Put t = 0: then u and v are the coordinate axes, and only the entry r joins them. What does your formula give "
    "there?",
)
def exchanged_sine_and_cosine(p: Array, q: Array, r: Array, t: Array) -> Array:
    """The double angle's cosine where its sine belongs."""
    return (p - q) * np.cos(2 * t) - 2 * r * np.sin(2 * t)


multiplier.also("(p - q)*sin(2*t) - 2*r*cos(2*t)")
