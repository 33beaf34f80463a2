"""Task `truncation`: strain, kept share and lost squared distances from a spectrum, by hand."""

from functools import cache
from itertools import combinations

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, eq, row, squares, steps, tex, total

Answer = tuple[float, float, float]


@cache
def _choices() -> list[tuple[Array, int]]:
    """Small whole spectra whose kept share is a short decimal and on which no two ways nearly agree."""
    choices = []
    for negative in range(1, 7):
        for smallest, middle, largest in combinations(range(1, 21), 3):
            spectrum = np.array([largest, middle, smallest, 0, -negative], dtype=float)
            choices += [(spectrum, d) for d in (1, 2) if is_fair(spectrum, d)]
    return choices


def is_fair(spectrum: Array, n_components: int) -> bool:
    """Return whether the kept share is a short decimal and no two ways nearly agree on a spectrum."""
    right = truncation(spectrum, n_components)
    if spectrum.sum() <= 0 or len(set(np.abs(spectrum))) < len(spectrum):
        return False
    if not is_short(right[1]) or not 0.05 < right[1] < 0.99 or right[2] == 0:
        return False
    ways = [way(spectrum, n_components) for way in WAYS]
    return all(_differ(one, other) for one, other in combinations(ways, 2))


def _differ(one: Answer, other: Answer) -> bool:
    """Is one of the three numbers visibly another?"""
    return any(are_apart(a, b) for a, b in zip(one, other, strict=True))


@task.hand(
    points=2, minutes=8, see="thm-classical-mds-truncation", parts=("strain", "share", "sum of lost squares")
)
def truncation(spectrum: Array, n_components: int) -> Answer:
    """Σ_{α>d} λ², S_d, and 2N Σ_{α>d} λ (eq-classical-mds-tail, eq-classical-mds-total-loss)."""
    kept, dropped = spectrum[:n_components], spectrum[n_components:]
    total = spectrum @ spectrum
    return float(dropped @ dropped), float(kept @ kept / total), float(2 * len(spectrum) * dropped.sum())


@truncation.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Three positive eigenvalues, the zero of the vector of ones, a negative one."""
    spectrum, n_components = one_of(rng, _choices())
    return {"the numbers of the text": {"spectrum": spectrum, "n_components": n_components}}


@truncation.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """Larger whole spectra on which no two ways nearly agree."""
    while True:
        positive = np.sort(rng.choice(np.arange(1, 41), size=3, replace=False))[::-1]
        spectrum = np.array([*positive, 0, -rng.integers(1, 13)], dtype=float)
        n_components = int(rng.integers(1, 3))
        if is_fair(spectrum, n_components):
            return {"the numbers of the text": {"spectrum": spectrum, "n_components": n_components}}


@truncation.wrong(
    "The negative eigenvalue was left out. No coordinate expresses it, but it is part of G, and of what the map "
    "misses.",
)
def dropped_the_negative_ones(spectrum: Array, n_components: int) -> Answer:
    """As if the negative eigenvalue were zero."""
    return truncation(np.maximum(spectrum, 0), n_components)


@truncation.wrong(
    "The map keeps the largest eigenvalues by value. A negative one is never kept, however large its size: no real "
    "coordinate expresses it.",
)
def chose_by_absolute_value(spectrum: Array, n_components: int) -> Answer:
    """Keep the eigenvalues of largest |λ|, the negative one among them."""
    by_size = spectrum[np.argsort(-np.abs(spectrum), kind="stable")]
    return truncation(by_size, n_components)


@truncation.wrong(
    "Share and lost squares are right. The strain is what the map misses of G, and the negative eigenvalue is part of "
    "that.",
    see="eq-classical-mds-tail",
)
def left_the_negative_out_of_the_strain(spectrum: Array, n_components: int) -> Answer:
    """Only positive eigenvalues in the strain; the rest is right."""
    strain, share, loss = truncation(spectrum, n_components)
    return strain - float(spectrum[-1]) ** 2, share, loss


@truncation.wrong(
    "Strain and lost squares are right. Your share is the rule of PCA, without squares.",
    see="eq-classical-mds-shares",
)
def took_the_share_of_variance(spectrum: Array, n_components: int) -> Answer:
    """P_d in the place of S_d."""
    strain, _, loss = truncation(spectrum, n_components)
    return strain, float(spectrum[:n_components].sum() / spectrum.sum()), loss


@truncation.wrong(
    "Strain and lost squares are right. Your share is what the map misses.", see="eq-classical-mds-shares"
)
def gave_the_lost_share(spectrum: Array, n_components: int) -> Answer:
    """1 − S_d."""
    strain, share, loss = truncation(spectrum, n_components)
    return strain, 1 - share, loss


@truncation.wrong(
    "Share and lost squares are right. The strain is a squared norm.", see="eq-classical-mds-strain"
)
def took_the_root_of_the_strain(spectrum: Array, n_components: int) -> Answer:
    """The norm in the place of its square."""
    strain, share, loss = truncation(spectrum, n_components)
    return float(np.sqrt(strain)), share, loss


@truncation.wrong(
    "Strain and share are right. In the last number nothing is squared, so a negative eigenvalue enters with its "
    "sign.",
    see="eq-classical-mds-total-loss",
)
def counted_absolute_values(spectrum: Array, n_components: int) -> Answer:
    """|λ| in the sum of lost squared distances."""
    strain, share, _ = truncation(spectrum, n_components)
    return strain, share, truncation(np.abs(spectrum), n_components)[2]


@truncation.wrong(
    "Strain and share are right. The sum runs over all i and j, so each pair of points is there twice.",
    see="eq-classical-mds-total-loss",
)
def counted_each_pair_once(spectrum: Array, n_components: int) -> Answer:
    """N in the place of 2N."""
    strain, share, loss = truncation(spectrum, n_components)
    return strain, share, loss / 2


@truncation.wrong(
    "Strain and share are right. In the sum over all i and j every eigenvalue counts once for each point: how many "
    "points are there?",
    see="eq-classical-mds-total-loss",
)
def forgot_the_number_of_points(spectrum: Array, n_components: int) -> Answer:
    """2 in the place of 2N."""
    strain, share, loss = truncation(spectrum, n_components)
    return strain, share, loss / len(spectrum)


@truncation.wrong(
    "Strain and share are right. The last number is the plain sum of what is dropped; the sum over all pairs is 2N "
    "times that.",
    see="eq-classical-mds-total-loss",
)
def gave_the_plain_sum(spectrum: Array, n_components: int) -> Answer:
    """1 in the place of 2N."""
    strain, share, loss = truncation(spectrum, n_components)
    return strain, share, loss / (2 * len(spectrum))


@truncation.wrong(
    "Strain and share are right. Your last number belongs to what the map keeps; what the squared distances lose was "
    "asked for.",
    see="eq-classical-mds-total-loss",
)
def summed_what_is_kept(spectrum: Array, n_components: int) -> Answer:
    """2N times the sum of the kept eigenvalues."""
    strain, share, _ = truncation(spectrum, n_components)
    return strain, share, float(2 * len(spectrum) * spectrum[:n_components].sum())


WAYS = (
    truncation,
    chose_by_absolute_value,
    left_the_negative_out_of_the_strain,
    dropped_the_negative_ones,
    took_the_share_of_variance,
    gave_the_lost_share,
    took_the_root_of_the_strain,
    counted_absolute_values,
    counted_each_pair_once,
)


@truncation.also
def by_subtraction(spectrum: Array, n_components: int) -> Answer:
    """What is lost is all there is minus what is kept."""
    kept, total = spectrum[:n_components], (spectrum**2).sum()
    strain = total - (kept**2).sum()
    return float(strain), float(1 - strain / total), float(2 * 5 * (spectrum.sum() - kept.sum()))


@truncation.worked
def worked(spectrum: Array, n_components: int) -> Worked:
    """Squares of what is dropped, and the plain sum of it."""
    dropped = spectrum[n_components:]
    strain, whole = float(dropped @ dropped), float(spectrum @ spectrum)
    N = len(spectrum)
    return steps(
        rf"The map drops the eigenvalues ${row(dropped)}$.",
        rf"The strain is the sum of their squares: ${squares(dropped)}={tex(strain)}$.",
        rf"$\lVert G\rVert_F^2={squares(spectrum)}={tex(whole)}$, so the kept share is "
        rf"$1-{tex(strain)}/{tex(whole)}{eq(1 - strain / whole)}$.",
        rf"The squared distances lose $2N$ times the sum of what is dropped: "
        rf"$2\cdot{N}\cdot({total(dropped)}){eq(2 * N * dropped.sum())}$.",
    ), (strain, 1 - strain / whole, 2 * N * float(dropped.sum()))
