"""Runs inside the browser's Python, under node: archives of sources in /in become archives of bytecode in /out.

Only the interpreter that will run it can make it. Names in the archives are the places of modules in the browser. In
`job`: "imports", modules to import first; of the archives in "imported_only", only what is imported by then is compiled
(the rest stays source, which is smaller). Archives are not compressed here: other programs do that faster.
"""

import contextlib
import importlib
import importlib._bootstrap_external
import importlib.util
import json
import sys
import zipfile
from pathlib import Path

job: str  # set by run.mjs


def compile_source(source: bytes, place: str) -> bytes | None:
    """Return bytecode that is valid whenever its file was written, the same bytes each time; None if it cannot be."""
    with contextlib.suppress(SyntaxError):
        code = compile(source, place, "exec", dont_inherit=True)
        stamp = importlib.util.source_hash(source)
        return bytes(importlib._bootstrap_external._code_to_hash_pyc(code, stamp, False))  # type: ignore[attr-defined]
    return None


def is_imported(place: str) -> bool:
    """Return whether a module of a zipped library is imported by now."""
    module = place.partition(".zip/")[2].removesuffix(".py").removesuffix("/__init__")
    return module.replace("/", ".") in imported


request = json.loads(job)  # noqa: F821
for module in request.get("imports", ()):
    importlib.import_module(module)
imported = set(sys.modules)

for path in sorted(Path("/in").iterdir()):
    is_partial = path.name in request.get("imported_only", ())
    with zipfile.ZipFile(path) as sources, zipfile.ZipFile(f"/out/{path.name}", "w") as made:
        for place in sources.namelist():
            wanted = not is_partial or is_imported(place)
            if wanted and (code := compile_source(sources.read(place), place)):
                made.writestr(place, code)
