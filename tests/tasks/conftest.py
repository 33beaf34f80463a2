"""What every test of a topic shares."""

import pytest


@pytest.fixture(autouse=True)
def _fast(fast_seals):
    """Keys are made and read many times here."""
