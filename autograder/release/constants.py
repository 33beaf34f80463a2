"""Answers that ignore the inputs: constants, huge, tiny and non-finite numbers.

The expected answer to another case is tried, too. A certificate states the share of the points that such an answer
earns, for example where a part of the answer is the same on all cases.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.answers.attempt import CallResult
from autograder.judging.compare import Comparison, compare, expected_form
from autograder.judging.constant import without_constants
from autograder.judging.key import OpenCase, SealedCase, TaskKey

CONSTANT_ANSWERS = (
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    1e-300,
    1e-9,
    1e9,
    1e15,
    1e100,
    1e200,
    1e308,
    np.inf,
    -np.inf,
    np.nan,
)
MIXED_VALUES = (0.0, 1.0, -1.0, 1e-300, 1e308, np.inf, np.nan)
ODD_SHAPES = ((0,), (7,), (3, 5))

Candidate = tuple[str, list[object]]  # its name, and the answer to each case


def candidates(key: TaskKey) -> Iterator[Candidate]:
    """Yield named answers that ignore all but the answer's shape.

    Each has one value for each case.
    """
    shapes = [_shapes(key, case) for case in key.cases]
    for number in CONSTANT_ANSWERS:
        yield f"{number:g}", [_answer([number] * len(key.same))] * len(key.cases)
        yield f"filled with {number:g}", _fill(shapes, partial(np.full, fill_value=number))
    for flag in (True, False):
        yield str(flag), [_answer([flag] * len(key.same))] * len(key.cases)
    yield "mixed numbers", _fill(shapes, partial(np.resize, MIXED_VALUES))
    yield "identity", _fill(shapes, _identity)
    for shape in ODD_SHAPES:
        yield f"ones of shape {shape}", [_answer([np.ones(shape)] * len(key.same))] * len(key.cases)
    for case in key.cases:
        if isinstance(case, OpenCase) and len(key.cases) > 1:
            yield f"the answer to “{case.name}”", [case.expected] * len(key.cases)


def _fill(
    shapes: Iterable[Sequence[tuple[int, ...]]], fill: Callable[[tuple[int, ...]], np.ndarray]
) -> list[Any]:
    """Return an answer for each case, whose parts are arrays of the right shapes."""
    return [_answer([fill(shape) for shape in parts]) for parts in shapes]


def _shapes(key: TaskKey, case: OpenCase | SealedCase) -> list[tuple[int, ...]]:
    """Return the shapes of the parts of the right answer.

    A basis gets one column, because the number of its vectors is part of the answer.
    """
    form = expected_form(key, case)
    pairs = zip(form.shapes, key.samenesses, strict=True)
    return [(shape[0], 1) if same.free_columns and len(shape) == 2 else shape for shape, same in pairs]


def _answer(parts: Sequence[object]) -> object:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _identity(shape: tuple[int, ...]) -> Any:
    if len(shape) != 2:
        return np.ones(shape)
    return np.eye(shape[0]) if shape[1] == 1 else np.eye(*shape)


def earned_by_a_constant(key: TaskKey) -> tuple[float, str]:
    """Return the largest share that constant answers earn, and their names.

    The best candidate is chosen for each part of the answer separately.
    """
    with np.errstate(all="ignore"):
        tried = {name: _compare_cases(key, answers) for name, answers in candidates(key)}
    best = [max(tried, key=lambda name: _share_of_part(tried[name], part)) for part in range(len(key.same))]
    share = float(np.mean([_share_of_part(tried[name], part) for part, name in enumerate(best)]))
    if not share:
        return 0.0, ""
    words = [best[part] for part in range(len(best)) if _share_of_part(tried[best[part]], part)]
    return round(share, 9), ", ".join(dict.fromkeys(words))


def _compare_cases(key: TaskKey, answers: Sequence[object]) -> list[Comparison]:
    pairs = zip(key.cases, answers, strict=True)
    comparisons = [compare(key, case, CallResult(answer)) for case, answer in pairs]
    return without_constants(comparisons, len(key.same))


def _share_of_part(comparisons: Sequence[Comparison], part: int) -> float:
    return sum(comparison.right[part] for comparison in comparisons) / len(comparisons)
