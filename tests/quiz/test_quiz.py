"""An exported quiz says of every foreseen answer what the notebook says, and its files are well made."""

import io
import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest

from autograder.cli import main
from autograder.errors import CourseError
from autograder.quiz import export
from autograder.quiz.agreement import agreement_table, count_line
from autograder.quiz.blanks import blanks_of, normal_form
from autograder.quiz.choice import choice_questions
from autograder.quiz.choice_xml import pictures_of
from autograder.quiz.export import choose_tasks, export_quiz
from autograder.quiz.formats import FORMATS
from autograder.quiz.macros import expand_macros
from autograder.quiz.qti12 import QTI12_NAMESPACE, add_number_items, start_quiz
from autograder.quiz.quantities import all_intervals, intervals
from autograder.quiz.question import Foreseen, QuizQuestion, judge_numbers, questions
from autograder.quiz.readers.moodle import read_moodle
from autograder.quiz.readers.reading import compare_reading, plain_text
from autograder.quiz.texts import finished_text
from autograder.quiz.xml import to_bytes
from autograder.release.practice import hand_tasks, variants
from autograder.release.prose import prose_html
from tests.quiz.structure import faults

# a single number, a direction of any length, a map up to motions, two values in any order, a table
TASKS = {
    ("pca", "variance_along"): "numerical",
    ("pca", "first_component"): "direction",
    ("classical_mds", "triangle_map"): "motion",
    ("laplacian_eigenmaps", "triangle_spectrum"): "order",
    ("covariance", "both_divisors"): "table",
}
CHOICES = [("pca", "keeps_the_scores"), ("pca", "picture_of_the_scores")]  # of several, of pictures
NAMES = [".".join(task) for task in (*TASKS, *CHOICES)]
JOINT = [name for name, form in FORMATS.items() if form.is_joint]
ROOT_WORD = "tests of the quiz"


@pytest.fixture(scope="module")
def drawn(course):
    """Two questions of each task, then the choices."""
    numbers = [question for task in TASKS for question in questions(course, *task, 2, ROOT_WORD)]
    choices = [question for task in CHOICES for question in choice_questions(course, *task, 2, ROOT_WORD)]
    return [*numbers, *choices]


@pytest.fixture(scope="module")
def files(drawn):
    """Files of each format, and the questions in them."""
    written = {}
    for name, form in FORMATS.items():
        shaped = [export._shaped(form, question) for question in drawn]
        fitting = [question for question in shaped if question]
        written[name] = form.write("A quiz", fitting), fitting
    return written


def only_numbers(questions_of_a_file):
    return [question for question in questions_of_a_file if isinstance(question, QuizQuestion)]


def compared(files, kind):
    content, fitting = files[kind]
    readers = FORMATS[kind].read(content)
    return [item for question in fitting for item in compare_reading(question, readers[question.ident])]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_foreseen_answer_has_the_verdict_of_the_notebook(files, kind):
    items = compared(files, kind)
    assert len(items) > 70
    assert [item for item in items if not (item.is_verdict_equal and item.is_hint_shown)] == []


@pytest.mark.parametrize("kind", JOINT)
def test_numbers_judged_together_have_points_and_hint_of_the_notebook(files, kind):
    items = compared(files, kind)
    assert len(items) == sum(len(question.foreseen) for question in files[kind][1])
    assert [item for item in items if not item.is_only_hint] == []
    in_parts = {".".join(CHOICES[0])} if kind == "stack" else set()  # as Moodle scores several options
    assert {item.task for item in items if not item.is_score_equal} == in_parts


@pytest.mark.parametrize("kind", FORMATS)
def test_changed_answers_have_the_verdict_of_the_notebook(course, files, kind):
    """Numbers that nobody foresaw: one of them moved by a little, by much, or to zero."""
    content, fitting = files[kind]
    readers, rng = FORMATS[kind].read(content), np.random.default_rng(28)
    keys = {
        (topic, name): [
            key
            for _, key in variants(
                course, (topic, name), hand_tasks(course, topic)[name], 2, lambda n: f"{ROOT_WORD} quiz {n}"
            )
        ]
        for topic, name in TASKS
    }
    outcomes = set()
    for question in only_numbers(fitting):
        key = keys[question.topic, question.task][question.number - 1]
        for change in (1e-9, 0.02, -3.0, -1.0):
            numbers = list(question.right.numbers)
            place = int(rng.integers(len(numbers)))
            numbers[place] *= 1 + change
            verdict = judge_numbers(f"{question.topic}.{question.task}", key, numbers)
            reading = readers[question.ident](numbers)
            assert reading.passed == verdict.passed, (question.ident, numbers)
            if FORMATS[kind].is_joint and not verdict.misconception:
                assert reading.fraction == pytest.approx(verdict.fraction, abs=1e-4)
            outcomes.add(verdict.passed)
    assert outcomes == {True, False}


@pytest.mark.parametrize("kind", ["qti21", "qti12"])
def test_documents_obey_the_specification(files, kind):
    with zipfile.ZipFile(io.BytesIO(files[kind][0])) as packed:
        documents = {name: packed.read(name) for name in packed.namelist()}
    pages = {name: document for name, document in documents.items() if name.endswith(".xml")}
    assert {name: faults(document) for name, document in pages.items() if faults(document)} == {}
    manifest = ElementTree.fromstring(documents["imsmanifest.xml"])
    listed = {file.get("href") for file in manifest.iter() if file.tag.endswith("}file")}
    assert listed == set(documents) - {"imsmanifest.xml"}


def test_a_broken_document_is_noticed(files):
    with zipfile.ZipFile(io.BytesIO(files["qti21"][0])) as packed:
        item = packed.read(next(name for name in packed.namelist() if name.startswith("items/")))
    assert faults(item) == []
    assert faults(item.replace(b'<variable identifier="RESPONSE_1"', b'<variable identifier="RESPONSE_9"'))
    assert faults(item.replace(b"responseElseIf", b"responseElsewhere"))
    assert faults(item.replace(b'cardinality="single"', b""))


def test_the_same_questions_give_the_same_bytes(drawn, files):
    for name, form in FORMATS.items():
        assert form.write("A quiz", files[name][1]) == files[name][0]
    numbers = only_numbers(drawn)
    assert len({question.text for question in numbers}) == len(numbers)


def test_canvas_takes_only_the_right_number_for_right(files):
    """Its importer takes every `or` with an exact number, and every `and` outside of `or`, for a right answer."""
    space = f"{{{QTI12_NAMESPACE}}}"
    with zipfile.ZipFile(io.BytesIO(files["qti12"][0])) as packed:
        root = ElementTree.fromstring(packed.read("form-1/form-1.xml"))
    for item in root.iter(f"{space}item"):
        if item.find(f".//{space}render_choice") is not None:
            continue
        exact = [test for test in item.iter(f"{space}or") if test.find(f"{space}varequal") is not None]
        bare = [test for test in item.iter(f"{space}conditionvar") if test.find(f"{space}and") is not None]
        assert (len(exact), len(bare)) == (1, 0)


def test_macros_of_the_book_are_expanded(course):
    assert expand_macros(course, r"\R^{7}, \norm{x_{1}}, \Rightarrow") == (
        r"{\mathbb{R}}^{7}, {\lVert x_{1} \rVert}, \Rightarrow"
    )
    text = finished_text(course, prose_html(r"In $\R^2$, see equation `eq-pca-scores`: $$\tr A < 1$$"))
    assert r"\({\mathbb{R}}^2\)" in text
    assert r"{\operatorname{tr}} A &lt; 1" in text
    assert '#equation-eq-pca-scores">Equation (' in text


def test_pictures_of_options_are_files_of_the_package(files):
    question = next(item for item in files["qti21"][1] if item.task == CHOICES[1][1])
    for kind, folder in (("qti21", "../images/"), ("qti12", "%24IMS-CC-FILEBASE%24/images/")):
        with zipfile.ZipFile(io.BytesIO(files[kind][0])) as packed:
            written = {name: packed.read(name) for name in packed.namelist()}
        for name, content in pictures_of(question).items():
            assert written[f"images/{name}"] == content
            assert any(f"{folder}{name}".encode() in text for text in written.values())
    assert files["moodle"][0].count(b'encoding="base64"') >= len(question.options)


STRANGE = r"<b>“x & y” < z</b> \(\frac{a}{b} ~ \#\) }~#= ]]&gt; ≤ λ₁ 𝔼 \begin{pmatrix}1 &amp; 2\end{pmatrix}"


def test_signs_of_the_formats_survive_in_feedback_and_title(drawn):
    question = normal_form(next(item for item in drawn if item.task == "both_divisors"))
    feedback = f"<p>{STRANGE.replace('<b>', '').replace('</b>', '').replace('< z', '&lt; z')}</p>"
    wrong = [Foreseen(a.name, a.numbers, a.passed, a.fraction, feedback) for a in question.wrong]
    strange = type(question)(
        **{**vars(question), "title": STRANGE + "\x00\x1b", "foreseen": (question.right, *wrong)}
    )
    document = FORMATS["moodle"].write("A quiz", [strange])
    reading = read_moodle(document)[strange.ident](wrong[0].numbers)
    assert plain_text(feedback) in reading.feedback
    assert STRANGE in {
        name.text.rpartition(" (")[0] for name in ElementTree.fromstring(document).iterfind(".//name/text")
    }
    root, section = start_quiz("quiz", STRANGE)
    add_number_items(section, strange)
    item = ElementTree.fromstring(to_bytes(root))
    assert {element.get("title") for element in item.iter()} >= {STRANGE, f"{STRANGE} (1 of 5)"}


def test_a_wrong_number_in_a_file_is_refused(files):
    content, fitting = files["moodle"]
    form = FORMATS["moodle"]
    right = f"{blanks_of(fitting[0])[0].right.centre:f}</text>".encode()
    assert right in content
    with pytest.raises(CourseError, match="judges right otherwise than the notebook"):
        list(export._certify(form, fitting, content.replace(right, b"12345</text>", 1)))


def test_intervals_are_those_of_the_rounding_grid(drawn):
    for question in only_numbers(drawn):
        own = all_intervals(intervals(question, question.right.numbers))
        assert all(condition.holds(question.right.numbers) for condition in own)
        wrong = [all_intervals(intervals(question, answer.numbers)) for answer in question.wrong]
        assert not any(all(c.holds(question.right.numbers) for c in conditions) for conditions in wrong)


def test_the_table_counts_where_file_and_notebook_agree(files):
    items = compared(files, "qti21")
    table = agreement_table(items).splitlines()
    assert [line.split()[0] for line in table] == ["task", *NAMES]
    assert all(len(set(line.split()[1:])) == 1 for line in table[1:])
    assert count_line(items).startswith(f"of {len(items)} foreseen answers")


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["nothing"], "unknown topic 'nothing'"),
        (["pca.scores"], "pca.scores cannot be a quiz question; those of pca are: pca."),
        (["pca.no_such"], "pca.no_such cannot be a quiz question"),
    ],
)
def test_tasks_that_cannot_be_questions_are_named(course, names, why):
    with pytest.raises(CourseError, match=why):
        choose_tasks(course, names)


def test_a_number_of_variants_out_of_bounds_is_refused(course):
    for number in (0, -1, 1000):
        with pytest.raises(CourseError, match=f"--variants must be between 1 and 200, not {number}"):
            export_quiz(course, ["pca"], "moodle", number, "spring")


def test_the_command_writes_a_file_that_follows_from_the_seed(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    command = ["quiz", "squares", "--format", "moodle", "--variants", "2"]
    assert main([*command, "--table"]) == 0
    printed = capsys.readouterr().out
    assert "squares.by_hand" in printed
    assert "2 questions in classroom/exports/quiz.moodle.xml (holds the answers: for you only)" in printed
    first = (sample_course.root / "classroom/exports/quiz.moodle.xml").read_bytes()
    assert main([*command, "--to", "again.xml"]) == 0
    assert main([*command, "--seed", "other", "--to", "other.xml"]) == 0
    assert (sample_course.root / "again.xml").read_bytes() == first
    assert (sample_course.root / "other.xml").read_bytes() != first
    (sample_course.root / "classroom/course.secret").write_text("another secret\n", "ascii")
    assert main([*command, "--to", "elsewhere.xml"]) == 0
    assert (sample_course.root / "elsewhere.xml").read_bytes() != first


def test_a_refused_quiz_leaves_no_file(sample_course, monkeypatch, capsys):
    monkeypatch.chdir(sample_course.root)
    assert main(["quiz", "squares.nothing", "--format", "qti12", "--to", "quiz.zip"]) == 1
    assert "cannot be a quiz question" in capsys.readouterr().err
    assert not (sample_course.root / "quiz.zip").exists()
