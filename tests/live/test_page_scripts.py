"""Scripts of live pages under node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder.book.formulas import node_program
from autograder.book.live.assets import LIVE_PAGE_FOLDER

HERE = Path(__file__).parent


@pytest.mark.skipif(node_program() is None, reason="node is not installed")
def test_python_is_replaced_only_if_it_does_not_answer(tmp_path):
    script = tmp_path / "python.mjs"
    shutil.copy(LIVE_PAGE_FOLDER / "python.js", script)
    run = subprocess.run(
        [node_program(), "--test", HERE / "python.test.mjs"],
        env={**os.environ, "PYTHON_SCRIPT": script.as_uri()},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-3000:]
