"""The files of live pages: verified, made once, complete or not at all; and pages that do without them."""

import hashlib
import json
import re
import shutil
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from bs4 import BeautifulSoup

from autograder.book.assignments import AssignmentPage
from autograder.book.build import build_book
from autograder.book.live import chapters, engine, packages
from autograder.book.live.assets import Assets, page_folder_name
from autograder.book.live.cache import build_once, digest_of
from autograder.course.course import Course
from autograder.errors import BookError, LiveError
from tests.book.test_assignments import CELLS, KEY, cell, write_topic
from tests.conftest import ROOT


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DIMRED_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_file_that_is_not_the_locked_one_is_refused():
    good = hashlib.sha256(b"good").hexdigest()
    assert packages.verified(b"good", good, "numpy.whl") == b"good"
    with pytest.raises(LiveError, match=r"numpy\.whl is not the file that the lock names"):
        packages.verified(b"bad", good, "numpy.whl")


def test_packages_come_with_all_that_they_depend_on():
    entries = {"a": {"depends": ["B_c"]}, "b-c": {"depends": ["a"]}, "d": {"depends": []}}
    assert list(packages.locked(["a"], {"packages": entries})) == ["a", "b-c"]


@pytest.mark.parametrize(
    ("folder", "package"), [(packages.NPM, "pyodide"), (ROOT / "hub", "configurable-http-proxy")]
)
def test_the_npm_lock_pins_every_package_and_names_no_host(folder, package):
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    entries = {name: entry for name, entry in lock["packages"].items() if name}
    assert f"node_modules/{package}" in entries
    assert all(entry["integrity"].startswith("sha512-") for entry in entries.values())
    assert not re.search(r"https?://", json.dumps([entry.get("resolved", "") for entry in entries.values()]))


def test_a_folder_is_made_once(cache):
    made = []

    def make(folder):
        made.append(folder)
        (folder / "file").write_text("content", "utf-8")

    first, second = build_once("thing-1", make), build_once("thing-1", make)
    assert first == second == cache / "thing-1"
    assert len(made) == 1


def test_of_two_who_want_a_folder_only_one_makes_it(cache):
    made = []

    def make(folder):
        made.append(folder)
        time.sleep(0.5)

    with ThreadPoolExecutor(2) as both:
        folders = list(both.map(lambda _: build_once("thing-3", make), range(2)))
    assert folders == [cache / "thing-3"] * 2
    assert len(made) == 1


def test_a_folder_whose_making_fails_is_not_there(cache):
    def fail(folder):
        (folder / "half").write_text("", "utf-8")
        raise LiveError("no network")

    with pytest.raises(LiveError):
        build_once("thing-2", fail)
    assert list(cache.iterdir()) == []


def test_where_one_piece_ends_matters_to_a_hash():
    assert digest_of([b"ab", b"c"]) != digest_of([b"a", b"bc"])


def test_without_node_the_reason_is_said_in_one_line(cache, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LiveError, match="which was not found: apt-get install nodejs npm"):
        packages.npm_packages()


def test_a_registry_that_cannot_be_reached_is_said_in_one_line(cache, monkeypatch):
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")  # nobody listens there
    monkeypatch.setenv("npm_config_cache", str(cache / "npm"))
    monkeypatch.setenv("npm_config_fetch_retry_mintimeout", "10")
    with pytest.raises(LiveError, match="npm could not fetch what live pages need: npm error") as raised:
        packages.npm_packages()
    assert "\n" not in str(raised.value)


def test_a_program_that_never_ends_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "MINUTES", 0.001)
    monkeypatch.setattr(packages, "PIP_DOWNLOAD", "-c while(1):pass")
    with pytest.raises(LiveError, match="pip could not fetch what live pages need within"):
        packages.pip_download([], tmp_path)


def test_the_engine_in_the_browser_judges_and_knows_no_secret():
    wheel = engine.engine_wheel()
    names = zipfile.ZipFile(BytesIO(wheel.content())).namelist()
    rooms = {name.split("/")[1] for name in names if name.startswith("autograder/") and name.count("/") > 1}
    assert rooms == {"answers", "judging", "live"}
    assert wheel.content() == engine.engine_wheel().content()
    assert wheel.file_name == engine.ENGINE_WHEEL


TASK = cell("code", "def area(side):\n    ...", solution=True, grade_id="area")


@pytest.fixture
def assets(tmp_path):
    """Stand-ins for what a browser would load: pages must lead to them, whatever they hold."""
    for name in ("python-1", "engine-1", "editor-1"):
        (tmp_path / "made" / name).mkdir(parents=True)
        (tmp_path / "made" / name / "file").write_text(name, "utf-8")
    return Assets(*(tmp_path / "made" / name for name in ("python-1", "engine-1", "editor-1")))


def test_old_folders_leave_the_site_and_the_table_names_the_new(assets, tmp_path, tiny):
    write_topic(tiny, [*CELLS[:3], TASK])
    tiny.write_pages(
        start="# Start\n\n```{code-cell} python\n:tags: [hide-input]\nside = 2\n```\n", plain="# Plain\n"
    )
    one = AssignmentPage("areas", tiny.root / "exercises" / "areas")
    (tmp_path / "site/_static/live/python-0").mkdir(parents=True)
    assets.put_into(tmp_path / "site", Course(tiny.root), [one])
    live = tmp_path / "site/_static/live"
    table = json.loads((live / "live.json").read_text("utf-8"))
    assert not (live / "python-0").exists()
    assert (live / table["python"] / "file").read_text("utf-8") == "python-1"
    assert (live / page_folder_name() / "live.js").is_file()
    topic = json.loads((live / table["topics"]["areas"]).read_text("utf-8"))
    assert [one["name"] for one in topic["cells"]] == ["", "area"]
    assert json.loads(topic["key"]) == {**KEY, "book": "."}
    assert list(table["chapters"]) == ["book/start"]
    assert json.loads((live / table["chapters"]["book/start"]).read_text("utf-8")) == ["side = 2"]


def test_without_the_files_a_task_is_text(tiny):
    write_topic(tiny, [*CELLS[:3], TASK])
    tiny.write_pages(start="# Start\n", areas="# Areas\n\n$$\na = s^2\n$$ (eq-areas-square)\n")
    tiny.build()
    page = BeautifulSoup(tiny.html("assignments/areas"), "html.parser")
    assert "def area(side):" in page.select_one("article").get_text()
    assert page.select(".live") == []
    assert not page.find("script", src=re.compile("live"))


def test_a_task_that_does_not_exist_is_named(tiny):
    write_topic(tiny, [*CELLS[:3], TASK])
    tiny.write_pages(start="# Start\n", areas="# Areas\n\n```{live-task} areas.volume\n```\n")
    with pytest.raises(BookError, match=r"areas\.volume"):
        tiny.build()


def test_the_packages_that_chapters_import_are_shipped_with_their_data_and_what_they_need(tiny):
    tiny.write("shapes/table.csv", "1,2")
    tiny.write("shapes/drawn.py", "import matplotlib\nfrom shapes import power\n")
    tiny.write_pages(
        start="# Start\n\n```{code-cell} python\nfrom shapes import drawn\nimport autograder\n```\n"
    )
    lock = {"packages": {"matplotlib": {"imports": ["matplotlib", "pylab"]}, "scipy": {"imports": ["scipy"]}}}
    (wheel,) = chapters.project_wheels(tiny.root, lock)
    assert {"shapes/drawn.py", "shapes/power.py", "shapes/table.csv"} <= set(wheel.files)
    assert "shapes/circle.py" not in wheel.files
    assert (wheel.imports, wheel.depends) == (("shapes",), ("matplotlib",))
    assert chapters.unavailable(tiny.book / "start.md", tiny.root, {"packages": {}}) == {"matplotlib"}


def test_interrupted_publishing_leaves_pages_text_and_is_finished_later(assets, tmp_path, tiny, monkeypatch):
    tiny.write_pages(start="# Start\n")
    live = tmp_path / "site/_static/live"

    def interrupt(source, target):
        shutil.copy(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.book.live.assets.linked", interrupt)
    with pytest.raises(KeyboardInterrupt):
        assets.put_into(tmp_path / "site", Course(tiny.root), [])
    assert [path.name for path in live.iterdir()] == []

    monkeypatch.undo()
    assets.put_into(tmp_path / "site", Course(tiny.root), [])
    assert (live / "python-1" / "file").is_file()
    assert (live / page_folder_name()).is_dir()


def test_scripts_are_published_after_all_that_they_load(assets, tmp_path, tiny, monkeypatch):
    tiny.write_pages(start="# Start\n")
    live = tmp_path / "site/_static/live"
    monkeypatch.setattr("autograder.book.live.chapters.write_chapters", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        assets.put_into(tmp_path / "site", Course(tiny.root), [])
    assert not (live / page_folder_name()).exists()


def test_missing_node_is_told_before_pages_run(cache, tiny, monkeypatch):
    tiny.write_pages(start="# Start\n\n```{code-cell} python\nopen('ran', 'w')\n```\n")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LiveError, match="which was not found: apt-get install nodejs npm"):
        build_book(tiny.root, live=True)
    assert not (tiny.root / "_build").exists()
    assert not (tiny.book / "ran").exists()


def test_whether_pages_are_live_is_asked_when_their_cells_have_run(tiny):
    tiny.write_pages(start="# Start\n\n```{code-cell} python\nopen('ran', 'w')\n```\n")
    asked = []

    def ask():
        asked.append((tiny.book / "ran").is_file())
        return False

    assert build_book(tiny.root, live=ask).is_file()
    assert asked == [True]
