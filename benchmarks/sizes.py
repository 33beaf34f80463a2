"""CPU seconds of methods on sparse graphs, for up to 100,000 samples of the rolled sheet.

    OMP_NUM_THREADS=1 python -m benchmarks.sizes [--largest N]

Ten neighbours, one run each; peak memory is that of the process so far.
"""

import argparse
import resource
import time
from collections.abc import Callable

from dimred_ref import isomap, landmark_isomap, laplacian_eigenmaps, lle, ltsa, nearest_neighbors
from dimred_ref.datasets import swiss_roll

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
JOBS: dict[str, tuple[int, Callable]] = {  # the largest size it is asked for, and the call
    "neighbours": (100_000, lambda X: nearest_neighbors(X, 10)),
    "LLE": (100_000, lambda X: lle(X, 2, n_neighbors=10)),
    "Laplacian eigenmaps": (100_000, lambda X: laplacian_eigenmaps(X, 2, n_neighbors=10, gamma=0.0)),
    "LTSA": (10_000, lambda X: ltsa(X, 2, n_neighbors=10)),
    "landmark Isomap, 100": (100_000, lambda X: landmark_isomap(X, 2, n_neighbors=10, n_landmarks=100)),
    "Isomap": (10_000, lambda X: isomap(X, 2, n_neighbors=10)),
}


def main() -> None:
    """Print a table, a row for each method."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="leave out larger sizes")
    largest = parser.parse_args().largest
    sizes = [size for size in SIZES if size <= largest]
    print("| method | " + " | ".join(f"N = {size:,}" for size in sizes) + " |")
    print("|---" * (len(sizes) + 1) + "|")
    for name, (bound, job) in JOBS.items():
        cells = [f"{measured(job, size):.2f} s" if size <= bound else "–" for size in sizes]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def measured(job: Callable, size: int) -> float:
    """Return CPU seconds of one call."""
    X = swiss_roll(size, seed=0).X
    begun = time.process_time()
    job(X)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
