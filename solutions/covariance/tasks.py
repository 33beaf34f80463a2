"""The tasks on covariance matrices; each has a module with its numbers and its mistakes."""

from solutions.covariance.after_a_map import after_a_map
from solutions.covariance.all_samples import all_samples
from solutions.covariance.both_divisors import both_divisors
from solutions.covariance.covariance_matrix import covariance_matrix
from solutions.covariance.ellipse import ellipse
from solutions.covariance.entry_from_spreads import entry_from_spreads
from solutions.covariance.merged import merged
from solutions.covariance.singular_triangle import singular_triangle
from solutions.covariance.squared_distances import squared_distances
from solutions.covariance.triangle_determinant import triangle_determinant
from solutions.covariance.varying_dimensions import varying_dimensions

__all__ = [
    "after_a_map",
    "all_samples",
    "both_divisors",
    "covariance_matrix",
    "ellipse",
    "entry_from_spreads",
    "merged",
    "singular_triangle",
    "squared_distances",
    "triangle_determinant",
    "varying_dimensions",
]
