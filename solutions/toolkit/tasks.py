"""The tasks on the linear-algebra toolkit; each has a module with its numbers and its mistakes."""

from solutions.toolkit.extremes_of_a_form import extremes_of_a_form
from solutions.toolkit.gram_schmidt import gram_schmidt
from solutions.toolkit.lagrangian_gradient import lagrangian_gradient
from solutions.toolkit.largest_form import largest_form
from solutions.toolkit.matrix_norms import matrix_norms
from solutions.toolkit.nearest_point import nearest_point
from solutions.toolkit.projector import projector
from solutions.toolkit.rank_one_change import rank_one_change
from solutions.toolkit.rayleigh_quotient import rayleigh_quotient
from solutions.toolkit.second_eigenpair import second_eigenpair
from solutions.toolkit.sorted_eigenpairs import sorted_eigenpairs
from solutions.toolkit.vector_norms import vector_norms

__all__ = [
    "extremes_of_a_form",
    "gram_schmidt",
    "lagrangian_gradient",
    "largest_form",
    "matrix_norms",
    "nearest_point",
    "projector",
    "rank_one_change",
    "rayleigh_quotient",
    "second_eigenpair",
    "sorted_eigenpairs",
    "vector_norms",
]
