"""The tasks on high-dimensional geometry; each has a module with its numbers and its mistakes."""

from solutions.geometry.contrast import contrast
from solutions.geometry.directions_that_count import directions_that_count
from solutions.geometry.distance_density import distance_density
from solutions.geometry.distance_moments import distance_moments
from solutions.geometry.effective_dimension import effective_dimension
from solutions.geometry.flat_dimension import flat_dimension
from solutions.geometry.gamma_moments import gamma_moments
from solutions.geometry.image_counts import image_counts
from solutions.geometry.norm_spread import norm_spread
from solutions.geometry.smallest_dimension import smallest_dimension
from solutions.geometry.squared_distances import squared_distances

__all__ = [
    "contrast",
    "directions_that_count",
    "distance_density",
    "distance_moments",
    "effective_dimension",
    "flat_dimension",
    "gamma_moments",
    "image_counts",
    "norm_spread",
    "smallest_dimension",
    "squared_distances",
]
