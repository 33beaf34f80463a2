"""What a seal hides and what not: numbers are found by trying, so the published ones never decide a grade."""

import itertools

import numpy as np
import pytest

from autograder.authoring.task import Task
from autograder.judging.check import verdict_on
from autograder.judging.fingerprints import fingerprint, grid_of, guesses_needed
from autograder.judging.sameness import exactly
from autograder.release import variant as generate
from autograder.release.draw import draw_task


def found_by_trying(answer, one_by_one):
    """The number of guesses after which trying all numbers of the size that the key tells finds an answer."""
    answer = np.atleast_1d(np.asarray(answer, dtype=float))
    grid, tried = grid_of(answer), 0
    marks = (
        [fingerprint(entry, grid, "salt") for entry in answer]
        if one_by_one
        else [fingerprint(answer, grid, "salt")]
    )
    for mark in marks:
        each = itertools.product(range(-9, 10), repeat=1 if one_by_one else answer.size)
        for guess in each:
            tried += 1
            if fingerprint(guess[0] if one_by_one else np.array(guess, dtype=float), grid, "salt") == mark:
                break
        else:
            pytest.fail("trying small whole numbers does not find it")
    return tried


@pytest.mark.parametrize(("answer", "one_by_one"), [(7, True), ([3, -2, 9], True), ([4, -1], False)])
def test_a_small_answer_is_found_within_the_guesses_that_are_counted(answer, one_by_one):
    assert found_by_trying(answer, one_by_one) <= guesses_needed(answer, one_by_one=one_by_one)


def test_more_digits_and_entries_that_are_sealed_together_take_more_guesses():
    assert guesses_needed(7, one_by_one=True) == 20
    assert guesses_needed(43, one_by_one=True) == 200
    assert guesses_needed(0.731, one_by_one=True) == 20_000
    assert guesses_needed([3, 4], one_by_one=True) == 40
    assert guesses_needed([3, 4], one_by_one=False) == 400


def whole(u):
    return float(u[0] + u[1])


HAND = Task(
    "hand",
    1,
    1,
    lambda rng: {"printed": {"u": rng.integers(1, 400, 2) * 1.0}},
    whole,
    see="eq-x",
    same=exactly,
)


def test_what_is_found_in_the_published_key_earns_nothing_in_a_class():
    """A class's numbers follow from its own seed: the answer to the published ones is another."""
    published = draw_task("sum", HAND, "public", "").public
    answer = whole(published.cases[0].inputs["u"])
    assert verdict_on("t", published, answer).passed
    for seed in ("autumn", "spring", "summer"):
        assert not verdict_on("t", draw_task("sum", HAND, seed, "secret").secret, answer).passed


def test_the_certificate_says_how_many_guesses_find_an_answer_by_hand(released_course):
    made = generate.make_variant(released_course, "squares", "one", "a secret word")
    said = {name: task for name, task in made.certificate["tasks"].items() if task["kind"] == "hand"}
    assert said
    assert all(task["found in the key by at most so many guesses"] >= 20 for task in said.values())
