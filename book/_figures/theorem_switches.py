"""Break this theorem: claims whose hypotheses are switches, searched by `_static/explore/claims` in the page.

Each hypothesis has words, what takes its place when it is off, and a simple counterexample without it. The still shows
these.
"""

import html
import textwrap
from dataclasses import dataclass
from typing import Any

from IPython.display import HTML

from _figures.explorables import explorable
from _figures.sliders import Scene

LINE_CHARACTERS = 78
LINE_HEIGHT, LEFT = 22, 8


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis, its absence, and an example in which nothing else is missing."""

    words: str
    off: str
    without: str
    example: dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """A claim and its hypotheses."""

    question: str
    hypotheses: tuple[Hypothesis, Hypothesis, Hypothesis]


TWO_ONE = [[2, 0], [0, 1]]
CROSS = [[2, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0]]
STAR = [[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0]]
LINE = [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
TENT = [[0, 3, 2, 2], [3, 0, 2, 2], [2, 2, 0, 2], [2, 2, 2, 0]]

CLAIMS = {
    "eckartYoung": Claim(
        "No matrix of rank 1 is nearer to A than one term of its singular value decomposition. When not?",
        (
            Hypothesis(
                "The term with the largest singular value is kept.",
                "any one term is kept.",
                "A = diag(2, 1): keeping the second term errs by 2, B = diag(2, 0) by 1.",
                {"A": TWO_ONE, "term": 1, "B": [[2, 0], [0, 0]], "norm": "sum of squares"},
            ),
            Hypothesis(
                "The rival B has rank 1.",
                "the rival may have any rank.",
                "B = A errs by 0.",
                {"A": TWO_ONE, "term": 0, "B": TWO_ONE, "norm": "sum of squares"},
            ),
            Hypothesis(
                "Errors are measured by the sum of squares (Frobenius).",
                "errors are measured by the largest entry.",
                "A = diag(2, 1): the first term is off by 1 in one entry, the rank-one matrix with rows "
                "(1.5, 0.75), (0.75, 0.375) by 0.75 at most.",
                {"A": TWO_ONE, "term": 0, "B": [[1.5, 0.75], [0.75, 0.375]], "norm": "largest entry"},
            ),
        ),
    ),
    "pcaPlane": Claim(
        "No two directions have more variance together than the first two principal axes. When not?",
        (
            Hypothesis(
                "The rival directions have length 1.",
                "they may have any length.",
                "twice as long a direction has four times the variance.",
                {"X": CROSS, "directions": [[2, 0, 0], [0, 1, 0]], "centred": True},
            ),
            Hypothesis(
                "They are orthogonal to each other.",
                "they may lean on each other.",
                "the first axis, taken twice, counts its variance twice.",
                {"X": CROSS, "directions": [[1, 0, 0], [1, 0, 0]], "centred": True},
            ),
            Hypothesis(
                "The axes come from centred data.",
                "the mean is not taken off before the axes are computed.",
                "points far from 0: the first axis leads to their mean, along which nothing varies.",
                {
                    "X": [[x, y, 10] for x, y, _ in CROSS],
                    "directions": [[1, 0, 0], [0, 1, 0]],
                    "centred": False,
                },
            ),
        ),
    ),
    "exactMap": Claim(
        "The map of classical scaling has the distances of the table. When not?",
        (
            Hypothesis(
                "The table holds distances of points in space.",
                "it is any table that obeys the triangle inequality.",
                "a star: three points at distance 1 from a fourth and 2 from each other.",
                {"distances": STAR, "dimensions": 3, "squared": True},
            ),
            Hypothesis(
                "The map has three dimensions, as many as the points.",
                "it has two.",
                "four points at distance 2 from each other, but two of them at 3, do not fit into a plane.",
                {"distances": TENT, "dimensions": 2, "squared": True},
            ),
            Hypothesis(
                "The distances are squared before they are centred.",
                "they are not squared.",
                "three points on a line: 2 becomes the root of 2.",
                {"distances": [row[:3] for row in LINE[:3]], "dimensions": 3, "squared": False},
            ),
        ),
    ),
    "components": Claim(
        "The Laplacian has the eigenvalue 0 as often as the graph has pieces. When not?",
        (
            Hypothesis(
                "No weight is negative.",
                "weights may be negative.",
                "a triangle with the weights 2, 2 and −1 has it twice.",
                {"weights": [[0, 2, 2], [2, 0, -1], [2, -1, 0]], "diagonal": "degrees"},
            ),
            Hypothesis(
                "Weights are symmetric: an edge leads both ways.",
                "an edge may lead one way.",
                "two edges out of one point: two rows are zero.",
                {"weights": [[0, 1, 1], [0, 0, 0], [0, 0, 0]], "diagonal": "degrees"},
            ),
            Hypothesis(
                "The diagonal holds the degrees.",
                "it holds the largest degree everywhere.",
                "a path of three points: rows do not add up to 0 any more.",
                {"weights": [[0, 1, 0], [1, 0, 1], [0, 1, 0]], "diagonal": "largest degree"},
            ),
        ),
    ),
    "shortest": Claim(
        "Of all solutions with the least error, the pseudo-inverse gives the shortest. When not?",
        (
            Hypothesis(
                "The rival has the least error, too.",
                "the rival may have a larger error.",
                "a + b = 2: (0.5, 0.5) is shorter than (1, 1), and wrong.",
                {
                    "X": [[1, 1]],
                    "y": [2],
                    "rival": [0.5, 0.5],
                    "length": "root of squares",
                    "solution": "pseudo-inverse",
                },
            ),
            Hypothesis(
                "Length is the root of the sum of squares.",
                "length is the sum of the absolute values.",
                "a + 2b = 2: (0, 1) has the sum 1, the pseudo-inverse gives (0.4, 0.8).",
                {
                    "X": [[1, 2]],
                    "y": [2],
                    "rival": [0, 1],
                    "length": "sum of sizes",
                    "solution": "pseudo-inverse",
                },
            ),
            Hypothesis(
                "The solution is that of the pseudo-inverse.",
                "it is the one that sets unneeded unknowns to 0.",
                "a + b = 2: (2, 0) is longer than (1, 1).",
                {
                    "X": [[1, 1]],
                    "y": [2],
                    "rival": [1, 1],
                    "length": "root of squares",
                    "solution": "zeros first",
                },
            ),
        ),
    ),
    "gaussian": Claim(
        "A Gaussian kernel matrix has no negative eigenvalue. When not?",
        (
            Hypothesis(
                "Distances are those of points in space.",
                "they are any table that obeys the triangle inequality.",
                "a star: three points at distance 1 from a fourth and 2 from each other, γ = 0.1.",
                {"distances": STAR, "power": 2, "gamma": 0.1},
            ),
            Hypothesis(
                "The exponent has the square of the distance.",
                "it has the fourth power.",
                "four points of a line at distance 1, γ = 0.1.",
                {"distances": LINE, "power": 4, "gamma": 0.1},
            ),
            Hypothesis(
                "γ is positive.",
                "γ may be negative.",
                "two points at distance 1, γ = −1: the eigenvalue 1 − e.",
                {"distances": [[0, 1], [1, 0]], "power": 2, "gamma": -1},
            ),
        ),
    ),
}


def switches(name: str) -> HTML:
    """Return the figure of a claim: a still that lists hypotheses and counterexamples, and the data of the page."""
    claim = CLAIMS[name]
    lines: list[tuple[str, str]] = []
    for number, hypothesis in enumerate(claim.hypotheses, start=1):
        lines += _wrapped(f"{number}. {hypothesis.words}", "600")
        lines += _wrapped(f"Without it: {hypothesis.without}", "400")
    height = LINE_HEIGHT * (len(lines) + 1)
    drawing = "".join(
        f'<text x="{LEFT}" y="{LINE_HEIGHT * (i + 1)}" font-weight="{weight}">{html.escape(line)}</text>'
        for i, (line, weight) in enumerate(lines)
    )
    alt = "Hypotheses and a counterexample without each: " + " ".join(line for line, _ in lines)
    data = {"claim": name, "hypotheses": [vars(hypothesis) for hypothesis in claim.hypotheses]}
    return explorable(
        "claims/theorem",
        data,
        Scene((0, 0, 640, height), html.escape(alt), drawing),
        question=claim.question,
        caption="Switch a hypothesis off: the page searches for a counterexample, among examples drawn at random.",
    )


def _wrapped(text: str, weight: str) -> list[tuple[str, str]]:
    return [(line, weight) for line in textwrap.wrap(text, LINE_CHARACTERS)]
