"""Slips: what goes wrong everywhere, written once, each with a sentence that states a fact.

An *answer slip* changes the right answer (doubled, transposed, in reversed order). An *input slip* changes what the
reference is given (a table transposed, two numbers exchanged). An *edit* changes one place of a correct program (a
factor left out). Together with a task's own misconceptions they are what a wrong answer is compared with. Nothing
here knows a subject; a course adds its own slips beside its tasks, in `solutions/slips.py`.

A slip is known by its name: `answer:doubled`, `input:X:transposed`, `edit:factor left out`. Keys hold names and what
each slip gives on the key's cases; sentences are looked up here, with `{it}` for the answer or the part of it that is
wrong.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Sizes = Mapping[str, float]


class NotApplicableError(ValueError):
    """The slip means nothing for this answer or this input."""


@dataclass(frozen=True)
class AnswerSlip:
    """A change of one part of the right answer. `change(part, sizes)`; sizes are those that the inputs show."""

    name: str
    sentence: str
    change: Callable[[Array, Sizes], Array]


@dataclass(frozen=True)
class InputSlip:
    """A change of one argument before the reference is called; the sentence has `{what}` for the argument's name.

    `see` names the place of the book that helps, if a course knows one. `rows_added` says that the change appends rows,
    so that only as many leading rows of the answer count as the right answer has. `moot_under` is a change of all
    tables of the same width at once: where the right answer does not mind it, the slip's sentence would be false
    (whoever moves all samples, and nothing happens, is not wrong to centre them).
    """

    name: str
    sentence: str
    change: Callable[[Array], Array]
    see: str = ""
    rows_added: bool = False
    moot_under: Callable[[Array], Array] | None = None


def _need(condition: bool) -> None:
    if not condition:
        raise NotApplicableError


def _vector(r: Array) -> Array:
    _need(r.ndim >= 1 and r.shape[-1] >= 2)
    return r


def _listed(r: Array) -> Array:
    _need(r.ndim >= 1)
    return r


def _long(r: Array) -> Array:
    _need(r.ndim >= 1 and r.shape[-1] >= 3)  # of two entries too much can be made by luck
    return r


def _matrix(r: Array) -> Array:
    _need(r.ndim == 2 and r.size >= 2)
    return r


def _square(r: Array) -> Array:
    _need(r.ndim == 2 and r.shape[0] == r.shape[1] >= 2)
    return r


def _times(factor: float) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: r * factor


def _of_size(name: str, change: Callable[[Array, float], Array]) -> Callable[[Array, Sizes], Array]:
    def changed(r: Array, sizes: Sizes) -> Array:
        _need(name in sizes and sizes[name] > 1)
        return change(r, sizes[name])

    return changed


def _lasting(change: Callable[[Array], Any]) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: np.asarray(change(r))


def _by_points(change: Callable[[Array], Any]) -> Callable[[Array, Sizes], Array]:
    def changed(r: Array, sizes: Sizes) -> Array:
        _need(r.ndim >= 2)
        return np.asarray(change(r))

    return changed


def _reduced(reduce: Callable[[Array], Any]) -> Callable[[Array, Sizes], Array]:
    return lambda r, sizes: np.asarray(reduce(_vector(r)))


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
COUNTS = (  # a name for the factor, the factor made of the count n, and how it is said
    ("times {n}", lambda r, n: r * n, "{it} is too large by a factor, {n}"),
    ("over {n}", lambda r, n: r / n, "{it} is too small by a factor, {n}"),
    ("times {n} - 1", lambda r, n: r * (n - 1), "{it} is too large by a factor of one less than {n}"),
    ("over {n} - 1", lambda r, n: r / (n - 1), "{it} is too small by a factor of one less than {n}"),
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
    ("times root of {n}", lambda r, n: r * n**0.5, "{it} is too large by the root of {n}"),
    ("over root of {n}", lambda r, n: r / n**0.5, "{it} is too small by the root of {n}"),
)
# One set of small numbers: (n − 1)/n, the root of n and their like would fit by luck.
COUNTS_BY_HAND = tuple(row for row in COUNTS if row[0] in ("times {n}", "over {n}", "{n} - 1 for {n}"))
COUNTED = {
    "rows": "the number of rows",
    "columns": "the number of columns",
    "length": "the number of entries",
}
ENTRYWISE = (
    ("squared", "{it} is the square of what it should be.", lambda r: r**2),
    ("root", "{it} is the square root of what it should be.", np.sqrt),
    ("reciprocal", "{it} is upside down: one divided by what it should be.", lambda r: 1 / r),
    ("fourth power", "{it} was squared once too often, twice over: it is the fourth power.", lambda r: r**4),
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
    ("zero", "{it} is zero.", np.zeros_like),
    ("one", "{it} is 1 throughout.", np.ones_like),
    (
        "no negative",
        "{it} is right where it is positive; negative entries were set to zero.",
        lambda r: np.maximum(r, 0),
    ),
)
ORDERED = (  # a list of one entry is the same in every order
    ("reversed", "{it} holds the right entries in reversed order.", lambda r: _listed(r)[..., ::-1]),
    (
        "ascending",
        "{it} holds the right entries, sorted from small to large.",
        lambda r: np.sort(_listed(r), -1),
    ),
    (
        "descending",
        "{it} holds the right entries, sorted from large to small.",
        lambda r: -np.sort(-_listed(r), -1),
    ),
    ("shifted on", "{it} holds the right entries, moved by one place.", lambda r: np.roll(_listed(r), 1, -1)),
    (
        "shifted back",
        "{it} holds the right entries, moved by one place.",
        lambda r: np.roll(_listed(r), -1, -1),
    ),
    (
        "first two swapped",
        "In {it} the first two entries are exchanged.",
        lambda r: r[..., [1, 0, *range(2, _vector(r).shape[-1])]],
    ),
    (
        "running totals",
        "{it} holds running totals of the right entries.",
        lambda r: np.cumsum(_long(r), -1),
    ),
    (
        "differences",
        "{it} holds the differences of neighbouring right entries.",
        lambda r: np.diff(_long(r), axis=-1, prepend=0),
    ),
    ("last left out", "{it} lacks its last entry.", lambda r: _vector(r)[..., :-1]),
    ("first left out", "{it} lacks its first entry.", lambda r: _vector(r)[..., 1:]),
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
MATRIX = (
    ("transposed", "{it} is transposed: rows and columns are exchanged.", lambda r: _matrix(r).T),
    ("rows reversed", "{it} has the right rows in reversed order.", lambda r: _matrix(r)[::-1]),
    ("columns reversed", "{it} has the right columns in reversed order.", lambda r: _matrix(r)[:, ::-1]),
    (
        "columns of length one",
        "{it} has the right columns, but each was scaled to length one.",
        lambda r: _matrix(r) / np.linalg.norm(r, axis=0),
    ),
    (
        "rows of length one",
        "{it} has the right rows, but each was scaled to length one.",
        lambda r: _matrix(r) / np.linalg.norm(r, axis=1, keepdims=True),
    ),
    (
        "columns moved to mean zero",
        "{it} is right but for a shift: each column was moved to mean zero.",
        lambda r: _matrix(r) - r.mean(axis=0),
    ),
    (
        "columns scaled to variance one",
        "{it} has the right columns, but each was scaled to variance one.",
        lambda r: _matrix(r) / r.std(axis=0),
    ),
    (
        "diagonal only",
        "{it} is right on the diagonal; everything beside the diagonal is zero.",
        lambda r: np.diag(np.diag(_square(r))),
    ),
    (
        "diagonal as a list",
        "{it} holds only the diagonal of the right matrix.",
        lambda r: np.diag(_square(r)),
    ),
    (
        "diagonal left out",
        "{it} is right beside the diagonal; the diagonal is zero.",
        lambda r: r - np.diag(np.diag(_square(r))),
    ),
    ("trace", "{it} is the sum of the diagonal of the right matrix.", lambda r: np.trace(_square(r))),
    ("inverse", "{it} is the inverse of the right matrix.", lambda r: np.linalg.inv(_square(r))),
    (
        "identity minus it",
        "{it} is the identity minus the right matrix.",
        lambda r: np.eye(len(_square(r))) - r,
    ),
    ("matrix squared", "{it} is the right matrix multiplied by itself.", lambda r: _square(r) @ r),
    (
        "diagonal scaled to one",
        "{it} is the right matrix, scaled so that its diagonal is one.",
        lambda r: _square(r) / np.sqrt(np.outer(np.diag(r), np.diag(r))),
    ),
    ("last row left out", "{it} lacks its last row.", lambda r: _matrix(r)[:-1]),
    ("first row left out", "{it} lacks its first row.", lambda r: _matrix(r)[1:]),
    ("last column left out", "{it} lacks its last column.", lambda r: _matrix(r)[:, :-1]),
    ("first column left out", "{it} lacks its first column.", lambda r: _matrix(r)[:, 1:]),
    ("flattened", "{it} is one long list instead of a table.", lambda r: _matrix(r).ravel()),
    ("summed over rows", "{it} holds the column sums of the right table.", lambda r: _matrix(r).sum(0)),
    ("summed over columns", "{it} holds the row sums of the right table.", lambda r: _matrix(r).sum(1)),
)
VECTOR = (
    ("length one", "{it} was scaled to length one.", lambda r: _vector(r) / np.linalg.norm(r)),
    ("sum one", "{it} was scaled so that its entries add up to one.", lambda r: _vector(r) / r.sum()),
    (
        "largest one",
        "{it} was scaled so that its largest entry is one.",
        lambda r: _vector(r) / np.abs(r).max(),
    ),
    (
        "as a diagonal matrix",
        "{it} is a diagonal matrix instead of a list of its entries.",
        lambda r: np.diag(_vector(r)) if r.ndim == 1 else _need(False),
    ),
)
SYMBOLS = (
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
    """Every slip on an answer of this kind of task, plainest first."""
    made = [AnswerSlip(name, sentence, _times(factor)) for name, sentence, factor in FACTORS]
    made += [
        AnswerSlip(name, sentence, _lasting(change))
        for name, sentence, change in ENTRYWISE
        if kind != "sym" or not name.startswith("rounded")  # nobody rounds a formula
    ]
    if kind == "sym":  # the first axis counts sample points, which have no order
        ordered = [AnswerSlip(name, sentence, _by_points(change)) for name, sentence, change in ORDERED]
        return made + ordered
    made += [
        AnswerSlip(name, sentence, _lasting(change))
        for name, sentence, change in (*ORDERED, *MATRIX, *VECTOR)
    ]

    for name, (sentence, reduce) in ENTRIES_KEPT.items():
        made.append(AnswerSlip(name, sentence, _reduced(reduce)))
    for count, words in COUNTED.items():
        for name, change, sentence in COUNTS if kind == "code" else COUNTS_BY_HAND:
            said = sentence.replace("{n}", words) + "."
            made.append(AnswerSlip(name.replace("{n}", count), said, _of_size(count, change)))
    return made


RATIOS = {f"answer:{name}" for name, _, _ in FACTORS if name not in ("negated", "in percent")} | {
    f"answer:{name}"
    for name in (
        *("squared", "root", "reciprocal", "fourth power", "root of the reciprocal"),
        *("complement", "one", "logarithm", "exponential"),
    )
}


# Of these even a true one may be there by luck; so other reasons are asked first.
WEAK = {
    f"answer:{name}"
    for name in (
        *("times 4", "a quarter", "times 3", "a third", "times root 2", "over root 2", "times pi", "over pi"),
        *("negated and doubled", "fourth power", "root of the reciprocal", "one too many", "one too few"),
        *("rounded", "rounded down", "rounded up", "logarithm", "exponential", "one", "no negative"),
    )
}


def is_weak(name: str) -> bool:
    """Is a plain change of the right answer one that many other slips imitate?"""
    made_of_counts = name.startswith("answer:") and any(f" {count}" in name for count in COUNTED)
    return name in WEAK or made_of_counts


def is_ratio(name: str) -> bool:
    """Does a slip compare an answer with the right one by a factor or a power? Of counts that says nothing."""
    return name in RATIOS or name.startswith(("answer:times ", "answer:over ", "answer:root, "))


def symbol_slips(symbols: Mapping[str, Array]) -> list[AnswerSlip]:
    """Slips on a formula that put in one of its symbols; the first axis of its values counts sample points."""
    made = []
    for symbol, points in symbols.items():
        for name, sentence, change in SYMBOLS:

            def changed(r: Array, sizes: Sizes, change: Any = change, points: Array = points) -> Array:
                return np.asarray(change(r, np.asarray(points, float).reshape((-1,) + (1,) * (r.ndim - 1))))

            made.append(AnswerSlip(f"{name} {symbol}", sentence.replace("{what}", symbol), changed))
    return made


def _plain_array(change: Callable[[Array], Any], axes: int) -> Callable[[Array], Array]:
    def changed(A: Array) -> Array:
        _need(A.ndim == axes)
        return np.asarray(change(A))

    return changed


def _inputs(axes: int, *rows: tuple[str, str, Callable[[Array], Any]]) -> list[InputSlip]:
    return [InputSlip(name, sentence, _plain_array(change, axes)) for name, sentence, change in rows]


COMES_OUT = "{it} is what comes out "
INPUT_SLIPS = [
    *_inputs(
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
            lambda A: np.diag(np.diag(_square(A))),
        ),
        ("symmetrised", COMES_OUT + "when {what} is made symmetric first.", lambda A: (A + _square(A).T) / 2),
        ("inverted", COMES_OUT + "when {what} is inverted first.", lambda A: np.linalg.inv(_square(A))),
        (
            "multiplied by itself",
            COMES_OUT + "when {what} is multiplied by itself first.",
            lambda A: _square(A) @ A,
        ),
    ),
    *_inputs(
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

# Worked out by hand there is one set of numbers, and a program with one change gives some of them by luck. These
# changes are what a pencil does, too.
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
    "order not reversed": "{it} is what comes out when a library's order is kept and not reversed.",
    "the rest kept": "{it} is what comes out when the wrong end is kept: the others, not the first ones.",
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

_SENTENCES = {
    "answer": {one.name: one.sentence for one in answer_slips("code")},
    "input": {one.name: one.sentence for one in (*INPUT_SLIPS, *ENTRYWISE_INPUTS)},
}


def sentence(name: str) -> str:
    """What can be said of a slip of this name, with `{it}` for what is wrong; empty if the name is unknown."""
    family, _, rest = name.partition("#")[0].partition(":")
    if family == "answer":
        return _SENTENCES["answer"].get(rest) or _symbol_sentence(rest)
    if family == "input":
        argument, _, slip = rest.partition(":")
        return said_of(_SENTENCES["input"].get(slip, ""), argument)
    if family == "parts":
        return f"Parts {rest} are exchanged."
    if family == "exchanged":
        one, _, other = rest.partition(":")
        return COMES_OUT + f"when {spoken(one)} and {spoken(other)} are exchanged."
    if family == "given":
        argument, _, slip = rest.partition(":")
        return (
            "{it} is " + GIVEN.get(slip, "").replace("{what}", spoken(argument)) + "."
            if slip in GIVEN
            else ""
        )
    return _edit_sentence(rest) if family == "edit" else ""


GIVEN = {
    "itself": "{what} itself, as it was given",
    "sum": "the sum of the entries of {what}",
    "mean": "the mean of the entries of {what}",
    "largest": "the largest entry of {what}",
    "smallest": "the smallest entry of {what}",
    "count": "the number of entries of {what}",
}


def _symbol_sentence(rest: str) -> str:
    for name, said, _ in sorted(SYMBOLS, key=lambda row: -len(row[0])):
        if rest.startswith(name + " "):
            return said.replace("{what}", rest.removeprefix(name + " "))
    return ""


def _edit_sentence(rest: str) -> str:
    word, _, said = rest.partition("|")
    return EDITS.get(word, "").replace("{said}", said)


def spoken(argument: str) -> str:
    """An argument's name in a sentence: a symbol as it is, `n_samples` as what it counts."""
    if len(argument) <= 2:
        return argument
    counted = argument.removeprefix("n_")
    return ("" if counted == argument else "the number of ") + counted.replace("_", " ")


def said_of(sentence: str, argument: str) -> str:
    """A sentence about an argument, in the singular or the plural."""
    many = len(argument) > 2 and argument.endswith("s") and not argument.startswith("n_")
    agreeing = sentence.replace("when {what} is ", "when {what} are ") if many else sentence
    return agreeing.replace("{what}", spoken(argument))
