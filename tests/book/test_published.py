"""A book built for publication below a prefix: what its pages say of themselves, and what lies at its root."""

import json
import pickle
import re
import shutil
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from autograder.book.sphinx.chapter_cells import _code_of
from autograder.book.sphinx.described import description_of
from autograder.cli import main
from autograder.course.course import Course
from autograder.course.package import engine_package
from autograder.course.settings import require_public
from autograder.errors import CourseError
from tests.book.test_assignments import CELLS, write_topic
from tests.conftest import ROOT
from tests.crawl import Crawl

ADDRESS = "https://example.org/some/dimred"
LIBRARY = '''\
"""Shapes, for a small book."""

__all__ = ["area"]


def area(side, unit=1):
    """Return the area of a square.

        a = s²          (eq-areas-square)

    Of a square only; see thm-areas-square.

    Parameters
    ----------
    side, unit : lengths, not negative

    Returns
    -------
    float
        in units of length, squared

    Cost
    ----
    O(1) time.

    Counterpart
    -----------
    sklearn.decomposition.PCA, which is something else.

    Examples
    --------
    >>> from figures import area
    >>> area(3)
    9
    """
    return side * side
'''
PYPROJECT = """\
[project]
name = "small-course"
version = "1.2.3"
[tool.setuptools.packages.find]
include = ["figures*"]
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
"""
AREAS = """\
# Areas & volumes

How large is a square of side $s$? This page says so, in a sentence that is short. It goes on for a while
after that, with words that no search engine would show, because there are too many of them in one paragraph.

$$
a = s^2
$$ (eq-areas-square)

```{prf:theorem} Squares
:label: thm-areas-square
The area of a square is $s^2$.
```

(x)=
## Squares of threes

```{code-cell} python
print("area", 3 * 3)
```
"""


DECLARED = """\
---
myst:
  html_meta:
    description: What this page declares of itself.
---

# Cubes

The volume

$$
v = s^3
$$

of a cube is the product of three equal lengths.

:::{figure} dot.svg
:name: fig-dot
A picture whose caption goes on
over two lines.
:::
"""


@pytest.fixture(scope="module")
def book(module_tiny):
    """A small book with an assignment and a library, built for an address."""
    tiny = module_tiny
    write_topic(tiny, CELLS)
    tiny.write("figures/__init__.py", LIBRARY)
    tiny.write("pyproject.toml", PYPROJECT)
    tiny.write("README.md", "A small course.\n")
    tiny.write(
        "course.toml",
        f'book_url = "{ADDRESS}"\nlibrary = "figures"\nrepository = "https://github.com/someone/something"\n',
    )
    tiny.write("book/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')
    start = "# Start\n\nThis small book is about squares, and about nothing else.\n"
    names = dict.fromkeys(("declared", "instructor_reference", "reference"), "stale\n")
    tiny.write_pages(start=start, areas=AREAS, **names)
    tiny.write("book/declared.md", DECLARED)
    key = {"format": 2, "topic": "areas", "seed": "2027", "pages": {}, "tasks": {}}
    tiny.write("exercises/areas/areas.key.json", json.dumps(key))
    tiny.build()
    return tiny


@pytest.fixture(scope="module")
def site(book):
    return book.root / "_build" / "html"


def head(site, path):
    return BeautifulSoup((site / path).read_text("utf-8"), "html.parser").head


def content(head, attrs=None, **which):
    return [tag["content"] for tag in head.find_all("meta", attrs=attrs or which)]


def test_a_page_says_where_it_is_and_what_it_is_about(site):
    found = head(site, "book/areas.html")
    assert [tag["href"] for tag in found.find_all("link", rel="canonical")] == [f"{ADDRESS}/book/areas.html"]
    said = "How large is a square of side s? This page says so, in a sentence that is short."
    assert content(found, attrs={"name": "description"}) == [said]
    assert content(found, property="og:title") == ["Areas & volumes"]
    assert content(found, property="og:url") == [f"{ADDRESS}/book/areas.html"]
    assert len(found.find_all("meta", attrs={"name": "viewport"})) == 1


def test_a_description_that_a_page_declares_stands(site):
    found = head(site, "book/declared.html")
    said = "What this page declares of itself."
    assert content(found, attrs={"name": "description"}) == [said]
    assert content(found, property="og:description") == [said]
    assert said in (site / "llms.txt").read_text("utf-8")


def test_a_description_goes_on_until_it_says_something():
    from docutils.core import publish_doctree

    said = "of a cube, which is a solid with six equal faces."
    source = f"Cubes\n=====\n\nThe volume\n\n.. math:: v = s^3\n\n{said}\n\nMore.\n"
    doctree = publish_doctree(source, settings_overrides={"doctitle_xform": False})
    assert description_of(doctree) == f"The volume v = s³ {said}"


def test_the_root_of_the_site_says_what_its_first_page_says(site):
    found, first = head(site, "index.html"), head(site, "book/start.html")
    assert found.find("link", rel="canonical")["href"] == f"{ADDRESS}/book/start.html"
    for name in ("og:title", "og:description", "og:url", "og:image"):
        assert content(found, property=name) == content(first, property=name) != []
    assert found.find("meta", attrs={"http-equiv": "refresh"})["content"] == "0; url=book/start.html"


def test_a_crawl_sees_no_fault(site):
    crawl = Crawl(site, ADDRESS)
    assert list(crawl.faults()) == []
    assert crawl.n_links > 100


def test_a_build_in_which_nothing_changed_still_names_every_page(book, site):
    before = {name: (site / name).read_text("utf-8") for name in ("sitemap.xml", "llms.txt", "index.html")}
    book.build()
    assert {name: (site / name).read_text("utf-8") for name in before} == before


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("book/start.html", '<a href="gone.html">', "leads to no file"),
        ("book/start.html", '<a href="areas.html#gone">', "leads to no place"),
        ("book/start.html", '<a href="/areas.html">', "leads out of the site"),
        ("book/start.html", '<link rel="canonical" href="https://example.org/areas.html">', "canonical"),
        ("book/start.html", '<meta name="description" content="Once more.">', "descriptions"),
        ("book/start.html", '<meta name="viewport" content="width=100">', "one viewport"),
        ("book/start.html", '<meta property="og:image" content="https://example.org/gone.png">', "og:image"),
        ("llms.txt", "[x](https://example.org/gone.md)", "llms.txt and the pages differ"),
        ("book/start.md", "http://127.0.0.1:8000/", "names http://127.0.0.1"),
    ],
)
def test_a_crawl_sees_what_is_wrong(site, tmp_path, name, text, fault):
    copy = shutil.copytree(site, tmp_path / "site")
    with (copy / name).open("a", encoding="utf-8") as file:
        file.write(text)
    assert any(fault in line for line in Crawl(copy, ADDRESS).faults())


def test_a_crawl_looks_into_archives(site, tmp_path):
    copy = shutil.copytree(site, tmp_path / "site")
    with zipfile.ZipFile(next(copy.rglob("*.zip")), "a") as packed:
        packed.writestr("more.txt", "http://localhost:8000/")
    assert any("more.txt names http://localhost" in line for line in Crawl(copy, ADDRESS).faults())


def test_the_picture_of_a_page_is_there_and_has_its_size(site):
    (address,) = content(head(site, "book/areas.html"), property="og:image")
    picture = (site / address.removeprefix(f"{ADDRESS}/")).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20], "big") == 1200
    assert int.from_bytes(picture[20:24], "big") == 630


def test_the_inventory_has_name_version_and_functions(site):
    inventory = (site / "objects.inv").read_bytes()
    lines = inventory.split(b"\n", 4)
    assert lines[1] == b"# Project: Dimensionality Reduction, a course you can run"
    assert lines[2] == b"# Version: 1.2.3"
    rows = zlib.decompress(lines[4]).decode().splitlines()
    assert "figures.area py:function 1 book/reference.html#$ -" in rows
    assert "fig-dot std:label -1 book/declared.html#$ A picture whose caption goes on over two lines." in rows
    assert "eq-areas-square std:label -1 book/areas.html#equation-$ Equation (1) Areas & volumes" in rows


def test_every_page_is_in_the_sitemap_and_robots_know_it(site):
    tree = ElementTree.parse(site / "sitemap.xml")
    listed = {element.text for element in tree.iter() if element.tag.endswith("loc")}
    built = {path.relative_to(site).as_posix() for path in site.glob("book/**/*.html")}
    assert listed == {f"{ADDRESS}/{path}" for path in built}
    robots = (site / "robots.txt").read_text()
    assert f"Sitemap: {ADDRESS}/sitemap.xml" in robots
    assert "Disallow: /some/dimred/lite/" in robots


def test_language_models_get_each_page_as_markdown_and_the_terms(site):
    listed = re.findall(rf"\]\({ADDRESS}/(\S+\.md)\)", (site / "llms.txt").read_text("utf-8"))
    assert "book/areas.md" in listed
    assert "book/assignments/areas.md" in listed
    for path in listed:
        assert (site / path).read_text("utf-8").startswith("# "), path
    text = (site / "book" / "areas.md").read_text("utf-8")
    assert '```python\nprint("area", 3 * 3)\n```' in text
    assert "$s^2$" in text
    assert "not to hand over finished answers" in (site / "llms.txt").read_text("utf-8")
    found = head(site, "book/assignments/areas.html")
    assert content(found, attrs={"name": "tdm-reservation"}) == ["1"]
    assert content(head(site, "book/areas.html"), attrs={"name": "tdm-reservation"}) == []


def test_a_lost_reader_is_led_back_from_any_depth(site):
    page = BeautifulSoup((site / "404.html").read_text("utf-8"), "html.parser")
    assert page.base["href"] == "/some/dimred/"
    for link in page.find_all("a"):
        assert (site / link["href"]).is_file(), link["href"]


@pytest.mark.parametrize("label", ["thm-areas-square", "eq-areas-square"])
def test_a_label_has_a_permanent_address(site, label):
    page = BeautifulSoup((site / "go" / label / "index.html").read_text("utf-8"), "html.parser")
    target = page.find("meta", attrs={"http-equiv": "refresh"})["content"].partition("url=")[2]
    path, _, anchor = target.partition("#")
    file = (site / "go" / label / path).resolve()
    assert BeautifulSoup(file.read_text("utf-8"), "html.parser").find(id=anchor) is not None


def test_an_assignment_opens_elsewhere(site):
    page = BeautifulSoup((site / "book/assignments/areas.html").read_text("utf-8"), "html.parser")
    doors = {link.text: link["href"] for link in page.select(".assignment-doors a")}
    github = "someone/something"
    assert doors["Colab"] == f"https://colab.research.google.com/github/{github}/blob/notebooks/areas.ipynb"
    assert doors["Binder"].startswith(f"https://mybinder.org/v2/gh/{github}/notebooks?urlpath=lab")
    assert "some%2Fdimred%2Fnotebooks%2Fareas.ipynb" in doors["Kaggle"]
    assert doors["VS Code"].startswith("vscode://vscode.git/clone?url=")
    notebook = json.loads((site / "notebooks" / "areas.ipynb").read_text("utf-8"))
    start = "".join(notebook["cells"][1]["source"])
    assert f"{ADDRESS}/install/{engine_package().wheel}" in start
    assert f"{ADDRESS}/keys/2027" in start
    compile(start, "start", "exec")
    assert (site / "keys" / "2027" / "areas.key.json").is_file()
    branch = site.parent / "notebooks"
    assert {path.name for path in branch.iterdir()} == {"areas.ipynb", "requirements.txt", "README.md"}


def test_nothing_that_is_handed_out_leads_to_this_machine(site):
    for path in site.rglob("*"):
        if path.suffix in (".html", ".ipynb", ".json", ".md", ".txt", ".xml") and "_static" not in path.parts:
            assert "127.0.0.1" not in path.read_text("utf-8"), path


def test_a_function_has_formula_parameters_cost_chapter_counterpart_and_example(site):
    page = BeautifulSoup((site / "book/reference.html").read_text("utf-8"), "html.parser")
    entry = page.find(id="figures.area").parent
    assert entry.find("pre").text.strip() == "a = s²"
    links = {link["href"] for link in entry.find_all("a")}
    assert "areas.html#equation-eq-areas-square" in links
    assert "areas.html" in links
    assert any(
        link.startswith("https://scikit-learn.org/stable/modules/generated/sklearn.d") for link in links
    )
    text = " ".join(entry.text.split())
    assert [item.strong.text for item in entry.select("dd.field-odd li")] == ["side", "unit"]
    assert "lengths, not negative" in text
    assert "Cost: O(1) time." in text
    assert "9" in page.select_one("div.cell_output pre").text


def test_authors_see_what_they_import(site):
    page = BeautifulSoup((site / "book/instructor_reference.html").read_text("utf-8"), "html.parser")
    check = page.find(id="autograder.check")
    assert "(task, answer)" in check.text
    assert "Judge an answer" in check.parent.text
    for name in ("authoring.task.Task", "authoring.task.Misconception", "grading.grade.grade"):
        assert len(page.find(id=f"autograder.{name}").parent.dd.text) > 20, name
    sameness = page.find(id="autograder.judging.sameness.up_to_column_signs").parent
    assert "Forgives the sign of each column." in sameness.text
    assert "`" not in page.find(id="autograder.authoring.task.Task").parent.text  # code is code


def test_another_project_links_here_by_intersphinx(site, tmp_path):
    from sphinx.application import Sphinx

    functions = ":py:func:`autograder.check`, :py:func:`figures.area`"
    places = ":ref:`reference`, :ref:`thm-areas-square`"
    (tmp_path / "index.rst").write_text(f"Other\n=====\n\n{functions}, {places}\n")
    mapping = {"book": (f"{ADDRESS}/", str(site / "objects.inv"))}
    extensions = {"extensions": ["sphinx.ext.intersphinx"], "intersphinx_mapping": mapping}
    Sphinx(tmp_path, None, tmp_path / "out", tmp_path / "trees", "html", extensions, status=None).build()
    text = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert f'href="{ADDRESS}/book/reference.html#figures.area"' in text
    assert f'href="{ADDRESS}/book/instructor_reference.html#autograder.check"' in text
    assert f'href="{ADDRESS}/book/reference.html#reference"' in text
    assert f'href="{ADDRESS}/book/areas.html#thm-areas-square"' in text


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:8000", "http://localhost/x", "ftp://example.org"])
def test_a_local_address_cannot_be_published(address, tmp_path, monkeypatch, capsys):
    with pytest.raises(CourseError, match="reader's own machine"):
        require_public(address)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/start\n")
    (tmp_path / "course.toml").write_text(f'book_url = "{address}"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["book", "--publish"]) == 1
    assert "--url https://" in capsys.readouterr().err


def test_the_environment_knows_the_address_better(sample_course, monkeypatch):
    monkeypatch.setenv("COURSE_BOOK_URL", ADDRESS)
    assert Course(sample_course.root).settings["book_url"] == ADDRESS


def test_the_workflow_publishes_for_its_own_address():
    text = (ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8")
    assert "COURSE_BOOK_URL: ${{ steps.pages.outputs.base_url }}" in text
    assert "PUBLISH=" in text


def test_the_example_of_a_function_gets_a_button_on_a_live_site(book):
    """The rule of a live site, asked about the pages of this build, which is none."""
    doctree = pickle.loads((book.root / "_build" / ".doctrees" / "book" / "reference.doctree").read_bytes())
    cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]
    assert ["figures import area" in cell.astext() for cell in cells] == [True]
    assert all(_code_of(cell) for cell in cells)
