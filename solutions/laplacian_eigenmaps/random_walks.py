"""Tasks `walk_of_two` and `diffusion_distances`: a random walk by hand, and the distances of any walk."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, one_of
from solutions.steps import Worked, bracketed, eq, row, steps, tex

Walk = tuple[Array, float, float]
SAME = (exactly, exactly, exactly)
# (k₁₁, k₁₂, k₂₂) up to 60 whose answers are all short, but for the order of the points
KERNELS = (
    (2, 48, 27),
    (7, 3, 27),
    (9, 3, 17),
    (9, 39, 41),
    (11, 39, 36),
    (13, 3, 45),
    (14, 6, 54),
    (18, 6, 34),
    (27, 9, 51),
    (27, 21, 59),
    (29, 21, 54),
)


@task.hand(
    points=2,
    minutes=10,
    see="eq-diffusion-maps-distance",
    same=SAME,
    parts=("stationary probabilities", "eigenvalue", "squared diffusion distance"),
)
def walk_of_two(kernel: Array) -> Walk:
    """Return π, λ₁ and D₁² of a walk between two points (eq-diffusion-maps-distance)."""
    degrees = kernel.sum(axis=1)
    pi, P = degrees / degrees.sum(), kernel / degrees[:, None]
    return pi, float(np.trace(P) - 1), float(np.sum((P[0] - P[1]) ** 2 / pi))


@walk_of_two.draw
def draw_walk(rng: np.random.Generator) -> task.Cases:
    """Draw a small whole kernel of two points."""
    first, joint, other = one_of(rng, KERNELS)
    kernel = np.array([[first, joint], [joint, other]], dtype=float)
    return {"the numbers of the text": {"kernel": kernel[::-1, ::-1] if rng.random() < 0.5 else kernel}}


@walk_of_two.wrong(
    "The first two answers are right. In the distance each place is divided by its stationary probability."
)
def forgot_the_rarity(kernel: Array) -> Walk:
    """Sum plain squared differences."""
    pi, value, _ = walk_of_two(kernel)
    return pi, value, 2 * value**2


@walk_of_two.wrong("The first two answers are right. The third is the distance; its square was asked for.")
def took_the_root(kernel: Array) -> Walk:
    """Give D₁."""
    pi, value, square = walk_of_two(kernel)
    return pi, value, float(np.sqrt(square))


@walk_of_two.wrong(
    "The first two answers are right. You multiplied by the stationary probabilities; they divide."
)
def multiplied_by_the_probabilities(kernel: Array) -> Walk:
    """Weigh each place by π."""
    pi, value, _ = walk_of_two(kernel)
    return pi, value, value**2


@walk_of_two.wrong(
    "Your walk visits both points equally often. The stationary probabilities are proportional to the degrees."
)
def took_even_probabilities(kernel: Array) -> Walk:
    """Take one half each."""
    _, value, _ = walk_of_two(kernel)
    return np.array([0.5, 0.5]), value, 4 * value**2


@walk_of_two.wrong(
    "Your eigenvalue is the trace of P, the sum of both eigenvalues. One of them is 1.",
    see="thm-diffusion-maps-distance",
)
def took_the_trace(kernel: Array) -> Walk:
    """Give 1 + λ₁."""
    pi, value, square = walk_of_two(kernel)
    return pi, value + 1, square


@walk_of_two.also
def by_the_eigenvector(kernel: Array) -> Walk:
    """Use D₁ = |λ₁| |ψ(1) − ψ(2)| with the normalised eigenvector."""
    pi = kernel.sum(axis=1) / kernel.sum()
    value = kernel[0, 0] / kernel[0].sum() - kernel[0, 1] / kernel[1].sum()
    return pi, float(value), float(value**2 / (pi[0] * pi[1]))


@walk_of_two.worked
def worked_walk(kernel: Array) -> Worked:
    """Compute degrees, the two rows of P, and the sum over both places."""
    degrees = kernel.sum(axis=1)
    pi, P = degrees / degrees.sum(), kernel / degrees[:, None]
    value = float(P[0, 0] - P[1, 0])
    square = value**2 / pi[0] + value**2 / pi[1]
    return steps(
        rf"The degrees are ${row(degrees)}$, so $\pi={row(pi)}$; the rows of $P$ are ${row(P[0])}$ and ${row(P[1])}$.",
        rf"The trace of $P$ is the sum of the eigenvalues, and one of them is 1: "
        rf"$\lambda_1={tex(P[0, 0])}+{tex(P[1, 1])}-1{eq(value)}$.",
        rf"The rows differ by ${tex(value)}$ at both places, with opposite signs: "
        rf"$D_1^2={bracketed(value)}^2/{tex(pi[0])}+{bracketed(value)}^2/{tex(pi[1])}{eq(square)}$.",
    ), (pi, value, square)


@task.code(points=3, minutes=12, see="eq-diffusion-maps-distance")
def diffusion_distances(kernel: Array, t: int) -> Array:
    """Return the N × N table of D_t, by its definition (eq-diffusion-maps-distance)."""
    degrees = kernel.sum(axis=1)
    walk = np.linalg.matrix_power(kernel / degrees[:, None], t)
    return _between(walk, degrees / degrees.sum())


def _between(walk: Array, weights: Array) -> Array:
    differences = walk[:, None] - walk[None]
    return np.asarray(np.sqrt(np.sum(differences**2 / weights, axis=2)))


def _kernel(rng: np.random.Generator, n_points: int, scale: float) -> Array:
    X = rng.normal(size=(n_points, 2)) * [2.0, 1.0]
    return np.round(np.exp(-scale * np.sum((X[:, None] - X) ** 2, axis=2)), 4)


@diffusion_distances.draw
def draw_table(rng: np.random.Generator) -> task.Cases:
    """Draw kernels of several sizes and numbers of steps."""
    return {
        "one step": {"kernel": _kernel(rng, 5, 0.2), "t": 1},
        "three steps": {"kernel": _kernel(rng, 6, 0.5), "t": 3},
        "two steps, weights in another unit": {"kernel": 7 * _kernel(rng, 4, 0.3), "t": 2},
    }


@diffusion_distances.hard
def hard_table(rng: np.random.Generator) -> task.Cases:
    """Draw many steps, two points, whole weights."""
    return {
        "many steps": {"kernel": _kernel(rng, 5, 1.0), "t": 8},
        "two points": {"kernel": np.array([[1.0, 0.3], [0.3, 1.0]]), "t": 2},
        "whole weights": {"kernel": np.array([[9, 2, 1], [2, 7, 3], [1, 3, 8]]), "t": 2},
    }


@diffusion_distances.wrong(
    "Each place is divided by its stationary probability. Yours all have the same weight."
)
def weighed_all_places_alike(kernel: Array, t: int) -> Array:
    """Take plain distances between rows of Pᵗ."""
    walk = np.linalg.matrix_power(kernel / kernel.sum(axis=1)[:, None], t)
    return _between(walk, np.ones(len(kernel)))


@diffusion_distances.wrong(
    "You divided by degrees. The stationary probabilities are degrees divided by their sum.",
)
def divided_by_degrees(kernel: Array, t: int) -> Array:
    """Take degrees in the place of π."""
    degrees = kernel.sum(axis=1)
    return _between(np.linalg.matrix_power(kernel / degrees[:, None], t), degrees)


@diffusion_distances.wrong(
    "Right after one step. Walk t steps before you compare: that is a power of P.", credit=0.5
)
def walked_one_step(kernel: Array, t: int) -> Array:
    """Compare rows of P, whatever t."""
    return diffusion_distances(kernel, 1)


@diffusion_distances.wrong("Your powers are those of single entries. Walking on multiplies matrices.")
def raised_entries_to_the_power(kernel: Array, t: int) -> Array:
    """Use P**t of the entries."""
    degrees = kernel.sum(axis=1)
    return _between((kernel / degrees[:, None]) ** t, degrees / degrees.sum())


@diffusion_distances.wrong("These are squared distances.", credit=0.5)
def forgot_the_last_root(kernel: Array, t: int) -> Array:
    """Return D_t²."""
    return diffusion_distances(kernel, t) ** 2


@diffusion_distances.also
def by_eigenvectors(kernel: Array, t: int) -> Array:
    """Use distances of the full diffusion map."""
    pi = kernel.sum(axis=1) / kernel.sum()
    root = np.sqrt(kernel.sum(axis=1))
    values, U = np.linalg.eigh(kernel / root[:, None] / root)
    Y = U / np.sqrt(pi)[:, None] * values**t
    return np.asarray(np.sqrt(np.maximum(np.sum((Y[:, None] - Y) ** 2, axis=2), 0)))


@diffusion_distances.also
def by_loops(kernel: Array, t: int) -> Array:
    """Walk step by step, then compare pair by pair."""
    P = kernel / kernel.sum(axis=1, keepdims=True)
    walk = np.eye(len(P))
    for _ in range(t):
        walk = walk @ P
    pi = kernel.sum(axis=0) / kernel.sum()
    return np.array([[np.sqrt(sum((a - b) ** 2 / pi)) for b in walk] for a in walk])
