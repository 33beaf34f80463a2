"""Task `truncation`: strain, kept share and lost squared distances from a spectrum, by hand."""

from functools import cache
from itertools import combinations

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, are_apart, is_short, one_of

Answer = tuple[float, float, float]


def draw(rng: np.random.Generator) -> Cases:
    """Three positive eigenvalues, the zero of the vector of ones, a negative one."""
    spectrum, n_components = one_of(rng, _choices())
    return {"the numbers of the text": {"spectrum": spectrum, "n_components": n_components}}


@cache
def _choices() -> list[tuple[Array, int]]:
    """Small whole spectra whose kept share is a short decimal and on which no two ways nearly agree."""
    choices = []
    for negative in range(1, 7):
        for smallest, middle, largest in combinations(range(1, 21), 3):
            spectrum = np.array([largest, middle, smallest, 0, -negative], dtype=float)
            choices += [(spectrum, d) for d in (1, 2) if _is_fair(spectrum, d)]
    return choices


def _is_fair(spectrum: Array, n_components: int) -> bool:
    right = answer(spectrum, n_components)
    if spectrum.sum() <= 0:
        return False
    if not is_short(right[1]) or not 0.05 < right[1] < 0.99 or right[2] == 0:
        return False
    ways = [way(spectrum, n_components) for way in WAYS]
    return all(_differ(one, other) for one, other in combinations(ways, 2))


def _differ(one: Answer, other: Answer) -> bool:
    """Is one of the three numbers visibly another?"""
    return any(are_apart(a, b) for a, b in zip(one, other, strict=True))


def answer(spectrum: Array, n_components: int) -> Answer:
    """Σ_{α>d} λ², S_d, and 2N Σ_{α>d} λ (eq-classical-mds-tail, eq-classical-mds-total-loss)."""
    kept, dropped = spectrum[:n_components], spectrum[n_components:]
    total = spectrum @ spectrum
    return float(dropped @ dropped), float(kept @ kept / total), float(2 * len(spectrum) * dropped.sum())


def dropped_the_negative_ones(spectrum: Array, n_components: int) -> Answer:
    """As if the negative eigenvalue were zero."""
    return answer(np.maximum(spectrum, 0), n_components)


def took_the_share_of_variance(spectrum: Array, n_components: int) -> Answer:
    """P_d in the place of S_d."""
    strain, _, loss = answer(spectrum, n_components)
    return strain, float(spectrum[:n_components].sum() / spectrum.sum()), loss


def gave_the_lost_share(spectrum: Array, n_components: int) -> Answer:
    """1 − S_d."""
    strain, share, loss = answer(spectrum, n_components)
    return strain, 1 - share, loss


def took_the_root_of_the_strain(spectrum: Array, n_components: int) -> Answer:
    """The norm in the place of its square."""
    strain, share, loss = answer(spectrum, n_components)
    return float(np.sqrt(strain)), share, loss


def counted_absolute_values(spectrum: Array, n_components: int) -> Answer:
    """|λ| in the sum of lost squared distances."""
    strain, share, _ = answer(spectrum, n_components)
    return strain, share, answer(np.abs(spectrum), n_components)[2]


def counted_each_pair_once(spectrum: Array, n_components: int) -> Answer:
    """N in the place of 2N."""
    strain, share, loss = answer(spectrum, n_components)
    return strain, share, loss / 2


WAYS = (
    answer,
    dropped_the_negative_ones,
    took_the_share_of_variance,
    gave_the_lost_share,
    took_the_root_of_the_strain,
    counted_absolute_values,
    counted_each_pair_once,
)


def by_subtraction(spectrum: Array, n_components: int) -> Answer:
    """What is lost is all there is minus what is kept."""
    kept, total = spectrum[:n_components], (spectrum**2).sum()
    strain = total - (kept**2).sum()
    return float(strain), float(1 - strain / total), float(2 * 5 * (spectrum.sum() - kept.sum()))


truncation = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-classical-mds-truncation",
    parts=("strain", "share", "sum of lost squares"),
    same=(exactly, exactly, exactly),
    misconceptions=(
        Misconception(
            dropped_the_negative_ones,
            hint="The negative eigenvalue was left out. No coordinate expresses it, but it is part of G, and of "
            "what the map misses.",
            see="thm-classical-mds-truncation",
        ),
        Misconception(
            took_the_share_of_variance,
            hint="Strain and lost squares are right. Your share is the rule of PCA, without squares.",
            see="eq-classical-mds-shares",
        ),
        Misconception(
            gave_the_lost_share,
            hint="Strain and lost squares are right. Your share is what the map misses.",
            see="eq-classical-mds-shares",
        ),
        Misconception(
            took_the_root_of_the_strain,
            hint="Share and lost squares are right. The strain is a squared norm.",
            see="eq-classical-mds-strain",
        ),
        Misconception(
            counted_absolute_values,
            hint="Strain and share are right. In the last number nothing is squared, so a negative eigenvalue "
            "enters with its sign.",
            see="eq-classical-mds-total-loss",
        ),
        Misconception(
            counted_each_pair_once,
            hint="Strain and share are right. The sum runs over all i and j, so each pair of points is there "
            "twice.",
            see="eq-classical-mds-total-loss",
        ),
    ),
    alternatives=(by_subtraction,),
)
