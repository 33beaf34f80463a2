"""Task `exchange_step`: one move of the exchange argument behind the linear program."""

import numpy as np

from autograder.authoring.task import Cases, Inputs, Misconception, Task
from solutions.numbers import Array, one_of


def draw(rng: np.random.Generator) -> Cases:
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
) -> Inputs:
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


def hard(rng: np.random.Generator) -> Cases:
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


def answer(shares: Array, receiver: int, giver: int) -> Array:
    """a_k + ε, a_k′ − ε with ε = min(1 − a_k, a_k′) (eq-pca-exchange)."""
    return _moved(shares, receiver, giver, min(1 - shares[receiver], shares[giver]))


def _moved(shares: Array, receiver: int, giver: int, amount: float) -> Array:
    moved = shares.copy()
    moved[receiver] += amount
    moved[giver] -= amount
    return moved


def moved_all_the_giver_had(shares: Array, receiver: int, giver: int) -> Array:
    """ε = a_k′: the receiver may overflow."""
    return _moved(shares, receiver, giver, shares[giver])


def always_filled_the_receiver(shares: Array, receiver: int, giver: int) -> Array:
    """ε = 1 − a_k: the giver may go into debt."""
    return _moved(shares, receiver, giver, 1 - shares[receiver])


def forgot_to_take_from_the_giver(shares: Array, receiver: int, giver: int) -> Array:
    """Raise one share and leave the other."""
    moved = answer(shares, receiver, giver)
    moved[giver] = shares[giver]
    return moved


def moved_it_the_wrong_way(shares: Array, receiver: int, giver: int) -> Array:
    """Give from the strong position to the weak one."""
    return answer(shares, giver, receiver)


def averaged_the_two(shares: Array, receiver: int, giver: int) -> Array:
    """Make the two shares equal."""
    return _moved(shares, receiver, giver, (shares[giver] - shares[receiver]) / 2)


def by_cases(shares: Array, receiver: int, giver: int) -> Array:
    """Fill the receiver or empty the giver, whichever comes first."""
    moved = np.array(shares, dtype=float)
    total = shares[receiver] + shares[giver]
    moved[receiver], moved[giver] = (1, total - 1) if total > 1 else (total, 0)
    return moved


exchange_step = Task(
    kind="code",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="eq-pca-exchange",
    misconceptions=(
        Misconception(
            moved_all_the_giver_had,
            hint="After your step one share can be larger than 1. Which constraint of the linear program "
            "does it break?",
            see="eq-pca-lp",
        ),
        Misconception(
            always_filled_the_receiver,
            hint="After your step one share can be negative. Which constraint of the linear program does it "
            "break?",
            see="eq-pca-lp",
        ),
        Misconception(
            forgot_to_take_from_the_giver,
            hint="The shares should add up to the same number before and after the step. Do yours?",
            see="eq-pca-lp",
        ),
        Misconception(
            moved_it_the_wrong_way,
            hint="Your step lowers the captured variance. Eigenvalues stand in descending order: which of "
            "the two positions is worth more?",
            see="thm-pca-exchange",
        ),
        Misconception(
            averaged_the_two,
            hint="You made the two shares equal. A step should go on until a constraint forbids more.",
            see="eq-pca-exchange",
        ),
    ),
    alternatives=(by_cases,),
    hard=hard,
    picture="bars",
)
