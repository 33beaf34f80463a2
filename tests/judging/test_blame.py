"""What has no reason gets none: one part of a right answer is spoilt in a way that no mistake explains."""

import numpy as np
import pytest

from autograder.answers.attempt import CallResult
from autograder.judging.compare import right_part
from autograder.judging.judge import judge
from autograder.judging.key import load_key
from tests.conftest import ROOT

KEYS = sorted((ROOT / "exercises").glob("*/*.key.json"))


def spoilt_answers(path, change):
    """Every answer in several parts of a topic, with one of them spoilt: its name, the part, and the verdict."""
    for name, key in load_key(path.read_text("utf-8")).tasks.items():
        if key.is_sealed or len(key.same) == 1:
            continue
        for spoilt in range(len(key.same)):
            attempts = []
            for case in key.cases:
                parts = [right_part(key, case, part) for part in range(len(key.same))]
                parts[spoilt] = change(parts[spoilt])
                attempts.append(CallResult([part.tolist() for part in parts]))
            verdict = judge(name, key, attempts)
            if not verdict.passed:  # a basis may be multiplied, and some parts are empty
                yield name, spoilt, verdict


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("factor", [np.nan, 1.3719], ids=["nan", "a factor that nobody has"])
def test_no_mistake_is_named_for_a_part_that_none_explains(path, factor):
    for name, spoilt, verdict in spoilt_answers(path, lambda part: factor * part + 0.0917):
        assert verdict.misconception is None, (name, spoilt, verdict.message)
        assert verdict.slip is None, (name, spoilt, verdict.message)
        assert f"art {spoilt + 1}" in verdict.message, (name, spoilt, verdict.message)
