"""Claims of the page on diameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dimred_ref.diameter import diameter


@pytest.mark.claim("thm-diameter-radius")
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_no_diameter_is_larger_than_twice_the_radius(seed, size):
    X = np.random.default_rng(seed).standard_normal((size, 3))
    assert diameter(X) <= 2 * np.linalg.norm(X - X.mean(axis=0), axis=1).max() + 1e-12
