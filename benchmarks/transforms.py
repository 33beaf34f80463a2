"""New points: how far from their places among all points, and how fast, against scikit-learn.

    python -m benchmarks.transforms           # errors of held-out points, then CPU seconds of 500 new points
    python -m benchmarks.transforms --growth  # CPU seconds on 6-D data and on rolls as powers of N

The error is the distance of 200 held-out points of 1000 to where an embedding of all of them puts them, after the
best similarity of the other 800, relative to the root mean square size of the embedding.
"""

import argparse
import time
from collections.abc import Callable, Iterable

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


def growth(sizes: tuple[int, ...] = (1000, 2000, 4000)) -> Iterable[str]:
    peers = {**PEERS, "laplacian_eigenmaps": lambda: manifold.SpectralEmbedding(n_neighbors=K)}
    kinds = {
        "6-D cube": lambda N: np.random.default_rng(0).random((N, 6)),
        "roll": lambda N: swiss_roll(N, seed=0).X,
        "roll, noise 2": lambda N: swiss_roll(N, seed=0, noise=2.0).X,
    }
    for kind, data in kinds.items():
        for name in ("isomap", "lle", "laplacian_eigenmaps"):
            ours = [seconds(lambda N=N: METHODS[name](data(N)), 2) for N in sizes]  # noqa: B023
            theirs = [seconds(lambda N=N: peers[name]().fit_transform(data(N)), 1) for N in sizes]  # noqa: B023
            powers = [np.polyfit(np.log(sizes), np.log(times), 1)[0] for times in (ours, theirs)]
            last = f"{theirs[-1]:8.3f} {ours[-1]:8.3f} {theirs[-1] / ours[-1]:6.2f}"
            yield f"{name:20} {kind:14} {last}   ours N^{powers[0]:.2f}   peer N^{powers[1]:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", action="store_true")
    chosen = (growth,) if parser.parse_args().growth else (errors, speeds)
    with threadpool_limits(1):
        for table in chosen:
            for line in table():
                print(line, flush=True)


if __name__ == "__main__":
    main()
