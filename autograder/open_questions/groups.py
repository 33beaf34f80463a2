"""Group equal, nearly equal and blank answers to an open question.

Two texts are nearly equal if they share almost all words in the same order, and no differing word can reverse the
meaning, such as a negation, a number, a formula, a sign or a direction. A grader sees the differing words and can
remove a text from its group.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from autograder.answers.texts import bounded_normal_form

MIN_SHARED_WORDS = 0.9  # normalised Indel similarity of the word lists
MIN_WORDS_NEARLY_EQUAL = 8  # shorter texts are grouped only if they are equal
# An operator counts as a word, because a + b is not a - b. A hyphen that joins two words does not.
OPERATOR = r"[<>=≤≥≠≈+−±×·∗/^|→∈⊂⊥]|(?<!\w)-|(?<=\b\w)[-*](?=\w\b)|(?<=\w )\*(?= \w)"
# Every other sign counts as a word, too (a ≪ b, ¬A, 5 %, x̄), but for punctuation.
PUNCTUATION = "\\.,;:!?\"'“”„‘’‚«»‹›()\\[\\]{}…_#&@•*–—$`\\\\-"
SIGN = rf"[^\w\s{PUNCTUATION}]|(?<=\b\w)['!]"
WORD_OR_FORMULA = re.compile(rf"\$[^$]*\$|`[^`]*`|[^\W_]+(?:'[^\W_]+)?|{OPERATOR}|{SIGN}")
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")
SUPERSCRIPTS = re.compile("[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+")
# Marks that begin a line of a list or a quotation: layout, not words.
LIST_MARK = re.compile(
    r"^[ \t]*(?:(?:[-+*>→•]|\d{1,2}[.)]|[a-hA-H]\))[ \t]+)+(?=[^\W\d_]{2}|[AI] |[*_])", re.MULTILINE
)
FORMULA_CHARACTER = re.compile(r"[$`\\0-9<>=≤≥≠≈+−±×·∗*/^|→∈⊂⊥-]")
# Words that can change the meaning of a sentence.
DECISIVE_WORDS = frozenset(
    "no not never none nor neither without cannot can't don't doesn't isn't aren't won't wouldn't nothing nobody "
    "all every each any some only always sometimes unless except but "
    "more less most least larger smaller greater largest smallest maximal minimal maximum minimum maximise minimise "
    "maximize minimize maximises minimises maximizes minimizes before after first last same different equal unequal "
    "positive negative zero nonzero increases decreases increase decrease grows shrinks above below inside outside "
    "left right true false yes wrong correct if iff orthogonal parallel row rows column columns sum product "
    "nicht kein keine nie ohne nur mehr weniger immer jede alle".split()
)


@dataclass(frozen=True)
class Cluster:
    """Answers that can be decided together, as positions in the grouped list."""

    answers: tuple[int, ...]
    is_blank: bool = False
    differences: tuple[str, ...] = ()  # the differing words of the texts


def words_of(text: str) -> tuple[str, ...]:
    """Return the words, numbers, formulas and signs of a text.

    Spaces, marks of lists and punctuation do not count, nor does case, but for the letters of formulas: X is not x.
    """
    powers = SUPERSCRIPTS.sub(r"^\g<0>", UNSEEN.sub("", text))
    plain = LIST_MARK.sub("", bounded_normal_form("NFKC", powers).replace("’", "'"))
    has_cases = not plain.isupper()
    return tuple(
        "".join(word.split())
        if FORMULA_CHARACTER.search(word) or (_is_symbol(word) and has_cases)
        else word.casefold()
        for word in WORD_OR_FORMULA.findall(plain)
    )


def _is_symbol(word: str) -> bool:
    """Return whether a word is a sign, or a letter that is no word of the language."""
    return len(word) == 1 and word not in "aAI"


def group_answers(texts: Sequence[str], blank: Iterable[str] = ()) -> list[Cluster]:
    """Group texts, the largest group first.

    `blank` lists texts without an answer, such as the unchanged stub.
    """
    words = [words_of(text) for text in texts]
    nothing = {words_of(text) for text in blank} | {()}
    equal: dict[tuple[str, ...], list[int]] = {}
    for place, key in enumerate(words):
        equal.setdefault(() if key in nothing else key, []).append(place)
    clusters = [Cluster(tuple(equal.pop(())), is_blank=True)] if () in equal else []
    clusters += [_cluster(keys, equal) for keys in _nearly_equal(equal)]
    return sorted(clusters, key=lambda cluster: (-len(cluster.answers), cluster.answers))


def _nearly_equal(equal: dict[tuple[str, ...], list[int]]) -> list[list[tuple[str, ...]]]:
    """Add each text to the first group with a nearly equal text.

    A text is compared with the most frequent text of a group.
    """
    groups: list[list[tuple[str, ...]]] = []
    for key in sorted(equal, key=lambda key: (-len(equal[key]), equal[key])):
        home = next((group for group in groups if are_nearly_equal(group[0], key)), None)
        if home is None:
            groups.append([key])
        else:
            home.append(key)
    return groups


def are_nearly_equal(first: Sequence[str], second: Sequence[str]) -> bool:
    """Tell whether two word lists differ in few, indecisive words."""
    if min(len(first), len(second)) < MIN_WORDS_NEARLY_EQUAL:
        return False
    if Indel.normalized_similarity(first, second) < MIN_SHARED_WORDS:
        return False
    return not any(_is_decisive(word) for word in _differing(first, second))


def _is_decisive(word: str) -> bool:
    is_sign = _is_symbol(word) or bool(FORMULA_CHARACTER.search(word))
    return is_sign or word in DECISIVE_WORDS or word.endswith("n't")


def _differing(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the inserted and deleted words between two texts."""
    words = []
    for edit in Indel.editops(first, second):
        words.append(first[edit.src_pos] if edit.tag == "delete" else second[edit.dest_pos])
    return words


def _cluster(keys: list[tuple[str, ...]], equal: dict[tuple[str, ...], list[int]]) -> Cluster:
    places = [place for key in keys for place in equal[key]]
    differences = dict.fromkeys(word for key in keys[1:] for word in _differing(keys[0], key))
    return Cluster(tuple(places), differences=tuple(differences))
