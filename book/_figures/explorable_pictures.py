"""The explorables of the book, by the names of their scripts."""

from _figures.explorable_linear import cloud, fit, matrix, spectrum, view
from _figures.explorable_maps import kernel, linked, modes, recipe, roll, table
from _figures.explorable_unfold import unfold

__all__ = [
    "cloud",
    "fit",
    "kernel",
    "linked",
    "matrix",
    "modes",
    "recipe",
    "roll",
    "spectrum",
    "table",
    "unfold",
    "view",
]
