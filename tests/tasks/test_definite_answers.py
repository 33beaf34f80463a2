"""What a key holds is mathematics: another library's signs and bases would write the same bytes.

A decomposition leaves choices: signs, bases of eigenspaces, all null vectors. Here the libraries choose at random.
A wrong answer that changes with them is declared: `Misconception(…, indefinite=…)`.
"""

import numpy as np
import pytest
import scipy.linalg

from autograder.judging.key import Key, dump_key
from autograder.release.draw import task_key
from autograder.release.rules import broken_rules
from tests.tasks.drawing import key_of
from tests.tasks.test_all_tasks import TASKS, every_task

SEEDS = ["one", "other"]
svd, eigh, qr = np.linalg.svd, np.linalg.eigh, np.linalg.qr


def orthogonal(rng, size):
    return qr(rng.normal(size=(size, size)))[0] * rng.choice([-1.0, 1.0], size=size)


def equal_runs(values):
    """Where equal values stand, as slices; equal but for rounding."""
    edges = np.flatnonzero(np.abs(np.diff(values)) > 1e-10 * np.abs(values).max()) + 1
    return [slice(*pair) for pair in zip([0, *edges], [*edges, len(values)], strict=True)]


class OtherLibrary:
    """numpy's decompositions with every free choice made by chance."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def svd(self, A, full_matrices=True, compute_uv=True, **others):
        if not compute_uv or np.ndim(A) > 2 or 0 in np.shape(A):
            return svd(A, full_matrices, compute_uv)
        U, sigma, Vt = svd(A)
        rank = int(np.sum(sigma > 1e-10 * sigma[0]))
        for run in equal_runs(sigma[:rank]) if rank else []:
            turn = orthogonal(self.rng, len(sigma[run]))
            U[:, run], Vt[run] = U[:, run] @ turn, turn.T @ Vt[run]
        U[:, rank:] = U[:, rank:] @ orthogonal(self.rng, len(U) - rank)
        Vt[rank:] = orthogonal(self.rng, len(Vt) - rank) @ Vt[rank:]
        return (U, sigma, Vt) if full_matrices else (U[:, : len(sigma)], sigma, Vt[: len(sigma)])

    def eigh(self, A, *, subset_by_index=None, **others):
        values, vectors = eigh(A)
        for run in equal_runs(values) if np.ndim(A) == 2 else []:
            vectors[:, run] = vectors[:, run] @ orthogonal(self.rng, len(values[run]))
        first, last = subset_by_index or (0, len(values) - 1)
        return values[..., first : last + 1], vectors[..., first : last + 1]

    def qr(self, A, *others, **more):
        Q, R = qr(A)
        signs = self.rng.choice([-1.0, 1.0], size=Q.shape[1])
        return Q * signs, signs[:, None] * R


@pytest.fixture
def other_library(monkeypatch):
    def install(seed):
        library = OtherLibrary(seed)
        for module in (np.linalg, scipy.linalg):
            for name in ("svd", "eigh", "qr"):
                monkeypatch.setattr(module, name, getattr(library, name))

    return install


def text_of(name, key):
    return dump_key(Key("x", "s", {name: key}))


@every_task
@pytest.mark.parametrize("seed", SEEDS)
def test_another_library_writes_the_same_key_and_its_users_get_the_same_hints(
    topic, name, seed, other_library
):
    task = TASKS[topic, name]
    key = key_of(name, task, seed)
    if broken_rules(task, key):
        pytest.skip("this draw is drawn again")
    other_library(seed=5)
    again = task_key(task, {case.name: case.inputs for case in key.cases}, salt="s")
    assert text_of(name, again) == text_of(name, key)
    assert broken_rules(task, key) == []
