"""Ten tasks about sampled curves: what a first assignment in numerical computing asks for."""

import numpy as np
from scipy import linalg, optimize, spatial

from autograder.authoring.task import Misconception, Task

SUM, TRANSFORM = "eq-curves-sum", "eq-curves-transform"


def noisy_wave(rng, n):
    t = np.linspace(0, 1, n)
    return np.round(np.sin(2 * np.pi * 3 * t) + 0.3 * rng.normal(size=n) + 1.5, 4)


def draw_waves(rng):
    return {"a short curve": {"y": noisy_wave(rng, 40)}, "a long curve": {"y": noisy_wave(rng, 201)}}


def standardised_reference(y):
    return (y - y.mean()) / y.std()


def standardised_by_sums(y):
    centred = y - sum(y) / len(y)
    return centred / (sum(centred**2) / len(y)) ** 0.5


def forgot_to_subtract_the_mean(y):
    return y / y.std()


def divided_by_the_variance(y):
    return (y - y.mean()) / y.var()


standardised = Task(
    kind="code",
    points=1,
    minutes=5,
    draw=draw_waves,
    answer=standardised_reference,
    see=SUM,
    misconceptions=(
        Misconception(forgot_to_subtract_the_mean, "Subtract the mean first.", SUM),
        Misconception(divided_by_the_variance, "Divide by the standard deviation.", SUM),
    ),
    alternatives=(standardised_by_sums,),
)


def smoothed_reference(y):
    return np.convolve(y, np.ones(5) / 5, mode="valid")


def smoothed_by_loop(y):
    return np.array([y[i : i + 5].mean() for i in range(len(y) - 4)])


def kept_the_ends(y):
    return np.convolve(y, np.ones(5) / 5, mode="same")


smoothed = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw_waves,
    answer=smoothed_reference,
    see=SUM,
    misconceptions=(Misconception(kept_the_ends, "Only whole windows count.", SUM),),
    alternatives=(smoothed_by_loop,),
    picture="bars",
)


def spectrum_reference(y):
    return np.abs(np.fft.rfft(y))


def spectrum_by_sums(y):
    k = np.arange(len(y) // 2 + 1)
    return np.abs(np.exp(-2j * np.pi * np.outer(k, np.arange(len(y))) / len(y)) @ y)


def took_the_power(y):
    return np.abs(np.fft.rfft(y)) ** 2


def kept_both_halves(y):
    return np.abs(np.fft.fft(y))


spectrum = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw_waves,
    answer=spectrum_reference,
    see=TRANSFORM,
    misconceptions=(
        Misconception(took_the_power, "The modulus, not its square.", TRANSFORM, credit=0.5),
        Misconception(kept_both_halves, "The second half repeats the first.", TRANSFORM),
    ),
    alternatives=(spectrum_by_sums,),
)


def draw_scatter(rng):
    t = np.round(np.sort(rng.uniform(0, 5, size=80)), 3)
    return {"a cloud around a line": {"t": t, "y": np.round(2 * t - 1 + rng.normal(size=80), 3)}}


def line_reference(t, y):
    return np.polyfit(t, y, 1)


def line_by_least_squares(t, y):
    return linalg.lstsq(np.column_stack([t, np.ones_like(t)]), y)[0]


def went_through_the_origin(t, y):
    return np.array([t @ y / (t @ t), 0.0])


line = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw_scatter,
    answer=line_reference,
    see=SUM,
    misconceptions=(Misconception(went_through_the_origin, "The line has an intercept.", SUM),),
    alternatives=(line_by_least_squares,),
)


def draw_points(rng):
    return {"points of the plane": {"X": np.round(rng.normal(size=(60, 2)), 3)}}


def distances_reference(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def distances_by_scipy(X):
    return spatial.distance.squareform(spatial.distance.pdist(X))


def forgot_the_root(X):
    return ((X[:, None] - X[None]) ** 2).sum(axis=2)


distances = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw_points,
    answer=distances_reference,
    see=SUM,
    misconceptions=(Misconception(forgot_the_root, "These are squares of distances.", SUM),),
    alternatives=(distances_by_scipy,),
)


def draw_growth(rng):
    return {"a rate": {"c": round(float(rng.uniform(0.2, 0.9)), 3)}}


def crossing_reference(c):
    return float(optimize.brentq(lambda x: np.cos(x) - c * x, 0, 2))


def crossing_by_newton(c):
    x = 1.0
    for _ in range(50):
        x = x - (np.cos(x) - c * x) / (-np.sin(x) - c)
    return x


def forgot_the_factor(c):
    return float(optimize.brentq(lambda x: np.cos(x) - x, 0, 2))


crossing = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw_growth,
    answer=crossing_reference,
    see=SUM,
    misconceptions=(Misconception(forgot_the_factor, "What about c?", SUM),),
    alternatives=(crossing_by_newton,),
)


def draw_numbers(rng):
    return {"the printed numbers": {"u": rng.integers(2, 9, size=4).astype(float)}}


def forgot_to_divide(u):
    return float(u.sum())


mean_by_hand = Task(
    kind="hand",
    points=1,
    minutes=3,
    draw=draw_numbers,
    answer=lambda u: float(u.mean()),
    see=SUM,
    misconceptions=(Misconception(forgot_to_divide, "Divide by how many there are.", SUM),),
)


def draw_places(rng):
    a, x = np.round(rng.uniform(1, 2, (2, 6)), 2)
    return {"at sample points": {"a": a, "x": x}}


def forgot_the_inner_factor(a, x):
    return np.cos(a * x)


slope = Task(
    kind="sym",
    points=1,
    minutes=3,
    draw=draw_places,
    answer=lambda a, x: a * np.cos(a * x),
    see=SUM,
    misconceptions=(Misconception(forgot_the_inner_factor, "And the inner derivative?", SUM),),
    alternatives=("a*cos(a*x)", "cos(x*a)*a"),
)


def draw_heights(rng):
    return {"the printed heights": {"h": rng.integers(2, 9, size=5).astype(float)}}


def added_rectangles(h):
    return float(h.sum())


area_by_hand = Task(
    kind="hand",
    points=1,
    minutes=3,
    draw=draw_heights,
    answer=lambda h: float(np.trapezoid(h)),
    see=SUM,
    misconceptions=(Misconception(added_rectangles, "Trapezia, not rectangles.", SUM),),
)


def forgot_to_divide_by_a(a, x):
    return -np.cos(a * x)


primitive = Task(
    kind="sym",
    points=1,
    minutes=3,
    draw=draw_places,
    answer=lambda a, x: -np.cos(a * x) / a,
    see=SUM,
    misconceptions=(Misconception(forgot_to_divide_by_a, "Differentiate it: what is too much?", SUM),),
    alternatives=("-cos(a*x)/a",),
)
