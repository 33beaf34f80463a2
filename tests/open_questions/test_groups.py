"""Which answers are decided together."""

import pytest

from autograder.open_questions.groups import group_answers
from tests.open_questions.large_class import answers_of_class

LONG = "The captured variance and the squared error of the projection always add up to the total variance of the data"


def sizes(texts, blank=()):
    return [len(cluster.answers) for cluster in group_answers(texts, blank)]


def test_class_of_180_with_30_texts_has_30_groups():
    assert sizes(list(answers_of_class().values())) == [6] * 30


@pytest.mark.parametrize(
    "other",
    [
        LONG.upper(),
        f"  {LONG}.\n",
        LONG.replace(" and ", ", and "),
        f"**{LONG}**",
        LONG.replace("squared", "quadratic"),
        f"“{LONG}” – (yes)".replace("yes", ""),
        LONG.replace("always", "al\u00adways\u200b"),
        f"{LONG}!",
    ],
)
def test_same_words_are_one_group(other):
    assert sizes([LONG, other]) == [2]


@pytest.mark.parametrize(
    "other",
    [
        LONG.replace("always", "never"),
        LONG.replace("add up", "do not add up"),
        LONG + " of 3",
        LONG.replace("sum", "product") + " $x^2$",
        "Something else entirely is said here about the eigenvalues of a matrix",
    ],
)
def test_words_that_change_the_meaning_are_two_groups(other):
    assert sizes([LONG, other]) == [1, 1]


def test_formulas_differ_by_every_sign():
    assert sizes([f"{LONG} $a+b$", f"{LONG} $a-b$"]) == [1, 1]
    assert sizes([f"{LONG} $a+b$", f"{LONG} $a + b$"]) == [2]


@pytest.mark.parametrize(
    ("formula", "other"),
    [
        ("a > b", "a < b"),
        ("kept + lost", "kept - lost"),
        ("x-y", "x+y"),
        ("a * b", "a / b"),
        ("1 = 2", "1 ≠ 2"),
        ("λ₁ ≫ λ₂", "λ₁ ≪ λ₂"),
        ("x ∉ S", "x ⊄ S"),
        ("¬A holds", "A holds"),
        ("√2", "2"),
        ("5²", "52"),
        ("n!", "n"),
        ("5 %", "5"),
        ("x̄", "x"),
        ("A'", "A"),
        ("X", "x"),
        ("n", "m"),
    ],
)
def test_plain_text_formulas_differ_by_their_signs(formula, other):
    assert sizes([f"{LONG} {formula}", f"{LONG} {other}"]) == [1, 1]


def test_bullets_and_hyphens_are_no_operators():
    assert sizes([f"* {LONG} rank-one", f"{LONG} rank one"]) == [2]


@pytest.mark.parametrize("mark", ["1. ", "2) ", "- ", "> ", "* ", "a) ", "  • "])
def test_marks_of_lists_are_layout(mark):
    assert sizes([f"{mark}{LONG}", LONG]) == [2]
    assert sizes([f"{LONG}\n\n{mark}A sum", f"{LONG} A sum"]) == [2]


@pytest.mark.parametrize("formula", ["- x", "> 0", "- 2 x", "2. 5"])
def test_signs_at_the_start_of_a_line_stay_signs(formula):
    assert sizes([f"{LONG}\n{formula}", f"{LONG}\n{formula[1:]}"]) == [1, 1]


def test_contracted_negation_changes_the_meaning():
    assert sizes([f"{LONG} could have", f"{LONG} couldn't have"]) == [1, 1]


def test_blank_and_unchanged_answers_are_one_group():
    (cluster,) = group_answers(["", " \n", "YOUR ANSWER HERE", "*your answer here*"], ["YOUR ANSWER HERE"])
    assert cluster.is_blank


def test_differing_words_are_told():
    (cluster,) = group_answers([LONG, LONG, LONG.replace("squared", "quadratic")])
    assert set(cluster.differences) == {"squared", "quadratic"}


def test_short_answers_need_equal_words():
    assert sizes(["it is large", "it is huge"]) == [1, 1]
