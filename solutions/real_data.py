"""Real data for the tasks, other rows in every draw: measured penguins, and airports of the United States."""

from functools import cache

import numpy as np

from dimred_ref.datasets import airports, penguins
from solutions.numbers import Array

ALL_SPECIES = (0, 1, 2)


@cache
def standardised_penguins() -> tuple[Array, Array]:
    """Return four measurements of the penguins, standardised, with two decimals; and their species."""
    birds = penguins()
    return np.round((birds.X - birds.X.mean(axis=0)) / birds.X.std(axis=0), 2), birds.species


def some_penguins(rng: np.random.Generator, number: int, species: tuple[int, ...] = ALL_SPECIES) -> Array:
    """Draw so many birds of each species, in mixed order."""
    X, kinds = standardised_penguins()
    chosen = np.concatenate([rng.permutation(np.flatnonzero(kinds == kind))[:number] for kind in species])
    return X[rng.permutation(chosen)]


@cache
def all_airports() -> tuple[Array, Array]:
    """Return latitudes and longitudes in degrees, and distances in thousands of kilometres."""
    cities = airports()
    return np.round(cities.positions, 1), np.round(cities.distances / 1000, 3)


def some_airports(rng: np.random.Generator, number: int) -> tuple[Array, Array]:
    """Draw so many airports: their latitudes and longitudes, and the table of their distances."""
    positions, distances = all_airports()
    chosen = rng.permutation(len(positions))[:number]
    return positions[chosen], distances[np.ix_(chosen, chosen)]


def on_the_ball(positions: Array) -> Array:
    """Turn latitudes and longitudes in degrees into points of a ball of radius one."""
    latitude, longitude = np.radians(positions).T
    return np.column_stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)]
    )
