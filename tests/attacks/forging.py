"""Attacks by the files handed in: rebuilt notebooks, broken files, links, names, markup for the pages."""

import copy
import json
from collections.abc import Callable
from typing import Any

import nbformat

from tests.attacks.attack import (
    FULL,
    Attack,
    Build,
    Files,
    Link,
    Setting,
    answered,
    cell,
    notebook,
    wants_harm,
    wants_points,
    worthless,
)

Change = Callable[[Any], None]


def changed(change: Change, *, honest: bool) -> Build:
    """A notebook with everything or nothing right, as plain data, after a change."""

    def build(setting: Setting) -> Files:
        made = answered(setting) if honest else worthless(setting, "")
        tree = json.loads(json.dumps(made))
        change(tree)
        return notebook(tree)

    return build


def roles(tree: Any) -> list[Any]:
    return [one["metadata"]["nbgrader"] for one in tree["cells"] if "nbgrader" in one["metadata"]]


def tests_of(tree: Any) -> list[Any]:
    return [one for one in tree["cells"] if one["metadata"].get("nbgrader", {}).get("points")]


def edit_tests(tree: Any) -> None:
    for one in tests_of(tree):
        one["source"] = "100.0"


def delete_locked(tree: Any) -> None:
    tree["cells"] = [one for one in tree["cells"] if not one["metadata"].get("nbgrader", {}).get("locked")]


def copy_everything(tree: Any) -> None:
    tree["cells"] += copy.deepcopy(tree["cells"])


def reverse(tree: Any) -> None:
    tree["cells"].reverse()


def retag(tree: Any) -> None:
    for one in tests_of(tree):
        one["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove-cell"]
        one["metadata"]["deletable"] = one["metadata"]["editable"] = True


def raise_points(tree: Any) -> None:
    for role in roles(tree):
        role.update(points=100, grade=True, solution=True, locked=False)


def rename(tree: Any) -> None:
    """Each test takes the id of an answer, and each answer that of a test."""
    for role in roles(tree):
        name = role["grade_id"]
        role["grade_id"] = name.removeprefix("check-") if name.startswith("check-") else f"check-{name}"


def change_types(tree: Any) -> None:
    for one in tests_of(tree):
        one["cell_type"] = "markdown"


def change_kernel(tree: Any) -> None:
    tree["metadata"] = {
        "kernelspec": {"name": "bash", "display_name": "Bash", "language": "bash"},
        "language_info": {"name": "bash"},
        "nbgrader": {"score": 100},
        "widgets": {"x": "y"},
    }
    tree["nbformat"], tree["nbformat_minor"] = 99, -1


def add_bonus(tree: Any) -> None:
    role = dict(
        grade_id="bonus", grade=True, solution=False, locked=True, points=50, schema_version=3, task=False
    )
    tree["cells"].append(
        {
            "cell_type": "code",
            "source": "50.0",
            "metadata": {"nbgrader": role},
            "outputs": [],
            "execution_count": 1,
        }
    )


def forge_outputs(tree: Any) -> None:
    result = {
        "output_type": "execute_result",
        "data": {"text/plain": "2.0", "text/html": "<script>alert(1)</script>"},
        "metadata": {},
        "execution_count": 1,
    }
    for one in tree["cells"]:
        one["outputs"] = [result]


def swell(tree: Any) -> None:
    tree["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 25_000_000}]


def swell_too_much(tree: Any) -> None:
    tree["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 40_000_000}]


def add_many_cells(tree: Any) -> None:
    tree["cells"] += [{"cell_type": "markdown", "metadata": {}, "source": "a"}] * 100_000


def add_many_code_cells(tree: Any) -> None:
    one = {"cell_type": "code", "metadata": {}, "source": "1", "outputs": [], "execution_count": None}
    tree["cells"] += [one] * 20_000


def nest_metadata(tree: Any) -> None:
    deep: Any = 1
    for _ in range(400):
        deep = {"nbgrader": deep}
    for one in tree["cells"]:
        one["metadata"]["deep"] = deep
        one["attachments"] = {"a.html": {"text/html": "<script>alert(1)</script>"}}


def mangle_sources(tree: Any) -> None:
    """Sources as lists of lines, with noise that Python ignores."""
    for one in tree["cells"]:
        one["source"] = one["source"].splitlines(keepends=True)
        one["id"] = "same for all"


def lone_surrogates(tree: Any) -> None:
    tree["cells"][-1]["source"] = "half a character: \ud83d, and nothing: \x00"
    tree["cells"].append({"cell_type": "code", "metadata": {}, "source": "s = '\udc80 and \x00'"})


def text_file(content: str | bytes) -> Build:
    return lambda setting: {"squares.ipynb": content}


def beside(**extra: Any) -> Build:
    """Honest work and some files beside it."""

    def build(setting: Setting) -> Files:
        files = {
            name.replace("__", "."): content(setting) if callable(content) else content
            for name, content in extra.items()
        }
        return {**notebook(answered(setting)), **files}

    return build


FAKE = "import os\nFAKE = True\n"
SHADOWS = (
    *(
        "numpy.py",
        "autograder.py",
        "autograder/__init__.py",
        "sitecustomize.py",
        "usercustomize.py",
        "conftest.py",
    ),
    *("IPython.py", "json.py", "evil.pth", ".ipython/profile_default/startup/00-evil.py"),
)


def shadow_modules(setting: Setting) -> Files:
    """Worthless work with files that replace what a checker imports."""
    attack = """
import sys
worked = any(getattr(module, "FAKE", False) for module in list(sys.modules.values()))
import importlib
for name in ("sitecustomize", "usercustomize", "conftest"):
    try:
        worked |= getattr(importlib.import_module(name), "FAKE", False)
    except ImportError as error:
        print(error)
"""
    fakes = {name: FAKE for name in SHADOWS if name != "autograder/__init__.py"}
    return {**notebook(worthless(setting, attack)), **fakes}


def link_to_key(setting: Setting) -> Link:
    return Link(str(setting.root / "classroom/keys/squares.secret.json"))


MARKUP = "<script>pwned(1)</script><img src=x onerror=pwned(2)><pwned>"
MARKUP_EVERYWHERE = f"""
from IPython.display import HTML, Javascript, Markdown, display
display(HTML("{MARKUP}"), Javascript("pwned(3)"), Markdown("{MARKUP} [x](javascript:pwned(4))"))
display({{"image/svg+xml": "<svg onload=pwned(5)>", "text/latex": "{MARKUP}"}}, raw=True)
display({{"image/png": 'x" onerror="pwned(6)', "text/plain": "{MARKUP}"}}, raw=True)
print("</pre>{MARKUP}\\x1b[31m\\x1b]0;title\\x07\\x1b]8;;javascript:pwned(7)\\x07link\\x1b]8;;\\x07")
raise type("{MARKUP}", (Exception,), {{}})("</pre>{MARKUP}")
"""


def markup(setting: Setting) -> Files:
    """Markup in every place that could reach a page: code, outputs, errors, answers, text."""
    wrong = (
        f'def NAME(x):\n    """</pre>{MARKUP}"""\n    raise type("{MARKUP}", (Exception,), {{}})("{MARKUP}")'
    )
    named = f'def NAME(X):\n    return type("{MARKUP}", (), {{}})()'
    made = answered(
        setting, total=wrong, cubes=named, by_hand=f'NAME = "{MARKUP}"', binomial=f"NAME = ['{MARKUP}']"
    )
    cell(made, "why").source = MARKUP + "\n\n[x](javascript:pwned(8))"
    made.cells.append(nbformat.v4.new_code_cell(MARKUP_EVERYWHERE, id="own"))
    made.cells.append(nbformat.v4.new_markdown_cell(MARKUP, id="own-text"))
    return notebook(made)


def linked_folder(setting: Setting) -> Link:
    """No folder at all, but a link to a classmate's."""
    return Link(str(setting.root / "classroom/submitted/honest-full/squares"))


def linked_student(setting: Setting) -> Link:
    return Link(str(setting.root / "classroom/submitted/honest-full"), whole=True)


NOTEBOOKS = (
    Attack(
        "edited-tests", "Replaces the tests by full marks.", changed(edit_tests, honest=False), told="edited"
    ),
    Attack(
        "deleted-tests",
        "Deletes every locked cell, tests too.",
        changed(delete_locked, honest=False),
        told="missing",
    ),
    Attack(
        "deleted-tests-honest",
        "Has lost every locked cell by accident.",
        changed(delete_locked, honest=True),
        FULL,
        told="missing",
    ),
    Attack(
        "copied-cells",
        "Holds every cell twice.",
        changed(copy_everything, honest=True),
        FULL,
        told="copied",
    ),
    Attack("reversed-cells", "Tests before it answers.", changed(reverse, honest=True), (0.0, FULL)),
    Attack(
        "tagged-cells",
        "Tags the tests to be skipped and to be allowed to fail.",
        changed(retag, honest=False),
    ),
    Attack("raised-points", "Makes every cell worth a hundred points.", changed(raise_points, honest=False)),
    Attack(
        "renamed-cells",
        "Gives the answers the names of the tests, and the tests those of the answers.",
        changed(rename, honest=False),
        told="edited|missing|type",
    ),
    Attack("changed-types", "Turns the tests into text.", changed(change_types, honest=False), told="type"),
    Attack(
        "changed-kernel",
        "Names another kernel, another format and a score in the notebook's metadata.",
        changed(change_kernel, honest=True),
        FULL,
    ),
    Attack("bonus-cell", "Adds a test of its own, worth fifty points.", changed(add_bonus, honest=False)),
    Attack(
        "forged-outputs", "Comes with outputs that hold full marks.", changed(forge_outputs, honest=False)
    ),
    Attack("swollen-outputs", "Comes with 25 MB of outputs.", changed(swell, honest=True), FULL),
    Attack(
        "swollen-too-much",
        "Comes with 40 MB of outputs, more than is read.",
        changed(swell_too_much, honest=True),
        0.0,
        told="larger than",
    ),
    Attack(
        "many-text-cells",
        "Adds a hundred thousand cells of text.",
        changed(add_many_cells, honest=True),
        (0.0, FULL),
    ),
    Attack(
        "many-code-cells",
        "Adds twenty thousand cells of code.",
        changed(add_many_code_cells, honest=True),
        (0.0, FULL),
    ),
    Attack(
        "nested-metadata",
        "Nests metadata 400 deep.",
        changed(nest_metadata, honest=True),
        FULL,
    ),
    Attack(
        "odd-but-valid",
        "Writes sources as lists, one id for all.",
        changed(mangle_sources, honest=True),
        FULL,
    ),
    Attack(
        "half-characters",
        "Holds halves of characters that no file can hold, in an answer.",
        changed(lone_surrogates, honest=True),
        FULL,
    ),
    Attack(
        "half-characters-printed",
        "Prints, displays and raises halves of characters.",
        wants_harm(
            "print('\\ud83d')\nfrom IPython.display import display\n"
            "display({'text/plain': '\\udc80'}, raw=True)\nraise ValueError('\\ud83d\\x00')"
        ),
        FULL,
    ),
    Attack(
        "not-json",
        "Is half a file.",
        text_file('{"cells": [{"cell_type": "code", "sou'),
        told="not a notebook",
    ),
    Attack("nested-json", "Is a hundred thousand brackets.", text_file("[" * 100_000), told="not a notebook"),
    Attack(
        "not-text", "Is a program.", text_file(b"\x7fELF" + bytes(range(256)) * 20), told="not a notebook"
    ),
    Attack("empty-file", "Is empty.", text_file(""), told="not a notebook"),
    Attack(
        "old-format", "Has worksheets instead of cells.", text_file('{"worksheets": []}'), told="no cells"
    ),
    Attack(
        "giant-numbers",
        "Holds numbers of a million digits.",
        text_file('{"cells": [], "n": ' + "9" * 1_000_000 + "}"),
        told="not a notebook",
    ),
)

FILES = (
    Attack("shadow-modules", "Brings its own numpy, json, engine and start-up files.", shadow_modules),
    Attack(
        "linked-notebook",
        "Hands in a link to a classmate's notebook.",
        lambda setting: {
            "squares.ipynb": Link(str(setting.root / "classroom/submitted/honest-full/squares/squares.ipynb"))
        },
        told="is not a file",
    ),
    Attack("linked-folder", "Hands in a link to a classmate's folder.", linked_folder, told="link|not a f"),
    Attack("linked-student", "Is a link to a classmate.", linked_student, told="link|not a f"),
    Attack(
        "folder-as-notebook",
        "Hands in a folder named like the notebook.",
        text_file(None),
        told="is not a file",
    ),
    Attack(
        "linked-timestamp",
        "Brings a timestamp that is a link to the secret key.",
        beside(timestamp__txt=link_to_key),
        FULL,
    ),
    Attack(
        "odd-timestamp",
        "Brings a timestamp that is no time.",
        beside(timestamp__txt="the day before yesterday <b>"),
        FULL,
    ),
    Attack(
        "linked-extra",
        "Brings a link to the secret key as an extra file.",
        beside(notes__json=link_to_key),
        FULL,
    ),
    Attack(
        "no-notebook",
        "Hands in everything but the notebook.",
        lambda setting: {"readme.txt": "see mail"},
        told="is not a file",
    ),
)

PAGES = (
    Attack(
        "markup",
        "Puts scripts, handlers and escapes into code, outputs, errors, answers and text.",
        markup,
    ),
    Attack(
        "class-report-numbers",
        "Prints what looks like another student's row of the report.",
        wants_points(f"print('''</table>{MARKUP}<tr><td>honest-full</td><td>0</td></tr>''')"),
    ),
)

IDS = {
    "dash": "-rf",
    "dots": "...",
    "spaces": " a  b ",
    "unicode": "Ünï-名前-\u202egnp",
    "quotes": "o'neil\"`$(touch pwned)`",
    "markup": "<img src=x onerror=pwned(9)>",
    "database": "'; DROP TABLE grade; --",
    "percent": "%2e%2e%2f{student_id}%s",
    "long": "x" * 255,
    "control": "\x1b[31mred\nline\x07",
    "lines": "a\u2028b\u2029c\x85d",
    "not-text": "\udcff\udcfe",
}
ODD_IDS = tuple(
    Attack(
        f"id-{name}",
        "Honest work under the id " + ascii(student if len(student) < 60 else student[:20] + "…")[1:-1] + ".",
        lambda setting: notebook(answered(setting)),
        FULL if name not in ("long", "not-text") else (0.0, FULL),  # no file or database can hold these names
        student=student,
    )
    for name, student in IDS.items()
)

ATTACKS = NOTEBOOKS + FILES + PAGES + ODD_IDS
