"""Kinds of answers with structure, and how each is read.

A kind is named in keys with its options, as in "table(rows in any order)", so a key needs no code of the course.
Whatever holds the same content is read: a table may be a frame of pandas, a dict of columns or a list of rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.tables import DataTable, zip_columns
from autograder.answers.values import Expression, UnsupportedAnswerError
from autograder.judging.structures.leaves import (
    MAX_LEAVES,
    Freedom,
    Leaf,
    LeafPlace,
    agree,
    count_leaves,
    describe_type,
    digest_words,
    is_near_edge,
    leaf_bits,
    leaf_of,
    leaf_text,
    leaves_of_any,
    number_text,
)

KEY_DIGITS = 8  # of numbers that are keys, members of a set or nodes of a graph
TEXT_OPTIONS = {
    "any case": "any_case",
    "any space": "any_space",
    "any punctuation": "any_punctuation",
}


@dataclass(frozen=True)
class Structure:
    """An answer as leaves at places, in an order that its kind fixes.

    `rows` holds, for a table whose rows were sorted, the numbers that they had.
    """

    leaves: tuple[tuple[LeafPlace, Leaf], ...]
    rows: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[LeafPlace, ...]:
        """Return the places of all leaves."""
        return tuple(place for place, _ in self.leaves)


@dataclass(frozen=True)
class Kind:
    """A kind of answer with its options."""

    word: str
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name in keys."""
        return f"{self.word}({', '.join(self.options)})" if self.options else self.word

    @property
    def freedom(self) -> Freedom:
        """Return the differences of texts that do not count."""
        return Freedom(**{TEXT_OPTIONS[option]: True for option in self.options if option in TEXT_OPTIONS})

    def read(self, part: object) -> Structure:
        """Return an answer as leaves.

        Raise UnsupportedAnswerError, with words for the student, if it is of another kind.
        """
        if count_leaves(part, MAX_LEAVES) > MAX_LEAVES:
            raise UnsupportedAnswerError(f"it holds more than {MAX_LEAVES} entries")
        return READERS[self.word](part, self)

    def digest(self, part: object) -> Array:
        """Return eight numbers that identify an answer, of this kind or any other."""
        if part is None:
            return np.full(8, np.nan)
        try:
            structure = self.read(part)
            words = [self.word, [[place, leaf_text(leaf)] for place, leaf in structure.leaves]]
        except UnsupportedAnswerError:
            words = ["another kind", _words_of_any(part)]
        return digest_words(words)

    def leaf_digests(self, part: object) -> list[tuple[LeafPlace, Array]]:
        """Return the digest of each leaf with its place, by which a sealed case tells the right ones."""
        return [
            (place, digest_words([self.word, place, leaf_text(leaf)]))
            for place, leaf in self.read(part).leaves
        ]

    def is_near_edge(self, part: object, margin: float) -> bool:
        """Return whether a number of the answer is near the edge of its rounding."""
        return any(is_near_edge(leaf, margin) for _, leaf in self.read(part).leaves)

    def agrees(self, part: object, right: object, tolerance: float) -> bool:
        """Return whether an answer is the right one, leaf by leaf."""
        try:
            structure, expected = self.read(part), self.read(right)
        except UnsupportedAnswerError:
            return False
        if structure.places != expected.places:
            return False
        pairs = zip(structure.leaves, expected.leaves, strict=True)
        return all(agree(leaf, want, tolerance) for (_, leaf), (_, want) in pairs)

    def bits(self, part: object, right: object = None) -> float:
        """Return the information in the leaves of an answer that are not right."""
        try:
            structure = self.read(part)
            known = set(self.read(right).leaves) if right is not None else set()
        except UnsupportedAnswerError:
            return 0.0
        leaves = {leaf for leaf in structure.leaves if leaf not in known}
        return sum(leaf_bits(leaf, self.word in ("truth", "set", "graph")) for _, leaf in leaves)


def _words_of_any(part: object) -> list[Any]:
    if count_leaves(part, MAX_LEAVES) > MAX_LEAVES:
        return ["too large"]
    try:
        pairs = list(zip(leaves_of_any(part), range(MAX_LEAVES), strict=False))
        return [[place, leaf_text(leaf)] for (place, leaf), _ in pairs]
    except (UnsupportedAnswerError, RecursionError):
        return [type(part).__name__]


def _normal(leaf: Leaf, kind: Kind) -> Leaf:
    return kind.freedom.normal(leaf) if isinstance(leaf, str) else leaf


def key_words(value: object) -> str:
    """Return a key, a member or a node in words, the same for equal ones."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(key_words, value))})"
    leaf = leaf_of(value)
    if isinstance(leaf, float):
        return (
            f"{leaf:.0f}"
            if leaf.is_integer() and abs(leaf) < 1e15
            else f"{float(number_text(leaf, KEY_DIGITS)):.9g}"
        )
    return "None" if leaf is None else repr(leaf)


def key_place(value: object, kind: Kind) -> str:
    """Return a key of a mapping as a place."""
    return f"key {_key(value, kind)}"


def _key(value: object, kind: Kind) -> str:
    return key_words(kind.freedom.normal(value) if isinstance(value, str) else value)


def _read_text(part: object, kind: Kind) -> Structure:
    if isinstance(part, list | tuple) and len(part) == 1:
        part = part[0]
    if isinstance(part, Expression):
        part = part.text
    if not isinstance(part, str):
        raise UnsupportedAnswerError(f"a text was expected, in quotes; yours is {describe_type(part)}")
    return Structure((((), kind.freedom.normal(part)),))


def _read_truth(part: object, kind: Kind) -> Structure:
    if isinstance(part, np.ndarray) and part.size == 1:
        part = part.item()
    if isinstance(part, bool | int | float) and part in (0, 1):
        return Structure((((), float(part)),))
    raise UnsupportedAnswerError(f"True or False was expected; yours is {describe_type(part)}")


def _entries(part: object, what: str) -> list[Any]:
    """Return the entries of a list, whatever holds them in an order."""
    if isinstance(part, DataTable) and part.is_column:
        part = part.columns[-1]
    if isinstance(part, np.ndarray) and part.ndim == 2 and 1 in part.shape:
        part = part.ravel()
    if isinstance(part, np.ndarray) and part.ndim == 1:
        part = part.tolist()
    if not isinstance(part, list | tuple):
        raise UnsupportedAnswerError(f"{what} was expected; yours is {describe_type(part)}")
    return list(part)


def _read_list(part: object, kind: Kind) -> Structure:
    if "any order" in kind.options and isinstance(part, frozenset):
        part = sorted(part, key=repr)
    leaves = [_normal(leaf_of(item), kind) for item in _entries(part, "a list")]
    if "any order" in kind.options:
        leaves.sort(key=leaf_text)
    return Structure(tuple(((f"entry {number}",), leaf) for number, leaf in enumerate(leaves, start=1)))


def _read_set(part: object, kind: Kind) -> Structure:
    items = part if isinstance(part, frozenset) else _entries(part, "a set")
    members = sorted({_key(item, kind) for item in items})
    return Structure(tuple(((member,), 1.0) for member in members))


def _read_mapping(part: object, kind: Kind) -> Structure:
    if isinstance(part, DataTable) and part.is_column and part.labels:
        part = dict(zip(_label_keys(part), zip_columns([part.columns[-1]]), strict=True))
        part = {name: value for name, (value,) in part.items()}
    if not isinstance(part, dict):
        raise UnsupportedAnswerError(f"a dict was expected; yours is {describe_type(part)}")
    leaves = dict(_mapping_leaves(part, kind, ()))
    return Structure(tuple(sorted(leaves.items(), key=lambda item: item[0])))


def _label_keys(series: DataTable) -> list[object]:
    rows = zip_columns(series.columns[: series.labels])
    return [row[0] if len(row) == 1 else row for row in rows]


def _mapping_leaves(
    part: Mapping[Any, object], kind: Kind, place: LeafPlace
) -> Iterator[tuple[LeafPlace, Leaf]]:
    for name, value in part.items():
        yield from _value_leaves(value, kind, (*place, key_place(name, kind)))


def _value_leaves(value: object, kind: Kind, place: LeafPlace) -> Iterator[tuple[LeafPlace, Leaf]]:
    if _is_empty(value):  # a leaf of its own, because a key that holds nothing is a key
        yield (*place, "no entries"), None
    elif isinstance(value, dict):
        yield from _mapping_leaves(value, kind, place)
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        for number, item in enumerate(value, start=1):
            yield from _value_leaves(item, kind, (*place, f"entry {number}"))
    elif isinstance(value, frozenset):
        yield from (((*place, _key(member, kind)), 1.0) for member in value)
    else:
        leaf = leaf_of(value.item() if isinstance(value, np.generic) else value)
        yield place, _normal(leaf, kind)


def _is_empty(value: object) -> bool:
    """Return whether a value is a container without entries."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and not value.size
    return isinstance(value, dict | list | tuple | frozenset) and not value


def _columns(part: object) -> dict[str, Any]:
    """Return the columns of a table: a frame, a dict of columns or a list of dicts."""
    if isinstance(part, DataTable) and not part.is_column:
        return part.as_dict()
    if isinstance(part, list | tuple) and part and all(isinstance(row, dict) for row in part):
        part = _columns_of_rows(part)
    if not isinstance(part, dict):
        raise UnsupportedAnswerError(
            "a table with named columns was expected, such as a DataFrame or a dict of columns; "
            f"yours is {describe_type(part)}"
        )
    return {name if isinstance(name, str) else key_words(name): column for name, column in part.items()}


def _columns_of_rows(rows: Sequence[dict[object, object]]) -> dict[object, list[object]]:
    names = list(rows[0])
    if any(set(row) != set(names) for row in rows):
        raise UnsupportedAnswerError("the rows of the table do not all have the same columns")
    return {name: [row[name] for row in rows] for name in names}


def _entries_of_columns(part: object) -> dict[str, list[object]]:
    what = "a column that is a list or an array"
    columns = {name: _entries(column, what) for name, column in _columns(part).items()}
    if len(set(map(len, columns.values()))) > 1:
        raise UnsupportedAnswerError("the columns of the table have different lengths")
    return columns


def _normal_leaves(entries: Iterable[object], kind: Kind) -> list[Leaf]:
    return [_normal(leaf_of(entry), kind) for entry in entries]


def _row_order(rows: Sequence[Sequence[Leaf]]) -> list[int]:
    """Return the numbers of the rows in the order of their texts."""
    return sorted(range(len(rows)), key=lambda number: list(map(leaf_text, rows[number])))


def _read_table(part: object, kind: Kind) -> Structure:
    columns = _entries_of_columns(part)
    names = list(columns) if "columns in order" in kind.options else sorted(columns)
    rows = list(zip(*(_normal_leaves(columns[name], kind) for name in names), strict=True))
    order = _row_order(rows) if "rows in any order" in kind.options else range(len(rows))
    places = [f"column {_key(name, kind)}" for name in names]
    body = [
        ((f"row {number}", place), leaf)
        for number, position in enumerate(order, start=1)
        for place, leaf in zip(places, rows[position], strict=True)
    ]
    head: list[tuple[LeafPlace, Leaf]] = [((place,), None) for place in places]
    return Structure((*head, *body), tuple(position + 1 for position in order))


def _read_graph(part: object, kind: Kind) -> Structure:
    edges: dict[LeafPlace, Leaf] = {}
    for edge in _edges(part):
        if isinstance(edge, np.ndarray):
            edge = edge.tolist()
        if not isinstance(edge, list | tuple) or len(edge) not in (2, 3):
            raise UnsupportedAnswerError("each edge should be a pair of nodes, or a pair and a weight")
        ends = [_key(node, kind) for node in edge[:2]]
        if "directed" not in kind.options:
            ends.sort()
        edges["edge", *ends] = leaf_of(edge[2]) if len(edge) == 3 else 1.0
    return Structure(tuple(sorted(edges.items(), key=lambda item: item[0])))


def _edges(part: object) -> list[object]:
    if isinstance(part, dict):  # node → its neighbours
        lists = {
            node: _entries(sorted(to, key=repr) if isinstance(to, frozenset) else to, "a list of neighbours")
            for node, to in part.items()
        }
        return [(node, neighbour) for node, neighbours in lists.items() for neighbour in neighbours]
    if isinstance(part, frozenset | list | tuple):
        return list(part)
    if isinstance(part, np.ndarray) and part.ndim == 2:
        return list(part.tolist())
    raise UnsupportedAnswerError(f"a list of edges was expected; yours is {describe_type(part)}")


READERS: dict[str, Callable[[object, Kind], Structure]] = {
    "text": _read_text,
    "truth": _read_truth,
    "list": _read_list,
    "set": _read_set,
    "mapping": _read_mapping,
    "table": _read_table,
    "graph": _read_graph,
}
OPTIONS: dict[str, tuple[str, ...]] = {
    "text": (*TEXT_OPTIONS,),
    "truth": (),
    "list": ("any order", *TEXT_OPTIONS),
    "set": (*TEXT_OPTIONS,),
    "mapping": (*TEXT_OPTIONS,),
    "table": ("rows in any order", "columns in order", *TEXT_OPTIONS),
    "graph": ("directed", *TEXT_OPTIONS),
}


def kind_named(name: str) -> Kind | None:
    """Return the kind of a name in a key, or None if there is none of that word or with that option."""
    word, _, rest = name.partition("(")
    options = tuple(rest.removesuffix(")").split(", ")) if rest else ()
    if word not in OPTIONS or list(options) != [option for option in OPTIONS[word] if option in options]:
        return None
    kind = Kind(word, options)
    return kind if kind.name == name else None
