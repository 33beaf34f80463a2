"""Archives for the browser's Python: what pages import is bytecode, the rest stays source and can be imported."""

import ast
import json
import zipfile

import pytest

from autograder.book import myst
from autograder.book.imports import imported_files
from autograder.book.live import bytecode, chapters
from autograder.book.live.node_python import run_in_python
from autograder.book.live.packages import require_node
from autograder.book.live.runtime import RUNTIME_LIBRARIES, lock_of, python_folder
from autograder.errors import LiveError
from tests.conftest import ROOT

DRAW = "import io, matplotlib.pyplot as p; p.figure().add_subplot(projection='3d').set_title('$x^2$')"
SAVE = "[p.savefig(io.BytesIO(), format=f) for f in ('svg', 'png')]"
SCRIPT = f"""
import json, sys
for name in json.loads(job):
    exec(f"import {{name}}")
{DRAW}
{SAVE}
files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
print(json.dumps([file for file in files if "/site-packages/" in file and file.endswith(".py")]))
"""


@pytest.fixture(scope="module")
def python():
    try:
        require_node()
        return python_folder()
    except LiveError as error:
        pytest.skip(f"the files of live pages cannot be had: {error}")


def imported_modules(source):
    """Return the modules of libraries that some source imports by name."""
    for statement in ast.walk(ast.parse(source)):
        names = [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            names = [statement.module]
        yield from (name for name in names if name.partition(".")[0] in RUNTIME_LIBRARIES)


def test_everything_that_chapters_import_was_compiled(python, tmp_path):
    pages = chapters.chapters(ROOT)
    sources = [myst.cell_code(page.read_text("utf-8")) for page in pages]
    sources += [
        path.read_text("utf-8") for path in {path for page in pages for path in imported_files(page, ROOT)}
    ]
    names = sorted({name for source in sources for name in imported_modules(source)})
    assert {"numpy", "scipy.stats", "sympy", "matplotlib.pyplot"} <= set(names)
    script = tmp_path / "imports.py"
    script.write_text(SCRIPT, "utf-8")
    printed = run_in_python(python, script, {}, names, RUNTIME_LIBRARIES)
    assert json.loads(printed.splitlines()[-1]) == []


def test_what_nothing_imports_stays_source_and_can_be_imported(python, tmp_path):
    wheel = python / lock_of(python)["packages"]["sympy"]["file_name"]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "sympy/core/add.pyc" in names
    assert "sympy/physics/units/systems/si.py" in names
    assert not any(name.startswith("sympy/physics/") and name.endswith(".pyc") for name in names)
    script = tmp_path / "seldom.py"
    script.write_text("import sympy.vector; print(sympy.vector.__file__)", "utf-8")
    assert run_in_python(python, script, {}, None, ["sympy"]).strip().endswith("sympy/vector/__init__.py")


def test_archives_are_the_same_bytes_each_time(python, tmp_path):
    wheel = tmp_path / "areas-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("areas/__init__.py", "def area(side):\n    return side**2\n")
        archive.writestr("areas/broken.py", "def area(:\n")
        archive.writestr("areas/tests/test_area.py", "")
        archive.writestr("areas/data.csv", "1,2")
    contents = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        bytecode.compile_archives(python, [wheel], tmp_path / name, keep_sources=True)
        contents.append((tmp_path / name / wheel.name).read_bytes())
    assert contents[0] == contents[1]
    with zipfile.ZipFile(tmp_path / "first" / wheel.name) as archive:
        assert archive.namelist() == [
            "areas/__init__.py",
            "areas/__pycache__/__init__.cpython-314.pyc",
            "areas/broken.py",
            "areas/data.csv",
        ]
