"""Answers to practice problems, as people would type them, with Python's verdict on each.

For every tenth variant of a task: the right answer and what every misconception gives; every slip on one of them; and,
on the first variant, answers that are odd in every way we could think of. A variant's whole key is drawn anew, and all
variants come from one program: so not every one is tried.
"""

import functools
import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.answers import attempt
from autograder.authoring.topic import load_slips
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.judging.key import TaskKey
from autograder.release.draw import draw_task, parts_that_differ
from autograder.release.mistakes import Mistake, all_mistakes, own_mistakes, right_parts
from autograder.release.practice import file_of, hand_tasks, practice_seed
from tests.conftest import ROOT

COURSE = Course(ROOT)
FIELDS = ("passed", "fraction", "message", "misconception", "slip", "see")
NUMBERS = [
    *(
        "0",
        "1",
        "-1",
        "3/4",
        "1/3",
        ".5",
        "5.",
        "0.3333",
        "1e3",
        "1_000",
        "-2**2",
        "2^3",
        "2**-1",
        "-(-(3))",
        "+4",
    ),
    *(
        "√2",
        "2√3",
        "√(4)/2",
        "sqrt(2)/2",
        "½",
        "−3",
        "3·4",
        "3 × 4",
        "5²",
        "50%",
        "12.5 %",
        "2pi",
        "2π",
        "2(3+4)",
    ),
    *(
        "Rational(1, 3)",
        "Fraction(2, 4)",
        "max(1, 2)",
        "root(8, 3)",
        "cbrt(8)",
        "log(8, 2)",
        "exp(1)",
        "e",
        "abs(-2)",
    ),
    *(
        "[5]",
        "(5)",
        "(5,)",
        "[[5]]",
        "array([5])",
        "factorial(4)",
        "pi/4",
        "GoldenRatio",
        "1e-9",
        "0.1 + 0.2",
    ),
    # as on paper and in programs
    *(
        "np.sqrt(2)/2",
        "math.sqrt(2)",
        "2(3+4)(5)",
        "(1+1)2",
        "|−3|",
        "2¹⁰",
        "10⁻³",
        "5²·2",
        "(2)pi",
        "2 |3 - 5|",
    ),
    *(
        "2 sqrt(3)",
        "2 pi",
        "2 √3/3",
        "3 1/2",
        "−3 1/2",
        "1 000",
        "12 345.5",
        "-1 000 000",
        "100 20",
        "1e",
        "2E-",
        "1e+",
    ),
    # pasted from a page, or typed on another keyboard
    *(
        "2½",
        "-1¾",
        "sqrt 2",
        "sqrt2/2",
        "2sqrt(3)",
        "１２．５",
        "３／４",
        "3\xa0/\xa04",
        "\ufeff3",
        "2\u2062√3",
    ),
    *("1\u2009000", "3\u200b", "‑3", "1∕2", "3∗4", "3\n", "\r\n3", "3\x85"),
]
LISTS = [
    *(
        "1, 2",
        "[1, 2]",
        "(1, 2)",
        "1 2",
        "[1 2]",
        "1, 2,",
        "1 -2",
        "1, -2",
        "[1/2, √3]",
        "1 2 3",
        "3 -1 2",
        "1; 2",
    ),
    *(
        "1\n2",
        "[[1], [2]]",
        "[[1, 2]]",
        "[[1, 2], [3, 4]]",
        "1 2; 3 4",
        "[1 2; 3 4]",
        "1 2\n3 4",
        "[1, [2, 3]]",
        "[]",
    ),
    *(
        "1, 2, 3, 4",
        "[0.5, 0.5, 0.5, 0.5]",
        "0 0 0 0",
        "(0, 0)",
        "[1, 2; 3]",
        "array([1, 2])",
        "Matrix([[1], [2]])",
    ),
    *("[1 -2]", "[ 1. -2.]", "1 - 2", "2 -1", "1 + 2 -3", "[[1 -2]\n [3  4]]", "[1, 2 -3]", "(1, 2 sqrt(3))"),
    *(
        "(1,2)/sqrt(5)",
        "-(1, 2)/2*3",
        "2*[1, 2]",
        "sqrt(2)/2 * (1, -1)",
        "(1, 2)^T",
        "[1, 2].T",
        "[[1, 2], [3, 4]]ᵀ",
    ),
    *(
        "1 sqrt(2) 3",
        "[1 sqrt(2)]",
        "(1, 2)*(3, 4)",
        "1/(1, 2)",
        "(1, 2)**2",
        "(1, 2)^x",
        "[[1, 2], [3]]^T",
        "[1e, 2]",
    ),
    *("1\xa02", "（1，2）", "［１ ２］", "(1;2)", "1\r\n2", "1\u2028 2"),
]
REFUSED = [
    *("abc", "1 +", "(1", "1)", "[1, 2", "1,,2", ",", "007", "1.2.3", "foo(2)", "sqrt", "1 2 +"),
    *(
        "sqrt()",
        "sqrt(1, 2)",
        "10**20000",
        "1/0",
        "sqrt(-1)",
        "oo",
        "1e400",
        "(-8)**(1/3)",
        "x",
        "2x",
        "log(0)",
    ),
    *(
        "<img src=x onerror=alert(1)>",
        "1 = 1",
        "nan",
        "inf",
        "$3$",
        "0x10",
        "(1, 2)*2",
        "#",
        "\\frac{1}{2}",
        "cos(60°)",
    ),
    *(
        "3#4",
        "3 # and more",
        "α",
        "ñ_1",
        "ª",
        "\u202e3",
        "\x003",
        "3\\",
        "x y",
        "sin 2",
        "x(2)",
        "x" * 200,
        "f" * 200 + "(1)",
        "1⅛",
        "３α",
        "(" * 210 + "1" + ")" * 210,
    ),
]
# what Python's own grammar knows and a page does not: refused by both, in other words
OTHER_WORDS = ["'1'", "{1, 2}", "lambda: 1", "2//3", "5 % 3", "2 @ 3", "1 < 2", "True", "gamma(3)**0*x"]
ODD = [*NUMBERS, *LISTS, *REFUSED, *OTHER_WORDS]


@functools.cache
def kept(topic: str, name: str) -> list[Mistake]:
    """The slips that the page knows: which are worth keeping is found out when its data are made, and checked there."""
    data = json.loads(file_of(COURSE, topic, name).read_text("utf-8"))
    named = {wrong[0] for wrong in data["wrongs"]}
    task = hand_tasks(COURSE, topic)[name]
    return [one for one in all_mistakes(task, load_slips(COURSE)) if one.name in named]


def keys(topic: str, name: str, seeds: list[int]) -> Iterator[TaskKey]:
    """The whole keys of the variants with these seeds, as a notebook would have them."""
    task = hand_tasks(COURSE, topic)[name]
    extra = kept(topic, name)
    for seed in seeds:
        yield draw_task(f"{topic}.{name}", task, practice_seed(seed), "", extra).public


def answers(topic: str, name: str) -> Iterator[dict[str, Any]]:
    """What is typed, at which variant, and Python's verdict."""
    task = hand_tasks(COURSE, topic)[name]
    data = json.loads(file_of(COURSE, topic, name).read_text("utf-8"))
    own, extra = own_mistakes(task), kept(topic, name)
    n_variants = len(data["variants"])
    numbers = range(0, n_variants, min(10, max(1, n_variants // 5)))
    seeds = [data["variants"][number]["seed"] for number in numbers]
    for place, (number, key) in enumerate(zip(numbers, keys(topic, name, seeds), strict=True)):
        inputs = key.cases[0].inputs
        right = right_parts(task, inputs)
        turn = itertools.islice(extra, place, None, len(seeds))
        given = [right, *(parts_that_differ(task, one, inputs, right) for one in (*own, *turn))]
        typed = [tuple(map(text, parts)) for parts in given if all(map(is_typed_by_somebody, parts))]
        typed += list(odd(tuple(map(text, right)))) if number == 0 else []
        for texts in typed:
            yield {"variant": number, "typed": texts, "verdict": verdict(key, texts)}


def odd(right: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Each odd text in one of the fields, which take turns, the other fields right; and in all fields."""
    for number, one in enumerate(ODD):
        place = number % len(right)
        yield (*right[:place], one, *right[place + 1 :])
    if len(right) > 1:
        yield from ((one,) * len(right) for one in ODD)


def is_typed_by_somebody(part: Any) -> bool:
    """Whoever divides by a rounding error gets numbers that no two machines agree on, and types none of them."""
    return part is not None and bool(np.abs(part).max(initial=0.0) < 1e12)


def text(part: Any) -> str:
    """Numbers as they could be typed: a fraction here, a decimal there."""
    array = np.asarray(part, dtype=float)
    return repr(float(array)) if array.ndim == 0 else repr(array.tolist())


def verdict(key: TaskKey, texts: tuple[str, ...]) -> dict[str, Any]:
    """Python's verdict on these texts: a list of parts, or one part alone."""
    found = judge("", key, [attempt.value(list(texts) if len(texts) > 1 else texts[0])])
    return {field: getattr(found, field) for field in FIELDS}
