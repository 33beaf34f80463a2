"""The feedback page as a student opens it: a summary first, titles and formulas, every screen, nothing that runs."""

import json
import re
import shutil

import pytest

from autograder.course.course import Course
from autograder.grading.gradebook_tables import open_gradebook
from autograder.reports.exercise import without_echo
from autograder.reports.feedback import write_feedback
from tests.browser.accessibility import AXE, VIOLATIONS
from tests.command import dimred
from tests.conftest import ROOT
from tests.grading.small_class import TOPIC, WRONG, hand_in

ANSWER = (
    "Because $a^2\\ge 0$, and\n\n$$\\sum_i a_i^2 \\ge 0.$$\n\n`$code$` stays. $\\href{javascript:alert(1)}{x}$ "
    "$\\frac{1$ <img src=x onerror='document.title=1'> <script>document.title=1</script>"
)
HEADINGS = {
    "Write `total`": "## 1. Sums\n\n### 1.1 The sum of squares (2 points, about 5 minutes)\n\nWrite `total`",
    "Why do squares": "### 1.2 Never less than nothing (3 points)\n\nWhy do squares",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The tiny course with headings as in the real one; ada is wrong in words and in a program, bob is right."""
    root = tmp_path_factory.mktemp("feedback") / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    notebook = root / "solutions" / TOPIC / "notebook.md"
    text = notebook.read_text("utf-8")
    for before, after in HEADINGS.items():
        assert before in text
        text = text.replace(before, after, 1)
    notebook.write_text(text, "utf-8")
    course = Course(root)
    assert dimred(root, "regenerate", "--seed", "one")[0] == 0
    hand_in(course, "ada", total=WRONG, why=ANSWER, cubes=None)
    hand_in(course, "bob")
    assert dimred(root, "grade")[0] == 0
    with open_gradebook(course) as book:
        for student, points in (("ada", 2.0), ("bob", 3.0)):
            score = book.find_grade("why", TOPIC, TOPIC, student)
            score.manual_score, score.needs_manual_grade = points, False
        words = (
            "[2 of 2] says that each is at least zero\n"
            "[0 of 1] what follows for a sum of such numbers\n"
            "See <b>me</b>."
        )
        book.find_comment("why", TOPIC, TOPIC, "ada").manual_comment = words
        book.db.commit()
    write_feedback(course, TOPIC)
    return course


def opened(chromium, course, student, **view):
    context = chromium.new_context(**{"viewport": {"width": 1100, "height": 900}, **view})
    page = context.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(course.paths.feedback_page(student, TOPIC).as_uri())
    return page, requests


def test_page_begins_with_what_was_lost_and_why(chromium, course):
    page, requests = opened(chromium, course, "ada")
    rows = page.locator(".losses tbody tr").all_inner_texts()
    assert any(row.startswith("1.1 The sum of squares, cubes\t") for row in rows)
    assert any(row.startswith("1.1 The sum of squares\t1.5 of 2\tNothing was squared") for row in rows)
    assert any("what follows for a sum of such numbers (0 of 1)" in row for row in rows)
    assert "TRY AGAIN" not in page.content()
    assert len(requests) == 1  # one self-contained file
    page.locator(".losses a").first.click()
    assert "#check-" in page.url
    page.context.close()


def test_formulas_are_typeset_and_nothing_of_a_student_runs(chromium, course):
    page, _ = opened(chromium, course, "ada")
    answer = page.locator("#why .answer")
    assert answer.locator("math").count() == 2
    assert answer.locator(
        "math[display=block] munder, math[display=block] munderover, math[display=block] msub"
    ).count()
    assert "$code$" in answer.inner_text()
    assert "\\frac{1" in answer.inner_text()  # TeX that cannot be read stays as it was typed
    assert page.title() == "Feedback: Squares"
    assert "javascript:" not in re.sub(r"\$.*?\$", "", page.content())
    assert page.locator("#why .comment").inner_text() == "Comment: See <b>me</b>."
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 360])
def test_page_is_accessible_and_never_wider_than_the_window(chromium, course, scheme, width):
    page, _ = opened(chromium, course, "ada", viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(VIOLATIONS, True) == []
    page.context.close()


def test_full_marks_are_one_screen_with_everything_folded(chromium, course):
    page, _ = opened(chromium, course, "bob")
    assert "Full marks: nothing was lost." in page.inner_text("main")
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    page.context.close()


def test_author_answers_are_shown_only_when_released(course):
    page = course.paths.feedback_page("ada", TOPIC)
    assert "The author" not in page.read_text("utf-8")
    assert dimred(course.root, "feedback", "--model-answers")[0] == 0
    text = page.read_text("utf-8")
    assert text.count("The author&#39;s answer") + text.count("The author's answer") == 5
    assert "return np.sum(x**2)" in text
    shown = re.findall(r"The author(?:'|&#39;)s answer</summary><pre>(.*?)</pre>", text, re.DOTALL)
    assert len(shown) == 4
    assert not any("SOLUTION" in answer for answer in shown)
    assert dimred(course.root, "feedback")[0] == 0
    assert "The author" not in page.read_text("utf-8")


def test_comment_on_an_earlier_text_is_not_shown_while_the_new_one_waits(course):
    with open_gradebook(course) as book:
        book.find_grade("why", TOPIC, TOPIC, "ada").needs_manual_grade = True
        book.db.commit()
    try:
        write_feedback(course, TOPIC)
        text = course.paths.feedback_page("ada", TOPIC).read_text("utf-8")
    finally:
        with open_gradebook(course) as book:
            book.find_grade("why", TOPIC, TOPIC, "ada").needs_manual_grade = False
            book.db.commit()
    write_feedback(course, TOPIC)
    assert "not read yet" in text
    assert "How it was read" not in text
    assert "See &lt;b&gt;me" not in text
    assert "How it was read" in course.paths.feedback_page("ada", TOPIC).read_text("utf-8")


def test_failing_case_that_only_repeats_the_answer_is_left_out(course):
    """A hand task's verdict knows the answer's value and may not tell the right one."""
    verdict = (
        "<p>No.</p><details open><summary>The failing case</summary><table><tr><th>your answer</th>"
        "<td><pre>{}</pre></td></tr></table></details>"
    )
    assert without_echo(verdict.format("2,\n5"), "answer = (2, 5)") == "<p>No.</p>"
    assert without_echo(verdict.format("2.236"), "answer = 5**0.5") == verdict.format("2.236")


def test_matrices_of_a_verdict_keep_their_lines_on_a_phone(chromium, course):
    page, _ = opened(chromium, course, "ada", viewport={"width": 360, "height": 800})
    values = page.locator(".verdict td pre")
    assert values.count()
    assert values.first.evaluate("pre => getComputedStyle(pre).whiteSpace") == "pre"
    assert values.first.bounding_box()["width"] > 200
    page.context.close()


def test_page_without_node_keeps_tex_readable(course, monkeypatch):
    monkeypatch.setattr("autograder.reports.mathml.shutil.which", lambda name: None)
    write_feedback(course, TOPIC)
    text = course.paths.feedback_page("ada", TOPIC).read_text("utf-8")
    assert "<math" not in text
    assert "$a^2\\ge 0$" in text
    assert len(text) < 100_000
    assert json.dumps(text)
