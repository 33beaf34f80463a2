"""The verdicts of a page, in JavaScript, are Python's: on every misconception and slip, and on odd answers."""

import json
import shutil

import pytest

from autograder.book.sphinx.practice import PRACTICE_SCRIPTS, published
from autograder.judging.typed import spelled
from tests.browser.practice_answers import COURSE, FIELDS, ODD, OTHER_WORDS, answers, hand_tasks
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

TASKS = [f"{topic}.{name}" for topic in COURSE.topics() for name in hand_tasks(COURSE, topic)]
JUDGED = """async ([task, cases]) => {
  const {judge} = await import("./judge.mjs");
  const data = await (await fetch(`data/${task}.json`)).json();
  return cases.map(({variant, typed}) => judge(data, data.variants[variant], typed));
}"""


@pytest.fixture(scope="module")
def scripts(chromium, serve, tmp_path_factory):
    """A page that can import the scripts of practice, as readers fetch them."""
    folder = tmp_path_factory.mktemp("published") / "practice"
    shutil.copytree(ROOT / "book" / "_static" / "practice" / "data", folder / "data")
    shutil.copytree(PRACTICE_SCRIPTS, folder, dirs_exist_ok=True)
    for path in folder.glob("*.mjs"):
        path.write_text(published(path.read_text("utf-8")), "utf-8")
    page = chromium.new_page()
    page.goto(f"{serve(folder)}/practice.css")
    yield page
    page.close()


@pytest.mark.usefixtures("fast_seals")
@pytest.mark.parametrize("task", TASKS)
def test_a_page_judges_as_python_does(scripts, task):
    cases = list(answers(*task.split(".")))
    found = scripts.evaluate(JUDGED, [task, [{**case, "verdict": None} for case in cases]])
    assert len({case["variant"] for case in cases if case["verdict"]["passed"]}) >= 5
    for case, verdict in zip(cases, found, strict=True):
        fields = set(FIELDS) - ({"message"} if set(case["typed"]) & set(OTHER_WORDS) else set())
        expected = {field: case["verdict"][field] for field in fields}
        got = {field: verdict[field] for field in fields}
        assert got.pop("fraction") == pytest.approx(expected.pop("fraction")), case["typed"]
        assert got == expected, case["typed"]


def test_both_spell_alike_what_people_type(scripts):
    got = scripts.evaluate(
        "async texts => { const {spelled} = await import('./read.mjs'); return texts.map(spelled); }", ODD
    )
    assert got == [spelled(text) for text in ODD]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("3/4", "0.75"),
        ("2√3", "3.4641"),
        ("1 -2", "(1, −2)"),
        ("[1 -2]", "(1, −2)"),
        ("1 - 2", "−1"),
        ("2 sqrt(3)", "3.4641"),
        ("(1,2)/sqrt(5)", "(0.447214, 0.894427)"),
        ("[[1, 2], [3, 4]]ᵀ", "(1, 3) (2, 4)"),
        ("[[1 -2]\n [3 4]]", "(1, −2) (3, 4)"),
        ("1, -2", "(1, −2)"),
        ("3 -1 2", "(3, −1, 2)"),
        ("[1 2; 3 4]", "(1, 2) (3, 4)"),
        ("1 2\n½ 4", "(1, 2) (0.5, 4)"),
        ("50 %", "0.5"),
        ("1/0", "not a number"),
    ],
)
def test_a_field_says_how_it_is_read(scripts, typed, shown):
    code = "async text => { const {read, shown} = await import('./read.mjs'); return shown(read(text)); }"
    assert scripts.evaluate(code, typed) == shown


def test_every_property_that_the_data_name_is_known_to_the_page(scripts):
    known = set(scripts.evaluate("async () => Object.keys((await import('./judge.mjs')).PROPERTIES)"))
    for path in (ROOT / "book" / "_static" / "practice" / "data").glob("*.json"):
        always = json.loads(path.read_text("utf-8"))["always"]
        assert {name for one in always for name, _ in one} <= known, path.name
