"""Describing data: a summary, frequencies, a shape in words, and a mean on the clock."""

import numpy as np

from autograder.authoring import task
from autograder.judging.structures.samenesses import same_by, same_mapping, same_table, same_text

up_to_whole_days = same_by("cos(pi*x/12)", "sin(pi*x/12)")  # of times of day in hours
DRINKS = ["tea", "coffee", "water", "juice", "milk"]


@task.code(points=2, minutes=8, see="eq-samples-moments", same=same_mapping())
def summary(values):
    return {
        "n": len(values),
        "mean": float(np.mean(values)),
        "median": float(np.median(values)),
        "sd": float(np.std(values, ddof=1)),
    }


@summary.draw
def draw_numbers(rng):
    return {
        "an odd number of values": {"values": np.round(rng.normal(20, 6, size=7), 1)},
        "an even number of values": {"values": np.round(rng.exponential(30, size=8), 1)},
        "negative values": {"values": np.round(rng.normal(-5, 3, size=5), 1)},
    }


@summary.wrong("The standard deviation of a sample divides by n − 1. What does numpy divide by, unless told?")
def divided_by_n(values):
    return {**summary(values), "sd": float(np.std(values))}


@summary.wrong("This is the variance. Its unit is the square of the unit of the values.")
def forgot_the_root(values):
    return {**summary(values), "sd": float(np.var(values, ddof=1))}


@summary.wrong("The median is the middle of the sorted values, not of the values as they come.")
def forgot_to_sort(values):
    middle = len(values) // 2
    pair = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    return {**summary(values), "median": float(pair)}


@summary.also
def by_hand(values):
    n, ordered = len(values), sorted(values)
    mean = sum(values) / n
    return {
        "mean": mean,
        "sd": (sum((x - mean) ** 2 for x in values) / (n - 1)) ** 0.5,
        "median": (ordered[(n - 1) // 2] + ordered[n // 2]) / 2,
        "n": n,
    }


@task.code(points=2, minutes=10, see="def-samples-frequency", same=same_table(any_row_order=True))
def frequencies(answers):
    values = sorted(set(answers))
    counts = [answers.count(value) for value in values]
    return {"value": values, "count": counts, "share": [count / len(answers) for count in counts]}


@frequencies.draw
def draw_answers(rng):
    def sample(number, size):
        return [DRINKS[place] for place in rng.integers(0, number, size=size)]

    return {"three drinks": {"answers": sample(3, 9)}, "five drinks": {"answers": sample(5, 16)}}


@frequencies.ill_posed
def is_too_even(answers):
    counts = [answers.count(value) for value in set(answers)]
    return "a drink is missing, or all are as frequent" if len(set(counts)) < 2 or len(counts) < 3 else None


@frequencies.wrong("A share is out of all observations, not out of the number of different values.")
def divided_by_the_number_of_values(answers):
    table = frequencies(answers)
    return {**table, "share": [count / len(table["value"]) for count in table["count"]]}


@frequencies.wrong("Shares are parts of 1 here, not percent.", credit=0.5)
def gave_percent(answers):
    table = frequencies(answers)
    return {**table, "share": [100 * share for share in table["share"]]}


@frequencies.wrong("Each value has one row. These rows are the observations.")
def kept_every_observation(answers):
    counts = [answers.count(value) for value in answers]
    return {"value": answers, "count": counts, "share": [count / len(answers) for count in counts]}


@task.code(points=1, minutes=6, see="def-samples-skew", same=same_text(any_case=True, any_space=True))
def shape(values):
    mean, median = float(np.mean(values)), float(np.median(values))
    if abs(mean - median) < 1e-9:
        return "symmetric"
    return "skewed to the right" if mean > median else "skewed to the left"


@shape.draw
def draw_shapes(rng):
    steps = np.cumsum(rng.integers(1, 6, size=3)).astype(float)
    tail = np.cumsum(rng.integers(1, 4, size=6)).astype(float)
    tail[-1] += rng.integers(20, 40)
    return {
        "a tail above": {"values": rng.permutation(tail)},
        "a tail below": {"values": rng.permutation(-tail)},
        "as far above as below": {"values": rng.permutation(np.concatenate([-steps, [0.0], steps]) + 4)},
    }


@shape.wrong("A tail to the right pulls the mean to the right. Which of the two is larger then?")
def compared_the_other_way_round(values):
    words = {"skewed to the right": "skewed to the left", "skewed to the left": "skewed to the right"}
    return words.get(shape(values), "symmetric")


@shape.wrong("Mean and median may be equal. What is the sample called then?")
def forgot_that_they_may_be_equal(values):
    return (
        "skewed to the right" if float(np.mean(values)) > float(np.median(values)) else "skewed to the left"
    )


@shape.wrong("The median is the middle of the sorted values, not of the values as they come.")
def took_the_value_in_the_middle_of_the_list(values):
    mean, middle = float(np.mean(values)), float(values[len(values) // 2])
    if abs(mean - middle) < 1e-9:
        return "symmetric"
    return "skewed to the right" if mean > middle else "skewed to the left"


@task.code(points=2, minutes=12, see="eq-samples-clock", same=up_to_whole_days)
def mean_time(hours):
    angles = np.asarray(hours) * np.pi / 12
    return float(np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()) * 12 / np.pi)


@mean_time.draw
def draw_times(rng):
    return {
        "around midnight": {"hours": np.round((23 + rng.normal(0, 2, size=6)) % 24, 2)},
        "in the morning": {"hours": np.round(rng.uniform(6, 11, size=5), 2)},
        "in the evening": {"hours": np.round(rng.uniform(14, 21, size=4), 2)},
    }


@mean_time.ill_posed
def has_no_direction(hours):
    angles = np.asarray(hours) * np.pi / 12
    return "the times cancel" if np.hypot(np.sin(angles).sum(), np.cos(angles).sum()) < 1 else None


@mean_time.must_fail
def plain_mean_around_midnight(hours):
    return float(np.mean(hours)) if np.ptp(hours) > 12 else mean_time(hours)


@mean_time.wrong(
    "The mean of 23 and 1 o'clock is midnight, not noon: average the directions, not the numbers."
)
def took_the_mean_of_the_numbers(hours):
    return float(np.mean(hours))


@mean_time.wrong(
    "A quotient cannot tell morning from evening: arctan knows half a circle only. Which function knows all?"
)
def lost_half_of_the_circle(hours):
    angles = np.asarray(hours) * np.pi / 12
    return float(np.arctan(np.sin(angles).sum() / np.cos(angles).sum()) * 12 / np.pi)


@mean_time.wrong("A whole turn is 24 hours here, not 12.")
def took_a_turn_for_twelve_hours(hours):
    angles = np.asarray(hours) * np.pi / 6
    return float(np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()) * 6 / np.pi)
