"""The tasks on principal component analysis; each has a module with its numbers and its mistakes."""

from solutions.pca.best_coefficients import best_coefficients
from solutions.pca.captured_and_lost import captured_and_lost
from solutions.pca.centre_first import centre_first
from solutions.pca.curvature import curvature
from solutions.pca.deflate import deflate
from solutions.pca.error_from_spectrum import error_from_spectrum
from solutions.pca.exchange_step import exchange_step
from solutions.pca.first_component import first_component
from solutions.pca.multiplier import multiplier
from solutions.pca.principal_axes import principal_axes
from solutions.pca.pythagoras import pythagoras
from solutions.pca.rebuild_one_point import rebuild_one_point
from solutions.pca.reconstruct import reconstruct
from solutions.pca.scores import scores
from solutions.pca.variance_along import variance_along

__all__ = [
    "best_coefficients",
    "captured_and_lost",
    "centre_first",
    "curvature",
    "deflate",
    "error_from_spectrum",
    "exchange_step",
    "first_component",
    "multiplier",
    "principal_axes",
    "pythagoras",
    "rebuild_one_point",
    "reconstruct",
    "scores",
    "variance_along",
]
