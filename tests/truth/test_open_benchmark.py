"""The open benchmark is what its schema says, and its scorer counts what our own benchmark counts."""

import json
import re

import numpy as np
import pytest

from autograder.authoring.placeholders import latex
from benchmarks import score_judge, truth
from benchmarks.open_benchmark.__main__ import DATASHEET, datasheet, write
from benchmarks.open_benchmark.exercises import exercises
from benchmarks.open_benchmark.records import labels, labels_of, schema
from benchmarks.score_judge import BadVerdictsError, Part, scored
from tests.truth import answers as truth_answers
from tests.truth.answers import NEWEST, SETS, answers, public_key, read_inputs, topics
from tests.truth.keep_inputs import hand_inputs

SMALL = Part(sets=("fourth",), topics=("duality",))
LABELS = [label for label in labels() if label in SMALL]
WRONG = [label for label in LABELS if label["label"] == "wrong"]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Write the whole benchmark."""
    folder = tmp_path_factory.mktemp("benchmark")
    write(folder)
    return folder


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


@pytest.fixture
def judge(tmp_path):
    """Write a file of verdicts on the small part, one line from each label."""

    def write_verdicts(verdict_on, chosen=LABELS):
        path = tmp_path / "verdicts.jsonl"
        path.write_text("".join(json.dumps(verdict_on(label)) + "\n" for label in chosen), "utf-8")
        return path

    return write_verdicts


def right_or(reason):
    """Return a judge that knows the labels and explains wrong answers by `reason(label)`."""
    return lambda label: {"id": label["id"], "verdict": label["label"], "reason": reason(label)}


def test_every_published_line_obeys_the_schema(published):
    lines = [*read(published / "seen.jsonl"), *read(published / "kept.jsonl")]
    assert not [line["id"] for line in lines if not schema().is_valid(line)]
    assert len({line["id"] for line in lines}) == len(lines)
    assert len(lines) == sum(1 for which in SETS for topic in topics(which) for _ in answers(topic, which))


def test_published_texts_hold_no_local_address_and_no_placeholder(published):
    texts = [line["exercise"] + line["stub"] for line in read(published / "seen.jsonl")]
    assert not [text for text in texts if re.search(r"127\.0\.0\.1|localhost|\{\{|BEGIN SOLUTION", text)]


def test_newest_set_is_kept_and_others_are_seen(published):
    assert {line["set"] for line in read(published / "kept.jsonl")} == {NEWEST}
    assert {line["set"] for line in read(published / "seen.jsonl")} == set(SETS) - {NEWEST}


def test_published_datasheet_has_counts_of_its_files(published):
    right, wrong = (
        sum(label["label"] == kind and label["topic"] == "pca" for label in labels())
        for kind in ("right", "wrong")
    )
    row = re.search(r"^\| pca \|.*$", (published / "README.md").read_text("utf-8"), re.MULTILINE)[0]
    assert row.endswith(f"| {right} + {wrong} |")


def test_committed_datasheet_has_counts_of_today():
    assert DATASHEET.read_text("utf-8") == datasheet(labels()), (
        "run python -m benchmarks.open_benchmark --counts"
    )


def test_schema_refuses_a_line_without_inputs_of_a_hand_task(published):
    line = next(line for line in read(published / "seen.jsonl") if line["kind"] == "hand")
    assert schema().is_valid(line)
    assert not schema().is_valid({**line, "inputs": None})


def test_texts_print_the_numbers_that_answers_are_judged_on():
    sheet = exercises("pca", "first")["centre_first"]
    key = public_key(truth.COURSE, "pca").tasks["centre_first"]
    np.testing.assert_array_equal(sheet.inputs["X"], key.cases[0].inputs["X"])
    assert latex(np.array(sheet.inputs["X"])) in sheet.text


def test_scorer_counts_our_own_verdicts_as_our_benchmark_does(tmp_path):
    results = truth.judged("duality", "fourth")
    path = tmp_path / "ours.jsonl"
    path.write_text("".join(truth.verdict_lines(results, "fourth")), "utf-8")
    counts, score = truth.count(results), scored(path, SMALL, [])
    assert counts["wrong"] > 10
    assert score["right"] == counts["right"]
    assert score["wrong"] == counts["wrong"]
    assert score["false rejects"] == counts["rejected"]
    assert score["false accepts"] == counts["accepted"]
    assert score["fault"] == counts["fault"]
    kinds = ("named", "property", "error", "parts", "nothing")
    assert [score[f"told {kind}"] for kind in kinds] == [counts[kind] for kind in kinds]
    assert score["with a reason"] == counts["wrong"] - counts["nothing"] - counts["accepted"]


def test_judge_that_accepts_everything_has_only_false_accepts(judge):
    score = scored(judge(lambda label: {"id": label["id"], "verdict": "right"}), SMALL, [])
    assert score["false accepts"] == len(WRONG)
    assert score["false rejects"] == score["with a reason"] == 0


def test_judge_that_rejects_everything_has_only_false_rejects(judge):
    score = scored(judge(lambda label: {"id": label["id"], "verdict": "wrong", "reason": " "}), SMALL, [])
    assert score["false rejects"] == len(LABELS) - len(WRONG)
    assert score["false accepts"] == score["with a reason"] == 0


def test_reasons_are_compared_exactly_and_normalised(judge):
    same = scored(judge(right_or(lambda label: label["reason"])), SMALL, [])
    shouted = scored(judge(right_or(lambda label: f"{label['reason'].upper()}!")), SMALL, [])
    other = scored(judge(right_or(lambda label: "something else")), SMALL, [])
    assert same["same reason, exactly"] == same["same reason, normalised"] == len(WRONG)
    assert (shouted["same reason, exactly"], shouted["same reason, normalised"]) == (0, len(WRONG))
    assert (other["same reason, normalised"], other["with a reason"]) == (0, len(WRONG))


def test_marks_of_a_reader_are_counted(judge):
    marks = dict(zip([label["id"] for label in WRONG], "NNTF", strict=False))
    path = judge(lambda label: {**right_or(lambda _: "x")(label), "mark": marks.get(label["id"])})
    score = scored(path, SMALL, [])
    assert [score[f"mark {mark}"] for mark in "NTGF"] == [2, 1, 0, 1]
    assert "a reader's mark F: false or misleading | 1 |" in score_judge.report(score)


def test_labels_from_published_files_give_the_same_score(judge, published):
    path = judge(right_or(lambda label: label["reason"]))
    data = [published / "seen.jsonl", published / "kept.jsonl"]
    assert scored(path, SMALL, data) == scored(path, SMALL, [])


GOOD = {"id": LABELS[0]["id"], "verdict": "right"}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["{"], "line 1: must be a JSON object"),
        (["[" * 100_000], "line 1: must be a JSON object"),
        (["7"], "line 1: 7 is not of type 'object'"),
        ([json.dumps({"id": GOOD["id"]})], "line 1: 'verdict' is a required property"),
        ([json.dumps({**GOOD, "verdict": "yes"})], "line 1: verdict: 'yes' is not one of"),
        ([json.dumps({**GOOD, "reason": 3})], "line 1: reason: 3 is not of type"),
        ([json.dumps({**GOOD, "mark": "X"})], "line 1: mark: 'X' is not one of"),
        ([json.dumps({**GOOD, "score": 1})], "line 1: Additional properties"),
        ([json.dumps({**GOOD, "id": "first.none.none.00000000"})], "line 1: the benchmark has no answer"),
        ([json.dumps(GOOD), "", json.dumps(GOOD)], "line 3: a second verdict"),
        ([json.dumps(GOOD)], f"{len(LABELS) - 1} of {len(LABELS)} answers have no verdict"),
        (["\udcff"], "cannot be read"),
    ],
)
def test_malformed_verdicts_are_refused_in_one_line(tmp_path, monkeypatch, lines, complaint):
    path = tmp_path / "verdicts.jsonl"
    path.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    arguments = ["score_judge", str(path), "--set", "fourth", "--topic", "duality"]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as refused:
        score_judge.main()
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_part_without_answers_is_refused(judge):
    with pytest.raises(BadVerdictsError, match="no answer"):
        scored(judge(right_or(str)), Part(sets=("fourth",), topics=("nothing",)), [])


def test_new_set_is_judged_on_numbers_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "pca.txt").write_text("== variance_along wrong: a guess\nvariance_along = 1\n", "utf-8")
    monkeypatch.setitem(truth_answers.SETS, "tenth", tmp_path)
    kept = {"pca": hand_inputs(truth.COURSE, "pca", "tenth")}
    kept["pca"]["variance_along"]["the numbers of the text"]["w"] = [5.0, 12.0]
    (tmp_path / "inputs.json").write_text(json.dumps(kept), "utf-8")
    assert list(kept["pca"]) == ["variance_along"]
    assert read_inputs(truth_answers.inputs_file("tenth")) == kept
    assert exercises("pca", "tenth")["variance_along"].inputs["w"] == [5.0, 12.0]
    key = public_key(truth.COURSE, "pca", "tenth").tasks["variance_along"]
    np.testing.assert_array_equal(key.cases[0].inputs["w"], [5.0, 12.0])
    assert [label["set"] for _, label in labels_of("tenth", "pca")] == ["tenth"]
