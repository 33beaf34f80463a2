"""Which submissions resemble each other more than chance and the course explain: pairs to look at, never a verdict.

Programs are compared by their structure, as fingerprints of short runs of it: names that the student chose, comments,
docstrings and layout count for nothing. What the course itself gave (starter code, the notebook's own solution) is
taken away, and so is what many students wrote. Answers in words are compared by runs of words.
"""

import ast
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

RUN = 10  # of structure: nodes of the syntax tree
WORDS = 6
COMMON = 50  # a fingerprint that more than one in so many has says nothing; in small classes, that more than three have
LEAST = 12  # fingerprints that a pair must share
SHARE = 0.5  # of the smaller submission's own
MOST = 30  # pairs shown
LONGEST = (
    50_000  # characters of an answer that are looked at: a syntax tree takes a thousand times their room
)
Fingerprints = frozenset[int]


@dataclass(frozen=True)
class Pair:
    """Two submissions; `share` of what is special about the smaller one is also in the other, in these answers."""

    one: str
    other: str
    share: float
    answers: tuple[str, ...]


def fingerprints(source: str, *, is_code: bool) -> Fingerprints:
    """Hashes of all runs of an answer's structure or words; none of a program that is not one."""
    source = source[:LONGEST]
    if not is_code:
        return _hashed(re.findall(r"\w+", source.lower()), WORDS)
    try:
        tree = ast.parse(source)
        return _hashed(list(_structure(tree, _own_names(tree))), RUN)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _hashed(tokens: list[str], run: int) -> Fingerprints:
    texts = ["\x1f".join(tokens[place : place + run]) for place in range(len(tokens) - run + 1)]
    return frozenset(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) for text in texts)


def _own_names(tree: ast.AST) -> set[str]:
    """The names that the program gives to things: functions, arguments, variables."""
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    stored = (
        node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return names | {node.id for node in stored}


def _structure(node: ast.AST, own: set[str]) -> Iterator[str]:
    """The tree in reading order, one word a node; docstrings, annotations and contexts are left out."""
    if isinstance(node, ast.expr_context) or _is_docstring(node):
        return
    yield _word(node, own)
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _structure(child, own)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _word(node: ast.AST, own: set[str]) -> str:
    if isinstance(node, ast.Name):
        return "own" if node.id in own else node.id
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Constant):
        return repr(node.value)[:40]
    return type(node).__name__


def similar_pairs(
    submissions: Mapping[str, Mapping[str, Fingerprints]], given: Mapping[str, Fingerprints]
) -> list[Pair]:
    """The pairs that share most of what is special about them; `given` is the course's own, by answer."""
    common = max(3, len(submissions) // COMMON)
    special = _special(submissions, given, common)
    shared: Counter[tuple[str, str]] = Counter()
    answers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (answer, _), students in _index(special).items():
        for pair in combinations(students, 2):
            shared[pair] += 1
            answers[pair].add(answer)
    sizes = {student: sum(map(len, own.values())) for student, own in special.items()}
    pairs = [
        Pair(*pair, number / min(sizes[pair[0]], sizes[pair[1]]), tuple(sorted(answers[pair])))
        for pair, number in shared.items()
        if number >= LEAST
    ]
    found = [pair for pair in pairs if pair.share >= SHARE]
    return sorted(found, key=lambda pair: (-pair.share, -len(pair.answers), pair.one, pair.other))[:MOST]


def _special(
    submissions: Mapping[str, Mapping[str, Fingerprints]], given: Mapping[str, Fingerprints], common: int
) -> dict[str, dict[str, Fingerprints]]:
    """What neither the course gave nor many students wrote."""
    seen = Counter(
        (answer, mark) for own in submissions.values() for answer, marks in own.items() for mark in marks
    )
    often = {key for key, number in seen.items() if number > common}
    nothing: Fingerprints = frozenset()
    return {
        student: {
            answer: frozenset(
                mark for mark in marks - given.get(answer, nothing) if (answer, mark) not in often
            )
            for answer, marks in own.items()
        }
        for student, own in submissions.items()
    }


def _index(special: Mapping[str, Mapping[str, Fingerprints]]) -> dict[tuple[str, int], list[str]]:
    index: dict[tuple[str, int], list[str]] = defaultdict(list)
    for student in sorted(special):
        for answer, marks in special[student].items():
            for mark in marks:
                index[answer, mark].append(student)
    return {key: students for key, students in index.items() if len(students) > 1}
