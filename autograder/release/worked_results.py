r"""Read the results of a worked solution from its formulas.

A worked solution is Markdown with formulas. A whole term behind `=` or `\\approx` (a number, a fraction, a root, a list
in brackets, a matrix) is a result that a solver meets on the way. Parts of a written sum or product are not.
"""

import math
import re
from collections.abc import Iterator

import numpy as np

from autograder.answers.arrays import Array

DECIMAL = r"\d+(?:\.\d+)?"
ROOT = r"\d*\\sqrt\{\d+\}"
TEX_NUMBER = rf"-?(?:\\tfrac\{{(?:{ROOT}|\d+)\}}\{{\d+\}}|{ROOT}|{DECIMAL})"
LIST_PATTERN = rf"\({TEX_NUMBER}(?:,\\,{TEX_NUMBER})+\)"
ROW = rf"{TEX_NUMBER}(?: & {TEX_NUMBER})*"
MATRIX_PATTERN = rf"\\begin\{{pmatrix\}} {ROW}(?: \\\\ {ROW})* \\end\{{pmatrix\}}"
# A term ends where the formula ends, at a comma, at another equality sign, or before a transpose or a vector's name.
RESULT_END = r"(?=\s*(?:[$,;=]|\.(?!\d)|\\approx|\\q?quad|\^\\top|\\,[a-z]\b))"
RESULT = re.compile(rf"(?:=|\\approx )(?P<term>{TEX_NUMBER}|{LIST_PATTERN}|{MATRIX_PATTERN}){RESULT_END}")


def displayed_results(markdown: str) -> Iterator[Array]:
    """Yield a worked solution's numbers, lists and matrices in their order."""
    for match in RESULT.finditer(markdown):
        term = match["term"]
        if term.startswith("("):
            yield np.array([_number(entry) for entry in term[1:-1].split(r",\,")])
        elif term.startswith(r"\begin"):
            rows = term.removeprefix(r"\begin{pmatrix} ").removesuffix(r" \end{pmatrix}").split(r" \\ ")
            table = np.array([[_number(entry) for entry in row.split(" & ")] for row in rows])
            yield table[:, 0] if table.shape[1] == 1 else table
        else:
            yield np.array(_number(term))


def _number(text: str) -> float:
    """Read a number: whole, decimal, fraction or root."""
    if text.startswith("-"):
        return -_number(text[1:])
    if fraction := re.fullmatch(r"\\tfrac\{(.+)\}\{(\d+)\}", text):
        return _number(fraction[1]) / float(fraction[2])
    if root := re.fullmatch(r"(\d*)\\sqrt\{(\d+)\}", text):
        return float(root[1] or 1) * math.sqrt(float(root[2]))
    return float(text)
