"""PCA of a file that is larger than what it may take of memory, against scikit-learn's IncrementalPCA and dask-ml.

    python -m benchmarks.out_of_core [--rows 1000000] [--columns 100] [--dask-ml /somewhere/bin/python]

dask-ml is not among the locked packages: it brings numba, llvmlite, pandas and pyarrow. In an environment of its own it
installs beside the locked versions of numpy, scipy, scikit-learn and dask, and --dask-ml names the Python of that one.
A file of factors and noise is written once and read through a memory map by each, in a process of its own: CPU
seconds, how far the process's peak of memory rose, and the error of the variances against two exact passes in long
double precision over the file.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
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

    return IncrementalPCA(COMPONENTS, batch_size=BLOCK).fit(X).explained_variance_


def dask_ml(X: np.ndarray) -> np.ndarray:
    import dask.array
    from dask_ml.decomposition import PCA  # its exact solver: a QR of each chunk, and of what is left of them

    chunks = dask.array.from_array(X, chunks=(min(BLOCK, len(X)), X.shape[1]))
    return PCA(COMPONENTS, svd_solver="tsqr").fit(chunks).explained_variance_


def dask_ml_randomized(X: np.ndarray) -> np.ndarray:
    import dask.array
    from dask_ml.decomposition import PCA

    chunks = dask.array.from_array(X, chunks=(min(BLOCK, len(X)), X.shape[1]))
    solver = PCA(COMPONENTS, svd_solver="randomized", iterated_power=4, random_state=0)
    return solver.fit(chunks).explained_variance_


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


def measure(name: str, path: Path, python: str = sys.executable) -> dict[str, object]:
    arguments = [python, "-m", "benchmarks.out_of_core", "--run", name, "--file", str(path)]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def run(name: str, path: Path) -> None:
    RUNS[name](np.random.default_rng(0).normal(size=(200, 20)))  # imports
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    variances = RUNS[name](np.load(path, mmap_mode="r"))
    seconds = time.process_time() - start
    # pages of the file that happen to be in memory count as the process's, too
    risen = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps({"cpu": seconds, "mb": risen, "variances": variances.tolist()}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--dask-ml", metavar="PYTHON", help="of an environment that has dask-ml")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run(options.run, options.file)
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
        for name, python in pythons.items():
            found = measure(name, path, python)
            error = np.abs(np.array(found["variances"]) / truth - 1).max()
            print(
                f"{name:26} {found['cpu']:8.2f} CPU s {found['mb']:8.0f} MB   error {error:.0e}", flush=True
            )


if __name__ == "__main__":
    main()
