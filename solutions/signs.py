"""Signs for formulas: a symbol that is only said to be real is tried at points of both signs."""

import numpy as np

from solutions.numbers import Array


def with_both_signs(rng: np.random.Generator, points: dict[str, Array], *names: str) -> dict[str, Array]:
    """Give each named symbol, and each product of two of them, points of both signs; the others stay."""
    while True:
        signs = {name: rng.choice([-1.0, 1.0], size=len(next(iter(points.values())))) for name in names}
        products = [signs[one] * signs[other] for one in names for other in names if one < other]
        if all(len(set(pattern)) == 2 for pattern in (*signs.values(), *products)):
            return {name: signs.get(name, 1.0) * values for name, values in points.items()}
