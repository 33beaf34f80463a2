"""Samenesses that authors declare: of answers with structure, and of numbers by formulas of their own.

The name of each holds its whole definition, so a key is judged wherever the engine is, without code of the course:

    @task.code(points=2, minutes=10, see="…", same=same_table(any_row_order=True))
"""

import functools
from collections.abc import Callable, Mapping

import numpy as np

from autograder.answers.arrays import Array
from autograder.errors import BadKeyError
from autograder.judging import expressions
from autograder.judging.sameness import SAMENESSES, Sameness
from autograder.judging.structures.kinds import Kind, kind_named

FORMULAS = "formulas"  # the word before the formulas of a sameness
MAX_FORMULAS_OF_A_SAMENESS = 6


def same_text(*, any_case: bool = False, any_space: bool = False, any_punctuation: bool = False) -> Sameness:
    """Compare texts; surrounding spaces never count."""
    return _of_kind("text", _text_options(any_case, any_space, any_punctuation))


def same_truth() -> Sameness:
    """Compare True and False."""
    return _of_kind("truth", {})


def same_list(
    *, any_order: bool = False, any_case: bool = False, any_space: bool = False, any_punctuation: bool = False
) -> Sameness:
    """Compare lists of texts, numbers and truth values."""
    options = {"any order": any_order, **_text_options(any_case, any_space, any_punctuation)}
    return _of_kind("list", options)


def same_set(*, any_case: bool = False, any_space: bool = False, any_punctuation: bool = False) -> Sameness:
    """Compare sets; a list counts as the set of its entries."""
    return _of_kind("set", _text_options(any_case, any_space, any_punctuation))


def same_mapping(
    *, any_case: bool = False, any_space: bool = False, any_punctuation: bool = False
) -> Sameness:
    """Compare dicts, whatever the order of their keys."""
    return _of_kind("mapping", _text_options(any_case, any_space, any_punctuation))


def same_table(
    *,
    any_row_order: bool = False,
    columns_in_order: bool = False,
    any_case: bool = False,
    any_space: bool = False,
    any_punctuation: bool = False,
) -> Sameness:
    """Compare tables with named columns: a frame, a dict of columns or a list of dicts."""
    options = {"rows in any order": any_row_order, "columns in order": columns_in_order}
    return _of_kind("table", {**options, **_text_options(any_case, any_space, any_punctuation)})


def same_graph(*, directed: bool = False, any_case: bool = False) -> Sameness:
    """Compare graphs given as edges: pairs of nodes, or pairs with a weight."""
    return _of_kind("graph", {"directed": directed, **_text_options(any_case, False, False)})


def same_by(*formulas: str) -> Sameness:
    """Compare numbers by formulas of each number x: `same_by("cos(x)", "sin(x)")` ignores full turns."""
    if (
        not formulas
        or len(formulas) > MAX_FORMULAS_OF_A_SAMENESS
        or any(";" in formula for formula in formulas)
    ):
        raise ValueError(
            f"a sameness takes 1 to {MAX_FORMULAS_OF_A_SAMENESS} formulas in x, not {formulas!r}"
        )
    expressions.near_values(list(formulas), [{"x": 1.0}])  # raises a ValueError on another name than x
    return Sameness(
        f"{FORMULAS}: {'; '.join(formulas)}", "what the formulas do not change", _by_formulas(formulas)
    )


def _by_formulas(formulas: tuple[str, ...]) -> Callable[[Array], Array]:
    def invariant(Y: Array) -> Array:
        points: list[Mapping[str, float]] = [{"x": float(number)} for number in Y.ravel()]
        rows = expressions.evaluation.values(list(formulas), points)
        return np.array(rows, dtype=np.float64).reshape((len(formulas), *Y.shape))

    return invariant


def _text_options(any_case: bool, any_space: bool, any_punctuation: bool) -> dict[str, bool]:
    return {"any case": any_case, "any space": any_space, "any punctuation": any_punctuation}


def _of_kind(word: str, options: dict[str, bool]) -> Sameness:
    kind = Kind(word, tuple(name for name, chosen in options.items() if chosen))
    return _sameness_of(kind)


@functools.cache
def _sameness_of(kind: Kind) -> Sameness:
    return Sameness(kind.name, "what its name says", _unchanged, kind=kind)


def _unchanged(digest: Array) -> Array:
    return digest


@functools.lru_cache(maxsize=256)
def sameness_named(name: str) -> Sameness:
    """Return the sameness of a name in a key; raise BadKeyError if this version of the engine has none."""
    known = SAMENESSES.get(name)
    if known:
        return known
    kind = kind_named(name)
    if kind:
        return _sameness_of(kind)
    if name.startswith(f"{FORMULAS}: "):
        try:
            return same_by(*name.removeprefix(f"{FORMULAS}: ").split("; "))
        except ValueError as error:
            raise BadKeyError(f"the key names a sameness that cannot be read: {error}") from None
    raise BadKeyError(
        f"the key names the sameness {name!r}, which this version of the engine does not have: "
        "install the version that made the key, or regenerate the exercises"
    )
