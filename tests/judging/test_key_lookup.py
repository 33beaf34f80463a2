"""`check` finds its key in every place where a notebook may be opened, and says where to get it when it does not."""

import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import tracemalloc
import types
import zlib

import pytest

from autograder.book.notebook_links import notebook_for_hub
from autograder.course.address import Site, key_at, notebook_at, with_key
from autograder.errors import BadKeyError, UnreadableError
from autograder.judging import key_lookup
from autograder.judging.key_lookup import find_key, key_of_notebook
from autograder.judging.notebook_identity import named_topic
from tests.conftest import ROOT

TOPIC = "geometry"
FOLDER = ROOT / "exercises" / TOPIC


@pytest.fixture
def key():
    return key_at((FOLDER / f"{TOPIC}.key.json").read_text("utf-8"), "https://example.org/x")


@pytest.fixture
def notebook():
    return notebook_at(
        json.loads((FOLDER / f"{TOPIC}.ipynb").read_text("utf-8")), Site("https://example.org/x")
    )


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder as the working directory, and nothing said by the environment."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("JPY_SESSION_NAME", "COURSE_BOOK_URL", *key_lookup.KEY_FOLDERS):
        monkeypatch.delenv(name, raising=False)
    key_lookup._fetch.cache_clear()
    return folder


@pytest.fixture
def served(tmp_path):
    """A folder and the address at which it is served."""
    folder = tmp_path / "site"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def write(path, notebook):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), "utf-8")


def test_a_file_beside_comes_first(here, key, notebook):
    (here / f"{TOPIC}.key.json").write_text(key, "utf-8")
    write(here / f"{TOPIC}.ipynb", with_key(notebook, "damaged"))
    assert find_key(TOPIC).topic == TOPIC


def test_a_notebook_in_the_working_directory_carries_it(here, key, notebook):
    write(here / "renamed by me.ipynb", with_key(notebook, key))
    assert find_key(TOPIC).seed == notebook["metadata"]["dimred"]["seed"]


def test_of_two_variants_nobody_knows_which_is_open(here, key, notebook):
    write(here / "mine.ipynb", with_key(notebook, key))
    other = json.loads(json.dumps(with_key(notebook, key)))
    other["metadata"]["dimred"]["seed"] = "another"
    write(here / "yours.ipynb", other)
    with pytest.raises(BadKeyError, match="is missing"):
        find_key(TOPIC)


def test_jupyter_says_where_the_notebook_lies(here, tmp_path, key, notebook, monkeypatch):
    write(tmp_path / "elsewhere" / "mine.ipynb", with_key(notebook, key))
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "elsewhere" / "mine.ipynb"))
    assert find_key(TOPIC).topic == TOPIC


def test_vs_code_says_where_the_notebook_lies(here, tmp_path, key, notebook, monkeypatch):
    write(tmp_path / "elsewhere" / "mine.ipynb", notebook)
    (tmp_path / "elsewhere" / f"{TOPIC}.key.json").write_text(key, "utf-8")
    shell = types.SimpleNamespace(user_ns={"__vsc_ipynb_file__": str(tmp_path / "elsewhere" / "mine.ipynb")})
    monkeypatch.setattr(key_lookup, "_shell", lambda: shell)
    assert find_key(TOPIC).topic == TOPIC


def test_colab_hands_over_the_notebook(here, key, notebook, monkeypatch):
    message = types.ModuleType("google.colab._message")
    message.blocking_request = lambda name, request, timeout_sec: {"ipynb": with_key(notebook, key)}
    for name in ("google", "google.colab"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "google.colab._message", message)
    assert find_key(TOPIC).topic == TOPIC


def test_the_variable_says_where_keys_are_published(here, key, served, monkeypatch):
    folder, address = served
    (folder / f"{TOPIC}.key.json").write_text(key, "utf-8")
    monkeypatch.setenv(key_lookup.KEY_FOLDERS[0], f"{address}/")
    assert find_key(TOPIC).topic == TOPIC


def test_the_book_of_the_notebook_has_the_key_of_its_variant(here, key, served, notebook):
    folder, address = served
    seed = notebook["metadata"]["dimred"]["seed"]
    (folder / "keys" / seed).mkdir(parents=True)
    (folder / "keys" / seed / f"{TOPIC}.key.json").write_text(key, "utf-8")
    write(here / f"{TOPIC}.ipynb", notebook_at(notebook, Site(address)))
    assert find_key(TOPIC).topic == TOPIC


def test_metadata_that_an_editor_moved_are_read(here, key, notebook):
    moved = with_key(notebook, key)
    moved["metadata"] = {"kernelspec": {}, "custom": {"metadata": moved["metadata"]}}
    write(here / "mine.ipynb", moved)
    assert find_key(TOPIC).seed == "2027"


def test_cells_say_where_the_key_is_when_metadata_are_dropped(here, key, served, notebook):
    folder, address = served
    write(folder / "keys" / "2027" / f"{TOPIC}.key.json", json.loads(key))
    elsewhere = notebook_for_hub(notebook, key, Site(address), "coursewright[check]")
    elsewhere["metadata"] = {"colab": {"provenance": []}}
    write(here / "mine.ipynb", elsewhere)
    assert find_key(TOPIC).seed == "2027"
    assert key_of_notebook(here / "mine.ipynb", elsewhere, named_topic(elsewhere, "mine")).seed == "2027"


def test_without_metadata_links_say_where_to_get_the_key(here, notebook):
    notebook["metadata"] = {}
    write(here / "mine.ipynb", notebook)
    with pytest.raises(
        BadKeyError, match=f"take it from https://example.org/x/book/assignments/{TOPIC}.html"
    ):
        find_key(TOPIC)


@pytest.mark.parametrize(
    "notebook",
    [
        None,
        [],
        {},
        {"metadata": {"dimred": {"topic": "not a name"}}, "cells": {}},
        {"metadata": [], "cells": [None, {"source": 3}, {"source": [3]}, {"source": "check('pca')"}]},
        {"cells": [{"source": "check('pca.a', 1)"}, {"source": "check('svd.a', 1)"}]},
    ],
)
def test_what_is_no_assignment_names_no_topic(notebook):
    with pytest.raises(UnreadableError, match=r"mine\.ipynb is not an assignment"):
        named_topic(notebook, "mine.ipynb")


def test_numbers_of_another_variant_are_never_fetched(here, key, served, notebook):
    folder, address = served
    (folder / "keys" / "2027").mkdir(parents=True)
    (folder / "keys" / "2027" / f"{TOPIC}.key.json").write_text(key, "utf-8")
    notebook["metadata"]["dimred"]["seed"] = "of-my-class"
    write(here / f"{TOPIC}.ipynb", notebook_at(notebook, Site(address)))
    told = rf"{TOPIC}.key.json is missing.*; take it from {address}/book/assignments/{TOPIC}.html"
    with pytest.raises(BadKeyError, match=told):
        find_key(TOPIC)


@pytest.mark.parametrize("text", ["not base64 !", "AAAA"])
def test_a_damaged_key_inside_is_told(here, notebook, text):
    notebook["metadata"]["dimred"]["key"] = text
    write(here / f"{TOPIC}.ipynb", notebook)
    with pytest.raises(BadKeyError, match="inside the notebook"):
        find_key(TOPIC)


def test_a_key_that_unpacks_to_gigabytes_is_refused_unread(tmp_path, notebook):
    """An instructor runs `dimred check` on a student's notebook, outside any sandbox."""
    pack = zlib.compressobj(9)
    packed = b"".join(pack.compress(b" " * 2**20) for _ in range(300)) + pack.flush()
    notebook["metadata"]["dimred"]["key"] = base64.b64encode(packed).decode()
    tracemalloc.start()
    try:
        with pytest.raises(BadKeyError, match="more than 8000000 bytes"):
            key_of_notebook(tmp_path / "geometry.ipynb", notebook, TOPIC)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


def test_a_script_finds_the_key_beside_itself(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "work")
    task = next(iter(json.loads((FOLDER / f"{TOPIC}.key.json").read_text("utf-8"))["tasks"]))
    (tmp_path / "work" / "mine.py").write_text(
        f"from autograder import check\ncheck('{TOPIC}.{task}', None)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(tmp_path / "work" / "mine.py")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "TRY AGAIN" in done.stdout, done.stderr


def test_jupyter_shows_one_line_for_a_missing_key(here):
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell()
    with capture_output() as shown:
        shell.run_cell(f"from autograder import check\ncheck('{TOPIC}.anything', 1)")
    InteractiveShell.clear_instance()
    lines = [line for line in (shown.stdout + shown.stderr).splitlines() if line.strip()]
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"BadKeyError: {TOPIC}.key.json is missing")


def installed(monkeypatch, direct_url=None):
    """Pretend that the package was installed with this note of pip."""
    distribution = types.SimpleNamespace(
        read_text=lambda name: direct_url if name == "direct_url.json" else None
    )
    monkeypatch.setattr(key_lookup.metadata, "distribution", lambda name: distribution)


def test_an_empty_folder_names_the_book_from_which_the_package_came(here, monkeypatch):
    wheel = "https://example.org/x/install/coursewright-1-py3-none-any.whl"
    installed(monkeypatch, json.dumps({"url": wheel}))
    with pytest.raises(
        BadKeyError, match=f"; take it from https://example.org/x/book/assignments/{TOPIC}.html$"
    ):
        find_key(TOPIC)


def test_an_unknown_book_names_the_archive(here, monkeypatch):
    installed(monkeypatch, json.dumps({"url": "file:///courses/mine"}))
    with pytest.raises(BadKeyError, match=r"; take it from the archive in which you got the notebook$"):
        find_key(TOPIC)


def test_the_environment_names_the_book(here, monkeypatch):
    installed(monkeypatch)
    monkeypatch.setenv("COURSE_BOOK_URL", "https://example.org/mine")
    with pytest.raises(BadKeyError, match=r"https://example.org/mine/book/assignments"):
        find_key(TOPIC)
