"""New points: how far from their places among all points, and how fast, against scikit-learn.

    python -m benchmarks.transforms           # errors of held-out points, then CPU seconds of 500 new points
    python -m benchmarks.transforms --growth  # CPU seconds on rolls, noisy rolls, 6-D data and noise as powers of N
    python -m benchmarks.transforms --growth --only 6-D --sizes 1000,2000,4000

The error is the distance of 200 held-out points of 1000 to where an embedding of all of them puts them, after the
best similarity of the other 800, relative to the root mean square size of the embedding.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from sklearn import decomposition, manifold
from threadpoolctl import threadpool_limits

import dimred_ref as dr
from dimred_ref.datasets import cylinder_patch, swiss_roll

K = 10
METHODS = {
    "pca": lambda X: dr.pca(X, 2),
    "dual_pca": lambda X: dr.dual_pca(X, 2),
    "rbf_kernel_pca": lambda X: dr.rbf_kernel_pca(X, 2, gamma=0.01),
    "isomap": lambda X: dr.isomap(X, 2, n_neighbors=K),
    "landmark_isomap": lambda X: dr.landmark_isomap(X, 2, n_neighbors=K, n_landmarks=100),
    "lle": lambda X: dr.lle(X, 2, n_neighbors=K),
    "laplacian_eigenmaps": lambda X: dr.laplacian_eigenmaps(X, 2, n_neighbors=K, gamma=0.01),
    "mvu": lambda X: dr.mvu(X, 2, n_neighbors=K),
    "landmark_mvu": lambda X: dr.landmark_mvu(X, 2, n_neighbors=K, n_landmarks=20),
    "conformal_eigenmaps": lambda X: dr.conformal_eigenmaps(X, 2, n_neighbors=K),
}
PEERS = {
    "pca": lambda: decomposition.PCA(2),
    "rbf_kernel_pca": lambda: decomposition.KernelPCA(2, kernel="rbf", gamma=0.01),
    "isomap": lambda: manifold.Isomap(n_neighbors=K, n_components=2),
    "lle": lambda: manifold.LocallyLinearEmbedding(n_neighbors=K, n_components=2),
}


def held_out_error(method: Callable, X: np.ndarray, n_new: int = 200) -> float:
    whole, fit = method(X).embedding, method(X[n_new:])
    motion = dr.similarity_alignment(fit.embedding, whole[n_new:])
    placed = motion.scale * fit.transform(X[:n_new]) @ motion.rotation + motion.shift
    size = np.sqrt(np.mean(np.sum((whole - whole.mean(axis=0)) ** 2, axis=1)))
    return float(np.sqrt(np.mean(np.sum((placed - whole[:n_new]) ** 2, axis=1))) / size)


def seconds(run: Callable[[], object], repetitions: int = 5) -> float:
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def errors() -> Iterable[str]:
    yield f"{'method':22} {'half cylinder':>14} {'swiss roll':>11}"
    for name, method in METHODS.items():
        found = [held_out_error(method, data(1000, seed=0).X) for data in (cylinder_patch, swiss_roll)]
        yield f"{name:22} {found[0]:14.4f} {found[1]:11.4f}"


def speeds(size: int = 2000) -> Iterable[str]:
    X, new = swiss_roll(size, seed=0).X, swiss_roll(500, seed=1).X
    yield f"{'method':22} {'peer s':>9} {'ours s':>9} {'ratio':>6}   500 new points, roll {size}"
    for name, made in PEERS.items():
        for kind in ("float64", "float32"):
            theirs, ours = made().fit(X.astype(kind)), METHODS[name](X.astype(kind))
            times = [
                seconds(lambda fit=fit, kind=kind: fit.transform(new.astype(kind))) for fit in (theirs, ours)
            ]
            label = name if kind == "float64" else f"{name}, {kind}"
            yield f"{label:22} {times[0]:9.4f} {times[1]:9.4f} {times[0] / times[1]:6.2f}"
    flat = dr.pca(X, 2).embedding
    runs = [manifold.trustworthiness, dr.trustworthiness]
    times = [seconds(lambda run=run: run(X, flat, n_neighbors=K), 3) for run in runs]
    yield f"{'trustworthiness':22} {times[0]:9.4f} {times[1]:9.4f} {times[0] / times[1]:6.2f}"


KINDS = {
    "roll": lambda N, seed=0: swiss_roll(N, seed=seed).X,
    "roll, noise 2": lambda N, seed=0: swiss_roll(N, seed=seed, noise=2.0).X,
    "6-D cube": lambda N, seed=0: np.random.default_rng(seed).random((N, 6)),
    "12-D noise": lambda N, seed=0: np.random.default_rng(seed).normal(size=(N, 12)),
}
GROWING = ("isomap", "lle", "laplacian_eigenmaps", "rbf_kernel_pca")


class Timed(NamedTuple):
    """What is timed, given the samples: with ours and with the peer's method."""

    label: str
    ours: Callable[[np.ndarray], Callable[[], object]]
    peer: Callable[[np.ndarray], Callable[[], object]]


def fitting(name: str) -> Timed:
    peers = {**PEERS, "laplacian_eigenmaps": lambda: manifold.SpectralEmbedding(n_neighbors=K)}
    return Timed(
        name, lambda X: lambda: METHODS[name](X), lambda X: lambda: peers[name]().fit_transform(X.copy())
    )


def placing(name: str, new: Callable[[int, int], np.ndarray]) -> Timed:
    """Time the transform of 500 new points alone."""

    def after(fit: Callable[[np.ndarray], object]) -> Callable[[np.ndarray], Callable[[], object]]:
        def prepared(X: np.ndarray) -> Callable[[], object]:
            model, points = fit(X), new(500, 1).astype(X.dtype)
            return lambda: model.transform(points)

        return prepared

    return Timed(f"{name}, transform", after(METHODS[name]), after(lambda X: PEERS[name]().fit(X)))


def growth(sizes: tuple[int, ...], only: str) -> Iterable[str]:
    yield "| method | data | peer s | ours s | ratio | ours | peer |\n|---|---|--:|--:|--:|--:|--:|"
    for kind, data in KINDS.items():
        for dtype in ("float64", "float32") if kind == "6-D cube" else ("float64",):
            label = kind if dtype == "float64" else f"{kind}, {dtype}"
            if only not in label:
                continue
            timed = [fitting(name) for name in GROWING]
            timed += [placing(name, data) for name in GROWING if name in PEERS]
            clouds = [data(N, 0).astype(dtype) for N in sizes]
            yield from (f"| {each.label} | {label} | {row(each, clouds)} |" for each in timed)


def row(timed: Timed, clouds: list[np.ndarray]) -> str:
    """Time both in turn on each cloud: the least of three runs, of what takes seconds one."""
    times = np.array([in_turn(timed.peer(X), timed.ours(X)) for X in clouds])
    peer, ours = np.polyfit(np.log([len(X) for X in clouds]), np.log(times), 1)[0]
    last = times[-1]
    return f"{last[0]:.4f} | {last[1]:.4f} | {last[0] / last[1]:.2f} | N^{ours:.2f} | N^{peer:.2f}"


def in_turn(*runs: Callable[[], object]) -> list[float]:
    found = [[seconds(run, 1) for run in runs]]
    while len(found) < 3 and np.sum(found) < 2:
        found.append([seconds(run, 1) for run in runs])
    return np.min(found, axis=0).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--only", default="", metavar="WORD", help="of the name of the data")
    parser.add_argument("--sizes", default="1000,2000,4000")
    options = parser.parse_args()
    sizes = tuple(map(int, options.sizes.split(",")))
    with threadpool_limits(1):
        for table in (growth(sizes, options.only),) if options.growth else (errors(), speeds()):
            for line in table:
                print(line, flush=True)


if __name__ == "__main__":
    main()
