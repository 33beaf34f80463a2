"""A species of penguins has one mark and one colour, whatever page it is drawn on."""

import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex

from dimred_ref.datasets import penguins
from dimred_ref.pca import pca
from dimred_ref.practice import biplot, standardised
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def figures():
    """Return three figures of different pages that show all species."""
    sys.path.insert(0, str(ROOT / "book"))
    try:
        from _figures import covariance, practice
        from _figures import pca as pca_figures
    finally:
        sys.path.remove(str(ROOT / "book"))
    birds = penguins()
    fit = pca(standardised(birds.X), 2)
    return [
        covariance.bills_by_species(birds),
        pca_figures.scores_and_loadings(birds, fit.embedding, fit.axes),
        practice.biplot(biplot(standardised(birds.X), 2), birds.species, birds.species_names, birds.features),
    ]


def marks_of(figure):
    """Return the outline and the colour of the points of each species."""
    marks = {}
    for cloud in (cloud for ax in figure.axes for cloud in ax.collections if cloud.get_label() in names()):
        colors = cloud.get_facecolor() if len(cloud.get_facecolor()) else cloud.get_edgecolor()
        marks[cloud.get_label()] = np.round(cloud.get_paths()[0].vertices, 6).tolist(), to_hex(colors[0])
    return marks


def names():
    return set(penguins().species_names)


def test_three_pages_draw_each_species_alike(figures):
    first, *others = (marks_of(figure) for figure in figures)
    assert set(first) == names()
    assert len({str(mark) for mark in first.values()}) == len(first)
    assert all(other == first for other in others)
