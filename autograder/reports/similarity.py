"""Find pairs of similar submissions.

Similarity is a reason to look, never a verdict. Programs are compared by hashes of n-grams of their syntax tree. Names
chosen by the student, comments, docstrings and layout do not count. Text answers are compared by n-grams of words.
Fingerprints of the course's own texts (starter code, solution) and those of many students are removed.
"""

import ast
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

NGRAM_NODES = 10  # of structure: nodes of the syntax tree
NGRAM_WORDS = 6
COMMON_NGRAM_IF_ONE_IN = 50  # students; a fingerprint is common if more than max(3, n / 50) students have it
MIN_SHARED_FINGERPRINTS = 12  # fingerprints that a pair must share
MIN_OVERLAP = 0.5  # share of the smaller submission's fingerprints
MAX_SIMILAR_PAIRS = 30
MAX_ANSWER_CHARACTERS = (
    50_000  # the rest is ignored: a syntax tree needs about a thousand times the memory of its text
)
Fingerprints = frozenset[int]


@dataclass(frozen=True)
class SimilarPair:
    """Two similar submissions.

    `share` is the number of shared fingerprints, divided by those of the smaller submission.
    """

    one: str
    other: str
    share: float
    answers: tuple[str, ...]


def fingerprints(source: str, *, is_code: bool) -> Fingerprints:
    """Return hashes of all n-grams of an answer.

    Invalid Python code has none.
    """
    source = source[:MAX_ANSWER_CHARACTERS]
    if not is_code:
        return _hash_ngrams(re.findall(r"\w+", source.lower()), NGRAM_WORDS)
    try:
        tree = ast.parse(source)
        return _hash_ngrams(list(_structure(tree, _names_in_program(tree))), NGRAM_NODES)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _hash_ngrams(tokens: list[str], run: int) -> Fingerprints:
    texts = ["\x1f".join(tokens[place : place + run]) for place in range(len(tokens) - run + 1)]
    return frozenset(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) for text in texts)


def _names_in_program(tree: ast.AST) -> set[str]:
    """Return the functions, arguments and variables that a program defines."""
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    stored = (
        node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return names | {node.id for node in stored}


def _structure(tree: ast.AST, own_names: set[str]) -> Iterator[str]:
    """Yield a word per node in reading order, without docstrings and annotations.

    The loop is not recursive, because a student's tree may be deeper than the recursion limit.
    """
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr_context) or _is_docstring(node):
            continue
        yield _word(node, own_names)
        pending += reversed(list(_children(node)))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, field in ast.iter_fields(node):
        if name not in ("annotation", "returns", "type_comment"):
            children = field if isinstance(field, list) else [field]
            yield from (child for child in children if isinstance(child, ast.AST))


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _word(node: ast.AST, own_names: set[str]) -> str:
    if isinstance(node, ast.Name):
        return "own" if node.id in own_names else node.id
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Constant):
        return repr(node.value)[:40]
    return type(node).__name__


def similar_pairs(
    submissions: Mapping[str, Mapping[str, Fingerprints]], course_fingerprints: Mapping[str, Fingerprints]
) -> list[SimilarPair]:
    """Return the pairs that share most of their rare fingerprints.

    `course_fingerprints` maps each answer to the fingerprints of the course's own texts.
    """
    common = max(3, len(submissions) // COMMON_NGRAM_IF_ONE_IN)
    special = _special_fingerprints(submissions, course_fingerprints, common)
    shared: Counter[tuple[str, str]] = Counter()
    answers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (answer, _), students in _students_by_fingerprint(special).items():
        for pair in combinations(students, 2):
            shared[pair] += 1
            answers[pair].add(answer)
    sizes = {
        student: sum(map(len, fingerprints_by_answer.values()))
        for student, fingerprints_by_answer in special.items()
    }
    pairs = [
        SimilarPair(*pair, number / min(sizes[pair[0]], sizes[pair[1]]), tuple(sorted(answers[pair])))
        for pair, number in shared.items()
        if number >= MIN_SHARED_FINGERPRINTS
    ]
    pairs_to_show = [pair for pair in pairs if pair.share >= MIN_OVERLAP]
    return sorted(pairs_to_show, key=lambda pair: (-pair.share, -len(pair.answers), pair.one, pair.other))[
        :MAX_SIMILAR_PAIRS
    ]


def _special_fingerprints(
    submissions: Mapping[str, Mapping[str, Fingerprints]],
    course_fingerprints: Mapping[str, Fingerprints],
    common: int,
) -> dict[str, dict[str, Fingerprints]]:
    """Remove fingerprints of the course and those of more than `common` students."""
    seen = Counter(
        (answer, mark)
        for by_answer in submissions.values()
        for answer, marks in by_answer.items()
        for mark in marks
    )
    often = {key for key, number in seen.items() if number > common}
    nothing: Fingerprints = frozenset()
    return {
        student: {
            answer: frozenset(
                mark
                for mark in marks - course_fingerprints.get(answer, nothing)
                if (answer, mark) not in often
            )
            for answer, marks in by_answer.items()
        }
        for student, by_answer in submissions.items()
    }


def _students_by_fingerprint(
    special: Mapping[str, Mapping[str, Fingerprints]],
) -> dict[tuple[str, int], list[str]]:
    index: dict[tuple[str, int], list[str]] = defaultdict(list)
    for student in sorted(special):
        for answer, marks in special[student].items():
            for mark in marks:
                index[answer, mark].append(student)
    return {key: students for key, students in index.items() if len(students) > 1}
