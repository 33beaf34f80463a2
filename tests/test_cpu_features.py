"""Generated files have the same bytes on every processor: all that writes or compares them adds up alike."""

import os
import subprocess
import sys

import pytest

from autograder.cpu_features import FEATURES_TO_DISABLE, KERNELS, supports_pinned_kernels

IN_USE = """
import io, sys, contextlib
{first}
import numpy, scipy.linalg, threadpoolctl
from numpy._core._multiarray_umath import __cpu_features__
print({{one["architecture"] for one in threadpoolctl.threadpool_info() if one["internal_api"] == "openblas"}})
print([name for name in {wider} if __cpu_features__[name]])
"""
COMMAND = """
from autograder.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(["--version"])
"""
needs_kernels = pytest.mark.skipif(
    not supports_pinned_kernels(), reason="this kind of processor has other kernels"
)


def used_after(first, **environment):
    """What numpy and scipy calculate with when these lines have run before they are imported."""
    chosen = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")
    others = {name: value for name, value in os.environ.items() if name not in chosen}
    program = [sys.executable, "-c", IN_USE.format(first=first, wider=list(FEATURES_TO_DISABLE))]
    run = subprocess.run(program, env={**others, **environment}, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


@needs_kernels
def test_the_command_calculates_as_every_machine_can():
    assert used_after(COMMAND) == [str({KERNELS}), "[]"]


@needs_kernels
def test_so_do_the_tests():
    assert os.environ["OPENBLAS_CORETYPE"] == KERNELS


@needs_kernels
def test_who_chooses_otherwise_has_it():
    assert used_after(COMMAND, OPENBLAS_CORETYPE="Sandybridge")[0] == str({"Sandybridge"})


def test_a_student_who_only_checks_keeps_what_the_machine_has():
    assert used_after("import autograder.judging.check") == used_after("")
