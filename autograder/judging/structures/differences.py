"""Describe in words how an answer with structure differs from the right one.

A sentence names places and what the student wrote there, never the right content: the failing case shows that where it
may be seen. `{it}` stands for the answer.
"""

import difflib
from collections.abc import Callable, Sequence

import numpy as np

from autograder.answers.values import UnsupportedAnswerError
from autograder.judging.relations import describe_relation, join_words
from autograder.judging.rounding import describe_rounding
from autograder.judging.sameness import exactly
from autograder.judging.structures.kinds import Kind, Structure
from autograder.judging.structures.leaves import Freedom, Leaf, LeafPlace, agree, leaf_text

MAX_NAMED_PLACES = 4
MAX_LEAF_CHARACTERS = 60
MIN_SPELLING_RATIO = 0.75

MAX_COMPARED_LINES = 100_000  # pairs of rows; a failing case shows a dozen
MIN_LINE_NUMBERS = 2  # of a column, before it is compared as a whole


def describe_structure(kind: Kind, part: object, right: object, tolerance: float) -> str:
    """Return a sentence on the difference, or an empty text if there is none."""
    try:
        structure = kind.read(part)
    except UnsupportedAnswerError as error:
        return f"{{it}} cannot be read: {error}."
    expected = kind.read(right)
    if kind.agrees(part, right, tolerance):
        return ""
    return DESCRIBERS[kind.word](structure, expected, tolerance)


def describe_other_kind(kind: Kind, part: object) -> str:
    """Return a sentence if an answer is of another kind than expected."""
    try:
        kind.read(part)
    except UnsupportedAnswerError as error:
        return f"{{it}} cannot be read: {error}."
    return ""


def wrong_lines(kind: Kind, part: object, right: object, tolerance: float) -> set[str]:
    """Return the keys of a mapping or the rows of a table that are not right, as places.

    The set is empty if nothing or everything is wrong, and for other kinds.
    """
    if kind.word not in ("mapping", "table"):
        return set()
    try:
        structure, expected = kind.read(part), kind.read(right)
    except UnsupportedAnswerError:
        return set()
    lines = _grouped if kind.word == "mapping" else _row_groups
    ours, theirs = lines(structure), lines(expected)
    if len(ours) * len(theirs) > MAX_COMPARED_LINES:
        return set()
    is_free = "rows in any order" in kind.options
    good = {
        place
        for place, group in ours.items()
        if any(
            _same_group(group, other, tolerance)
            for other in (theirs.values() if is_free else [theirs.get(place, {})])
        )
    }
    return set(ours) - good if good else set()


def _row_groups(structure: Structure) -> dict[str, dict[LeafPlace, Leaf]]:
    """Return the leaves of each row by the number that it has in the answer."""
    groups: dict[str, dict[LeafPlace, Leaf]] = {}
    for place, leaf in structure.leaves:
        if len(place) == 2:
            number = structure.rows[int(place[0].removeprefix("row ")) - 1]
            groups.setdefault(f"row {number}", {})[place[1:]] = leaf
    return groups


def _shown(leaf: Leaf) -> str:
    if isinstance(leaf, float):
        return f"{leaf:.6g}"
    if leaf is None:
        return "missing"
    return f"“{leaf[:MAX_LEAF_CHARACTERS]}”" + ("…" if len(leaf) > MAX_LEAF_CHARACTERS else "")


def _list(words: Sequence[str], thing: str) -> str:
    """Return "key 'a'" or "keys 'a' and 'b'", with a count instead of a long list."""
    if len(words) > MAX_NAMED_PLACES:
        return f"{len(words)} {thing}s"
    return f"{thing}{'' if len(words) == 1 else 's'} {_join_names(words)}"


def _join_names(names: Sequence[str]) -> str:
    return join_words([_shorten(name) for name in names])


def _shorten(name: str) -> str:
    """Return the name of a key, a column or a node; a student's may be a page long."""
    return name if len(name) <= MAX_LEAF_CHARACTERS else f"{name[:MAX_LEAF_CHARACTERS]}…"


def _text(answer: Structure, right: Structure, tolerance: float) -> str:
    (_, text), (_, want) = answer.leaves[0], right.leaves[0]
    assert isinstance(text, str)
    assert isinstance(want, str)
    for freedom, words in (
        (Freedom(any_case=True), "small and capital letters"),
        (Freedom(any_space=True), "spaces"),
        (Freedom(any_punctuation=True), "punctuation"),
    ):
        if freedom.normal(text) == freedom.normal(want):
            return f"{{it}} is right but for {words}."
    if not text:
        return "{it} is an empty text."
    rights = want.split()
    if len(rights) > 1:
        return _wrong_word(text.split(), rights)
    if (
        difflib.SequenceMatcher(None, text, want).ratio() >= MIN_SPELLING_RATIO
        and len(want) >= MAX_NAMED_PLACES
    ):
        return f"{{it}} is {_shown(text)}: almost the right word, look at its letters."
    return f"{{it}} is {_shown(text)}, and that is not right."


def _wrong_word(words: Sequence[str], rights: Sequence[str]) -> str:
    if sorted(words) == sorted(rights):
        return "{it} has the right words in another order."
    place = next((n for n, pair in enumerate(zip(words, rights, strict=False)) if pair[0] != pair[1]), None)
    if place is None and len(words) < len(rights):
        return f"{{it}} begins right, but ends after word {len(words)}."
    if place is None:
        return f"{{it}} begins right, but goes on after word {len(rights)}, where it should end."
    return f"Word {place + 1} of {{it}} is {_shown(words[place])}, and that is not right there."


def _truth(answer: Structure, right: Structure, tolerance: float) -> str:
    return f"{{it}} is {bool(answer.leaves[0][1])}, and that is not right."


def _sequence(answer: Structure, right: Structure, tolerance: float) -> str:
    leaves, rights = [leaf for _, leaf in answer.leaves], [leaf for _, leaf in right.leaves]
    if len(leaves) != len(rights):
        return f"{{it}} should have {_count(len(rights), 'entry')}; it has {len(leaves)}."
    if sorted(map(leaf_text, leaves)) == sorted(map(leaf_text, rights)):
        return "{it} has the right entries in another order."
    return _wrong_entries(leaves, rights, tolerance, "{it}", "entry")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {_plural(thing)}"


def _plural(thing: str) -> str:
    return f"{thing[:-1]}ies" if thing.endswith("y") and thing != "key" else f"{thing}s"


def _wrong_entries(
    leaves: Sequence[Leaf], rights: Sequence[Leaf], tolerance: float, it: str, thing: str
) -> str:
    """Return a sentence on entries in one line: a relation to the right ones, or the places that are wrong."""
    related = _relation(leaves, rights)
    if related:
        return related.replace("{it}", it)
    wrong = [n for n, pair in enumerate(zip(leaves, rights, strict=True)) if not agree(*pair, tolerance)]
    if len(wrong) == 1:
        shown = _shown(leaves[wrong[0]])
        return (
            f"{thing.capitalize()} {wrong[0] + 1} of {it} is {shown}, and that is not right; the others are."
        )
    if len(wrong) == len(leaves):
        return f"No {thing} of {it} is right."
    places = [str(number + 1) for number in wrong]
    named = (
        f"{_plural(thing)} {_join_names(places)}"
        if len(places) <= MAX_NAMED_PLACES
        else f"{len(places)} of {len(leaves)} {_plural(thing)}"
    )
    return f"In {it}, {named} are not right; the others are."


def _are_numbers(leaves: Sequence[Leaf]) -> bool:
    return all(isinstance(leaf, float) for leaf in leaves)


def _relation(leaves: Sequence[Leaf], rights: Sequence[Leaf]) -> str:
    """Return how numbers relate to the right ones: rounded, a multiple, shifted; empty if they do not."""
    if len(leaves) != len(rights) or not _are_numbers((*leaves, *rights)):
        return ""
    numbers, right = np.array(leaves, dtype=np.float64), np.array(rights, dtype=np.float64)
    if not all(np.isfinite(values).all() and values.any() for values in (numbers, right)):
        return ""
    if numbers.size == 1 and numbers == np.rint(numbers):  # one whole number is near too many others
        return ""
    if how := describe_rounding([(numbers, right)]):
        return f"{{it}} is right, but {how}: give all digits."
    return describe_relation(numbers, right, exactly) if len(numbers) >= MIN_LINE_NUMBERS else ""


def _members(answer: Structure, right: Structure, tolerance: float) -> str:
    ours, theirs = set(answer.places), set(right.places)
    extra, missing = [place for place in answer.places if place not in theirs], len(theirs - ours)
    lacks = f"{{it}} lacks {_count(missing, 'member')}" if missing else ""
    if not extra:
        return f"{lacks}; what it has is right."
    words = [step for (step,) in extra]
    verb = "does" if len(extra) == 1 else "do"
    named = _join_names(words) if len(words) <= MAX_NAMED_PLACES else f"{len(words)} members"
    return f"{named[:1].upper()}{named[1:]} {verb} not belong to {{it}}" + (
        f", and {lacks}." if lacks else "."
    )


def _mapping(answer: Structure, right: Structure, tolerance: float) -> str:
    keys, rights = _outer(answer.places), _outer(right.places)
    text = _missing_and_extra(keys, rights, "key")
    if text:
        return text
    ours, theirs = _grouped(answer), _grouped(right)
    wrong = [key for key in rights if not _same_group(ours[key], theirs[key], tolerance)]
    good = [key.removeprefix("key ") for key in rights if key not in wrong]
    prefix = f"The {_list(good, 'key')} {'is' if len(good) == 1 else 'are'} right. " if good else ""
    return prefix + " ".join(
        _wrong_value(key, ours[key], theirs[key], tolerance) for key in wrong[:MAX_NAMED_PLACES]
    )


def _outer(places: Sequence[LeafPlace]) -> list[str]:
    return list(dict.fromkeys(place[0] for place in places))


def _grouped(structure: Structure) -> dict[str, dict[LeafPlace, Leaf]]:
    groups: dict[str, dict[LeafPlace, Leaf]] = {}
    for place, leaf in structure.leaves:
        groups.setdefault(place[0], {})[place[1:]] = leaf
    return groups


def _same_group(ours: dict[LeafPlace, Leaf], theirs: dict[LeafPlace, Leaf], tolerance: float) -> bool:
    return list(ours) == list(theirs) and all(
        agree(leaf, theirs[place], tolerance) for place, leaf in ours.items()
    )


def _wrong_value(
    key: str, ours: dict[LeafPlace, Leaf], theirs: dict[LeafPlace, Leaf], tolerance: float
) -> str:
    it = f"the value at the {_shorten(key)}"
    if list(ours) != list(theirs):
        return f"{it[:1].upper()}{it[1:]} has other entries or keys than it should."
    leaves, rights = list(ours.values()), list(theirs.values())
    related = _relation(leaves, rights) or _ratio(leaves, rights)
    if related:
        return _capital(related.replace("{it}", it))
    if len(leaves) == 1:
        return _capital(f"{it} is {_shown(leaves[0])}, and that is not right.")
    return _capital(_wrong_entries(leaves, rights, tolerance, it, "entry"))


def _ratio(leaves: Sequence[Leaf], rights: Sequence[Leaf]) -> str:
    """Return the sentence for a single number that has the wrong sign or is a simple multiple."""
    (leaf, *more), (want, *_) = leaves, rights
    if more or not isinstance(leaf, float) or not isinstance(want, float) or not want:
        return ""
    if np.isclose(leaf, -want, rtol=1e-6, atol=0):
        return "{it} has the wrong sign."
    simple = {
        100.0: "100 times what it should be",
        0.01: "a hundredth of what it should be",
        2.0: "twice what it should be",
        0.5: "half of what it should be",
    }
    return next(
        (
            f"{{it}} is {words}."
            for factor, words in simple.items()
            if np.isclose(leaf, factor * want, rtol=1e-6, atol=0)
        ),
        "",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _missing_and_extra(ours: Sequence[str], rights: Sequence[str], thing: str) -> str:
    """Return a sentence on missing and surplus keys or columns."""
    missing = [name.removeprefix(f"{thing} ") for name in rights if name not in ours]
    extra = [name.removeprefix(f"{thing} ") for name in ours if name not in rights]
    if not missing and not extra:
        return ""
    verb = "does" if len(extra) == 1 else "do"
    sentences = [f"lacks the {_list(missing, thing)}"] if missing else []
    sentences += [f"has the {_list(extra, thing)}, which {verb} not belong there"] if extra else []
    return f"{{it}} {', and '.join(sentences)}."


def _table(answer: Structure, right: Structure, tolerance: float) -> str:
    columns = [place[0] for place in answer.places if len(place) == 1]
    rights = [place[0] for place in right.places if len(place) == 1]
    text = _missing_and_extra(columns, rights, "column")
    if text:
        return text
    if columns != rights:
        return "{it} has the right columns in another order."
    if len(answer.rows) != len(right.rows):
        return f"{{it}} should have {_count(len(right.rows), 'row')}; it has {len(answer.rows)}."
    is_sorted = answer.rows != tuple(range(1, len(answer.rows) + 1)) or right.rows != tuple(
        range(1, len(right.rows) + 1)
    )
    if is_sorted:
        return _wrong_rows(answer, right, columns)
    return _wrong_columns(answer, right, columns, tolerance)


def _body(structure: Structure, column: str) -> list[Leaf]:
    return [leaf for place, leaf in structure.leaves if len(place) == 2 and place[1] == column]


def _wrong_columns(answer: Structure, right: Structure, columns: Sequence[str], tolerance: float) -> str:
    pairs = {column: (_body(answer, column), _body(right, column)) for column in columns}
    wrong = [
        c for c, (ours, theirs) in pairs.items() if not all(map(agree, ours, theirs, [tolerance] * len(ours)))
    ]
    if sorted(_row_texts(answer, columns)) == sorted(_row_texts(right, columns)):
        return "{it} has the right rows in another order."
    good = [column.removeprefix("column ") for column in columns if column not in wrong]
    prefix = f"The {_list(good, 'column')} {'is' if len(good) == 1 else 'are'} right. " if good else ""
    return prefix + " ".join(
        _capital(_wrong_entries(*pairs[column], tolerance, f"the {_shorten(column)}", "row"))
        for column in wrong[:MAX_NAMED_PLACES]
    )


def _wrong_rows(answer: Structure, right: Structure, columns: Sequence[str]) -> str:
    """Return a sentence on the first row that is not among the right ones; rows may come in any order."""
    rows, known = _row_texts(answer, columns), set(_row_texts(right, columns))
    wrong = sorted(number for number, row in zip(answer.rows, rows, strict=True) if row not in known)
    if not wrong:
        return "{it} has some rows more often than it should, and others are missing."
    if len(wrong) == len(rows):
        return f"No row of {{it}} is right.{_describe_right_columns(answer, right, columns)}"
    named = f"Row{'' if len(wrong) == 1 else 's'} {_join_names(list(map(str, wrong[:MAX_NAMED_PLACES])))}"
    more = f" and {len(wrong) - MAX_NAMED_PLACES} more" if len(wrong) > MAX_NAMED_PLACES else ""
    return f"{named}{more} of {{it}} {'is' if len(wrong) == 1 else 'are'} not right; the others are."


def _row_texts(table: Structure, columns: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(map(leaf_text, _body(table, column)) for column in columns), strict=True))


def _describe_right_columns(answer: Structure, right: Structure, columns: Sequence[str]) -> str:
    """Name the columns that have the right entries in any order."""
    same = [
        column.removeprefix("column ")
        for column in columns
        if sorted(map(leaf_text, _body(answer, column))) == sorted(map(leaf_text, _body(right, column)))
    ]
    if not same:
        return ""
    return f" Its {_list(same, 'column')} {'has' if len(same) == 1 else 'have'} the right entries."


def _edges(answer: Structure, right: Structure, tolerance: float) -> str:
    ours, theirs = dict(answer.leaves), dict(right.leaves)
    extra = [place for place in ours if place not in theirs]
    missing = theirs.keys() - ours.keys()
    if extra and {(word, end, start) for word, start, end in extra} == missing:
        return f"{{it}} has the right edges, but some point the other way: {_name_edges(extra, ' → ')}."
    if ours.keys() == theirs.keys():
        wrong = [place for place, leaf in ours.items() if not agree(leaf, theirs[place], tolerance)]
        return f"{{it}} has the right edges; the weights of {_name_edges(wrong)} are not right."
    return _describe_extra_edges(extra, len(missing))


def _describe_extra_edges(extra: Sequence[LeafPlace], n_missing: int) -> str:
    lacks = f"{{it}} lacks {_count(n_missing, 'edge')}" if n_missing else ""
    if not extra:
        return f"{lacks}; the edges that it has are right."
    more = f" (and {len(extra) - MAX_NAMED_PLACES} more)" if len(extra) > MAX_NAMED_PLACES else ""
    return f"In {{it}}, {_name_edges(extra)}{more} should be no edge" + (f", and {lacks}." if lacks else ".")


def _name_edges(places: Sequence[LeafPlace], sign: str = "–") -> str:
    return _join_names([f"{start}{sign}{end}" for _, start, end in places[:MAX_NAMED_PLACES]])


DESCRIBERS: dict[str, Callable[[Structure, Structure, float], str]] = {
    "text": _text,
    "truth": _truth,
    "list": _sequence,
    "set": _members,
    "mapping": _mapping,
    "table": _table,
    "graph": _edges,
}
