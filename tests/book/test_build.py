"""The book is built by the real build function, on a course of two pages in a temporary folder."""

import re

import pytest

from autograder.book import myst
from autograder.book import pdf as book_pdf
from autograder.book.build import build_book
from autograder.book.imports import imported_files
from autograder.book.labels import labels
from autograder.book.sphinx import streams
from autograder.course.contents import pages
from autograder.errors import BookError
from tests.book.printed import read
from tests.conftest import ROOT

AREAS = """\
# Areas

Some prose.

```{code-cell} python
from shapes.square import area
print("area", area(3))
```
"""

EVERY_KIND_OF_LABEL = """\
# Labels

(sec-kinds)=
## Kinds

$$
a = b
$$ (eq-kinds-dollar)

```{math}
:label: eq-kinds-directive
b = c
```

````{prf:theorem} A title
:label: thm-kinds-one

```{math}
:label: eq-kinds-nested
c = d
```
````

:::{figure} dot.svg
:name: fig-kinds-file
:alt: a dot

A caption.
:::

```{code-cell} python
---
mystnb:
  figure:
    name: fig-kinds-cell
    caption: A drawing.
  image:
    alt: nothing
---
from IPython.display import SVG
SVG("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
```

```python
text = '''
(not-a-label)=
:label: not-a-label-either
'''
```

`````text
```{math}
:label: eq-not-a-label
```
`````

See {eq}`eq-kinds-dollar`, {eq}`eq-kinds-directive`, {eq}`eq-kinds-nested`, {prf:ref}`thm-kinds-one`,
{ref}`sec-kinds`, {numref}`fig-kinds-file` and {numref}`fig-kinds-cell`.
"""


def test_a_changed_module_runs_again_exactly_the_pages_that_import_it(tiny):
    circles = "# Circles\n\n```{code-cell} python\nfrom shapes import circle\nprint(circle.NAME)\n```\n"
    tiny.write_pages(areas=AREAS, circles=circles)
    tiny.build()
    assert tiny.ran == ["running book/areas.md", "running book/circles.md"]
    assert "area 9" in tiny.html("areas")

    tiny.build()
    assert tiny.ran == []

    tiny.write(
        "shapes/power.py", "def squared(x):\n    return x * x + 1\n"
    )  # imported through another module
    tiny.build()
    assert tiny.ran == ["running book/areas.md"]
    assert "area 10" in tiny.html("areas")

    # The outputs of a page are found by its code, so a new name must not bring old outputs back.
    tiny.write("shapes/circle.py", "NAME = 'still round'\n")
    (tiny.book / "circles.md").unlink()
    tiny.write_pages(areas=AREAS, rounds=circles)
    tiny.build()
    assert tiny.ran == ["running book/rounds.md"]
    assert "still round" in tiny.html("rounds")


def test_labels_finds_what_sphinx_finds_and_prose_runs_no_cell(tiny):
    tiny.write_pages(areas=AREAS, kinds=EVERY_KIND_OF_LABEL)
    tiny.build()
    found = labels(tiny.book)
    assert set(found) == {
        *("eq-kinds-dollar", "eq-kinds-directive", "eq-kinds-nested", "thm-kinds-one"),
        *("sec-kinds", "fig-kinds-file", "fig-kinds-cell"),
    }
    ids = set(re.findall(r'id="([^"]+)"', tiny.html("kinds")))
    assert {label.anchor for label in found.values()} <= ids
    assert {name for name in ids if name.startswith("equation-")} <= {
        label.anchor for label in found.values()
    }
    assert found["eq-kinds-nested"].href == "kinds.html#equation-eq-kinds-nested"
    inside = {"thm-kinds-one", "eq-kinds-nested"}
    assert {place.title for label, place in found.items() if label not in inside} == {"Kinds"}
    assert {found[label].title for label in inside} == {"A title"}

    tiny.write_pages(areas=AREAS.replace("Some prose", "Other prose"), kinds=EVERY_KIND_OF_LABEL)
    tiny.build()
    assert tiny.ran == []
    assert "Other prose" in tiny.html("areas")
    notebook = (tiny.root / "_build/html/_sources/book/areas.ipynb").read_text("utf-8")
    assert "Other prose" in notebook
    assert '"area 9\\n"' in notebook, "the output of a cell that was not run again"


def test_a_change_of_style_reaches_the_pages_and_runs_no_cell(tiny):
    tiny.write_pages(areas=AREAS)
    tiny.build()
    before = re.search(r"course\.css\?v=\w+", tiny.html("areas"))[0]
    tiny.write("book/_static/course.css", "p { color: teal }")
    tiny.build()
    assert tiny.ran == []
    assert "teal" in (tiny.root / "_build/html/_static/course.css").read_text("utf-8")
    assert before not in tiny.html("areas"), "a browser would keep the old style sheet"


def test_a_page_that_is_gone_leaves_the_site(tiny):
    tiny.write_pages(areas=AREAS, kinds=EVERY_KIND_OF_LABEL)
    tiny.build()
    (tiny.book / "kinds.md").unlink()
    tiny.write("_build/html/prf-prf.html", "an index of an earlier version")
    tiny.write_pages(areas=AREAS)
    tiny.build()
    left = {path.name for path in (tiny.root / "_build/html").rglob("*.html") if "_static" not in path.parts}
    assert left == {"404.html", "areas.html", "index.html", "search.html"}
    assert [path.name for path in (tiny.root / "_build/html/book").glob("*.md")] == ["areas.md"]


@pytest.mark.parametrize("address", ["", "https://github.com/someone/something"])
def test_one_setting_gives_the_pages_their_buttons(tiny, address):
    tiny.write_pages(areas="# Areas\n")
    tiny.write("course.toml", f'repository = "{address}"\n')
    tiny.build()
    links = set(re.findall(r'href="(https://github\.com/[^"]*)"', tiny.html("areas")))
    if not address:
        assert links == set()
    else:
        assert {address, f"{address}/edit/main/book/areas.md"} <= links
        assert any(link.startswith(f"{address}/issues/new") for link in links)


def test_a_doi_in_the_list_of_references_is_a_link(tiny):
    entry = "@article{euclid, author={Euclid}, title={Elements}, journal={J}, year={1900}, doi={10.1000/182}}"
    tiny.write("book/references.bib", entry)
    tiny.write_pages(areas="# Areas\n\nSee {cite:t}`euclid`.\n\n```{bibliography}\n```\n")
    tiny.build()
    assert 'href="https://doi.org/10.1000/182"' in tiny.html("areas")


def test_a_line_that_a_slow_kernel_sent_in_pieces_stays_whole(monkeypatch):
    monkeypatch.setattr(streams.render, "coalesce_streams", None)
    streams.setup(None)
    sent = [
        {"output_type": "stream", "name": "stdout", "text": text} for text in ("one", " line\nan", "other\n")
    ]
    (shown,) = streams.render.coalesce_streams(sent)
    assert shown["text"] == "one line\nanother\n"


def test_a_false_assertion_fails_the_build_in_one_line(tiny):
    tiny.write_pages(areas=AREAS.replace('print("area", area(3))', 'assert area(3) == 8, "thm-areas-square"'))
    with pytest.raises(BookError) as failure:
        tiny.build()
    message = str(failure.value)
    assert message.startswith("book/areas.md: a cell failed: AssertionError: thm-areas-square")
    assert "assert area(3) == 8" in message
    assert "\n" not in message


def test_a_warning_is_an_error_however_often_one_builds(tiny):
    tiny.write_pages(areas=AREAS.replace("Some prose.", "See {eq}`eq-areas-missing`."))
    for _ in range(2):
        with pytest.raises(BookError, match=r"book/areas\.md:\d+: .*eq-areas-missing"):
            tiny.build()


def test_what_is_written_to_stderr_is_a_warning_too(tiny):
    tiny.write_pages(areas=AREAS.replace("print(", "import warnings; warnings.warn('careful'); print("))
    with pytest.raises(BookError, match=r"book/areas\.md"):
        tiny.build()


def test_a_broken_table_of_contents_is_named(tiny):
    tiny.write_pages(areas=AREAS)
    tiny.write("_toc.yml", "format: jb-book\nroot: book/areas\nchapters:\n")
    with pytest.raises(BookError, match="Table of Contents file is malformed"):
        tiny.build()


def test_the_book_is_printed_by_one_command(tiny):
    tiny.write_pages(areas=AREAS, kinds=EVERY_KIND_OF_LABEL)
    printed = read(build_book(tiny.root, pdf=True))
    assert printed.bookmarks == ["Areas", "Labels", "Kinds"]
    letters = "".join(printed.pages)
    assert "area9" in letters
    assert "Acaption." in letters
    assert "\\(" not in letters
    assert [path.name for path in (tiny.root / "_build").glob("print-*")] == []


def test_without_chromium_one_line_says_so_before_anything_is_built(tiny, monkeypatch):
    tiny.write_pages(areas=AREAS)
    monkeypatch.setattr(book_pdf, "CHROMIUM", ("no-such-browser",))
    with pytest.raises(BookError, match="apt-get install chromium"):
        build_book(tiny.root, pdf=True)
    assert not (tiny.root / "_build").exists()


def test_a_browser_that_fails_is_told_in_one_line_and_leaves_no_pdf(tiny, tmp_path, monkeypatch):
    tiny.write_pages(areas=AREAS)
    tiny.build()
    monkeypatch.setattr(book_pdf, "CHROMIUM", ("false",))
    page, target = tiny.root / "_build/html/book/areas.html", tmp_path / "areas.pdf"
    with pytest.raises(book_pdf.PrintError, match=r"could not print .*exit 1"):
        book_pdf.print_pages([page], "Areas", target)
    assert not target.exists()


def test_a_folder_without_settings_is_refused(tmp_path):
    with pytest.raises(BookError, match=r"has no _config\.yml"):
        build_book(tmp_path)


def test_imports_are_followed_through_packages_and_relative_imports(tiny):
    tiny.write("shapes/solids/__init__.py", "from ..circle import NAME\n")
    tiny.write("shapes/solids/cube.py", "import numpy\nfrom . import edge\n")
    tiny.write("shapes/solids/edge.py", "")
    tiny.write("book/drawing.py", "import shapes.power\n")
    cell = ":tags: [hide-input]\n%matplotlib inline\nimport drawing, shapes.solids.cube"
    tiny.write_pages(page=f"```{{code-cell}} python\n{cell}\n```\n")
    reached = imported_files(tiny.book / "page.md", tiny.root)
    assert [path.relative_to(tiny.root).as_posix() for path in reached] == [
        "book/drawing.py",
        "shapes/__init__.py",
        "shapes/circle.py",
        "shapes/power.py",
        "shapes/solids/__init__.py",
        "shapes/solids/cube.py",
        "shapes/solids/edge.py",
    ]


def test_code_that_a_reader_sees_fits_the_column():
    too_long = [
        f"{page.name}: {line}"
        for page in pages(ROOT)
        if page.stem != "reference"  # made from docstrings
        for cell in re.findall(
            r"^```\{code-cell\}[^\n]*\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        if not re.search(r"^:?tags:.*(?:hide-input|verify)", cell, re.MULTILINE)  # folded
        for line in cell.splitlines()
        if len(line) > 84
    ]
    assert too_long == []


def test_every_theorem_of_a_page_is_cited_by_a_cell():
    for page in pages(ROOT):
        text = page.read_text("utf-8")
        theorems = {block.label for block in myst.flat(myst.blocks(text)) if block.label.startswith("thm-")}
        cited = set(re.findall(r"thm(?:-[a-z0-9]+)+", " ".join(re.findall(r"#.*", myst.cell_code(text)))))
        assert theorems - cited == set(), page.name


STATEMENTS = {
    "theorem": "thm",
    "lemma": "lem",
    "proposition": "prop",
    "corollary": "cor",
    "definition": "def",
    "algorithm": "alg",
}
UNPROVED = ("proof", "definition", "algorithm")

# How the labels of a page begin, where it is not the page's own name.
PREFIXES = {
    "pca_error": "pca",
    "svd_stability": "svd",
    "practice_model": "practice",
    "classical_mds_stress": "classical-mds",
    "isomap_limits": "isomap",
    "kernel_pca_unified": "kernel-pca",
    "mvu_dual": "mvu",
    "conformal_eigenmaps": "conformal",
    "gallery": "(?:gallery|quality|procrustes)",
}


def statements_and_proofs(page):
    """The boxes of a page in order: (kind, label or "", body)."""
    boxes = re.findall(
        r"^(`{3,})\{prf:(\w+)\}[^\n]*\n(.*?)^\1$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    for _, kind, body in boxes:
        label = re.match(r":label: (\S+)\n", body)
        yield kind, label[1] if label else "", body


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.stem)
def test_every_numbered_statement_has_a_label_that_names_its_kind_and_its_page(page):
    topic = PREFIXES.get(page.stem, page.stem.replace("_", "-"))
    for kind, label, body in statements_and_proofs(page):
        if kind != "proof":
            assert re.fullmatch(rf"{STATEMENTS[kind]}-{topic}(?:-[a-z0-9]+)+", label), body[:80]
    for label in re.findall(r"^\$\$ \((\S+)\)$", page.read_text("utf-8"), re.MULTILINE):
        assert re.fullmatch(rf"eq-{topic}(?:-[a-z0-9]+)+", label)


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.stem)
def test_every_theorem_is_proved_on_its_page(page):
    """A proof belongs to the theorem before it, unless it names another."""
    proved, last = set(), ""
    boxes = list(statements_and_proofs(page))
    for kind, label, body in boxes:
        if kind == "proof":
            named = re.match(r"\s*\*\*[^*]*?proof of \{prf:ref\}`([^`]+)`", body)
            proved.add(named[1] if named else last)
        elif kind not in UNPROVED:
            last = label
    assert {label for kind, label, _ in boxes if kind not in UNPROVED} - proved == set()
