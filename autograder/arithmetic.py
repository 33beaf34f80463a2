"""The same arithmetic on every processor, so that what is generated has the same bytes wherever it is made.

OpenBLAS, which numpy and scipy bring along, adds up in another order on each kind of processor, and numpy's own
functions (exp, cos) differ in their last digit where a processor has wider registers. A right answer does not feel
that, but wrong ways that are unstable do. So whoever writes or compares generated files uses what every x86 processor
of the last ten years has; this must be said before numpy is imported. On other processors (ARM) keys judge alike, but
last digits in them may differ.
"""

import os
import platform
import sys
from pathlib import Path

INFORMATION = Path("/proc/cpuinfo")
NEEDED = "avx2"
KERNELS = "Haswell"  # OpenBLAS's name for it
# What numpy would use beyond that, each with a flag by which a processor says that it has it. To switch off what is
# not there would be remarked upon.
WIDER = {"X86_V4": "avx512bw", "AVX512_ICL": "avx512_vbmi2", "AVX512_SPR": "avx512_fp16"}


def _flags() -> frozenset[str]:
    """What the processor says it can do."""
    try:
        return frozenset(INFORMATION.read_text("utf-8").split())
    except OSError:  # no Linux
        return frozenset({NEEDED})


def can_be_the_same() -> bool:
    """Can this processor calculate as the generated files were calculated?"""
    return platform.machine().lower() in ("x86_64", "amd64") and NEEDED in _flags()


def use_the_same() -> None:
    """Calculate so in this process and in all that it starts, unless someone chose otherwise."""
    if "numpy" in sys.modules or not can_be_the_same():
        return
    os.environ.setdefault("OPENBLAS_CORETYPE", KERNELS)
    wider = " ".join(name for name, flag in WIDER.items() if flag in _flags())
    if wider:
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", wider)
