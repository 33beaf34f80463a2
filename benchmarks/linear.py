"""PCA against scikit-learn: its default and its exact solver, on tall, wide, square and real data.

    python -m benchmarks.linear                   # the cases of the table in TABLES.md
    python -m benchmarks.linear --all             # many shapes, kinds of data, dtypes and numbers of components
    python -m benchmarks.linear --all --markdown  # as lines for a table
    python -m benchmarks.linear --ratios [--only "300 × 300,"]  # times alone, as in the second table of TABLES.md;
                                                  # with --patience 8 more runs, for a machine that has other work

All run in one process with one BLAS thread, in turn; times are the least CPU seconds of several runs, memory is the
peak of what numpy allocates. "same" is the largest difference of the scores, after signs, relative to
the largest score; "error" and "peer_error" compare each with the singular value decomposition. For
large data that are not tall scikit-learn's default is randomised: where "same" is large the error is
the peer's. "exact" is the faster of scikit-learn's exact solvers, full and covariance_eigh; "right" is the fastest of
all of its solvers whose scores are right to 1e-6, among them the randomised one with more and more iterations. A ratio
is the CPU time of the other over ours.
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from sklearn import decomposition
from threadpoolctl import threadpool_limits

from dimred_ref.datasets import digits
from dimred_ref.pca import pca, pca_by_svd

Scores = Callable[[np.ndarray], np.ndarray]

REPETITIONS = 25
PATIENCE = 0.6  # CPU seconds, unless told: what takes longer is run once
RIGHT = 1e-6  # a difference of scores from the exact ones that is no error yet
LARGEST_COVARIANCE = 5000  # features: a covariance matrix of more takes too long to be the fastest
SHAPES = (
    *((50, 50), (300, 300), (500, 500), (1000, 50), (50, 1000), (600, 600), (1000, 1000), (2000, 1000)),
    *((1000, 2000), (2000, 2000), (5000, 500), (500, 5000), (5000, 2000), (50_000, 50), (50, 50_000)),
    *((20_000, 200), (200, 20_000), (100_000, 50), (200_000, 50), (2000, 1500)),
)


class Case(NamedTuple):
    """One comparison: samples of a kind, a number of components, and scikit-learn's solver."""

    kind: str
    rows: int
    columns: int
    n_components: int = 10
    solver: str = "auto"
    dtype: str = "float64"

    @property
    def data(self) -> str:
        dtype = "" if self.dtype == "float64" else f" {self.dtype}"
        return f"{self.kind} {self.rows} × {self.columns}{dtype}, {self.n_components}"


def cases() -> Iterator[Case]:
    for shape in ((2000, 1000), (1000, 1000), (200, 20_000), (200_000, 50)):
        yield from (Case("factors", *shape, solver=solver) for solver in ("auto", "full"))
    yield from (Case("noise", 1000, 1000, solver=solver) for solver in ("auto", "full"))
    yield from (Case("digits", 1797, 64, solver=solver) for solver in ("auto", "full"))


def all_cases() -> Iterator[Case]:
    yield from cases()
    for shape in SHAPES:
        for kind in ("factors", "decay", "noise"):
            counts = sorted({min(count, *shape) for count in (2, 10, 50)})
            yield from (Case(kind, *shape, n_components=count) for count in counts)
        yield Case("factors", *shape, solver="full")
    for dtype in ("float32", "int32", "uint8"):
        for shape in ((1000, 1000), (200, 20_000), (20_000, 50)):
            yield Case("factors", *shape, dtype=dtype)
    yield from (Case("digits", 1797, 64, count, solver) for count in (2, 50) for solver in ("auto", "full"))


@lru_cache(maxsize=1)
def samples(kind: str, n_rows: int, n_columns: int, dtype: str) -> np.ndarray:
    """Thirty factors and noise, as measured data often are; standard deviations 1, ½, ⅓, …; noise; digits."""
    if kind == "digits":
        return digits().X
    rng = np.random.default_rng(0)
    if kind == "noise":
        return rng.normal(size=(n_rows, n_columns)).astype(dtype)
    rank = 30 if kind == "factors" else min(n_rows, n_columns)
    weights = np.ones(rank) if kind == "factors" else 1 / np.arange(1, rank + 1)
    X = rng.normal(size=(n_rows, rank)) * weights @ rng.normal(size=(rank, n_columns))
    if kind == "factors":
        X += 0.5 * rng.normal(size=X.shape)
    return X.astype(dtype) if dtype.startswith("float") else np.clip(10 * X + 128, 0, 255).astype(dtype)


@lru_cache(maxsize=1)
def exact_scores(kind: str, n_rows: int, n_columns: int, dtype: str) -> np.ndarray:
    X = samples(kind, n_rows, n_columns, dtype)
    return pca_by_svd(X, min(50, *X.shape)).embedding


def cpu_seconds(run: Scores, X: np.ndarray) -> float:
    start = time.process_time()
    run(X)
    return time.process_time() - start


def least_seconds(X: np.ndarray, *runs: Scores, patience: float = PATIENCE) -> list[float]:
    """Return the least time of each, run in turn so that a busy moment meets all of them."""
    rounds = [[cpu_seconds(run, X) for run in runs]]
    while len(rounds) < REPETITIONS and sum(map(sum, rounds)) < patience:
        rounds.append([cpu_seconds(run, X) for run in runs])
    return [min(times) for times in zip(*rounds, strict=True)]


def peak_megabytes(run: Scores, X: np.ndarray) -> float:
    tracemalloc.start()
    run(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def difference(one: np.ndarray, other: np.ndarray) -> float:
    signs = np.sign(np.sum(one * other, axis=0))
    return float(np.abs(one * signs - other).max() / np.abs(other).max())


def peer(n_components: int, **options: object) -> Scores:
    """Return scikit-learn's PCA with some options."""
    return lambda X: decomposition.PCA(n_components, random_state=0, **options).fit_transform(X)


def solvers(X: np.ndarray, n_components: int) -> Iterator[tuple[str, Scores]]:
    """Yield scikit-learn's ways to the answer, the randomised one with more and more iterations."""
    yield "default", peer(n_components)
    if X.shape[1] <= LARGEST_COVARIANCE:
        yield "covariance_eigh", peer(n_components, svd_solver="covariance_eigh")
    if n_components < min(X.shape):
        yield "arpack", peer(n_components, svd_solver="arpack")
    for iterations in (14, 28, 56, 112, 224):
        options = {"svd_solver": "randomized", "iterated_power": iterations}
        yield f"randomized, {iterations}", peer(n_components, **options)
    yield "full", peer(n_components, svd_solver="full")


class Tried(NamedTuple):
    """A solver that was run once: its time, and how far off it is."""

    name: str
    run: Scores
    seconds: float
    error: float


def tried_solvers(X: np.ndarray, exact: np.ndarray) -> list[Tried]:
    """Run each solver once; not those that cannot be the fastest any more."""
    tried: list[Tried] = []
    for name, run in solvers(X, exact.shape[1]):
        if _is_hopeless(name, X, tried):
            continue
        start = time.process_time()
        found = run(X)
        tried.append(Tried(name, run, time.process_time() - start, difference(found, exact)))
    return tried


def _is_hopeless(name: str, X: np.ndarray, tried: list[Tried]) -> bool:
    right = [solver for solver in tried if solver.error <= RIGHT]
    if name == "full" and X.size * min(X.shape) > 1e9:
        return any(solver.name == "covariance_eigh" for solver in right)
    if not right or not name.startswith("randomized"):
        return False
    least = min(solver.seconds for solver in right)  # more iterations take longer
    return any(solver.name.startswith("randomized") and solver.seconds >= least for solver in tried)


def fastest(tried: list[Tried], *names: str) -> Tried:
    """Return the fastest that is right, of the named solvers or of all."""
    right = (solver for solver in tried if solver.error <= RIGHT and (not names or solver.name in names))
    return min(right, key=lambda solver: solver.seconds)


def compare(case: Case) -> dict[str, object]:
    drawn = case.kind, case.rows, case.columns, case.dtype
    X, count = samples(*drawn), case.n_components

    def ours(X: np.ndarray) -> np.ndarray:
        return pca(X, count).embedding

    theirs = peer(count, svd_solver=case.solver)
    found, peers = ours(X), theirs(X)  # also the runs that warm both up
    truth = exact_scores(*drawn)[:, :count]
    tried = tried_solvers(X, truth)
    exact, right = fastest(tried, "full", "covariance_eigh"), fastest(tried)
    peer_cpu, ours_cpu, exact_cpu, right_cpu = least_seconds(X, theirs, ours, exact.run, right.run)
    return {
        "method": "pca",
        "data": case.data,
        "peer": f"PCA ({'default' if case.solver == 'auto' else 'exact'})",
        "peer_cpu": peer_cpu,
        "ours_cpu": ours_cpu,
        "ratio": peer_cpu / ours_cpu,
        "peer_mb": peak_megabytes(theirs, X),
        "ours_mb": peak_megabytes(ours, X),
        "same": difference(found, peers),
        "error": difference(found, truth),
        "peer_error": difference(peers, truth),
        "exact": exact.name,
        "exact_ratio": exact_cpu / ours_cpu,
        "right": right.name,
        "right_ratio": right_cpu / ours_cpu,
    }


def ratios(case: Case, patience: float) -> str:
    """Return a line with our time and the ratios of the exact solvers' and of arpack's to it: no errors, no memory."""
    X, count = samples(case.kind, case.rows, case.columns, case.dtype), case.n_components
    names = [name for name in ("covariance_eigh", "full", "arpack") if _is_worth_timing(name, case)]
    runs = [peer(count, svd_solver=name) for name in names]
    ours, *others = least_seconds(X, lambda X: pca(X, count).embedding, *runs, patience=patience)
    shown = " | ".join(f"{name} {seconds / ours:.2f}" for name, seconds in zip(names, others, strict=True))
    return f"| {case.data} | {1e3 * ours:.3g} | {shown} |"


def _is_worth_timing(solver: str, case: Case) -> bool:
    """Leave out what cannot be the fastest: a large covariance of wide data, the others on tall or large data."""
    is_wide, is_tall = case.rows < case.columns, case.rows >= 20 * case.columns
    size = case.rows * case.columns * min(case.rows, case.columns)
    return {
        "covariance_eigh": not is_wide or case.columns <= 1000,
        "full": is_wide or (size <= 1e8 and not is_tall),
        "arpack": case.n_components < min(case.rows, case.columns) and not is_tall,
    }[solver]


def rows() -> list[dict[str, object]]:
    """Return one dict per comparison."""
    with threadpool_limits(1):
        return [compare(case) for case in cases()]


FORMS = {
    **{key: ".4f" for key in ("peer_cpu", "ours_cpu")},
    **{key: ".2f" for key in ("ratio", "peer_mb", "ours_mb")},
    **{key: ".0e" for key in ("error", "peer_error")},
    **{"exact": "", "exact_ratio": ".2f", "right": "", "right_ratio": ".2f"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="many shapes, kinds, dtypes and components")
    parser.add_argument("--markdown", action="store_true", help="print a table for TABLES.md")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="CPU seconds for the runs of a line")
    parser.add_argument("--ratios", action="store_true", help="times alone, of the exact solvers and arpack")
    options = parser.parse_args()
    many = options.all or options.ratios
    wanted = (case for case in (all_cases() if many else cases()) if options.only in case.data)
    if options.ratios:
        with threadpool_limits(1):
            for case in dict.fromkeys(case for case in wanted if case.solver == "auto"):
                print(ratios(case, options.patience), flush=True)
        return
    columns = "{:32} {:13} {:>8} {:>8} {:>7} {:>8} {:>8} {:>7} {:>10} {:>15} {:>11} {:>15} {:>11}"
    if options.markdown:
        columns = "| " + " | ".join(["{}"] * 13) + " |"
    print(columns.format("data, components", "peer", *FORMS))
    if options.markdown:
        print("|" + "---|" * 2 + "--:|" * 7 + "---|--:|" * 2)
    with threadpool_limits(1):
        for row in map(compare, wanted):
            numbers = [format(row[key], form) for key, form in FORMS.items()]
            print(columns.format(row["data"], row["peer"], *numbers), flush=True)


if __name__ == "__main__":
    main()
