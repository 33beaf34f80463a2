"""The architecture on one screen: who may import whom, complete slices, labels that lead somewhere."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.book.labels import labels
from tests.conftest import ROOT

MAY_IMPORT = {  # each layer sees only the layers named here
    "dimred_ref": {"dimred_ref"},
    "autograder": {"autograder"},
    "solutions": {"solutions", "autograder", "dimred_ref"},
    "book": {"dimred_ref", "_figures"},
}
ROOMS = {  # of the engine, in the order in which data flow; each may import itself and the rooms named here
    "course": set(),
    "answers": set(),
    "book": {"course"},
    "judging": {"answers"},
    "live": {"judging"},
    "sandbox": {"answers"},
    "authoring": {"course", "answers", "judging", "sandbox"},
    "grading": {"course", "answers", "judging", "authoring", "sandbox"},
    "open_questions": {"course", "answers", "book", "authoring", "grading"},
    "release": {"course", "answers", "book", "judging", "authoring", "sandbox", "grading"},
    "reports": {"course", "judging", "authoring", "grading"},
    "quiz": {"course", "answers", "book", "judging", "authoring", "release", "reports"},
    "bank": {"course", "answers", "book", "judging", "authoring", "grading", "release", "reports"},
    "kit": {"course", "answers", "book", "judging", "authoring", "release", "reports", "quiz"},
    "demo": {"course", "answers", "book", "judging", "authoring", "sandbox", "grading", "release", "reports"},
    "first_run": {"course", "book", "sandbox", "grading", "release", "reports", "demo"},
}
ROOMS["commands"] = {*ROOMS}  # above them all
LEAVES = {"cpu_features", "errors", "formats", "program", "progress", "terminal"}  # anyone's
OURS = set(MAY_IMPORT) | {"exercises", "tests", "benchmarks", "_figures"}
NUMERIC = {"numpy", "scipy"}
ADAPTERS = {
    "dimred_ref/sklearn.py": {"sklearn"},
    "dimred_ref/dask.py": {"dask"},
}  # what is optional, and where
SOURCES = sorted(path for layer in MAY_IMPORT for path in (ROOT / layer).rglob("*.py"))
PAGES = sorted((ROOT / "book").glob("*.md"))
LABELS = labels(ROOT / "book")
LABEL = re.compile(r"\b(?:eq|thm|def|prop|lem|cor|fig|alg|sec)-[a-z0-9_]+(?:-[a-z0-9]+)+\b")
STANDARD_LIBRARY = sys.stdlib_module_names


def imported(text):
    """The top-level packages that Python source imports, wherever in the file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).partition(".")[0]


def code_of(page):
    cells = re.findall(
        r"^```\{code-cell\}[^\n]*\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return "\n".join(
        re.sub(r"^(?::[^\n]*|---\n.*?---)$", "", cell, flags=re.MULTILINE | re.DOTALL) for cell in cells
    )


def topics():
    return sorted(path.parent.name for path in (ROOT / "solutions").glob("*/notebook.md"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path):
    layer = path.relative_to(ROOT).parts[0]
    assert set(imported(path.read_text("utf-8"))) & OURS <= MAY_IMPORT[layer]


def rooms_imported(path):
    """The rooms and leaves of the engine that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("autograder."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.ImportFrom) and node.module == "autograder":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.split(".")[1] for alias in node.names if alias.name.startswith("autograder.")
            )


def test_the_rooms_of_the_engine_are_all_in_the_table():
    folders = {path.parent.name for path in (ROOT / "autograder").glob("*/__init__.py")}
    assert folders == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_before_it(room):
    places = list(ROOMS)
    assert all(places.index(other) < places.index(room) for other in ROOMS[room])
    for path in sorted((ROOT / "autograder" / room).rglob("*.py")):
        leaves = {*LEAVES, "doctor"} if room == "commands" else LEAVES
        assert set(rooms_imported(path)) <= {room, *ROOMS[room], *leaves}, path.name


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_it_is_for_and_whom_it_may_import(room):
    said = ast.get_docstring(ast.parse((ROOT / "autograder" / room / "__init__.py").read_text("utf-8")))
    named = set(re.findall(r"`(\w+)`", said.partition("\n\n")[2]))
    assert named == ROOMS[room] or "all rooms above it" in said


def test_what_runs_students_code_knows_nothing_of_judging():
    """Not even through others: what the student's process imports is answers, sandbox and the package itself."""
    code = "import sys, autograder.sandbox.fork_server, autograder.sandbox.student; print(*sys.modules)"
    names = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    rooms = {name.split(".")[1] for name in names if name.startswith("autograder.")}
    assert rooms <= {"answers", "sandbox", "errors"}


@pytest.mark.parametrize("path", sorted((ROOT / "dimred_ref").rglob("*.py")), ids=lambda path: path.name)
def test_the_reference_needs_numpy_and_scipy_only(path):
    others = set(imported(path.read_text("utf-8"))) - STANDARD_LIBRARY - {"dimred_ref"}
    assert others <= NUMERIC | ADAPTERS.get(str(path.relative_to(ROOT)), set())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_import_the_reference_and_public_libraries(page):
    assert set(imported(code_of(page))) & OURS <= MAY_IMPORT["book"]


def test_exercises_import_only_what_a_student_has():
    for path in (ROOT / "exercises").glob("*/*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        assert set(imported(source)) <= {"numpy", "scipy", "matplotlib", "sympy", "autograder"}, path


# Words that are ours and everyone's: an engine may speak of practice and of the kernels of Jupyter.
FALSE_FRIENDS = {
    *("classical", "kernel", "least", "practice", "squares", "toolkit"),
    *("maps", "metric", "variants"),
    "svd",  # of numpy, too; the letters in capitals are ours
}


def words_of_the_subject():
    """The topics, which are pages of the book and modules of the reference, part by part, and a few more."""
    names = {page.stem for page in PAGES if (ROOT / "dimred_ref" / page.name).with_suffix(".py").is_file()}
    parts = {part for name in names for part in name.split("_") if len(part) > 2} - FALSE_FRIENDS
    assert {"pca", "isomap", "covariance", "geometry", "lle", "mvu"} <= parts
    stems = {
        "eigen",
        "covarian",
        "manifold",
        "princip\\w+ component",
        "dimensionality",
        "dimred_ref",
        "procrustes",
    }
    return sorted(parts | stems)


SUBJECT = re.compile(
    rf"\b(?:(?-i:SVD)|{'|'.join(words_of_the_subject())})|\b(?:five|four|lecture|these|our|the) notes\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "path",
    sorted(
        path
        for path in (ROOT / "autograder").rglob("*")
        if path.suffix in (".py", ".md", ".html", ".css", ".js")
    ),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_engine_knows_no_subject(path):
    """Another course could use autograder unchanged: no word of this one stands in it."""
    assert SUBJECT.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text", ["The five notes behind", "check('pca.scores')", "an eigenvalue", "Laplacian", "SVD"]
)
def test_a_word_of_the_subject_would_be_found(text):
    assert SUBJECT.search(text)


@pytest.mark.parametrize("topic", topics())
def test_a_slice_is_complete(topic):
    for path in (
        f"book/{topic}.md",
        f"dimred_ref/{topic}.py",
        f"solutions/{topic}/notebook.md",
        f"tests/topics/test_{topic}.py",
        f"exercises/{topic}/{topic}.ipynb",
    ):
        assert (ROOT / path).is_file(), path
    assert f"book/{topic}" in (ROOT / "_toc.yml").read_text("utf-8")


def of_written_pages(cited):
    """Labels of topics whose page exists: a page to come may owe its labels."""
    topics = tuple(f"{page.stem.replace('_', '-')}-" for page in PAGES)
    return {label for label in cited if label.partition("-")[2].startswith(topics)}


@pytest.mark.parametrize(
    "path",
    sorted(
        [
            *(ROOT / "dimred_ref").rglob("*.py"),
            *(ROOT / "solutions").rglob("*.*"),
            *(ROOT / "tests" / "topics").glob("*.py"),
        ]
    ),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_cited_labels_exist_in_the_book(path):
    if path.suffix in (".py", ".md"):
        cited = LABEL.findall(path.read_text("utf-8"))
        assert not of_written_pages(cited) - set(LABELS)


def claims():
    """Every label that a test claims, by decorator."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        yield from re.findall(r"""mark\.claim\(\s*["']([^"']+)["']""", path.read_text("utf-8"))


def test_every_theorem_has_a_test_that_tries_to_break_it():
    theorems = {label for label in LABELS if label.startswith(("thm-", "prop-", "lem-", "cor-"))}
    assert theorems, "the book has no theorem"
    assert not theorems - set(claims())


def test_every_claim_is_a_statement_of_the_book():
    assert not of_written_pages(claims()) - set(LABELS)


def test_every_theorem_has_a_cell_that_shows_it():
    for page in PAGES:
        code = code_of(page)
        for label in LABELS:
            if label.startswith("thm-") and f":label: {label}" in page.read_text("utf-8"):
                assert label in code, f"{page.name}: no cell names {label}"


def test_every_figure_has_alternative_text():
    for page in PAGES:
        text = page.read_text("utf-8")
        for figure in re.findall(r"^(?:```|:::)\{figure\}.*?^(?:```|:::)", text, re.DOTALL | re.MULTILINE):
            assert ":alt:" in figure, f"{page.name}: {figure[:60]}"


def test_nothing_names_this_machine():
    tracked = [
        path
        for layer in ("book", "dimred_ref", "autograder", "solutions", "exercises", "tests")
        for path in (ROOT / layer).rglob("*")
    ]
    own = re.compile("|".join(("/" + "root/", "/" + "work/", "/home/\\w+")))
    for path in tracked:
        if path.is_file() and path.suffix in (
            ".py",
            ".md",
            ".ipynb",
            ".json",
            ".yml",
            ".html",
            ".css",
            ".js",
        ):
            assert not own.search(path.read_text("utf-8")), path


def test_the_workflows_use_the_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for path in Path(ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text("utf-8").replace(
            "--file Containerfile", (ROOT / "Containerfile").read_text("utf-8")
        )
        used = set(re.findall(r"^[^#]*\bmake ([a-z]+)", text, re.MULTILINE))
        assert used
        assert used - {"nodejs"} <= targets  # a package that the container installs after make
