"""Pin the BLAS kernels, so that generated files have the same bytes on every x86 processor.

OpenBLAS, which numpy and scipy include, sums in a different order on each type of processor, and the last digits of
numpy's exp and cos depend on the width of the registers. Right answers do not depend on that, but unstable wrong ones
do. So commands that write or compare generated files use the AVX2 instructions, which x86 processors of the last ten
years have. The variables must be set before numpy is imported. On other processors (ARM) the keys judge alike, but
their last digits may differ.
"""

import os
import platform
import sys
from pathlib import Path

CPUINFO_PATH = Path("/proc/cpuinfo")
REQUIRED_CPU_FLAG = "avx2"
KERNELS = "Haswell"  # name of the AVX2 kernels in OpenBLAS
# numpy's name of a CPU feature → flag of the processor. Only features that the processor has are disabled, because
# numpy warns about others.
FEATURES_TO_DISABLE = {"X86_V4": "avx512bw", "AVX512_ICL": "avx512_vbmi2", "AVX512_SPR": "avx512_fp16"}


def _read_cpu_flags() -> frozenset[str]:
    """Return the words of /proc/cpuinfo, which include the CPU flags."""
    try:
        return frozenset(CPUINFO_PATH.read_text("utf-8").split())
    except OSError:  # not Linux
        return frozenset({REQUIRED_CPU_FLAG})


def supports_pinned_kernels() -> bool:
    """Return whether this processor supports the pinned kernels."""
    return platform.machine().lower() in ("x86_64", "amd64") and REQUIRED_CPU_FLAG in _read_cpu_flags()


def pin_blas_kernels() -> None:
    """Pin the kernels for this process and its children.

    Environment variables that are set already are kept. No effect once numpy is imported.
    """
    if "numpy" in sys.modules or not supports_pinned_kernels():
        return
    os.environ.setdefault("OPENBLAS_CORETYPE", KERNELS)
    disabled_features = " ".join(
        name for name, flag in FEATURES_TO_DISABLE.items() if flag in _read_cpu_flags()
    )
    if disabled_features:
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", disabled_features)
