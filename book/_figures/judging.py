"""The drawings of the page on a course of one's own: how the engine judges."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from _figures.style import BLUE, GREY, INK, ORANGE, SKY, arrow

HEIGHT = 0.82  # of a box, in the units of the drawing


def _page(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty drawing whose unit is an inch."""
    fig, ax = plt.subplots(figsize=(width, height))
    ax.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    ax.axis("off")
    fig.subplots_adjust(0, 0, 1, 1)
    return fig, ax


def _box(ax: Axes, corner: tuple[float, float], width: float, text: str, color: str = GREY) -> None:
    """Draw a box around text, from its lower left corner."""
    x, y = corner
    shape = FancyBboxPatch(
        (x, y), width, HEIGHT, "round,pad=0,rounding_size=0.1", ec=color, fc="none", lw=1.6
    )
    ax.add_patch(shape)
    ax.text(x + width / 2, y + HEIGHT / 2, text, ha="center", va="center", fontsize=11, linespacing=1.3)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str = "") -> None:
    """Draw an arrow with words above its middle."""
    arrow(ax, np.array(start), np.array(end), BLUE)
    middle = np.mean([start, end], axis=0)
    ax.text(middle[0], middle[1] + 0.08, text, ha="center", va="bottom", fontsize=10, color=INK)


def release() -> Figure:
    """Draw the way from a task to a notebook with its key."""
    fig, ax = _page(6.2, 3.0)
    _box(ax, (0.05, 1.38), 1.55, "task: reference,\nmistakes, draw")
    _box(ax, (2.25, 1.38), 1.5, "draw numbers,\ncertify")
    _box(ax, (4.45, 1.98), 1.7, "notebook and\npublic key")
    _box(ax, (4.45, 0.68), 1.7, "secret key,\ncertificate", ORANGE)
    _arrow(ax, (1.62, 1.79), (2.23, 1.79))
    _arrow(ax, (3.77, 1.93), (4.43, 2.28))
    _arrow(ax, (3.77, 1.65), (4.43, 1.23))
    ax.annotate(
        "",
        (2.6, 1.38),
        (3.4, 1.38),
        arrowprops={"arrowstyle": "-|>", "color": BLUE, "lw": 2, "connectionstyle": "arc3,rad=-1.1"},
    )
    ax.text(3.0, 0.55, "a rule is broken:\ndraw again", ha="center", va="top", fontsize=10)
    ax.text(5.3, 2.83, "for students", ha="center", va="bottom", fontsize=10, color=GREY)
    ax.text(5.3, 0.6, "for the instructor", ha="center", va="top", fontsize=10, color=GREY)
    return fig


STEPS = (
    ("call it on a case", "it raised an error:\nits line, no guess"),
    ("read the form", "a list, a row, 3/4: forgiven;\na wrong shape: said"),
    ("compare each part", "right: its share\nof the points"),
    ("a known mistake?", "its hint, and\nthe page to reread"),
    ("a slip? a broken law?", "transposed; doubled inputs;\na test that failed"),
)


def check() -> Figure:
    """Draw the steps from an answer to its verdict."""
    fig, ax = _page(4.9, 5.7)
    for number, (step, verdict) in enumerate(STEPS):
        y = 4.75 - 1.12 * number
        _box(ax, (0.1, y), 2.0, step)
        _arrow(ax, (2.12, y + HEIGHT / 2), (2.65, y + HEIGHT / 2))
        ax.text(2.75, y + HEIGHT / 2, verdict, ha="left", va="center", fontsize=10.5)
        if number:
            _arrow(ax, (1.1, y + 1.11), (1.1, y + HEIGHT + 0.01))
    return fig


def sameness() -> Figure:
    """Draw two answers that differ in a sign, and the quantity in which they agree."""
    fig, ax = _page(6.2, 2.5)
    points = np.random.default_rng(3).normal(size=(60, 2)) @ np.array([[0.55, 0.27], [0, 0.13]])
    ax.plot(*(points + np.array([1.5, 1.25])).T, ".", color=SKY, markersize=5)
    centre, axis = np.array([1.5, 1.25]), np.array([0.9, 0.44])
    arrow(ax, centre, centre + axis, BLUE)
    arrow(ax, centre, centre - axis, ORANGE, "--")
    ax.text(2.42, 1.78, "$v$", color=BLUE)
    ax.text(0.34, 0.72, "$-v$", color=ORANGE)
    _arrow(ax, (2.9, 1.25), (3.9, 1.25), "$v\\,v^\\top$")
    _box(ax, (4.0, 1.25 - HEIGHT / 2), 2.0, "0.81   0.40\n0.40   0.19")
    ax.text(5.0, 0.7, "the same for both", ha="center", va="top", fontsize=10.5)
    return fig


ROWS = {
    "the reference": (("4.2", "0.7", "9.1"), GREY),
    "took the largest": (("6.0", "1.1", "9.1"), GREY),
    "took the ends": (("1.3", "0.2", "3.8"), BLUE),
    "a student": (("1.3", "0.2", "3.8"), BLUE),
}


def mistakes() -> Figure:
    """Draw the answers of reference, mistakes and a student on three cases."""
    fig, ax = _page(6.2, 2.7)
    for column in range(3):
        ax.text(2.6 + 0.9 * column, 2.35, f"case {column + 1}", ha="center", fontsize=10.5, color=GREY)
    for row, (name, (numbers, color)) in enumerate(ROWS.items()):
        y, weight = 1.85 - 0.5 * row, "bold" if color == BLUE else "normal"
        ax.text(0.1, y, name, va="center", fontsize=11, color=color, weight=weight)
        for column, number in enumerate(numbers):
            ax.text(
                2.6 + 0.9 * column,
                y,
                number,
                ha="center",
                va="center",
                fontsize=11,
                color=color,
                weight=weight,
            )
    ax.plot([0.1, 4.9], [0.6, 0.6], color=GREY, linewidth=1)
    ax.text(5.0, 0.6, "the same\non every case", va="center", fontsize=9.5, color=BLUE)
    return fig


def walls() -> Figure:
    """Draw the grader, the student's process, and what passes between them."""
    fig, ax = _page(6.2, 2.9)
    _box(ax, (0.1, 1.75), 1.9, "grader:\ncompares, scores", ORANGE)
    _box(ax, (0.1, 0.35), 1.9, "secret key,\ngradebook", ORANGE)
    _box(ax, (4.2, 1.75), 1.9, "student's process:\nruns the notebook")
    _box(ax, (4.2, 0.35), 1.9, "no network, no key,\nno files of others")
    ax.plot([3.1, 3.1], [0.1, 2.75], "--", color=ORANGE, linewidth=2)
    _arrow(ax, (2.05, 2.35), (4.15, 2.35))
    _arrow(ax, (4.15, 1.95), (2.05, 1.95))
    ax.text(2.55, 2.43, "inputs", ha="center", va="bottom", fontsize=10)
    ax.text(3.65, 1.87, "plain data", ha="center", va="top", fontsize=10)
    _arrow(ax, (1.05, 1.2), (1.05, 1.73))
    return fig
