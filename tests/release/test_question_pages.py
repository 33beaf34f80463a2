"""Quick questions in a page: the data hold what is judged, and the script judges as Python does."""

import json
import subprocess
from itertools import permutations

import pytest

from autograder.authoring.topic import load_builders
from autograder.book.labels import labels
from autograder.book.sphinx.questions import QUESTION_SCRIPTS, questions_html
from autograder.judging.judge_question import judge_question
from autograder.release.prose import prose_html
from autograder.release.question_pages import page_questions, questions_file, questions_json
from autograder.release.questions import draw_question
from tests.release.test_questions import COURSE, TOPICS

JUDGE_ALL = """
import {{ judge }} from {module};
import {{ readFileSync }} from "node:fs";
const {{ question, answers }} = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(answers.map(letters => judge(question, 0, letters))));
"""


@pytest.fixture(scope="module")
def page():
    return page_questions(COURSE, "pca")


@pytest.mark.parametrize("topic", TOPICS)
def test_the_committed_data_are_those_of_the_sources(topic):
    path = questions_file(COURSE, topic)
    assert path.read_text("utf-8") == questions_json(page_questions(COURSE, topic))


def test_variants_differ(page):
    pictures = next(question for question in page if question["name"] == "pca.picture_of_the_scores")
    assert len({variant["figure"] for variant in pictures["variants"]}) == 3


def test_a_page_shows_the_first_variant_and_hides_the_others(page):
    html = questions_html(page, labels(COURSE.book), "../_static")
    assert html.count('<div class="quick-variant">') == len(page)
    assert html.count('<div class="quick-variant" hidden>') == 2
    assert "[[eq-" not in html


def verdicts_of_the_script(question, answers):
    module = json.dumps((QUESTION_SCRIPTS / "judge.mjs").as_uri())
    items = [variant["items"] for variant in question["variants"]]
    data = json.dumps({"question": {**question, "variants": items}, "answers": answers})
    command = ["node", "--input-type=module", "-e", JUDGE_ALL.format(module=module)]
    done = subprocess.run(command, input=data, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "name", ["keeps_the_scores", "picture_of_the_scores", "off_axis", "largest_variance_of"]
)
def test_script_and_python_give_the_same_verdict(name, page):
    drawn = draw_question(f"pca.{name}", load_builders(COURSE, "pca")[name], "on a page, number 1")
    question = next(question for question in page if question["name"] == drawn.name)
    answers = [list(letters) for number in range(4) for letters in permutations(drawn.items, number)]
    answers += [list(drawn.right), list(drawn.right)[::-1]]
    for answer, told in zip(answers, verdicts_of_the_script(question, answers), strict=True):
        verdict = judge_question(drawn, answer or None)
        assert told["passed"] == verdict.passed
        if not verdict.passed:
            hints = {item.hint: prose_html(item.hint) for item in drawn.items.values() if item.hint}
            message = verdict.message
            for hint, html in hints.items():
                message = message.replace(hint, html)
            assert told["message"] == message
