"""Slips: mistakes that can happen in any task, each with a sentence.

An *answer slip* changes the right answer (doubled, transposed, in reversed order). An *input slip* changes the
arguments of the reference (a table transposed, two numbers exchanged). An *edit* changes one place of a correct program
(a factor left out). A wrong answer is compared with these and with the task's own misconceptions. Nothing here depends
on a subject. A course adds its own slips in `solutions/slips.py`.

A slip is known by its name: `answer:doubled`, `input:X:transposed`, `edit:factor left out`. Keys hold names and traces
or fingerprints of what each slip gives on the key's cases. The sentences are looked up here, with `{it}` for the answer
or its wrong part.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.answers.arrays import Array

Sizes = Mapping[str, float]


class NotApplicableError(ValueError):
    """The slip is not defined for this answer or this input."""


@dataclass(frozen=True)
class AnswerSlip:
    """A change of one part of the right answer.

    `change(part, sizes)` gets the counts that the inputs show.
    """

    name: str
    sentence: str
    change: Callable[[Array, Sizes], Array]


@dataclass(frozen=True)
class InputSlip:
    """A change of one argument before the reference is called.

    The sentence has `{what}` for the argument's name. `see` is the label of a page that helps, if a course knows one.
    `rows_added` says that the change appends rows, so that only as many leading rows of the answer count as the right
    answer has. `moot_under` is a change of all tables of the same width at once. If it does not change the right
    answer, the slip is left out, because its sentence would be false. For example, if moving all samples changes
    nothing, centring them is no mistake.
    """

    name: str
    sentence: str
    change: Callable[[Array], Array]
    see: str = ""
    rows_added: bool = False
    moot_under: Callable[[Array], Array] | None = None


def _require(condition: bool) -> None:
    if not condition:
        raise NotApplicableError


def _require_vector(r: Array) -> Array:
    _require(r.ndim >= 1 and r.shape[-1] >= 2)
    return r


def _require_axis(r: Array) -> Array:
    _require(r.ndim >= 1)
    return r


def _require_three_entries(r: Array) -> Array:
    _require(r.ndim >= 1 and r.shape[-1] >= 3)  # fewer than three entries match too many slips by chance
    return r


def _require_matrix(r: Array) -> Array:
    _require(r.ndim == 2 and r.size >= 2)
    return r


def _require_square(r: Array) -> Array:
    _require(r.ndim == 2 and r.shape[0] == r.shape[1] >= 2)
    return r


def _multiply_by(factor: float) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: r * factor


def _with_count(name: str, change: Callable[[Array, float], Array]) -> Callable[[Array, Sizes], Array]:
    def changed(r: Array, sizes: Sizes) -> Array:
        _require(name in sizes and sizes[name] > 1)
        return change(r, sizes[name])

    return changed


def _without_sizes(change: Callable[[Array], object]) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: np.asarray(change(r))


def _of_formula_list(change: Callable[[Array], object]) -> Callable[[Array, Sizes], Array]:
    def changed(r: Array, sizes: Sizes) -> Array:
        _require(r.ndim >= 2)
        return np.asarray(change(r))

    return changed


def _of_vector(reduce: Callable[[Array], object]) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: np.asarray(reduce(_require_vector(r)))


FACTORS = (
    ("doubled", "{it} is twice what it should be.", 2.0),
    ("halved", "{it} is half of what it should be.", 0.5),
    ("times 4", "{it} is four times what it should be.", 4.0),
    ("a quarter", "{it} is a quarter of what it should be.", 0.25),
    ("times 3", "{it} is three times what it should be.", 3.0),
    ("a third", "{it} is a third of what it should be.", 1 / 3),
    ("times root 2", "{it} is √2 times what it should be.", 2**0.5),
    ("over root 2", "{it} is what it should be, divided by √2.", 0.5**0.5),
    ("times pi", "{it} is π times what it should be.", np.pi),
    ("over pi", "{it} is what it should be, divided by π.", 1 / np.pi),
    ("in percent", "{it} is a hundred times what it should be: were percent asked for?", 100.0),
    ("negated", "{it} has the right size and the wrong sign.", -1.0),
    ("negated and doubled", "{it} is −2 times what it should be.", -2.0),
)
CountSlip = tuple[
    str, Callable[..., Any], str
]  # its name, the change of an answer by the count n, its sentence
COUNT_SLIPS: tuple[CountSlip, ...] = (
    ("times {n}", lambda r, n: r * n, "{it} is n times what it should be, n being {n}"),
    ("over {n}", lambda r, n: r / n, "{it} is what it should be divided by n, n being {n}"),
    ("times {n} - 1", lambda r, n: r * (n - 1), "{it} is n − 1 times what it should be, n being {n}"),
    ("over {n} - 1", lambda r, n: r / (n - 1), "{it} is what it should be divided by n − 1, n being {n}"),
    (
        "{n} - 1 for {n}",
        lambda r, n: r * n / (n - 1),
        "{it} is n/(n − 1) times what it should be, n being {n}",
    ),
    (
        "{n} for {n} - 1",
        lambda r, n: r * (n - 1) / n,
        "{it} is (n − 1)/n times what it should be, n being {n}",
    ),
    (
        "root, {n} - 1 for {n}",
        lambda r, n: r * (n / (n - 1)) ** 0.5,
        "{it} is √(n/(n − 1)) times what it should be, n being {n}",
    ),
    (
        "root, {n} for {n} - 1",
        lambda r, n: r * ((n - 1) / n) ** 0.5,
        "{it} is √((n − 1)/n) times what it should be, n being {n}",
    ),
    ("times root of {n}", lambda r, n: r * n**0.5, "{it} is √n times what it should be, n being {n}"),
    ("over root of {n}", lambda r, n: r / n**0.5, "{it} is what it should be divided by √n, n being {n}"),
)
# There is one set of small numbers, so (n − 1)/n, the root of n and the like would agree by chance.
COUNTS_BY_HAND = tuple(row for row in COUNT_SLIPS if row[0] in ("times {n}", "over {n}", "{n} - 1 for {n}"))
COUNTED_ARGUMENTS = {
    "rows": "the number of rows",
    "columns": "the number of columns",
    "length": "the number of entries",
}
ENTRYWISE = (
    ("squared", "{it} is the square of what it should be.", lambda r: r**2),
    ("root", "{it} is the square root of what it should be.", np.sqrt),
    ("reciprocal", "{it} is upside down: one divided by what it should be.", lambda r: 1 / r),
    ("fourth power", "{it} is the fourth power of what it should be.", lambda r: r**4),
    (
        "root of the reciprocal",
        "{it} is one divided by the root of what it should be.",
        lambda r: 1 / np.sqrt(r),
    ),
    ("absolute value", "{it} has the right size, but a minus sign is lost.", np.abs),
    ("complement", "{it} is 1 minus what it should be.", lambda r: 1 - r),
    ("one too many", "{it} is too large by exactly one.", lambda r: r + 1),
    ("one too few", "{it} is too small by exactly one.", lambda r: r - 1),
    ("rounded", "{it} is the right one rounded to whole numbers.", np.round),
    ("rounded down", "{it} is the right one cut to whole numbers.", np.floor),
    ("rounded up", "{it} is the right one rounded up to whole numbers.", np.ceil),
    ("logarithm", "{it} is the logarithm of what it should be.", np.log),
    ("exponential", "{it} is the exponential of what it should be.", np.exp),
    ("zero", "All entries of {it} are zero; the right ones are not.", np.zeros_like),
    ("one", "All entries of {it} are 1; the right ones are not.", np.ones_like),
    (
        "no negative",
        "{it} is right where it is positive; negative entries were set to zero.",
        lambda r: np.maximum(r, 0),
    ),
)
ORDERED = (  # a list of one entry is the same in every order
    ("reversed", "{it} holds the right entries in reversed order.", lambda r: _require_axis(r)[..., ::-1]),
    (
        "ascending",
        "{it} holds the right entries, sorted from small to large.",
        lambda r: np.sort(_require_axis(r), -1),
    ),
    (
        "descending",
        "{it} holds the right entries, sorted from large to small.",
        lambda r: -np.sort(-_require_axis(r), -1),
    ),
    (
        "shifted on",
        "{it} holds the right entries, moved by one place.",
        lambda r: np.roll(_require_axis(r), 1, -1),
    ),
    (
        "shifted back",
        "{it} holds the right entries, moved by one place.",
        lambda r: np.roll(_require_axis(r), -1, -1),
    ),
    (
        "first two swapped",
        "In {it} the first two entries are exchanged.",
        lambda r: r[..., [1, 0, *range(2, _require_vector(r).shape[-1])]],
    ),
    (
        "running totals",
        "{it} holds running totals of the right entries.",
        lambda r: np.cumsum(_require_three_entries(r), -1),
    ),
    (
        "differences",
        "{it} holds the differences of neighbouring right entries.",
        lambda r: np.diff(_require_three_entries(r), axis=-1, prepend=0),
    ),
    ("last left out", "{it} lacks its last entry.", lambda r: _require_vector(r)[..., :-1]),
    ("first left out", "{it} lacks its first entry.", lambda r: _require_vector(r)[..., 1:]),
)
ENTRIES_KEPT: dict[str, tuple[str, Any]] = {
    "sum": ("{it} is the sum of the right entries, one number for all of them.", np.sum),
    "mean": ("{it} is the mean of the right entries, one number for all of them.", np.mean),
    "largest": ("{it} is the largest of the right entries, one number for all of them.", np.max),
    "smallest": ("{it} is the smallest of the right entries, one number for all of them.", np.min),
    "length": ("{it} is the length of the right vector, one number for all its entries.", np.linalg.norm),
    "sum of squares": ("{it} is the sum of the squares of the right entries.", lambda r: np.sum(r**2)),
    "mean of squares": ("{it} is the mean of the squares of the right entries.", lambda r: np.mean(r**2)),
}
MATRIX_SLIPS = (
    ("transposed", "{it} is transposed: rows and columns are exchanged.", lambda r: _require_matrix(r).T),
    ("rows reversed", "{it} has the right rows in reversed order.", lambda r: _require_matrix(r)[::-1]),
    (
        "columns reversed",
        "{it} has the right columns in reversed order.",
        lambda r: _require_matrix(r)[:, ::-1],
    ),
    (
        "columns of length one",
        "{it} has the right columns, but each was scaled to length one.",
        lambda r: _require_matrix(r) / np.linalg.norm(r, axis=0),
    ),
    (
        "rows of length one",
        "{it} has the right rows, but each was scaled to length one.",
        lambda r: _require_matrix(r) / np.linalg.norm(r, axis=1, keepdims=True),
    ),
    (
        "columns moved to mean zero",
        "{it} is right but for a shift: each column was moved to mean zero.",
        lambda r: _require_matrix(r) - r.mean(axis=0),
    ),
    (
        "columns scaled to variance one",
        "{it} has the right columns, but each was scaled to variance one.",
        lambda r: _require_matrix(r) / r.std(axis=0),
    ),
    (
        "diagonal only",
        "{it} is right on the diagonal; everything beside the diagonal is zero.",
        lambda r: np.diag(np.diag(_require_square(r))),
    ),
    (
        "diagonal as a list",
        "{it} holds only the diagonal of the right matrix.",
        lambda r: np.diag(_require_square(r)),
    ),
    (
        "diagonal left out",
        "{it} is right beside the diagonal; the diagonal is zero.",
        lambda r: r - np.diag(np.diag(_require_square(r))),
    ),
    ("trace", "{it} is the sum of the diagonal of the right matrix.", lambda r: np.trace(_require_square(r))),
    ("inverse", "{it} is the inverse of the right matrix.", lambda r: np.linalg.inv(_require_square(r))),
    (
        "identity minus it",
        "{it} is the identity minus the right matrix.",
        lambda r: np.eye(len(_require_square(r))) - r,
    ),
    ("matrix squared", "{it} is the right matrix multiplied by itself.", lambda r: _require_square(r) @ r),
    (
        "diagonal scaled to one",
        "{it} is the right matrix, scaled so that its diagonal is one.",
        lambda r: _require_square(r) / np.sqrt(np.outer(np.diag(r), np.diag(r))),
    ),
    ("last row left out", "{it} lacks its last row.", lambda r: _require_matrix(r)[:-1]),
    ("first row left out", "{it} lacks its first row.", lambda r: _require_matrix(r)[1:]),
    ("last column left out", "{it} lacks its last column.", lambda r: _require_matrix(r)[:, :-1]),
    ("first column left out", "{it} lacks its first column.", lambda r: _require_matrix(r)[:, 1:]),
    ("flattened", "{it} is one long list instead of a table.", lambda r: _require_matrix(r).ravel()),
    (
        "summed over rows",
        "{it} holds the column sums of the right table.",
        lambda r: _require_matrix(r).sum(0),
    ),
    (
        "summed over columns",
        "{it} holds the row sums of the right table.",
        lambda r: _require_matrix(r).sum(1),
    ),
)
VECTOR_SLIPS = (
    ("length one", "{it} was scaled to length one.", lambda r: _require_vector(r) / np.linalg.norm(r)),
    ("sum one", "{it} was scaled so that its entries add up to one.", lambda r: _require_vector(r) / r.sum()),
    (
        "largest one",
        "{it} was scaled so that its largest entry is one.",
        lambda r: _require_vector(r) / np.abs(r).max(),
    ),
    (
        "as a diagonal matrix",
        "{it} is a diagonal matrix instead of a list of its entries.",
        lambda r: np.diag(_require_vector(r)) if r.ndim == 1 else _require(False),
    ),
)
SYMBOL_SLIPS = (
    ("times", "{it} is the right formula times {what}.", lambda r, v: r * v),
    ("over", "{it} is the right formula divided by {what}.", lambda r, v: r / v),
    ("times the square of", "{it} is the right formula times {what}².", lambda r, v: r * v**2),
    ("over the square of", "{it} is the right formula divided by {what}².", lambda r, v: r / v**2),
    ("times the root of", "{it} is the right formula times √{what}.", lambda r, v: r * np.sqrt(v)),
    ("over the root of", "{it} is the right formula divided by √{what}.", lambda r, v: r / np.sqrt(v)),
    ("plus", "{it} is the right formula plus {what}.", lambda r, v: r + v),
    ("minus", "{it} is the right formula minus {what}.", lambda r, v: r - v),
)


def answer_slips(kind: str) -> list[AnswerSlip]:
    """Return every answer slip for this kind of task, plainest first."""
    slips = [AnswerSlip(name, sentence, _multiply_by(factor)) for name, sentence, factor in FACTORS]
    slips += [
        AnswerSlip(name, sentence, _without_sizes(change))
        for name, sentence, change in ENTRYWISE
        if kind != "sym" or not name.startswith("rounded")  # nobody rounds a formula
    ]
    if kind == "sym":  # the first axis counts sample points, which have no order
        ordered = [AnswerSlip(name, sentence, _of_formula_list(change)) for name, sentence, change in ORDERED]
        return slips + ordered
    if kind == "hand":
        slips += [AnswerSlip(name, sentence, _round_to(digits)) for name, sentence, digits in DECIMAL_SLIPS]
    return [*slips, *_table_slips(), *_count_slips(COUNT_SLIPS if kind == "code" else COUNTS_BY_HAND)]


def _table_slips() -> Iterator[AnswerSlip]:
    """Yield the changes of order, of matrices and of vectors."""
    for name, sentence, change in (*ORDERED, *MATRIX_SLIPS, *VECTOR_SLIPS):
        yield AnswerSlip(name, sentence, _without_sizes(change))
    for name, (sentence, reduce) in ENTRIES_KEPT.items():
        yield AnswerSlip(name, sentence, _of_vector(reduce))


def _count_slips(templates: Sequence[CountSlip]) -> Iterator[AnswerSlip]:
    """Yield the slips with a number of rows, columns or another count of the arguments."""
    for count, words in COUNTED_ARGUMENTS.items():
        for name, change, sentence in templates:
            text = sentence.replace("{n}", words) + "."
            yield AnswerSlip(name.replace("{n}", count), text, _with_count(count, change))


# A sealed key does not hold the right number, so these three are computed when it is made.
DECIMAL_SLIPS = tuple(
    (
        f"rounded to {digits} decimal{'' if digits == 1 else 's'}",
        f"{{it}} is right, but rounded to {digits} decimal{'' if digits == 1 else 's'}: give all digits.",
        digits,
    )
    for digits in (3, 2, 1)
)


def _round_to(digits: int) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: np.round(r, digits)


RATIOS = {f"answer:{name}" for name, _, _ in FACTORS if name not in ("negated", "in percent")} | {
    f"answer:{name}"
    for name in (
        *("squared", "root", "reciprocal", "fourth power", "root of the reciprocal"),
        *("complement", "one", "logarithm", "exponential"),
    )
}


POWERS_OF_ANSWER = {
    f"answer:{name}" for name in ("squared", "root", "reciprocal", "fourth power", "root of the reciprocal")
}
SIMPLE_FACTORS = {f"answer:{name}" for name, _, _ in FACTORS if "pi" not in name and "root" not in name}


# Even a true one of these may agree by chance, so other causes are tried first.
WEAK = {
    f"answer:{name}"
    for name in (
        *("times 4", "a quarter", "times 3", "a third", "times root 2", "over root 2", "times pi", "over pi"),
        *("negated and doubled", "fourth power", "root of the reciprocal", "one too many", "one too few"),
        *("rounded", "rounded down", "rounded up", "logarithm", "exponential", "one", "no negative"),
    )
}


def is_power(name: str) -> bool:
    """Return whether a slip is a power of the right answer."""
    return name in POWERS_OF_ANSWER


def is_simple_factor(name: str) -> bool:
    """Return whether a slip is a fixed rational factor."""
    return name in SIMPLE_FACTORS


def is_weak(name: str) -> bool:
    """Return whether many other slips imitate this plain change."""
    is_by_count = name.startswith("answer:") and any(f" {count}" in name for count in COUNTED_ARGUMENTS)
    return name in WEAK or is_by_count


def says_nothing_of_a_number(name: str) -> bool:
    """Return whether a slip only repeats the value of a single number."""
    return name in ("answer:zero", "answer:one")


def sizes_of(inputs: Mapping[str, object]) -> dict[str, float]:
    """Return rows, columns and length of the first arrays in the inputs."""
    sizes: dict[str, float] = {}
    for value in inputs.values():
        if isinstance(value, np.ndarray) and value.ndim == 2:
            sizes.setdefault("rows", float(value.shape[0]))
            sizes.setdefault("columns", float(value.shape[1]))
        elif isinstance(value, np.ndarray) and value.ndim == 1:
            sizes.setdefault("length", float(value.size))
    return sizes


def count_sentence(name: str, cases: Sequence[Mapping[str, object]]) -> str:
    """Return the factor of a slip by a count that never changes.

    The factor 5 is the number of rows for certain only if another number of rows gives another factor. So the count is
    not named if it is the same on all cases. Empty for other slips.
    """
    for count in COUNTED_ARGUMENTS:
        for pattern, change, _ in COUNT_SLIPS:
            if name == "answer:" + pattern.replace("{n}", count):
                sizes = {sizes_of(inputs).get(count, 0.0) for inputs in cases}
                return _factor_sentence(float(change(1.0, sizes.pop()))) if len(sizes) == 1 else ""
    return ""


def _factor_sentence(factor: float) -> str:
    simple = Fraction(factor).limit_denominator(1000)
    if abs(float(simple) - factor) > 1e-9 * factor:
        return f"{{it}} is {factor:.5g} times what it should be."
    if simple.denominator == 1:
        return f"{{it}} is {simple} times what it should be."
    return f"{{it}} is {simple} of what it should be."


def is_ratio(name: str) -> bool:
    """Return whether a slip is a factor or a power.

    For counts such a relation proves nothing.
    """
    return name in RATIOS or name.startswith(("answer:times ", "answer:over ", "answer:root, "))


def symbol_slips(symbols: Mapping[str, Array]) -> list[AnswerSlip]:
    """Return the slips on a formula that insert one of its symbols.

    The first axis of its values counts sample points.
    """
    formula_slips = []
    for symbol, points in symbols.items():
        for name, sentence, change in SYMBOL_SLIPS:

            def changed(r: Array, sizes: Sizes, change: Any = change, points: Array = points) -> Array:
                return np.asarray(change(r, np.asarray(points, float).reshape((-1,) + (1,) * (r.ndim - 1))))

            formula_slips.append(AnswerSlip(f"{name} {symbol}", sentence.replace("{what}", symbol), changed))
    return formula_slips


def _with_axes(change: Callable[[Array], object], axes: int) -> Callable[[Array], Array]:
    def changed(A: Array) -> Array:
        _require(A.ndim == axes)
        return np.asarray(change(A))

    return changed


def _input_slips(axes: int, *rows: tuple[str, str, Callable[[Array], object]]) -> list[InputSlip]:
    return [InputSlip(name, sentence, _with_axes(change, axes)) for name, sentence, change in rows]


COMES_OUT = "{it} is what comes out "
INPUT_SLIPS = [
    *_input_slips(
        2,
        ("transposed", COMES_OUT + "when {what} is transposed first.", lambda A: A.T),
        (
            "columns of length one",
            COMES_OUT + "when the columns of {what} are scaled to length one first.",
            lambda A: A / np.linalg.norm(A, axis=0),
        ),
        (
            "rows of length one",
            COMES_OUT + "when the rows of {what} are scaled to length one first.",
            lambda A: A / np.linalg.norm(A, axis=1, keepdims=True),
        ),
        (
            "rows reversed",
            COMES_OUT + "when the rows of {what} are taken in reversed order.",
            lambda A: A[::-1],
        ),
        (
            "columns reversed",
            COMES_OUT + "when the columns of {what} are taken in reversed order.",
            lambda A: A[:, ::-1],
        ),
        ("without last row", COMES_OUT + "when the last row of {what} is left out.", lambda A: A[:-1]),
        ("without first row", COMES_OUT + "when the first row of {what} is left out.", lambda A: A[1:]),
        (
            "without last column",
            COMES_OUT + "when the last column of {what} is left out.",
            lambda A: A[:, :-1],
        ),
        (
            "without first column",
            COMES_OUT + "when the first column of {what} is left out.",
            lambda A: A[:, 1:],
        ),
        (
            "diagonal only",
            COMES_OUT + "when only the diagonal of {what} is used.",
            lambda A: np.diag(np.diag(_require_square(A))),
        ),
        (
            "symmetrised",
            COMES_OUT + "when {what} is made symmetric first.",
            lambda A: (A + _require_square(A).T) / 2,
        ),
        (
            "inverted",
            COMES_OUT + "when {what} is inverted first.",
            lambda A: np.linalg.inv(_require_square(A)),
        ),
        (
            "multiplied by itself",
            COMES_OUT + "when {what} is multiplied by itself first.",
            lambda A: _require_square(A) @ A,
        ),
    ),
    *_input_slips(
        1,
        (
            "reversed",
            COMES_OUT + "when the entries of {what} are taken in reversed order.",
            lambda A: A[::-1],
        ),
        ("ascending", COMES_OUT + "when the entries of {what} are sorted first.", np.sort),
        (
            "descending",
            COMES_OUT + "when the entries of {what} are sorted first, largest first.",
            lambda A: -np.sort(-A),
        ),
        ("without last", COMES_OUT + "when the last entry of {what} is left out.", lambda A: A[:-1]),
        ("without first", COMES_OUT + "when the first entry of {what} is left out.", lambda A: A[1:]),
        (
            "length one",
            COMES_OUT + "when {what} is scaled to length one first.",
            lambda A: A / np.linalg.norm(A),
        ),
        ("sum one", COMES_OUT + "when {what} is scaled to sum one first.", lambda A: A / A.sum()),
        ("running totals", COMES_OUT + "when {what} is summed up step by step first.", np.cumsum),
    ),
]
ENTRYWISE_INPUTS = [  # numbers and tables alike; a count is off by one sooner than doubled
    InputSlip("one more", COMES_OUT + "when {what} is larger by one.", lambda A: A + 1),
    InputSlip("one less", COMES_OUT + "when {what} is smaller by one.", lambda A: A - 1),
    InputSlip("squared", COMES_OUT + "when {what} is squared first.", lambda A: A**2),
    InputSlip("root", COMES_OUT + "when the root of {what} is used instead.", np.sqrt),
    InputSlip("reciprocal", COMES_OUT + "when one divided by {what} is used instead.", lambda A: 1 / A),
    InputSlip("negated", COMES_OUT + "when the sign of {what} is turned.", lambda A: -A),
    InputSlip("absolute value", COMES_OUT + "when the signs in {what} are dropped.", np.abs),
    InputSlip("doubled", COMES_OUT + "when {what} is doubled first.", lambda A: 2 * A),
    InputSlip("halved", COMES_OUT + "when {what} is halved first.", lambda A: A / 2),
    InputSlip("cut to whole numbers", COMES_OUT + "when {what} is cut to whole numbers first.", np.trunc),
    InputSlip("ignored as zero", COMES_OUT + "when zero is put for {what}.", np.zeros_like),
    InputSlip("ignored as one", COMES_OUT + "when one is put for {what}.", np.ones_like),
]

BY_PROGRAM_ONLY = ("ascending", "descending", "running totals", "rows reversed", "columns reversed")

# A task worked out by hand has one set of numbers, and a program with one change gives some of them by chance. So only
# changes count that also happen with pencil and paper.
EDITS_BY_HAND = (
    "factor left out",
    "divisor left out",
    "power left out",
    "fraction turned",
    "sign turned",
    "minus left out",
    "sides of a difference exchanged",
)

COMMON_EDITS = (  # in this order
    *("order not reversed", "brackets lost", *EDITS_BY_HAND, "term left out", "step left out"),
    *("transpose left out", "the other axis", "axis left out"),
)

EDITS = {  # what one edit of a correct program did, and what can be said of its result
    "factor left out": "{it} is what comes out when one factor is left out of a product.",
    "term left out": "{it} is what comes out when one term of a sum or difference is left out.",
    "divisor left out": "{it} is what comes out when one division is left out.",
    "power left out": "{it} is what comes out when one square or power is left out.",
    "another power": "{it} is what comes out with another exponent in one place.",
    "fraction turned": "{it} is what comes out when one fraction is turned upside down.",
    "sign turned": "{it} is what comes out when one plus and minus are exchanged.",
    "minus left out": "{it} is what comes out when one minus sign is lost.",
    "sides of a difference exchanged": "{it} is what comes out when the two sides of one difference are exchanged.",
    "factors in the other order": "{it} is what comes out when two matrices are multiplied in the other order.",
    "entrywise product": "{it} is what comes out when `*` multiplies entry by entry where `@` is meant.",
    "transpose left out": "{it} is what comes out when one transpose is forgotten.",
    "transposed": "{it} is what comes out when one matrix too many is transposed.",
    "the other axis": "{it} is what comes out when one step runs along the other axis.",
    "axis left out": "{it} is what comes out when one step runs over all entries instead of along one axis.",
    "keyword left out": "{it} is what comes out when one option of a library function is left out.",
    "order not reversed": "{it} is what comes out when the order in which a library returns values is kept.",
    "the rest kept": "{it} is what comes out when a slice keeps the wrong end: [k:] in place of [:k], or the reverse.",
    "last ones kept": "{it} is what comes out when the last ones are kept instead of the first.",
    "one more kept": "{it} is what comes out when one too many is kept.",
    "one fewer kept": "{it} is what comes out when one too few is kept.",
    "all kept": "{it} is what comes out when nothing is left out where only some should be kept.",
    "rows taken for columns": "{it} is what comes out when rows are taken where columns are meant.",
    "choice left out": "{it} is what comes out when a selection of entries is left out.",
    "parts exchanged": "{it} is what comes out when two results of one step are exchanged.",
    "arguments exchanged": "{it} is what comes out when two arguments of one function are exchanged.",
    "another function": "{it} is what comes out when {said}.",
    "call left out": "{it} is what comes out when {said}.",
    "next entry taken": "{it} is what comes out when the entry after the right one is taken from a list.",
    "entry before taken": "{it} is what comes out when the entry before the right one is taken from a list.",
    "number one more": "{it} is what comes out when one of the fixed numbers is larger by one.",
    "number one less": "{it} is what comes out when one of the fixed numbers is smaller by one.",
    "number doubled": "{it} is what comes out when one of the fixed numbers is doubled.",
    "number halved": "{it} is what comes out when one of the fixed numbers is halved.",
    "test turned": "{it} is what comes out when one comparison is turned round.",
    "test left out": "{it} is what comes out when one special case is not treated.",
    "stopped early": "{it} is an intermediate result: a last step is missing.",
    "brackets lost": "{it} is what comes out when a pair of brackets is forgotten.",
    "loop cut": "{it} is what comes out when a loop ends after its first round.",
    "first round skipped": "{it} is what comes out when a loop skips its first round.",
    "last round skipped": "{it} is what comes out when a loop skips its last round.",
    "step left out": "{it} is what comes out when one step is left out.",
}

_SENTENCES_OF_COMPARISON = {  # by `rounding`, `arrangement` and `diagnosis`
    "rounded to fewer digits": "{it} is right, but rounded: return all digits.",
    "arranged otherwise": "{it} holds the right numbers in another order or with other signs.",
    "infinite for zero": "{it} is right but for its infinite entries: zeros belong there.",
}
_SENTENCES = {
    "answer": {
        **{slip.name: slip.sentence for kind in ("hand", "code") for slip in answer_slips(kind)},
        **_SENTENCES_OF_COMPARISON,
    },
    "input": {slip.name: slip.sentence for slip in (*INPUT_SLIPS, *ENTRYWISE_INPUTS)},
}


def slip_sentence(name: str) -> str:
    """Return the sentence of a slip, with `{it}` for what is wrong.

    Empty if the name is unknown.
    """
    family, _, rest = name.partition("#")[0].partition(":")
    if family == "answer":
        return _SENTENCES["answer"].get(rest) or _symbol_sentence(rest)
    if family == "input":
        argument, _, slip = rest.partition(":")
        return said_of(_SENTENCES["input"].get(slip, ""), argument)
    if family == "parts":
        return (
            "The parts are right, but in another order."
            if " and " not in rest
            else f"Parts {rest} are exchanged."
        )
    if family == "exchanged":
        first, _, second = rest.partition(":")
        return COMES_OUT + f"when {spoken(first)} and {spoken(second)} are exchanged."
    if family == "given":
        argument, _, slip = rest.partition(":")
        return (
            "{it} is " + ARGUMENT_SENTENCES.get(slip, "").replace("{what}", spoken(argument)) + "."
            if slip in ARGUMENT_SENTENCES
            else ""
        )
    return _edit_sentence(rest) if family == "edit" else ""


ARGUMENT_SENTENCES = {
    "itself": "{what} itself, as it was given",
    "sum": "the sum of the entries of {what}",
    "mean": "the mean of the entries of {what}",
    "largest": "the largest entry of {what}",
    "smallest": "the smallest entry of {what}",
    "count": "the number of entries of {what}",
}


def _symbol_sentence(rest: str) -> str:
    for name, sentence, _ in sorted(SYMBOL_SLIPS, key=lambda row: -len(row[0])):
        if rest.startswith(name + " "):
            return sentence.replace("{what}", rest.removeprefix(name + " "))
    return ""


def _edit_sentence(rest: str) -> str:
    word, _, detail = rest.partition("|")
    return EDITS.get(word, "").replace("{said}", detail)


def spoken(argument: str) -> str:
    """Return an argument's name as it appears in a sentence.

    A symbol stays as it is; `n_samples` becomes "the number of samples".
    """
    if len(argument) <= 2:
        return argument
    counted = argument.removeprefix("n_")
    return ("" if counted == argument else "the number of ") + counted.replace("_", " ")


def said_of(sentence: str, argument: str) -> str:
    """Fill an argument into a sentence, in singular or plural."""
    many = len(argument) > 2 and argument.endswith("s") and not argument.startswith("n_")
    agreeing = sentence.replace("when {what} is ", "when {what} are ") if many else sentence
    return agreeing.replace("{what}", spoken(argument))
