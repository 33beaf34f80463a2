"""Inference: an interval, a decision in a word, a comparison of groups in a table, expected counts by hand."""

from statistics import NormalDist

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from autograder.judging.structures.samenesses import same_mapping, same_table, same_text

GROUPS = ("control", "low dose", "high dose")


@task.code(points=2, minutes=8, see="eq-decisions-interval", parts=("the lower end", "the upper end"))
def interval(values):
    error = np.std(values, ddof=1) / len(values) ** 0.5
    return float(np.mean(values) - 1.96 * error), float(np.mean(values) + 1.96 * error)


@interval.draw
def draw_measurements(rng):
    return {
        "few values": {"values": np.round(rng.normal(50, 8, size=6), 1)},
        "many values": {"values": np.round(rng.normal(-3, 2, size=25), 1)},
    }


def _around(values, half):
    return float(np.mean(values) - half), float(np.mean(values) + half)


@interval.wrong("A mean of n numbers varies less than one of them, by the factor √n.")
def forgot_the_root_of_n(values):
    return _around(values, 1.96 * np.std(values, ddof=1))


@interval.wrong("The standard deviation of a sample divides by n − 1.")
def divided_by_n(values):
    return _around(values, 1.96 * np.std(values) / len(values) ** 0.5)


@interval.wrong(
    "With 1.64 the interval covers the mean in 90 of 100 samples: 5 of 100 are missed on each side."
)
def took_the_quantile_of_one_side(values):
    return _around(values, 1.64 * np.std(values, ddof=1) / len(values) ** 0.5)


@interval.also
def by_sums(values):
    n = len(values)
    mean = sum(values) / n
    half = 1.96 * (sum((x - mean) ** 2 for x in values) / (n - 1) / n) ** 0.5
    return [mean - half, mean + half]


@task.code(
    points=2,
    minutes=10,
    see="def-decisions-test",
    same=(exactly, same_text(any_case=True)),
    parts=("the p-value", "the decision"),
)
def decide(values, mean, sigma):
    z = (np.mean(values) - mean) * len(values) ** 0.5 / sigma
    p = 2 * (1 - NormalDist().cdf(abs(float(z))))
    return p, "reject" if p < 0.05 else "keep"


@decide.draw
def draw_experiments(rng):
    def experiment(shift, size):
        return {"values": np.round(rng.normal(10 + shift, 2, size=size), 1), "mean": 10.0, "sigma": 2.0}

    values = rng.normal(0, 2, size=9)
    return {
        "far above": experiment(2.0, 9),
        "far below": experiment(-1.5, 14),
        "near": experiment(0.1, 8),
        "just far enough": {
            "values": np.round(values + 10 + 4.24 / 3 - values.mean(), 2),
            "mean": 10.0,
            "sigma": 2.0,
        },
    }


@decide.ill_posed
def is_a_close_call(values, mean, sigma):
    p = decide(values, mean, sigma)[0]
    return (
        "the p-value is near 0.05, 0.1 or 1, or too small"
        if not 1e-5 < p < 0.04 and not 0.12 < p < 0.8
        else None
    )


def _decided(p):
    return p, "reject" if p < 0.05 else "keep"


@decide.wrong("A value far below the mean is as surprising as one far above: take both sides.")
def looked_at_one_side(values, mean, sigma):
    z = (np.mean(values) - mean) * len(values) ** 0.5 / sigma
    return _decided(1 - NormalDist().cdf(abs(float(z))))


@decide.wrong("The mean of n values has the standard deviation σ/√n, not σ.")
def forgot_the_number_of_values(values, mean, sigma):
    return _decided(2 * (1 - NormalDist().cdf(abs(float(np.mean(values) - mean) / sigma))))


@decide.wrong("A small p-value speaks against the hypothesis.")
def decided_the_other_way_round(values, mean, sigma):
    p, word = decide(values, mean, sigma)
    return p, "keep" if word == "reject" else "reject"


@task.code(points=2, minutes=12, see="eq-decisions-error", same=same_table(any_row_order=True))
def compare(data):
    groups = sorted(set(data["group"]))
    lists = [[y for g, y in zip(data["group"], data["y"], strict=True) if g == name] for name in groups]
    return {
        "group": groups,
        "mean": [float(np.mean(values)) for values in lists],
        "se": [float(np.std(values, ddof=1) / len(values) ** 0.5) for values in lists],
    }


@compare.draw
def draw_groups(rng):
    def table(number, sizes):
        names = [name for name, size in zip(GROUPS[:number], sizes, strict=True) for _ in range(size)]
        order = rng.permutation(len(names))
        y = np.round(rng.normal(size=len(names)) * 2 + [5 + 2 * GROUPS.index(name) for name in names], 1)
        return {"data": {"group": [names[place] for place in order], "y": y[order]}}

    return {"two groups": table(2, (4, 6)), "three groups": table(3, (5, 3, 4))}


def _with_errors(data, error):
    table = compare(data)
    groups = [
        [y for g, y in zip(data["group"], data["y"], strict=True) if g == name] for name in table["group"]
    ]
    return {**table, "se": [float(error(np.array(values))) for values in groups]}


@compare.wrong("This is the standard deviation within each group. How much does its mean vary?")
def forgot_the_root_of_the_size(data):
    return _with_errors(data, lambda values: np.std(values, ddof=1))


@compare.wrong("The standard deviation of a sample divides by n − 1.")
def divided_by_the_size(data):
    return _with_errors(data, lambda values: np.std(values) / len(values) ** 0.5)


@compare.wrong("Each group has its own number of values. You divided by the number of all.")
def counted_all_values(data):
    return _with_errors(data, lambda values: np.std(values, ddof=1) / len(data["y"]) ** 0.5)


@task.hand(points=2, minutes=8, see="def-decisions-expected", same=same_mapping())
def expected(counts):
    yes, no = counts["passed"], counts["failed"]
    total = sum(yes) + sum(no)
    return {
        "passed": [(yes[row] + no[row]) * sum(yes) / total for row in range(2)],
        "failed": [(yes[row] + no[row]) * sum(no) / total for row in range(2)],
    }


@expected.draw
def draw_counts(rng):
    passed, failed = rng.integers(8, 30, size=2), rng.integers(3, 20, size=2)
    table = {
        "course": ["in the morning", "in the evening"],
        "passed": [int(n) for n in passed],
        "failed": [int(n) for n in failed],
    }
    return {"the table of the text": {"counts": table}}


@expected.ill_posed
def is_independent(counts):
    (a, b), (c, d) = counts["passed"], counts["failed"]
    return (
        "the rows are nearly independent, or sums agree"
        if abs(a * d - b * c) < 20 or a + c == b + d
        else None
    )


@expected.wrong("These are the sums, shared out evenly. A row with more people expects more in each cell.")
def took_the_mean_of_each_column(counts):
    return {name: [sum(counts[name]) / 2] * 2 for name in ("passed", "failed")}


@expected.wrong("Divide the product of the two sums by the sum of the whole table.")
def forgot_to_divide_by_the_total(counts):
    total = sum(counts["passed"]) + sum(counts["failed"])
    return {name: [value * total for value in values] for name, values in expected(counts).items()}


@expected.wrong("These are the observed counts. What would they be if the course did not matter?")
def gave_the_observed_counts(counts):
    return {name: list(counts[name]) for name in ("passed", "failed")}
