"""The reader's path: laws of its scripts under node, the published schedule, prerequisites, table of chapters."""

import json
import math
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np
import pytest

from autograder.book.formulas import node_program
from autograder.book.sphinx.path import PATH_SCRIPTS, path_settings, path_table, practice_tasks
from autograder.book.sphinx.practice import PRACTICE_FOLDER, PRACTICE_SCRIPTS, published
from autograder.course import contents
from autograder.course.course import Course
from autograder.errors import BookError
from tests.conftest import ROOT

HERE = Path(__file__).parent
COURSE = Course(ROOT)
PRACTICE_DATA = COURSE.book / PRACTICE_FOLDER / "data"
CHAPTERS = [entry.name for entry in contents.outline(ROOT) if entry.numbered and entry.depth == 1]
ON_EVERY_PAGE = ("path", "record", "schedule", "store")
MAX_SCRIPT_BYTES_OF_EVERY_PAGE = 10_000  # before compression

needs_node = pytest.mark.skipif(node_program() is None, reason="node is not installed")


def run_laws(folder):
    run = subprocess.run(
        [node_program(), "--test", folder / "tests/reader/laws.test.mjs"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-3000:]


@needs_node
def test_laws_of_the_path_hold_as_readers_fetch_its_scripts(tmp_path):
    """Comments and white space are taken out of published scripts."""
    shutil.copytree(PATH_SCRIPTS, tmp_path / "autograder/book/path")
    shutil.copytree(PRACTICE_SCRIPTS, tmp_path / "autograder/book/practice")
    shutil.copytree(PRACTICE_DATA, tmp_path / "book/_static/practice/data")
    for path in (tmp_path / "autograder").rglob("*.mjs"):
        path.write_text(published(path.read_text("utf-8")), "utf-8")
    for page in (ROOT / "book").glob("*.md"):
        shutil.copy(page, tmp_path / "book")
    for name in ("tests/reader/laws.test.mjs", "benchmarks/separation.mjs"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    run_laws(tmp_path)


@needs_node
def test_answers_go_into_a_notebook_and_back():
    run = subprocess.run([node_program(), "--test", HERE / "take.test.mjs"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:]


W = [0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192]
W += [1.01925, 1.9395, 0.11, 0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621]


def fsrs(stability, difficulty, days, grade):
    """FSRS-5 from its description: stability and difficulty after a review."""
    new_difficulty = difficulty - W[6] * (grade - 3) * (10 - difficulty) / 9
    easy = W[4] - math.exp(3 * W[5]) + 1
    new_difficulty = min(max(W[7] * easy + (1 - W[7]) * new_difficulty, 1), 10)
    if days == 0:
        return stability * math.exp(W[17] * (grade - 3 + W[18])), new_difficulty
    chance = (1 + 19 / 81 * days / stability) ** -0.5
    if grade == 1:
        lost = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * math.exp(W[14] * (1 - chance))
        return min(lost, stability), new_difficulty
    factor = {2: W[15], 3: 1, 4: W[16]}[grade]
    gain = math.exp(W[8]) * (11 - difficulty) * stability ** -W[9] * (math.exp(W[10] * (1 - chance)) - 1)
    return stability * (1 + gain * factor), new_difficulty


@needs_node
def test_the_schedule_is_fsrs_5():
    rng = np.random.default_rng(5)
    histories = [
        [(int(rng.integers(0, 20)) * (i > 0), int(rng.integers(1, 5))) for i in range(8)] for _ in range(30)
    ]
    code = """
      const {reviewed} = await import(process.argv[1]);
      let text = ""; for await (const part of process.stdin) text += part;
      const cards = JSON.parse(text).map(history => {
        let card, day = 0;
        return history.map(([days, grade]) => {
          card = reviewed(card, grade, day += days);
          return [card.stability, card.difficulty];
        });
      });
      console.log(JSON.stringify(cards));"""
    answer = subprocess.run(
        [node_program(), "--input-type=module", "-e", code, PATH_SCRIPTS / "schedule.mjs"],
        input=json.dumps(histories),
        capture_output=True,
        text=True,
        check=True,
    )
    for history, cards in zip(histories, json.loads(answer.stdout), strict=True):
        grade = history[0][1]
        state = W[grade - 1], min(max(W[4] - math.exp(W[5] * (grade - 1)) + 1, 1), 10)
        for (days, grade), card in zip(history[1:], cards[1:], strict=True):
            state = fsrs(*state, days, grade)
            np.testing.assert_allclose(card, (max(state[0], 0.01), state[1]), rtol=1e-9)


def test_every_chapter_has_its_prerequisites_and_none_needs_itself():
    settings = path_settings(COURSE)
    assert {Path(name).name for name in CHAPTERS} == set(settings["needs"])
    order = list(TopologicalSorter(settings["needs"]).static_order())  # raises on a cycle
    assert set(settings["core"]) <= set(order)


def test_the_map_of_the_course_shows_no_arrow_that_the_path_does_not_know(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    from _figures.intro import CHAPTERS as BOXES

    needs = path_settings(COURSE)["needs"]

    def all_needs(page):
        return {need for direct in needs[page] for need in (direct, *all_needs(direct))}

    for page, box in BOXES.items():
        assert set(box.needs) <= all_needs(page), page
    for name in [name for name in sys.modules if name.partition(".")[0] == "_figures"]:
        del sys.modules[name]


def test_a_page_that_does_not_exist_is_named(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book/path.json").write_text('{"needs": {"areas": ["nowhere"]}, "core": []}')
    (tmp_path / "book/areas.md").touch()
    with pytest.raises(BookError, match="nowhere"):
        path_settings(Course(tmp_path))
    (tmp_path / "book/path.json").unlink()
    assert path_settings(Course(tmp_path)) == {"needs": {}, "core": []}


def test_the_table_lists_every_problem_once_and_every_checked_task():
    table = path_table(COURSE, {name: ("1", "Title") for name in (*CHAPTERS, "book/katas")})
    listed = [task for chapter in table["chapters"] for task in chapter["practice"]]
    data = {path.stem for path in PRACTICE_DATA.glob("*.json")}
    katas = {name for name, task in table["tasks"].items() if task.get("isKata")}
    assert set(listed) == set(table["tasks"]) - katas <= data
    assert table["tasks"]["pca.scores"] == {
        "title": "Scores",
        "page": "book/katas",
        "version": "",
        "isKata": True,
    }
    pca = next(chapter for chapter in table["chapters"] if chapter["page"] == "book/pca")
    assert pca["needs"] == ["book/covariance"]
    assert "pca.scores" in pca["solve"]
    assert pca["assignment"] == "book/assignments/pca"
    assert practice_tasks(ROOT / "book/pca.md") == pca["practice"]


def test_what_every_page_loads_is_small_and_asks_no_other_host():
    texts = {path.stem: path.read_text("utf-8") for path in PATH_SCRIPTS.glob("*.mjs")}
    assert (
        sum(len(published(texts[name]).encode()) for name in ON_EVERY_PAGE) < MAX_SCRIPT_BYTES_OF_EVERY_PAGE
    )
    assert not any("http:" in text or "https:" in text for text in texts.values())
