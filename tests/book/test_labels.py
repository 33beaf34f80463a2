"""Labels know their place and the number that the book shows there, without building the book."""

import subprocess
import sys

import pytest

from autograder.book.labels import labels
from autograder.errors import BookError
from tests.book.shown import shown_numbers
from tests.book.tiny import HEADER, TinyCourse
from tests.conftest import ROOT

EVERYTHING = """\
(sec-{n}-page)=
# Page {n}

$$
1 = 1
$$

$$
a = b
$$ (eq-{n}-one)

```{{prf:definition}} Words
:label: def-{n}-words

$$
c = d
$$ (eq-{n}-inside)
```

(sec-{n}-first)=
## First

```{{prf:theorem}}
:label: thm-{n}-without-title
True.
```

```{{prf:theorem}} Not counted
:label: thm-{n}-uncounted
:nonumber:
Also true.
```

```{{prf:proof}}
Clear.
```

```{{prf:algorithm}} Steps
:label: alg-{n}-steps
One.
```

(sec-{n}-deep)=
### Deep

:::{{figure}} dot.svg
:alt: a dot

A caption, but no name.
:::

:::{{figure}} dot.svg
:name: fig-{n}-dot
:alt: a dot

A caption.
:::

(sec-{n}-paragraph)=
A paragraph that can be named.

(sec-{n}-second)=
## Second

```{{code-cell}} python
---
mystnb:
  figure:
    name: fig-{n}-drawn
    caption: A drawing.
---
from IPython.display import SVG
SVG("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
```

```{{math}}
not = counted
```

\\begin{{align}}
counted &= without
\\end{{align}}

```{{math}}
:label: eq-{n}-last
e = f
```

````{{prf:lemma}} With a box in it
:label: lem-{n}-box

```{{admonition}} A box
:name: sec-{n}-box
Text.
```
````
"""
CONTENTS = """\
format: jb-book
root: book/start
parts:
  - caption: One
    chapters: [{file: book/plain}]
  - caption: Two
    numbered: true
    chapters:
      - file: book/alpha
        sections: [{file: book/alphaone}, {file: book/alphatwo}]
      - file: book/beta
  - caption: Three
    numbered: true
    chapters: [{file: book/gamma}]
"""


def test_every_number_is_the_one_that_the_built_book_shows(tiny):
    names = ["start", "plain", "alpha", "alphaone", "alphatwo", "beta", "gamma"]
    tiny.write_pages(**{name: EVERYTHING.format(n=name) for name in names})
    tiny.write("_toc.yml", CONTENTS)
    tiny.build()
    found = labels(tiny.book)
    assert len(found) == 16 * len(names)
    for name in names:
        of_page = {label: place for label, place in found.items() if place.page == name}
        shown = shown_numbers(
            tiny.root / f"_build/html/book/{name}.html", [p.anchor for p in of_page.values()]
        )
        assert {label: place.number for label, place in of_page.items()} == dict(
            zip(of_page, shown, strict=True)
        )
    assert found["eq-beta-last"].number == "Equation (2.4)"
    assert found["lem-beta-box"].number == "Lemma 2.3"
    assert found["fig-gamma-drawn"].number == "Figure 3.3"
    assert found["sec-alphatwo-deep"].number == "Section 1.4.1.1"
    assert found["sec-plain-page"].number == ""


def test_what_the_table_of_contents_does_not_name_has_no_number(tmp_path):
    tiny = TinyCourse(tmp_path)
    tiny.write_pages(start="(sec-start)=\n# Start\n")
    tiny.write("book/aside.md", HEADER + "# Aside\n\n$$\na\n$$ (eq-aside-a)\n")
    place = labels(tiny.book)["eq-aside-a"]
    assert (place.page, place.title, place.number) == ("aside", "Aside", "")


def test_a_label_given_twice_is_refused(tmp_path):
    tiny = TinyCourse(tmp_path)
    tiny.write_pages(one="(sec-twice)=\n# One\n", two="(sec-twice)=\n# Two\n")
    with pytest.raises(BookError, match=r"sec-twice is defined twice: in one\.md and in two\.md"):
        labels(tiny.book)


def test_labels_need_neither_sphinx_nor_a_build_nor_printing():
    program = "\n".join(
        (
            "import sys",
            "for name in ('jupyter_book', 'sphinx', 'docutils', 'myst_nb', 'jupyter_cache', 'pypdf'):",
            "    sys.modules[name] = None",
            "from pathlib import Path",
            "from autograder.book.labels import labels",
            "print(len(labels(Path('book'))))",
            "assert not {'autograder.book.build', 'autograder.book.pdf'} & set(sys.modules)",
        )
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) > 20


def test_labels_are_read_again_when_a_page_or_the_contents_change(tiny):
    before = labels(tiny.book)
    before.clear()  # the caller's own: what is kept does not change with it
    assert "eq-aside-a" not in labels(tiny.book)
    tiny.write("book/aside.md", "# Aside\n\n$$a = b$$ (eq-aside-a)\n")
    assert "eq-aside-a" in labels(tiny.book)
