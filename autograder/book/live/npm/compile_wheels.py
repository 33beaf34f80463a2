"""Runs inside the browser's Python, under node: /in → /out, with bytecode that this Python made.

Only the interpreter that will run it can make it. In `job`: "imports", modules whose standard library is compiled (the
rest stays source, which is smaller), and "keep_sources", for tracebacks that quote lines.
"""

import contextlib
import importlib
import importlib._bootstrap_external
import importlib.util
import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

WHEN = (2020, 1, 1, 0, 0, 0)
# numpy's f2py stays: scipy imports every name of numpy
UNUSED_FOLDERS = ("/tests/", "/test/", "/sphinxext/", "/mpl-data/sample_data/", "/_pyinstaller/")
UNUSED_ENDINGS = (".pyi", ".c", ".h", ".pxd", ".pyx", ".hpp", ".a", ".afm")
SITE = "/lib/python3.14/site-packages/"
STANDARD_LIBRARY = "python_stdlib.zip"

Entry = tuple[str, bytes]
job: str  # set by run.mjs


def packed(content: bytes, bytecode: Callable[[str, bytes], list[Entry]]) -> bytes:
    """The same archive without what is unused, its modules as `bytecode` gives them."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            if name.endswith(UNUSED_ENDINGS) or any(folder in f"/{name}" for folder in UNUSED_FOLDERS):
                continue
            is_module = name.endswith(".py") and ".dist-info/" not in name and ".data/" not in name
            body = old.read(name)
            for one, content in bytecode(name, body) if is_module else [(name, body)]:
                new.writestr(zipfile.ZipInfo(one, WHEN), content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def compiled(source: bytes, name: str) -> bytes | None:
    """Bytecode that is valid whenever its file was written, with the same bytes each time; None if it cannot be."""
    with contextlib.suppress(SyntaxError):
        code = compile(source, name, "exec", dont_inherit=True)
        stamp = importlib.util.source_hash(source)
        return bytes(importlib._bootstrap_external._code_to_hash_pyc(code, stamp, False))  # type: ignore[attr-defined]
    return None


def instead(name: str, body: bytes) -> list[Entry]:
    """Bytecode in the place of a source."""
    code = compiled(body, SITE + name)
    return [(f"{name}c", code)] if code else [(name, body)]


def beside(name: str, body: bytes) -> list[Entry]:
    """Bytecode and source."""
    folder, _, file = name.rpartition("/")
    code = compiled(body, SITE + name)
    cached = f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"
    return [(name, body), *([(cached, code)] if code else [])]


def where_imported(name: str, body: bytes) -> list[Entry]:
    """Bytecode of those modules of the standard library that are imported by now."""
    is_wanted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") in imported
    code = compiled(body, f"/lib/python314.zip/{name}") if is_wanted else None
    return [(f"{name}c", code)] if code else [(name, body)]


request = json.loads(job)  # noqa: F821
for module in request.get("imports", ()):
    importlib.import_module(module)
imported = set(sys.modules)

for path in sorted(Path("/in").iterdir()):
    body = path.read_bytes()
    if path.name == STANDARD_LIBRARY:
        body = packed(body, where_imported)
    elif path.suffix == ".whl":
        body = packed(body, beside if request.get("keep_sources") else instead)
    Path("/out", path.name).write_bytes(body)
