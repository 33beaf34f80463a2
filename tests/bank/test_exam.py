"""A printed exam: sheets, marking key, codes; what was written is judged as in a notebook."""

import csv
import json
import unicodedata

import numpy as np
import pytest
from pypdf import PdfReader

from autograder.authoring.topic import load_tasks
from autograder.authoring.views import has_returns, view_of
from autograder.bank.codes import folder_of, make_codes
from autograder.bank.compose import read_source, resolve
from autograder.bank.enter import judge_typed, read_entries, type_in, unreadable_answers, write_entries
from autograder.bank.exam import is_form, require_no_form, write_entry_table
from autograder.bank.marking import answer_text
from autograder.bank.retake import compose_retake
from autograder.bank.sheets import Sheet
from autograder.book.formulas import node_program
from autograder.book.pdf import chromium
from autograder.course.composition import Composition, Slot
from autograder.course.course import Course
from autograder.course.roster import Student
from autograder.course.tables import SPREADSHEET_FORMULA
from autograder.errors import CourseError
from autograder.grading.equal_work import equal_hand_ins
from autograder.grading.gradebook import scores
from autograder.judging.key import Key, read_key
from autograder.release.draw import draw_task
from tests.bank.composed_class import refusal, run, two_topics, write

EXAM = """
title = "Written exam"
text = "One hour."

[[task]]
task = "squares.by_hand"

[[task]]
task = "squares.total"

[[task]]
task = "squares.binomial"
points = 2

[[task]]
task = "squares.can_be_squares"
points = 3
"""
QUICK_QUESTION = """
from math import isqrt

from autograder.authoring import question


@question.choice("Squares", "Which of these are squares of whole numbers?", see="eq-squares-sum", several=True)
def can_be_squares(number):
    return isqrt(number) ** 2 == number


@can_be_squares.right()
def squared(rng):
    return int(rng.integers(10, 20)) ** 2


@can_be_squares.right()
def squared_a_small_number(rng):
    return int(rng.integers(2, 9)) ** 2


@can_be_squares.wrong("This is twice a number. Is it a product of a number with itself?")
def doubled(rng):
    return 2 * int(rng.choice([23, 29, 31]))


@can_be_squares.wrong("A square that ends in 0 ends in 00.")
def times_ten(rng):
    return 10 * int(rng.choice([11, 13, 17]))
"""
PRINTS = chromium() is not None and node_program() is not None
ADA, BOB = "ada", "bob"


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> Course:
    """An exam in two forms, printed for a class of three."""
    assert PRINTS, "Chromium and node print exams, and the container of the course has both"
    course = two_topics(tmp_path_factory.mktemp("exam") / "course")
    (course.source("squares") / "quick.py").write_text(QUICK_QUESTION, "utf-8")
    write(course.root, EXAM, "final.toml")
    run(
        course,
        "exam",
        "final.toml",
        "--seed",
        "summer",
        "--forms",
        "2",
        "--roster",
        "class.csv",
        "--large-print",
    )
    return course


def table(course):
    with (course.paths.exam("final") / "entry.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def inputs(course, student, task):
    key = read_key(course.paths.release("final", student) / "final.key.json")
    return key.tasks[task].cases[0].inputs


def letters(course, student):
    """Return the right letters of the student's quick question, and a wrong one."""
    key = read_key(course.paths.release("final", student) / "final.key.json")
    question = key.tasks["can_be_squares"].question
    return "".join(question.right), next(
        name for name, item in question.items.items() if item.name == "doubled"
    )


def right_answers(course, student):
    """Write the answer of a student who makes no mistake."""
    path = course.paths.certificate("final", student)
    assert json.loads(path.read_text("utf-8"))["composed of"]["total"] == "squares.total:returns"
    u, x = inputs(course, student, "by_hand")["u"], inputs(course, student, "total")["x"]
    squares = ", ".join(letters(course, student)[0]).lower()
    return {"by_hand": f"{u @ u:g}", "total": f"{x @ x:g}", "binomial": "(a + b)²", "can_be_squares": squares}


def fill(course, answers, name="filled.csv", **changes):
    """Write the table with the answers of these students."""
    rows = table(course)
    for row in rows:
        row |= answers.get(row["id"], {})
        row |= changes.get(row["id"], {})
    path = course.root / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def text_of(course, name):
    """The text of each page, without ligatures."""
    pages = PdfReader(course.paths.exam("final") / name).pages
    return [unicodedata.normalize("NFKC", page.extract_text()) for page in pages]


def test_each_sheet_has_its_code_and_page_numbers(printed):
    pages, codes = text_of(printed, "exam.pdf"), [row["code"] for row in table(printed)]
    assert len(set(codes)) == 3
    for code in codes:
        own = [page for page in pages if code in page]
        assert [f"page {number} of {len(own)}" in page for number, page in enumerate(own, 1)] == [True] * len(
            own
        )
    assert "def total(x):" in pages[0] + pages[1]
    assert "np.sum(x**2)" in "".join(pages)
    assert len(text_of(printed, "exam-large-print.pdf")) >= len(pages)


def test_the_marking_key_names_foreseen_answers_with_points_and_reasons(printed):
    text = " ".join(" ".join(text_of(printed, "marking-key.pdf")).split())
    assert text.count("Right:") == 8, "four questions on each of two forms"
    assert "This is twice a number." in text
    assert "Square first, then add." in text
    assert "a^2 + b^2" in text


def test_a_number_with_rounding_errors_is_printed_as_the_whole_one(course):
    task = load_tasks(course, "pca")["variance_along"]
    assert answer_text(task, lambda: 11 - 2e-15, {}) == "11"
    assert (
        answer_text(task, lambda: np.array([[4.0, -8 / 2 + 1e-15], [1 / 3, 0.5]]), {})
        == "[[4, -4], [1/3, 0.5]]"
    )


def test_neighbours_have_different_forms_and_a_code_tells_typing_errors(printed):
    releases = [
        (printed.paths.release("final", student) / "final.ipynb").read_bytes()
        for student in ("ada", "bob", "cyd")
    ]
    assert releases[0] == releases[2] != releases[1]
    codes = {code: folder for folder, code in make_codes(printed, "final", ["ada", "bob"]).items()}
    code = next(iter(codes))
    assert folder_of(codes, f" {code[:2].lower()}-{code[2:]} ", "") == codes[code]
    for place in range(len(code)):
        for letter in "23456789ABCDEFGHJKLMNPQRSTUVWXYZ":
            if letter != code[place]:
                with pytest.raises(CourseError, match="is no code of this exam"):
                    folder_of(codes, code[:place] + letter + code[place + 1 :], "line 2")


def test_typed_answers_are_judged_as_in_a_notebook_and_graded(printed):
    ada = right_answers(printed, "ada")
    u = inputs(printed, "bob", "by_hand")["u"]
    bob = {"by_hand": f"{sum(u) ** 2:g}", "total": "-", "binomial": "a^2 + b^2"}
    bob["can_be_squares"] = letters(printed, "bob")[1]
    said = run(printed, "enter", "final", fill(printed, {"ada": ada, "bob": bob}), "--allow-unsafe")
    assert "2 sheets with 7 answers, 2 of them new or changed" in said
    earned = {student: record["scores"] for student, record in scores(printed, "final").items()}
    assert list(earned["ada"].values()) == [1, 2, 2, 3]
    assert list(earned["bob"].values()) == [0, 0, 0, 0]
    verdicts = json.loads((printed.paths.verdicts("final") / "bob.json").read_text("utf-8"))["verdicts"]
    assert verdicts["by_hand"]["misconception"] == "squared_the_sum_by_hand"
    assert verdicts["binomial"]["misconception"] == "forgot_the_middle"
    assert verdicts["can_be_squares"]["misconception"] == "doubled"
    assert "earns nothing" not in said
    assert "notebook of" not in said, "Ada's notebook is that of her form, so no other's"
    retake = compose_retake(printed, "final")
    assert (retake.medium, [*retake.own_forms]) == ("paper", ["bob"])
    again = run(printed, "enter", "final", printed.root / "filled.csv", "--allow-unsafe")
    assert "0 of them new or changed" in again


WRONG_TABLES = {
    "an unknown code": ({"code": "QQQQQ"}, "line 2: 'QQQQQ' is"),
    "a code of another student": ({"id": "bob"}, "the code is that of ada, but the line says bob"),
}


@pytest.mark.parametrize("what", WRONG_TABLES)
def test_a_table_that_cannot_be_right_is_refused_before_anything_is_written(printed, what):
    change, words = WRONG_TABLES[what]
    path = fill(printed, {"ada": {"by_hand": "7"}, "cyd": {"by_hand": "1"}}, "wrong.csv", ada=change)
    assert words in refusal(printed, "enter", "final", path, "--allow-unsafe")
    assert not printed.paths.submission("cyd", "final").exists()


def test_an_answer_that_cannot_be_read_is_named_and_a_decimal_comma_is_a_point(printed):
    right = right_answers(printed, "cyd")
    wrong = {
        "total": "[1; 2",
        "can_be_squares": "A and B",
        "binomial": "-",
        "by_hand": f"{right['by_hand']},0",
    }
    path = fill(printed, {"cyd": wrong}, "strange.csv")
    entries = read_entries(printed, "final", path)
    assert [line.partition(" earns")[0] for line in unreadable_answers(printed, "final", entries)] == [
        "cyd, total: '[1; 2'",
        "cyd, can_be_squares: 'A and B'",
    ]
    key = read_key(printed.paths.release("final", "cyd") / "final.key.json")
    assert judge_typed(key, "by_hand", wrong["by_hand"]).passed


def test_equal_answers_on_paper_are_not_told_as_equal_files(printed):
    right = right_answers(printed, "ada")
    path = fill(printed, {"ada": right, "cyd": right}, "equal.csv")
    write_entries(printed, "final", read_entries(printed, "final", path))
    texts = [printed.paths.submission(name, "final").read_bytes() for name in ("ada", "cyd")]
    assert texts[0] == texts[1]
    assert equal_hand_ins(printed, "final") == []


def test_a_table_of_another_exam_and_an_exam_that_is_not_there(printed):
    assert "holds no answers" in refusal(printed, "enter", "final", printed.paths.exam("final") / "entry.csv")
    write(printed.root, "code,id,name,by_hand,total,binomial,can_be_squares,area\n", "other.csv")
    assert "has a column 'area'" in refusal(printed, "enter", "final", printed.root / "other.csv")
    write(printed.root, "code,id\n", "other.csv")
    assert "has no column 'by_hand'" in refusal(printed, "enter", "final", printed.root / "other.csv")
    assert "there is no exam 'finale'" in refusal(printed, "enter", "finale", printed.root / "other.csv")


def test_at_the_keyboard_each_answer_is_judged_at_once(printed):
    codes = {row["id"]: row["code"] for row in table(printed)}
    right = right_answers(printed, "cyd")
    last = letters(printed, "cyd")[1]
    typed = iter(["nonsense", codes["cyd"].lower(), right["by_hand"], "0", right["binomial"], last, ""])
    shown: list[str] = []
    path = type_in(printed, "final", lambda prompt: next(typed), shown.append)
    assert "is no code of this exam" in shown[0]
    assert shown[1] == "Cyd"
    assert [line.split()[0] for line in shown[2:]] == ["1", "0", "2", "0"]
    (entry,) = read_entries(printed, "final", path)
    assert (entry.student.folder, entry.answers["total"]) == ("cyd", "0")


def test_signs_of_typed_answers_survive_in_a_table_without_formulas(printed):
    """To a spreadsheet -3 and the -2 of a list are formulas, so the table holds quotes before them."""
    codes = {row["id"]: row["code"] for row in table(printed)}
    answers = ["-3", "[1,-2, -a; +4]", "@a - b", "A"]
    for student in ("ada", "bob"):  # the second time the first sheet is kept as it is on file
        typed = iter([codes[student], *answers, ""])
        path = type_in(printed, "final", lambda prompt, typed=typed: next(typed), lambda line: None)
    for entry in read_entries(printed, "final", path):
        if entry.student.folder in ("ada", "bob"):
            assert [*entry.answers.values()] == answers
    cells = [cell for row in csv.reader(path.open(encoding="utf-8")) for cell in row]
    assert not [cell for cell in cells if SPREADSHEET_FORMULA.search(cell)]


def test_a_name_that_is_a_formula_is_text_in_the_table(tmp_path):
    slots = (Slot("by_hand", 1.0, ("squares.by_hand",)),)
    sheet = Sheet("@ada", "=HYPERLINK(1)", "AAAAA", (), Key("final", "seed", {}))
    write_entry_table(tmp_path / "entry.csv", Composition("final", "", slots), [sheet])
    assert (tmp_path / "entry.csv").read_text("utf-8").splitlines()[1] == "AAAAA,'@ada,'=HYPERLINK(1),"


def test_a_student_with_the_name_of_a_form_is_refused():
    assert [is_form(folder) for folder in ("form-A", "form-Z", "form-AB", "form-1", "formal")] == [
        *(True, True),
        *(False, False, False),
    ]
    require_no_form([Student("ada", "ada"), Student("form-AB", "form-AB")])
    with pytest.raises(CourseError, match="'form-B' is the name of a form"):
        require_no_form([Student("ada", "ada"), Student("form-B", "form-B")])


def test_forms_without_names_need_an_id_in_each_line(printed):
    run(printed, "exam", "final.toml", "--seed", "summer", "--forms", "2")
    rows = table(printed)
    assert [row["id"] for row in rows] == ["", ""]
    path = write(
        printed.root,
        f"code,id,by_hand,total,binomial,can_be_squares\n{rows[1]['code']},,1,2,3,A\n",
        "forms.csv",
    )
    assert "the line needs the student's id" in refusal(printed, "enter", "final", path)
    path = write(
        printed.root,
        f"code,id,by_hand,total,binomial,can_be_squares\n{rows[1]['code']},zoe,1,2,3,A\n",
        "forms.csv",
    )
    assert "'zoe' is no student of the class" in refusal(printed, "enter", "final", path)


def test_what_cannot_be_asked_on_paper_is_refused(printed, course, tmp_path):
    path = write(tmp_path, '[[task]]\ntask = "pca.principal_axes"\n', "axes.toml")
    with pytest.raises(
        CourseError, match=r"pca\.principal_axes cannot be asked on paper: no small whole numbers"
    ):
        resolve(course, read_source(path), medium="paper")
    path = write(tmp_path, '[[task]]\ntask = "pca.digit_axis"\n', "digit.toml")
    with pytest.raises(CourseError, match=r"its answer is read from a picture|its text holds"):
        resolve(course, read_source(path), medium="paper")
    assert "--forms must be between 1 and 26" in refusal(
        printed, "exam", "final.toml", "--seed", "s", "--forms", "0"
    )
    assert "say --forms N" in refusal(printed, "exam", "final.toml", "--seed", "s")


def test_a_quick_question_earns_points_on_paper_only(course, tmp_path):
    path = write(tmp_path, '[[task]]\ntask = "pca.keeps_the_scores"\npoints = 2\n', "quick.toml")
    with pytest.raises(CourseError, match="earns points on paper only"):
        resolve(course, read_source(path))
    (slot,) = resolve(course, read_source(path), medium="paper").slots
    assert (slot.points, slot.tasks) == (2, ("pca.keeps_the_scores",))


def test_programs_of_the_course_are_asked_with_numbers_that_one_can_write_down(course):
    """And certified like any task of the kind hand."""
    task = view_of(load_tasks(course, "classical_mds")["double_centre"], "returns", "double_centre")
    key = draw_task("exam.double_centre", task, "seed", "secret").public
    assert key.kind == "hand"
    assert len(key.wrongs) >= 5, "most misconceptions show with small numbers, too"
    assert not has_returns(load_tasks(course, "pca")["principal_axes"], "pca.principal_axes")
