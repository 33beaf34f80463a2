"""The tasks on least squares; each has a module with its numbers and its mistakes."""

from solutions.least_squares.all_solutions import all_solutions
from solutions.least_squares.careful_fit import careful_fit
from solutions.least_squares.column_inverse import column_inverse
from solutions.least_squares.factors_by_hand import factors_by_hand
from solutions.least_squares.filter_limits import filter_limits
from solutions.least_squares.line_by_hand import line_by_hand
from solutions.least_squares.pseudo_inverse import pseudo_inverse
from solutions.least_squares.rank_one_by_hand import rank_one_by_hand
from solutions.least_squares.ridge_lengths import ridge_lengths
from solutions.least_squares.ridge_path import ridge_path
from solutions.least_squares.shortest_solution import shortest_solution

__all__ = [
    "all_solutions",
    "careful_fit",
    "column_inverse",
    "factors_by_hand",
    "filter_limits",
    "line_by_hand",
    "pseudo_inverse",
    "rank_one_by_hand",
    "ridge_lengths",
    "ridge_path",
    "shortest_solution",
]
