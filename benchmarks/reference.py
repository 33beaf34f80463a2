"""The reference against scikit-learn, side by side: time, memory, and whether the answers agree.

    python -m benchmarks.reference [--quick] [--only METHOD] [--markdown]

Both run in one process with one BLAS thread, in turn. The first run of each measures its memory, the
peak of what numpy allocates (tracemalloc), and warms it up; times are the least CPU seconds of the
runs after it. Only what takes more than a quarter of a minute is run once, with both. "same" is the
largest difference of the embeddings after unit scaling and signs of their columns, relative to the largest
entry. Another table joins when it is a module benchmarks.NAME with rows(), a list of dicts with the keys
of COLUMNS.
"""

import argparse
import importlib
import importlib.util
import inspect
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn import decomposition, manifold

from dimred_ref.classical_mds import classical_mds
from dimred_ref.datasets import digits, swiss_roll
from dimred_ref.graph import nearest_neighbors
from dimred_ref.isomap import isomap, landmark_isomap
from dimred_ref.kernel_pca import rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph
from dimred_ref.lle import lle

COLUMNS = ("method", "data", "peer", "peer_cpu", "ours_cpu", "ratio", "peer_mb", "ours_mb", "same")
OTHER_TABLES = ("mvu", "linear")
QUICK_SIZE = 2000
REPETITIONS = ((3.0, 5), (15.0, 1))  # CPU seconds of the first run, and how often what takes less runs again
K = 10


@dataclass(frozen=True)
class Peer:
    """How scikit-learn does it, and how we do it; both from the points to the embedding."""

    method: str
    name: str
    peer: Callable[[np.ndarray], np.ndarray]
    ours: Callable[[np.ndarray], np.ndarray]
    data: tuple[str, ...]


def peer_isomap(X):
    return manifold.Isomap(n_neighbors=K, n_components=2).fit_transform(X)


def averaged_eigenmaps(X):
    """As SpectralEmbedding defines its graph: the point itself counts as a neighbour, halves are averaged."""
    indices = nearest_neighbors(X, K - 1)[1]
    starts = np.arange(0, indices.size + 1, K - 1)
    A = csr_array((np.ones(indices.size), indices.ravel(), starts), shape=(len(X), len(X)))
    return eigenmaps_of_graph((A + A.T) / 2, 2).embedding


ROLLS = ("swiss roll 1000", "swiss roll 2000", "swiss roll 5000", "swiss roll 10000")
PEERS = (
    Peer(
        "classical_mds",
        "ClassicalMDS",
        lambda D: manifold.ClassicalMDS(2, metric="precomputed").fit_transform(D),
        lambda D: classical_mds(D, 2).embedding,
        tuple(f"distances in {roll}" for roll in ROLLS[:3]),
    ),
    Peer(
        "kernel_pca",
        "KernelPCA (RBF)",
        lambda X: decomposition.KernelPCA(2, kernel="rbf", gamma=0.01, random_state=0).fit_transform(X),
        lambda X: rbf_kernel_pca(X, 2, gamma=0.01).embedding,
        ROLLS[1:],
    ),
    Peer(
        "isomap",
        "Isomap",
        peer_isomap,
        lambda X: isomap(X, 2, n_neighbors=K).embedding,
        (*ROLLS, "digits", "10-D Gaussian 2000"),
    ),
    Peer(
        "landmark_isomap",
        "Isomap (full)",
        peer_isomap,
        lambda X: landmark_isomap(X, 2, n_neighbors=K, n_landmarks=100).embedding,
        ROLLS[1:],
    ),
    Peer(
        "lle",
        "LocallyLinearEmbedding",
        lambda X: manifold.LocallyLinearEmbedding(
            n_neighbors=K, n_components=2, random_state=0
        ).fit_transform(X),
        lambda X: lle(X, 2, n_neighbors=K).embedding,
        (*ROLLS, "digits"),
    ),
    Peer(
        "laplacian_eigenmaps",
        "SpectralEmbedding",
        lambda X: manifold.SpectralEmbedding(
            2, affinity="nearest_neighbors", n_neighbors=K, random_state=0
        ).fit_transform(X),
        averaged_eigenmaps,
        (*ROLLS, "digits"),
    ),
)


@cache
def points(data: str) -> np.ndarray:
    if data.startswith("distances in "):
        X = points(data.removeprefix("distances in "))
        return cdist(X, X)
    if data == "digits":  # a touch of noise: on tied neighbours the answer depends on their order
        X = digits().X
        return X + 1e-6 * np.random.default_rng(1).standard_normal(X.shape)
    size = size_of(data)
    if data.startswith("10-D Gaussian"):
        return np.random.default_rng(0).standard_normal((size, 10))
    return swiss_roll(size, seed=0).X


def size_of(data: str) -> int:
    last = data.split()[-1]
    return int(last) if last.isdigit() else 1797


def cpu_seconds(run: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    start = time.process_time()
    result = run()
    return time.process_time() - start, result


def peak_megabytes(run: Callable[[], object]) -> float:
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


@dataclass
class Measured:
    """A run on some data: what its first time showed, and the least time of the repetitions."""

    run: Callable[[], np.ndarray]

    def __post_init__(self) -> None:
        results = []
        self.megabytes = peak_megabytes(lambda: results.append(cpu_seconds(self.run)))
        self.first, self.embedding = results[0]
        self.seconds = np.inf
        self.repetitions = max((count for limit, count in REPETITIONS if self.first < limit), default=0)

    def again(self) -> None:
        if self.repetitions:
            self.repetitions -= 1
            self.seconds = min(self.seconds, cpu_seconds(self.run)[0])

    @property
    def cpu(self) -> float:
        return self.first if np.isinf(self.seconds) else self.seconds


@cache
def peer_once(peer: Callable[[np.ndarray], np.ndarray], data: str) -> Measured:
    """Measure a peer; one that several methods are compared with is not run again for each."""
    X = points(data)
    return Measured(lambda: peer(X))


def compare(entry: Peer, data: str) -> dict[str, object]:
    X = points(data)
    theirs, ours = peer_once(entry.peer, data), Measured(lambda: entry.ours(X))
    for _ in range(max(theirs.repetitions, ours.repetitions)):
        ours.again()
        theirs.again()
    return {
        "method": entry.method,
        "data": data,
        "peer": entry.name,
        "peer_cpu": theirs.cpu,
        "ours_cpu": ours.cpu,
        "ratio": theirs.cpu / ours.cpu,
        "peer_mb": theirs.megabytes,
        "ours_mb": ours.megabytes,
        "same": difference(ours.embedding, theirs.embedding),
    }


def difference(ours: np.ndarray, theirs: np.ndarray) -> float:
    ours, theirs = (Y / np.linalg.norm(Y, axis=0) for Y in (ours, theirs))
    signs = np.sign((ours * theirs).sum(axis=0))
    return float(np.abs(ours * signs - theirs).max() / np.abs(theirs).max())


def rows(*, quick: bool = False, only: str | None = None) -> Iterable[dict[str, object]]:
    """Yield one dict per comparison, as it is made."""
    warm_up(gigabytes=0.3 if quick else 2.5)
    for entry in PEERS:
        for data in entry.data:
            if only in (None, entry.method) and not (quick and size_of(data) > QUICK_SIZE):
                yield compare(entry, data)


def warm_up(*, gigabytes: float) -> None:
    """Touch the memory once: the first use of a page is slow, and would be charged to whoever comes first."""
    np.ones(int(gigabytes * 2**27))


def other_rows(*, quick: bool, only: str | None) -> Iterable[dict[str, object]]:
    if only in {entry.method for entry in PEERS}:
        return
    for name in OTHER_TABLES:
        if importlib.util.find_spec(f"benchmarks.{name}") is None:
            continue
        table = importlib.import_module(f"benchmarks.{name}").rows
        options = {"quick": quick, "only": only}
        known = inspect.signature(table).parameters
        for row in table(**{key: value for key, value in options.items() if key in known}):
            if only in (None, row["method"]):
                yield row


def growth(table: list[dict[str, object]]) -> Iterable[str]:
    """Yield, for methods measured at several sizes of one data set, the exponent of N in the time of both."""
    for method in dict.fromkeys(str(row["method"]) for row in table):
        chosen = [row for row in table if row["method"] == method and "swiss roll" in str(row["data"])]
        sizes = [size_of(str(row["data"])) for row in chosen]
        if len(set(sizes)) > 1:
            exponents = [
                np.polyfit(np.log(sizes), np.log([row[key] for row in chosen]), 1)[0]
                for key in ("ours_cpu", "peer_cpu")
            ]
            span = f"{min(sizes)} … {max(sizes)}"
            yield f"{method:22} N = {span:14} ours N^{exponents[0]:.2f}   peer N^{exponents[1]:.2f}"


def line(row: dict[str, object]) -> str:
    def number(value: object, form: str) -> str:
        known = isinstance(value, int | float) and np.isfinite(value)
        return format(value, form) if known else f"{'–':>{form.split('.')[0]}}"

    return (
        f"{row['method']:22} {row['data']:30} {row['peer']:26} {number(row['peer_cpu'], '9.4f')} "
        f"{number(row['ours_cpu'], '9.4f')} {number(row['ratio'], '8.2f')} {number(row['peer_mb'], '9.1f')} "
        f"{number(row['ours_mb'], '9.1f')} {number(row['same'], '9.0e')}"
    )


def markdown(row: dict[str, object]) -> str:
    """Return the row as a line of the table in TABLES.md."""
    forms = {"peer_cpu": ".4f", "ours_cpu": ".4f", "ratio": ".2f", "peer_mb": ".1f", "ours_mb": ".1f"}
    cells = [str(row[name]) for name in COLUMNS[:3]]
    for name in COLUMNS[3:]:
        value = row[name]
        known = isinstance(value, int | float) and np.isfinite(value)
        cells.append(format(value, forms.get(name, ".0e")) if known else "–")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of the reference against its peers.")
    parser.add_argument("--quick", action="store_true", help=f"sizes up to {QUICK_SIZE} only")
    parser.add_argument("--only", metavar="METHOD", help="one method, such as isomap")
    parser.add_argument("--markdown", action="store_true", help="lines for TABLES.md")
    options = vars(parser.parse_args())
    shown = markdown if options.pop("markdown") else line
    if shown is line:
        print("{:22} {:30} {:26} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9}".format(*COLUMNS))
    else:
        print(f"| {' | '.join(COLUMNS)} |\n|---|---|---|{'--:|' * 6}")
    table = []
    # Children of mvu inherit the peak memory of this process as their own: they go before it grows.
    for source in (other_rows, rows):
        for row in source(**options):
            print(shown(row), flush=True)
            table += [row] if source is rows else []
    print("\nCPU time as a power of N, fitted over the swiss rolls:")
    print(*growth(table), sep="\n")


if __name__ == "__main__":
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    if not one_thread.items() <= os.environ.items():  # read when numpy is loaded, so start again with them
        arguments = [sys.executable, "-m", "benchmarks.reference", *sys.argv[1:]]
        os.execve(sys.executable, arguments, os.environ | one_thread)
    main()
