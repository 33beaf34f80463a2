"""Probability: an event as a set, a joint distribution as a dict, Bayes' rule by hand, a formula."""

import itertools

import numpy as np

from autograder.authoring import task
from autograder.judging.structures.samenesses import same_mapping, same_set

WEATHER, ARRIVAL = ("sun", "rain", "snow"), ("early", "late")


@task.code(points=1, minutes=5, see="def-chance-event", same=same_set())
def at_least(total):
    return {(i, j) for i in range(1, 7) for j in range(1, 7) if i + j >= total}


@at_least.draw
def draw_totals(rng):
    few, many = int(rng.integers(9, 12)), int(rng.integers(4, 8))
    return {"few outcomes": {"total": few}, "many outcomes": {"total": many}}


@at_least.wrong("At least this much includes this much.")
def left_the_total_out(total):
    return {(i, j) for i in range(1, 7) for j in range(1, 7) if i + j > total}


@at_least.wrong("(1, 2) and (2, 1) are two outcomes: the dice can be told apart.")
def took_the_dice_for_the_same(total):
    return {(i, j) for i in range(1, 7) for j in range(i, 7) if i + j >= total}


@at_least.wrong("These are the outcomes with exactly this total.")
def asked_for_exactly_this_total(total):
    return {(i, j) for i in range(1, 7) for j in range(1, 7) if i + j == total}


@at_least.also
def from_all_pairs(total):
    return [pair for pair in itertools.product(range(1, 7), repeat=2) if sum(pair) >= total]


@task.code(points=2, minutes=10, see="def-chance-joint", same=same_mapping())
def joint(days):
    pairs = [tuple(day) for day in days]
    return {pair: pairs.count(pair) / len(pairs) for pair in set(pairs)}


@joint.draw
def draw_days(rng):
    def days(size, kinds):
        weather, arrival = rng.integers(0, kinds, size=size), rng.integers(0, 2, size=size)
        return [[WEATHER[w], ARRIVAL[a]] for w, a in zip(weather, arrival, strict=True)]

    return {"sun and rain": {"days": days(8, 2)}, "all weathers": {"days": days(13, 3)}}


@joint.ill_posed
def is_too_plain(days):
    counts = {weather: sum(day[0] == weather for day in days) for weather, _ in days}
    pairs = {tuple(day) for day in days}
    if len(set(counts.values())) < len(counts) or len(pairs) < len(counts) + 1:
        return "two weathers are as frequent, or each has one arrival only"
    return None


@joint.wrong(
    "Divide by all days. You divided by the days with this weather: that is a conditional distribution."
)
def divided_by_the_days_with_this_weather(days):
    pairs = [tuple(day) for day in days]
    return {(w, a): pairs.count((w, a)) / sum(other == w for other, _ in pairs) for w, a in set(pairs)}


@joint.wrong("These are counts. A distribution has shares, which add up to 1.")
def forgot_to_divide(days):
    pairs = [tuple(day) for day in days]
    return {pair: pairs.count(pair) for pair in set(pairs)}


@joint.wrong("Pairs are not equally likely because there are so many of them: count how often each occurs.")
def took_all_pairs_for_equally_likely(days):
    pairs = {tuple(day) for day in days}
    return {pair: 1 / len(pairs) for pair in pairs}


@task.hand(points=2, minutes=8, see="eq-chance-bayes")
def positive(ill, sensitivity, specificity):
    return float(ill * sensitivity / (ill * sensitivity + (1 - ill) * (1 - specificity)))


@positive.draw
def draw_test(rng):
    return {
        "the numbers of the text": {
            "ill": int(rng.integers(2, 9)) / 100,
            "sensitivity": int(rng.integers(81, 95)) / 100,
            "specificity": int(rng.integers(85, 98)) / 100,
        }
    }


@positive.ill_posed
def is_hard_to_tell_apart(ill, sensitivity, specificity):
    return "the two probabilities are equal" if sensitivity == specificity else None


@positive.wrong(
    "This is the probability of a positive test for the ill. The question starts from a positive test."
)
def turned_the_condition_round(ill, sensitivity, specificity):
    return sensitivity


@positive.wrong("A healthy person is positive with probability 1 minus the specificity.")
def took_the_specificity_for_false_alarms(ill, sensitivity, specificity):
    return ill * sensitivity / (ill * sensitivity + (1 - ill) * specificity)


@positive.wrong("How common the illness is does not enter your answer, and it matters most.")
def forgot_how_common_the_illness_is(ill, sensitivity, specificity):
    return sensitivity / (sensitivity + 1 - specificity)


@positive.wrong("This is the probability to be ill and positive. Divide by that of a positive test.")
def stopped_at_the_joint_probability(ill, sensitivity, specificity):
    return ill * sensitivity


@task.sym(points=1, minutes=5, see="eq-chance-binomial")
def variance(n, p):
    return n * p * (1 - p)


@variance.draw
def draw_points(rng):
    n, p = np.round(rng.uniform(2, 30, size=6), 2), np.round(rng.uniform(0.1, 0.9, size=6), 2)
    return {"at sample points": {"n": n, "p": p}}


@variance.wrong("This is the mean. Where do failures enter the variance?")
def gave_the_mean(n, p):
    return n * p


@variance.wrong("This is the standard deviation, the root of the variance.")
def took_the_root(n, p):
    return np.sqrt(n * p * (1 - p))


@variance.wrong(
    "Variances of independent trials add up. Yours does not grow with n as a sum of n equal terms does."
)
def forgot_the_number_of_trials(n, p):
    return p * (1 - p)


variance.also("n*p - n*p**2")
