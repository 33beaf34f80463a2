"""PCA against scikit-learn: its default and its exact solver, on tall, wide, square and real data.

    python -m benchmarks.linear

Both run in one process with one BLAS thread, in turn; times are the least CPU seconds of several
runs, memory is the peak of what numpy allocates. "same" is the largest difference of the scores,
after signs, relative to the largest score. For large data that are neither tall nor small
scikit-learn's default is randomised: there "same" is large, and the error is not ours (the column
"error" compares with the singular value decomposition).
"""

import time
import tracemalloc
from collections.abc import Callable
from functools import cache

import numpy as np
from sklearn import decomposition
from threadpoolctl import threadpool_limits

from dimred_ref.datasets import digits
from dimred_ref.pca import pca, pca_by_lanczos, pca_by_svd

Scores = Callable[[np.ndarray], np.ndarray]

N_COMPONENTS = 10
REPETITIONS = 7
SHAPES = ((2000, 1000), (1000, 1000), (200, 20_000), (200_000, 50))
DATA = (*(f"{rows} × {columns}" for rows, columns in SHAPES), "digits")
PEERS: dict[str, Scores] = {
    "PCA (default)": lambda X: decomposition.PCA(N_COMPONENTS, random_state=0).fit_transform(X),
    "PCA (exact)": lambda X: decomposition.PCA(N_COMPONENTS, svd_solver="full").fit_transform(X),
}
OURS: dict[str, Scores] = {
    "pca": lambda X: pca(X, N_COMPONENTS).embedding,
    "pca_by_lanczos": lambda X: pca_by_lanczos(X, N_COMPONENTS).embedding,
}


@cache
def samples(data: str) -> np.ndarray:
    """Thirty factors and noise, as measured data often are; or the digits."""
    if data == "digits":
        return digits().X
    n_rows, n_columns = (int(count) for count in data.split(" × "))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 30)) @ rng.normal(size=(30, n_columns))
    X += 0.5 * rng.normal(size=X.shape)
    return X


@cache
def exact_scores(data: str) -> np.ndarray:
    return pca_by_svd(samples(data), N_COMPONENTS).embedding


def cpu_seconds(run: Scores, X: np.ndarray) -> float:
    start = time.process_time()
    run(X)
    return time.process_time() - start


def peak_megabytes(run: Scores, X: np.ndarray) -> float:
    tracemalloc.start()
    run(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def difference(one: np.ndarray, other: np.ndarray) -> float:
    signs = np.sign(np.sum(one * other, axis=0))
    return float(np.abs(one * signs - other).max() / np.abs(other).max())


def compare(data: str, method: str, peer: str) -> dict[str, object]:
    X, ours, theirs = samples(data), OURS[method], PEERS[peer]
    same = difference(ours(X), theirs(X))  # also the run that warms both up
    pairs = [(cpu_seconds(theirs, X), cpu_seconds(ours, X)) for _ in range(REPETITIONS)]
    peer_cpu, ours_cpu = (min(times) for times in zip(*pairs, strict=True))
    return {
        "method": method,
        "data": data,
        "peer": peer,
        "peer_cpu": peer_cpu,
        "ours_cpu": ours_cpu,
        "ratio": peer_cpu / ours_cpu,
        "peer_mb": peak_megabytes(theirs, X),
        "ours_mb": peak_megabytes(ours, X),
        "same": same,
        "error": difference(ours(X), exact_scores(data)),
        "peer_error": difference(theirs(X), exact_scores(data)),
    }


def rows() -> list[dict[str, object]]:
    """Return one dict per comparison: pca everywhere, the Krylov road where the default is randomised."""
    table = []
    with threadpool_limits(1):
        for data in DATA:
            table += [compare(data, "pca", peer) for peer in PEERS]
            if data in ("2000 × 1000", "1000 × 1000"):
                table.append(compare(data, "pca_by_lanczos", "PCA (default)"))
    return table


def main() -> None:
    columns = "{:15} {:13} {:14} {:>9} {:>9} {:>7} {:>8} {:>8} {:>7} {:>7} {:>10}"
    table = rows()
    print(columns.format(*table[0]))
    for row in table:
        numbers = [f"{row[key]:.4f}" for key in ("peer_cpu", "ours_cpu")]
        numbers += [f"{row['ratio']:.2f}", f"{row['peer_mb']:.1f}", f"{row['ours_mb']:.1f}"]
        numbers += [f"{row[key]:.0e}" for key in ("same", "error", "peer_error")]
        print(columns.format(row["method"], row["data"], row["peer"], *numbers))


if __name__ == "__main__":
    main()
