"""Task `exchange_step`: one move of the exchange argument behind the linear program."""

import numpy as np

from autograder.authoring.task import Cases, Inputs, Misconception, Task
from solutions.numbers import Array

N_POSITIONS = 5
N_KEPT = 2


def draw(rng: np.random.Generator) -> Cases:
    """The receiver is filled, the giver is emptied, and a giver that has nothing."""
    return {
        "the giver has more than fits": _shares(rng, room=(0.1, 0.3), spare=(0.5, 0.8)),
        "the giver has less than fits": _shares(rng, room=(0.5, 0.8), spare=(0.1, 0.3)),
        "the giver has nothing": _shares(rng, room=(0.2, 0.6), spare=(0.0, 0.0)),
    }


def _shares(rng: np.random.Generator, room: tuple[float, float], spare: tuple[float, float]) -> Inputs:
    """Shares in [0, 1] that sum to N_KEPT, with this much room at the receiver and this much at the giver."""
    receiver = int(rng.integers(N_KEPT))
    giver = int(rng.integers(N_KEPT, N_POSITIONS))
    full, owned = 1 - np.round(rng.uniform(*room), 2), np.round(rng.uniform(*spare), 2)
    others = np.full(3, -1.0)
    while others.min() < 0.05 or others.max() > 0.95:
        first, second = np.round(rng.uniform(0.05, 0.95, size=2), 2)
        others = np.array([first, second, N_KEPT - full - owned - first - second])
    shares = np.insert(others, 0, full) if receiver == 0 else np.insert(others, 1, full)
    shares = np.round(np.insert(shares, giver, owned), 2)
    return {"shares": shares, "receiver": receiver, "giver": giver}


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
    picture="bars",
)
