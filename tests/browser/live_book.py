"""A small live book with real assignments, below a prefix, as project pages are served."""

import shutil
from pathlib import Path

from autograder.book.build import build_book
from autograder.course.course import Course
from tests.book.conftest import tiny_course
from tests.conftest import ROOT

PREFIX = "my-repo"
CHAPTER = """\
# Chapter

$$
w^\\top C w
$$ (eq-pca-projected-variance)

$$
C w = \\lambda w
$$ (eq-pca-eigenproblem)

$$
C = X^\\top X / N
$$ (eq-pca-covariance)

$$
Y = X V
$$ (eq-pca-scores)

$$
\\lambda = \\sigma^2 / N
$$ (eq-pca-singular-values)

$$
Y V^\\top
$$ (eq-pca-reconstruction)

(thm-pca-first-direction)=
## The first direction

```{live-task} pca.scores
```

```{practice}
pca.variance_along
```
"""
SQUARES = "# Squares\n\n$$\ns = x^2\n$$ (eq-squares-sum)\n\n$$\n(a + b)^2\n$$ (eq-squares-binomial)\n"
CELLS = """# Cells

```{code-cell} python
:tags: [hide-input]
import numpy as np
from matplotlib import pyplot as plt
from IPython.display import HTML
from shapes.square import area, side

rng = np.random.default_rng(3)
unused = rng.normal(size=4)
```

```{code-cell} python
shift = rng.normal()
print(f"the area is {area(side()) + 0 * shift:.1f}")
```

```{code-cell} python
---
mystnb: {figure: {name: fig-line, caption: A line.}, image: {alt: A line}}
tags: [hide-input]
---
plt.plot([0, side()], [0, shift]);
```

```{code-cell} python
HTML("<b>a slider</b>")
```
"""
SQUARE = """from importlib.resources import files


def side():
    return float((files("shapes") / "side.txt").read_text())


def area(side):
    return side * side
"""
ABSENT = """# Elsewhere

```{code-cell} python
from nbformat import validate
print(1)
```
"""


def publish(folder: Path, root: Path, released: Course | None = None) -> None:
    """Build the book in a folder and move it to its place below the root of a server.

    Its assignments are one of the course itself and, where there is one, that of a class of the tiny course.
    """
    tiny = tiny_course(folder)
    tiny.write("course.toml", 'book_url = "http://127.0.0.1:8000"\n')
    exercises = {"pca": ROOT / "exercises" / "pca"}
    pages = {"start": "# Start\n", "pca": CHAPTER, "cells": CELLS, "elsewhere": ABSENT}
    pages |= {name: (ROOT / "book" / f"{name}.md").read_text("utf-8") for name in ("path", "session")}
    if released:
        exercises["squares"] = released.classroom / "release" / "squares"
        pages["squares"] = SQUARES
    for topic, exercise in exercises.items():
        tiny.write(f"solutions/{topic}/notebook.md", "")
        shutil.copytree(exercise, tiny.root / "exercises" / topic)
    tiny.write("shapes/side.txt", "3")
    tiny.write("shapes/square.py", SQUARE)
    tiny.write_pages(**pages)
    shutil.move(build_book(tiny.root, live=True).parent, root / PREFIX)
