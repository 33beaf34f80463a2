"""PCA of a file that is larger than what it may take of memory, against scikit-learn's IncrementalPCA and dask-ml.

    python -m benchmarks.out_of_core [--rows 1000000] [--columns 100] [--dask-ml /somewhere/bin/python]

dask-ml is not among the locked packages: it brings numba, llvmlite, pandas and pyarrow. In an environment of its own it
installs beside the locked versions of numpy, scipy, scikit-learn and dask, and --dask-ml names the Python of that one.
A file of factors and noise is written once and read through a memory map by each, in a process of its own: CPU
seconds, the least of some runs in turn; the peak of the process's own memory, in a run that is not timed; and the
error of the variances against two exact passes in long double precision over the file. Pages of the file belong to the
system, which takes them back when it likes: they are not counted.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

BLOCK = 20_000
COMPONENTS = 10


def write(path: Path, n_rows: int, n_columns: int) -> None:
    X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(n_rows, n_columns))
    directions = np.random.default_rng(0).normal(size=(30, n_columns))
    for start in range(0, n_rows, BLOCK):
        rng, size = np.random.default_rng(start + 1), min(BLOCK, n_rows - start)
        X[start : start + size] = (
            rng.normal(size=(size, 30)) @ directions + rng.normal(size=(size, n_columns)) + 3
        )
    X.flush()


def ours(X: np.ndarray) -> np.ndarray:
    from dimred_ref import pca_of_blocks

    return pca_of_blocks(X, COMPONENTS, ddof=1).variances


def incremental(X: np.ndarray) -> np.ndarray:
    from sklearn.decomposition import IncrementalPCA

    fit = IncrementalPCA(COMPONENTS)
    for start in range(0, len(X), BLOCK):  # its own fit(X) would copy the whole file into memory first
        fit.partial_fit(X[start : start + BLOCK])
    return fit.explained_variance_


def dask_ml(X: np.ndarray, **options: object) -> np.ndarray:
    """Fit its exact solver, unless options say otherwise: a QR of each chunk, and of what is left of them."""
    import dask.array
    from dask_ml.decomposition import PCA

    # without a name of its own, which would be a digest of the whole file
    chunks = dask.array.from_array(X, chunks=(min(BLOCK, len(X)), X.shape[1]), name=False)
    return PCA(COMPONENTS, **({"svd_solver": "tsqr"} | options)).fit(chunks).explained_variance_


def dask_ml_randomized(X: np.ndarray) -> np.ndarray:
    return dask_ml(X, svd_solver="randomized", iterated_power=4, random_state=0)


def exact(X: np.ndarray) -> np.ndarray:
    mean = sum(X[i : i + BLOCK].sum(axis=0, dtype=np.longdouble) for i in range(0, len(X), BLOCK)) / len(X)
    total = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), BLOCK):
        block = np.asarray(X[start : start + BLOCK] - mean, dtype=np.float64)
        total += block.T @ block
    return np.linalg.eigvalsh(total / (len(X) - 1))[: -COMPONENTS - 1 : -1]


RUNS = {
    "dimred_ref.pca_of_blocks": ours,
    "IncrementalPCA": incremental,
    "dask-ml, tsqr": dask_ml,
    "dask-ml, randomized": dask_ml_randomized,
    "exact": exact,
}


def measure(
    name: str, path: Path, python: str = sys.executable, *, memory: bool = False
) -> dict[str, object]:
    arguments = [python, "-m", "benchmarks.out_of_core", "--run", name, "--file", str(path)]
    arguments += ["--memory"] if memory else []
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def run(name: str, path: Path, *, memory: bool) -> None:
    RUNS[name](np.random.default_rng(0).normal(size=(200, 20)))  # imports
    peak = Peak() if memory else None
    start = time.process_time()
    variances = RUNS[name](np.load(path, mmap_mode="r"))
    seconds = time.process_time() - start
    print(json.dumps({"cpu": seconds, "mb": peak.risen() if peak else None, "variances": variances.tolist()}))


class Peak(threading.Thread):
    """The largest rise of this process's own memory, looked at every few milliseconds.

    The system's own peak would not do: it counts the pages of the file, and what the process before had.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._ended = threading.Event()
        self._before = self._peak = own_megabytes()
        self.start()

    def run(self) -> None:
        while not self._ended.wait(0.002):
            self._peak = max(self._peak, own_megabytes())

    def risen(self) -> float:
        self._ended.set()
        self.join()
        return self._peak - self._before


def own_megabytes() -> float:
    return int(re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--dask-ml", metavar="PYTHON", help="of an environment that has dask-ml")
    parser.add_argument("--runs", type=int, default=3, help="of which the least time counts")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run(options.run, options.file, memory=options.memory)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "X.npy"
        write(path, options.rows, options.columns)
        truth = np.array(measure("exact", path)["variances"])
        print(
            f"{options.rows} × {options.columns}, {path.stat().st_size / 2**20:.0f} MB, {COMPONENTS} components"
        )
        pythons = dict.fromkeys(("dimred_ref.pca_of_blocks", "IncrementalPCA"), sys.executable)
        if options.dask_ml:
            pythons |= dict.fromkeys(("dask-ml, tsqr", "dask-ml, randomized"), options.dask_ml)
        times = {name: [] for name in pythons}
        for _ in range(options.runs):
            for name, python in pythons.items():
                times[name].append(measure(name, path, python)["cpu"])
        for name, python in pythons.items():
            found = measure(name, path, python, memory=True)
            error = np.abs(np.array(found["variances"]) / truth - 1).max()
            print(
                f"{name:26} {min(times[name]):8.2f} CPU s {found['mb']:8.0f} MB   error {error:.0e}",
                flush=True,
            )


if __name__ == "__main__":
    main()
