"""Pages run side by side before Sphinx starts, and what they put out is what an ordinary kernel puts out."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import nbformat
import pytest
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import myst_nb_reader_plugin

from autograder.book.run import cache
from autograder.book.run.pages import PageError, run_pages
from autograder.errors import describe_machine_error
from tests.conftest import ROOT

EVERY_OUTPUT = """\
# Outputs

```{code-cell} python
%config InlineBackend.figure_formats = ["svg"]
import os, sys, warnings
import matplotlib.pyplot as plt
from IPython.display import HTML, display
from myst_nb import glue
print(os.getcwd().rpartition("/")[2], __name__, sys.path[0] == "")
glue("answer", 42, display=False)
```

```{code-cell} python
:tags: [hide-input]
plt.rcParams["svg.hashsalt"] = "1"
figure, axes = plt.subplots()
axes.plot([1, 2], [2, 1], marker="o");
```

```{code-cell} python
from shapes.square import area
display(HTML("<b>bold</b>"))
warnings.warn("careful", stacklevel=1)
area(3)
```
"""
SLEEPER = (
    '# Sleeper\n\n```{code-cell} python\nimport time\nopen("started", "w").close()\ntime.sleep(60)\n```\n'
)


def cells(text):
    return f"# Page\n\n```{{code-cell}} python\n{text}\n```\n"


def outputs(notebook):
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def kept(tiny, page):
    """The outputs of a page in the cache, under the key that Jupyter Book looks up."""
    build = tiny.root / "_build"
    key = cache.hash_key(myst_nb_reader_plugin(str(tiny.book / f"{page}.md")), build)
    return outputs(nbformat.v4.reads(cache.outputs_path(build, key).read_text("utf-8")))


def without_dates(results):
    return [
        [{**output, "text": ""} if "careful" in str(output) else output for output in cell]
        if "<dc:date>" not in str(cell)
        else str(cell).partition("<dc:date>")[0] + str(cell).partition("</dc:date>")[2]
        for cell in results
    ]


def test_outputs_equal_those_of_an_ordinary_kernel(tiny, monkeypatch):
    tiny.write_pages(page=EVERY_OUTPUT)
    assert run_pages(tiny.root) == ["book/page.md"]
    monkeypatch.setenv("PYTHONPATH", str(tiny.root))
    ordinary = myst_nb_reader_plugin(str(tiny.book / "page.md"))
    result = single_nb_execution(ordinary, cwd=str(tiny.book), timeout=120, allow_errors=False)
    assert result.err is None
    ours, theirs = kept(tiny, "page"), outputs(nbformat.v4.reads(nbformat.writes(ordinary)))
    assert "svg" in str(theirs[1])
    assert "careful" in str(theirs[2])
    assert without_dates(ours) == without_dates(theirs)


def test_jupyter_book_runs_nothing_again(tiny):
    tiny.write_pages(page=cells("print('once')"))
    tiny.build()
    assert tiny.ran == ["running book/page.md"]
    assert "Executing notebook" not in (tiny.root / "_build/book.log").read_text("utf-8")


def test_pages_run_at_the_same_time_longest_first(tiny):
    meet = (
        "import pathlib, time\npathlib.Path('{own}').touch()\n"
        "while not pathlib.Path('{other}').exists():\n    time.sleep(0.01)"
    )
    tiny.write_pages(
        short=cells(meet.format(own="a", other="b")), long=cells("x = 1\n" + meet.format(own="b", other="a"))
    )
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core runs one page at a time")
    steps = []
    assert set(run_pages(tiny.root, progress=steps.append)) == {"book/short.md", "book/long.md"}
    assert [str(step) for step in steps[:2]] == ["running book/long.md", "running book/short.md"]
    assert [(step.done, step.total) for step in steps] == [(0, 2), (0, 2), (1, 2), (2, 2)]


def test_pages_named_first_run_first_and_are_announced(tiny):
    tiny.write_pages(start="# Start\n", long=cells("x = 1\n" * 50), short=cells("y = 2"))
    moments = []
    run_pages(
        tiny.root,
        first=[tiny.book / "short.md"],
        progress=lambda step: moments.append(str(step)),
        first_done=lambda: moments.append("first"),
    )
    assert moments[0] == "running book/short.md"
    assert moments.count("first") == 1
    finished = next(place for place, text in enumerate(moments) if text.startswith("ran book/short.md"))
    assert moments[finished + 1] == "first"


def test_prose_runs_no_page(tiny):
    tiny.write_pages(page=cells("print(1)"))
    run_pages(tiny.root)
    tiny.write_pages(page=cells("print(1)") + "\nMore prose.\n")
    assert run_pages(tiny.root) == []


def test_failing_page_is_named_and_finished_pages_stay(tiny):
    tiny.write_pages(good=cells("x = 1\n" * 9 + "print('good')"), bad=cells("1 / 0"))
    run_pages(tiny.root, only=[tiny.book / "good.md"])
    with pytest.raises(PageError, match=r"book/bad\.md") as raised:
        run_pages(tiny.root)
    assert "ZeroDivisionError" in raised.value.log
    assert kept(tiny, "good")[0][0]["text"] == "good\n"
    tiny.write_pages(good=cells("x = 1\n" * 9 + "print('good')"), bad=cells("print(0)"))
    assert run_pages(tiny.root) == ["book/bad.md"]


def test_kernel_that_dies_is_a_failure(tiny):
    tiny.write_pages(bad=cells("import os\nos._exit(3)"))
    with pytest.raises(PageError, match=r"book/bad\.md"):
        run_pages(tiny.root)


@pytest.mark.parametrize("damage", ["half", "nothing"])
def test_half_written_outputs_are_not_taken_for_finished(tiny, damage):
    tiny.write_pages(page=cells("print('whole')"))
    run_pages(tiny.root)
    build = tiny.root / "_build"
    (path,) = build.rglob("base.ipynb")
    if damage == "half":
        path.write_bytes(path.read_bytes()[:-40])
    else:
        path.unlink()
    (build / "page_runs.json").unlink()  # it is written after the outputs
    assert run_pages(tiny.root) == ["book/page.md"]
    assert kept(tiny, "page")[0][0]["text"] == "whole\n"


def processes_of(root):
    """The processes that work for a course."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if (
                str(root) in os.readlink(path / "cwd")
                or str(root).encode() in (path / "environ").read_bytes()
            ):
                found.append(int(path.name))
        except OSError:
            continue
    return set(found)


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    assert condition()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_goes_on_when_the_caller_is_stopped(tiny, number):
    tiny.write_pages(page=SLEEPER)
    code = f"""\
        from pathlib import Path
        from autograder.book.run.pages import run_pages
        run_pages(Path({str(tiny.root)!r}))
        """
    caller = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_until((tiny.book / "started").exists)
    assert processes_of(tiny.root)
    caller.send_signal(number)
    caller.wait()
    wait_until(lambda: not processes_of(tiny.root))
    assert not (tiny.root / "_build/page_runs.json").exists()


def test_full_disk_is_told_and_leaves_no_outputs(tiny, monkeypatch):
    tiny.write_pages(page=cells("print('x' * 3_000_000)"))
    # a limit on the size of files stands for a full disk: the system refuses the same write
    monkeypatch.setattr(
        "autograder.book.run.pages.SERVER",
        [
            "-c",
            "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)); "
            "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
            "runpy.run_module('autograder.book.run.server', run_name='__main__')",
        ],
    )
    with pytest.raises(OSError, match="too large") as raised:
        run_pages(tiny.root)
    assert describe_machine_error(raised.value) == "" or "\n" not in describe_machine_error(raised.value)
    assert list((tiny.root / "_build").rglob("base.ipynb")) == []
