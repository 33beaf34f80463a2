"""Random damage to notebooks: seeded, so that every failure can be seen again.

Each mutation takes the text of a notebook and a generator and returns bytes. None of them can make an answer
more right than it was.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Rng = np.random.Generator
NONSENSE: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0.5,
        1e308,
        "",
        "x" * 1000,
        [],
        {},
        [[]],
        {"a": {}},
        "\ud800",
        "\x00",
        "../..",
        "check-total",
    ),
    *("markdown", "code", "raw", [None], {"nbgrader": None}, {"grade_id": "total"}, 10**400, float("nan")),
)
NOISE = "\u202e\u0000\ufeff\ud83d\U0001f4a5é<&\"'\\\n\r\t{}[]`$%"


def flipped_bytes(text: str, rng: Rng) -> bytes:
    data = bytearray(text.encode())
    for position in rng.integers(len(data), size=rng.integers(1, 20)):
        data[position] ^= 1 << int(rng.integers(8))
    return bytes(data)


def cut(text: str, rng: Rng) -> bytes:
    data = text.encode()
    first, last = sorted(int(edge) for edge in rng.integers(len(data), size=2))
    return data[:first] if rng.random() < 0.5 else data[:first] + data[last:]


def replaced_subtree(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    for _ in range(int(rng.integers(1, 6))):
        places = list(_places(tree))
        if not places:
            break
        parent, key = places[rng.integers(len(places))]
        parent[key] = NONSENSE[rng.integers(len(NONSENSE))]
    return _dumped(tree)


def removed_subtree(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    places = list(_places(tree))
    parent, key = places[rng.integers(len(places))]
    del parent[key]
    return _dumped(tree)


def shuffled_cells(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    order = rng.integers(len(tree["cells"]), size=rng.integers(1, 40))  # some twice, some never
    tree["cells"] = [tree["cells"][position] for position in order]
    return _dumped(tree)


def corrupted_metadata(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    for cell in tree["cells"]:
        role = cell["metadata"].get("nbgrader")
        if role and rng.random() < 0.4:
            key = list(role)[rng.integers(len(role))]
            role[key] = NONSENSE[rng.integers(len(NONSENSE))]
        elif rng.random() < 0.1:
            cell["metadata"] = NONSENSE[rng.integers(len(NONSENSE))]
    return _dumped(tree)


def truncated_sources(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    for cell in tree["cells"]:
        if rng.random() < 0.3:
            cell["source"] = cell["source"][: rng.integers(len(cell["source"]) + 1)]
    return _dumped(tree)


def noisy_sources(text: str, rng: Rng) -> bytes:
    tree = json.loads(text)
    for cell in tree["cells"]:
        if rng.random() < 0.3:
            position = int(rng.integers(len(cell["source"]) + 1))
            noise = "".join(NOISE[index] for index in rng.integers(len(NOISE), size=5))
            cell["source"] = cell["source"][:position] + noise + cell["source"][position:]
    return _dumped(tree)


def swapped_identities(text: str, rng: Rng) -> bytes:
    """Cells keep their text and get each other's roles."""
    tree = json.loads(text)
    roles = [cell["metadata"] for cell in tree["cells"]]
    rng.shuffle(roles)
    for cell, role in zip(tree["cells"], roles, strict=True):
        cell["metadata"] = role
    return _dumped(tree)


MUTATIONS: tuple[Callable[[str, Rng], bytes], ...] = (
    flipped_bytes,
    cut,
    replaced_subtree,
    removed_subtree,
    shuffled_cells,
    corrupted_metadata,
    truncated_sources,
    noisy_sources,
    swapped_identities,
)


def mutated(text: str, number: int) -> tuple[str, bytes]:
    """The name of a mutation and what it made of the text."""
    rng = np.random.default_rng(number)
    mutate = MUTATIONS[number % len(MUTATIONS)]
    return mutate.__name__, mutate(text, rng)


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree that holds something, as (container, key)."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(items):
        yield tree, key
        yield from _places(value)


def _dumped(tree: Any) -> bytes:
    return json.dumps(tree).encode()
