"""Answers that look at no input earn nothing, and numbers out of all proportion are evidence for nothing."""

import json

import numpy as np
import pytest

from autograder.answers.attempt import CallResult, value
from autograder.answers.values import encode
from autograder.judging.check import verdict_on
from autograder.judging.compare import compare
from autograder.judging.judge import judge
from autograder.judging.key import read_key
from autograder.release.constants import candidates, earned_by_a_constant
from autograder.sandbox.untrusted import read_attempts
from tests.conftest import ROOT

KEYS = {path.parent.name: path for path in sorted(ROOT.glob("exercises/*/*.key.json"))}
ABSURD = ("1e+100", "1e+200", "1e+308", "inf", "nan")


def certificate(topic):
    return json.loads((ROOT / "exercises" / topic / f"{topic}.certificate.json").read_text("utf-8"))


@pytest.mark.parametrize("topic", KEYS)
def test_an_answer_without_input_earns_what_the_certificate_names(topic):
    """By hand a first guess may be a part of the answer; functions earn nothing so."""
    for name, task in read_key(KEYS[topic]).tasks.items():
        named = certificate(topic)["tasks"][name].get("earned by a constant", 0.0)
        share, words = earned_by_a_constant(task)
        assert share <= named + 1e-9, (name, words)
        assert task.kind != "code" or share == 0, (name, words)


@pytest.mark.parametrize("topic", KEYS)
def test_functions_without_input_earn_neither_points_nor_credit(topic):
    for name, task in read_key(KEYS[topic]).tasks.items():
        if task.is_sealed:
            continue
        for words, answers in candidates(task):
            verdict = judge(name, task, [CallResult(answer) for answer in answers])
            assert verdict.fraction == 0, (name, words)
            assert not verdict.fault, (name, words, verdict.fault)
            if any(text in words for text in ABSURD):
                assert (verdict.misconception, verdict.slip) == (None, None), (name, words)


@pytest.fixture
def verdicts():
    return read_key(KEYS["classical_mds"]).tasks["euclidean_verdict"]


def test_a_constant_part_earns_nothing_beside_right_ones(verdicts):
    right = {str(case.inputs): case.expected for case in verdicts.cases}
    first = right[str(verdicts.cases[0].inputs)]

    def partly(*inputs):
        expected = right[str(dict(zip(verdicts.cases[0].inputs, inputs, strict=True)))]
        return (*expected[:-1], first[-1])

    verdict = verdict_on("t", verdicts, partly)
    assert verdict.fraction == pytest.approx(2 / 3)
    assert "is the same on every case, and the right one is not: that earns nothing." in verdict.message


def test_a_part_that_depends_on_the_input_keeps_its_share(verdicts):
    right = {str(case.inputs): case.expected for case in verdicts.cases}

    def mostly(*inputs):
        text = str(dict(zip(verdicts.cases[0].inputs, inputs, strict=True)))
        is_first = text == str(verdicts.cases[0].inputs)
        return (right[text][0] + is_first, *right[text][1:])

    assert verdict_on("t", verdicts, mostly).fraction == pytest.approx(1 - 1 / (3 * len(verdicts.cases)))


@pytest.mark.parametrize("size", [1e35, 1e150, 1e307])
def test_a_diverged_iteration_is_called_out_of_proportion(size):
    task = read_key(KEYS["svd"]).tasks["right_vectors"]
    answers = [
        CallResult(np.full(np.shape(case.expected), size * (1 + place)))
        for place, case in enumerate(task.cases)
    ]
    verdict = judge("t", task, answers)
    assert (verdict.fraction, verdict.misconception, verdict.slip) == (0.0, None, None)
    assert "out of all proportion" in verdict.message


def test_half_precision_is_told_by_the_type_of_the_array_alone():
    """A reply that claims it changes nothing; an honest one is told so, and is right no more than other rounding."""
    task = read_key(KEYS["mvu"]).tasks["dual_bound"]
    replies = {
        "forged": [{"half": True, "value": encode(case.expected * (1 + 4e-4))} for case in task.cases],
        "honest": [{"value": encode(value(np.float16(case.expected)).value)} for case in task.cases],
    }
    told = {}
    for who, sent in replies.items():
        tree = [{"problem": "", "message": "", **reply} for reply in sent]
        verdict = judge("t", task, read_attempts(tree, len(tree), None))
        assert not verdict.passed
        told[who] = "half precision" in verdict.message
    assert told == {"forged": False, "honest": True}


def test_half_precision_of_one_part_helps_neither_it_nor_another():
    task = read_key(KEYS["toolkit"]).tasks["matrix_norms"]
    case = task.cases[0]
    parts = [float(part) for part in case.expected]
    mixed = value((np.float16(parts[0]), parts[1] * (1 + 4e-4), *parts[2:]))
    assert compare(task, case, mixed).right == (False, False, True, True)
