"""Maximum variance unfolding and conformal eigenmaps against cvxpy with Clarabel.

    python -m benchmarks.mvu [--quick]

Every measurement is a fresh process with one BLAS thread: CPU seconds of the call alone, and how far
it raised the peak resident memory (solvers allocate outside numpy). The semidefinite programs of
cvxpy stop being practical near N = 100, so larger unfoldings are set against its time there. "same"
is the relative difference of the two optimal values; where the peer solved a smaller problem it is
our verified gap, and inf means that the peer gave up. "gap" is always ours, verified: duality gap or
Frank–Wolfe gap, relative to the value.
"""

import argparse
import multiprocessing
import os
import resource
import time
import warnings
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

COLUMNS = ("method", "data", "peer", "peer_cpu", "ours_cpu", "ratio", "peer_mb", "ours_mb", "same", "gap")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
PEER = "cvxpy + Clarabel"
K = 6  # neighbours for unfolding
K_CONFORMAL = 10

Run = Callable[[], tuple[float, float]]  # returns the optimal value and the verified gap


def unfolding(size: int) -> Run:
    from dimred_ref.datasets import swiss_roll
    from dimred_ref.mvu import mvu

    X = swiss_roll(size, seed=0).X

    def run() -> tuple[float, float]:
        certificate = mvu(X, 2, n_neighbors=K).certificate
        assert certificate.max_violation <= 1e-9
        return certificate.objective, certificate.gap

    return run


def landmark_unfolding(size: int) -> Run:
    from dimred_ref.datasets import swiss_roll
    from dimred_ref.mvu import landmark_mvu

    X = swiss_roll(size, seed=0).X

    def run() -> tuple[float, float]:
        certificate = landmark_mvu(X, 2, n_neighbors=K, n_landmarks=40).certificate
        return certificate.objective, certificate.gap

    return run


def peer_unfolding(size: int) -> Run:
    import cvxpy

    from dimred_ref.datasets import swiss_roll
    from dimred_ref.mvu import neighbor_edges

    edges, squared_lengths = neighbor_edges(swiss_roll(size, seed=0).X, K)
    i, j = edges.T

    def run() -> tuple[float, float]:
        gram = cvxpy.Variable((size, size), PSD=True)
        own, entries = cvxpy.diag(gram), cvxpy.vec(gram, order="F")
        constraints = [own[i] + own[j] - 2 * entries[i + j * size] <= squared_lengths, cvxpy.sum(gram) == 0]
        problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.trace(gram)), constraints)
        problem.solve(solver="CLARABEL")
        return float(problem.value), np.nan

    return run


def conformal_program(size: int, n_eigenvectors: int) -> np.ndarray:
    from dimred_ref.conformal_eigenmaps import conformal_quadratic
    from dimred_ref.datasets import swiss_roll
    from dimred_ref.graph import nearest_neighbors
    from dimred_ref.lle import lle

    X = swiss_roll(size, seed=0).X
    eigenvectors = lle(X, n_eigenvectors, n_neighbors=K_CONFORMAL).embedding
    return conformal_quadratic(eigenvectors, X, nearest_neighbors(X, K_CONFORMAL)[1])


def conformal(size: int, n_eigenvectors: int) -> Run:
    from dimred_ref._fast.spectraplex import minimise_on_spectraplex, svec

    A = conformal_program(size, n_eigenvectors)

    def run() -> tuple[float, float]:
        P, gap = minimise_on_spectraplex(A)
        value = float(svec(P) @ A @ svec(P))
        return value, gap / value

    return run


def peer_conformal(size: int, n_eigenvectors: int) -> Run:
    import cvxpy

    A = conformal_program(size, n_eigenvectors)

    def run() -> tuple[float, float]:
        eigenvalues, vectors = np.linalg.eigh(A)
        root = np.sqrt(np.maximum(eigenvalues, 0))[:, None] * vectors.T
        P = cvxpy.Variable((n_eigenvectors, n_eigenvectors), PSD=True)
        rows, columns = np.triu_indices(n_eigenvectors)
        entries = cvxpy.vec(P, order="F")[rows + columns * n_eigenvectors]
        weighted = cvxpy.multiply(np.where(rows == columns, 1.0, np.sqrt(2)), entries)
        unit = np.sqrt(eigenvalues[-1])
        problem = cvxpy.Problem(
            cvxpy.Minimize(cvxpy.sum_squares((root / unit) @ weighted)), [cvxpy.trace(P) == 1]
        )
        try:
            problem.solve(solver="CLARABEL")
        except cvxpy.SolverError:
            return np.inf, np.nan
        found = np.where(rows == columns, 1.0, np.sqrt(2)) * P.value[rows, columns]
        return float(found @ A @ found), np.nan

    return run


def _measured(prepare: Callable[..., Run], arguments: tuple[int, ...]) -> tuple[float, float, float, float]:
    warnings.simplefilter("ignore")
    run = prepare(*arguments)
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    value, gap = run()
    seconds = time.process_time() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - kilobytes) / 1024, value, gap


@cache
def measured(prepare: Callable[..., Run], *arguments: int) -> tuple[float, float, float, float]:
    """Return CPU seconds, megabytes, optimal value and gap of one run in a process of its own."""
    os.environ.update(ONE_THREAD)  # read by the child when it loads numpy
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (prepare, arguments))


def row(
    method: str, data: str, peer: str, theirs: tuple[float, ...], ours: tuple[float, ...]
) -> dict[str, object]:
    peer_cpu, peer_mb, peer_value, _ = theirs
    ours_cpu, ours_mb, value, gap = ours
    return {
        "method": method,
        "data": data,
        "peer": peer,
        "peer_cpu": peer_cpu,
        "ours_cpu": ours_cpu,
        "ratio": peer_cpu / ours_cpu,
        "peer_mb": peer_mb,
        "ours_mb": ours_mb,
        "same": gap if np.isnan(peer_value) else abs(peer_value / value - 1),
        "gap": gap,
    }


def rows(*, quick: bool = False) -> Iterable[dict[str, object]]:
    """Yield one dict per comparison, as it is made; quick leaves out what takes a minute."""
    largest = 40 if quick else 100  # the largest N that cvxpy is asked to solve
    theirs = measured(peer_unfolding, largest)
    yield row("mvu", f"swiss roll {largest}", PEER, theirs, measured(unfolding, largest))
    at_smaller = (*theirs[:2], np.nan, np.nan)
    for size in (500,) if quick else (2000, 10_000):
        peer = f"{PEER}, N = {largest}"
        yield row("mvu", f"swiss roll {size}", peer, at_smaller, measured(unfolding, size))
    size = 500 if quick else 2000
    ours = measured(landmark_unfolding, size)
    yield row("landmark_mvu", f"swiss roll {size}", "mvu (full)", measured(unfolding, size), ours)
    size = 1000 if quick else 5000
    for m in (10, 20):
        yield row(
            "conformal_eigenmaps",
            f"m = {m}, swiss roll {size}",
            f"{PEER}, program only",
            measured(peer_conformal, size, m),
            measured(conformal, size, m),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Semidefinite methods of the reference against cvxpy.")
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds in all")
    options = parser.parse_args()
    head = "{:20} {:24} {:32} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}"
    print(head.format(*COLUMNS))
    numbers = "{:20} {:24} {:32} {:9.3f} {:9.3f} {:8.1f} {:8.1f} {:8.1f} {:8.0e} {:8.0e}"
    for each in rows(quick=options.quick):
        print(numbers.format(*(each[name] for name in COLUMNS)), flush=True)


if __name__ == "__main__":
    main()
