"""Tasks whose answers are no arrays: one of each kind, small enough to read."""

import numpy as np

from autograder.authoring import task
from autograder.judging.statements import statement
from autograder.judging.structures.samenesses import (
    same_by,
    same_graph,
    same_list,
    same_mapping,
    same_set,
    same_table,
    same_text,
    same_truth,
)

PEOPLE = ["ada", "ben", "cem", "dora", "eve", "finn"]


def draw_values(rng):
    return {f"case {n}": {"values": np.round(rng.normal(5 * n, 2, size=4 + n), 1)} for n in (1, 2, 3)}


def draw_pairs(rng):
    def pairs(size):
        return [
            [PEOPLE[place], PEOPLE[(place + 1 + n) % 6]] for n, place in enumerate(rng.permutation(6)[:size])
        ]

    return {"few": {"calls": pairs(3)}, "more": {"calls": pairs(5)}}


@task.code(points=1, minutes=1, see="x", same=same_text(any_case=True, any_space=True))
def describe(values):
    return "skewed to the right" if np.mean(values) > np.median(values) else "skewed to the left"


@describe.draw
def draw_skewed(rng):
    right = np.append(np.sort(np.round(rng.exponential(3, size=6), 1)), 29.5)
    return {"a long tail above": {"values": right}, "a long tail below": {"values": -right}}


@describe.wrong("Compare mean and median the other way round.")
def compared_the_other_way(values):
    return "skewed to the left" if np.mean(values) > np.median(values) else "skewed to the right"


@task.code(points=1, minutes=1, see="x", same=same_truth())
def is_rising(values):
    return bool(np.all(np.diff(values) > 0))


@is_rising.draw
def draw_lists(rng):
    rising = np.cumsum(rng.integers(1, 5, size=5)).astype(float)
    level = rising.copy()
    level[2] = level[1]
    return {"rising": {"values": rising}, "level": {"values": level}, "falling": {"values": rising[::-1]}}


@is_rising.wrong("Equal neighbours do not rise.")
def allowed_equal_neighbours(values):
    return bool(np.all(np.diff(values) >= 0))


@task.code(points=2, minutes=1, see="x", same=same_mapping(), picture="bars")
def summary(values):
    return {"mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1)), "n": len(values)}


summary.draw(draw_values)


@summary.wrong("Divide by n − 1.")
def divided_by_n(values):
    return {"mean": float(np.mean(values)), "sd": float(np.std(values)), "n": len(values)}


@task.code(points=1, minutes=1, see="x", same=same_list(any_order=True))
def callers(calls):
    return sorted({caller for caller, _ in calls})


callers.draw(draw_pairs)


@callers.wrong("Callers, not those who are called.")
def took_the_called(calls):
    return sorted({called for _, called in calls})


@task.code(points=1, minutes=1, see="x", same=same_set())
def people(calls):
    return {name for call in calls for name in call}


people.draw(draw_pairs)


@people.wrong("Both ends of a call.")
def forgot_the_called(calls):
    return {caller for caller, _ in calls}


@task.code(points=2, minutes=1, see="x", same=same_table())
def shares(values):
    values = np.asarray(values)
    return {"value": values, "share": values / values.sum()}


shares.draw(draw_values)


@shares.wrong("Divide by the sum.")
def divided_by_the_largest(values):
    return {"value": values, "share": values / np.max(values)}


@task.code(points=2, minutes=1, see="x", same=same_table(any_row_order=True), picture="bars")
def counts(calls):
    names = sorted({caller for caller, _ in calls})
    return {"name": names, "calls": [sum(caller == name for caller, _ in calls) for name in names]}


@counts.draw
def draw_repeated(rng):
    def calls(size):
        return [[PEOPLE[i], PEOPLE[j]] for i, j in rng.integers(0, 6, size=(size, 2))]

    return {"some": {"calls": calls(9)}, "many": {"calls": calls(14)}}


@counts.wrong("Count the calls of each caller.")
def counted_the_called(calls):
    names = sorted({called for _, called in calls})
    return {"name": names, "calls": [sum(called == name for _, called in calls) for name in names]}


@task.code(points=2, minutes=1, see="x", same=same_graph(directed=True))
def who_calls_whom(calls):
    return [(caller, called) for caller, called in calls]


who_calls_whom.draw(draw_pairs)


@who_calls_whom.wrong("From the caller to the called.")
def turned_round(calls):
    return [(called, caller) for caller, called in calls]


@task.code(points=1, minutes=1, see="x", same=same_by("cos(x)", "sin(x)"))
def angle(values):
    return float(np.sum(values)) / 7


angle.draw(draw_values)


@angle.wrong("Not the mean.")
def took_the_mean(values):
    return float(np.mean(values))


@task.hand(
    points=2, minutes=2, see="x", same=(same_text(any_case=True), same_mapping()), parts=("shape", "numbers")
)
def by_hand(u):
    return ("symmetric" if u[0] + u[2] == 2 * u[1] else "skewed"), {
        "mean": float(np.mean(u)),
        "max": float(max(u)),
    }


@by_hand.draw
def draw_three(rng):
    return {"the numbers of the text": {"u": np.array([1.0, 3.0, 8.0 + rng.integers(0, 5)])}}


@by_hand.wrong("Compare the gaps.")
def called_it_symmetric(u):
    return "symmetric", {"mean": float(np.mean(u)), "max": float(max(u))}


def percent_setting():
    return (
        statement("x <= 100", "{it} has entries above 100; a percentage has none."),
        statement("sum = 100", "The entries of {it} do not add up to 100; percentages of a whole do."),
    )


@task.code(points=1, minutes=1, see="x", always=percent_setting())
def percentages(names):
    return [100 * names.count(name) / len(names) for name in sorted(set(names))]


@percentages.draw
def draw_names(rng):
    return {
        word: {"names": [PEOPLE[n] for n in rng.integers(0, k, size=9)]}
        for word, k in (("few", 2), ("more", 4))
    }


@percentages.wrong("Out of all.")
def divided_by_the_number_of_names(names):
    return [100 * names.count(name) / len(set(names)) for name in sorted(set(names))]


TASKS = [
    describe,
    is_rising,
    summary,
    callers,
    people,
    shares,
    counts,
    who_calls_whom,
    angle,
    by_hand,
    percentages,
]
