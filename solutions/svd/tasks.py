"""The tasks on the singular value decomposition; each has a module with its numbers and its mistakes."""

from solutions.svd.best_approximation import best_approximation
from solutions.svd.dimensions import dimensions
from solutions.svd.lauchli_values import lauchli_values
from solutions.svd.norm_and_volume import norm_and_volume
from solutions.svd.null_basis import null_basis
from solutions.svd.null_projector import null_projector
from solutions.svd.rank_one_by_hand import rank_one_by_hand
from solutions.svd.rank_one_terms import rank_one_terms
from solutions.svd.right_vectors import right_vectors
from solutions.svd.singular_pair import singular_pair
from solutions.svd.smallest_value import smallest_value
from solutions.svd.two_errors import two_errors

__all__ = [
    "best_approximation",
    "dimensions",
    "lauchli_values",
    "norm_and_volume",
    "null_basis",
    "null_projector",
    "rank_one_by_hand",
    "rank_one_terms",
    "right_vectors",
    "singular_pair",
    "smallest_value",
    "two_errors",
]
